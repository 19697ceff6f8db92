package execute

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// eighthFraction is sumFraction for products of 8-bit floats in wgmma, which are summed as such: 32 of them and the
// summand are aligned and cut to 13 bits below the largest exponent (MMA-Sim, arXiv 2511.10909; DeepSeek-V3, arXiv
// 2412.19437, section 3.5.2, finds about 14 bits on an H800). The other elements are summed as by mma
// (matrix_sum.go). Both are unconfirmed by a recording of wgmma.
const eighthFraction = 13

// Sizes of the operands: 64 rows of 32 bytes of A, up to 256 columns of up to 64 bytes of B.
const (
	groupABytes = ptx.GroupRows * ptx.GroupRowBytes
	groupBBytes = 256 * 2 * ptx.GroupRowBytes
)

// groupOperands are A and B of one wgmma.mma_async as they lie in memory, but row by row, and the places of a sparse A.
type groupOperands struct {
	a      [groupABytes]byte
	b      [groupBBytes]byte
	sparse [ptx.GroupWarps]sparseIndex
}

// groupTile holds a part of the operands: A of each warp, eight columns of B, and eight columns of D of one warp.
type groupTile[T float64 | int64] struct {
	a     [ptx.GroupWarps][16 * 32]T
	b     [64 * 8]T
	c     [16 * 8]T
	depth int // elements of a row of A
	// chosen are the rows of b that belong to the elements of one row of a sparse A.
	chosen [32 * 8]T
}

// rows returns the rows of A that a warp works on.
func (x *groupOperands) rows(warp int) []byte {
	const n = groupABytes / ptx.GroupWarps
	return x.a[warp*n : warp*n+n]
}

// groupMultiply multiplies for the four warps of a group. It reports whether the operands could be read; the fault is
// that of w.
func (w *Warp) groupMultiply(members *[ptx.GroupWarps]*Warp, in *ptx.Instr) bool {
	o := in.Vector.Group
	regs := in.Vector.Regs
	var x groupOperands
	checks := w.newGroupReads(members)
	if !w.groupMatrix(x.b[:], w.u64(in.B)[0], "B", o.N, o.ColumnBytes(), o.ColumnB, checks) {
		return false
	}
	if o.InRegisters {
		for i, m := range members {
			m.registerRows(x.rows(i), regs[o.Sums():])
		}
	} else if !w.groupMatrix(x.a[:], w.u64(in.A)[0], "A", ptx.GroupRows, ptx.GroupRowBytes, o.ColumnA, checks) {
		return false
	}
	if o.Sparse {
		layout, _ := ptx.MetadataLayout(o.A, ptx.GroupRowBytes)
		for i, m := range members {
			if !m.sparse(&x.sparse[i], w.PC, in.E, o.A, layout, int(o.Selector), ptx.GroupRowBytes*8/o.A.Bits(),
				false) {
				w.fault = m.fault
				return false
			}
		}
	}
	if o.A.IsFloat() {
		w.groupFloats(members, in, &x)
	} else {
		w.groupInts(members, in, &x)
	}
	return true
}

// clears reports whether D is not read: scale-d is false.
func (w *Warp) clears(in *ptx.Instr) bool {
	return (*w.predicate(in.C)&1 == 0) != (in.Flags&ptx.FlagNegateC != 0)
}

func (w *Warp) groupFloats(members *[ptx.GroupWarps]*Warp, in *ptx.Instr, x *groupOperands) {
	o := in.Vector.Group
	var t groupTile[float64]
	var s groupSums
	t.depth = ptx.GroupRowBytes * 8 / o.A.Bits()
	s.begin(o)
	per := o.D.Bits() / 8 // registers of eight columns: 4 of f32, 2 of f16
	for i := range members {
		decodeFloats(o.A, x.rows(i), t.a[i][:], o.NegateA)
		s.exponents(t.a[i][:16*t.depth], s.a[i][:], o.A)
	}
	for j := range o.N / 8 {
		t.columns(o, x, j)
		s.exponents(t.b[:], s.b[:], o.B)
		for i, m := range members {
			regs := in.Vector.Regs[j*per : j*per+per]
			if m.clears(in) {
				clear(t.c[:])
			} else {
				m.groupSummands(o.D, regs, &t.c)
			}
			s.add(&t, i, o.Sparse, &x.sparse[i])
			m.groupResults(o.D, regs, &t.c)
		}
	}
}

// columns decodes eight columns of B, from 8*j on, into rows of eight.
func (t *groupTile[T]) columns(o *ptx.GroupOp, x *groupOperands, j int) {
	n := o.ColumnBytes()
	var column [64]T
	clear(t.b[:])
	for c := range 8 {
		from := x.b[(8*j+c)*n : (8*j+c+1)*n]
		switch column := any(&column).(type) {
		case *[64]float64:
			decodeFloats(o.B, from, column[:], o.NegateB)
		case *[64]int64:
			decodeInts(o.B, from, column[:])
		}
		for k := range n * 8 / groupBits(o.B) {
			t.b[8*k+c] = column[k]
		}
	}
}

// groupBits is the size of an element, or 32 for bits, which are taken by the 32.
func groupBits(e ptx.Element) int {
	if e == ptx.ElementB1 {
		return 32
	}
	return e.Bits()
}

func decodeFloats(e ptx.Element, from []byte, to []float64, negate bool) {
	size := e.Bits() / 8
	for i := range len(from) / size {
		var v float64
		switch at := from[i*size:]; e {
		case ptx.ElementF16:
			v = arith.FormatF16.Double(uint64(binary.LittleEndian.Uint16(at)))
		case ptx.ElementBF16:
			v = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(at)) << 16))
		case ptx.ElementTF32: // the low bits do not count
			v = float64(math.Float32frombits(binary.LittleEndian.Uint32(at) &^ 0x1fff))
		default:
			v = eighth(e, uint32(at[0]))
		}
		if negate {
			v = -v
		}
		to[i] = v
	}
}

func decodeInts(e ptx.Element, from []byte, to []int64) {
	switch e {
	case ptx.ElementS8:
		for i, v := range from {
			to[i] = int64(int8(v))
		}
	case ptx.ElementU8:
		for i, v := range from {
			to[i] = int64(v)
		}
	default: // bits, by the 32
		for i := range len(from) / 4 {
			to[i] = int64(binary.LittleEndian.Uint32(from[4*i:]))
		}
	}
}

// groupPlace returns the row and the column, of eight, of element i that a lane holds of D (PTX ISA, "Register
// Fragments", accumulators): two by two.
func groupPlace(lane, i int) int { return (lane/4+i/2*8)*8 + lane%4*2 + i%2 }

func (w *Warp) groupSummands(e ptx.Element, regs []uint32, c *[16 * 8]float64) {
	for r, offset := range regs {
		for l, v := range w.u32(offset) {
			if e == ptx.ElementF32 {
				c[groupPlace(l, r)] = float64(math.Float32frombits(v))
			} else {
				c[groupPlace(l, 2*r)] = arith.FormatF16.Double(uint64(v & 0xffff))
				c[groupPlace(l, 2*r+1)] = arith.FormatF16.Double(uint64(v >> 16))
			}
		}
	}
}

func (w *Warp) groupResults(e ptx.Element, regs []uint32, c *[16 * 8]float64) {
	for r, offset := range regs {
		d := w.u32(offset)
		for l := range d {
			if e == ptx.ElementF32 {
				d[l] = uint32(arith.Bits32(float32(c[groupPlace(l, r)])))
			} else {
				d[l] = uint32(arith.FormatF16.Nearest(c[groupPlace(l, 2*r)]) | arith.FormatF16.Nearest(c[groupPlace(l,
					2*r+1)])<<16)
			}
		}
	}
}

// groupSums adds products of floats as matrixSums does.
type groupSums struct {
	a        [ptx.GroupWarps][16 * 32]int32
	b        [64 * 8]int32
	chosen   [32 * 8]int32
	fraction int32
	lowest   int32 // of the summand
	single   bool  // D has f32
}

func (s *groupSums) begin(o *ptx.GroupOp) {
	s.single = o.D == ptx.ElementF32
	s.fraction, s.lowest = sumFraction, lowestExponent(o.D)
	if o.A.Bits() == 8 {
		s.fraction = eighthFraction
	}
}

func (s *groupSums) exponents(from []float64, to []int32, e ptx.Element) {
	lowest := lowestExponent(e)
	if e == ptx.ElementE4M3 {
		lowest = bias - 6
	}
	for i, v := range from {
		to[i] = exponentOf(v, lowest)
	}
}

// add adds the products of a warp's 16 rows and eight columns to C, each row in one step.
func (s *groupSums) add(t *groupTile[float64], warp int, isSparse bool, sparse *sparseIndex) {
	n := t.depth
	a, ea := t.a[warp][:], s.a[warp][:]
	for i := range 16 {
		b, eb := t.b[:], s.b[:]
		if isSparse {
			for l := range n {
				k := 8 * int(sparse[i][l])
				copy(t.chosen[8*l:8*l+8], t.b[k:])
				copy(s.chosen[8*l:8*l+8], s.b[k:])
			}
			b, eb = t.chosen[:], s.chosen[:]
		}
		for j := 0; j < 8; j += 4 {
			c := (*[4]float64)(t.c[8*i+j:])
			alignedSum(c, a[i*n:i*n+n], ea[i*n:i*n+n], b[j:], eb[j:], 8, s.lowest, s.fraction)
			for q, v := range c {
				if s.single {
					c[q] = cutToFloat(v)
				} else {
					c[q] = roundToHalf(v)
				}
			}
		}
	}
}

func (w *Warp) groupInts(members *[ptx.GroupWarps]*Warp, in *ptx.Instr, x *groupOperands) {
	o := in.Vector.Group
	var t groupTile[int64]
	t.depth = ptx.GroupRowBytes * 8 / groupBits(o.A)
	for i := range members {
		decodeInts(o.A, x.rows(i), t.a[i][:])
	}
	for j := range o.N / 8 {
		t.columns(o, x, j)
		for i, m := range members {
			regs := in.Vector.Regs[4*j : 4*j+4]
			cleared := m.clears(in)
			for r, offset := range regs {
				d := m.u32(offset)
				for l := range d {
					at := groupPlace(l, r)
					sum := t.dot(o, &x.sparse[i], i, at)
					if !cleared {
						sum += int64(int32(d[l]))
					}
					if o.Saturate {
						sum = min(max(sum, math.MinInt32), math.MaxInt32)
					}
					d[l] = uint32(sum)
				}
			}
		}
	}
}

// dot is the product of the row of A and the column of B for an element of D of a warp, or the number of bits that
// both have.
func (t *groupTile[T]) dot(o *ptx.GroupOp, sparse *sparseIndex, warp, at int) (sum int64) {
	row, column := at/8, at%8
	for l := range t.depth {
		k := l
		if o.Sparse {
			k = int(sparse[row][l])
		}
		a, b := int64(t.a[warp][row*t.depth+l]), int64(t.b[8*k+column])
		if o.A == ptx.ElementB1 {
			sum += int64(bits.OnesCount64(uint64(a & b)))
		} else {
			sum += a * b
		}
	}
	return sum
}
