package forms

import "math/rand"

// format is a floating-point format of matrix elements, in a register of 32 or 64 bits.
type format struct{ bits, fraction, bias int }

var formats = map[string]format{
	"f16x2": {16, 10, 15}, "bf16x2": {16, 7, 127}, "tf32": {32, 23, 127}, "f32": {32, 23, 127}, "f64": {64, 52, 1023},
	"e4m3x4": {8, 3, 7}, "e5m2x4": {8, 2, 15},
}

// regimes is the number of ways to draw the elements of a matrix. Any bits at all would
// make nearly every sum NaN.
const regimes = 8

// element draws a register of matrix elements, m.KIND of a factor and c.KIND of a summand,
// in a regime that all elements of the warp share.
func element(r *rand.Rand, kind string, regime int) uint64 {
	f := formats[kind[2:]]
	v := uint64(0)
	for at := 0; at < kinds[kind]; at += f.bits {
		v |= f.draw(r, regime, kind[0] == 'c') << at
	}
	return v
}

func (f format) draw(r *rand.Rand, regime int, summand bool) uint64 {
	top := 1<<(f.bits-1-f.fraction) - 1 // the exponent of infinities
	near := func(center, spread int) uint64 {
		e := min(max(f.bias+center+r.Intn(2*spread+1)-spread, 1), top-1)
		return uint64(r.Intn(2))<<(f.bits-1) | uint64(e)<<f.fraction | r.Uint64()&(1<<f.fraction-1)
	}
	switch regime {
	case 0: // numbers of like size
		return near(0, 3)
	case 1: // products of like size with a larger summand
		if summand {
			return near(10, 4)
		}
		return near(0, 2)
	case 2: // of any size
		return near(0, min(f.bias, 20))
	case 3: // few that are not zero, of different size
		if r.Intn(4) != 0 {
			return uint64(r.Intn(2)) << (f.bits - 1)
		}
		return near(0, 12)
	case 4: // powers of two
		return near(0, min(f.bias, 14)) >> f.fraction << f.fraction
	case 5: // the smallest ones, with subnormals
		v := r.Uint64() & (1<<(f.fraction+2) - 1)
		if summand && r.Intn(2) == 0 {
			v = 0
		}
		return v | uint64(r.Intn(2))<<(f.bits-1)
	case 6: // the largest ones
		if f.bits > 16 && !summand {
			return near(f.bias/2, 2)
		}
		return near(top-f.bias, 3)
	}
	// Numbers among which there are infinities and NaNs.
	if r.Intn(60) == 0 {
		return r.Uint64()&(1<<f.bits-1) | uint64(top)<<f.fraction
	}
	return near(0, 3)
}
