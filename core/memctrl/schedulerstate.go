package memctrl

import (
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/tape"
)

// Settle counts the cycles of the data bus and of open rows up to cycle now.
func (sc *scheduler) Settle(now uint64) {
	idleEnd := now
	if sc.ready[0]+sc.ready[1] > 0 {
		idleEnd = min(now, sc.workSince)
	}
	sc.settle(now, idleEnd, now)
}

// State lists the device, the queues and the schedule. Checksums leave plans out, because
// plans follow from the rest and may be made late.
func (sc *scheduler) State(t *tape.Tape) {
	sc.dramPort.state(t)
	tape.Values(t, sc.entry)
	if !t.Summing() {
		tape.Value(t, &sc.schedulerState)
		return
	}
	s := sc.schedulerState
	s.planned, s.need, s.age, s.byAge, s.columns = 0, [4]uint32{}, [dram.MaxBanks]uint64{}, [dram.MaxBanks]uint8{}, 0
	s.decided, s.choice = false, choice{}
	tape.Value(t, &s)
}
