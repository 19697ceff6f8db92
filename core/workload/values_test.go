package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The measures read many elements at once and leave out those that are the same. Here each one is looked at by
// itself, for all types, with any bits, in outputs that are the same for the most part.
func TestMeasuresElementByElement(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 19))
	for e := Element(0); e < numElements; e++ {
		for range 20 {
			n := 1 + r.IntN(3*valuesAtOnce)
			exact := make([]byte, n*e.Bytes())
			for i := range exact {
				exact[i] = byte(r.Uint32() >> (8 * r.IntN(4)))
			}
			got := slices.Clone(exact)
			for range r.IntN(5) {
				got[r.IntN(len(got))] ^= byte(1 << r.IntN(8))
			}
			b := Buffer{Name: "out", Bytes: uint64(len(exact)), Element: e, Output: true}
			p := &Program{Metric: MetricMRE, Buffers: []Buffer{b}}
			parts := 1 + r.IntN(9)
			each, mean, most := b.ErrorOverAddress(exact, got, parts)
			for _, c := range []struct {
				what      string
				got, want float64
			}{
				{"mean relative error", b.meanRelative(exact, got), slowRelative(e, exact, got)},
				{"root mean square", b.rootMeanSquare(exact, got, 3), slowSquares(e, exact, got, 3)},
				{"zeros", float64(p.Elements([][]byte{exact}, [][]byte{got}).Zeros), slowZeros(e, exact)},
				{"error over the address", slices.Max(most) + mean[0], slowOverAddress(e, exact, got, each)},
			} {
				if math.Float64bits(c.got) != math.Float64bits(c.want) {
					t.Errorf("%v, %d elements: %s %v, one by one %v", e, n, c.what, c.got, c.want)
				}
			}
		}
	}
}

func slowRelative(e Element, exact, got []byte) float64 {
	n := len(exact) / e.Bytes()
	magnitude, finite, sum := 0.0, 0, 0.0
	for i := range n {
		if x := e.value(exact, i); !badNumber(x) {
			magnitude += math.Abs(x) / float64(n)
			finite++
		}
	}
	if finite > 0 {
		magnitude *= float64(n) / float64(finite)
	}
	for i := range n {
		x := e.value(exact, i)
		d, whole := difference(x, e.value(got, i))
		scale := max(math.Abs(x), float64(epsFraction*magnitude))
		switch {
		case whole, d != 0 && (scale == 0 || badNumber(d/scale)):
			sum++
		case d != 0:
			sum += d / scale
		}
	}
	return min(sum, math.MaxFloat64) / float64(n)
}

func slowSquares(e Element, exact, got []byte, scale float64) float64 {
	n := len(exact) / e.Bytes()
	sum := 0.0
	for i := range n {
		d, whole := difference(e.value(exact, i), e.value(got, i))
		if whole {
			sum++
		} else {
			sum += float64(d / scale * (d / scale))
		}
	}
	return math.Sqrt(min(sum, math.MaxFloat64) / float64(n))
}

func slowZeros(e Element, exact []byte) (zeros float64) {
	for i := range len(exact) / e.Bytes() {
		if e.value(exact, i) == 0 {
			zeros++
		}
	}
	return zeros
}

// slowOverAddress is the largest difference, and with it the mean of the first part.
func slowOverAddress(e Element, exact, got []byte, each int) float64 {
	n := len(exact) / e.Bytes()
	sum, most := 0.0, 0.0
	for i := range n {
		d, whole := difference(e.value(exact, i), e.value(got, i))
		if whole {
			d = math.Inf(1)
		}
		if i < each {
			sum += d
		}
		most = max(most, d)
	}
	return most + sum/float64(min(each, n))
}
