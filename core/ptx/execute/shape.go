package execute

import (
	"unsafe"

	"github.com/burstscope/burstscope/core/ptx"
)

// A register often holds the same value in all lanes, or one that grows evenly
// from lane to lane: a parameter, a thread's index, an address made of both. Such
// a register has a shape, and an instruction on shapes costs as much as one lane.
// The lanes are written when an instruction needs them.
//
// The lanes of a warp form rows, which are those of the CTA where its width is a
// power of two below 32; otherwise the warp is one row. A shape is linear in
// column and row.
type shape struct {
	base   uint64 // lane 0; below 2^32 in a 32-bit register
	across int32  // what a step to the right adds
	packed int32  // what a step down adds, and the form: a shape is small because a large GPU has many
}

// form says where the value of a register is.
type form uint8

const (
	formLanes form = iota // in the lanes alone
	formBoth
	formWord // in the shape alone, 32 bits
	formLong // in the shape alone, 64 bits

	formBits = 2
)

// shapeBytes relates offsets: a slot of 128 bytes has a shape of 16.
const shapeBytes = ptx.SlotBytes / 8

var _ [shapeBytes - unsafe.Sizeof(shape{})]struct{} = [0]struct{}{}

// shape returns the shape of the register at an offset.
func (w *Warp) shape(offset uint32) *shape {
	return (*shape)(unsafe.Add(w.shapes, offset/(ptx.SlotBytes/shapeBytes)))
}

func (s *shape) form() form      { return form(s.packed & (1<<formBits - 1)) }
func (s *shape) setForm(f form)  { s.packed = s.packed&^(1<<formBits-1) | int32(f) }
func (s *shape) column() int64   { return int64(s.across) }
func (s *shape) row() int64      { return int64(s.packed >> formBits) }
func (s *shape) isUniform() bool { return s.across|s.packed>>formBits == 0 }

// fits reports whether a shape can have these steps.
func fits(column, row int64) bool {
	return column == int64(int32(column)) && row == row<<(32+formBits)>>(32+formBits)
}

// set makes s a shape whose lanes are not written yet. The steps of one of 64 bits must fit, and so must the rows of one of
// 32 bits.
func (s *shape) set(f form, base uint64, column, row int64) {
	if f == formWord {
		base = uint64(uint32(base))
	}
	s.base, s.across, s.packed = base, int32(column), int32(row)<<formBits|int32(f)
}

// shapeAt returns the value of a shape in one lane.
func (w *Warp) shapeAt(s *shape, lane int) uint64 {
	return s.base + uint64(s.column()*int64(lane&(w.rowLanes-1))+s.row()*int64(lane/w.rowLanes))
}

// expand writes the lanes of a register that has none. The shape stays.
func (w *Warp) expand(offset uint32, s *shape) {
	w.spread(offset, s.form(), s.base, s.column(), s.row())
	s.setForm(formBoth)
}

// spread writes the lanes of a register: those of a shape, which need not fit into one.
func (w *Warp) spread(offset uint32, f form, base uint64, column, row int64) {
	if f == formWord {
		expandRows(w.u32(offset), uint32(base), uint32(column), uint32(row), w.rowLanes)
	} else {
		expandRows(w.u64(offset), base, uint64(column), uint64(row), w.rowLanes)
	}
}

func expandRows[T uint32 | uint64](d *[ptx.MaxLanes]T, base, column, row T, rowLanes int) {
	if rowLanes < 4 {
		for first := 0; first < ptx.MaxLanes; first += rowLanes {
			v := base
			for i := first; i < first+rowLanes; i++ {
				d[i&31] = v
				v += column
			}
			base += row
		}
		return
	}
	two, three, four := 2*column, 3*column, 4*column
	for i := 0; i < ptx.MaxLanes; {
		v := base
		for end := i + rowLanes; i < end; i += 4 {
			k := i & 28
			d[k], d[k+1], d[k+2], d[k+3] = v, v+column, v+two, v+three
			v += four
		}
		base += row
	}
}

// overwrite removes the shape of a register that an instruction is going to write. If
// the instruction does not write all lanes, the lanes are written here first.
func (w *Warp) overwrite(offset uint32, s *shape, all bool) {
	if s.form() >= formWord && !all {
		w.expand(offset, s)
	}
	s.setForm(formLanes)
}

// settle writes the lanes of all registers an instruction reads, and of those it
// writes partly.
func (w *Warp) settle(in *ptx.Instr, all bool) {
	for _, offset := range in.ShapedReads {
		if s := w.shape(offset); s.form() >= formWord {
			w.expand(offset, s)
		}
	}
	for _, offset := range in.ShapedWrites {
		w.overwrite(offset, w.shape(offset), all)
	}
}

// settleAccess is settle for a memory instruction, which takes its addresses
// from a shape too. The result of a load keeps its value of before until the data arrive (arrived).
func (w *Warp) settleAccess(in *ptx.Instr) {
	for _, offset := range in.ShapedReads {
		if s := w.shape(offset); s.form() >= formWord {
			w.expand(offset, s)
		}
	}
	if in.Mem.Kind == ptx.AccessLoad && in.Mem.Space == ptx.SpaceGlobal {
		return
	}
	for _, offset := range in.ShapedWrites {
		w.overwrite(offset, w.shape(offset), false)
	}
}

// arrived removes the shapes of registers into which a load is going to write lanes.
func (w *Warp) arrived(o *ptx.MemoryOp, lanes uint32) {
	for k := range int(o.Count) {
		if o.Shaped[k] {
			if s := w.shape(o.Regs[k]); s.form() != formLanes {
				w.overwrite(o.Regs[k], s, lanes == ptx.FullMask)
			}
		}
	}
}

// settleAll writes the lanes of all registers and removes their shapes. Registers
// that never change keep theirs.
func (w *Warp) settleAll() {
	for slot := w.kernel.FirstVariable; slot < w.kernel.RegisterSlots; slot++ {
		offset := uint32(slot) * ptx.SlotBytes
		w.overwrite(offset, w.shape(offset), false)
	}
}

// reach returns the least and the greatest number among the lanes of a shape,
// whose base is given as the number it stands for. ok is false if it is too
// large to tell.
func (w *Warp) reach(base int64, s *shape) (low, high int64, ok bool) {
	if base < -1<<62 || base > 1<<62 {
		return 0, 0, false
	}
	across, down := s.column()*w.lastColumn, s.row()*w.lastRow
	return base + min(0, across) + min(0, down), base + max(0, across) + max(0, down), true
}

// reachWord is reach for a 32-bit register, as signed or unsigned numbers. It
// fails if the lanes pass the end of their range.
func (w *Warp) reachWord(s *shape, isSigned bool) (low, high int64, ok bool) {
	if isSigned {
		low, high, _ = w.reach(int64(int32(s.base)), s)
		return low, high, low >= -1<<31 && high < 1<<31
	}
	low, high, _ = w.reach(int64(s.base), s)
	return low, high, low >= 0 && high < 1<<32
}
