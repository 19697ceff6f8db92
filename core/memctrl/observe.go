package memctrl

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Values that a KindQueue event records in A.
const (
	queueRead = iota
	queueWrite
	queueForward // a read answered from a queued write
)

// Counters of blocks by how they are stored.
var (
	blocksRead = [...]stat.Counter{
		probe.ModeRaw: stat.BlocksReadRaw, probe.ModeLossless: stat.BlocksReadLossless, probe.ModeLossy: stat.BlocksReadLossy,
	}
	blocksWritten = [...]stat.Counter{
		probe.ModeRaw: stat.BlocksWrittenRaw, probe.ModeLossless: stat.BlocksWrittenLossless,
		probe.ModeLossy: stat.BlocksWrittenLossy,
	}
)

// countBlock counts a block that will be moved between DRAM and controller.
func (ch *channel) countBlock(p *pending) {
	s, k := ch.stats(), p.placed.Stored
	blocks, bitsMoved := &blocksRead, stat.BlockReadBits
	if p.class == WriteBlock {
		blocks, bitsMoved = &blocksWritten, stat.BlockWriteBits
	}
	s[blocks[k.Mode]]++
	s[bitsMoved] += uint64(k.Bits)
	s[stat.BurstsSaved] += uint64(mem.LineBytes/ch.c.timing.BurstBytes) - uint64(k.Bursts)
	if k.Mode == probe.ModeLossy {
		s[stat.TruncatedSymbols] += uint64(k.TruncatedSymbols)
		s[stat.ExcessBits] += uint64(k.ExcessBits)
		ch.c.lossy.add(&k, ch.c.timing.BurstBytes)
	}
}

func (ch *channel) emitQueue(p *pending, what uint32, length int) {
	if t := ch.tap(); t.On() {
		t.Emit(probe.Event{Cycle: p.arrived, Addr: p.addr, Req: p.cause, A: what, B: uint32(length), Unit: ch.unit(),
			Kind: probe.KindQueue})
	}
}

func (ch *channel) emitMetadata(p *pending, result uint32) {
	if t := ch.tap(); t.On() {
		t.Emit(probe.Event{Cycle: p.arrived, Addr: p.addr, Req: p.cause, A: result, Unit: ch.unit(),
			Kind: probe.KindMetadata})
	}
}

// emitLink reports what a link has moved.
func (ch *channel) emitLink(p *pending, m Moved) {
	t := ch.tap()
	if !t.On() || m.End == m.Column { // nothing moved: a page was there, or another block brings it
		return
	}
	h, from := ch.link.Describe(p.class), ch.base(m.Column)
	t.Emit(probe.Event{
		Cycle: from, Addr: p.addr, Req: p.cause, Unit: ch.unit(), Kind: h.Kind,
		A: h.A, B: uint32(max(ch.base(m.End), from+1) - from),
	})
}

// note counts an accepted block, and reports what the storage has changed beside it.
func (ch *channel) note(p *pending) {
	ch.accesses.All++
	if p.placed.Parts[InLink] != 0 {
		ch.accesses.Linked++
	}
	if ch.c.reporting == nil {
		return
	}
	h, ok := ch.c.reporting.Changed(ch.stats())
	if t := ch.tap(); ok && t.On() {
		t.Emit(probe.Event{Cycle: p.arrived, Addr: p.addr, Req: p.cause, Unit: ch.unit(), Kind: h.Kind, A: h.A, B: h.B})
	}
}

// Accesses returns the blocks that were accepted so far.
func (c *Controller) Accesses() (a Accesses) {
	for i := range c.channels {
		a.All += c.channels[i].accesses.All
		a.Linked += c.channels[i].accesses.Linked
	}
	return a
}

// countQueue counts the time of a block in the queues up to a base cycle.
func (ch *channel) countQueue(p *pending, now sim.Cycle) {
	if p.arrived < now {
		ch.stats()[stat.ReadQueueOccupancy] += uint64(now - p.arrived)
		p.arrived = now
	}
}

// countLatency divides the time of a block read, from its acceptance to the last byte at
// the controller (decompressed at cycle end), among the causes of its waiting.
func (ch *channel) countLatency(p *pending, m Moved, end uint64) {
	s := ch.stats()
	s[stat.ReadBlocksServed]++
	s[stat.ReadLatencyCycles] += end - p.accepted
	s[stat.ReadMetadataCycles] += p.ready - p.accepted
	s[stat.ReadQueueCycles] += m.First - p.ready
	s[stat.ReadBankCycles] += m.Column - m.First
	s[stat.ReadBusCycles] += m.End - m.Column
	s[stat.ReadDecompressCycles] += end - m.End
}

func (ch *channel) emitCoded(kind probe.Kind, p *pending, at uint64) {
	if t := ch.tap(); t.On() {
		k := p.placed.Stored
		t.Emit(probe.Event{
			Cycle: ch.base(at), Addr: p.addr, Req: p.cause, Unit: ch.unit(), Kind: kind,
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
	c.clock = local
	for i := range c.channels {
		ch := &c.channels[i]
		ch.schedule.settle(now, local)
		if ch.link != nil {
			ch.link.Settle(local)
		}
		for k := range ch.pool.pending {
			p := &ch.pool.pending[k]
			if p.class == ReadBlock && p.parts != 0 {
				ch.countQueue(p, now)
			}
		}
	}
}

// Waiting describes the contents of a channel and the reasons why it waits.
type Waiting struct {
	Reads, Writes                 int // blocks in the queues
	MetadataReads, MetadataWrites int // metadata lines in progress
	Returning                     int // blocks read and not yet taken by L2
	Arrived                       int // requests in the link
	ReplyBlocked                  bool
	RequestBlockedBy              string // why the oldest arrived request is not accepted, "" if it is
	NextCommandCycle              sim.Cycle
}

var blockedNames = [...]string{
	notBlocked: "", readQueueFull: "the read queue is full", writeQueueFull: "the write queue is full",
	jointQueueFull: "the queue of reads and writes is full", delayFull: "too many requests are on their way to the queue",
	returnQueueFull: "L2 does not take the blocks read", metadataQueueFull: "too many metadata lines are in progress",
	metadataSetBusy: "all ways of its metadata set are being read",
}

// Waiting returns the state of a channel (numbered within the controller) at cycle now,
// for a watchdog that explains a standstill.
func (c *Controller) Waiting(channel int, now sim.Cycle) Waiting {
	ch := &c.channels[channel]
	w := Waiting{
		Reads: ch.reads, Writes: ch.writes, MetadataReads: ch.metaReads, MetadataWrites: ch.metaWrites,
		Returning: ch.answers.len(), Arrived: ch.in.Len(), RequestBlockedBy: blockedNames[ch.blocked],
		NextCommandCycle: sim.Never,
	}
	ch.schedule.explain(&w, now)
	return w
}

// String describes the contents of a channel and the reasons why it waits.
func (w Waiting) String() string {
	text := fmt.Sprintf("%d reads and %d writes queued, %d and %d metadata lines in progress, %d replies", w.Reads,
		w.Writes, w.MetadataReads, w.MetadataWrites, w.Returning)
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

// Idle reports whether no request is queued, in progress or arrived. Dirty metadata lines
// stay in their cache.
func (c *Controller) Idle() bool {
	for i := range c.channels {
		ch := &c.channels[i]
		if ch.reads+ch.writes+ch.metaReads+ch.metaWrites+ch.answers.len()+ch.in.Len() > 0 || !ch.schedule.idle() {
			return false
		}
	}
	return true
}
