package memctrl

import (
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/stat"
)

// The data bus of a channel is accounted for cycle by cycle. A burst ends a gap
// that begins with the end of the burst before it, and the gap is divided in the
// order in which things held the burst up:
//
//	idle        no block could be scheduled early enough to use the cycle
//	turnaround  the bus had carried data the other way
//	refresh     the burst's bank was refreshed, or closed to be
//	bank        the rest: precharge, activate, windows of activates, bank groups,
//	            command bus
//
// What lies behind the last burst is idle while there is no block; otherwise the
// next burst decides.

// countBus accounts for the bus up to the end of a burst commanded at cycle at,
// before the device is told.
func (sc *scheduler) countBus(cmd dram.Command, n int, at uint64) {
	t, s := sc.timing, sc.stats()
	latency, busy := t.CL, stat.BusReadCycles
	if cmd == dram.Write {
		latency, busy = t.WL, stat.BusWriteCycles
	}
	first := at + latency
	if first != sc.busEnd {
		gap := gap{sc.busEnd, first}
		s[stat.BusIdleCycles] += gap.until(sc.workSince + latency)
		s[stat.BusTurnaroundCycles] += gap.until(sc.dram.TurnaroundEnd(cmd, n) + latency)
		if r := sc.rests[n]; r.to > 0 {
			s[stat.BusBankCycles] += gap.until(r.from + latency)
			s[stat.BusRefreshCycles] += gap.until(r.to + latency)
		}
		s[stat.BusBankCycles] += gap.to - gap.from
	}
	sc.busEnd = first + t.BurstCycles
	s[busy] += t.BurstCycles
	s[stat.DataBusBusyCycles] += t.BurstCycles
}

// gap is a time in which the data bus carried nothing.
type gap struct{ from, to uint64 }

// until takes off the part before a cycle and returns its length.
func (g *gap) until(end uint64) uint64 {
	end = min(end, g.to)
	if end <= g.from {
		return 0
	}
	n := end - g.from
	g.from = end
	return n
}

// settleBus brings the account up to a cycle: what is idle is final, what the
// next burst decides is shown as pending, what lies beyond the cycle as ahead.
func (sc *scheduler) settleBus(now uint64) {
	s := sc.stats()
	idleEnd := now
	if sc.ready[0]+sc.ready[1] > 0 {
		idleEnd = min(now, sc.workSince)
	}
	rest := gap{sc.busEnd, max(now, sc.busEnd)}
	s[stat.BusIdleCycles] += rest.until(idleEnd)
	pending, ahead := rest.to-rest.from, uint64(0)
	sc.busEnd = rest.from
	if sc.busEnd > now {
		ahead = sc.busEnd - now
	}
	s[stat.BusPendingCycles] += pending - sc.busPending
	s[stat.BusAheadCycles] += ahead - sc.busAhead
	sc.busPending, sc.busAhead = pending, ahead
}
