package arith

import "math"

// SmallFormat is a floating-point format of 4, 6 or 8 bits, which exist in pairs
// only: PTX converts from and to them, and computes with none.
type SmallFormat struct {
	Bits, fraction int
	bias           int
	largest        uint64 // bits of the largest number
	nan            uint64 // what NaN becomes: with 4 and 6 bits the largest number
}

// The formats of the OCP specification of 8-bit floating point and of
// microscaling formats.
var SmallFormats = map[string]*SmallFormat{
	"e4m3x2": {Bits: 8, fraction: 3, bias: 7, largest: 0x7e, nan: 0x7f},
	"e5m2x2": {Bits: 8, fraction: 2, bias: 15, largest: 0x7b, nan: 0x7f},
	"e2m3x2": {Bits: 6, fraction: 3, bias: 1, largest: 0x1f, nan: 0x1f},
	"e3m2x2": {Bits: 6, fraction: 2, bias: 3, largest: 0x1f, nan: 0x1f},
	"e2m1x2": {Bits: 4, fraction: 1, bias: 1, largest: 0x07, nan: 0x07},
}

// Nearest rounds to nearest even. Numbers out of range become the largest number.
func (f *SmallFormat) Nearest(x float64, relu bool) uint64 {
	switch {
	case x != x:
		return f.nan
	case relu && x <= 0:
		return 0
	}
	sign := Bits64(x) >> 63 << (f.Bits - 1)
	x = math.Abs(x)
	e := max(int(Bits64(x)>>52)-1023, 1-f.bias)
	if x > math.Ldexp(1, 16) { // above all of them
		return sign | f.largest
	}
	// In units of the last place the hidden bit counts as one in the exponent.
	n := uint64(math.RoundToEven(math.Ldexp(x, f.fraction-e)))
	return sign | min(n+uint64(e+f.bias-1)<<f.fraction, f.largest)
}

// Half returns a number of the format as f16, which holds all of them.
func (f *SmallFormat) Half(v uint64, relu bool) uint64 {
	sign := v >> (f.Bits - 1) & 1
	v &= 1<<(f.Bits-1) - 1
	if f.Bits == 8 && v > f.largest {
		if f.fraction == 2 && v == f.largest+1 { // e5m2 has an infinity
			if relu && sign != 0 {
				return 0
			}
			return sign<<15 | FormatF16.infinity
		}
		return nan16
	}
	if relu && sign != 0 {
		return 0
	}
	e := max(int(v>>f.fraction), 1)
	m := float64(v) - float64((e-1)<<f.fraction)
	return sign<<15 | FormatF16.Nearest(math.Ldexp(m, e-f.bias-f.fraction))
}
