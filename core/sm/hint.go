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

// noteHints notes what L2 is told about the lines of an op. The lowest lane of a line decides its policy.
func (u *loadStore) noteHints(slot int, o *op, m *ptx.MemoryOp) {
	q := &u.queued[u.tail()]
	for k := range o.n {
		h := lineHint{m.Hints.L2, m.Hints.Ahead}
		if m.Hints.Policy {
			h.priority = ptx.PolicyPriority(u.warps[slot].warp.Policy(m, bits.TrailingZeros32(o.lanes[k])), q.addr[k])
		}
		q.hint[k] = h
	}
}

// accessHint receives an instruction that asks for no bytes: prefetch, applypriority or discard. The warp does not wait
// for it. A discard is a store without bytes, and fences and the end of the CTA wait for it as for one.
func (u *loadStore) accessHint(now sim.Cycle, slot int, in *ptx.Instr, a *ptx.Access) *execute.Fault {
	w := &u.warps[slot]
	if fault := execute.Hinted(w.warp, a, u.env.Image); fault != nil || a.Mask == 0 {
		return fault
	}
	i := u.open(slot, in, a)
	o, q := &u.ops[i], &u.queued[u.tail()]
	if a.Space == ptx.SpaceLocal {
		o.localPiece(a, &q.addr, u.env.LocalBase+mem.Addr(slot*u.env.LocalWords)*mem.LineBytes, 0)
	} else {
		o.split(a, &q.addr)
	}
	o.leader, o.left, o.toL1 = i, 0, in.Mem.Hints.ToL1 && !o.bypass
	switch a.Kind {
	case ptx.AccessPrefetch:
		o.kind = opPrefetch
	case ptx.AccessPriority:
		o.kind = opPriority
	default:
		o.kind = opDiscard
		w.stores += int32(o.n)
	}
	o.hinted = true
	u.noteHints(slot, o, in.Mem)
	u.push(i)
	if u.env.Tap.On() {
		u.env.Tap.Emit(probe.Event{Cycle: now, Addr: q.addr[0], Req: o.cause, B: uint32(o.pc), Unit: u.port.sm,
			Kind: probe.KindIssue, A: uint32(slot)<<16 | uint32(bits.OnesCount32(a.Mask))<<8 | uint32(o.n)})
	}
	return nil
}

// hintLine performs one line of such an instruction. It returns false when that is not possible now.
func (u *loadStore) hintLine(now sim.Cycle, o *op) bool {
	if !u.port.canSend(now, 1) || o.toL1 && u.l1.Keeps() && !u.port.canSend(now, 2) {
		return u.refuse(now)
	}
	q, k := &u.queued[u.head], int(o.next)
	p := mem.Packet{Kind: mem.PacketPrefetch, Addr: q.addr[k], Tag: mem.NoAnswer, Cause: o.cause}
	switch {
	case o.toL1:
		return u.prefetchLine(now, o, q.addr[k])
	case o.kind == opPriority:
		p.Kind = mem.PacketPriority
	case o.kind == opDiscard:
		p.Kind, p.Tag = mem.PacketDiscard, uint32(o.slot)
		u.l1.Atomic(q.addr[k], u.stats)
	}
	q.tell(&p, k)
	u.port.send(now, p, 0, u.config.L1.PassCycles)
	u.storeAdvance(o)
	return true
}

// prefetchLine brings a whole line to L1 (PTX ISA, prefetch: "the cache line containing the specified address").
func (u *loadStore) prefetchLine(now sim.Cycle, o *op, a mem.Addr) bool {
	outcome, index := u.l1.Prefetch(now, u.l1.Find(a, mem.FullMask.Sectors()), u.stats)
	result := uint32(probe.ResultMerged)
	switch outcome {
	case cache.Blocked:
		u.stuck = true
		return false
	case cache.Hit:
		result = probe.ResultHit
	case cache.Miss:
		result = probe.ResultMiss
		u.counts.countLine(o, mem.FullMask)
		u.port.send(now, mem.Packet{Kind: mem.PacketLoad, Addr: a, Mask: mem.FullMask, Tag: uint32(index),
			Cause: o.cause}, 0, u.config.L1.PassCycles)
		if u.config.L1.Local == cache.LocalBack {
			u.writeBack(now)
		}
	}
	u.stats[stat.L1Prefetches]++
	u.emitL1(now, a, o.cause, result, o.pc)
	u.storeAdvance(o)
	return true
}
