package ptx

import (
	"math"
	"slices"
	"unsafe"
)

// Without timing, accesses of all lanes are performed at once. What is not as usual
// (a fault, an access across pages) is left to the long way, which tells what is
// wrong: then nothing has changed.

// direct performs a load or store of all 32 lanes and reports whether it has.
func (w *Warp) direct(e *Env, in *Instr) bool {
	o := in.mem
	if e.image == nil || in.family != familyMemory || o.kind > AccessStore || o.space == SpaceLocal {
		return false
	}
	var p places
	if s := w.shape(in.a); s.form != formLanes {
		if !w.shapedPlaces(&p, in, s) {
			return false
		}
	} else if o.count > 1 && slices.Contains(o.regs[:o.count], in.a) || !w.lanePlaces(&p, in) {
		return false // the first element would overwrite the addresses of the others
	}
	n := uint64(o.bytes) * uint64(o.count)
	if p.low < 0 || p.bits&(n-1) != 0 {
		return false
	}
	data := w.view(e, o, uint64(p.low), uint64(p.high)+n)
	if data == nil {
		return false
	}
	from := unsafe.Pointer(unsafe.SliceData(data))
	if o.kind == AccessStore {
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

func (w *Warp) shapedPlaces(p *places, in *Instr, s *shape) bool {
	var ok bool
	base := s.base + in.imm
	narrow := in.flags&flagAddress64 == 0 && in.a != zeroSlot*slotBytes
	if narrow {
		base = uint64(uint32(base))
	}
	if p.low, p.high, ok = w.reach(int64(base), s); !ok || narrow && p.high >= 1<<32 {
		return false
	}
	p.bits = base | uint64(s.column) | uint64(s.row)
	p.shaped, p.base, p.column, p.row = true, base-uint64(p.low), s.column, s.row
	return true
}

func (w *Warp) lanePlaces(p *places, in *Instr) bool {
	low, high, union := uint64(math.MaxUint64), uint64(0), uint64(0)
	if in.flags&flagAddress64 != 0 {
		for _, v := range w.u64(in.a) {
			v += in.imm
			low, high, union = min(low, v), max(high, v), union|v
		}
		if high > 1<<62 {
			return false
		}
	} else {
		k := uint32(in.imm)
		least, most, all := uint32(math.MaxUint32), uint32(0), uint32(0)
		for _, v := range w.u32(in.a) {
			v += k
			least, most, all = min(least, v), max(most, v), all|v
		}
		low, high, union = uint64(least), uint64(most), uint64(all)
	}
	p.low, p.high, p.bits, p.base = int64(low), int64(high), union, in.imm-low
	return true
}

// view returns the memory between two addresses, nil if the access is not a
// simple one.
func (w *Warp) view(e *Env, o *memoryOp, low, high uint64) []byte {
	space := o.space
	if space == SpaceGeneric {
		switch {
		case low >= windowsEnd:
			space = SpaceGlobal
		case low >= SharedWindow && high <= SharedWindow+WindowBytes:
			space, low, high = SpaceShared, low-SharedWindow, high-SharedWindow
		default:
			return nil
		}
	}
	var data []byte
	switch space {
	case SpaceShared:
		data = w.CTA.Shared
	case SpaceParam:
		data = w.launch.Params
	case SpaceConst:
		data = w.kernel.Const
	case SpaceGlobal:
		if low < e.last.Base || high > e.last.End() {
			i := e.image.Find(low)
			if i < 0 || high > e.image.Allocations()[i].End() {
				return nil
			}
			e.last = e.image.Allocations()[i]
		}
		return e.image.View(low, high-low, o.kind == AccessStore)
	}
	if high > uint64(len(data)) || o.kind == AccessStore && space != SpaceShared {
		return nil
	}
	return data[low:high]
}

// The register file is addressed in bytes, in the order of the machine, and so is
// the memory of the simulated one: both are little-endian.

func at[T any](p unsafe.Pointer, offset uint64) *T { return (*T)(unsafe.Add(p, offset)) }

func (w *Warp) loadDirect(in *Instr, p *places, from unsafe.Pointer) {
	o := in.mem
	shaped := in.flags&flagShaped != 0
	uniform := p.shaped && p.column|p.row == 0
	for k := range int(o.count) {
		if o.absent[k] {
			continue
		}
		reg, first := o.regs[k], p.base+uint64(k)*uint64(o.bytes)
		switch {
		case uniform:
			v := extendLoaded(readBytes(unsafe.Slice((*byte)(unsafe.Add(from, first)), o.bytes), o.bytes), o.bytes, o.signed)
			if !o.wide[k] {
				v &= uint64(o.keep[k])
			}
			w.setUniform(reg, o.wide[k], v, slices.Contains(in.shapedWrites, reg))
			continue
		case o.bytes == 4 && !o.wide[k] && o.keep[k] == math.MaxUint32:
			if p.shaped {
				loadRows(w.u32(reg), p, first, from, w.rowLanes)
			} else {
				w.loadLanes(in, w.u32(reg), first, from)
			}
		case o.bytes == 8 && o.wide[k] && p.shaped:
			loadRows(w.u64(reg), p, first, from, w.rowLanes)
		default:
			for i := range MaxLanes {
				b := unsafe.Slice((*byte)(unsafe.Add(from, w.place(in, p, first, i))), o.bytes)
				w.bind(o, k, i, extendLoaded(readBytes(b, o.bytes), o.bytes, o.signed))
			}
		}
		if shaped {
			w.shape(reg).form = formLanes
		}
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
		s.form = formLanes
	}
}

// place returns where an element of lane i is whose first lane, or sum with an
// address, is at first.
func (w *Warp) place(in *Instr, p *places, first uint64, i int) uint64 {
	switch {
	case p.shaped:
		return first + uint64(p.column*int64(i&(w.rowLanes-1))+p.row*int64(i/w.rowLanes))
	case in.flags&flagAddress64 != 0:
		return first + w.u64(in.a)[i]
	}
	return uint64(uint32(first) + w.u32(in.a)[i]) // wraps as the address does
}

func loadRows[T uint32 | uint64](d *[MaxLanes]T, p *places, first uint64, from unsafe.Pointer, rowLanes int) {
	size := int64(unsafe.Sizeof(d[0]))
	if p.column == size {
		if rowLanes == MaxLanes || p.row == size*int64(rowLanes) {
			*d = *at[[MaxLanes]T](from, first)
			return
		}
		for i := 0; i < MaxLanes; i += rowLanes {
			copy(d[i:i+rowLanes], unsafe.Slice(at[T](from, first), rowLanes))
			first += uint64(p.row)
		}
		return
	}
	for i := 0; i < MaxLanes; i += rowLanes {
		next := first
		for j := i; j < i+rowLanes; j++ {
			d[j&31] = *at[T](from, next)
			next += uint64(p.column)
		}
		first += uint64(p.row)
	}
}

func (w *Warp) loadLanes(in *Instr, d *[MaxLanes]uint32, first uint64, from unsafe.Pointer) {
	if in.flags&flagAddress64 != 0 {
		for i, v := range w.u64(in.a) {
			d[i] = *at[uint32](from, first+v)
		}
		return
	}
	k := uint32(first)
	for i, v := range w.u32(in.a) {
		d[i] = *at[uint32](from, uint64(k+v))
	}
}

func (w *Warp) storeDirect(in *Instr, p *places, to unsafe.Pointer) {
	o := in.mem
	for k := range int(o.count) {
		reg, first := o.regs[k], p.base+uint64(k)*uint64(o.bytes)
		if in.flags&flagShaped != 0 {
			if s := w.shape(reg); s.form >= formWord {
				w.expand(reg, s)
			}
		}
		switch {
		case o.bytes == 4 && !o.wide[k]:
			if p.shaped {
				storeRows(w.u32(reg), p, first, to, w.rowLanes)
			} else {
				w.storeLanes(in, w.u32(reg), first, to)
			}
		case o.bytes == 8 && o.wide[k] && p.shaped:
			storeRows(w.u64(reg), p, first, to, w.rowLanes)
		default:
			for i := range MaxLanes {
				b := unsafe.Slice((*byte)(unsafe.Add(to, w.place(in, p, first, i))), o.bytes)
				writeBytes(b, o.bytes, w.lane(reg, o.wide[k], i))
			}
		}
	}
}

// storeRows and storeLanes store in ascending order, so where lanes meet the
// highest wins.

func storeRows[T uint32 | uint64](s *[MaxLanes]T, p *places, first uint64, to unsafe.Pointer, rowLanes int) {
	size := int64(unsafe.Sizeof(s[0]))
	if p.column == size && (rowLanes == MaxLanes || p.row == size*int64(rowLanes)) {
		*at[[MaxLanes]T](to, first) = *s
		return
	}
	for i := 0; i < MaxLanes; i += rowLanes {
		next := first
		for j := i; j < i+rowLanes; j++ {
			*at[T](to, next) = s[j&31]
			next += uint64(p.column)
		}
		first += uint64(p.row)
	}
}

func (w *Warp) storeLanes(in *Instr, s *[MaxLanes]uint32, first uint64, to unsafe.Pointer) {
	if in.flags&flagAddress64 != 0 {
		for i, v := range w.u64(in.a) {
			*at[uint32](to, first+v) = s[i]
		}
		return
	}
	k := uint32(first)
	for i, v := range w.u32(in.a) {
		*at[uint32](to, uint64(k+v)) = s[i]
	}
}
