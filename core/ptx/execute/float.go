package execute

import (
	"math"

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
	for i := 0; i < 32; i += 4 {
		x, y, z, r := (*[4]float32)(a[i:i+4]), (*[4]float32)(b[i:i+4]), (*[4]float32)(c[i:i+4]), (*[4]float32)(d[i:i+4])
		s0, s1, s2, s3 := fmaSum(x[0], y[0], z[0]), fmaSum(x[1], y[1], z[1]), fmaSum(x[2], y[2], z[2]), fmaSum(x[3], y[3], z[3])
		if int64(doubtful(s0)|doubtful(s1)|doubtful(s2)|doubtful(s3)) < 0 {
			fmaExact(r, x, y, z)
			continue
		}
		r[0], r[1], r[2], r[3] = float32(s0), float32(s1), float32(s2), float32(s3)
	}
}

func fmaSum(a, b, c float32) float64 { return float64(float64(a)*float64(b)) + float64(c) }

// fmaExact is fmaLoop for four lanes, at least one of which is in doubt.
func fmaExact(d, a, b, c *[4]float32) {
	for i := range d {
		// A sum of zero is exact: no product of two f32 is that small.
		s := fmaSum(a[i], b[i], c[i])
		if int64(doubtful(s)) < 0 && s != 0 {
			d[i] = math.Float32frombits(uint32(arith.Bits32(arith.Fma32(a[i], b[i], c[i], ptx.RoundNearest))))
		} else {
			d[i] = float32(s)
		}
	}
}

// doubtful sets the top bit if rounding s to f32 may differ from rounding the
// exact sum: the 29 bits that are cut off are exactly a half, or the exponent is
// outside the normal range of f32 (897 is the exponent of 2^-126, 2047 that of
// infinity).
func doubtful(s float64) uint64 {
	u := math.Float64bits(s)
	half := (u&0x1fffffff ^ 0x10000000) - 1
	outside := (2046 - 897) - uint64(uint32(u>>52)&0x7ff-897)
	return half | outside
}
