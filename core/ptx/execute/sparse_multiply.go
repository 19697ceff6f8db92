package execute

import "github.com/burstscope/burstscope/core/ptx"

// sparseTile holds the operands of mma.sp, by rows: A as it is stored, and the rows of B that belong to one row of A.
// The largest are those of m16n8k128 on 4-bit elements.
type sparseTile[T float64 | int64] struct {
	a      [16 * 64]T
	b      [128 * 8]T
	c      [16 * 8]T
	chosen [64 * 8]T
}

// choose copies the rows of B that belong to a row of A, in the order in which its elements are stored. If halves is
// set, the lower two of each four come first, as in lowerFirst.
func (t *sparseTile[T]) choose(places *[32]uint8, row, count int, inPairs, halves bool) {
	a := t.a[row*count : row*count+count]
	var stored [64]T
	copy(stored[:], a)
	for l := range count {
		k, to := 0, l
		if inPairs {
			k = 2*int(places[l/2]) + l%2
		} else {
			k = int(places[l])
		}
		if halves {
			to = l&2*(count/4) + l>>2*2 + l&1
		}
		a[to] = stored[l]
		copy(t.chosen[8*to:8*to+8], t.b[8*k:])
	}
}

// multiplySparse is mma.sp. It reports whether the metadata are legal.
func (w *Warp) multiplySparse(in *ptx.Instr, d, a, b, c []uint32) bool {
	o := in.Vector.Matrix
	var places sparseIndex
	count := o.A.Cols
	inPairs := o.A.Element.Bits() == 4
	if inPairs {
		count /= 2
	}
	if !w.sparse(&places, w.PC, in.E, o.A.Element, int(o.Layout), int(o.Selector), count, !o.Ordered) {
		return false
	}
	if o.A.Element.IsFloat() {
		var t sparseTile[float64]
		w.gatherFloats(&o.A, a, t.a[:])
		w.gatherFloats(&o.B, b, t.b[:])
		w.gatherFloats(&o.C, c, t.c[:])
		for row := range 16 {
			t.choose(&places[row], row, o.A.Cols, false, o.A.Element.Bits() == 8)
			sparseRow(&t, o, row)
		}
		w.scatterFloats(&o.D, d, t.c[:])
		return true
	}
	var t sparseTile[int64]
	w.gatherInts(&o.A, a, t.a[:])
	w.gatherInts(&o.B, b, t.b[:])
	w.gatherInts(&o.C, c, t.c[:])
	for row := range 16 {
		t.choose(&places[row], row, o.A.Cols, inPairs, false)
		for l, v := range t.a[row*o.A.Cols:][:o.A.Cols] {
			for j := range 8 {
				t.c[8*row+j] += v * t.chosen[8*l+j]
			}
		}
	}
	w.scatterInts(&o.D, d, t.c[:], o.Saturate)
	return true
}

// sparseRow adds a row of products to C, as matrixSums does: the elements that are stored count as a row of mma without
// gaps. No recording of mma.sp confirms it.
func sparseRow(t *sparseTile[float64], o *ptx.MatrixOp, row int) {
	n := o.A.Cols
	a := t.a[row*n : row*n+n]
	var ea [32]int32
	var eb [32 * 8]int32
	lowest := lowestExponent(o.A.Element)
	for l, v := range a {
		ea[l] = exponentOf(v, lowest)
	}
	for l, v := range t.chosen[:8*n] {
		eb[l] = exponentOf(v, lowest)
	}
	eighths := o.A.Element.Bits() == 8
	group := n
	if eighths {
		group = n / 2
	}
	lowest = lowestExponent(o.D.Element)
	for j := 0; j < 8; j += 4 {
		c := (*[4]float64)(t.c[8*row+j:])
		s := *c
		if eighths {
			s = [4]float64{}
		}
		for l := 0; l < n; l += group {
			alignedSum(&s, a[l:l+group], ea[l:l+group], t.chosen[8*l+j:], eb[8*l+j:], 8, lowest, sumFraction)
			for i, v := range s {
				if o.D.Element == ptx.ElementF32 {
					s[i] = cutToFloat(v)
				} else {
					s[i] = roundToHalf(v)
				}
			}
		}
		for i, v := range s {
			if eighths {
				v += c[i]
			}
			c[i] = v
		}
	}
}
