package execute

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// floatToInt is cvt from f32 to s32 and u32, the mode in target.
func (w *Warp) floatToInt(in *ptx.Instr, d *[32]uint32, isSigned bool) {
	a := asFloats(w.u32(in.A))
	mode := ptx.Rounding(in.Target)
	low, high := 0.0, float64(math.MaxUint32)
	if isSigned {
		low, high = math.MinInt32, math.MaxInt32
	}
	for i := range d {
		f := float64(a[i])
		if mode != ptx.RoundZero {
			f = arith.Integral64(f, mode)
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
