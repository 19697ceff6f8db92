package execute

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
)

// sanitizer finds what PTX leaves undefined and a GPU does in silence: work of the asynchronous proxy (copies in bulk,
// operands of wgmma) that program order does not order. It judges by the order in which the functional run executes, so
// it reports no program whose waits and fences are right; a missing one that this order hides is not found.
type sanitizer struct {
	time   uint32 // fences between proxies, and waits for other warps, so far
	global shadow
	before *Marks // nil without a launch that may not have ended
}

// Marks say what a launch has written to global memory.
type Marks struct{ global shadow }

// ctaChecks is what a sanitizer knows of a CTA.
type ctaChecks struct {
	s      *sanitizer
	shared shadow
	// acquired is when tensor maps were acquired last.
	acquired uint32
	waited   bool                          // for the launch before: griddepcontrol.wait
	released [ptx.MaxBarriersPerCTA]uint32 // when each barrier has let its warps go on last
}

// warpChecks is what a sanitizer knows of a warp.
type warpChecks struct {
	cta   *ctaChecks
	index int
	// Times of the last fence.proxy.async of each lane, on shared and on global memory.
	fencedShared, fencedGlobal [ptx.MaxLanes]uint32
	bulk                       [ptx.MaxLanes]bulkGroups
	copies                     []*operation // of a copy whose bytes have not been reported
	// accessed has, for each score id, the instruction after the one that used it since wgmma.fence; 0 is none.
	accessed []int32
	fenced   bool // by wgmma.fence
	finished uint32
	order    warpOrder
}

// bulkGroups are those of a thread: how many it has committed, how many have ended, and how many have read their
// sources.
type bulkGroups struct {
	committed, ended, read uint32
	line                   int32 // of the last operation that no group has; 0 = none
}

// operation is something that the asynchronous proxy does, and a wait that tells of its end.
type operation struct {
	at   int32 // instruction
	line int32
	by   *warpChecks
	lane int
	cta  *ctaChecks // whose shared memory it writes, nil for a source
	adds bool       // it is a reduction: others may add to the same place meanwhile
	// One of these: the phase of an mbarrier, a group of a thread, or one of a warp group.
	barrier *liveBarrier
	phase   uint64
	group   uint32
	members []*warpChecks
}

// liveBarrier is an mbarrier object between its init and its inval.
type liveBarrier struct {
	state uint64
	line  int32
	by    *warpChecks // which has initialized it
	time  uint32
	ended uint32 // the time, of the last phase
	// phases have ended, and observed of them are known to some thread.
	phases, observed uint64
}

// ended reports whether somebody knows that the operation has ended, or at least has read its sources.
func (o *operation) ended(sources bool) bool {
	switch {
	case len(o.members) > 0:
		return slices.ContainsFunc(o.members, func(w *warpChecks) bool { return w.finished >= o.group })
	case o.group > 0 && sources:
		return o.by.bulk[o.lane].read >= o.group
	case o.group > 0:
		return o.by.bulk[o.lane].ended >= o.group
	}
	return o.barrier != nil && o.barrier.observed > o.phase
}

// wait names what tells of the end.
func (o *operation) wait() string {
	switch {
	case len(o.members) > 0:
		return "wgmma.wait_group"
	case o.group > 0:
		return "cp.async.bulk.wait_group"
	}
	return "its mbarrier"
}

// mark is what a sanitizer knows of four bytes of memory.
type mark struct {
	written *operation // the last write, if it is asynchronous
	read    *operation // the last asynchronous read
	// The last write by an instruction: the warp, nil without one, the lane, the instruction, and when.
	by      *warpChecks
	lane    uint8
	at      int32
	time    uint32
	reader  *warpChecks // of the last read by an instruction; nil without one
	readAt  int32
	readIn  uint32       // the time
	barrier *liveBarrier // of which these bytes are a part
}

// shadow has marks of memory.
type shadow map[uint64]*[shadowWords]mark

const (
	shadowWords = 256 // of a page [ours]
	wordBytes   = 4
)

// marks yields the marks of some bytes.
func (s shadow) marks(at uint64, n int, yield func(m *mark) bool) bool {
	for word := at / wordBytes; word*wordBytes < at+uint64(n); word++ {
		page := s[word/shadowWords]
		if page == nil {
			page = new([shadowWords]mark)
			s[word/shadowWords] = page
		}
		if !yield(&page[word%shadowWords]) {
			return false
		}
	}
	return true
}

// attach begins to check a CTA.
func (s *sanitizer) attach(c *heldCTA) {
	checks := &ctaChecks{s: s, shared: shadow{}}
	c.group.checks = checks
	for i, w := range c.warps {
		w.checks = &warpChecks{cta: checks, index: i, accessed: make([]int32, w.kernel.ScoreIDs)}
		if w.held == nil {
			w.held = make([]groupHold, w.kernel.ScoreIDs)
		}
		w.groupsOpen = true // every instruction is looked at
	}
}

// before looks at an instruction that the lanes of mask are about to execute. It reports whether it is legal.
func (k *warpChecks) before(w *Warp, in *ptx.Instr, mask uint32) bool {
	s := k.cta.s
	if lane, ok := k.inOrder(w, in, mask); !ok {
		w.fault = w.sanitized(w.PC, lane, "the thread is not in the member mask of the instruction it executes")
		return false
	}
	switch {
	case in.Family == ptx.FamilyControl && in.Op == ptx.ControlExit:
		return k.exits(w, mask)
	case in.Flags&ptx.FlagAligned != 0 && !w.together(mask):
		w.fault = w.sanitized(w.PC, bits.TrailingZeros32(mask)&31, "%d threads of the warp execute an .aligned "+
			"instruction, and others are elsewhere: all must execute it together",
			bits.OnesCount32(mask))
		return false
	case in.Family == ptx.FamilyControl && in.Op == ptx.ControlRegisters && !w.kernel.RegistersKnown():
		w.fault = w.sanitized(w.PC, 0, "setmaxnreg has no effect in a kernel whose number of registers is open: "+
			"give it .maxnreg, .maxntid or .reqntid")
		return false
	case in.Family == ptx.FamilyControl && in.Op == ptx.ControlFence && in.Imm>>8 != 0:
		s.time++
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if in.Imm&ptx.FenceAsyncShared != 0 {
				k.fencedShared[i] = s.time
			}
			if in.Imm&ptx.FenceAsyncGlobal != 0 {
				k.fencedGlobal[i] = s.time
			}
		}
		if in.Imm&ptx.FenceTensorMap != 0 && mask != 0 {
			k.cta.acquired = s.time
		}
	case in.Family == ptx.FamilyControl && in.Op == ptx.ControlBulkGroup && in.Target == ptx.GridWait:
		k.cta.waited = true
	case in.Family == ptx.FamilyControl && in.Op == ptx.ControlBulkGroup:
		k.bulkGroup(in, mask)
	case in.Family == ptx.FamilyMatrix && in.Op == ptx.MatrixTogether && in.Imm != 0:
		clear(k.accessed)
		k.fenced = true
	case in.Family == ptx.FamilyMatrix && in.Op == ptx.MatrixGroup:
		return k.groupRegisters(w, in)
	case in.Family == ptx.FamilyControl && (in.Op == ptx.ControlCall || in.Op == ptx.ControlReturn):
	default:
		k.access(in, w.PC)
	}
	return true
}

// bulkGroup is cp.async.bulk.commit_group or wait_group.
func (k *warpChecks) bulkGroup(in *ptx.Instr, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		g := &k.bulk[bits.TrailingZeros32(m)&31]
		open := uint32(min(in.Imm, uint64(g.committed)))
		switch in.Target {
		case ptx.BulkCommit:
			g.committed++
			g.line = 0
		case ptx.BulkWait:
			g.ended = max(g.ended, g.committed-open)
			fallthrough
		case ptx.BulkWaitRead:
			g.read = max(g.read, g.committed-open)
		}
	}
}

// access notes the registers of an instruction. A move hands on what its source has: compilers move registers between
// wgmma.fence and wgmma.mma_async, and the assembler removes these moves.
func (k *warpChecks) access(in *ptx.Instr, pc int32) {
	at := pc + 1
	if in.Family == ptx.FamilyWord && in.Op == ptx.WordMove && len(in.Deps) == 2 && len(in.Writes) == 1 {
		from := in.Deps[0]
		if from == in.Writes[0] {
			from = in.Deps[1]
		}
		k.accessed[in.Writes[0]] = k.accessed[from]
		return
	}
	for _, id := range in.Deps {
		k.accessed[id] = at
	}
}

const groupFence = "wgmma.fence must stand between the two: without it wgmma may use the registers too early"

// groupRegisters checks the registers of wgmma.mma_async.
func (k *warpChecks) groupRegisters(w *Warp, in *ptx.Instr) bool {
	if !k.fenced {
		w.faultAt(w.PC, 0, "sanitizer: no wgmma.fence has been executed before the first wgmma.mma_async")
		return false
	}
	o := in.Vector.Group
	for _, list := range [][]uint16{in.Writes, in.Vector.Held} {
		for _, id := range list {
			at := k.accessed[id]
			if at == 0 {
				continue
			}
			before := &w.kernel.Code[at-1]
			if before.Family == ptx.FamilyMatrix && before.Op == ptx.MatrixGroup {
				p := before.Vector.Group
				sameShape := p.N == o.N && p.A == o.A && p.B == o.B && p.D == o.D && p.Sparse == o.Sparse
				if sameShape && slices.Contains(in.Writes, id) && slices.Contains(before.Writes, id) {
					continue
				}
			}
			w.faultAt(w.PC, 0, "sanitizer: line %d uses a register of this wgmma.mma_async: "+groupFence, before.Line)
			return false
		}
	}
	for _, id := range in.Writes {
		k.accessed[id] = w.PC + 1
	}
	return true
}

// sanitized makes a fault of what a sanitizer says.
func (w *Warp) sanitized(pc int32, lane int, format string, args ...any) *Fault {
	return w.faultOf(pc, lane, "sanitizer: "+fmt.Sprintf(format, args...))
}
