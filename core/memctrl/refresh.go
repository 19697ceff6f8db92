package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/stat"
)

// refreshStep returns the next command on the way to a refresh that is due: close
// the open banks, then refresh them all.
func (ch *channel) refreshStep() choice {
	floor := max(ch.frontier, ch.refreshDue)
	best := choice{at: never, entry: none, cmd: dram.Precharge}
	for m := ch.dram.OpenBanks(); m != 0; m &= m - 1 {
		n := bits.TrailingZeros32(m)
		if at := ch.dram.Earliest(dram.Precharge, n, floor); at < best.at {
			best.at, best.bank = at, uint8(n)
		}
	}
	if best.at == never {
		best.at, best.cmd = ch.dram.Earliest(dram.Refresh, 0, floor), dram.Refresh
	}
	return best
}

func (ch *channel) issueRefresh(v choice) {
	n := int(v.bank)
	row, _ := ch.dram.OpenRow(n)
	ch.give(v.cmd, n, row, v.at)
	ch.unplan(1 << n)
	if v.cmd == dram.Precharge {
		ch.bank[n].opened = false
		ch.stats()[stat.Precharges]++
		return
	}
	ch.stats()[stat.Refreshes]++
	ch.refreshDue += ch.c.timing.REFI
}

// catchUp does the refreshes that fell due while the channel had nothing to do.
// It is called when work reaches the channel, so refreshing never keeps the
// engine awake. All but the last have left no trace but their number.
func (ch *channel) catchUp(now uint64) {
	interval := ch.c.timing.REFI
	if interval == 0 || now < ch.refreshDue || ch.reads+ch.writes+ch.metaReads+ch.metaWrites > 0 {
		return
	}
	missed := (now - ch.refreshDue) / interval
	for ch.dram.OpenBanks() != 0 {
		ch.issueRefresh(ch.refreshStep())
	}
	ch.stats()[stat.Refreshes] += missed
	ch.refreshDue += missed * interval
	v := ch.refreshStep()
	ch.issueRefresh(v)
	ch.frontier, ch.decided = max(ch.frontier, v.at), false
}
