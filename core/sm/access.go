package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// access receives a memory instruction that a warp has just executed. It captures addresses
// and stored values now; loaded values bind when they return.
func (u *loadStore) access(now sim.Cycle, slot int, in *ptx.Instr, a *ptx.Access) *execute.Fault {
	if a.Kind >= ptx.AccessPrefetch {
		return u.accessHint(now, slot, in, a)
	}
	if a.Mask == 0 {
		return nil
	}
	w := &u.warps[slot]
	if a.Kind == ptx.AccessLoad || a.Kind == ptx.AccessAtomic {
		for _, id := range in.Writes {
			w.ready[id] = never
		}
	}
	switch a.Space {
	case ptx.SpaceShared:
		return u.accessShared(slot, in, a)
	case ptx.SpaceLocal:
		base := u.env.LocalBase + mem.Addr(slot*u.env.LocalWords)*mem.LineBytes
		size := min(int(a.Bytes), 4)
		var leader uint16
		for start := 0; start < int(a.Bytes); start += size {
			i := u.open(slot, in, a)
			o := &u.ops[i]
			o.pieces, o.start, o.bytes = true, uint8(start), uint8(size)
			o.hinted = false // L2 has priorities for global memory only
			if u.config.L1.Local == cache.LocalBack {
				o.bypass = false // only L1 has the bytes
			}
			o.localPiece(a, &u.queued[u.tail()].addr, base, start)
			if start == 0 {
				leader = i
			} else {
				u.ops[leader].left++
			}
			o.leader = leader
			u.enqueue(now, i, a)
		}
	default:
		i := u.open(slot, in, a)
		lines := &u.queued[u.tail()].addr
		if u.config.Atomics == AtomicsHalves && u.ops[i].kind == opAtomic {
			u.ops[i].splitHalves(a, lines)
		} else {
			u.ops[i].split(a, lines)
		}
		if fault := u.bounds(slot, a, &u.ops[i].coalesced, lines); fault != nil {
			return fault
		}
		if u.ops[i].hinted {
			u.noteHints(slot, &u.ops[i], in.Mem)
		}
		u.ops[i].leader = i
		u.enqueue(now, i, a)
	}
	return nil
}

// accessShared performs an access to shared memory. Accesses are queued in the order of
// issue, so the data can move now; step charges the time when the access reaches
// the head of the queue.
func (u *loadStore) accessShared(slot int, in *ptx.Instr, a *ptx.Access) *execute.Fault {
	w := &u.warps[slot]
	degree, conflicts := conflictDegree(a, u.config.Banks)
	if a.Kind == ptx.AccessAtomic || a.Kind == ptx.AccessReduction {
		// Lanes of one word are served one after the other.
		if least := bits.OnesCount32(a.Mask) / 4; degree < least {
			degree, conflicts = least, least-1
		}
	}
	if !w.warp.AccessShared(a) {
		return w.warp.Fault()
	}
	u.stats[stat.SharedAccesses]++
	u.stats[stat.SharedConflictCycles] += uint64(conflicts)
	i := u.newOp()
	o := &u.ops[i]
	o.kind, o.slot, o.pc, o.cycles, o.left, o.leader = opShared, uint8(slot), a.PC, uint16(degree), 0, i
	o.remote, o.remoteBytes = 0, 0
	if cta := u.core.ctas[w.cta].cta; cta.Clustered() && in.Flags&ptx.FlagMulticast == 0 {
		o.remote, o.remoteBytes = remoteOf(cta, a)
	}
	w.loads++
	u.push(i)
	return nil
}

// open starts the op of an instruction on global or local memory.
func (u *loadStore) open(slot int, in *ptx.Instr, a *ptx.Access) uint16 {
	u.causes++
	i := u.newOp()
	o := &u.ops[i]
	o.slot, o.pc, o.next, o.doneAt, o.bytes, o.pieces = uint8(slot), a.PC, 0, 0, a.Bytes, false
	o.bypass = a.Operator == ptx.CacheBypass || a.Operator == ptx.CacheL2 || !u.config.L1Loads && a.Space == ptx.SpaceGlobal
	o.cause = causeOf(u.port.sm, u.causes)
	h := &in.Mem.Hints
	o.priority, o.hinted = h.L1, h.L2 != mem.EvictDefault || h.Ahead != 0 || h.Policy
	o.around = a.Kind == ptx.AccessStore && a.Operator == ptx.CacheL2
	o.lane = u.warps[slot].warp.CopyLane()
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
func (u *loadStore) enqueue(now sim.Cycle, i uint16, a *ptx.Access) {
	o, q := &u.ops[i], &u.queued[u.tail()]
	w := &u.warps[o.slot]
	o.left = int16(o.n)
	s := u.stats
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
			h := u.env.Arena.New()
			u.core.copies.forgetMaps(q.addr[k], q.addr[k]+mem.LineBytes)
			q.data[k], q.mask[k] = h, mem.ByteMask{}
			line := u.env.Arena.Line(h)
			if o.pieces {
				w.warp.StorePiece(a, o.lanes[k], int(o.start), int(o.bytes), &o.offset, line, &q.mask[k])
			} else {
				w.warp.StoreLine(a, o.lanes[k], line, &q.mask[k])
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
			q.data[k], q.mask[k] = u.atomicBatch(w, a, o, k, returns)
		}
	}
	u.push(i)
	if u.env.Tap.On() {
		first := mem.Addr(0)
		if o.n > 0 {
			first = q.addr[0]
		}
		u.env.Tap.Emit(probe.Event{Cycle: now, Addr: first, Req: o.cause, A: uint32(u.core.eventSlot(int(o.slot)))<<16 | uint32(bits.OnesCount32(a.Mask))<<8 | uint32(o.n), B: uint32(o.pc), Unit: u.port.sm, Kind: probe.KindIssue})
	}
}

func (u *loadStore) atomicBatch(w *warpSlot, a *ptx.Access, o *op, k int, returns bool) (mem.Handle, mem.ByteMask) {
	h := u.env.Atomics.New()
	b := u.env.Atomics.At(h)
	b.Op, b.Lanes, b.PC, b.Bytes, b.Returns = u.warpInstr(a.PC).Atomic, o.lanes[k], a.PC, a.Bytes, returns
	b.Offset = o.offset
	var mask mem.ByteMask
	for x := o.lanes[k]; x != 0; x &= x - 1 {
		lane := bits.TrailingZeros32(x)
		b.B[lane], b.C[lane] = w.warp.AtomicOperands(a, lane)
		mask.Set(int(o.offset[lane]), int(a.Bytes))
	}
	return h, mask
}

// warpInstr returns the instruction at pc of the current kernel.
func (u *loadStore) warpInstr(pc int32) *ptx.Instr {
	return &u.code[pc]
}

// bounds returns the fault of a lane that leaves its allocation.
func (u *loadStore) bounds(slot int, a *ptx.Access, c *coalesced, lines *lineAddrs) *execute.Fault {
	for k := 0; k < c.n; k++ {
		if u.inside(lines[k], mem.LineBytes) {
			continue
		}
		for x := c.lanes[k]; x != 0; x &= x - 1 {
			lane := bits.TrailingZeros32(x)
			if u.inside(a.Addresses()[lane], int(a.Bytes)) {
				continue
			}
			if fault := execute.OutOfBounds(u.warps[slot].warp, a, lane, u.env.Image); fault != nil {
				return fault // nil for an instruction that reads less than its size
			}
		}
	}
	return nil
}

// inside reports whether [a, a+n) lies in one allocation.
func (u *loadStore) inside(a mem.Addr, n int) bool {
	l := &u.lastAlloc
	if a >= l.Base && a+uint64(n) <= l.End() {
		return true
	}
	i := u.env.Image.Find(a)
	if i < 0 {
		return false
	}
	u.lastAlloc = u.env.Image.Allocations()[i]
	return a+uint64(n) <= u.lastAlloc.End()
}
