package arith

import (
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// Integral64 rounds to an integral value in the given direction.
func Integral64(f float64, mode ptx.Rounding) float64 {
	switch mode {
	case ptx.RoundZero:
		return math.Trunc(f)
	case ptx.RoundDown:
		return math.Floor(f)
	case ptx.RoundUp:
		return math.Ceil(f)
	}
	return math.RoundToEven(f)
}

// ToInteger returns an integral f as type d, clamped to its range.
func ToInteger(d ptx.Scalar, f float64) uint64 {
	n := d.Bits()
	if d.IsSigned() {
		limit := math.Ldexp(1, n-1)
		switch {
		case f >= limit:
			return 1<<(n-1) - 1
		case f < -limit:
			return 1 << (n - 1)
		}
		return uint64(int64(f)) & d.Mask()
	}
	switch {
	case f >= math.Ldexp(1, n):
		return d.Mask()
	case f <= 0:
		return 0
	case f >= 1<<63:
		return uint64(int64(f-1<<63)) | 1<<63
	}
	return uint64(int64(f))
}

// widen returns an f32 as f64 bits; a NaN keeps its sign and payload.
func widen(v uint64) uint64 {
	if isNaN32(v) {
		return v>>31<<63 | 0x7ff8<<48 | v&0x3fffff<<29
	}
	return Bits64(float64(F32(v)))
}

// SaturateDouble is .sat on f64.
func SaturateDouble(v uint64) uint64 {
	switch f := F64(v); {
	case !(f > 0):
		return 0
	case f > 1:
		return Bits64(1)
	}
	return v
}

// SplitInteger returns the f64 nearest to a 64-bit integer, and the difference.
func SplitInteger(v uint64, isSigned bool) (s, e float64) {
	neg := isSigned && int64(v) < 0
	if neg {
		v = -v
	}
	// The upper 53 bits are exact; the lower bits decide the rounding.
	shift := max(0, bits.Len64(v)-53)
	hi := v >> shift << shift
	s, e = math.Ldexp(float64(int64(v>>shift)), shift), float64(int64(v-hi))
	s, e = twoSum(s, e)
	if neg {
		s, e = -s, -e
	}
	return s, e
}

func IntTo32(v uint64, isSigned bool, mode ptx.Rounding) float32 {
	s, e := SplitInteger(v, isSigned)
	return round32(s, e, mode)
}

func IntTo64(v uint64, isSigned bool, mode ptx.Rounding) float64 {
	s, e := SplitInteger(v, isSigned)
	compared := 0
	if e > 0 {
		compared = -1
	} else if e < 0 {
		compared = 1
	}
	return direct64(s, compared, mode)
}
