package execute

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

func (w *Warp) double(in *ptx.Instr, d *[32]uint64) {
	ua, ub := w.u64(in.A), w.u64(in.B)
	a, b, r := asDoubles(ua), asDoubles(ub), asDoubles(d)
	switch in.Op {
	case ptx.DoubleAdd:
		for i := range d {
			v := a[i] + b[i]
			if v != v {
				v = arith.F64(arith.NanOf(ub[i], ua[i]))
			}
			r[i] = v
		}
	case ptx.DoubleSub:
		for i := range d {
			v := a[i] - b[i]
			if v != v {
				v = arith.F64(arith.NanOf(ub[i], ua[i]))
			}
			r[i] = v
		}
	case ptx.DoubleMul:
		for i := range d {
			v := a[i] * b[i]
			if v != v {
				v = arith.F64(arith.NanOf(ub[i], ua[i]))
			}
			r[i] = v
		}
	case ptx.DoubleFma:
		uc := w.u64(in.C)
		c := asDoubles(uc)
		for i := range d {
			v := math.FMA(a[i], b[i], c[i])
			if v != v {
				v = arith.F64(arith.NanOf(ub[i], uc[i], ua[i]))
			}
			r[i] = v
		}
	case ptx.DoubleMin:
		for i := range d {
			d[i] = arith.MinMax64(ua[i], ub[i], false)
		}
	case ptx.DoubleMax:
		for i := range d {
			d[i] = arith.MinMax64(ua[i], ub[i], true)
		}
	case ptx.DoubleNeg:
		for i := range d {
			if d[i] = ua[i] ^ 1<<63; arith.IsNaN64(ua[i]) {
				d[i] = arith.NanOf(ua[i])
			}
		}
	case ptx.DoubleAbs:
		for i := range d {
			if d[i] = ua[i] &^ (1 << 63); arith.IsNaN64(ua[i]) {
				d[i] = arith.NanOf(ua[i])
			}
		}
	default:
		panic("ptx: unknown double operation")
	}
}
