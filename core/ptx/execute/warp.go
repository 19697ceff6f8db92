package execute

import (
	"math/bits"
	"unsafe"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// Warp is the architectural state of 32 threads. Its registers are slots of 32
// lanes: a 32-bit register takes one, a 64-bit register two, as [32]uint64.
//
// A large GPU has thousands of warps, too many for the host's caches. What every instruction reads therefore
// lies in the first 64 bytes, and the predicates lie in front of the shapes.
type Warp struct {
	base       unsafe.Pointer // of registers
	shapes     unsafe.Pointer // of shapeFile
	kernel     *ptx.Kernel
	launch     *ptx.Launch
	predicates unsafe.Pointer // in front of the shapes
	warpState

	CTA       *CTA
	registers []uint64
	shapeFile []shape // of each slot

	stack  []stackEntry
	frames []callFrame
	apart  *apart                 // nil until the lanes first run apart
	look   *look                  // nil until a path has made many turns
	zeros  []shape                // its first shapes, from slot FirstVariable of the kernel on
	work   *tensorWork            // nil until the first copy with a tensor map
	saved  []uint32               // registers of outer activations of recursive functions
	rows   [][ptx.MaxLanes]uint32 // arguments on their way
	held   []groupHold            // by score id: registers in use by wgmma.mma_async
	checks *warpChecks            // nil without a sanitizer
	fault  *Fault
}

// warpState is what changes in a warp and is copied by assignment.
type warpState struct {
	// PC is the instruction Execute runs next.
	PC      int32
	active  uint32 // lanes that execute
	join    int32  // PC where the top of the stack is popped
	pending uint32 // lanes of a generic access that are still to be done
	waiting bool
	barrier uint8
	// groupsOpen says that registers are in use by wgmma.mma_async, inGroup that the warp waits for its warp group.
	groupsOpen, inGroup bool

	// A copy in bulk: the lanes whose blocks are still to be moved, the one whose block is, and how much of it has been.
	bulkLanes uint32
	bulkLane  uint8
	bulkAhead bool // reads are for parts that come after those in the registers
	bulkAt    uint32

	// Index is the number of the warp in its CTA.
	Index    int
	rowLanes int // lanes of a row of shapes
	// The last column and row.
	lastColumn, lastRow int64
	localBase           uint32 // of the current activation of a recursive function
	localNext           uint32 // of the next one
	lanes               uint32 // threads that have not exited

	barrierKind  int32
	barrierCount int
	barrierPC    int32
	barrierTrue  uint32
	barrierLanes uint32
	phase        uint32
	// Lanes that have arrived at barrier.cluster and not waited, and the phase in which they arrived.
	clusterArrived, clusterPhase uint32

	groups groupCounts
	turning
}

// stackAtFirst is for how many entries a warp's stack has room from the start [ours]. Each divergent branch needs two.
const stackAtFirst = 8

// NewWarp returns a warp for kernel k, to be Reset before use.
func NewWarp(k *ptx.Kernel) *Warp { return &NewWarps(k, 1)[0] }

// NewWarps returns n warps for kernel k, each to be Reset before use. What they have of the same kind lies together.
func NewWarps(k *ptx.Kernel, n int) []Warp {
	const predicatesInShape = int(unsafe.Sizeof(shape{}) / unsafe.Sizeof(uint32(0)))
	before := (k.Predicates + predicatesInShape - 1) / predicatesInShape
	shapes, registers := before+k.RegisterSlots, (k.RegisterSlots*ptx.MaxLanes+1)/2
	allShapes, allRegisters, stacks := make([]shape, n*shapes), make([]uint64, n*registers), make([]stackEntry, n*stackAtFirst)
	warps, zeros := make([]Warp, n), zeroShapes(k)
	for i := range warps {
		w := &warps[i]
		file := allShapes[i*shapes : (i+1)*shapes : (i+1)*shapes]
		w.kernel, w.registers, w.shapeFile = k, allRegisters[i*registers:(i+1)*registers:(i+1)*registers], file[before:]
		w.zeros = zeros
		w.stack = stacks[i*stackAtFirst : i*stackAtFirst : (i+1)*stackAtFirst]
		w.predicates = unsafe.Pointer(unsafe.SliceData(file))
		w.base = unsafe.Pointer(unsafe.SliceData(w.registers))
		w.shapes = unsafe.Pointer(unsafe.SliceData(w.shapeFile))
		w.constants()
	}
	return warps
}

// zeroShapes returns the shapes of registers that are zero, as a warp begins.
func zeroShapes(k *ptx.Kernel) []shape {
	zeros := make([]shape, k.RegisterSlots-k.FirstVariable)
	for _, s := range k.Shaped {
		f := formWord
		if s.Wide {
			f = formLong
		}
		zeros[s.Offset/ptx.SlotBytes-uint32(k.FirstVariable)].setForm(f)
	}
	return zeros
}

// constants writes the registers that do not change. The slots before them are zero in all lanes.
func (w *Warp) constants() {
	for i := range w.shapeFile[:ptx.FirstSlot] {
		w.shapeFile[i].setForm(formBoth)
	}
	for _, c := range w.kernel.Constants {
		w.shape(c.Offset).set(formBoth, c.Value, 0, 0)
		if c.Wide {
			d := w.u64(c.Offset)
			for i := range d {
				d[i] = c.Value
			}
		} else {
			d, v := w.u32(c.Offset), uint32(c.Value)
			for i := range d {
				d[i] = v
			}
		}
	}
}

// words returns the register file as 32-bit words.
func (w *Warp) words() []uint32 {
	return unsafe.Slice((*uint32)(w.base), 2*len(w.registers))
}

// Reset makes w warp number index of c, at the first instruction.
func (w *Warp) Reset(l *ptx.Launch, c *CTA, index int) {
	w.CTA, w.Index, w.launch = c, index, l
	w.zeroRegisters()
	clear(w.predicateFile())
	*w.predicate(ptx.TruePred) = ptx.FullMask
	threads := min(ptx.MaxLanes, l.Threads()-index*ptx.MaxLanes)
	w.lanes = ptx.FullMask >> (ptx.MaxLanes - threads)
	w.fixedRegisters(index * ptx.MaxLanes)
	w.PC, w.active, w.join = 0, w.lanes, ptx.NoJoin
	w.stack, w.frames, w.saved = w.stack[:0], w.frames[:0], w.saved[:0]
	w.turning = turning{}
	if w.apart != nil {
		*w.apart = apart{paths: w.apart.paths[:0], joins: w.apart.joins[:0]}
	}
	w.localBase, w.localNext, w.pending, w.fault, w.waiting = 0, 0, 0, nil, false
	w.bulkLanes, w.bulkAt, w.bulkAhead = 0, 0, false
	w.groupsOpen, w.inGroup, w.groups = false, false, groupCounts{}
	clear(w.held)
	w.clusterArrived, w.clusterPhase, w.barrierKind = 0, 0, ptx.BarrierSync
}

// zeroRegisters makes all registers zero that may change. Those that may have a shape are zero in it:
// a warp of a large GPU often ends before anything looks at the lanes of most of them.
func (w *Warp) zeroRegisters() {
	k := w.kernel
	copy(w.shapeFile[k.FirstVariable:], w.zeros)
	words := w.words()
	for _, run := range k.Cleared {
		clear(words[run[0]*ptx.MaxLanes : run[1]*ptx.MaxLanes])
	}
}

// fixedRegisters gives the special registers that never change their values.
func (w *Warp) fixedRegisters(first int) {
	l := w.launch
	thread := l.Thread(first)
	// In a row of shapes all x follow one another, and y is the same.
	w.rowLanes = ptx.MaxLanes
	x := l.Block[0]
	inRows := thread[0]+ptx.MaxLanes <= x
	if !inRows && x < ptx.MaxLanes && x&(x-1) == 0 {
		w.rowLanes = int(x)
		inRows = thread[1]+ptx.MaxLanes/x <= l.Block[1]
	}
	w.lastColumn, w.lastRow = int64(w.rowLanes-1), int64(ptx.MaxLanes/w.rowLanes-1)
	down := int64(arith.Bit(w.rowLanes < ptx.MaxLanes)) // what y grows by from row to row
	for _, f := range w.kernel.Fixed {
		s := w.shape(f.Offset)
		switch {
		case !f.Special.PerLane():
			s.set(formWord, uint64(fixedSpecial(f.Special, l, w.CTA, thread, 0)), 0, 0)
		case f.Special == ptx.SpecialLaneID:
			s.set(formWord, 0, 1, down*int64(w.rowLanes))
		case inRows && f.Special == ptx.SpecialTIDX:
			s.set(formWord, uint64(thread[0]), 1, 0)
		case inRows && f.Special == ptx.SpecialTIDY:
			s.set(formWord, uint64(thread[1]), 0, down)
		case inRows && f.Special == ptx.SpecialTIDZ:
			s.set(formWord, uint64(thread[2]), 0, 0)
		default:
			s.setForm(formLanes)
			w.fixedLanes(f, thread)
		}
	}
}

// fixedLanes gives a special register its values lane by lane. Few warps need that, and its list of threads is long.
func (w *Warp) fixedLanes(f ptx.FixedSlot, first [3]uint32) {
	var threads [ptx.MaxLanes][3]uint32
	w.threads(&threads, first)
	d := w.u32(f.Offset)
	for i := range d {
		d[i] = fixedSpecial(f.Special, w.launch, w.CTA, threads[i], i)
	}
}

// threads fills in the coordinates of the lanes, which follow one another.
func (w *Warp) threads(list *[ptx.MaxLanes][3]uint32, t [3]uint32) {
	for i := range list {
		list[i] = t
		t[0]++
		if t[0] == w.launch.Block[0] {
			t[0] = 0
			if t[1]++; t[1] == w.launch.Block[1] {
				t[1] = 0
				t[2]++
			}
		}
	}
}

// Next returns the instruction Execute will run.
func (w *Warp) Next() *ptx.Instr { return &w.kernel.Code[w.PC] }

// Kernel returns the kernel the warp runs.
func (w *Warp) Kernel() *ptx.Kernel { return w.kernel }

// ActiveMask returns the lanes that will execute the next instruction, before
// its guard.
func (w *Warp) ActiveMask() uint32 { return w.active }

// Exited reports whether all lanes have left the kernel.
func (w *Warp) Exited() bool { return w.lanes == 0 }

// Fault returns what went wrong, or nil.
func (w *Warp) Fault() *Fault { return w.fault }

// The register file is addressed by byte offset. Offsets come from the compiler
// alone, so they need no bounds check.

func (w *Warp) u32(offset uint32) *[32]uint32 {
	return (*[32]uint32)(unsafe.Add(w.base, offset))
}

func (w *Warp) u64(offset uint32) *[32]uint64 {
	return (*[32]uint64)(unsafe.Add(w.base, offset))
}

// predicate returns the lanes of a predicate. Its number comes from the compiler, too.
func (w *Warp) predicate(number uint32) *uint32 {
	return (*uint32)(unsafe.Add(w.predicates, 4*number))
}

// predicateFile returns all predicates.
func (w *Warp) predicateFile() []uint32 {
	return unsafe.Slice((*uint32)(w.predicates), w.kernel.Predicates)
}

func asFloats(p *[32]uint32) *[32]float32 { return (*[32]float32)(unsafe.Pointer(p)) }

func asWords(p *[32]float32) *[32]uint32 { return (*[32]uint32)(unsafe.Pointer(p)) }

func asInts(p *[32]uint32) *[32]int32 { return (*[32]int32)(unsafe.Pointer(p)) }

func asDoubles(p *[32]uint64) *[32]float64 { return (*[32]float64)(unsafe.Pointer(p)) }

func asLongInts(p *[32]uint64) *[32]int64 { return (*[32]int64)(unsafe.Pointer(p)) }

// lane reads one lane of an operand.
func (w *Warp) lane(offset uint32, wide bool, i int) uint64 {
	if wide {
		return w.u64(offset)[i]
	}
	return uint64(w.u32(offset)[i])
}

// setLane writes one lane of a result.
func (w *Warp) setLane(offset uint32, wide bool, i int, v uint64) {
	if wide {
		w.u64(offset)[i] = v
	} else {
		w.u32(offset)[i] = uint32(v)
	}
}

// blend copies the lanes of mask.
func blend[T uint32 | uint64](d, s *[32]T, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		d[i] = s[i]
	}
}

// HandOver lets c carry out the copy in bulk of some instructions that w comes to, and w goes on after it. It returns
// how many lanes copy; c is left alone if none does.
func (w *Warp) HandOver(c *Warp, instructions int32) (lanes int) {
	in := &w.kernel.Code[w.PC]
	mask := w.active
	if in.Guard != ptx.TruePred || in.GuardFlip != 0 {
		mask &= *w.predicate(in.Guard) ^ in.GuardFlip
	}
	if mask != 0 {
		c.CTA, c.launch = w.CTA, w.launch
		copy(c.registers, w.registers)
		copy(c.shapeFile, w.shapeFile)
		copy(c.predicateFile(), w.predicateFile())
		c.warpState = w.warpState
		c.waiting, c.groupsOpen, c.inGroup, c.turning = false, false, false, turning{}
		c.join, c.stack, c.frames, c.saved, c.apart, c.fault = ptx.NoJoin, c.stack[:0], c.frames[:0], c.saved[:0], nil, nil
		if c.work != nil {
			c.work.current = false
		}
	}
	w.PC += instructions - 1
	w.advance()
	return bits.OnesCount32(mask)
}
