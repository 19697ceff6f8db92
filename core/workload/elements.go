package workload

import (
	"bytes"
	"fmt"
	"math"
)

// Elements counts the elements of a program's outputs and adds up their relative errors
// |x-x'| / |x|. The error measures of the literature follow from it (core/metric). They
// differ in two things: whether an error may exceed 1, and how an element counts whose
// exact value is 0.
type Elements struct {
	Outputs uint64 `json:"outputs"` // elements of all outputs
	Zeros   uint64 `json:"zeros"`   // elements whose exact value is 0
	// WrongZeros are the elements whose exact value is 0 and whose value is not.
	WrongZeros uint64 `json:"wrongZeros"`
	// Relative is the sum over the elements whose exact value is not 0. Capped is the same
	// sum with at most 1 for each element.
	Relative float64 `json:"relative"`
	Capped   float64 `json:"capped"`
	// Decisions are the elements of a program whose outputs are decisions, classes or
	// counts: a program measured by its miss rate. WrongDecisions of them differ.
	Decisions      uint64 `json:"decisions"`
	WrongDecisions uint64 `json:"wrongDecisions"`
}

// Elements compares the outputs of the program, in buffer order (see Outputs). An element
// without a usable value counts as an error of 1, as in AxBench's scripts.
func (p *Program) Elements(exact, got [][]byte) Elements {
	var e Elements
	outputs := p.Outputs()
	if len(exact) != len(outputs) || len(got) != len(outputs) {
		panic(fmt.Sprintf("workload: %d exact and %d measured outputs of a program that has %d", len(exact), len(got), len(outputs)))
	}
	exact, got = p.results(exact), p.results(got)
	for k, i := range outputs {
		e.add(&p.Buffers[i], exact[k], got[k], p.Metric == MetricMissRate)
	}
	return e
}

func (e *Elements) add(b *Buffer, exact, got []byte, decisions bool) {
	size := b.Element.Bytes()
	n := len(exact) / size
	e.Outputs += uint64(n)
	if decisions {
		e.Decisions += uint64(n)
	}
	b.Element.each(exact, func(all []float64) {
		for _, x := range all {
			if x == 0 {
				e.Zeros++
			}
		}
	})
	if bytes.Equal(exact, got) {
		return
	}
	for i := 0; i < n; i++ {
		if string(exact[i*size:(i+1)*size]) == string(got[i*size:(i+1)*size]) {
			continue
		}
		if decisions {
			e.WrongDecisions++
		}
		x := b.Element.value(exact, i)
		if x == 0 {
			if b.Element.value(got, i) != 0 {
				e.WrongZeros++
			}
			continue
		}
		d, whole := difference(x, b.Element.value(got, i))
		r := d / math.Abs(x)
		if whole || badNumber(r) {
			r = 1
		}
		e.Relative += r
		e.Capped += math.Min(1, r)
	}
	e.Relative = bounded(e.Relative)
}
