package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/stat"
)

// rest is a bank's last refresh: the DRAM cycles in which the bank took no other
// commands.
type rest struct{ from, to uint64 }

// refreshStep returns the next command of a refresh that is due: it closes the open rows
// of the banks to refresh, then refreshes. No command is possible before frontier.
func (d *dramPort) refreshStep(frontier uint64) choice {
	floor := max(frontier, d.refreshDue)
	best := choice{at: never, entry: none, cmd: dram.Precharge}
	banks := d.dram.OpenBanks()
	if d.timing.RefreshPerBank {
		banks &= 1 << d.refreshBank
	}
	for m := banks; m != 0; m &= m - 1 {
		n := bits.TrailingZeros32(m)
		if at := d.dram.Earliest(dram.Precharge, n, floor); at < best.at {
			best.at, best.bank = at, uint8(n)
		}
	}
	if best.at != never {
		return best
	}
	best.cmd = dram.Refresh
	if d.timing.RefreshPerBank {
		best.cmd, best.bank = dram.RefreshBank, uint8(d.refreshBank)
	}
	best.at = d.dram.Earliest(best.cmd, int(best.bank), floor)
	return best
}

// issueUnasked issues a command that no block needs: a command of a refresh, or the
// closing of a row by policy.
func (sc *scheduler) issueUnasked(v choice) {
	n := int(v.bank)
	row, _ := sc.dram.OpenRow(n)
	sc.give(v.cmd, n, row, v.at)
	sc.unplan(uint8(n))
	if v.cmd != dram.Precharge {
		sc.refreshed(v)
		return
	}
	b := &sc.bank[n]
	b.opened = false
	b.closedRow, b.closedByPolicy = row, sc.closing>>n&1 != 0
	sc.closing &^= 1 << n
	sc.stats()[stat.Precharges]++
	sc.emitClose(n, v.at, row)
}

// refreshed counts and reports a refresh.
func (d *dramPort) refreshed(v choice) {
	t := d.timing
	if v.cmd == dram.Refresh {
		for b := range t.Banks {
			d.rests[b] = rest{d.refreshDue, v.at + t.RFC}
		}
	} else {
		d.rests[v.bank] = rest{d.refreshDue, v.at + t.RFC}
		d.refreshBank = (int(v.bank) + 1) & (t.Banks - 1)
	}
	d.stats()[stat.Refreshes]++
	d.emitRefresh(v)
	d.refreshDue += t.REFI
}

// CatchUp issues the refreshes that fell due, and closes rows by policy. It is called when
// work reaches the channel, so refreshes and policy do not keep the engine awake.
func (sc *scheduler) CatchUp(now uint64) {
	if sc.refreshDue <= now && sc.taken == [4]int{} {
		sc.refreshUpTo(now)
	}
}

func (sc *scheduler) refreshUpTo(now uint64) {
	for {
		v := sc.closeStep()
		if min(v.at, sc.refreshDue) > now {
			break
		}
		if v.at >= sc.refreshDue {
			v = sc.refreshStep(sc.frontier)
		}
		sc.frontier = max(sc.frontier, v.at)
		sc.issueUnasked(v)
	}
	sc.decided = false
}
