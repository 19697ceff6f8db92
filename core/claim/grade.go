package claim

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Grade says how near a measured number is to the paper's.
type Grade string

const (
	Within10       Grade = "within 10 %"
	Within25       Grade = "within 25 %"
	WithinTwice    Grade = "within 2x"       // between half and twice the paper's number
	Far            Grade = "far"             // further away
	OtherDirection Grade = "other direction" // the other sign, or the other side of 1
)

// Grades in their order, the nearest first.
var Grades = []Grade{Within10, Within25, WithinTwice, Far, OtherDirection}

// sized reports whether a row with this grade has the paper's size.
func (g Grade) sized() bool { return g == Within10 || g == Within25 || g == WithinTwice }

// pointsFromZero are the distances in per cent that count as a grade if the paper's number is 0, because nothing
// can be within 10 % of 0 [ours]: the papers call 1 % negligible, and the means of codecs that they call gains
// begin at 5 %.
var pointsFromZero = []struct {
	grade Grade
	most  float64
}{{Within10, 1}, {Within25, 2.5}, {WithinTwice, 5}}

// comparisons are metrics that compare two runs of a program. A number of theirs is a change from 1, whether the
// paper writes 1.07 x or 7 % faster. Compression ratios and capacities are amounts, of which 1 is one.
var comparisons = []string{"speedup", "slowdown", "energy", "energy_x", "bw_x", "dram_energy"}

// gradeOf compares our number with the paper's, both as values of the vocabulary. README.md states the rule.
func gradeOf(u unit, metric string, got, want float64) Grade {
	one := u.change
	if u.multiple {
		one = slices.Contains(comparisons, metric)
		if !one && float64((got-1)*(want-1)) < 0 {
			return OtherDirection
		}
	}
	if one {
		got, want = got-1, want-1
	}
	switch {
	case want == 0:
		apart := math.Abs(float64(got * u.percent))
		for _, z := range pointsFromZero {
			if apart <= z.most {
				return z.grade
			}
		}
		return Far
	case float64(got*want) < 0:
		return OtherDirection
	}
	ratio := got / want
	apart := math.Abs(ratio - 1)
	switch {
	case apart <= 0.10:
		return Within10
	case apart <= 0.25:
		return Within25
	case 0.5 <= ratio && ratio <= 2:
		return WithinTwice
	}
	return Far
}

// judge sets the number of an outcome, in the paper's unit, compares it with the paper's, and takes back a plain
// "holds" if the paper's number is not reproduced in size. Everything follows from the number as it is written.
func (o *Outcome) judge(shown float64) {
	if math.IsNaN(shown) || math.IsInf(shown, 0) {
		return
	}
	o.Measured = &shown
	u := unitOf(o.Unit)
	value := u.fromPaper(shown)
	paper, err := strconv.ParseFloat(o.PaperValue, 64)
	if err != nil {
		return // the paper states no number
	}
	deviation := func(got, want float64) *float64 {
		if want == 0 {
			return nil
		}
		d := got/want - 1
		return &d
	}
	stated := u.fromPaper(paper)
	o.RatioDeviation = deviation(value, stated)
	if u.change || u.multiple && slices.Contains(comparisons, o.Metric) {
		o.EffectDeviation = deviation(value-1, stated-1)
	}
	o.Grade = gradeOf(u, o.Metric, value, stated)
	if o.Verdict == Holds && !o.Grade.sized() {
		o.Verdict = HoldsInOrder
	}
}

// isMultiple reports whether a unit is a multiple of something, such as x or x (worst).
func isMultiple(text string) bool { return text == "x" || strings.HasPrefix(text, "x ") }
