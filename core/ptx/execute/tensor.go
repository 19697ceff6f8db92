package execute

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// tensorSharedAlign is what the address of a box in shared memory is a multiple of (PTX ISA, cp.async.bulk.tensor).
const tensorSharedAlign = 128

// tensorWork is the copy of the lane under way. It follows from registers, so it is no part of a warp's state.
type tensorWork struct {
	lane    uint8
	current bool
	wrong   string // with the map; the rest is empty then
	m       ptx.TensorMap
	box     ptx.TensorBox
}

// tensor is an instruction of the row that ptx.TensorOp describes: it works for lane bulkLane, and lane i of the hidden
// registers of the first part has unit bulkAt+i of the box.
func (w *Warp) tensor(e *Env, in *ptx.Instr, mask uint32) Effect {
	if in.Op == ptx.MemoryTensorMap {
		return w.tensorMap(e, in, mask)
	}
	if in.Flags&ptx.FlagShaped != 0 {
		w.settleAccess(in)
	}
	t, reads := in.Vector.Tensor, in.Op == ptx.MemoryTensorRead
	x := w.tensorWork(in)
	a, o, lane := &e.Access, in.Mem, int(w.bulkLane)
	a.Kind, a.Space, a.Operator, a.PC = o.Kind, o.Space, o.Operator, w.PC
	a.Bytes = o.Bytes * o.Count
	a.RowLanes, a.FirstOnly = 0, false
	place := (in.Target - 2) % (2 * t.Depth())
	if !reads {
		place -= t.Depth()
	}
	at := w.partAt(place, t.Depth(), reads, ptx.MaxLanes)
	n := uint32(min(x.box.Units()-uint64(at), ptx.MaxLanes))
	a.Mask = uint32(uint64(1)<<n - 1)
	e.Lanes = 1
	if t.Load == reads {
		w.tensorGlobal(a, in, x, at, n)
	} else if !w.tensorShared(a, in, x, at, n, lane) {
		return EffectFault
	}
	switch {
	case w.nextPart(place, t.Depth(), reads, at+n, ptx.MaxLanes, uint32(x.box.Units())):
	case w.bulkLanes != 0:
		w.PC -= in.Target // the next lane's map
	default:
		w.tensorEnd(in)
	}
	if a.Mask == 0 {
		return EffectNone
	}
	return EffectMemory
}

func (w *Warp) tensorEnd(in *ptx.Instr) {
	if t := in.Vector.Tensor; t != nil {
		w.PC += t.Row() - 1 - in.Target
	}
	w.advance()
}

// mapRead goes on after the map of a lane: with its copy, or, of a prefetch, with the next lane.
func (w *Warp) mapRead(in *ptx.Instr) {
	if in.Vector.Tensor == nil {
		if w.bulkLanes &= w.bulkLanes - 1; w.bulkLanes != 0 {
			return
		}
	}
	w.advance()
}

// TensorMap is the hidden register with the words of the map that an instruction reads, one in each lane.
func (w *Warp) TensorMap(in *ptx.Instr) *[ptx.MaxLanes]uint32 {
	w.arrived(in.Mem, ptx.FullMask)
	return w.u32(in.Mem.Regs[0])
}

// tensorMap reads the map of the next lane, a word into each lane of a hidden register.
func (w *Warp) tensorMap(e *Env, in *ptx.Instr, mask uint32) Effect {
	if w.bulkLanes == 0 {
		w.bulkLanes, w.bulkAt = mask, 0
	}
	if w.bulkLanes == 0 {
		w.tensorEnd(in)
		return EffectNone
	}
	w.bulkLane = uint8(bits.TrailingZeros32(w.bulkLanes))
	if w.work == nil {
		w.work = &tensorWork{}
	}
	w.work.current = false
	at, space := w.laneAddress(in, int(w.bulkLane)), in.Mem.Space
	if space == ptx.SpaceGeneric {
		at, space = windowOf(at)
	}
	if at%ptx.TensorMapAlign != 0 {
		w.faultAt(w.PC, 0, "the address of the tensor map, %#x, is not a multiple of %d", at, ptx.TensorMapAlign)
		return EffectFault
	}
	switch space {
	case ptx.SpaceParam:
		return w.tensorMapFrom(in, w.launch.Params, at, "parameters")
	case ptx.SpaceConst:
		return w.tensorMapFrom(in, w.kernel.Const, at, "constant memory")
	case ptx.SpaceGlobal:
	default:
		w.faultAt(w.PC, 0, "a tensor map lies in global or constant memory or is a parameter: this one is at %#x", at)
		return EffectFault
	}
	a := &e.Access
	a.Kind, a.Space, a.Operator, a.PC, a.Bytes = ptx.AccessLoad, space, in.Mem.Operator, w.PC, 4
	a.RowLanes, a.FirstOnly, a.Mask = 0, false, ptx.FullMask
	for i := range a.Addr {
		a.Addr[i] = at + 4*uint64(i)
	}
	w.mapRead(in)
	return EffectMemory
}

// tensorMapFrom reads a map from a bank.
func (w *Warp) tensorMapFrom(in *ptx.Instr, bank []byte, at uint64, space string) Effect {
	if size := uint64(len(bank)); at >= size || size-at < ptx.TensorMapBytes {
		w.faultAt(w.PC, 0, "a tensor map at byte %d of the %s, which have %d bytes", at, space, size)
		return EffectFault
	}
	d := w.TensorMap(in)
	for i := range d {
		d[i] = binary.LittleEndian.Uint32(bank[at+4*uint64(i):])
	}
	w.mapRead(in)
	return EffectNone
}

// windowOf resolves a generic address.
func windowOf(at uint64) (uint64, ptx.Space) {
	if at-ptx.SharedWindow >= ptx.WindowsEnd-ptx.SharedWindow {
		return at, ptx.SpaceGlobal
	}
	return at & (ptx.WindowBytes - 1), [...]ptx.Space{ptx.SpaceShared, ptx.SpaceLocal, ptx.SpaceParam,
		ptx.SpaceConst}[at/ptx.WindowBytes-1]
}

// tensorWork returns the copy of the lane under way.
func (w *Warp) tensorWork(in *ptx.Instr) *tensorWork {
	if w.work == nil { // the warp's state has been loaded
		w.work = &tensorWork{}
	}
	x := w.work
	if x.current && x.lane == w.bulkLane {
		return x
	}
	var b [ptx.TensorMapBytes]byte
	for i, v := range w.u32(in.Vector.Regs[0]) {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	t, lane, most := in.Vector.Tensor, int(w.bulkLane), uint64(tensorUnitMax)
	ok := false
	x.m, ok = ptx.DecodeTensorMap(&b)
	if x.wrong = x.m.Check(); !ok {
		x.wrong = "the 128 bytes at the address hold other data"
	}
	if x.wrong != "" {
		return x
	}
	var at [5]int32
	var offsets [3]uint16
	for i := range t.Rank {
		at[i] = int32(w.value(in.Vector.Regs[1+i], false, lane))
	}
	for i, r := range in.Vector.Regs[1+t.Rank:] {
		offsets[i] = uint16(w.value(r, false, lane))
	}
	if t.Reduce != ptx.AtomicNone {
		most = uint64(x.m.Type.Bytes())
	}
	x.box = ptx.NewTensorBox(&x.m, at, offsets, most)
	x.lane, x.current = w.bulkLane, true
	return x
}

const tensorUnitMax = 16 // bytes: the largest access of a lane

// tensorPick checks the map that has been read, notes how many bytes the box has, and goes on with the pair for its
// units.
func (w *Warp) tensorPick(in *ptx.Instr) Effect {
	if w.bulkLanes == 0 {
		w.tensorEnd(in)
		return EffectNone
	}
	lane, t, x := int(w.bulkLane), in.Vector.Tensor, w.tensorWork(in)
	m := &x.m
	fault := func(format string, args ...any) Effect {
		w.faultAt(w.PC, lane, "tensor map: "+format, args...)
		return EffectFault
	}
	mode := ptx.TensorModes[0]
	if m.Im2col {
		mode = ptx.TensorModes[1]
	}
	switch {
	case x.wrong != "":
		return fault("%s", x.wrong)
	case m.Rank != t.Rank:
		return fault("it has %d dimensions, and the instruction is .%dd", m.Rank, t.Rank)
	case m.Im2col != t.Im2col:
		return fault("its mode is %s, which is not the mode of the instruction", mode)
	}
	if n := uint64(len(w.CTA.Shared)); x.box.SharedBytes() > n {
		return fault("a box takes %d bytes of shared memory, and a CTA has %d", x.box.SharedBytes(), n)
	}
	pair := -1
	for i, p := range t.Pairs {
		if t.Reduce != ptx.AtomicNone && p == reducedAs(t.Reduce, m.Type.Scalar()) ||
			t.Reduce == ptx.AtomicNone && uint64(p.Bytes()) == x.box.Unit {
			pair = i
		}
	}
	if pair < 0 {
		return fault("elements of type %s have no such reduction", ptx.TensorTypes[m.Type])
	}
	w.u32(in.D)[lane] = uint32(x.box.Bytes())
	w.PC += 2 * t.Depth() * int32(pair) // the reads and writes follow
	w.advance()
	return EffectNone
}

// reducedAs returns the type whose operation a reduction is: logic works on bits.
func reducedAs(code ptx.AtomicCode, t ptx.Scalar) ptx.Scalar {
	if code <= ptx.AtomicXor {
		switch {
		case t.IsFloat() || t.IsHalf():
		case t.Bits() == 32:
			return ptx.TypeB32
		case t.Bits() == 64:
			return ptx.TypeB64
		}
		return ptx.TypeNone
	}
	return t
}

// tensorGlobal forms the addresses in global memory. What lies out of bounds is neither read nor written; a read
// fills it.
func (w *Warp) tensorGlobal(a *ptx.Access, in *ptx.Instr, x *tensorWork, first, n uint32) {
	outside := uint32(0)
	for i := range n {
		at, ok := x.box.Global(uint64(first + i))
		if a.Addr[i&31] = at; !ok {
			outside |= 1 << i
		}
	}
	a.Mask &^= outside
	if a.Kind != ptx.AccessLoad || outside == 0 {
		return
	}
	w.arrived(in.Mem, ptx.FullMask)
	fill := uint64(0)
	if x.m.FillNaN {
		for k := 0; k < 64; k += 8 * x.m.Type.Bytes() {
			fill |= x.m.Type.NaN() << k
		}
	}
	for k := range int(in.Mem.Count) {
		d := w.u32(in.Mem.Regs[k])
		v := uint32(fill >> (32 * (k & 1)) & (1<<(8*in.Mem.Bytes) - 1))
		for m := outside; m != 0; m &= m - 1 {
			d[bits.TrailingZeros32(m)&31] = v
		}
	}
}

// tensorShared forms the addresses in shared memory. It returns false after a fault.
func (w *Warp) tensorShared(a *ptx.Access, in *ptx.Instr, x *tensorWork, first, n uint32, lane int) bool {
	base := uint64(uint32(w.laneAddress(in, lane)))
	if base%tensorSharedAlign != 0 {
		w.faultAt(w.PC, lane, "copy of a tensor: the address %#x of shared memory is not a multiple of %d", base,
			tensorSharedAlign)
		return false
	}
	for i := range n {
		a.Addr[i&31] = x.box.Shared(base, uint64(first+i))
	}
	return true
}
