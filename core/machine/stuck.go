package machine

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// A wait may have no end although the exact run has ended: a load that is not volatile may hit an old line of its L1
// for ever. While no SM sends anything, what a warp reads does not change. So if the warps of each SM in turn come back
// to a state that they had before, all repeat what they do, and the run has no end. Each warp in a loop must have
// executed something in between: on a slow machine it may stand in the same state for long.

// quietCycles is how long no SM sends anything before the states are compared: much longer than any answer of memory
// takes [ours].
const quietCycles = 1 << 18

// stuck is what is known of a wait without an end.
type stuck struct {
	packets  uint64 // sent to L2 so far
	resident int    // warps
	since    sim.Cycle
	proven   int    // SMs that repeat what they do, or are empty
	looks    uint64 // at the next one
	kept     *tape.Record
	executed []uint64 // when the state was kept
	tape     *tape.Tape
}

// endless returns the fault of a warp that waits for ever, nil if none certainly does.
func (m *Machine) endless() *execute.Fault {
	s, resident := &m.stuck, 0
	for _, x := range m.sms {
		resident += x.Live()
	}
	packets, now := m.requests.Stats[stat.XbarRequestPackets], m.engine.Now()
	if packets != s.packets || resident != s.resident {
		*s = stuck{packets: packets, resident: resident, since: now, tape: s.tape}
	}
	if now-s.since < quietCycles || m.spec.HostLink != 0 || m.spec.SM.L1.Local == cache.LocalBack {
		return nil
	}
	for ; s.proven < len(m.sms); s.proven, s.looks, s.kept = s.proven+1, 0, nil {
		x := m.sms[s.proven]
		if x.Live() > 0 && !m.repeats(x) {
			return nil
		}
	}
	for _, x := range m.sms {
		if f := x.WaitFault(m.Read); f != nil {
			return f
		}
	}
	return nil
}

// repeats looks at an SM, and reports whether its warps all wait in a state that they have come back to.
func (m *Machine) repeats(x *sm.SM) bool {
	s := &m.stuck
	if !x.Waits() {
		s.since = m.engine.Now()
		return false
	}
	if s.tape == nil {
		s.tape = tape.NewTape()
	}
	now, executed := s.tape.Save(x.WaitState, s.kept), x.Executed(nil)
	if s.kept != nil && now.Same(s.kept) && allGrew(s.executed, executed) {
		return true
	}
	if s.looks++; s.looks&(s.looks-1) == 0 {
		s.kept, s.executed = now, executed
	}
	return false
}

func allGrew(before, now []uint64) bool {
	for i, n := range now {
		if i >= len(before) || n <= before[i] {
			return false
		}
	}
	return true
}
