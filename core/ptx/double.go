package ptx

import "math"

// Operations on f64, rounded to nearest even.
const (
	doubleNone op = iota
	doubleAdd
	doubleSub
	doubleMul
	doubleFma
	doubleMin
	doubleMax
	doubleNeg
	doubleAbs
)

func (w *Warp) double(in *Instr, d *[32]uint64) {
	ua, ub := w.u64(in.a), w.u64(in.b)
	a, b, r := asDoubles(ua), asDoubles(ub), asDoubles(d)
	switch in.op {
	case doubleAdd:
		for i := range d {
			v := a[i] + b[i]
			if v != v {
				v = f64(nanOf(ua[i], ub[i]))
			}
			r[i] = v
		}
	case doubleSub:
		for i := range d {
			v := a[i] - b[i]
			if v != v {
				v = f64(nanOf(ua[i], ub[i]))
			}
			r[i] = v
		}
	case doubleMul:
		for i := range d {
			v := a[i] * b[i]
			if v != v {
				v = f64(nanOf(ua[i], ub[i]))
			}
			r[i] = v
		}
	case doubleFma:
		uc := w.u64(in.c)
		c := asDoubles(uc)
		for i := range d {
			v := math.FMA(a[i], b[i], c[i])
			if v != v {
				v = f64(nanOf(ua[i], ub[i], uc[i]))
			}
			r[i] = v
		}
	case doubleMin:
		for i := range d {
			d[i] = minMax64(ua[i], ub[i], false)
		}
	case doubleMax:
		for i := range d {
			d[i] = minMax64(ua[i], ub[i], true)
		}
	case doubleNeg:
		for i := range d {
			d[i] = ua[i] ^ 1<<63
		}
	case doubleAbs:
		for i := range d {
			d[i] = ua[i] &^ (1 << 63)
		}
	default:
		panic("ptx: unknown double operation")
	}
}

// minMax64 returns the smaller or greater number; NaN only if both are.
func minMax64(a, b uint64, greatest bool) uint64 {
	x, y := f64(a), f64(b)
	switch {
	case x < y:
		if greatest {
			return b
		}
		return a
	case y < x:
		if greatest {
			return a
		}
		return b
	case x == y && greatest:
		return a & b
	case x == y:
		return a | b
	case x == x:
		return a
	case y == y:
		return b
	}
	return nanOf(a)
}
