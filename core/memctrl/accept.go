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

// accept takes requests from the link while there is room, and reports whether a request
// had to stay there. A request that arrives at DRAM cycle local can be scheduled from the
// next cycle on.
func (ch *channel) accept(now sim.Cycle, local uint64) (blocked bool) {
	for {
		r, ok := ch.in.Peek(now)
		if !ok {
			ch.blocked = notBlocked
			return false
		}
		if ch.stillBlocked(r) {
			return true
		}
		ch.catchUp(local)
		if r.Write {
			ch.blocked = ch.acceptWrite(r, now, local)
		} else {
			ch.blocked = ch.acceptRead(r, now, local)
		}
		if ch.blocked != notBlocked {
			return true
		}
		ch.in.Drop(now)
	}
}

// stillBlocked reports whether the oldest request certainly waits for the same reason as at the
// last look. While its queue is full, the channel has work, so there is nothing to catch up with; and
// a read that no write answers yet will not be answered by one, because writes come in order.
func (ch *channel) stillBlocked(r *Request) bool {
	if ch.joint != nil || ch.link != nil {
		return false
	}
	switch ch.blocked {
	case readQueueFull:
		return !r.Write && ch.reads >= ch.c.cfg.ReadQueue
	case writeQueueFull:
		return r.Write && ch.writes >= ch.c.cfg.WriteQueue
	}
	return false
}

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

func (ch *channel) acceptRead(r *Request, now sim.Cycle, at uint64) blockedBy {
	c, s := ch.c, ch.stats()
	if ch.joint == nil && ch.reads+ch.answers.len() >= c.cfg.ReadQueue+c.cfg.ReturnQueue {
		return returnQueueFull
	}
	_, local := c.cfg.Map.Split(r.Addr)
	b := Block{Addr: r.Addr, Channel: ch.number, Local: local}
	forward := ch.joint == nil && ch.forwards(r)
	var look lookup
	if !forward {
		if ch.joint == nil && ch.reads >= c.cfg.ReadQueue {
			return readQueueFull
		}
		var why blockedBy
		if look, why = ch.lookup(r.Addr, blockOf(local)); why != notBlocked {
			return why
		}
	}
	s[stat.ControllerReads]++
	i, p := ch.pool.take()
	p.class, p.mask, p.data = ReadBlock, mem.FullMask, c.env.Arena.New()
	p.request(r, now, at)
	if c.recorder != nil && !forward {
		wanted := mem.FullMask
		if c.cfg.SectorFill {
			wanted = r.Mask
		}
		c.recorder.Read(r.Addr, wanted)
	}
	p.placed = c.storage.Read(b, c.env.Arena.Line(p.data))
	ch.note(p)
	if p.placed.Mode != probe.ModeRaw {
		p.decompress = uint32(c.coding.decompress)
	} else if c.cfg.SectorFill && !p.placed.Whole {
		p.mask = p.moveOnly(r.Mask, c.timing.BurstBytes)
	}
	if forward {
		s[stat.ControllerForwards]++
		ch.emitQueue(p, queueForward, ch.reads)
		ch.answer(p, ch.decompressed(p, at+1))
		ch.pool.release(i)
		return notBlocked
	}
	ch.reads++
	ch.countBlock(p)
	ch.emitQueue(p, queueRead, ch.reads)
	ch.take(i, p, c.deviceLocal(b), at+1)
	wait := ch.resolve(look, i, at)
	if ch.joint != nil {
		p.arrived = ch.base(at) // time in the queue begins when the block has reached it
		p.ready = at
		if wait {
			p.ready = at + 1
		}
	}
	if wait {
		return notBlocked
	}
	if d := c.cfg.Metadata.LookupCycles; d > 0 && c.coding.compressed && !look.plain {
		ch.readyAt(i, at+1+uint64(d))
	} else {
		ch.start(i, p, at+1)
	}
	return notBlocked
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
	if ch.joint != nil {
		ch.answers.add(end+1, r)
	} else {
		ch.answers.add(uint64(ch.base(end))+uint64(ch.c.cfg.FixedLatencyCycles), r)
	}
}

// deliver sends the due blocks to L2.
func (ch *channel) deliver(now sim.Cycle) {
	for ch.answers.dueAt() <= uint64(now) {
		if !ch.out.CanSend(now) {
			return
		}
		*ch.out.Put(now, 0) = *ch.answers.first()
		ch.answers.drop()
	}
}

func (ch *channel) acceptWrite(r *Request, now sim.Cycle, at uint64) blockedBy {
	c, s := ch.c, ch.stats()
	if ch.joint == nil {
		if ch.writes >= c.cfg.WriteQueue {
			return writeQueueFull
		}
		if r.Ack && ch.answers.len() >= c.cfg.ReadQueue+c.cfg.ReturnQueue {
			return returnQueueFull
		}
	}
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
		ch.readyAt(i, done+1)
	} else {
		ch.start(i, p, at+1)
	}
	return notBlocked
}
