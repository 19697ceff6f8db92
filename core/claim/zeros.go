package claim

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/claim/predicate"
)

// noZero takes the place of exact zeros in geometric means.
const noZero = 1e-9

// Zeros counts the values of a geometric mean that are exactly 0. One zero pulls the mean
// far down, because it counts as 1e-9; the mean of the other values stands beside it.
type Zeros struct {
	Zeros int `json:"zeros"`
	Of    int `json:"of"`
	// Without is the geometric mean of the other values; nil if all are 0.
	Without *float64 `json:"without"`
}

// errorMetrics are the metrics that are exactly 0 where nothing was approximated. Their
// geometric means always come with a count of zeros.
var errorMetrics = []string{"err", "mre", "mre_capped", "mre_capped_nonzero", "mre_nonzero", "axbench_error", "miss_rate"}

// geometric returns the geometric mean of a list, and its zeros if the metric is an
// error or there are any.
func geometric(list []float64, metric string) (float64, *Zeros) {
	z := &Zeros{Of: len(list)}
	var all, others []float64
	for _, f := range list {
		if f == 0 {
			z.Zeros++
			all = append(all, noZero)
			continue
		}
		all, others = append(all, f), append(others, f)
	}
	if len(others) > 0 {
		without := predicate.Mean(others, true)
		z.Without = &without
	}
	if z.Zeros == 0 && !slices.Contains(errorMetrics, metric) || slices.ContainsFunc(list, math.IsNaN) {
		z = nil
	}
	return predicate.Mean(all, true), z
}

// noMean says why values have no mean.
func noMean(list []float64) string {
	for _, f := range list {
		if f < 0 {
			return fmt.Sprintf("a geometric mean of %g does not exist: use the arithmetic one, or values of at least 0", f)
		}
	}
	return "the mean is not a finite number"
}

// String says it in words.
func (z *Zeros) String() string {
	switch z.Zeros {
	case 0:
		return fmt.Sprintf("none of %d values is exactly 0", z.Of)
	case z.Of:
		return fmt.Sprintf("all %d values are exactly 0 and count as %g", z.Of, noZero)
	}
	verb := "are exactly 0 and count"
	if z.Zeros == 1 {
		verb = "is exactly 0 and counts"
	}
	return fmt.Sprintf("%d of %d values %s as %g; the mean of the other %d is %.4g", z.Zeros, z.Of, verb, noZero, z.Of-z.Zeros, *z.Without)
}

// ZeroWords says of each geometric mean of errors in the panel how many zeros it holds.
func (p *DrawnPanel) ZeroWords() []string {
	var words []string
	for i := range p.Series {
		for c, z := range p.Series[i].Zeros {
			if z != nil {
				words = append(words, fmt.Sprintf("%s, %s: %s", p.Series[i].Label, p.Categories[c], z))
			}
		}
	}
	return words
}
