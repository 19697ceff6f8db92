package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// Settle counts the cycles of the data bus and of open rows up to cycle now.
func (sc *scheduler) Settle(now uint64) {
	sc.settleBus(now)
	s := sc.stats()
	if sc.dram.OpenBanks() != 0 && sc.openSince < now {
		s[stat.RowsOpenCycles] += now - sc.openSince
		sc.openSince = now
	}
	s[stat.DRAMCycles] += now - sc.settled
	sc.settled = now
}

// State lists the device, the queues and the schedule. Checksums leave plans out, because
// plans follow from the rest and may be made late.
func (sc *scheduler) State(t *tape.Tape) {
	sc.dram.State(t)
	tape.Values(t, sc.entry)
	if !t.Summing() {
		tape.Value(t, &sc.schedulerState)
		return
	}
	s := sc.schedulerState
	s.planned, s.need, s.age, s.byAge, s.columns = 0, [4]uint32{}, [dram.MaxBanks]uint64{}, [dram.MaxBanks]uint8{}, 0
	s.decided, s.choice = false, choice{}
	tape.Value(t, &s)
}

// emitClose reports a precharge that no block needs.
func (sc *scheduler) emitClose(bank int, at uint64, row uint32) {
	if t := sc.tap(); t.On() {
		t.Emit(probe.Event{Cycle: sc.base(at), A: uint32(bank), B: row, Unit: sc.unit, Kind: probe.KindPrecharge})
	}
}

func (sc *scheduler) emitRefresh(v choice) {
	t := sc.tap()
	if !t.On() {
		return
	}
	bank := uint32(probe.AllBanks)
	if v.cmd == dram.RefreshBank {
		bank = uint32(v.bank)
	}
	from := sc.base(v.at)
	t.Emit(probe.Event{Cycle: from, A: bank, B: uint32(sc.base(v.at+sc.timing.RFC) - from), Unit: sc.unit, Kind: probe.KindRefresh})
}

func (sc *scheduler) emitRow(kind probe.Kind, e *entry, at uint64, row uint32) {
	if t := sc.tap(); t.On() {
		t.Emit(probe.Event{Cycle: sc.base(at), Addr: e.Addr, Req: e.Cause, A: uint32(e.bank), B: row, Unit: sc.unit, Kind: kind})
	}
}

// emitBurst reports the burst of cmd, which was issued at a DRAM cycle.
func (sc *scheduler) emitBurst(cmd dram.Command, e *entry, at uint64) {
	t := sc.tap()
	if !t.On() {
		return
	}
	kind, first := probe.KindRead, at+sc.timing.CL
	if cmd == dram.Write {
		kind, first = probe.KindWrite, at+sc.timing.WL
	}
	start, end := sc.base(first), sc.base(first+sc.timing.BurstCycles)
	v := probe.Event{
		Cycle: start, Addr: e.Addr, Req: e.Cause, Unit: sc.unit, Kind: kind,
		A: uint32(e.bank) | uint32(bits.TrailingZeros8(e.Bursts))<<8 | uint32(e.Count)<<16 | uint32(e.Mode)<<24,
		B: uint32(end-start) << 16,
	}
	if e.Class >= ReadMetadata {
		v.B |= 1
	}
	t.Emit(v)
}
