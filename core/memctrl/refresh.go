package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/stat"
)

// rest is a bank's last refresh: the DRAM cycles during which it kept commands
// of other purposes away.
type rest struct{ from, to uint64 }

// refreshStep returns the next command on the way to a refresh that is due: close
// what is open of the banks it is for, then refresh.
func (ch *channel) refreshStep() choice {
	floor := max(ch.frontier, ch.refreshDue)
	best := choice{at: never, entry: none, cmd: dram.Precharge}
	banks := ch.dram.OpenBanks()
	if ch.c.timing.RefreshPerBank {
		banks &= 1 << ch.refreshBank
	}
	for m := banks; m != 0; m &= m - 1 {
		n := bits.TrailingZeros32(m)
		if at := ch.dram.Earliest(dram.Precharge, n, floor); at < best.at {
			best.at, best.bank = at, uint8(n)
		}
	}
	if best.at != never {
		return best
	}
	best.cmd = dram.Refresh
	if ch.c.timing.RefreshPerBank {
		best.cmd, best.bank = dram.RefreshBank, uint8(ch.refreshBank)
	}
	best.at = ch.dram.Earliest(best.cmd, int(best.bank), floor)
	return best
}

// issueUnasked gives a command that no block asked for: on the way to a refresh,
// or closing a row by policy.
func (ch *channel) issueUnasked(v choice) {
	n := int(v.bank)
	row, _ := ch.dram.OpenRow(n)
	ch.give(v.cmd, n, row, v.at)
	ch.unplan(1 << n)
	t := &ch.c.timing
	switch v.cmd {
	case dram.Precharge:
		b := &ch.bank[n]
		b.opened = false
		b.closedRow, b.closedByPolicy = row, ch.closing>>n&1 != 0
		ch.closing &^= 1 << n
		ch.stats()[stat.Precharges]++
		ch.emitClose(n, v.at, row)
		return
	case dram.Refresh:
		for b := range t.Banks {
			ch.rests[b] = rest{ch.refreshDue, v.at + t.RFC}
		}
	case dram.RefreshBank:
		ch.rests[n] = rest{ch.refreshDue, v.at + t.RFC}
		ch.refreshBank = (n + 1) & (t.Banks - 1)
	}
	ch.stats()[stat.Refreshes]++
	ch.emitRefresh(v)
	ch.refreshDue += t.REFI
}

// catchUp does what fell due while the channel had no block: refreshes, and rows
// closed by policy. It is called when work reaches the channel, so neither keeps
// the engine awake, and when statistics are read.
func (ch *channel) catchUp(now uint64) {
	if ch.refreshDue > now || ch.reads+ch.writes+ch.metaReads+ch.metaWrites > 0 {
		return
	}
	for {
		v := ch.closeStep()
		if min(v.at, ch.refreshDue) > now {
			break
		}
		if v.at >= ch.refreshDue {
			v = ch.refreshStep()
		}
		ch.frontier = max(ch.frontier, v.at)
		ch.issueUnasked(v)
	}
	ch.decided = false
}
