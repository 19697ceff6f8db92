package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
)

// RowPolicy says when a row is closed that no waiting block needs.
type RowPolicy uint8

const (
	// RowOpen leaves it open until another row of the bank is needed.
	RowOpen RowPolicy = iota
	// RowClose closes it as soon as the last burst allows.
	RowClose
	// RowTimeout closes it RowTimeoutCycles after its last burst.
	RowTimeout
	// RowAdaptive is RowTimeout with a time for each bank: doubled when the row
	// closed is the next one needed, halved when a row had to be closed for
	// another.
	RowAdaptive
)

// rowTimeoutMax bounds the adaptive time, in DRAM cycles [ours].
const rowTimeoutMax = 4096

// closeLater notes when a bank's row is to be closed, the last burst for which
// it is needed having been commanded at cycle at.
func (sc *scheduler) closeLater(n int, at uint64) {
	row, open := sc.dram.OpenRow(n)
	if !open || sc.wanted(n, row) {
		return
	}
	sc.closing |= 1 << n
	sc.closeAt[n] = at
	if sc.cfg.RowPolicy != RowClose {
		sc.closeAt[n] += uint64(sc.rowTimeout[n])
	}
}

// wanted reports whether a block that may be scheduled needs a bank's row.
func (sc *scheduler) wanted(n int, row uint32) bool {
	for _, l := range sc.bank[n].list {
		for i := l.head; i != none; i = sc.entry[i].next {
			if sc.entry[i].row == row {
				return true
			}
		}
	}
	return false
}

// closeStep returns the first row to be closed by policy.
func (sc *scheduler) closeStep() choice {
	best := choice{at: never, entry: none, cmd: dram.Precharge}
	for m := sc.closing &^ sc.planned; m != 0; m &= m - 1 {
		n := bits.TrailingZeros32(m)
		if at := sc.dram.Earliest(dram.Precharge, n, max(sc.frontier, sc.closeAt[n])); at < best.at {
			best.at, best.bank = at, uint8(n)
		}
	}
	return best
}

// adapt changes a bank's time by what was needed next: the row just closed by
// policy (again), or another than the open one.
func (sc *scheduler) adapt(n int, again bool) {
	if sc.cfg.RowPolicy != RowAdaptive {
		return
	}
	t := &sc.rowTimeout[n]
	if again {
		*t = min(*t*2, rowTimeoutMax)
	} else {
		*t = max(*t/2, 1)
	}
}
