package execute

import (
	"math"
	"slices"
	"unsafe"

	"github.com/burstscope/burstscope/core/ptx"
)

// Without timing, an access of all lanes is performed at once; so are reads of
// parameters and constants under timing. In rare cases (a fault, an access across
// pages) nothing is done here, and the general path performs the access or reports
// the fault.

// view is the part of a page of the image that belongs to one allocation.
type view struct {
	low, high  uint64 // addresses, the second one after the end
	data       unsafe.Pointer
	generation uint32 // of the image
	writable   bool
}

// viewBits is how many views a run keeps, as a power of two [ours].
const viewBits = 6

// view returns where the first of two addresses is in memory, or nil if the two are
// not in one allocation and on one page.
func (e *Env) view(pc int32, low, high uint64, write bool) unsafe.Pointer {
	// An instruction tends to stay on a page; where it does not, others may share it.
	v := &e.views[(uint32(low>>16)*0x9e3779b1>>(32-viewBits)^uint32(pc))%(1<<viewBits)]
	if low < v.low || high > v.high || v.generation != e.image.Generation() || write && !v.writable {
		if !e.look(v, low, high, write) {
			return nil
		}
	}
	return unsafe.Add(v.data, low-v.low)
}

func (e *Env) look(v *view, low, high uint64, write bool) bool {
	i := e.image.Find(low)
	if i < 0 || high > e.image.Allocations()[i].End() {
		return false
	}
	a := &e.image.Allocations()[i]
	from, data := e.image.View(low, write)
	if high > from+uint64(len(data)) {
		return false
	}
	v.low, v.high = max(from, a.Base), min(from+uint64(len(data)), a.End())
	v.data = unsafe.Pointer(&data[v.low-from])
	v.generation, v.writable = e.image.Generation(), write
	return true
}

// direct performs a load or store of all 32 lanes and reports whether it has.
func (w *Warp) direct(e *Env, in *ptx.Instr) bool {
	o := in.Mem
	if in.Family != ptx.FamilyMemory || o.Kind > ptx.AccessStore || o.Space == ptx.SpaceLocal || e.image == nil && o.Space != ptx.SpaceParam && o.Space != ptx.SpaceConst {
		return false
	}
	s := w.shape(in.A)
	if s.form() == formLanes && o.Words && o.Space == ptx.SpaceShared {
		return w.directShared(in)
	}
	if !o.Words || s.form() == formLanes {
		return w.directAny(e, in)
	}
	base := s.base + in.Imm
	narrow := w.narrow(in)
	if narrow {
		base = uint64(uint32(base))
	}
	if (base|uint64(s.column())|uint64(s.row()))&3 != 0 {
		return false
	}
	// The steps of a shape cannot wrap around the address space unnoticed.
	across, down := s.column()*w.lastColumn, s.row()*w.lastRow
	low, high := base+uint64(min(0, across)+min(0, down)), base+uint64(max(0, across)+max(0, down))+4
	if low > high || narrow && high > 1<<32 {
		return false
	}
	var p unsafe.Pointer
	switch o.Space {
	case ptx.SpaceShared:
		if high > uint64(len(w.CTA.Shared)) {
			return false
		}
		p = unsafe.Pointer(&w.CTA.Shared[low])
	case ptx.SpaceGlobal:
		if p = e.view(w.PC, low, high, o.Kind == ptx.AccessStore); p == nil {
			return false
		}
	default:
		return w.directAny(e, in)
	}
	p = unsafe.Add(p, base-low)
	reg := o.Regs[0]
	r := w.shape(reg)
	switch {
	case o.Kind == ptx.AccessStore:
		if o.Shaped[0] && r.form() >= formWord {
			w.expand(reg, r)
		}
		storeRows(w.u32(reg), p, s.column(), s.row(), w.rowLanes)
	case s.isUniform():
		w.setUniform(reg, false, uint64(*(*uint32)(p)), o.Shaped[0])
	default:
		column, row := s.column(), s.row() // the result may take the place of the address
		r.setForm(formLanes)
		loadRows(w.u32(reg), p, column, row, w.rowLanes)
	}
	return true
}

// directShared is direct for a word of shared memory for each lane, anywhere.
func (w *Warp) directShared(in *ptx.Instr) bool {
	var addr [ptx.MaxLanes]uint32
	var union uint32
	if in.Flags&ptx.FlagAddress64 != 0 {
		base, k, high := w.u64(in.A), in.Imm, uint64(0)
		for i := 0; i < ptx.MaxLanes; i += 4 {
			v0, v1, v2, v3 := base[i]+k, base[i+1]+k, base[i+2]+k, base[i+3]+k
			addr[i], addr[i+1], addr[i+2], addr[i+3] = uint32(v0), uint32(v1), uint32(v2), uint32(v3)
			high |= v0 | v1 | v2 | v3
		}
		if high > math.MaxUint32 {
			return false
		}
		union = uint32(high)
	} else {
		base, k := w.u32(in.A), uint32(in.Imm)
		for i := 0; i < ptx.MaxLanes; i += 4 {
			v0, v1, v2, v3 := base[i]+k, base[i+1]+k, base[i+2]+k, base[i+3]+k
			addr[i], addr[i+1], addr[i+2], addr[i+3] = v0, v1, v2, v3
			union |= v0 | v1 | v2 | v3
		}
	}
	shared := w.CTA.Shared
	if union&3 != 0 || len(shared) < 4 {
		return false
	}
	// No address is above the union of their bits.
	if last := uint32(len(shared) - 4); union > last && slices.Max(addr[:]) > last {
		return false
	}
	o, p := in.Mem, unsafe.Pointer(unsafe.SliceData(shared))
	r := w.shape(o.Regs[0])
	d := w.u32(o.Regs[0])
	if o.Kind == ptx.AccessLoad {
		r.setForm(formLanes)
		for i := 0; i < ptx.MaxLanes; i += 4 {
			d[i], d[i+1] = load32(p, uint64(addr[i])), load32(p, uint64(addr[i+1]))
			d[i+2], d[i+3] = load32(p, uint64(addr[i+2])), load32(p, uint64(addr[i+3]))
		}
		return true
	}
	if r.form() >= formWord {
		w.expand(o.Regs[0], r)
	}
	for i, v := range d { // in ascending order: where lanes meet, the highest wins
		store32(p, uint64(addr[i]), v)
	}
	return true
}

// directAny is direct for elements of any size and addresses without a shape.
func (w *Warp) directAny(e *Env, in *ptx.Instr) bool {
	o := in.Mem
	var p places
	if s := w.shape(in.A); s.form() != formLanes {
		if !w.shapedPlaces(&p, in, s) {
			return false
		}
	} else if o.Count > 1 && slices.Contains(o.Regs[:o.Count], in.A) || !w.lanePlaces(&p, in) {
		return false // the first element would overwrite the addresses of the others
	}
	n := uint64(o.Bytes) * uint64(o.Count)
	if p.low < 0 || p.bits&(n-1) != 0 {
		return false
	}
	from := w.memoryAt(e, o, uint64(p.low), uint64(p.high)+n)
	if from == nil {
		return false
	}
	if o.Kind == ptx.AccessStore {
		w.storeDirect(in, &p, from)
	} else {
		w.loadDirect(in, &p, from)
	}
	return true
}

// places is where the lanes of an access are.
type places struct {
	low, high int64  // the least and greatest address
	bits      uint64 // set in one address or another: what decides alignment
	// A shape whose base is counted from low; or, without one, what is added to the
	// register in.a to count from low.
	shaped      bool
	base        uint64
	column, row int64
}

func (w *Warp) shapedPlaces(p *places, in *ptx.Instr, s *shape) bool {
	var ok bool
	base := s.base + in.Imm
	narrow := w.narrow(in)
	if narrow {
		base = uint64(uint32(base))
	}
	if p.low, p.high, ok = w.reach(int64(base), s); !ok || narrow && p.high >= 1<<32 {
		return false
	}
	p.bits = base | uint64(s.column()) | uint64(s.row())
	p.shaped, p.base, p.column, p.row = true, base-uint64(p.low), s.column(), s.row()
	return true
}

func (w *Warp) lanePlaces(p *places, in *ptx.Instr) bool {
	low, high, union := uint64(math.MaxUint64), uint64(0), uint64(0)
	if in.Flags&ptx.FlagAddress64 != 0 {
		for _, v := range w.u64(in.A) {
			v += in.Imm
			low, high, union = min(low, v), max(high, v), union|v
		}
		if high > 1<<62 {
			return false
		}
	} else {
		k := uint32(in.Imm)
		least, most, all := uint32(math.MaxUint32), uint32(0), uint32(0)
		for _, v := range w.u32(in.A) {
			v += k
			least, most, all = min(least, v), max(most, v), all|v
		}
		low, high, union = uint64(least), uint64(most), uint64(all)
	}
	p.low, p.high, p.bits, p.base = int64(low), int64(high), union, in.Imm-low
	return true
}

// memoryAt returns where the first of two addresses is, nil if the access is not a
// simple one.
func (w *Warp) memoryAt(e *Env, o *ptx.MemoryOp, low, high uint64) unsafe.Pointer {
	space := o.Space
	if space == ptx.SpaceGeneric {
		switch {
		case low >= ptx.WindowsEnd:
			space = ptx.SpaceGlobal
		case low >= ptx.SharedWindow && high <= ptx.SharedWindow+ptx.WindowBytes:
			space, low, high = ptx.SpaceShared, low-ptx.SharedWindow, high-ptx.SharedWindow
		default:
			return nil
		}
	}
	var data []byte
	switch space {
	case ptx.SpaceShared:
		data = w.CTA.Shared
	case ptx.SpaceParam:
		data = w.launch.Params
	case ptx.SpaceConst:
		data = w.kernel.Const
	case ptx.SpaceGlobal:
		return e.view(w.PC, low, high, o.Kind == ptx.AccessStore)
	}
	if high > uint64(len(data)) || o.Kind == ptx.AccessStore && space != ptx.SpaceShared {
		return nil
	}
	return unsafe.Pointer(&data[low])
}

// The register file is addressed in bytes, in the order of the machine, and so is
// the memory of the simulated one: both are little-endian.

func at[T any](p unsafe.Pointer, offset uint64) *T { return (*T)(unsafe.Add(p, offset)) }

func (w *Warp) loadDirect(in *ptx.Instr, p *places, from unsafe.Pointer) {
	o := in.Mem
	uniform := p.shaped && p.column|p.row == 0
	for k := range int(o.Count) {
		if o.Absent[k] {
			continue
		}
		reg, first := o.Regs[k], p.base+uint64(k)*uint64(o.Bytes)
		switch {
		case uniform:
			v := extendLoaded(readBytes(unsafe.Slice((*byte)(unsafe.Add(from, first)), o.Bytes), o.Bytes), o.Bytes, o.Signed)
			if !o.Wide[k] {
				v &= uint64(o.Keep[k])
			}
			w.setUniform(reg, o.Wide[k], v, o.Shaped[k])
			continue
		case o.Bytes == 4 && !o.Wide[k] && o.Keep[k] == math.MaxUint32:
			if p.shaped {
				loadRows(w.u32(reg), unsafe.Add(from, first), p.column, p.row, w.rowLanes)
			} else {
				w.loadLanes(in, w.u32(reg), first, from)
			}
		case o.Bytes == 8 && o.Wide[k] && p.shaped:
			loadRows(w.u64(reg), unsafe.Add(from, first), p.column, p.row, w.rowLanes)
		default:
			for i := range ptx.MaxLanes {
				b := unsafe.Slice((*byte)(unsafe.Add(from, w.place(in, p, first, i))), o.Bytes)
				w.bind(o, k, i, extendLoaded(readBytes(b, o.Bytes), o.Bytes, o.Signed))
			}
		}
		w.shape(reg).setForm(formLanes)
	}
}

// setUniform gives a register the same value in all lanes. Only a register that
// its readers expect to have a shape may be without lanes.
func (w *Warp) setUniform(reg uint32, wide bool, v uint64, mayShape bool) {
	s := w.shape(reg)
	if wide {
		s.set(formLong, v, 0, 0)
	} else {
		s.set(formWord, v, 0, 0)
	}
	if !mayShape {
		w.expand(reg, s)
		s.setForm(formLanes)
	}
}

// place returns where an element of lane i is whose first lane, or sum with an
// address, is at first.
func (w *Warp) place(in *ptx.Instr, p *places, first uint64, i int) uint64 {
	switch {
	case p.shaped:
		return first + uint64(p.column*int64(i&(w.rowLanes-1))+p.row*int64(i/w.rowLanes))
	case in.Flags&ptx.FlagAddress64 != 0:
		return first + w.u64(in.A)[i]
	}
	return uint64(uint32(first) + w.u32(in.A)[i]) // wraps as the address does
}

// move copies lanes between registers and memory, which do not overlap. The compiler knows that of a structure and
// not of an array, which it copies by a call.
func move[A any](to, from unsafe.Pointer) {
	type whole struct{ lanes A }
	*(*whole)(to) = *(*whole)(from)
}

// loadRows loads lanes whose first is at from.
func loadRows[T uint32 | uint64](d *[ptx.MaxLanes]T, from unsafe.Pointer, column, row int64, rowLanes int) {
	size := int64(unsafe.Sizeof(d[0]))
	switch {
	case column == size && (rowLanes == ptx.MaxLanes || row == size*int64(rowLanes)):
		move[[ptx.MaxLanes]T](unsafe.Pointer(d), from)
	case rowLanes == ptx.MaxLanes/2:
		low, high := (*[ptx.MaxLanes / 2]T)(d[:]), (*[ptx.MaxLanes / 2]T)(d[ptx.MaxLanes/2:])
		loadHalf(low, from, column, size)
		loadHalf(high, unsafe.Add(from, row), column, size)
	default:
		first := int64(0)
		for i := 0; i < ptx.MaxLanes; i += rowLanes {
			next := first
			for j := i; j < i+rowLanes; j++ {
				d[j&31] = *(*T)(unsafe.Add(from, next))
				next += column
			}
			first += row
		}
	}
}

// loadHalf loads a row of 16 lanes.
func loadHalf[T uint32 | uint64](d *[ptx.MaxLanes / 2]T, from unsafe.Pointer, column, size int64) {
	switch column {
	case size:
		move[[ptx.MaxLanes / 2]T](unsafe.Pointer(d), from)
	case 0:
		v := *(*T)(from)
		for i := 0; i < ptx.MaxLanes/2; i += 4 {
			d[i], d[i+1], d[i+2], d[i+3] = v, v, v, v
		}
	default:
		next := int64(0)
		for i := range d {
			d[i] = *(*T)(unsafe.Add(from, next))
			next += column
		}
	}
}

func (w *Warp) loadLanes(in *ptx.Instr, d *[ptx.MaxLanes]uint32, first uint64, from unsafe.Pointer) {
	if in.Flags&ptx.FlagAddress64 != 0 {
		for i, v := range w.u64(in.A) {
			d[i] = *at[uint32](from, first+v)
		}
		return
	}
	k := uint32(first)
	for i, v := range w.u32(in.A) {
		d[i] = *at[uint32](from, uint64(k+v))
	}
}

func (w *Warp) storeDirect(in *ptx.Instr, p *places, to unsafe.Pointer) {
	o := in.Mem
	for k := range int(o.Count) {
		reg, first := o.Regs[k], p.base+uint64(k)*uint64(o.Bytes)
		if s := w.shape(reg); s.form() >= formWord {
			w.expand(reg, s)
		}
		switch {
		case o.Bytes == 4 && !o.Wide[k]:
			if p.shaped {
				storeRows(w.u32(reg), unsafe.Add(to, first), p.column, p.row, w.rowLanes)
			} else {
				w.storeLanes(in, w.u32(reg), first, to)
			}
		case o.Bytes == 8 && o.Wide[k] && p.shaped:
			storeRows(w.u64(reg), unsafe.Add(to, first), p.column, p.row, w.rowLanes)
		default:
			for i := range ptx.MaxLanes {
				b := unsafe.Slice((*byte)(unsafe.Add(to, w.place(in, p, first, i))), o.Bytes)
				writeBytes(b, o.Bytes, w.lane(reg, o.Wide[k], i))
			}
		}
	}
}

// storeRows and storeLanes store in ascending order, so where lanes meet the
// highest wins.

func storeRows[T uint32 | uint64](s *[ptx.MaxLanes]T, to unsafe.Pointer, column, row int64, rowLanes int) {
	size := int64(unsafe.Sizeof(s[0]))
	if column == size && (rowLanes == ptx.MaxLanes || row == size*int64(rowLanes)) {
		move[[ptx.MaxLanes]T](to, unsafe.Pointer(s))
		return
	}
	first := int64(0)
	for i := 0; i < ptx.MaxLanes; i += rowLanes {
		next := first
		for j := i; j < i+rowLanes; j++ {
			*(*T)(unsafe.Add(to, next)) = s[j&31]
			next += column
		}
		first += row
	}
}

func (w *Warp) storeLanes(in *ptx.Instr, s *[ptx.MaxLanes]uint32, first uint64, to unsafe.Pointer) {
	if in.Flags&ptx.FlagAddress64 != 0 {
		for i, v := range w.u64(in.A) {
			*at[uint32](to, first+v) = s[i]
		}
		return
	}
	k := uint32(first)
	for i, v := range w.u32(in.A) {
		*at[uint32](to, uint64(k+v)) = s[i]
	}
}
