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
// of the banks to refresh, then refreshes.
func (sc *scheduler) refreshStep() choice {
	floor := max(sc.frontier, sc.refreshDue)
	best := choice{at: never, entry: none, cmd: dram.Precharge}
	banks := sc.dram.OpenBanks()
	if sc.timing.RefreshPerBank {
		banks &= 1 << sc.refreshBank
	}
	for m := banks; m != 0; m &= m - 1 {
		n := bits.TrailingZeros32(m)
		if at := sc.dram.Earliest(dram.Precharge, n, floor); at < best.at {
			best.at, best.bank = at, uint8(n)
		}
	}
	if best.at != never {
		return best
	}
	best.cmd = dram.Refresh
	if sc.timing.RefreshPerBank {
		best.cmd, best.bank = dram.RefreshBank, uint8(sc.refreshBank)
	}
	best.at = sc.dram.Earliest(best.cmd, int(best.bank), floor)
	return best
}

// issueUnasked issues a command that no block needs: a command of a refresh, or the
// closing of a row by policy.
func (sc *scheduler) issueUnasked(v choice) {
	n := int(v.bank)
	row, _ := sc.dram.OpenRow(n)
	sc.give(v.cmd, n, row, v.at)
	sc.unplan(1 << n)
	t := sc.timing
	switch v.cmd {
	case dram.Precharge:
		b := &sc.bank[n]
		b.opened = false
		b.closedRow, b.closedByPolicy = row, sc.closing>>n&1 != 0
		sc.closing &^= 1 << n
		sc.stats()[stat.Precharges]++
		sc.emitClose(n, v.at, row)
		return
	case dram.Refresh:
		for b := range t.Banks {
			sc.rests[b] = rest{sc.refreshDue, v.at + t.RFC}
		}
	case dram.RefreshBank:
		sc.rests[n] = rest{sc.refreshDue, v.at + t.RFC}
		sc.refreshBank = (n + 1) & (t.Banks - 1)
	}
	sc.stats()[stat.Refreshes]++
	sc.emitRefresh(v)
	sc.refreshDue += t.REFI
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
			v = sc.refreshStep()
		}
		sc.frontier = max(sc.frontier, v.at)
		sc.issueUnasked(v)
	}
	sc.decided = false
}
