package machine

import (
	"fmt"

	"github.com/burstscope/burstscope/core/dram"
)

// Legality watches every command of every DRAM channel of a machine and compares
// it with the device's specification. It changes nothing.
type Legality struct {
	machine  *Machine
	channels []*dram.Checker
}

// WatchLegality starts to watch; call it before the machine runs.
func (m *Machine) WatchLegality() *Legality {
	l := &Legality{machine: m}
	for i := range m.spec.Slices() {
		l.watch(i, m.spec.DRAM)
	}
	return l
}

func (l *Legality) watch(channel int, spec dram.Spec) {
	m := l.machine
	k := dram.NewChecker(spec, m.job.Scheme.MAGBytes())
	m.memory[channel/m.spec.Channels].Watch(channel%m.spec.Channels, k)
	l.channels = append(l.channels, k)
}

// Commands returns the number of commands seen.
func (l *Legality) Commands() int {
	n := 0
	for _, k := range l.channels {
		n += k.Count()
	}
	return n
}

// End returns the first violation of a channel, or nil if all commands up to now were
// legal and no refresh is overdue.
func (l *Legality) End() error {
	l.machine.settleMemory()
	now := l.machine.spec.DRAMClock().Local(l.machine.Cycles())
	for i, k := range l.channels {
		k.End(now)
		if err := k.Err(); err != nil {
			return fmt.Errorf("machine: channel %d broke %d rules of its DRAM, first: %w", i, k.Violations(), err)
		}
	}
	return nil
}
