package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// warpOrder is what a sanitizer knows of a warp's order among others. It takes any barrier, any phase of an mbarrier
// that has been seen to end, and any atomic or volatile access for a wait that orders all of what others did before:
// so it reports no program that orders its accesses by one of them.
type warpOrder struct {
	heard    uint32 // the time after the last wait
	waits    bool   // at a barrier
	released uint32 // the time of the last fence for the cluster
}

// hear notes that the warp has waited for others.
func (k *warpChecks) hear() {
	k.cta.s.time++
	k.order.heard = k.cta.s.time
}

// inOrder notes waits and fences for others. It returns false for a lane that is not in its own member mask (PTX ISA,
// elect.sync, shfl.sync, ...: undefined).
func (k *warpChecks) inOrder(w *Warp, in *ptx.Instr, mask uint32) (lane int, ok bool) {
	if k.order.waits {
		k.order.waits = false
		if w.barrier == ptx.ClusterBarrierID {
			k.hear()
		} else {
			k.order.heard = max(k.order.heard, k.cta.released[w.barrier])
		}
	}
	if in.Flags&ptx.FlagMeets != 0 {
		members := w.u32(memberMask(in))
		for m := mask; m != 0; m &= m - 1 {
			if lane = bits.TrailingZeros32(m) & 31; members[lane]>>lane&1 == 0 {
				return lane, false
			}
		}
	}
	switch {
	case in.Family != ptx.FamilyControl || mask == 0:
	case in.Op == ptx.ControlBarrier && in.Target != ptx.BarrierArrive:
		k.order.waits = true
	case in.Op == ptx.ControlFence && in.Imm>>8 == 0 && in.Imm&ptx.FenceStores != 0:
		k.cta.s.time++
		k.order.released = k.cta.s.time
	}
	return 0, true
}

// together reports whether the lanes of mask are all of the warp that go on. Those that wait to exit do not count: a
// compiler may let them jump to the last instruction. Where lanes run one by one they may still come.
func (w *Warp) together(mask uint32) bool {
	left := w.lanes &^ mask
	if mask == 0 || left == 0 || w.runsApart() {
		return true
	}
	for i := len(w.stack) - 1; i >= 0 && left != 0; i-- {
		at := &w.stack[i]
		if left&at.mask == 0 {
			continue
		}
		if in := &w.kernel.Code[at.pc]; in.Family != ptx.FamilyControl || in.Op != ptx.ControlExit {
			return false
		}
		left &^= at.mask
	}
	return left == 0
}

// exits wants each copy in bulk of a thread that ends in a group.
func (k *warpChecks) exits(w *Warp, mask uint32) bool {
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		if line := k.bulk[lane].line; line != 0 {
			w.fault = w.sanitized(w.PC, lane, "the thread ends, and the copy of line %d is in no group: "+
				"cp.async.bulk.commit_group and a wait must follow it", line)
			return false
		}
	}
	return true
}

// ordered wants a wait between accesses of two warps to the same bytes of shared memory, one of which writes. Plain
// stores over each other may all store the same, and atomics order themselves.
func (x *sanitizedAccess) ordered(lane int, at uint64, m *mark, writes bool) bool {
	const between = "and nothing orders the two: a barrier must stand between them"
	if x.a.Kind >= ptx.AccessAtomic || x.a.Operator == ptx.CacheBypass {
		return true
	}
	switch heard := x.k.order.heard; {
	case m.by != nil && m.by != x.k && heard <= m.time && (x.async || !writes):
		x.fail(lane, "warp %d has written the bytes at %#x of shared memory in line %d, "+between, m.by.index, at,
			x.w.kernel.Code[m.at].Line)
	case writes && m.reader != nil && m.reader != x.k && heard <= m.readIn:
		x.fail(lane, "warp %d has read the bytes at %#x of shared memory in line %d, "+between, m.reader.index, at,
			x.w.kernel.Code[m.readAt].Line)
	}
	return x.fault == nil
}

// initialized wants a wait between the initialization of an mbarrier and its use by another warp, and a fence that
// the other CTAs of a cluster see it by.
func (x *sanitizedAccess) initialized(lane int, c *CTA, at uint64, live *liveBarrier) bool {
	switch {
	case live.by == x.k:
	case x.k.order.heard <= live.time:
		x.fail(lane, "warp %d initializes the mbarrier at %#x of shared memory in line %d, and nothing orders this "+
			"access after it: a barrier must stand between them", live.by.index, at, live.line)
	case c != x.w.CTA && live.by.order.released <= live.time:
		x.fail(lane, "the mbarrier at %#x of shared memory of CTA %d has been initialized in line %d: "+
			"fence.mbarrier_init.release.cluster or an arrival with .release must make it visible to the cluster", at,
			c.Rank, live.line)
	}
	return x.fault == nil
}

// ordered wants a wait of some other warp of the group after the write of one warp: they read tiles together.
func (g *groupReads) ordered(at int, m *mark) {
	if m.by == nil {
		return
	}
	for _, k := range g.op.members {
		if k != m.by && k.order.heard > m.time {
			return
		}
	}
	g.x.fail(0, "warp %d has written the bytes at %#x of shared memory in line %d, and nothing orders the two: a "+
		"barrier must stand between them", m.by.index, at, g.x.w.kernel.Code[m.at].Line)
}
