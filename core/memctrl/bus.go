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
func (ch *channel) countBus(cmd dram.Command, n int, at uint64) {
	t, s := &ch.c.timing, ch.stats()
	latency, busy := t.CL, stat.BusReadCycles
	if cmd == dram.Write {
		latency, busy = t.WL, stat.BusWriteCycles
	}
	first := at + latency
	if first != ch.busEnd {
		gap := gap{ch.busEnd, first}
		s[stat.BusIdleCycles] += gap.until(ch.workSince + latency)
		s[stat.BusTurnaroundCycles] += gap.until(ch.dram.TurnaroundEnd(cmd, n) + latency)
		if r := ch.rests[n]; r.to > 0 {
			s[stat.BusBankCycles] += gap.until(r.from + latency)
			s[stat.BusRefreshCycles] += gap.until(r.to + latency)
		}
		s[stat.BusBankCycles] += gap.to - gap.from
	}
	ch.busEnd = first + t.BurstCycles
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
func (ch *channel) settleBus(now uint64) {
	s := ch.stats()
	idleEnd := now
	if ch.ready[0]+ch.ready[1] > 0 {
		idleEnd = min(now, ch.workSince)
	}
	rest := gap{ch.busEnd, max(now, ch.busEnd)}
	s[stat.BusIdleCycles] += rest.until(idleEnd)
	pending, ahead := rest.to-rest.from, uint64(0)
	ch.busEnd = rest.from
	if ch.busEnd > now {
		ahead = ch.busEnd - now
	}
	s[stat.BusPendingCycles] += pending - ch.busPending
	s[stat.BusAheadCycles] += ahead - ch.busAhead
	ch.busPending, ch.busAhead = pending, ahead
}
