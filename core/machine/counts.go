package machine

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// KernelCounts holds the counts of the instructions of one kernel, over all its launches
// and all SMs.
type KernelCounts struct {
	Kernel *ptx.Kernel
	Counts []sm.Count // by index into Kernel.Code
}

// Counts returns the counts of every kernel of the program up to now, in the
// order of their first launches.
func (m *Machine) Counts() []KernelCounts {
	var list []KernelCounts
	seen := map[*ptx.Kernel]bool{}
	for i, l := range m.job.Launches {
		if seen[l.Kernel] {
			continue
		}
		seen[l.Kernel] = true
		counts := make([]sm.Count, len(l.Kernel.Code))
		for _, s := range m.sms {
			s.CountsUntil(m.Cycles(), i, counts)
		}
		list = append(list, KernelCounts{l.Kernel, counts})
	}
	return list
}

// Classes returns the counts of the instructions of each class up to now, and the number
// of register operands of all threads: registers and predicates of any width.
func (m *Machine) Classes() (classes []account.ClassCount, registerOperands uint64) {
	w := m.work()
	return w.Classes(), w.RegisterOperands
}

// Energy returns the energy of the run up to now, under a codec. Every term is a counter of the run times a value that
// Describe lists, one of the codec, or a charge.
func (m *Machine) Energy(codec energy.Codec, charges []energy.Charge) energy.Account {
	s := m.Stats()
	classes, operands := m.Classes()
	return account.Of(m.spec, &s, classes, operands, uint64(m.Cycles()), codec, charges)
}
