package memctrl

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// blockedBy is the reason why the oldest request of a link is not accepted.
type blockedBy uint8

const (
	notBlocked blockedBy = iota
	readQueueFull
	writeQueueFull
	returnQueueFull
	jointQueueFull
	delayFull
	metadataQueueFull
	metadataSetBusy
)

// filterSlot hashes a line address into the filter of pending writes.
func filterSlot(a mem.Addr) uint8 { return uint8(a/mem.LineBytes ^ a>>15 ^ a>>23) }

// forwards reports whether a queued write covers all bytes of a read.
func (ch *channel) forwards(r *Request) bool {
	if ch.writeFilter[filterSlot(r.Addr)] == 0 {
		return false
	}
	for i := range ch.pool.pending {
		p := &ch.pool.pending[i]
		if p.class == WriteBlock && p.addr == r.Addr && p.parts != 0 && p.mask.Covers(r.Mask) {
			return true
		}
	}
	return false
}

// acceptRead takes a read that is at the controller at DRAM cycle at, or returns why its metadata must wait.
func (ch *channel) acceptRead(r *Request, now sim.Cycle, at uint64) (p *pending, why blockedBy) {
	c := ch.c
	_, local := c.cfg.Map.Split(r.Addr)
	look, why := ch.lookup(r.Addr, blockOf(local))
	if why != notBlocked {
		return nil, why
	}
	if c.recorder != nil {
		wanted := mem.FullMask
		if c.cfg.SectorFill {
			wanted = r.Mask
		}
		c.recorder.Read(r.Addr, wanted)
	}
	b := Block{Addr: r.Addr, Channel: ch.number, Local: local}
	i, p := ch.read(r, b, now, at)
	ch.reads++
	ch.countBlock(p)
	ch.emitQueue(p, queueRead, ch.reads)
	ch.take(i, p, c.deviceLocal(b), at+1)
	switch d := c.cfg.Metadata.LookupCycles; {
	case ch.resolve(look, i, at):
		p.ready = at + 1
	case d > 0 && c.coding.compressed && !look.plain:
		ch.schedule.startLater(i, at+1+uint64(d))
	default:
		ch.schedule.start(i, p, at+1)
	}
	return p, notBlocked
}

// forward answers a read whose bytes a queued write has.
func (ch *channel) forward(r *Request, now sim.Cycle, at uint64) {
	_, local := ch.c.cfg.Map.Split(r.Addr)
	i, p := ch.read(r, Block{Addr: r.Addr, Channel: ch.number, Local: local}, now, at)
	ch.stats()[stat.ControllerForwards]++
	ch.emitQueue(p, queueForward, ch.reads)
	ch.answer(p, ch.decompressed(p, at+1))
	ch.pool.release(i)
}

// read gives a read an entry, with the bytes of its block and where they lie.
func (ch *channel) read(r *Request, b Block, now sim.Cycle, at uint64) (i int16, p *pending) {
	c := ch.c
	ch.stats()[stat.ControllerReads]++
	i, p = ch.pool.take()
	p.class, p.mask, p.data = ReadBlock, mem.FullMask, c.env.Arena.New()
	p.request(r, now, at)
	p.placed = c.storage.Read(b, c.env.Arena.Line(p.data))
	ch.note(p)
	if p.placed.Mode != probe.ModeRaw {
		p.decompress = uint32(c.coding.decompress)
	} else if c.cfg.SectorFill && !p.placed.Whole {
		p.mask = p.moveOnly(r.Mask, c.timing.BurstBytes)
	}
	return i, p
}

// decompressed returns the DRAM cycle by which a block is decompressed if its bursts have
// arrived at a given cycle.
func (ch *channel) decompressed(p *pending, at uint64) uint64 {
	if p.placed.Mode == probe.ModeRaw {
		return at
	}
	return ch.decompressors.begin(at) + uint64(p.decompress)
}

// answer sends the reply of a block that is decompressed by a DRAM cycle.
func (ch *channel) answer(p *pending, end uint64) {
	if p.placed.Mode != probe.ModeRaw {
		ch.emitCoded(probe.KindDecompress, p, end)
	}
	ch.reply(end, Reply{Addr: p.addr, Data: p.data, Mask: p.mask, Tag: p.tag, Cause: p.cause})
}

// acknowledge answers a write whose data have been transferred by a DRAM cycle.
func (ch *channel) acknowledge(p *pending, end uint64) {
	ch.reply(end, Reply{Addr: p.addr, Tag: p.tag, Cause: p.cause, Ack: true})
}

// reply sends an answer that is ready at a DRAM cycle.
func (ch *channel) reply(end uint64, r Reply) {
	ch.answers.add(ch.schedule.answerAt(end), r)
}

// acceptWrite is acceptRead for a write.
func (ch *channel) acceptWrite(r *Request, now sim.Cycle, at uint64) blockedBy {
	c, s := ch.c, ch.stats()
	_, local := c.cfg.Map.Split(r.Addr)
	b := Block{Addr: r.Addr, Channel: ch.number, Local: local}
	look, why := ch.lookup(r.Addr, blockOf(local))
	if why != notBlocked {
		return why
	}
	s[stat.ControllerWrites]++
	i, p := ch.pool.take()
	p.class, p.mask = WriteBlock, r.Mask
	p.request(r, now, at)
	if c.recorder != nil {
		c.recorder.Write(r.Addr, c.env.Arena.Line(r.Data), r.Mask)
	}
	p.placed = c.storage.Write(b, c.env.Arena.Line(r.Data), r.Mask)
	ch.note(p)
	c.env.Arena.Free(r.Data)
	if !r.Mask.Full() {
		p.moveOnly(r.Mask, c.timing.BurstBytes)
	}
	ch.writes++
	if r.Ack {
		ch.acks++
	}
	ch.writeFilter[filterSlot(r.Addr)]++
	ch.countBlock(p)
	ch.emitQueue(p, queueWrite, ch.writes)
	ch.take(i, p, c.deviceLocal(b), at+1)
	ch.resolve(look, i, at)
	if c.coding.compressed && !look.plain {
		done := ch.compressors.begin(at) + c.coding.compress
		ch.emitCoded(probe.KindCompress, p, done)
		ch.schedule.startLater(i, done+1)
	} else {
		ch.schedule.start(i, p, at+1)
	}
	return notBlocked
}
