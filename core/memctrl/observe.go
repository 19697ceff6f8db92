package memctrl

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// What a KindQueue event records in A.
const (
	queueRead = iota
	queueWrite
	queueForward // a read answered from a queued write
)

// countBlock counts a block that will be moved between DRAM and controller.
func (ch *channel) countBlock(e *entry) {
	s, k := ch.stats(), e.stored
	raw, bitsMoved := stat.BlocksReadRaw, stat.BlockReadBits
	if e.class == writeBlock {
		raw, bitsMoved = stat.BlocksWrittenRaw, stat.BlockWriteBits
	}
	s[raw+stat.Counter(k.Mode)]++ // raw, lossless, lossy follow each other
	s[bitsMoved] += uint64(k.Bits)
	s[stat.BurstsSaved] += uint64(mem.LineBytes/ch.c.timing.BurstBytes) - uint64(k.Bursts)
	if k.Mode == probe.ModeLossy {
		s[stat.TruncatedSymbols] += uint64(k.TruncatedSymbols)
		s[stat.ExcessBits] += uint64(k.ExcessBits)
		ch.c.lossy.add(&k, ch.c.timing.BurstBytes)
	}
}

func (ch *channel) emitQueue(e *entry, what uint32, length int) {
	if t := ch.tap(); t.On() {
		t.Emit(probe.Event{Cycle: e.arrived, Addr: e.addr, Req: e.cause, A: what, B: uint32(length), Unit: ch.unit(), Kind: probe.KindQueue})
	}
}

func (ch *channel) emitMetadata(e *entry, result uint32) {
	if t := ch.tap(); t.On() {
		t.Emit(probe.Event{Cycle: e.arrived, Addr: e.addr, Req: e.cause, A: result, Unit: ch.unit(), Kind: probe.KindMetadata})
	}
}

// countLatency divides the time of a block read, from its acceptance to the last
// byte at the controller (decompressed), among what it waited for.
func (ch *channel) countLatency(e *entry, end uint64) {
	s := ch.stats()
	s[stat.ReadBlocksServed]++
	s[stat.ReadLatencyCycles] += end + uint64(e.decompress) - e.accepted
	s[stat.ReadMetadataCycles] += e.ready - e.accepted
	s[stat.ReadQueueCycles] += e.first - e.ready
	s[stat.ReadBankCycles] += e.column - e.first
	s[stat.ReadBusCycles] += end - e.column
	s[stat.ReadDecompressCycles] += uint64(e.decompress)
}

// emitClose announces a precharge no block asked for.
func (ch *channel) emitClose(bank int, at uint64, row uint32) {
	if t := ch.tap(); t.On() {
		t.Emit(probe.Event{Cycle: ch.base(at), A: uint32(bank), B: row, Unit: ch.unit(), Kind: probe.KindPrecharge})
	}
}

func (ch *channel) emitRefresh(v choice) {
	t := ch.tap()
	if !t.On() {
		return
	}
	bank := uint32(probe.AllBanks)
	if v.cmd == dram.RefreshBank {
		bank = uint32(v.bank)
	}
	from := ch.base(v.at)
	t.Emit(probe.Event{Cycle: from, A: bank, B: uint32(ch.base(v.at+ch.c.timing.RFC) - from), Unit: ch.unit(), Kind: probe.KindRefresh})
}

func (ch *channel) emitRow(kind probe.Kind, e *entry, at uint64, row uint32) {
	if t := ch.tap(); t.On() {
		t.Emit(probe.Event{Cycle: ch.base(at), Addr: e.addr, Req: e.cause, A: uint32(e.bank), B: row, Unit: ch.unit(), Kind: kind})
	}
}

// emitBurst announces the burst that cmd, given at a DRAM cycle, moves.
func (ch *channel) emitBurst(cmd dram.Command, e *entry, at uint64) {
	t := ch.tap()
	if !t.On() {
		return
	}
	kind, first := probe.KindRead, at+ch.c.timing.CL
	if cmd == dram.Write {
		kind, first = probe.KindWrite, at+ch.c.timing.WL
	}
	start, end := ch.base(first), ch.base(first+ch.c.timing.BurstCycles)
	v := probe.Event{
		Cycle: start, Addr: e.addr, Req: e.cause, Unit: ch.unit(), Kind: kind,
		A: uint32(e.bank) | uint32(bits.TrailingZeros8(e.bursts))<<8 | uint32(e.count)<<16 | uint32(e.stored.Mode)<<24,
		B: uint32(end-start) << 16,
	}
	if e.class >= readMetadata {
		v.B |= 1
	}
	t.Emit(v)
}

func (ch *channel) emitCoded(kind probe.Kind, e *entry, at uint64) {
	if t := ch.tap(); t.On() {
		k := e.stored
		t.Emit(probe.Event{
			Cycle: ch.base(at), Addr: e.addr, Req: e.cause, Unit: ch.unit(), Kind: kind,
			A: uint32(k.Bits) | uint32(k.Mode)<<24,
			B: uint32(k.FirstSymbol)<<8 | uint32(k.TruncatedSymbols)<<16 | uint32(k.Bursts),
		})
	}
}

// Settle brings statistics and events up to cycle now, which is not before the
// last tick: DRAM commands may lag (see next), and DRAM cycles and queue occupancy
// are integrals. Calling it at any time changes nothing else.
func (c *Controller) Settle(now sim.Cycle) {
	local := c.cfg.Clock.Local(now)
	for i := range c.channels {
		ch := &c.channels[i]
		ch.run(local)
		ch.catchUp(local)
		ch.settleBus(local)
		if ch.dram.OpenBanks() != 0 && ch.openSince < local {
			ch.stats()[stat.RowsOpenCycles] += local - ch.openSince
			ch.openSince = local
		}
		ch.stats()[stat.DRAMCycles] += local - ch.settled
		ch.settled = local
		for k := range ch.pool.entry {
			e := &ch.pool.entry[k]
			if e.class == readBlock && e.bursts != 0 && e.arrived < now {
				ch.stats()[stat.ReadQueueOccupancy] += uint64(now - e.arrived)
				e.arrived = now
			}
		}
	}
}

// Waiting describes what a channel holds and what it waits for.
type Waiting struct {
	Reads, Writes                 int // blocks in the queues
	MetadataReads, MetadataWrites int // metadata lines under way
	Returning                     int // blocks read and not yet taken by L2
	Arrived                       int // requests in the link
	ReplyBlocked                  bool
	RequestBlockedBy              string // why the oldest arrived request is not accepted, "" if it is
	NextCommandCycle              sim.Cycle
}

var blockedNames = [...]string{
	notBlocked: "", readQueueFull: "the read queue is full", writeQueueFull: "the write queue is full",
	returnQueueFull: "blocks read are not taken by L2", metadataQueueFull: "too many metadata lines are under way",
	metadataSetBusy: "all ways of its metadata set are being read",
}

// Waiting returns what a channel (numbered within the controller) waits for at
// cycle now, for a watchdog that explains who waits for whom.
func (c *Controller) Waiting(channel int, now sim.Cycle) Waiting {
	ch := &c.channels[channel]
	w := Waiting{
		Reads: ch.reads, Writes: ch.writes, MetadataReads: ch.metaReads, MetadataWrites: ch.metaWrites,
		Returning: ch.answers.len(), Arrived: ch.in.Len(), RequestBlockedBy: blockedNames[ch.blocked],
		ReplyBlocked:     ch.answers.dueAt() < uint64(now),
		NextCommandCycle: sim.Never,
	}
	if ch.decided && ch.choice.at != never {
		w.NextCommandCycle = ch.base(ch.choice.at)
	}
	return w
}

// String says in words what a channel holds and waits for.
func (w Waiting) String() string {
	text := fmt.Sprintf("%d reads and %d writes queued, %d and %d metadata lines under way, %d replies", w.Reads, w.Writes, w.MetadataReads, w.MetadataWrites, w.Returning)
	if w.Arrived > 0 {
		text += fmt.Sprintf(", %d requests in the link", w.Arrived)
	}
	if w.RequestBlockedBy != "" {
		text += ", of which the first waits because " + w.RequestBlockedBy
	}
	if w.ReplyBlocked {
		text += "; L2 does not take replies"
	}
	return text
}

// Idle reports whether nothing is queued, under way or arrived. Dirty metadata
// lines stay in their cache.
func (c *Controller) Idle() bool {
	for i := range c.channels {
		ch := &c.channels[i]
		if ch.reads+ch.writes+ch.metaReads+ch.metaWrites+ch.answers.len()+ch.events.len()+ch.in.Len() > 0 {
			return false
		}
	}
	return true
}
