package memctrl

import (
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/stat"
)

// Every cycle of a channel's data bus is counted by its cause. A gap lies between the end
// of one burst and the start of the next. It is divided among these causes, in this order:
//
//	idle        no block could be scheduled early enough to use the cycle
//	turnaround  the bus had carried data the other way
//	refresh     the burst's bank was refreshed, or closed to be
//	bank        the rest: precharge, activate, windows of activates, bank groups,
//	            command bus
//
// After the last burst, cycles are idle while there is no block; the next burst decides
// the cause of the others.

// countGap counts the cycles of the bus from its last burst to one whose data begin at cycle first, a latency
// after its command. It is called before the device receives the command.
func (d *dramPort) countGap(cmd dram.Command, n int, first, latency uint64) {
	s, gap := d.stats(), gap{d.busEnd, first}
	s[stat.BusIdleCycles] += gap.until(d.workSince + latency)
	s[stat.BusTurnaroundCycles] += gap.until(d.dram.TurnaroundEnd(cmd, n) + latency)
	if r := d.rests[n]; r.to > 0 {
		s[stat.BusBankCycles] += gap.until(r.from + latency)
		s[stat.BusRefreshCycles] += gap.until(r.to + latency)
	}
	s[stat.BusBankCycles] += gap.to - gap.from
}

// gap is a range of cycles in which the data bus carried no data.
type gap struct{ from, to uint64 }

// until removes the part before a cycle and returns its length.
func (g *gap) until(end uint64) uint64 {
	end = min(end, g.to)
	if end <= g.from {
		return 0
	}
	n := end - g.from
	g.from = end
	return n
}

// settleBus brings the counts up to a cycle. The bus is idle from its last burst
// to idleEnd. Idle cycles are final; cycles that the next
// burst will classify are shown as pending, and cycles beyond the given one as ahead.
func (d *dramPort) settleBus(now, idleEnd uint64) {
	s := d.stats()
	rest := gap{d.busEnd, max(now, d.busEnd)}
	s[stat.BusIdleCycles] += rest.until(idleEnd)
	pending, ahead := rest.to-rest.from, uint64(0)
	d.busEnd = rest.from
	if d.busEnd > now {
		ahead = d.busEnd - now
	}
	s[stat.BusPendingCycles] += pending - d.busPending
	s[stat.BusAheadCycles] += ahead - d.busAhead
	d.busPending, d.busAhead = pending, ahead
}
