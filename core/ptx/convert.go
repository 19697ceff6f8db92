package ptx

import (
	"math"
	"math/bits"
)

// integral64 rounds to an integral value in the given direction.
func integral64(f float64, mode rounding) float64 {
	switch mode {
	case roundZero:
		return math.Trunc(f)
	case roundDown:
		return math.Floor(f)
	case roundUp:
		return math.Ceil(f)
	}
	return math.RoundToEven(f)
}

// toInteger returns an integral f as type d, clamped to its range.
func toInteger(d scalar, f float64) uint64 {
	n := d.bits()
	if d.isSigned() {
		limit := math.Ldexp(1, n-1)
		switch {
		case f >= limit:
			return 1<<(n-1) - 1
		case f < -limit:
			return 1 << (n - 1)
		}
		return uint64(int64(f)) & d.mask()
	}
	switch {
	case f >= math.Ldexp(1, n):
		return d.mask()
	case f <= 0:
		return 0
	case f >= 1<<63:
		return uint64(int64(f-1<<63)) | 1<<63
	}
	return uint64(int64(f))
}

// floatToInt is cvt from f32 to s32 and u32, the mode in target.
func (w *Warp) floatToInt(in *Instr, d *[32]uint32, isSigned bool) {
	a := asFloats(w.u32(in.a))
	mode := rounding(in.target)
	low, high := 0.0, float64(math.MaxUint32)
	if isSigned {
		low, high = math.MinInt32, math.MaxInt32
	}
	for i := range d {
		f := float64(a[i])
		if mode != roundZero {
			f = integral64(f, mode)
		}
		switch {
		case f != f:
			f = 0
		case f < low:
			f = low
		case f > high:
			f = high
		}
		d[i] = uint32(int64(f))
	}
}

// widen returns an f32 as f64 bits; a NaN keeps its sign and payload.
func widen(v uint64) uint64 {
	if isNaN32(v) {
		return v>>31<<63 | 0x7ff8<<48 | v&0x3fffff<<29
	}
	return bits64(float64(f32(v)))
}

// saturate01Double is .sat on f64.
func saturate01Double(v uint64) uint64 {
	switch f := f64(v); {
	case !(f > 0):
		return 0
	case f > 1:
		return bits64(1)
	}
	return v
}

// splitInteger returns a 64-bit integer as a nearest f64 and the rest.
func splitInteger(v uint64, isSigned bool) (s, e float64) {
	neg := isSigned && int64(v) < 0
	if neg {
		v = -v
	}
	// The upper 53 bits are exact; what is below decides the rounding.
	shift := max(0, bits.Len64(v)-53)
	hi := v >> shift << shift
	s, e = math.Ldexp(float64(int64(v>>shift)), shift), float64(int64(v-hi))
	s, e = twoSum(s, e)
	if neg {
		s, e = -s, -e
	}
	return s, e
}

func intTo32(v uint64, isSigned bool, mode rounding) float32 {
	s, e := splitInteger(v, isSigned)
	return round32(s, e, mode)
}

func intTo64(v uint64, isSigned bool, mode rounding) float64 {
	s, e := splitInteger(v, isSigned)
	compared := 0
	if e > 0 {
		compared = -1
	} else if e < 0 {
		compared = 1
	}
	return direct64(s, compared, mode)
}
