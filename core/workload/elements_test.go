package workload

import (
	"encoding/binary"
	"math"
	"testing"
)

// Each sum is counted by hand.
func TestElementsOnHandCases(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	cases := []struct {
		name       string
		exact, got []float32
		want       Elements
	}{
		{"same", []float32{1, 2, 0}, []float32{1, 2, 0}, Elements{Outputs: 3, Zeros: 1}},
		{"half and three times", []float32{2, 2, 4, 4}, []float32{1, 8, 4, 4}, Elements{Outputs: 4, Relative: 3.5, Capped: 1.5}},
		{"a negative zero is a zero", []float32{0, 1}, []float32{float32(math.Copysign(0, -1)), 1}, Elements{Outputs: 2, Zeros: 1}},
		{"a zero that is not met has no relative error", []float32{0, 0, 1}, []float32{5, 0, 1}, Elements{Outputs: 3, Zeros: 2, WrongZeros: 1}},
		{"a zero that becomes NaN", []float32{0}, []float32{nan}, Elements{Outputs: 1, Zeros: 1, WrongZeros: 1}},
		{"NaN and infinity count as 1", []float32{1, 1, inf}, []float32{nan, inf, 1}, Elements{Outputs: 3, Relative: 3, Capped: 3}},
		{"NaN that is met", []float32{nan, inf}, []float32{nan, inf}, Elements{Outputs: 2}},
		{"a quotient beyond all numbers counts as 1", []float32{math.SmallestNonzeroFloat32}, []float32{math.MaxFloat32}, Elements{Outputs: 1, Relative: math.MaxFloat32 / float64(math.SmallestNonzeroFloat32), Capped: 1}},
	}
	for _, c := range cases {
		p := program(MetricMRE, outputOf("out", len(c.exact)))
		if got := p.Elements([][]byte{packed(c.exact)}, [][]byte{packed(c.got)}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Only a program that is measured by its miss rate makes decisions. All outputs count.
func TestElementsOfDecisions(t *testing.T) {
	exact, got := packed([]float32{0, 1, 1, 0}), packed([]float32{0, 1, 0, 1})
	for m := MetricNone; m < numMetrics; m++ {
		p := program(m, outputOf("hit", 4), outputOf("again", 4))
		e := p.Elements([][]byte{exact, exact}, [][]byte{got, exact})
		want := Elements{Outputs: 8, Zeros: 4, WrongZeros: 1, Relative: 1, Capped: 1}
		if m == MetricMissRate {
			want.Decisions, want.WrongDecisions = 8, 2
		}
		if e != want {
			t.Errorf("%v: %+v, want %+v", m, e, want)
		}
		if share := p.Measure(MetricMissRate, [][]byte{exact, exact}, [][]byte{got, exact}); m == MetricMissRate && share != 0.25 {
			t.Errorf("the miss rate is %g, and 2 of 8 decisions are wrong", share)
		}
	}
}

// Without zeros and far from them, the capped mean of small errors is the mean relative error.
func TestElementsAgreeWithTheMean(t *testing.T) {
	exact, got := packed([]float32{1, -2, 3, 4}), packed([]float32{1.5, -2, 2, 4.25})
	p := program(MetricMRE, outputOf("out", 4))
	e := p.Elements([][]byte{exact}, [][]byte{got})
	if mean := p.Quality([][]byte{exact}, [][]byte{got}); math.Abs(mean-e.Relative/4) > 1e-15 || e.Capped != e.Relative {
		t.Errorf("mean %g, %+v", mean, e)
	}
}

// TestErrorsBeyondFloat64: the errors of finite numbers have a finite sum, however wrong they are: a result is written
// as JSON, which has no infinity.
func TestErrorsBeyondFloat64(t *testing.T) {
	numbers := func(list ...float64) (b []byte) {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	exact, got := numbers(1, 2, 3, -math.MaxFloat64), numbers(1e308, -1.7e308, 1e300, math.MaxFloat64/2)
	out := Buffer{Name: "out", Bytes: uint64(len(exact)), Element: ElementF64, Output: true}
	for m := MetricNone; m < numMetrics; m++ {
		p := program(m, out, out)
		q := p.Quality([][]byte{exact, exact}, [][]byte{got, got})
		e := p.Elements([][]byte{exact, exact}, [][]byte{got, got})
		if badNumber(q) || badNumber(e.Relative) || badNumber(e.Capped) || m != MetricNone && q == 0 {
			t.Errorf("%v: %g, %+v", m, q, e)
		}
	}
	tiny := numbers(5e-324, 0, 1e-320, 5e-324) // a range that squared is nothing
	p := program(MetricNRMSE, out)
	if q := p.Quality([][]byte{tiny}, [][]byte{got}); badNumber(q) || q < 1e100 {
		t.Errorf("over a range of %g: %g", 1e-320, q)
	}
}
