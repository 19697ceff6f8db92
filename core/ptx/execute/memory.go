package execute

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// memory forms the addresses of a memory instruction.
func (w *Warp) memory(e *Env, in *ptx.Instr, mask uint32) Effect {
	if w.pending != 0 { // the rest of a generic access
		mask = w.pending
		e.Lanes = bits.OnesCount32(mask)
	}
	if mask == 0 {
		w.advance()
		return EffectNone
	}
	if mask == ptx.FullMask && w.pending == 0 && w.direct(e, in) {
		w.advance()
		return EffectNone
	}
	o := in.Mem
	a := &e.Access
	if in.Flags&ptx.FlagShaped != 0 {
		w.settleAccess(in)
	}
	a.Kind, a.Space, a.Operator, a.PC = o.Kind, o.Space, o.Operator, w.PC
	a.Bytes = o.Bytes * o.Count
	s := w.shape(in.A)
	w.space(a, in, s)
	if s.form >= formWord {
		w.shapedAddresses(a, in, s)
	} else if in.Flags&ptx.FlagAddress64 != 0 {
		base, k := w.u64(in.A), in.Imm
		for i := 0; i < ptx.MaxLanes; i += 4 {
			a.Addr[i], a.Addr[i+1] = base[i]+k, base[i+1]+k
			a.Addr[i+2], a.Addr[i+3] = base[i+2]+k, base[i+3]+k
		}
	} else {
		base, k := w.u32(in.A), uint32(in.Imm)
		if in.A == ptx.ZeroSlot*ptx.SlotBytes { // an address of a variable, of any width
			for i := range a.Addr {
				a.Addr[i] = in.Imm
			}
		} else {
			for i := 0; i < ptx.MaxLanes; i += 4 {
				a.Addr[i], a.Addr[i+1] = uint64(base[i]+k), uint64(base[i+1]+k)
				a.Addr[i+2], a.Addr[i+3] = uint64(base[i+2]+k), uint64(base[i+3]+k)
			}
		}
	}
	if o.Space == ptx.SpaceGeneric {
		mask = w.generic(a, mask)
	}
	a.Mask = mask
	if o.Kind == ptx.AccessPrefetch {
		return w.finish(EffectMemory, mask)
	}
	var low uint64
	if mask == ptx.FullMask {
		low = a.Addr[0] | uint64(a.Column) | uint64(a.Row)
		if a.RowLanes == 0 || low&uint64(a.Bytes-1) != 0 {
			low = orOfAll(&a.Addr)
		}
	} else {
		for m := mask; m != 0; m &= m - 1 {
			low |= a.Addr[bits.TrailingZeros32(m)&31]
		}
	}
	if low&uint64(a.Bytes-1) != 0 {
		return w.misaligned(a)
	}
	switch a.Space {
	case ptx.SpaceGlobal, ptx.SpaceShared:
	case ptx.SpaceLocal:
		if o.Kind == ptx.AccessAtomic || o.Kind == ptx.AccessReduction {
			w.faultAt(w.PC, bits.TrailingZeros32(mask), "atomic operation on local memory")
			return EffectFault
		}
		if !w.within(a, uint64(w.kernel.LocalBytes), "local") {
			return EffectFault
		}
	case ptx.SpaceConst:
		return w.constant(a, w.kernel.Const, "constant")
	case ptx.SpaceParam:
		return w.constant(a, w.launch.Params, "parameter")
	}
	return w.finish(EffectMemory, mask)
}

// shapedAddresses forms the addresses from a register without lanes.
func (w *Warp) shapedAddresses(a *ptx.Access, in *ptx.Instr, s *shape) {
	expandRows(&a.Addr, s.base+in.Imm, uint64(s.column), uint64(s.row), w.rowLanes)
	if s.form == formWord {
		for i := range a.Addr {
			a.Addr[i] &= math.MaxUint32
		}
	}
}

// space notes the spacing of an access whose addresses come from a shape and do not wrap.
func (w *Warp) space(a *ptx.Access, in *ptx.Instr, s *shape) {
	a.RowLanes = 0
	var p places
	if s.form == formLanes || !w.shapedPlaces(&p, in, s) || p.low < 0 {
		return
	}
	a.RowLanes, a.Column, a.Row, a.Above = w.rowLanes, p.column, p.row, uint64(p.high-p.low)-p.base
}

// orOfAll returns the union of the bits of all addresses.
func orOfAll(addr *[ptx.MaxLanes]uint64) uint64 {
	var x, y uint64
	for i := 0; i < ptx.MaxLanes; i += 4 {
		x |= addr[i] | addr[i+1]
		y |= addr[i+2] | addr[i+3]
	}
	return x | y
}

// finish goes on to the next instruction unless lanes of a generic access are left.
func (w *Warp) finish(effect Effect, done uint32) Effect {
	if w.pending &^= done; w.pending == 0 {
		w.advance()
	}
	return effect
}

// generic resolves generic addresses: it fixes the space by the lowest lane and
// returns the lanes in the same space; the others are left pending.
func (w *Warp) generic(a *ptx.Access, mask uint32) uint32 {
	inWindow := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if v := a.Addr[i]; v-ptx.SharedWindow < ptx.WindowsEnd-ptx.SharedWindow {
			inWindow |= 1 << i
		}
	}
	a.Space = ptx.SpaceGlobal
	if inWindow == 0 {
		return mask
	}
	first := bits.TrailingZeros32(mask) & 31
	same := mask &^ inWindow
	if inWindow>>first&1 != 0 {
		window := a.Addr[first] &^ (ptx.WindowBytes - 1)
		switch window {
		case ptx.SharedWindow:
			a.Space = ptx.SpaceShared
		case ptx.LocalWindow:
			a.Space = ptx.SpaceLocal
		case ptx.ParamWindow:
			a.Space = ptx.SpaceParam
		case ptx.ConstWindow:
			a.Space = ptx.SpaceConst
		}
		same = 0
		for m := inWindow; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if a.Addr[i]&^(ptx.WindowBytes-1) == window {
				same |= 1 << i
				a.Addr[i] -= window
			}
		}
	}
	w.pending = mask
	return same
}

func (w *Warp) misaligned(a *ptx.Access) Effect {
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if a.Addr[i]&uint64(a.Bytes-1) != 0 {
			w.faultAt(a.PC, i, "misaligned access: %d bytes at %#x", a.Bytes, a.Addr[i])
			break
		}
	}
	return EffectFault
}

// within checks that an access stays below size.
func (w *Warp) within(a *ptx.Access, size uint64, space string) bool {
	n := uint64(a.Bytes)
	if a.Mask == ptx.FullMask && size >= n {
		if a.RowLanes != 0 && a.Addr[0] <= size-n && a.Above <= size-n-a.Addr[0] {
			return true
		}
		// No address is above the union of their bits.
		if a.RowLanes == 0 && orOfAll(&a.Addr) <= size-n {
			return true
		}
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if at := a.Addr[i]; at > size || size-at < n {
			w.faultAt(a.PC, i, "%d bytes at offset %#x of %s memory, which has %d bytes", n, at, space, size)
			return false
		}
	}
	return true
}

// constant performs a load from the constant bank or the kernel's parameters.
func (w *Warp) constant(a *ptx.Access, bank []byte, space string) Effect {
	if a.Kind != ptx.AccessLoad {
		w.faultAt(a.PC, bits.TrailingZeros32(a.Mask), "write to %s memory", space)
		return EffectFault
	}
	if !w.within(a, uint64(len(bank)), space) {
		return EffectFault
	}
	o := w.kernel.Code[a.PC].Mem
	same := a.Mask == ptx.FullMask
	for i := 1; same && i < ptx.MaxLanes; i++ {
		same = a.Addr[i] == a.Addr[0]
	}
	for k := range int(o.Count) {
		if o.Absent[k] {
			continue
		}
		if same { // a parameter: read once for all lanes
			v := extendLoaded(readBytes(bank[a.Addr[0]+uint64(k)*uint64(o.Bytes):], o.Bytes), o.Bytes, o.Signed)
			if !o.Wide[k] {
				v &= uint64(o.Keep[k])
			}
			w.setUniform(o.Regs[k], o.Wide[k], v, o.Shaped[k])
			continue
		}
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := readBytes(bank[a.Addr[i]+uint64(k)*uint64(o.Bytes):], o.Bytes)
			w.bind(o, k, i, extendLoaded(v, o.Bytes, o.Signed))
		}
	}
	return w.finish(EffectNone, a.Mask)
}

func readBytes(b []byte, n uint8) uint64 {
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func writeBytes(b []byte, n uint8, v uint64) {
	switch n {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// AccessShared performs an access to shared memory at once. It returns false if
// the access is out of bounds: then the warp has a fault.
func (w *Warp) AccessShared(a *ptx.Access) bool {
	shared := w.CTA.Shared
	if a.Kind == ptx.AccessPrefetch {
		return true
	}
	if !w.within(a, uint64(len(shared)), "shared") {
		return false
	}
	in := &w.kernel.Code[a.PC]
	o := in.Mem
	if in.Family == ptx.FamilyMatrix {
		w.matrixRows(a, in, shared)
		return true
	}
	switch a.Kind {
	case ptx.AccessAtomic, ptx.AccessReduction:
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			at := shared[a.Addr[i]:]
			old := readBytes(at, o.Bytes)
			b, c := w.AtomicOperands(a, i)
			writeBytes(at, o.Bytes, arith.ApplyAtomic(in.Atomic, old, b, c))
			w.BindAtomic(a.PC, i, old)
		}
		return true
	case ptx.AccessStore:
		for k := range int(o.Count) {
			w.storeShared(a, shared, o, k)
		}
		return true
	}
	for k := range int(o.Count) {
		if !o.Absent[k] {
			w.loadShared(a, shared, o, k)
		}
	}
	return true
}

// load32 and store32 access memory whose bounds have been checked.

func load32(p unsafe.Pointer, at uint64) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(p, at))[:])
}

func store32(p unsafe.Pointer, at uint64, v uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(unsafe.Add(p, at))[:], v)
}

func (w *Warp) loadShared(a *ptx.Access, shared []byte, o *ptx.MemoryOp, k int) {
	at := uint64(k) * uint64(o.Bytes)
	if o.Bytes == 4 && !o.Wide[k] {
		d := w.u32(o.Regs[k])
		if a.Mask == ptx.FullMask {
			p := unsafe.Pointer(unsafe.SliceData(shared[at:]))
			if a.RowLanes != 0 {
				loadRows(d, unsafe.Add(p, a.Addr[0]), a.Column, a.Row, a.RowLanes)
				return
			}
			for i := 0; i < ptx.MaxLanes; i += 4 { // within has checked the bounds
				d[i], d[i+1] = load32(p, a.Addr[i]), load32(p, a.Addr[i+1])
				d[i+2], d[i+3] = load32(p, a.Addr[i+2]), load32(p, a.Addr[i+3])
			}
			return
		}
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = binary.LittleEndian.Uint32(shared[a.Addr[i]+at:])
		}
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		w.bind(o, k, i, extendLoaded(readBytes(shared[a.Addr[i]+at:], o.Bytes), o.Bytes, o.Signed))
	}
}

func (w *Warp) storeShared(a *ptx.Access, shared []byte, o *ptx.MemoryOp, k int) {
	at := uint64(k) * uint64(o.Bytes)
	if o.Bytes == 4 && !o.Wide[k] {
		s := w.u32(o.Regs[k])
		if a.Mask == ptx.FullMask {
			p := unsafe.Pointer(unsafe.SliceData(shared[at:]))
			if a.RowLanes != 0 {
				storeRows(s, unsafe.Add(p, a.Addr[0]), a.Column, a.Row, a.RowLanes)
				return
			}
			for i := range s { // within has checked the bounds; the highest lane wins
				store32(p, a.Addr[i], s[i])
			}
			return
		}
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			binary.LittleEndian.PutUint32(shared[a.Addr[i]+at:], s[i])
		}
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		writeBytes(shared[a.Addr[i]+at:], o.Bytes, w.lane(o.Regs[k], o.Wide[k], i))
	}
}
