package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// blockedBy says why the oldest request of a link is not accepted.
type blockedBy uint8

const (
	notBlocked blockedBy = iota
	readQueueFull
	writeQueueFull
	returnQueueFull
	metadataQueueFull
	metadataSetBusy
)

// accept takes requests from the link while there is room, and reports whether
// one had to be left there. What arrives at DRAM cycle local can be scheduled from
// the next one on.
func (ch *channel) accept(now sim.Cycle, local uint64) (blocked bool) {
	for {
		r, ok := ch.in.Peek(now)
		if !ok {
			ch.blocked = notBlocked
			return false
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

// filterSlot hashes a line address into the filter of pending writes.
func filterSlot(a mem.Addr) uint8 { return uint8(a/mem.LineBytes ^ a>>15 ^ a>>23) }

// forwards reports whether a write that waits in the queue covers what is read.
func (ch *channel) forwards(r *Request) bool {
	if ch.writeFilter[filterSlot(r.Addr)] == 0 {
		return false
	}
	for i := range ch.pool.entry {
		e := &ch.pool.entry[i]
		if e.class == writeBlock && e.addr == r.Addr && e.bursts != 0 && e.mask.Covers(r.Mask) {
			return true
		}
	}
	return false
}

func (ch *channel) acceptRead(r *Request, now sim.Cycle, local uint64) blockedBy {
	c, s := ch.c, ch.stats()
	if ch.reads+ch.answers.len() >= c.cfg.ReadQueue+c.cfg.ReturnQueue {
		return returnQueueFull
	}
	_, at := c.cfg.Map.Split(r.Addr)
	block := blockOf(at)
	forward := ch.forwards(r)
	var look lookup
	if !forward {
		if ch.reads >= c.cfg.ReadQueue {
			return readQueueFull
		}
		var why blockedBy
		if look, why = ch.lookup(block); why != notBlocked {
			return why
		}
	}
	s[stat.ControllerReads]++
	data := c.env.Arena.New()
	line := c.env.Arena.Line(data)
	c.env.Image.ReadLine(r.Addr, line)
	if c.observer != nil {
		c.observer.Observe(line)
	}
	stored := ch.firstTouch(r.Addr, block, line)
	if c.shadow != nil {
		c.checkShadow(r.Addr, line, stored)
		ch.decode(int(block-ch.blocks.first), r.Addr, line, stored)
	}
	mask, bursts := ch.readBursts(r, stored)
	v := entry{
		addr: r.Addr, arrived: now, mask: mask, cause: r.Cause, tag: r.Tag, data: data, stored: stored,
		class: readBlock, bursts: bursts, count: uint8(bits.OnesCount8(bursts)),
		accepted: local, ready: local,
	}
	if stored.Mode != probe.ModeRaw {
		v.decompress = uint16(c.coding.decompress)
	}
	if forward {
		s[stat.ControllerForwards]++
		ch.emitQueue(&v, queueForward, ch.reads)
		ch.answer(&v, local+1)
		return notBlocked
	}
	ch.reads++
	ch.countBlock(&v)
	ch.emitQueue(&v, queueRead, ch.reads)
	i := ch.place(&v, at)
	ch.frontier, ch.decided = max(ch.frontier, local+1), false
	if ch.resolve(look, i, local) {
		return notBlocked
	}
	if d := c.cfg.Metadata.LookupCycles; d > 0 && c.coding.compressed {
		ch.after(local+1+uint64(d), eventReady, i)
	} else {
		ch.enqueue(i)
	}
	return notBlocked
}

// answer sends a block that has been read on its way, its data being complete at
// a DRAM cycle.
func (ch *channel) answer(e *entry, end uint64) {
	end += uint64(e.decompress)
	if e.stored.Mode != probe.ModeRaw {
		ch.emitCoded(probe.KindDecompress, e, end)
	}
	ch.answers.add(uint64(ch.base(end))+uint64(ch.c.cfg.FixedLatencyCycles),
		Reply{Addr: e.addr, Data: e.data, Mask: e.mask, Tag: e.tag, Cause: e.cause})
}

// deliver sends the blocks that are due to L2.
func (ch *channel) deliver(now sim.Cycle) {
	for ch.answers.dueAt() <= uint64(now) {
		if !ch.out.Send(now, *ch.answers.first()) {
			return
		}
		ch.answers.drop()
	}
}

// firstTouch returns how a block is stored. The first time, that is decided now
// from what the host left there; a lossy scheme changes it.
func (ch *channel) firstTouch(addr mem.Addr, block uint64, line *mem.Line) codec.Stored {
	c, k := ch.c, int(block-ch.blocks.first)
	if !c.coding.compressed {
		return rawBlock(c.timing.BurstBytes)
	}
	s := &ch.blocks.stored[k]
	if s.Bursts == 0 {
		*s = ch.store(k, addr, line)
		if s.Mode == probe.ModeLossy {
			c.env.Image.WriteLine(addr, line)
		}
	}
	return *s
}

// readBursts returns the bytes a read brings and the bursts it takes.
func (ch *channel) readBursts(r *Request, s codec.Stored) (mem.ByteMask, uint8) {
	if s.Mode == probe.ModeRaw && ch.c.cfg.SectorFill {
		touched := burstsOf(r.Mask, ch.c.timing.BurstBytes)
		return maskOf(touched, ch.c.timing.BurstBytes), touched
	}
	return mem.FullMask, uint8(1<<s.Bursts - 1)
}

func (ch *channel) acceptWrite(r *Request, now sim.Cycle, local uint64) blockedBy {
	c, s := ch.c, ch.stats()
	if ch.writes >= c.cfg.WriteQueue {
		return writeQueueFull
	}
	_, at := c.cfg.Map.Split(r.Addr)
	block := blockOf(at)
	look, why := ch.lookup(block)
	if why != notBlocked {
		return why
	}
	s[stat.ControllerWrites]++
	line := c.env.Arena.Line(r.Data)
	if !r.Mask.Full() {
		if c.coding.compressed {
			panic("memctrl: a partial write reached a compressed block")
		}
		var old mem.Line
		c.env.Image.ReadLine(r.Addr, &old)
		old.Merge(line, r.Mask)
		*line = old
	}
	if c.observer != nil {
		c.observer.Observe(line)
	}
	if c.shadow != nil {
		c.shadow.WriteLine(r.Addr, line)
	}
	k := int(block - ch.blocks.first)
	stored := rawBlock(c.timing.BurstBytes)
	bursts := burstsOf(r.Mask, c.timing.BurstBytes)
	if c.coding.compressed {
		stored = ch.store(k, r.Addr, line)
		bursts = uint8(1<<stored.Bursts - 1)
	}
	ch.blocks.stored[k] = stored
	c.env.Image.WriteLine(r.Addr, line)
	c.env.Arena.Free(r.Data)

	v := entry{
		addr: r.Addr, arrived: now, mask: r.Mask, cause: r.Cause, tag: r.Tag, stored: stored,
		class: writeBlock, bursts: bursts, count: uint8(bits.OnesCount8(bursts)),
	}
	ch.writes++
	ch.writeFilter[filterSlot(r.Addr)]++
	ch.countBlock(&v)
	ch.emitQueue(&v, queueWrite, ch.writes)
	i := ch.place(&v, at)
	ch.frontier, ch.decided = max(ch.frontier, local+1), false
	ch.resolve(look, i, local)
	if c.coding.compressed {
		ch.emitCoded(probe.KindCompress, &v, local+c.coding.compress)
		ch.after(local+1+c.coding.compress, eventReady, i)
	} else {
		ch.enqueue(i)
	}
	return notBlocked
}

// place puts an entry into the pool with its place in DRAM.
func (ch *channel) place(v *entry, local uint64) int16 {
	p := ch.c.cfg.Map.Place(local)
	ch.seq++
	v.seq, v.row, v.bank = ch.seq, p.Row, p.Bank
	v.waitNext, v.line = none, none
	i := ch.pool.take()
	ch.pool.entry[i] = *v
	return i
}

// burstsOf returns a bit for each burst of a block that holds a marked byte.
func burstsOf(m mem.ByteMask, mag int) uint8 {
	var b uint8
	for k := range mem.LineBytes / mag {
		var want mem.ByteMask
		want.Set(k*mag, mag)
		if m.Lo&want.Lo|m.Hi&want.Hi != 0 {
			b |= 1 << k
		}
	}
	return b
}

// maskOf returns the bytes of the bursts whose bits are set.
func maskOf(bursts uint8, mag int) mem.ByteMask {
	var m mem.ByteMask
	for k := range mem.LineBytes / mag {
		if bursts>>k&1 != 0 {
			m.Set(k*mag, mag)
		}
	}
	return m
}
