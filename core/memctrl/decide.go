package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
)

// decide finds the next command: the one of all banks' next commands that can be issued
// first. If several are equal, a column command goes before a row command, and the older
// block before the younger.
func (sc *scheduler) decide() {
	sc.decided = true
	sc.setServing()
	for m := (sc.started | sc.waiting[sc.serving]) &^ sc.planned; m != 0; m &= m - 1 {
		sc.plan(bits.TrailingZeros32(m))
	}
	best := choice{at: never, entry: none}
	if sc.planned != 0 {
		best = sc.soonest()
		if best.at >= sc.refreshDue {
			// Other banks continue while one is refreshed.
			if v := sc.refreshStep(sc.frontier); v.at <= best.at || !sc.timing.RefreshPerBank {
				best = v
			}
		}
	}
	if sc.closing != 0 {
		if v := sc.closeStep(); v.at < min(best.at, sc.refreshDue) {
			best = v
		}
	}
	sc.choice = best
}

// held returns the bank that gets no command from a cycle on, because it is refreshed
// next.
func (sc *scheduler) held() (bank int, from uint64) {
	if sc.timing.RefreshPerBank {
		return sc.refreshBank, sc.refreshDue
	}
	return -1, never
}

// plan picks an entry for a bank without one, and records its next command.
func (sc *scheduler) plan(n int) {
	b := &sc.bank[n]
	if b.current == none {
		b.current = sc.choose(n)
	}
	e := &sc.entry[b.current]
	row, open := sc.dram.OpenRow(n)
	need := dram.Read + dram.Command(e.Class.writes())
	if !open {
		need = dram.Activate
	} else if row != e.row {
		need = dram.Precharge
	}
	sc.planned |= 1 << n
	sc.need[need] |= 1 << n
	sc.age[n] = e.seq
	if need >= dram.Read {
		i := sc.columns
		for ; i > 0 && sc.age[sc.byAge[i-1]] > e.seq; i-- {
			sc.byAge[i] = sc.byAge[i-1]
		}
		sc.byAge[i] = uint8(n)
		sc.columns++
	}
}

// unplan forgets the next command of a bank.
func (sc *scheduler) unplan(n uint8) {
	bit := uint32(1) << (n & (dram.MaxBanks - 1))
	if (sc.need[dram.Read]|sc.need[dram.Write])&bit != 0 {
		kept := 0
		for _, m := range sc.byAge[:sc.columns] {
			if m != n {
				sc.byAge[kept&(dram.MaxBanks-1)] = m
				kept++
			}
		}
		sc.columns = kept
	}
	sc.planned &^= bit
	sc.need[dram.Activate] &^= bit
	sc.need[dram.Precharge] &^= bit
	sc.need[dram.Read] &^= bit
	sc.need[dram.Write] &^= bit
}

// soonest compares the planned banks.
func (sc *scheduler) soonest() choice {
	best := choice{at: never, entry: none}
	age := uint64(never)
	held, heldFrom := sc.held()
	floor := sc.columnFloor()
	for _, n := range sc.byAge[:sc.columns] {
		cmd := dram.Read + dram.Command(sc.need[dram.Write]>>n&1)
		at := max(sc.dram.EarliestColumn(cmd, int(n)), sc.frontier)
		if int(n) == held && at >= heldFrom {
			continue
		}
		if at < best.at {
			best, age = choice{at: at, bank: n, cmd: cmd}, sc.age[n]
		}
		if at == floor {
			break
		}
	}
	// If a row command fits between two bursts, sending columns first loses no time.
	// Otherwise column commands would keep all rows from being opened.
	rowLimit := best.at
	if columnFirst := sc.timing.CCDS > 1 || sc.timing.SeparateRowBus; columnFirst && rowLimit != never {
		rowLimit--
		age = never
	}
	if max(sc.dram.RowFloor(), sc.frontier) <= rowLimit {
		for cmd := dram.Activate; cmd <= dram.Precharge; cmd++ {
			if cmd == dram.Activate && sc.dram.ActivateFloor() > rowLimit {
				continue
			}
			for m := sc.need[cmd]; m != 0; m &= m - 1 {
				n := bits.TrailingZeros32(m)
				at := max(sc.dram.EarliestRow(cmd, n), sc.frontier)
				if at > rowLimit || n == held && at >= heldFrom {
					continue
				}
				if at < best.at || sc.age[n] < age {
					best, age = choice{at: at, bank: uint8(n), cmd: cmd}, sc.age[n]
					rowLimit = at
				}
			}
		}
	}
	if best.at != never {
		best.entry = sc.bank[best.bank].current
	}
	return best
}

// columnFloor returns a cycle before which no planned column command can be given.
func (sc *scheduler) columnFloor() uint64 {
	floor := uint64(never)
	if sc.need[dram.Read] != 0 {
		floor = sc.dram.ColumnFloor(dram.Read)
	}
	if sc.need[dram.Write] != 0 {
		floor = min(floor, sc.dram.ColumnFloor(dram.Write))
	}
	return max(floor, sc.frontier)
}

// follows reports whether the next command after a burst of a block that has further ones is the first of
// the same kind that is possible: no row is waited for, and no closing comes before. Until a block is complete
// nothing becomes ready, so the banks stay planned and reads or writes are served as before.
func (sc *scheduler) follows(cmd dram.Command) bool {
	other := dram.Read + dram.Write - cmd
	return sc.need[dram.Activate]|sc.need[dram.Precharge]|sc.need[other]|sc.closing == 0
}

// setServing decides between reads and writes. It drops choices of the other kind for
// which no command was issued yet.
func (sc *scheduler) setServing() {
	cfg := sc.cfg
	metaWrites := sc.taken[WriteMetadata]
	writes := sc.taken[WriteBlock] + metaWrites
	// A full metadata queue blocks acceptance, so it forces a drain as well.
	if sc.draining {
		sc.draining = writes > cfg.WriteLow || metaWrites > cfg.MetadataQueue/2
	} else {
		sc.draining = writes >= cfg.WriteHigh || metaWrites >= cfg.MetadataQueue
	}
	serving := 0
	if sc.ready[1] > 0 && (sc.draining || sc.ready[0] == 0) {
		serving = 1
	}
	if serving == sc.serving {
		return
	}
	sc.serving = serving
	for m := sc.planned &^ sc.started; m != 0; m &= m - 1 {
		sc.unplan(uint8(bits.TrailingZeros32(m)))
	}
	for m := sc.waiting[1-serving] &^ sc.started; m != 0; m &= m - 1 {
		sc.bank[bits.TrailingZeros32(m)].current = none
	}
}

// choose picks a bank's next entry by first ready, first come first served: the oldest
// entry that hits the open row, else the oldest. An entry passed too often goes first.
func (sc *scheduler) choose(n int) int16 {
	b := &sc.bank[n]
	oldest := b.list[sc.serving].head
	row, open := sc.dram.OpenRow(n)
	if !open || b.passed >= sc.cfg.RowHitCap {
		return oldest
	}
	for i := oldest; i != none; i = sc.entry[i].next {
		if sc.entry[i].row == row {
			return i
		}
	}
	return oldest
}
