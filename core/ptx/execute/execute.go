package execute

import (
	"math/bits"
	"unsafe"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// Env carries what a warp needs from its surroundings, and what it reports about
// the instruction it has executed.
type Env struct {
	// Access is filled in when Execute returns EffectMemory.
	Access ptx.Access
	// Fetch is filled in when Execute returns EffectTexture; nil before the first.
	Fetch *Fetch
	// Lanes is how many lanes executed the instruction, after the guard.
	Lanes int

	// image, if there is one, is where accesses of all lanes may be performed at
	// once; then Execute returns EffectNone for them.
	image *mem.Image
	views [1 << viewBits]view // of the image

	// print, if there is one, takes what a printf of some lanes says.
	print func(w *Warp, in *ptx.Instr, mask uint32) (ok bool)

	scratch [ptx.MaxLanes]uint64 // results of which some lanes are taken

	Clock               uint64 // %clock64, in core cycles
	ClockMHz            uint64 // of %clock64; if it is set, %globaltimer follows Clock instead of GlobalTimerNs
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
	mask := w.active
	if in.Guard != ptx.TruePred || in.GuardFlip != 0 {
		mask &= *w.predicate(in.Guard) ^ in.GuardFlip
	}
	e.Lanes = bits.OnesCount32(mask)
	if w.groupsOpen && mask != 0 && !w.mayExecute(in, mask) {
		return EffectFault
	}
	if in.Flags&ptx.FlagShaped != 0 {
		if in.Flags&ptx.FlagShapes != 0 && mask == ptx.FullMask && w.shape(in.A).form() != formLanes && w.shape(in.B).form() != formLanes && w.shaped(in) {
			w.advance()
			return EffectNone
		}
		if in.Family != ptx.FamilyMemory { // which takes addresses from shapes
			for _, offset := range in.ShapedReads {
				if s := w.shape(offset); s.form() >= formWord {
					w.expand(offset, s)
				}
			}
			for _, offset := range in.ShapedWrites {
				if s := w.shape(offset); s.form() != formLanes {
					w.overwrite(offset, s, mask == ptx.FullMask && in.Family <= ptx.FamilyDouble)
				}
			}
		}
	}
	switch in.Family {
	case ptx.FamilyWord:
		if mask == ptx.FullMask {
			w.word(in, w.u32(in.D))
		} else if mask != 0 {
			t := (*[32]uint32)(unsafe.Pointer(&e.scratch))
			w.word(in, t)
			blend(w.u32(in.D), t, mask)
		}
	case ptx.FamilyLong:
		if mask == ptx.FullMask {
			w.long(in, w.u64(in.D))
		} else if mask != 0 {
			w.long(in, &e.scratch)
			blend(w.u64(in.D), &e.scratch, mask)
		}
	case ptx.FamilyFloat:
		if mask == ptx.FullMask {
			w.float(in, w.u32(in.D))
		} else if mask != 0 {
			t := (*[32]uint32)(unsafe.Pointer(&e.scratch))
			w.float(in, t)
			blend(w.u32(in.D), t, mask)
		}
	case ptx.FamilyDouble:
		if mask == ptx.FullMask {
			w.double(in, w.u64(in.D))
		} else if mask != 0 {
			w.double(in, &e.scratch)
			blend(w.u64(in.D), &e.scratch, mask)
		}
	case ptx.FamilyCompare:
		w.compare(in, mask)
	case ptx.FamilyPredicate:
		w.predicateLogic(in, mask)
	case ptx.FamilyLane:
		w.perLane(in, mask)
	case ptx.FamilyCarry:
		w.carryLanes(in, mask)
	case ptx.FamilyMove:
		w.move(e, in, mask)
	case ptx.FamilyWarp:
		if in.Flags&ptx.FlagMeets != 0 && mask != 0 {
			var ok bool
			mask, ok = w.meets(in, mask)
			if e.Lanes = bits.OnesCount32(mask); !ok {
				return w.faulted()
			}
		}
		w.warpLevel(in, mask)
	case ptx.FamilyMemory:
		return w.memory(e, in, mask)
	case ptx.FamilyControl:
		return w.control(e, in, mask)
	case ptx.FamilyMatrix:
		if w.runsApart() && mask != 0 {
			var ok bool
			if mask, ok = w.meet(waitMembers, ptx.FullMask, w.lanes, mask); !ok {
				e.Lanes = 0
				return w.faulted()
			}
		}
		return w.matrix(e, in, mask)
	case ptx.FamilyTexture:
		return w.texture(e, in, mask)
	}
	w.advance()
	return EffectNone
}

// OnWarpAlone reports whether an instruction of a launch reads nothing but registers of its warp, which do not change by
// themselves, parameters and constants, writes nothing but registers, has no guard, and then goes on. Nothing but the
// warp's registers shows when it is executed.
func OnWarpAlone(in *ptx.Instr, l *ptx.Launch) bool {
	if in.Guard != ptx.TruePred || in.GuardFlip != 0 || in.IsMemory || in.IsBranch || in.IsBarrier {
		return false
	}
	if in.Family == ptx.FamilyMemory {
		// The address is in the instruction, and no lane can fault.
		if !in.Mem.Constant || in.A != ptx.ZeroSlot*ptx.SlotBytes {
			return false
		}
		size, n := uint64(len(l.Params)), uint64(in.Mem.Bytes)
		if in.Mem.Space == ptx.SpaceConst {
			size = uint64(len(l.Kernel.Const))
		}
		return in.Imm < size && size-in.Imm >= n && in.Imm&(n-1) == 0
	}
	return !in.IsLoad && !in.IsConstant && (in.Family <= ptx.FamilyCarry || in.Family == ptx.FamilyMove && in.Op != ptx.MoveSpecial)
}

// perLane runs an instruction that has no loop of its own.
func (w *Warp) perLane(in *ptx.Instr, mask uint32) {
	f := in.Lane
	if in.Flags&(ptx.FlagWideD|ptx.FlagWideA|ptx.FlagWideB|ptx.FlagWideC|ptx.FlagWideE) == 0 {
		d, a, b, c, x := w.u32(in.D), w.u32(in.A), w.u32(in.B), w.u32(in.C), w.u32(in.E)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = uint32(f(uint64(a[i]), uint64(b[i]), uint64(c[i]), uint64(x[i])))
		}
		return
	}
	wideD, wideA, wideB := in.Flags&ptx.FlagWideD != 0, in.Flags&ptx.FlagWideA != 0, in.Flags&ptx.FlagWideB != 0
	wideC, wideE := in.Flags&ptx.FlagWideC != 0, in.Flags&ptx.FlagWideE != 0
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := f(w.lane(in.A, wideA, i), w.lane(in.B, wideB, i), w.lane(in.C, wideC, i), w.lane(in.E, wideE, i))
		w.setLane(in.D, wideD, i, v)
	}
}

func (w *Warp) carryLanes(in *ptx.Instr, mask uint32) {
	wide := in.Flags&ptx.FlagWideD != 0
	var carry uint32
	if in.Flags&ptx.FlagHasC != 0 {
		carry = *w.predicate(in.C)
	}
	out := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		a, b := w.lane(in.A, wide, i), w.lane(in.B, wide, i)
		c := uint64(carry >> i & 1)
		if in.Op == ptx.CarrySub {
			// An NVIDIA H200 adds the complement. Its flag is the opposite of a borrow, which
			// shows where addc follows sub.cc.
			if b = ^b; !wide {
				b &= 0xffffffff
			}
			if in.Flags&ptx.FlagHasC == 0 {
				c = 1
			}
		}
		r, o := bits.Add64(a, b, c)
		if !wide {
			o = r >> 32 & 1
		}
		out |= uint32(o) << i
		w.setLane(in.D, wide, i, r)
	}
	if in.Flags&ptx.FlagHasE != 0 {
		p := w.predicate(in.E)
		*p = *p&^mask | out&mask
	}
}

func (w *Warp) move(e *Env, in *ptx.Instr, mask uint32) {
	wideD := in.Flags&ptx.FlagWideD != 0
	switch in.Op {
	case ptx.MoveSpecial:
		v := dynamicSpecial(ptx.SpecialRegister(in.Imm), e, mask)
		for m := mask; m != 0; m &= m - 1 {
			w.setLane(in.D, wideD, bits.TrailingZeros32(m)&31, v)
		}
	case ptx.MoveFrame:
		for m := mask; m != 0; m &= m - 1 {
			w.setLane(in.D, wideD, bits.TrailingZeros32(m)&31, in.Imm+uint64(w.localBase))
		}
	case ptx.MovePack:
		v := in.Vector
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			var x uint64
			for k, r := range v.Regs {
				x |= uint64(w.u32(r)[i]) << (8 * v.Bytes * k)
			}
			w.setLane(in.D, wideD, i, x)
		}
	case ptx.MoveUnpack:
		v := in.Vector
		part := uint32(1<<(8*v.Bytes) - 1)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			x := w.lane(in.A, in.Flags&ptx.FlagWideA != 0, i)
			for k, r := range v.Regs {
				w.u32(r)[i] = uint32(x>>(8*v.Bytes*k)) & part
			}
		}
	case ptx.MoveFromBlock:
		w.fromBlock(in, mask)
	case ptx.MoveToBlock:
		w.toBlock(in, mask)
	}
}

// A .param block is a row of 32-bit words; fromBlock and toBlock move the bytes
// of one ld.param or st.param.

func (w *Warp) fromBlock(in *ptx.Instr, mask uint32) {
	o := in.Mem
	for k := range int(o.Count) {
		at := uint32(in.Imm) + uint32(k)*uint32(o.Bytes)
		low := w.u32(in.A + at/4*ptx.SlotBytes)
		var high *[32]uint32
		if o.Bytes == 8 {
			high = w.u32(in.A + (at/4+1)*ptx.SlotBytes)
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := uint64(low[i]) >> (8 * (at & 3))
			if high != nil {
				v |= uint64(high[i]) << 32
			}
			w.bind(o, k, i, extendLoaded(v, o.Bytes, o.Signed))
		}
	}
}

func (w *Warp) toBlock(in *ptx.Instr, mask uint32) {
	o := in.Mem
	for k := range int(o.Count) {
		at := uint32(in.Imm) + uint32(k)*uint32(o.Bytes)
		low := w.u32(in.D + at/4*ptx.SlotBytes)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := w.lane(o.Regs[k], o.Wide[k], i)
			if o.Bytes >= 4 {
				low[i] = uint32(v)
				if o.Bytes == 8 {
					w.u32(in.D + (at/4+1)*ptx.SlotBytes)[i] = uint32(v >> 32)
				}
				continue
			}
			s := 8 * (at & 3)
			part := uint32(1<<(8*o.Bytes)-1) << s
			low[i] = low[i]&^part | uint32(v)<<s&part
		}
	}
}

// bind writes a loaded, extended value to the register of element k.
func (w *Warp) bind(o *ptx.MemoryOp, k, lane int, v uint64) {
	if o.Wide[k] {
		w.u64(o.Regs[k])[lane] = v
	} else {
		w.u32(o.Regs[k])[lane] = uint32(v) & o.Keep[k]
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
