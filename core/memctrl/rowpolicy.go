package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
)

// RowPolicy says when to close a row that no waiting block needs.
type RowPolicy uint8

const (
	// RowOpen leaves the row open until another row of the bank is needed.
	RowOpen RowPolicy = iota
	// RowClose closes the row as soon as the last burst allows.
	RowClose
	// RowTimeout closes the row RowTimeoutCycles after its last burst.
	RowTimeout
	// RowAdaptive is RowTimeout with a separate time for each bank: doubled if the closed
	// row is needed next, halved if an open row had to be closed for another row.
	RowAdaptive
)

// rowTimeoutMax bounds the adaptive time, in DRAM cycles [ours].
const rowTimeoutMax = 4096

// closeLater records when to close a bank's row. at is the cycle in which its last needed
// burst was commanded.
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

// wanted reports whether a schedulable block needs a bank's open row.
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

// closeStep returns the first row that the policy closes.
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

// adapt changes a bank's time according to the row needed next: the row that the policy
// has just closed, or a row other than the open one.
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
