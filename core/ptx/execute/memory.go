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
	if in.Op != ptx.MemoryAccess {
		if in.Op >= ptx.MemoryTensorMap {
			return w.tensor(e, in, mask)
		}
		return w.bulk(e, in, mask)
	}
	if w.pending != 0 { // the rest of a generic access
		mask = w.pending
		e.Lanes = bits.OnesCount32(mask)
	}
	if mask == 0 {
		w.advance()
		return EffectNone
	}
	o := in.Mem
	if mask == ptx.FullMask && w.pending == 0 {
		if o.Constant && w.loadUniform(in, o) || (e.image != nil || o.Constant) && w.direct(e, in) {
			w.advance()
			return EffectNone
		}
	}
	a := &e.Access
	if in.Flags&ptx.FlagShaped != 0 {
		w.settleAccess(in)
	}
	a.Kind, a.Space, a.Operator, a.PC = o.Kind, o.Space, o.Operator, w.PC
	a.Bytes = o.Bytes * o.Count
	low, spaced := w.space(a, in)
	if !spaced {
		w.laneAddresses(a, in)
	}
	if o.Space == ptx.SpaceGeneric && !(spaced && w.genericSpaced(a, low, mask)) {
		mask = w.generic(a, mask)
	}
	a.Mask = mask
	if o.Kind >= ptx.AccessPrefetch {
		return w.finish(EffectMemory, mask)
	}
	if !w.aligned(a) {
		return w.misaligned(a)
	}
	if o.Kind >= ptx.AccessAtomic && a.Space != ptx.SpaceShared && in.Atomic.Code.IsMbarrier() {
		w.faultAt(w.PC, bits.TrailingZeros32(mask), "%s: an mbarrier lies in shared memory", in.Atomic.MbarrierName())
		return EffectFault
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

// loadUniform performs the usual load of a parameter or constant: all lanes read one element. It
// returns false, and does nothing, where the general path has more to look at.
func (w *Warp) loadUniform(in *ptx.Instr, o *ptx.MemoryOp) bool {
	at, n := in.Imm, uint64(o.Bytes)
	if in.A != ptx.ZeroSlot*ptx.SlotBytes {
		s := w.shape(in.A)
		if s.form() == formLanes || !s.isUniform() {
			return false
		}
		if at += s.base; w.narrow(in) {
			at = uint64(uint32(at))
		}
	}
	bank := w.launch.Params
	if o.Space == ptx.SpaceConst {
		bank = w.kernel.Const
	}
	if size := uint64(len(bank)); at >= size || size-at < n || at&(n-1) != 0 {
		return false
	}
	v := extendLoaded(readBytes(bank[at:], o.Bytes), o.Bytes, o.Signed)
	if !o.Wide[0] {
		v &= uint64(o.Keep[0])
	}
	w.setUniform(o.Regs[0], o.Wide[0], v, o.Shaped[0])
	return true
}

// narrow reports whether the addresses of an instruction are sums of 32 bits.
func (w *Warp) narrow(in *ptx.Instr) bool {
	return in.Flags&ptx.FlagAddress64 == 0 && in.A != ptx.ZeroSlot*ptx.SlotBytes
}

// space notes the address of lane 0 and the spacing of an access whose addresses come from a
// shape and do not wrap, and returns the least address. ok is false if the addresses must be
// formed lane by lane.
func (w *Warp) space(a *ptx.Access, in *ptx.Instr) (low uint64, ok bool) {
	a.RowLanes, a.FirstOnly = 0, false
	s := w.shape(in.A)
	if s.form() == formLanes {
		return 0, false
	}
	base, column, row, limit := s.base+in.Imm, s.column(), s.row(), uint64(1)<<62
	if w.narrow(in) {
		base, limit = uint64(uint32(base)), 1<<32
	}
	// The steps of a shape, from a base below the limit, cannot wrap around the address space unnoticed.
	if base >= limit {
		return 0, false
	}
	across, down := column*w.lastColumn, row*w.lastRow
	below := across&(across>>63) + down&(down>>63)
	above := uint64(across&^(across>>63) + down&^(down>>63))
	if low = base + uint64(below); int64(low) < 0 || base+above >= limit {
		return 0, false
	}
	a.Addr[0], a.FirstOnly = base, true
	a.RowLanes, a.Column, a.Row, a.Above = w.rowLanes, column, row, above
	return low, true
}

// laneAddresses forms the addresses of an access without a known spacing.
func (w *Warp) laneAddresses(a *ptx.Access, in *ptx.Instr) {
	s := w.shape(in.A)
	switch {
	case s.form() >= formWord:
		expandRows(&a.Addr, s.base+in.Imm, uint64(s.column()), uint64(s.row()), w.rowLanes)
		if s.form() == formWord {
			for i := range a.Addr {
				a.Addr[i] &= math.MaxUint32
			}
		}
	case in.Flags&ptx.FlagAddress64 != 0:
		base, k := w.u64(in.A), in.Imm
		for i := 0; i < ptx.MaxLanes; i += 4 {
			a.Addr[i], a.Addr[i+1] = base[i]+k, base[i+1]+k
			a.Addr[i+2], a.Addr[i+3] = base[i+2]+k, base[i+3]+k
		}
	case in.A == ptx.ZeroSlot*ptx.SlotBytes: // an address of a variable, of any width
		for i := range a.Addr {
			a.Addr[i] = in.Imm
		}
	default:
		base, k := w.u32(in.A), uint32(in.Imm)
		for i := 0; i < ptx.MaxLanes; i += 4 {
			a.Addr[i], a.Addr[i+1] = uint64(base[i]+k), uint64(base[i+1]+k)
			a.Addr[i+2], a.Addr[i+3] = uint64(base[i+2]+k), uint64(base[i+3]+k)
		}
	}
}

// aligned reports whether the addresses of all lanes are multiples of the size.
func (w *Warp) aligned(a *ptx.Access) bool {
	low, n := uint64(0), uint64(a.Bytes-1)
	if a.RowLanes != 0 && (a.Addr[0]|uint64(a.Column)|uint64(a.Row))&n == 0 {
		return true
	}
	addr := a.Addresses()
	if a.Mask == ptx.FullMask {
		return orOfAll(addr)&n == 0
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		low |= addr[bits.TrailingZeros32(m)&31]
	}
	return low&n == 0
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

// finish continues with the next instruction unless lanes of a generic access are left.
func (w *Warp) finish(effect Effect, done uint32) Effect {
	if w.pending &^= done; w.pending == 0 {
		w.advance()
	}
	return effect
}

// genericSpaced is generic for lanes with a known spacing, the least of which is given. It
// returns false, and changes nothing, unless all are in global or all in shared memory.
func (w *Warp) genericSpaced(a *ptx.Access, low uint64, mask uint32) bool {
	switch {
	case low >= ptx.WindowsEnd && a.Addr[0]+a.Above < ptx.ClusterWindow:
		a.Space = ptx.SpaceGlobal
		return true
	case low >= ptx.SharedWindow && a.Addr[0]+a.Above < ptx.SharedWindow+ptx.WindowBytes:
		a.Space = ptx.SpaceShared
		a.Addr[0] -= ptx.SharedWindow
		w.pending = mask
		return true
	}
	return false
}

// generic resolves generic addresses: it fixes the space by the lowest lane and
// returns the lanes in the same space; the others are left pending.
func (w *Warp) generic(a *ptx.Access, mask uint32) uint32 {
	inWindow := uint32(0)
	addr := a.Addresses()
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if v := addr[i]; v-ptx.SharedWindow < ptx.WindowsEnd-ptx.SharedWindow || v >= ptx.ClusterWindow {
			inWindow |= 1 << i
		}
	}
	a.Space = ptx.SpaceGlobal
	if inWindow == 0 {
		return mask
	}
	a.RowLanes = 0 // the windows are different ranges
	first := bits.TrailingZeros32(mask) & 31
	same := mask &^ inWindow
	if inWindow>>first&1 != 0 {
		window, base := a.Addr[first]&^(ptx.WindowBytes-1), uint64(0)
		if window >= ptx.ClusterWindow {
			a.Space, base = ptx.SpaceShared, window-ptx.ClusterWindow+1<<ptx.ClusterRankBit
		}
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
				a.Addr[i] -= window - base
			}
		}
	}
	w.pending = mask
	return same
}

func (w *Warp) misaligned(a *ptx.Access) Effect {
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if at := a.Addresses()[i]; at&uint64(a.Bytes-1) != 0 {
			w.faultAt(a.PC, i, "misaligned access: %d bytes at %#x", a.Bytes, at)
			break
		}
	}
	return EffectFault
}

// within checks that an access stays below size.
func (w *Warp) within(a *ptx.Access, size uint64, space string) bool {
	n := uint64(a.Bytes)
	if size >= n {
		if a.RowLanes != 0 && a.Addr[0] <= size-n && a.Above <= size-n-a.Addr[0] {
			return true
		}
		// No address is above the union of their bits.
		if a.RowLanes == 0 && a.Mask == ptx.FullMask && orOfAll(&a.Addr) <= size-n {
			return true
		}
	}
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if at := addr[i]; at > size || size-at < n {
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
	addr := a.Addresses()
	same := a.Mask == ptx.FullMask
	for i := 1; same && i < ptx.MaxLanes; i++ {
		same = addr[i] == addr[0]
	}
	for k := range int(o.Count) {
		if o.Absent[k] {
			continue
		}
		if same { // a parameter: read once for all lanes
			v := extendLoaded(readBytes(bank[addr[0]+uint64(k)*uint64(o.Bytes):], o.Bytes), o.Bytes, o.Signed)
			if !o.Wide[k] {
				v &= uint64(o.Keep[k])
			}
			w.setUniform(o.Regs[k], o.Wide[k], v, o.Shaped[k])
			continue
		}
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := readBytes(bank[addr[i]+uint64(k)*uint64(o.Bytes):], o.Bytes)
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
	if a.Kind >= ptx.AccessPrefetch {
		return true
	}
	if w.CTA.clustered {
		return w.accessCluster(a)
	}
	if a.RowLanes != 0 && a.Mask == ptx.FullMask && w.sharedRows(a, shared) {
		return true
	}
	in := &w.kernel.Code[a.PC]
	if in.Flags&ptx.FlagMulticast != 0 {
		return w.accessCluster(a)
	}
	return w.accessSharedOf(a, in, shared)
}

// accessSharedOf performs an access to the shared memory of some CTA.
func (w *Warp) accessSharedOf(a *ptx.Access, in *ptx.Instr, shared []byte) bool {
	if !w.within(a, uint64(len(shared)), "shared") {
		return false
	}
	o := in.Mem
	if in.Family == ptx.FamilyMatrix {
		w.matrixRows(a, in, shared)
		return true
	}
	switch a.Kind {
	case ptx.AccessAtomic, ptx.AccessReduction:
		addr := a.Addresses()
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			at := shared[addr[i]:]
			old := readBytes(at, o.Bytes)
			b, c := w.AtomicOperands(a, i)
			if in.Atomic.Code.IsMbarrier() {
				if wrong := arith.MbarrierFault(in.Atomic.Code, old, b, in.Flags&ptx.FlagInvert != 0); wrong != "" {
					w.faultAt(a.PC, i, "%s: %s (offset %#x of shared memory)", in.Atomic.MbarrierName(), wrong, addr[i])
					return false
				}
			}
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

// sharedRows performs the usual access to shared memory: a word for each lane, at a known spacing. It
// returns false, and does nothing, if the access is another one or leaves the memory.
func (w *Warp) sharedRows(a *ptx.Access, shared []byte) bool {
	o := w.kernel.Code[a.PC].Mem
	size := uint64(len(shared))
	if !o.Words || a.Kind > ptx.AccessStore || size < 4 || a.Addr[0] > size-4 || a.Above > size-4-a.Addr[0] {
		return false
	}
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(shared)), a.Addr[0])
	if a.Kind == ptx.AccessLoad {
		loadRows(w.u32(o.Regs[0]), p, a.Column, a.Row, a.RowLanes)
	} else {
		storeRows(w.u32(o.Regs[0]), p, a.Column, a.Row, a.RowLanes)
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
			// a.Addr has all addresses, and within has checked the bounds.
			for i := 0; i < ptx.MaxLanes; i += 4 {
				d[i], d[i+1] = load32(p, a.Addr[i]), load32(p, a.Addr[i+1])
				d[i+2], d[i+3] = load32(p, a.Addr[i+2]), load32(p, a.Addr[i+3])
			}
			return
		}
		addr := a.Addresses()
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = binary.LittleEndian.Uint32(shared[addr[i]+at:])
		}
		return
	}
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		w.bind(o, k, i, extendLoaded(readBytes(shared[addr[i]+at:], o.Bytes), o.Bytes, o.Signed))
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
		addr := a.Addresses()
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			binary.LittleEndian.PutUint32(shared[addr[i]+at:], s[i])
		}
		return
	}
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		writeBytes(shared[addr[i]+at:], o.Bytes, w.lane(o.Regs[k], o.Wide[k], i))
	}
}
