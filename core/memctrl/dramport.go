package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// dramPort is the DRAM of a channel as every schedule uses it: it passes commands on, and
// counts and reports what the device does.
type dramPort struct {
	cfg    *Config
	timing *dram.Timing
	env    *Env
	unit   uint16       // number of the channel among all
	watch  dram.Watcher // nil = no watcher
	portState
	dram dram.Channel
}

type portState struct {
	settled uint64 // DRAM cycles counted

	refreshDue  uint64
	refreshBank int // next bank to refresh, if banks are refreshed in turn

	openSince            uint64 // cycle from which a row has been open, and counted
	workSince            uint64 // cycle from which there has been a block to schedule
	busEnd               uint64 // cycle up to which the data bus is accounted for
	busPending, busAhead uint64 // as last shown

	rests [dram.MaxBanks]rest
}

func newDRAMPort(cfg *Config, timing *dram.Timing, env *Env, unit int) dramPort {
	d := dramPort{cfg: cfg, timing: timing, env: env, unit: uint16(unit), dram: dram.NewChannel(timing)}
	d.refreshDue = never
	if timing.REFI > 0 {
		d.refreshDue = timing.REFI
	}
	return d
}

func (d *dramPort) stats() *stat.Set { return d.env.Stats }
func (d *dramPort) tap() *probe.Tap  { return d.env.Tap }

func (d *dramPort) base(local uint64) sim.Cycle { return d.cfg.Clock.Base(local) }

// give sends a row command or a refresh to the device.
func (d *dramPort) give(cmd dram.Command, bank int, row uint32, at uint64) {
	if d.watch != nil {
		d.watch.Command(cmd, bank, row, at)
	}
	before := d.dram.OpenBanks()
	d.dram.Issue(cmd, bank, row, at)
	if after := d.dram.OpenBanks(); before == 0 {
		d.openSince = at
	} else if after == 0 {
		d.stats()[stat.RowsOpenCycles] += at - d.openSince
	}
}

// burst gives the column command of an entry's next burst, and counts it. It returns the cycle at which the
// last data have passed.
func (d *dramPort) burst(cmd dram.Command, e *entry, at uint64) (end uint64) {
	t, s, n := d.timing, d.stats(), int(e.bank)
	if cmd == dram.Read {
		if first := at + t.CL; first != d.busEnd {
			d.countGap(cmd, n, first, t.CL)
		}
		s[stat.BusReadCycles] += t.BurstCycles
		s[stat.DRAMReadBytes] += uint64(t.BurstBytes)
	} else {
		if first := at + t.WL; first != d.busEnd {
			d.countGap(cmd, n, first, t.WL)
		}
		s[stat.BusWriteCycles] += t.BurstCycles
		s[stat.DRAMWriteBytes] += uint64(t.BurstBytes)
	}
	s[stat.DataBusBusyCycles] += t.BurstCycles
	switch e.Class {
	case ReadBlock:
		s[stat.BurstsRead]++
	case WriteBlock:
		s[stat.BurstsWritten]++
	default:
		s[stat.BurstsMetadata]++
	}
	if d.watch != nil {
		d.watch.Command(cmd, n, e.row, at)
	}
	end = d.dram.Column(cmd, n, e.row, at)
	d.busEnd = end
	if d.env.Tap.On() {
		d.emitBurst(cmd, e, at)
	}
	if !e.begun {
		e.begun, e.column = true, at
	}
	return end
}

// settle counts the cycles of the data bus up to cycle now, of which those up to idleEnd
// are certainly idle after the last burst, and of open rows up to rowsEnd.
func (d *dramPort) settle(now, idleEnd, rowsEnd uint64) {
	d.settleBus(now, idleEnd)
	s := d.stats()
	if d.dram.OpenBanks() != 0 && d.openSince < rowsEnd {
		s[stat.RowsOpenCycles] += rowsEnd - d.openSince
		d.openSince = rowsEnd
	}
	s[stat.DRAMCycles] += now - d.settled
	d.settled = now
}

// state lists the device and its account.
func (d *dramPort) state(t *tape.Tape) {
	d.dram.State(t)
	tape.Value(t, &d.portState)
}

// emitClose reports a precharge that no block needs.
func (d *dramPort) emitClose(bank int, at uint64, row uint32) {
	if t := d.tap(); t.On() {
		t.Emit(probe.Event{Cycle: d.base(at), A: uint32(bank), B: row, Unit: d.unit, Kind: probe.KindPrecharge})
	}
}

func (d *dramPort) emitRefresh(v choice) {
	t := d.tap()
	if !t.On() {
		return
	}
	bank := uint32(probe.AllBanks)
	if v.cmd == dram.RefreshBank {
		bank = uint32(v.bank)
	}
	from := d.base(v.at)
	t.Emit(probe.Event{Cycle: from, A: bank, B: uint32(d.base(v.at+d.timing.RFC) - from), Unit: d.unit, Kind: probe.KindRefresh})
}

func (d *dramPort) emitRow(kind probe.Kind, e *entry, at uint64, row uint32) {
	if t := d.tap(); t.On() {
		t.Emit(probe.Event{Cycle: d.base(at), Addr: e.Addr, Req: e.Cause, A: uint32(e.bank), B: row, Unit: d.unit, Kind: kind})
	}
}

// emitBurst reports the burst of cmd, which was issued at a DRAM cycle.
func (d *dramPort) emitBurst(cmd dram.Command, e *entry, at uint64) {
	kind, first := probe.KindRead, at+d.timing.CL
	if cmd == dram.Write {
		kind, first = probe.KindWrite, at+d.timing.WL
	}
	start, end := d.base(first), d.base(first+d.timing.BurstCycles)
	v := probe.Event{
		Cycle: start, Addr: e.Addr, Req: e.Cause, Unit: d.unit, Kind: kind,
		A: uint32(e.bank) | uint32(bits.TrailingZeros8(e.Bursts))<<8 | uint32(e.Count)<<16 | uint32(e.Mode)<<24,
		B: uint32(end-start) << 16,
	}
	if e.Class >= ReadMetadata {
		v.B |= 1
	}
	d.tap().Emit(v)
}
