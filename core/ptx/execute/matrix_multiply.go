package execute

import (
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

func (w *Warp) matrix(e *Env, in *ptx.Instr, mask uint32) Effect {
	if mask != ptx.FullMask {
		if mask == 0 {
			w.advance()
			return EffectNone
		}
		w.faultAt(w.PC, bits.TrailingZeros32(mask), "%d threads of the warp execute an .aligned instruction, but all 32 must", bits.OnesCount32(mask))
		return EffectFault
	}
	switch in.Op {
	case ptx.MatrixMultiply:
		if !w.multiply(in) {
			return EffectFault
		}
	case ptx.MatrixRows:
		return w.matrixAccess(e, in)
	case ptx.MatrixTranspose:
		w.transposeRegister(in)
	case ptx.MatrixGroup:
		return w.groupArrive(in)
	case ptx.MatrixCommit:
		w.commitGroup()
	case ptx.MatrixWait:
		w.waitGroups(uint32(in.Imm))
		w.advance()
		return EffectGroupWait
	}
	w.advance()
	return EffectNone
}

// tile holds the operands of one multiplication, by rows. The largest are those of
// m16n8k64 (A), m8n32k16 (B) and m16n16k16 (C).
type tile[T float64 | int64] struct {
	a [1024]T
	b [512]T
	c [256]T
}

// multiply is mma and wmma.mma. It reports whether there was no fault.
func (w *Warp) multiply(in *ptx.Instr) bool {
	v := in.Vector
	o := v.Matrix
	d, a := v.Regs[:o.First[0]], v.Regs[o.First[0]:o.First[1]]
	b, c := v.Regs[o.First[1]:o.First[2]], v.Regs[o.First[2]:]
	switch {
	case o.Sparse:
		return w.multiplySparse(in, d, a, b, c)
	case o.Quads:
		w.multiplyQuads(o, d, a, b, c)
	case o.A.Element == ptx.ElementF64:
		var t tile[float64]
		w.gatherFloats(&o.A, a, t.a[:])
		w.gatherFloats(&o.B, b, t.b[:])
		w.gatherFloats(&o.C, c, t.c[:])
		fuse(&t, o.D.Rows, o.D.Cols, o.A.Cols, o.Mode)
		w.scatterFloats(&o.D, d, t.c[:])
	case o.A.Element.IsFloat():
		var t tile[float64]
		w.gatherFloats(&o.A, a, t.a[:])
		w.gatherFloats(&o.B, b, t.b[:])
		w.gatherFloats(&o.C, c, t.c[:])
		var sums matrixSums
		sums.add(&t, o)
		if o.Saturate {
			makeFinite(t.c[:], o.D.Element)
		}
		w.scatterFloats(&o.D, d, t.c[:])
	default:
		var t tile[int64]
		w.gatherInts(&o.A, a, t.a[:])
		w.gatherInts(&o.B, b, t.b[:])
		w.gatherInts(&o.C, c, t.c[:])
		if o.A.Element == ptx.ElementB1 {
			countBits(&t, o.D.Rows, o.D.Cols, o.A.Cols, o.And)
		} else {
			accumulate(&t, o.D.Rows, o.D.Cols, o.A.Cols)
		}
		w.scatterInts(&o.D, d, t.c[:], o.Saturate)
	}
	return true
}

// accumulate adds the products to C one after the other. Products of floats are
// exact, and their sum is one in f64, in ascending order of k; only its conversion to
// the type of D rounds. Four sums run side by side.
func accumulate[T float64 | int64](t *tile[T], m, n, k int) {
	for i := range m {
		a := t.a[i*k : i*k+k]
		for j := 0; j < n; j += 4 {
			c := t.c[i*n+j : i*n+j+4 : i*n+j+4]
			s0, s1, s2, s3 := c[0], c[1], c[2], c[3]
			at := j
			for _, x := range a {
				b := t.b[at : at+4 : at+4]
				s0 += T(x * b[0])
				s1 += T(x * b[1])
				s2 += T(x * b[2])
				s3 += T(x * b[3])
				at += n
			}
			c[0], c[1], c[2], c[3] = s0, s1, s2, s3
		}
	}
}

// makeFinite is .satfinite of wmma on f16: what is out of range becomes the largest
// number, and NaN zero.
func makeFinite(sums []float64, e ptx.Element) {
	limit := math.MaxFloat32
	if e == ptx.ElementF16 {
		limit = 65504
	}
	for i, v := range sums {
		if v != v {
			sums[i] = 0
		} else {
			sums[i] = max(-limit, min(limit, v))
		}
	}
}

// fuse adds products of f64 as a chain of fma in ascending order of k.
func fuse(t *tile[float64], m, n, k int, mode ptx.Rounding) {
	for i := range m {
		for j := range n {
			s := t.c[i*n+j]
			for l := range k {
				a, b := t.a[i*k+l], t.b[l*n+j]
				r := arith.Fma64(a, b, s, mode)
				s = arith.F64(arith.Result64(r, arith.Bits64(b), arith.Bits64(s), arith.Bits64(a)))
			}
			t.c[i*n+j] = s
		}
	}
}

// countBits adds, for each row of A and column of B, the number of bits that differ
// (.xor) or that are set in both (.and).
func countBits(t *tile[int64], m, n, k int, and bool) {
	for i := range m {
		for j := range n {
			for l := range k {
				x, y := uint32(t.a[i*k+l]), uint32(t.b[l*n+j])
				if and {
					x &= y
				} else {
					x ^= y
				}
				t.c[i*n+j] += int64(bits.OnesCount32(x))
			}
		}
	}
}

func (w *Warp) gatherFloats(f *ptx.Fragment, regs []uint32, out []float64) {
	group, step, next := f.Strides()
	for r := range f.Registers() {
		row, col := f.Origin(r)
		base := row*f.Cols + col
		if f.Element == ptx.ElementF64 {
			for i, v := range w.u64(regs[r]) {
				out[base+i>>2*group+i&3*step] = arith.F64(v)
			}
			continue
		}
		for i, v := range w.u32(regs[r]) {
			at := base + i>>2*group + i&3*step
			switch f.Element {
			case ptx.ElementF16:
				if v&0x7c00 == 0x7c00 || v&0x7c000000 == 0x7c000000 {
					out[at], out[at+next] = arith.FormatF16.Double(uint64(v&0xffff)), arith.FormatF16.Double(uint64(v>>16))
					continue
				}
				// The same bits as an f32, whose bias is larger by 112.
				low, high := v&0x7fff<<13|v&0x8000<<16, v>>16&0x7fff<<13|v&0x80000000
				out[at] = float64(float32(math.Float32frombits(low) * 0x1p112))
				out[at+next] = float64(float32(math.Float32frombits(high) * 0x1p112))
			case ptx.ElementBF16:
				out[at] = float64(math.Float32frombits(v << 16))
				out[at+next] = float64(math.Float32frombits(v &^ 0xffff))
			case ptx.ElementTF32: // the low bits of the register do not count
				out[at] = float64(math.Float32frombits(v &^ 0x1fff))
			case ptx.ElementF32:
				out[at] = float64(math.Float32frombits(v))
			default:
				for range 4 {
					out[at] = eighth(f.Element, v&0xff)
					v >>= 8
					at += next
				}
			}
		}
	}
}

// eighth returns the value of an 8-bit float: e5m2 is the upper half of an f16,
// e4m3 has a bias of 7, no infinity, and NaN where all bits but the sign are ones.
func eighth(e ptx.Element, v uint32) float64 {
	if e == ptx.ElementE5M2 {
		return arith.FormatF16.Double(uint64(v << 8))
	}
	if v&0x7f == 0x7f {
		return math.NaN()
	}
	// The same bits as an f16, whose bias is larger by 8.
	return 256 * arith.FormatF16.Double(uint64(v&0x80<<8|v&0x7f<<7))
}

func (w *Warp) scatterFloats(f *ptx.Fragment, regs []uint32, in []float64) {
	group, step, next := f.Strides()
	for r, offset := range regs {
		row, col := f.Origin(r)
		base := row*f.Cols + col
		if f.Element == ptx.ElementF64 {
			d := w.u64(offset)
			for i := range d {
				d[i] = arith.Bits64(in[base+i>>2*group+i&3*step])
			}
			continue
		}
		d := w.u32(offset)
		for i := range d {
			at := base + i>>2*group + i&3*step
			if f.Element == ptx.ElementF32 {
				d[i] = uint32(arith.Bits32(float32(in[at])))
			} else {
				d[i] = uint32(arith.FormatF16.Nearest(in[at]) | arith.FormatF16.Nearest(in[at+next])<<16)
			}
		}
	}
}

func (w *Warp) gatherInts(f *ptx.Fragment, regs []uint32, out []int64) {
	group, step, next := f.Strides()
	for r := range f.Registers() {
		row, col := f.Origin(r)
		base := row*f.Cols + col
		for i, v := range w.u32(regs[r]) {
			at := base + i>>2*group + i&3*step
			switch f.Element {
			case ptx.ElementS8:
				for range 4 {
					out[at] = int64(int8(v))
					v >>= 8
					at += next
				}
			case ptx.ElementU8:
				for range 4 {
					out[at] = int64(uint8(v))
					v >>= 8
					at += next
				}
			case ptx.ElementS4:
				for range 8 {
					out[at] = int64(int32(v<<28) >> 28)
					v >>= 4
					at += next
				}
			case ptx.ElementU4:
				for range 8 {
					out[at] = int64(v & 15)
					v >>= 4
					at += next
				}
			default: // s32, or 32 bits
				out[at] = int64(int32(v))
			}
		}
	}
}

func (w *Warp) scatterInts(f *ptx.Fragment, regs []uint32, in []int64, saturate bool) {
	group, step, _ := f.Strides()
	for r, offset := range regs {
		row, col := f.Origin(r)
		base := row*f.Cols + col
		d := w.u32(offset)
		for i := range d {
			v := in[base+i>>2*group+i&3*step]
			if saturate {
				v = min(max(v, math.MinInt32), math.MaxInt32)
			}
			d[i] = uint32(v)
		}
	}
}

// multiplyQuads is mma.m8n8k4 on f16: lanes 4q to 4q+3 and 16+4q to 16+4q+3 hold
// the operands and the result of product q.
func (w *Warp) multiplyQuads(o *ptx.MatrixOp, d, a, b, c []uint32) {
	var out [8][ptx.MaxLanes]uint32
	for q := range 4 {
		var x [8][4]float64
		var y [4][8]float64
		for r := range a { // two elements each
			for i := range 8 {
				half, lane := i/4, i%4
				at := half*16 + 4*q + lane
				for e := range 2 {
					k := 2*r + e
					shift := 16 * e
					u := arith.FormatF16.Double(uint64(w.u32(a[r])[at] >> shift & 0xffff))
					v := arith.FormatF16.Double(uint64(w.u32(b[r])[at] >> shift & 0xffff))
					if o.ColumnA {
						x[4*half+k][lane] = u
					} else {
						x[4*half+lane][k] = u
					}
					if o.ColumnB {
						y[k][4*half+lane] = v
					} else {
						y[lane][4*half+k] = v
					}
				}
			}
		}
		for i := range 64 {
			row, col := i/8, i%8
			r, at, shift := quadPlace(o.C.Element, q, row, col)
			s := quadValue(o.C.Element, w.u32(c[r])[at]>>shift)
			s = quadSum(x[row][:], &y, col, float32(s), o.D.Element)
			r, at, shift = quadPlace(o.D.Element, q, row, col)
			if o.D.Element == ptx.ElementF32 {
				out[r][at] = uint32(arith.Bits32(float32(s)))
			} else {
				out[r][at] |= uint32(arith.FormatF16.Nearest(s)) << shift
			}
		}
	}
	for r, offset := range d {
		*w.u32(offset) = out[r]
	}
}

// quadSum adds four products to c as compute capability 9.0 does, where mma.m8n8k4 is a
// sequence of instructions on f32 (found like the rule of alignedSum).
func quadSum(x []float64, y *[4][8]float64, col int, c float32, d ptx.Element) float64 {
	product := func(k int, z float32) float32 {
		return arith.Fma32(float32(x[k]), float32(y[k][col]), z, ptx.RoundNearest)
	}
	if d == ptx.ElementF32 {
		return float64(c + product(3, product(2, product(1, product(0, 0)))))
	}
	low, high := product(1, float32(x[0]*y[0][col])), product(3, float32(x[2]*y[2][col]))
	return float64(float32(c+low) + high)
}

// quadPlace returns the register, lane and bit of an element of C or D of product q
// of mma.m8n8k4 on f16.
func quadPlace(e ptx.Element, q, row, col int) (register, lane, shift int) {
	lane = row/4*16 + 4*q
	if e == ptx.ElementF32 {
		return col&4 | row&2 | col&1, lane + col&2 + row&1, 0
	}
	return col / 2, lane + row%4, col % 2 * 16
}

func quadValue(e ptx.Element, v uint32) float64 {
	if e == ptx.ElementF32 {
		return float64(math.Float32frombits(v))
	}
	return arith.FormatF16.Double(uint64(v & 0xffff))
}
