package workload

import (
	"encoding/binary"
	"math"
)

// valuesAtOnce is how many elements the measures read at once: one decision about the type for all of them.
const valuesAtOnce = 128

// values fills to with the elements from first on.
func (e Element) values(to []float64, b []byte, first int) {
	b = b[first*e.Bytes():]
	switch e {
	case ElementF32:
		for i := range to {
			to[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
	case ElementS32:
		for i := range to {
			to[i] = float64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	default:
		for i := range to {
			to[i] = e.value(b, i)
		}
	}
}

// each calls f for all elements, some at a time.
func (e Element) each(b []byte, f func(x []float64)) {
	var x [valuesAtOnce]float64
	n := len(b) / e.Bytes()
	for first := 0; first < n; first += valuesAtOnce {
		some := x[:min(valuesAtOnce, n-first)]
		e.values(some, b, first)
		f(some)
	}
}

// changed calls f for the elements from first to last, some at a time, and leaves out pieces in which both have the same
// bytes: most of an output is exact.
func (e Element) changed(exact, got []byte, first, last int, f func(x, y []float64)) {
	var x, y [valuesAtOnce]float64
	size := e.Bytes()
	for n := 0; first < last; first += n {
		n = min(valuesAtOnce, last-first)
		if string(exact[first*size:(first+n)*size]) == string(got[first*size:(first+n)*size]) {
			continue
		}
		e.values(x[:n], exact, first)
		e.values(y[:n], got, first)
		f(x[:n], y[:n])
	}
}
