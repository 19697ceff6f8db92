package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
)

// decide finds the next command: of all banks' next commands the one that can be
// given first. Where several can, a column command goes before a row command and
// the older block before the younger.
func (ch *channel) decide() {
	ch.decided = true
	ch.setServing()
	for m := (ch.started | ch.waiting[ch.serving]) &^ ch.planned; m != 0; m &= m - 1 {
		ch.plan(bits.TrailingZeros32(m))
	}
	best := choice{at: never, entry: none}
	if ch.planned != 0 {
		best = ch.soonest()
		if best.at >= ch.refreshDue {
			// Other banks go on while one is refreshed.
			if v := ch.refreshStep(); v.at <= best.at || !ch.c.timing.RefreshPerBank {
				best = v
			}
		}
	}
	if ch.closing != 0 {
		if v := ch.closeStep(); v.at < min(best.at, ch.refreshDue) {
			best = v
		}
	}
	ch.choice = best
}

// held returns the bank that gets no command from a cycle on, because it is its
// turn to be refreshed.
func (ch *channel) held() (bank int, from uint64) {
	if ch.c.timing.RefreshPerBank {
		return ch.refreshBank, ch.refreshDue
	}
	return -1, never
}

// plan picks a bank's entry, if it has none, and notes what it needs next.
func (ch *channel) plan(n int) {
	b := &ch.bank[n]
	if b.current == none {
		b.current = ch.choose(n)
	}
	e := &ch.pool.entry[b.current]
	row, open := ch.dram.OpenRow(n)
	need := dram.Read + dram.Command(e.class.writes())
	if !open {
		need = dram.Activate
	} else if row != e.row {
		need = dram.Precharge
	}
	ch.planned |= 1 << n
	ch.need[need] |= 1 << n
	ch.age[n] = e.seq
	if need >= dram.Read {
		i := ch.columns
		for ; i > 0 && ch.age[ch.byAge[i-1]] > e.seq; i-- {
			ch.byAge[i] = ch.byAge[i-1]
		}
		ch.byAge[i] = uint8(n)
		ch.columns++
	}
}

// unplan forgets what a bank needs next.
func (ch *channel) unplan(banks uint32) {
	if (ch.need[dram.Read]|ch.need[dram.Write])&banks != 0 {
		kept := 0
		for _, n := range ch.byAge[:ch.columns] {
			if banks>>n&1 == 0 {
				ch.byAge[kept] = n
				kept++
			}
		}
		ch.columns = kept
	}
	ch.planned &^= banks
	for i := range ch.need {
		ch.need[i] &^= banks
	}
}

// soonest compares the planned banks.
func (ch *channel) soonest() choice {
	best := choice{at: never, entry: none}
	age := uint64(never)
	held, heldFrom := ch.held()
	floor := uint64(never) // no column command can be sooner
	for cmd := dram.Read; cmd <= dram.Write; cmd++ {
		if ch.need[cmd] != 0 {
			floor = max(min(floor, ch.dram.ColumnFloor(cmd)), ch.frontier)
		}
	}
	for _, n := range ch.byAge[:ch.columns] {
		cmd := dram.Read + dram.Command(ch.need[dram.Write]>>n&1)
		at := max(ch.dram.EarliestColumn(cmd, int(n)), ch.frontier)
		if int(n) == held && at >= heldFrom {
			continue
		}
		if at < best.at {
			best, age = choice{at: at, bank: n, cmd: cmd}, ch.age[n]
		}
		if at == floor {
			break
		}
	}
	// With room for a row command between two bursts nothing is lost by sending
	// columns first. Without it they would keep rows from ever being opened.
	rowLimit := best.at
	if columnFirst := ch.c.timing.CCDS > 1 || ch.c.timing.SeparateRowBus; columnFirst && rowLimit != never {
		rowLimit--
		age = never
	}
	if max(ch.dram.RowFloor(), ch.frontier) <= rowLimit {
		for cmd := dram.Activate; cmd <= dram.Precharge; cmd++ {
			if cmd == dram.Activate && ch.dram.ActivateFloor() > rowLimit {
				continue
			}
			for m := ch.need[cmd]; m != 0; m &= m - 1 {
				n := bits.TrailingZeros32(m)
				at := max(ch.dram.EarliestRow(cmd, n), ch.frontier)
				if at > rowLimit || n == held && at >= heldFrom {
					continue
				}
				if at < best.at || ch.age[n] < age {
					best, age = choice{at: at, bank: uint8(n), cmd: cmd}, ch.age[n]
					rowLimit = at
				}
			}
		}
	}
	if best.at != never {
		best.entry = ch.bank[best.bank].current
	}
	return best
}

// setServing decides between reads and writes, and drops the choices of the
// other kind that have not cost a command.
func (ch *channel) setServing() {
	cfg := &ch.c.cfg
	writes := ch.writes + ch.metaWrites
	// A full metadata queue blocks acceptance, so it forces a drain as well.
	if ch.draining {
		ch.draining = writes > cfg.WriteLow || ch.metaWrites > cfg.MetadataQueue/2
	} else {
		ch.draining = writes >= cfg.WriteHigh || ch.metaWrites >= cfg.MetadataQueue
	}
	serving := 0
	if ch.ready[1] > 0 && (ch.draining || ch.ready[0] == 0) {
		serving = 1
	}
	if serving == ch.serving {
		return
	}
	ch.serving = serving
	ch.unplan(^ch.started)
	for m := ch.waiting[1-serving] &^ ch.started; m != 0; m &= m - 1 {
		ch.bank[bits.TrailingZeros32(m)].current = none
	}
}

// choose picks a bank's next entry, first ready first come first served: the
// oldest that hits the open row, else the oldest; too often passed, the oldest.
func (ch *channel) choose(n int) int16 {
	b := &ch.bank[n]
	oldest := b.list[ch.serving].head
	row, open := ch.dram.OpenRow(n)
	if !open || b.passed >= ch.c.cfg.RowHitCap {
		return oldest
	}
	for i := oldest; i != none; i = ch.pool.entry[i].next {
		if ch.pool.entry[i].row == row {
			return i
		}
	}
	return oldest
}
