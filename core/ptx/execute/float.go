package execute

import (
	"math"
	"unsafe"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// float runs an f32 instruction on the lanes of mask, with .ftz and .sat.
func (w *Warp) float(in *ptx.Instr, d *[32]uint32) {
	a, b, c := w.u32(in.A), w.u32(in.B), w.u32(in.C)
	if in.Flags&(ptx.FlagFlush|ptx.FlagSaturate) == 0 {
		floatLoop(in.Op, asFloats(d), asFloats(a), asFloats(b), asFloats(c))
		return
	}
	if in.Flags&ptx.FlagFlush != 0 {
		var fa, fb, fc [32]uint32
		flushLanes(&fa, a)
		flushLanes(&fb, b)
		if in.Op == ptx.FloatFma || in.Op == ptx.FloatFmaRounded {
			flushLanes(&fc, c)
		}
		floatLoop(in.Op, asFloats(d), asFloats(&fa), asFloats(&fb), asFloats(&fc))
		if in.Op == ptx.FloatMul || in.Op == ptx.FloatFma || in.Op == ptx.FloatDiv {
			flushTiny(in.Op, d, &fa, &fb, &fc)
		}
		flushLanes(d, d)
	} else {
		floatLoop(in.Op, asFloats(d), asFloats(a), asFloats(b), asFloats(c))
	}
	if in.Flags&ptx.FlagSaturate != 0 {
		for i := range d {
			d[i] = uint32(arith.Saturate01(uint64(d[i])))
		}
	}
}

// flushTiny finds results that only rounding has made the smallest normal number, and makes
// them subnormal (arith.FlushedScaled).
func flushTiny(o ptx.Op, d, a, b, c *[32]uint32) {
	for i := range d {
		if d[i]&0x7fffffff != arith.SmallestNormal {
			continue
		}
		// The same operation on numbers that are 2^24 times as large.
		x, y := math.Float32frombits(a[i])*0x1p24, math.Float32frombits(b[i])
		var r float32
		switch o {
		case ptx.FloatMul:
			r = x * y
		case ptx.FloatDiv:
			r = x / y
		default:
			r = arith.Fma32(x, y, math.Float32frombits(c[i])*0x1p24, ptx.RoundNearest)
		}
		if arith.Below(uint64(math.Float32bits(r))) {
			d[i] &= 0x80000000
		}
	}
}

func flushLanes(d, a *[32]uint32) {
	for i := range d {
		v := a[i]
		if v&0x7f800000 == 0 {
			v &= 0x80000000
		}
		d[i] = v
	}
}

func floatLoop(o ptx.Op, d, a, b, c *[32]float32) {
	switch o {
	case ptx.FloatAdd:
		for i := 0; i < 32; i += 4 {
			v0, v1, v2, v3 := a[i]+b[i], a[i+1]+b[i+1], a[i+2]+b[i+2], a[i+3]+b[i+3]
			if v0 != v0 || v1 != v1 || v2 != v2 || v3 != v3 {
				v0, v1, v2, v3 = arith.OneNaN(v0), arith.OneNaN(v1), arith.OneNaN(v2), arith.OneNaN(v3)
			}
			d[i], d[i+1], d[i+2], d[i+3] = v0, v1, v2, v3
		}
	case ptx.FloatSub:
		for i := 0; i < 32; i += 4 {
			v0, v1, v2, v3 := a[i]-b[i], a[i+1]-b[i+1], a[i+2]-b[i+2], a[i+3]-b[i+3]
			if v0 != v0 || v1 != v1 || v2 != v2 || v3 != v3 {
				v0, v1, v2, v3 = arith.OneNaN(v0), arith.OneNaN(v1), arith.OneNaN(v2), arith.OneNaN(v3)
			}
			d[i], d[i+1], d[i+2], d[i+3] = v0, v1, v2, v3
		}
	case ptx.FloatMul:
		for i := 0; i < 32; i += 4 {
			v0, v1, v2, v3 := a[i]*b[i], a[i+1]*b[i+1], a[i+2]*b[i+2], a[i+3]*b[i+3]
			if v0 != v0 || v1 != v1 || v2 != v2 || v3 != v3 {
				v0, v1, v2, v3 = arith.OneNaN(v0), arith.OneNaN(v1), arith.OneNaN(v2), arith.OneNaN(v3)
			}
			d[i], d[i+1], d[i+2], d[i+3] = v0, v1, v2, v3
		}
	case ptx.FloatFma:
		fmaLoop(d, a, b, c)
	case ptx.FloatFmaRounded:
		for i := range d {
			v := float32(a[i]*b[i]) + c[i]
			if v != v {
				v = arith.FloatNaN
			}
			d[i] = v
		}
	case ptx.FloatMin:
		for i := range d {
			d[i] = arith.Min32(a[i], b[i])
		}
	case ptx.FloatMax:
		for i := range d {
			d[i] = arith.Max32(a[i], b[i])
		}
	case ptx.FloatNeg:
		x, y := asWords(d), asWords(a)
		for i := range x {
			if x[i] = y[i] ^ 1<<31; a[i] != a[i] {
				d[i] = arith.FloatNaN
			}
		}
	case ptx.FloatAbs:
		x, y := asWords(d), asWords(a)
		for i := range x {
			if x[i] = y[i] &^ (1 << 31); a[i] != a[i] {
				d[i] = arith.FloatNaN
			}
		}
	case ptx.FloatRcp:
		for i := range d {
			v := 1 / a[i]
			if v != v {
				v = arith.FloatNaN
			}
			d[i] = v
		}
	case ptx.FloatSqrt:
		for i := range d {
			v := float32(math.Sqrt(float64(a[i])))
			if v != v {
				v = arith.FloatNaN
			}
			d[i] = v
		}
	case ptx.FloatDiv:
		for i := range d {
			v := a[i] / b[i]
			if v != v {
				v = arith.FloatNaN
			}
			d[i] = v
		}
	case ptx.FloatFromS32:
		x := asWords(a)
		for i := range d {
			d[i] = float32(int32(x[i]))
		}
	case ptx.FloatFromU32:
		x := asWords(a)
		for i := range d {
			d[i] = float32(x[i])
		}
	default:
		panic("ptx: unknown float operation")
	}
}

// fmaLoop is fma.rn.f32. The product of two f32 is exact in f64; the sum is
// rounded to f64 and then to f32. The second rounding can go wrong only where
// the f64 sum lies on a midpoint between two f32, or where the f32 result is
// subnormal; those lanes, and lanes with infinities or NaN, are computed exactly.
func fmaLoop(d, a, b, c *[32]float32) {
	for at := uintptr(0); at < unsafe.Sizeof(*d); at += unsafe.Sizeof([4]float32{}) {
		x, y, z, r := fourAt(a, at), fourAt(b, at), fourAt(c, at), fourAt(d, at)
		s0, s1, s2, s3 := fmaSum(x[0], y[0], z[0]), fmaSum(x[1], y[1], z[1]), fmaSum(x[2], y[2], z[2]), fmaSum(x[3], y[3], z[3])
		u0, u1, u2, u3 := math.Float64bits(s0), math.Float64bits(s1), math.Float64bits(s2), math.Float64bits(s3)
		if int32(midpoint(u0)|midpoint(u1)|midpoint(u2)|midpoint(u3)) < 0 || int64(outside(u0)|outside(u1)|outside(u2)|outside(u3)) < 0 {
			fmaExact(r, x, y, z)
			continue
		}
		r[0], r[1], r[2], r[3] = float32(s0), float32(s1), float32(s2), float32(s3)
	}
}

// fourAt returns four lanes that begin at a byte of 32.
func fourAt(p *[32]float32, at uintptr) *[4]float32 {
	return (*[4]float32)(unsafe.Add(unsafe.Pointer(p), at))
}

func fmaSum(a, b, c float32) float64 { return float64(float64(a)*float64(b)) + float64(c) }

// fmaExact is fmaLoop for four lanes, at least one of which is in doubt.
func fmaExact(d, a, b, c *[4]float32) {
	for i := range d {
		// A sum of zero is exact: no product of two f32 is that small.
		s := fmaSum(a[i], b[i], c[i])
		u := math.Float64bits(s)
		if (int32(midpoint(u)) < 0 || int64(outside(u)) < 0) && s != 0 {
			d[i] = math.Float32frombits(uint32(arith.Bits32(arith.Fma32(a[i], b[i], c[i], ptx.RoundNearest))))
		} else {
			d[i] = float32(s)
		}
	}
}

// Rounding an f64 sum to f32 may differ from rounding the exact sum where midpoint or outside
// sets its top bit.

// midpoint tells whether the 29 bits that are cut off are exactly a half.
func midpoint(u uint64) uint32 { return (uint32(u)&0x1fffffff ^ 0x10000000) - 1 }

// outside tells whether the exponent is below 897, that of 2^-126, where the results are
// subnormal, or above 1920: infinities and NaN have 2047, and no sum of numbers has more than 1279.
func outside(u uint64) uint64 { return u<<1 - 897<<53 }
