package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// access takes over the memory instruction a warp has just executed. Addresses
// and stored values are captured now; loaded values bind when they return.
func (m *SM) access(now sim.Cycle, slot int, in *ptx.Instr) {
	a := &m.exec.Access
	if a.Kind == ptx.AccessPrefetch || a.Mask == 0 {
		return
	}
	w := &m.warps[slot]
	if a.Kind == ptx.AccessLoad || a.Kind == ptx.AccessAtomic {
		for _, id := range in.Writes {
			w.ready[id] = never
		}
	}
	switch a.Space {
	case ptx.SpaceShared:
		m.accessShared(slot, a)
	case ptx.SpaceLocal:
		base := m.env.LocalBase + mem.Addr(slot*m.env.LocalWords)*mem.LineBytes
		size := min(int(a.Bytes), 4)
		var leader uint16
		for start := 0; start < int(a.Bytes); start += size {
			i := m.open(slot, a)
			o := &m.ops[i]
			o.pieces, o.start, o.bytes = true, uint8(start), uint8(size)
			o.localPiece(a, base, start)
			if start == 0 {
				leader = i
			} else {
				m.ops[leader].left++
			}
			o.leader = leader
			m.enqueue(now, i, a)
		}
	default:
		i := m.open(slot, a)
		m.ops[i].split(a)
		if !m.bounds(slot, a, &m.ops[i].coalesced) {
			return
		}
		m.ops[i].leader = i
		m.enqueue(now, i, a)
	}
}

// accessShared performs an access to shared memory. Its order is that of issue,
// which the queue preserves, so the data can move now; the time it takes is
// charged when its turn comes.
func (m *SM) accessShared(slot int, a *ptx.Access) {
	w := &m.warps[slot]
	degree, conflicts := conflictDegree(a, m.config.Banks)
	if a.Kind == ptx.AccessAtomic || a.Kind == ptx.AccessReduction {
		// Lanes that meet in a word are served one after the other.
		if least := bits.OnesCount32(a.Mask) / 4; degree < least {
			degree, conflicts = least, least-1
		}
	}
	if !w.warp.AccessShared(a) {
		m.stop(w.warp.Fault())
		return
	}
	m.Stats[stat.SharedAccesses]++
	m.Stats[stat.SharedConflictCycles] += uint64(conflicts)
	i := m.newOp()
	o := &m.ops[i]
	o.kind, o.slot, o.pc, o.cycles, o.left, o.leader = opShared, uint8(slot), a.PC, uint16(degree), 0, i
	w.loads++
	m.push(i)
}

// open starts the op of an instruction on global or local memory.
func (m *SM) open(slot int, a *ptx.Access) uint16 {
	m.causes++
	i := m.newOp()
	o := &m.ops[i]
	o.slot, o.pc, o.next, o.doneAt, o.pieces = uint8(slot), a.PC, 0, 0, false
	o.bypass = a.Operator == ptx.CacheBypass || a.Operator == ptx.CacheL2 || !m.config.L1Loads && a.Space == ptx.SpaceGlobal
	o.cause = uint32(m.id+1)<<24 | m.causes&(1<<24-1)
	switch a.Kind {
	case ptx.AccessLoad:
		o.kind = opLoad
	case ptx.AccessStore:
		o.kind = opStore
	default:
		o.kind = opAtomic
	}
	return i
}

// enqueue completes an op whose lines are known and puts it into the queue.
func (m *SM) enqueue(now sim.Cycle, i uint16, a *ptx.Access) {
	o := &m.ops[i]
	w := &m.warps[o.slot]
	o.left = int16(o.n)
	s := &m.Stats
	switch o.kind {
	case opLoad:
		if o.leader == i {
			w.loads++
			s[stat.GlobalLoadInstructions]++
		}
		s[stat.GlobalLoadLines] += uint64(o.n)
	case opStore:
		if o.leader == i {
			s[stat.GlobalStoreInstructions]++
		}
		s[stat.GlobalStoreLines] += uint64(o.n)
		w.stores += int32(o.n)
		for k := 0; k < o.n; k++ {
			h := m.env.Arena.New()
			o.data[k], o.mask[k] = h, mem.ByteMask{}
			line := m.env.Arena.Line(h)
			if o.pieces {
				w.warp.StorePiece(a, o.lanes[k], int(o.start), int(o.bytes), &o.offset, line, &o.mask[k])
			} else {
				w.warp.StoreLine(a, o.lanes[k], line, &o.mask[k])
			}
		}
	case opAtomic:
		s[stat.AtomicInstructions]++
		s[stat.AtomicLines] += uint64(o.n)
		returns := a.Kind == ptx.AccessAtomic
		if returns {
			w.loads++
		} else {
			w.stores += int32(o.n)
		}
		for k := 0; k < o.n; k++ {
			o.data[k], o.mask[k] = m.atomicBatch(w, a, o, k, returns)
		}
	}
	m.push(i)
	if m.env.Tap.On() {
		first := mem.Addr(0)
		if o.n > 0 {
			first = o.addr[0]
		}
		m.env.Tap.Emit(probe.Event{Cycle: now, Addr: first, Req: o.cause, A: uint32(o.slot)<<16 | uint32(bits.OnesCount32(a.Mask))<<8 | uint32(o.n), B: uint32(o.pc), Unit: uint16(m.id), Kind: probe.KindIssue})
	}
}

func (m *SM) atomicBatch(w *warpSlot, a *ptx.Access, o *op, k int, returns bool) (mem.Handle, mem.ByteMask) {
	h := m.env.Atomics.New()
	b := m.env.Atomics.At(h)
	b.Op, b.Lanes, b.PC, b.Bytes, b.Returns = m.warpInstr(w, a.PC).Atomic, o.lanes[k], a.PC, a.Bytes, returns
	b.Offset = o.offset
	var mask mem.ByteMask
	for x := o.lanes[k]; x != 0; x &= x - 1 {
		lane := bits.TrailingZeros32(x)
		b.B[lane], b.C[lane] = w.warp.AtomicOperands(a, lane)
		mask.Set(int(o.offset[lane]), int(a.Bytes))
	}
	return h, mask
}

func (m *SM) warpInstr(w *warpSlot, pc int32) *ptx.Instr {
	return &m.env.Launches[m.launch].Kernel.Code[pc]
}

// bounds stops the run if a lane leaves its allocation.
func (m *SM) bounds(slot int, a *ptx.Access, c *coalesced) bool {
	for k := 0; k < c.n; k++ {
		if m.inside(c.addr[k], mem.LineBytes) {
			continue
		}
		for x := c.lanes[k]; x != 0; x &= x - 1 {
			lane := bits.TrailingZeros32(x)
			if !m.inside(a.Addr[lane], int(a.Bytes)) && m.outOfBounds(slot, a, lane) {
				return false
			}
		}
	}
	return true
}

// loadStore handles one line of the op at the head of the queue, which L1 may take.
// It answers when it can next do something by itself.
func (m *SM) loadStore(now sim.Cycle) sim.Cycle {
	if now < m.lsuFree {
		return m.lsuFree
	}
	i := m.queue[m.head]
	o := &m.ops[i]
	switch o.kind {
	case opShared:
		m.lsuFree = now + sim.Cycle(o.cycles)
		o.doneAt = m.lsuFree - 1 + sim.Cycle(m.config.SharedLatency)
		m.pop()
		m.complete(now, i)
		return m.lsuFree
	case opLoad:
		if !m.loadLine(now, i, o) {
			return never
		}
	case opStore:
		if !m.sendStore(now, o) {
			return never
		}
	case opAtomic:
		if !m.sendAtomic(now, i, o) {
			return never
		}
	case opConstant:
		if !m.readConstant(now, i) {
			return never
		}
	}
	m.lsuFree = now + 1
	return now + 1
}

// loadLine looks one line of a load up in L1, and asks L2 for it on a miss. It
// returns false when that is not possible now.
func (m *SM) loadLine(now sim.Cycle, i uint16, o *op) bool {
	if !m.out.CanSend(now) {
		m.Stats[stat.L1Blocked]++
		return false
	}
	k := int(o.next)
	waiter := uint32(i)<<5 | uint32(k)
	want, pass := mem.FullMask, m.config.L1.PassCycles
	if o.bypass || m.config.L1.Sectored {
		want = m.wanted(o, k)
	}
	var outcome cache.Outcome
	var index int
	if o.bypass {
		pass = 0
		outcome, index = m.l1.Bypass(now, o.addr[k], waiter, &m.Stats)
	} else {
		outcome, index = m.l1.Load(now, o.addr[k], want.Sectors(), waiter, &m.Stats)
	}
	if outcome == cache.Blocked {
		m.l1Full = true
		return false
	}
	result := uint32(probe.ResultMerged)
	addr, cause := o.addr[k], o.cause
	m.advance(o)
	switch outcome {
	case cache.Hit:
		result = probe.ResultHit
		o.doneAt = max(o.doneAt, now+sim.Cycle(m.config.L1.LatencyCycles))
		m.bind(now, i, k, m.l1.Line(index))
	case cache.Miss:
		result = probe.ResultMiss
		m.countLine(o, want)
		m.send(now, mem.Packet{Kind: mem.PacketLoad, Addr: addr, Mask: want, Tag: uint32(index), Cause: cause}, 0, pass)
	}
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, Addr: addr, Req: cause, A: result, B: uint32(o.pc), Unit: uint16(m.id), Kind: probe.KindL1})
	}
	return true
}

// wanted returns the sectors that hold the bytes a line's lanes load.
func (m *SM) wanted(o *op, k int) mem.ByteMask {
	var mask mem.ByteMask
	size := int(o.bytes)
	if !o.pieces {
		size = 1 // an access is aligned to its size, up to 16: it stays in its sector
	}
	for x := o.lanes[k]; x != 0; x &= x - 1 {
		mask.Set(int(o.offset[bits.TrailingZeros32(x)]), size)
	}
	return mem.SectorMask(mask.Sectors())
}

// advance moves an op to its next line and out of the queue behind the last.
func (m *SM) advance(o *op) {
	o.next++
	if int(o.next) >= o.n {
		m.pop()
	}
}

func (m *SM) sendStore(now sim.Cycle, o *op) bool {
	if !m.out.CanSend(now) {
		m.Stats[stat.L1Blocked]++
		return false
	}
	k := int(o.next)
	m.l1.Store(o.addr[k], &m.Stats)
	m.Stats[stat.L1Writes]++
	m.counts[o.pc].Bytes += uint64(o.mask[k].SectorBytes())
	m.send(now, mem.Packet{
		Kind: mem.PacketStore, Addr: o.addr[k], Mask: o.mask[k], Data: o.data[k], Tag: uint32(o.slot), Cause: o.cause,
	}, o.mask[k].SectorBytes(), m.config.L1.PassCycles)
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, Addr: o.addr[k], Req: o.cause, A: probe.ResultWrite, B: uint32(o.pc), Unit: uint16(m.id), Kind: probe.KindL1})
	}
	last := int(o.next) == o.n-1
	i := m.queue[m.head]
	m.advance(o)
	if last {
		m.freeOp(i)
	}
	return true
}

func (m *SM) sendAtomic(now sim.Cycle, i uint16, o *op) bool {
	if !m.out.CanSend(now) {
		m.Stats[stat.L1Blocked]++
		return false
	}
	k := int(o.next)
	m.l1.Store(o.addr[k], &m.Stats)
	m.counts[o.pc].Bytes += uint64(o.mask[k].SectorBytes())
	m.send(now, mem.Packet{
		Kind: mem.PacketAtomic, Addr: o.addr[k], Mask: o.mask[k], Atomic: o.data[k], Tag: uint32(i), Cause: o.cause,
	}, o.mask[k].SectorBytes(), m.config.L1.PassCycles)
	m.advance(o)
	return true
}

// send gives a packet to the crossbar after the cycles it passes L1. It does not
// overtake one that is still there.
func (m *SM) send(now sim.Cycle, p mem.Packet, payloadBytes, passCycles int) {
	p.SM = uint16(m.id)
	p.Slice = uint16(m.env.SliceOf(p.Addr))
	p.Flits = mem.Flits(payloadBytes, m.config.FlitBytes)
	m.out.SendAfter(now, sim.Cycle(passCycles), p)
}

// reply takes a packet from L2.
func (m *SM) reply(now sim.Cycle, p *mem.Packet) {
	switch p.Kind {
	case mem.PacketData:
		if p.Tag&tagKinds != 0 {
			m.arrivedReadOnly(now, p.Tag)
			m.env.Arena.Free(p.Data)
			break
		}
		m.l1Full = false
		line := m.env.Arena.Line(p.Data)
		for _, waiter := range m.l1.Fill(now, int(p.Tag), line, &m.Stats) {
			m.bind(now, uint16(waiter>>5), int(waiter&31), line)
		}
		m.env.Arena.Free(p.Data)
	case mem.PacketAck:
		m.stored(now, int(p.Tag))
	case mem.PacketOld:
		m.replyAtomic(now, p)
	}
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, Addr: p.Addr, Req: p.Cause, A: uint32(p.Kind), Unit: uint16(m.id), Kind: probe.KindReply})
	}
}

func (m *SM) replyAtomic(now sim.Cycle, p *mem.Packet) {
	i := uint16(p.Tag)
	o := &m.ops[i]
	b := m.env.Atomics.At(p.Atomic)
	slot := int(o.slot)
	if b.Returns {
		w := &m.warps[slot]
		for x := b.Lanes; x != 0; x &= x - 1 {
			lane := bits.TrailingZeros32(x)
			w.warp.BindAtomic(b.PC, lane, b.Old[lane])
		}
		m.env.Atomics.Free(p.Atomic)
		m.arrived(now, i)
		return
	}
	m.env.Atomics.Free(p.Atomic)
	if o.left--; o.left == 0 {
		m.freeOp(i)
	}
	m.stored(now, slot)
}

// stored counts the acknowledgement of a store or reduction of a warp.
func (m *SM) stored(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	w.stores--
	m.blames = false
	if w.stores > 0 {
		return
	}
	if w.atFence {
		w.atFence = false
		m.plan(slot, now+1)
	}
	if w.exited {
		m.retire(now, &m.ctas[w.cta])
	}
}

// bind puts the values of line k of an op into the registers.
func (m *SM) bind(now sim.Cycle, i uint16, k int, line *mem.Line) {
	o := &m.ops[i]
	w := &m.warps[o.slot]
	if o.pieces {
		w.warp.LoadPiece(o.pc, o.lanes[k], int(o.start), int(o.bytes), &o.offset, line)
	} else {
		w.warp.LoadLine(o.pc, o.lanes[k], &o.offset, line)
	}
	m.arrived(now, i)
}

// arrived counts a line or piece of an op as there.
func (m *SM) arrived(now sim.Cycle, i uint16) {
	o := &m.ops[i]
	if o.left--; o.left > 0 {
		return
	}
	if o.leader != i {
		l := o.leader
		m.ops[l].doneAt = max(m.ops[l].doneAt, o.doneAt)
		m.freeOp(i)
		m.arrived(now, l)
		return
	}
	m.complete(now, i)
}

// complete makes the results of an instruction usable and frees its op.
func (m *SM) complete(now sim.Cycle, i uint16) {
	o := &m.ops[i]
	slot := int(o.slot)
	w := &m.warps[slot]
	at := max(o.doneAt, now+1)
	in := m.warpInstr(w, o.pc)
	for _, id := range in.Writes {
		if w.ready[id] == never {
			w.ready[id] = at
		}
	}
	m.freeOp(i)
	w.loads--
	m.blames = false
	if w.exited {
		m.retire(now, &m.ctas[w.cta])
		return
	}
	if m.readyAt[slot] == never {
		m.resume(now, slot)
	}
}
