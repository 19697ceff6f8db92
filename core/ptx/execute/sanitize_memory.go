package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// sanitizedAccess is an access of some lanes to memory that a sanitizer has marks of.
type sanitizedAccess struct {
	w       *Warp
	k       *warpChecks
	a       *ptx.Access
	in      *ptx.Instr
	async   bool // of the asynchronous proxy
	reports bool // st.async and red.async: to an mbarrier
	fault   *Fault
}

// access looks at an access before it is performed.
func (s *sanitizer) access(w *Warp, a *ptx.Access) *Fault {
	in := &w.kernel.Code[a.PC]
	x := sanitizedAccess{w: w, k: w.checks, a: a, in: in}
	x.async = in.Family == ptx.FamilyMemory && in.Op != ptx.MemoryAccess && in.Op != ptx.MemoryTensorMap
	if a.Kind >= ptx.AccessPrefetch || a.Space == ptx.SpaceLocal {
		return nil
	}
	addr := a.Addresses()
	mbarrier := a.Space == ptx.SpaceShared && in.Atomic.Code.IsMbarrier()
	if !mbarrier && (a.Kind == ptx.AccessAtomic || a.Kind == ptx.AccessLoad && a.Operator == ptx.CacheBypass) {
		x.k.hear() // what others say
	}
	x.reports = !mbarrier && a.Space == ptx.SpaceShared && x.reportsBehind()
	for m := a.Mask; m != 0 && x.fault == nil; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		switch {
		case mbarrier:
			x.everyCTA(lane, addr[lane], x.mbarrier)
		case a.Space == ptx.SpaceShared:
			x.everyCTA(lane, addr[lane], x.shared)
		default:
			x.global(lane, addr[lane])
		}
	}
	if mbarrier && in.Atomic.Code == ptx.MbarrierComplete {
		x.k.copies = x.k.copies[:0]
	}
	return x.fault
}

// reportsBehind reports whether the instruction is a part of st.async or red.async: bytes are reported after it.
func (x *sanitizedAccess) reportsBehind() bool {
	if x.async || x.a.Kind == ptx.AccessLoad {
		return false
	}
	for pc := x.a.PC + 1; pc <= x.a.PC+3 && int(pc) < len(x.w.kernel.Code); pc++ {
		in := &x.w.kernel.Code[pc]
		if in.Line != x.in.Line || in.Column != x.in.Column {
			return false
		}
		if in.Atomic.Code == ptx.MbarrierComplete {
			return true
		}
	}
	return false
}

func (x *sanitizedAccess) fail(lane int, format string, args ...any) {
	if x.fault == nil {
		x.fault = x.w.sanitized(x.a.PC, lane, format, args...)
	}
}

// thread is the lane for which the access is made: all lanes move the block of one.
func (x *sanitizedAccess) thread(lane int) int {
	if x.async {
		return int(x.w.bulkLane)
	}
	return lane
}

// everyCTA calls f for each CTA whose shared memory a lane reaches. Places that do not exist are the access's own
// fault.
func (x *sanitizedAccess) everyCTA(lane int, at uint64, f func(lane int, c *CTA, at uint64)) {
	own := x.w.CTA
	offset, rank := at&(ptx.WindowBytes-1), own.Rank
	if window := at >> ptx.ClusterRankBit; window != 0 {
		rank = uint32(window - 1)
	}
	ranks := uint32(1) << rank
	if x.in.Flags&ptx.FlagMulticast != 0 && x.a.Kind != ptx.AccessLoad {
		ranks = x.w.u32(x.in.C)[x.multicastLane(lane)]
	}
	for ; ranks != 0; ranks &= ranks - 1 {
		rank := uint32(bits.TrailingZeros32(ranks))
		c := own
		if rank != own.Rank {
			if int(rank) >= len(own.Cluster.CTAs) || own.Cluster.CTAs[rank] == nil {
				continue
			}
			if c = own.Cluster.CTAs[rank]; own.Cluster.phase == 0 {
				x.fail(lane, "CTA %d of the cluster may not have begun: barrier.cluster must come before the first "+
					"access to its shared memory", rank)
				return
			}
		}
		if offset+uint64(x.a.Bytes) <= uint64(len(c.Shared)) {
			f(lane, c, offset)
		}
	}
}

func (x *sanitizedAccess) multicastLane(lane int) int {
	if x.in.Op != ptx.MemoryAccess {
		return int(x.w.bulkLane) & 31
	}
	return lane
}

// shared looks at an access to the shared memory of a CTA.
func (x *sanitizedAccess) shared(lane int, c *CTA, at uint64) {
	reads := x.a.Kind != ptx.AccessStore
	writes := x.a.Kind != ptx.AccessLoad
	if x.reports && c == x.w.CTA {
		x.fail(lane, "an asynchronous store goes to another CTA of the cluster, not to the own one")
		return
	}
	n := int(x.a.Bytes)
	if x.in.Family == ptx.FamilyMatrix {
		n = matrixRowBytes
	}
	var op *operation
	switch {
	case x.async && writes, x.reports:
		op = x.k.copyTo(x.thread(lane), x.a.PC, x.in.Line, c.checks)
		op.adds = x.async && reads
	case x.async:
		op = x.sourceOf()
	}
	c.checks.shared.marks(at, n, func(m *mark) bool {
		switch {
		case writes && m.barrier != nil:
			x.fail(lane, "the bytes at %#x of shared memory belong to the mbarrier of line %d: mbarrier.inval "+
				"must come first", at, m.barrier.line)
		case x.reports && reads: // others may add to the same place
		case op != nil && op.adds && m.written != nil && m.written.adds:
		case m.written != nil && m.written != op && !m.written.ended(false):
			x.unwaited(lane, at, m.written)
		case !x.ordered(lane, at, m, writes):
		case x.async:
			x.fenced(lane, at, m, &x.k.fencedShared)
		}
		if x.fault == nil && writes && m.read != nil && m.read != op && !m.read.ended(true) {
			x.fail(lane, "line %d may still read the bytes at %#x of shared memory: wait with %s before they are "+
				"overwritten", m.read.line, at, m.read.wait())
		}
		x.note(m, lane, op, writes)
		return x.fault == nil
	})
}

// note marks four bytes.
func (x *sanitizedAccess) note(m *mark, lane int, op *operation, writes bool) {
	switch {
	case !writes && op != nil:
		m.read = op
	case writes && op != nil:
		m.written, m.by, m.reader = op, nil, nil
	case writes:
		m.written, m.by, m.lane, m.at, m.time = nil, x.k, uint8(lane), x.a.PC, x.k.cta.s.time
		m.reader = nil
	case !x.async:
		m.reader, m.readAt, m.readIn = x.k, x.a.PC, x.k.cta.s.time
	}
}

func (x *sanitizedAccess) unwaited(lane int, at uint64, o *operation) {
	x.fail(lane, "the copy of line %d writes the bytes at %#x, and no thread has waited for it: wait for %s", o.line,
		at, o.wait())
}

// fenced wants a fence between a write and an asynchronous read: of the thread that wrote, or later of the warp that
// reads.
func (x *sanitizedAccess) fenced(lane int, at uint64, m *mark, own *[ptx.MaxLanes]uint32) {
	if m.by == nil {
		return
	}
	writer := &m.by.fencedShared
	if own == &x.k.fencedGlobal {
		writer = &m.by.fencedGlobal
	}
	if writer[m.lane&31] > m.time || latest(own) > m.time {
		return
	}
	verb := "reads"
	if x.a.Kind == ptx.AccessStore {
		verb = "overwrites"
	}
	x.fail(lane, "line %d has written the bytes at %#x, and this %s them by the asynchronous proxy: the thread "+
		"that writes must execute fence.proxy.async before the barrier", x.w.kernel.Code[m.at].Line, at, verb)
}

func latest(times *[ptx.MaxLanes]uint32) (last uint32) {
	for _, t := range times {
		last = max(last, t)
	}
	return last
}

// copyTo returns the operation of a thread's copy to a CTA, until its bytes are reported.
func (k *warpChecks) copyTo(lane int, at, line int32, to *ctaChecks) *operation {
	for _, o := range k.copies {
		if o.lane == lane && o.cta == to {
			return o
		}
	}
	o := &operation{at: at, line: line, by: k, lane: lane, cta: to}
	k.copies = append(k.copies, o)
	return o
}

// groupOf returns the operation of a thread's copy that its bulk group will hold.
func (k *warpChecks) groupOf(lane int, at, line int32) *operation {
	k.bulk[lane].line = line
	return &operation{at: at, line: line, by: k, lane: lane, group: k.bulk[lane].committed + 1}
}

// sourceOf returns the operation that reads shared memory.
func (x *sanitizedAccess) sourceOf() *operation {
	lane := int(x.w.bulkLane)
	if x.in.Op == ptx.MemoryBulkRead {
		if _, depth := ptx.CopyPlace(x.in.Target); x.w.kernel.Code[x.a.PC+depth].Mem.Space != ptx.SpaceGlobal {
			return x.k.copyTo(lane, x.a.PC, x.in.Line, nil) // to another CTA, whose mbarrier tells of the end
		}
	}
	return x.k.groupOf(lane, x.a.PC, x.in.Line)
}

// global looks at an access to global memory.
func (x *sanitizedAccess) global(lane int, at uint64) {
	reads, writes := x.a.Kind != ptx.AccessStore, x.a.Kind != ptx.AccessLoad
	var op *operation
	if x.async && writes {
		op = x.k.groupOf(x.thread(lane), x.a.PC, x.in.Line)
	}
	if before := x.k.cta.s.before; before != nil && !x.k.cta.waited && before.wrote(at, int(x.a.Bytes)) {
		x.fail(lane, "the launch before has written the bytes at %#x and may not have ended: griddepcontrol.wait must "+
			"come first", at)
		return
	}
	isMap := x.in.Op == ptx.MemoryTensorMap && x.in.Family == ptx.FamilyMemory && x.in.Vector.Tensor != nil
	x.k.cta.s.global.marks(at, int(x.a.Bytes), func(m *mark) bool {
		switch {
		case isMap && m.by != nil && x.k.cta.acquired <= m.time:
			x.fail(int(x.w.bulkLane), "line %d has changed the tensor map at %#x in this launch: "+
				"fence.proxy.tensormap::generic.acquire must come before its use",
				x.w.kernel.Code[m.at].Line, at)
		case isMap:
		case reads && !writes && m.written != nil && !m.written.ended(false):
			x.unwaited(lane, at, m.written)
		case reads && !writes && x.async:
			x.fenced(lane, at, m, &x.k.fencedGlobal)
		}
		x.note(m, lane, op, writes)
		return x.fault == nil
	})
}

// wrote reports whether the launch has written some of these bytes.
func (s *Marks) wrote(at uint64, n int) bool {
	for word := at / wordBytes; word*wordBytes < at+uint64(n); word++ {
		page := s.global[word/shadowWords]
		if page == nil {
			continue
		}
		if m := &page[word%shadowWords]; m.by != nil || m.written != nil {
			return true
		}
	}
	return false
}

// mbarrier looks at an operation on an mbarrier object.
func (x *sanitizedAccess) mbarrier(lane int, c *CTA, at uint64) {
	code := x.in.Atomic.Code
	b, operand := x.w.AtomicOperands(x.a, lane)
	var live *liveBarrier
	c.checks.shared.marks(at, wordBytes, func(m *mark) bool { live = m.barrier; return true })
	set := func(to *liveBarrier) {
		c.checks.shared.marks(at, 2*wordBytes, func(m *mark) bool { *m = mark{barrier: to}; return true })
	}
	switch {
	case code == ptx.MbarrierInit && live != nil:
		x.fail(lane, "the mbarrier at %#x of shared memory has been initialized in line %d: mbarrier.inval must come "+
			"first", at, live.line)
		return
	case code == ptx.MbarrierInit:
		live = &liveBarrier{line: x.in.Line, by: x.k, time: x.k.cta.s.time}
		set(live)
	case live == nil:
		x.fail(lane, "the mbarrier at %#x of shared memory is not initialized", at)
		return
	case !x.initialized(lane, c, at, live):
		return
	case code == ptx.MbarrierInvalidate:
		set(nil)
	case code == ptx.MbarrierTest && arith.MbarrierDifferent(live.state, b) != 0,
		code == ptx.MbarrierTestParity && arith.MbarrierPassed(live.state, b) != 0:
		live.observed = live.phases
		x.k.order.heard = max(x.k.order.heard, live.ended)
	}
	if code == ptx.MbarrierComplete {
		x.complete(lane, c, live)
	}
	before := live.state
	live.state = arith.ApplyAtomic(x.in.Atomic, before, b, operand)
	if code != ptx.MbarrierInit && arith.MbarrierDifferent(before, live.state) != 0 {
		live.phases++
		x.k.cta.s.time++
		live.ended = x.k.cta.s.time
	}
}

// complete gives a thread's copies to a CTA the phase in which they are reported.
func (x *sanitizedAccess) complete(lane int, c *CTA, live *liveBarrier) {
	elsewhere := false
	for _, o := range x.k.copies {
		if o.lane != lane {
			continue
		}
		switch o.cta {
		case nil:
			o.barrier, o.phase = live, live.phases
		case c.checks:
			o.barrier, o.phase = live, live.phases
			return
		default:
			elsewhere = true
		}
	}
	if elsewhere {
		x.fail(lane, "the mbarrier lies in the shared memory of CTA %d of the cluster, and the destination in "+
			"another one's", c.Rank)
	}
}

// groupReads marks the shared memory that wgmma.mma_async reads.
type groupReads struct {
	x  sanitizedAccess
	op *operation
}

// newGroupReads prepares the marks of an operation of the warp group of w.
func (w *Warp) newGroupReads(members *[ptx.GroupWarps]*Warp) *groupReads {
	if w.checks == nil {
		return nil
	}
	in := &w.kernel.Code[w.PC]
	op := &operation{at: w.PC, line: in.Line, by: w.checks, group: w.groups.committed + 1}
	own := [ptx.MaxLanes]uint32{}
	for _, m := range members {
		op.members = append(op.members, m.checks)
		own[0] = max(own[0], latest(&m.checks.fencedShared))
	}
	k := *w.checks
	k.fencedShared = own
	return &groupReads{sanitizedAccess{w: w, k: &k, a: &ptx.Access{PC: w.PC}, in: in, async: true}, op}
}

// read looks at 16 bytes. It reports whether they may be read; the fault belongs to the warp.
func (g *groupReads) read(at int) bool {
	if g == nil {
		return true
	}
	x := &g.x
	x.w.CTA.checks.shared.marks(uint64(at), 16, func(m *mark) bool {
		if m.written != nil && !m.written.ended(false) {
			x.unwaited(0, uint64(at), m.written)
		}
		g.ordered(at, m)
		x.fenced(0, uint64(at), m, &x.k.fencedShared)
		m.read = g.op
		return x.fault == nil
	})
	if x.fault != nil {
		x.w.fault = x.fault
	}
	return x.fault == nil
}
