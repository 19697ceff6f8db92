package ptx

import (
	"math/bits"
	"unsafe"

	"github.com/burstscope/burstscope/core/mem"
)

// Env is what a warp needs to know from outside to execute, and what it tells
// about the instruction it has executed.
type Env struct {
	// Access is filled in when Execute returns EffectMemory.
	Access Access
	// Lanes is how many lanes executed the instruction, after the guard.
	Lanes int

	// image, if there is one, is where accesses of all lanes may be performed at
	// once; then Execute returns EffectNone for them.
	image *mem.Image
	views [1 << viewBits]view // of the image

	Clock               uint64 // %clock64, in core cycles
	ClockMHz            uint64 // of %clock64: then it tells the time, and GlobalTimerNs does not
	GlobalTimerNs       uint64
	SMID, SMCount       uint32
	WarpSlot, WarpSlots uint32
}

// Execute runs one instruction and moves on. A generic access whose lanes
// resolve to several state spaces takes several calls: PC stays until the last.
func (w *Warp) Execute(e *Env) Effect {
	if w.waiting {
		w.leaveBarrier()
	}
	in := &w.kernel.Code[w.PC]
	mask := w.active & (w.predicates[in.guard] ^ in.guardFlip)
	e.Lanes = bits.OnesCount32(mask)
	if in.flags&flagShaped != 0 {
		if in.flags&flagShapes != 0 && mask == FullMask && w.shape(in.a).form != formLanes && w.shape(in.b).form != formLanes && w.shaped(in) {
			w.advance()
			return EffectNone
		}
		if in.family != familyMemory { // which takes addresses from shapes
			for _, offset := range in.shapedReads {
				if s := w.shape(offset); s.form >= formWord {
					w.expand(offset, s)
				}
			}
			for _, offset := range in.shapedWrites {
				if s := w.shape(offset); s.form != formLanes {
					w.overwrite(offset, s, mask == FullMask && in.family <= familyDouble)
				}
			}
		}
	}
	switch in.family {
	case familyWord:
		if mask == FullMask {
			w.word(in, w.u32(in.d))
		} else if mask != 0 {
			t := (*[32]uint32)(unsafe.Pointer(&w.scratch))
			w.word(in, t)
			blend(w.u32(in.d), t, mask)
		}
	case familyLong:
		if mask == FullMask {
			w.long(in, w.u64(in.d))
		} else if mask != 0 {
			w.long(in, &w.scratch)
			blend(w.u64(in.d), &w.scratch, mask)
		}
	case familyFloat:
		if mask == FullMask {
			w.float(in, w.u32(in.d))
		} else if mask != 0 {
			t := (*[32]uint32)(unsafe.Pointer(&w.scratch))
			w.float(in, t)
			blend(w.u32(in.d), t, mask)
		}
	case familyDouble:
		if mask == FullMask {
			w.double(in, w.u64(in.d))
		} else if mask != 0 {
			w.double(in, &w.scratch)
			blend(w.u64(in.d), &w.scratch, mask)
		}
	case familyCompare:
		w.compare(in, mask)
	case familyPredicate:
		w.predicateLogic(in, mask)
	case familyLane:
		w.perLane(in, mask)
	case familyCarry:
		w.carryLanes(in, mask)
	case familyMove:
		w.move(e, in, mask)
	case familyWarp:
		w.warpLevel(in, mask)
	case familyMemory:
		return w.memory(e, in, mask)
	case familyControl:
		return w.control(e, in, mask)
	case familyMatrix:
		return w.matrix(e, in, mask)
	}
	w.advance()
	return EffectNone
}

// perLane runs an instruction that has no loop of its own.
func (w *Warp) perLane(in *Instr, mask uint32) {
	f := in.lane
	if in.flags&(flagWideD|flagWideA|flagWideB|flagWideC|flagWideE) == 0 {
		d, a, b, c, x := w.u32(in.d), w.u32(in.a), w.u32(in.b), w.u32(in.c), w.u32(in.e)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = uint32(f(uint64(a[i]), uint64(b[i]), uint64(c[i]), uint64(x[i])))
		}
		return
	}
	wideD, wideA, wideB := in.flags&flagWideD != 0, in.flags&flagWideA != 0, in.flags&flagWideB != 0
	wideC, wideE := in.flags&flagWideC != 0, in.flags&flagWideE != 0
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := f(w.lane(in.a, wideA, i), w.lane(in.b, wideB, i), w.lane(in.c, wideC, i), w.lane(in.e, wideE, i))
		w.setLane(in.d, wideD, i, v)
	}
}

// Extended-precision add and subtract.
const (
	carryAdd op = iota
	carrySub
)

func (w *Warp) carryLanes(in *Instr, mask uint32) {
	wide := in.flags&flagWideD != 0
	var carry uint32
	if in.flags&flagHasC != 0 {
		carry = w.predicates[in.c]
	}
	out := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		a, b := w.lane(in.a, wide, i), w.lane(in.b, wide, i)
		c := uint64(carry >> i & 1)
		var r, o uint64
		if in.op == carryAdd {
			r, o = bits.Add64(a, b, c)
		} else {
			// The flag of a subtraction is the borrow.
			r, o = bits.Sub64(a, b, c)
		}
		if !wide {
			o = r >> 32 & 1
		}
		out |= uint32(o) << i
		w.setLane(in.d, wide, i, r)
	}
	if in.flags&flagHasE != 0 {
		p := &w.predicates[in.e]
		*p = *p&^mask | out&mask
	}
}

// Moves that are more than a copy.
const (
	movePack op = iota
	moveUnpack
	moveSpecial   // imm is the special register
	moveFrame     // address of a local variable of a recursive function
	moveFromBlock // a .param block of a call to registers
	moveToBlock
)

func (w *Warp) move(e *Env, in *Instr, mask uint32) {
	wideD := in.flags&flagWideD != 0
	switch in.op {
	case moveSpecial:
		v := specialRegister(in.imm).dynamic(e, mask)
		for m := mask; m != 0; m &= m - 1 {
			w.setLane(in.d, wideD, bits.TrailingZeros32(m)&31, v)
		}
	case moveFrame:
		for m := mask; m != 0; m &= m - 1 {
			w.setLane(in.d, wideD, bits.TrailingZeros32(m)&31, in.imm+uint64(w.localBase))
		}
	case movePack:
		v := in.vector
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			var x uint64
			for k, r := range v.regs {
				x |= uint64(w.u32(r)[i]) << (8 * v.bytes * k)
			}
			w.setLane(in.d, wideD, i, x)
		}
	case moveUnpack:
		v := in.vector
		part := uint32(1<<(8*v.bytes) - 1)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			x := w.lane(in.a, in.flags&flagWideA != 0, i)
			for k, r := range v.regs {
				w.u32(r)[i] = uint32(x>>(8*v.bytes*k)) & part
			}
		}
	case moveFromBlock:
		w.fromBlock(in, mask)
	case moveToBlock:
		w.toBlock(in, mask)
	}
}

// A .param block is a row of 32-bit words; fromBlock and toBlock move the bytes
// of one ld.param or st.param.

func (w *Warp) fromBlock(in *Instr, mask uint32) {
	o := in.mem
	for k := range int(o.count) {
		at := uint32(in.imm) + uint32(k)*uint32(o.bytes)
		low := w.u32(in.a + at/4*slotBytes)
		var high *[32]uint32
		if o.bytes == 8 {
			high = w.u32(in.a + (at/4+1)*slotBytes)
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := uint64(low[i]) >> (8 * (at & 3))
			if high != nil {
				v |= uint64(high[i]) << 32
			}
			w.bind(o, k, i, extendLoaded(v, o.bytes, o.signed))
		}
	}
}

func (w *Warp) toBlock(in *Instr, mask uint32) {
	o := in.mem
	for k := range int(o.count) {
		at := uint32(in.imm) + uint32(k)*uint32(o.bytes)
		low := w.u32(in.d + at/4*slotBytes)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := w.lane(o.regs[k], o.wide[k], i)
			if o.bytes >= 4 {
				low[i] = uint32(v)
				if o.bytes == 8 {
					w.u32(in.d + (at/4+1)*slotBytes)[i] = uint32(v >> 32)
				}
				continue
			}
			s := 8 * (at & 3)
			part := uint32(1<<(8*o.bytes)-1) << s
			low[i] = low[i]&^part | uint32(v)<<s&part
		}
	}
}

// bind writes a loaded, extended value to the register of element k.
func (w *Warp) bind(o *memoryOp, k, lane int, v uint64) {
	if o.wide[k] {
		w.u64(o.regs[k])[lane] = v
	} else {
		w.u32(o.regs[k])[lane] = uint32(v) & o.keep[k]
	}
}

// extendLoaded returns a loaded value of n bytes as 64 bits.
func extendLoaded(v uint64, n uint8, isSigned bool) uint64 {
	s := 64 - 8*uint(n)
	if isSigned {
		return uint64(int64(v<<s) >> s)
	}
	return v << s >> s
}
