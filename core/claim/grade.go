package claim

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
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

func (none) Run(*Job) *experiment.Result      { return nil }
func (none) Traffic(*Job) *experiment.Traffic { return nil }

// unit converts between a paper's number and a ratio of the vocabulary:
// ratio = offset + number x scale.
type unit struct {
	offset, scale float64
	change        bool    // the paper states the part beyond 1
	multiple      bool    // the paper states a multiple of something, such as 1.5 x
	percent       float64 // per cent in a ratio of 1
}

// isLoss reports whether the paper states by how much the ratio is below 1.
func (u unit) isLoss() bool { return u.change && u.scale < 0 }

func (u unit) fromPaper(number float64) float64 { return u.offset + float64(number*u.scale) }
func (u unit) toPaper(ratio float64) float64    { return (ratio - u.offset) / u.scale }

// unitOf reads the unit of a row.
func unitOf(text string) unit {
	switch {
	case strings.Contains(text, "points"):
		return unit{scale: 1, percent: 1} // the row's value is in points
	case hasPrefix(text, "% faster", "% higher", "% more", "% larger", "% (ratio-1)"):
		return unit{offset: 1, scale: 0.01, change: true, percent: 100}
	case hasPrefix(text, "% less", "% fewer", "% slower", "% lower", "% smaller"):
		return unit{offset: 1, scale: -0.01, change: true, percent: 100}
	case strings.HasPrefix(text, "%"):
		return unit{scale: 0.01, percent: 100}
	}
	return unit{scale: 1, percent: 100, multiple: isMultiple(text)}
}

func hasPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// Divergence is a reason for which core rows do not hold, or not in size: one analysis, and the rows that it is about.
type Divergence struct {
	Analysis string
	Rows     []*Outcome // the furthest from the paper first
}

// Divergences are the reasons of a ledger's core rows that diverge, the one with the most rows first.
func Divergences(outcomes []*Outcome) []*Divergence {
	var list []*Divergence
	of := map[string]*Divergence{}
	for _, o := range outcomes {
		if o.Tier != Tiers[0] || !o.Verdict.Diverges() || o.Analysis == "" {
			continue
		}
		d := of[o.Analysis]
		if d == nil {
			d = &Divergence{Analysis: o.Analysis}
			of[o.Analysis], list = d, append(list, d)
		}
		d.Rows = append(d.Rows, o)
	}
	for _, d := range list {
		slices.SortStableFunc(d.Rows, func(a, b *Outcome) int { return cmp.Compare(b.apart(), a.apart()) })
	}
	slices.SortStableFunc(list, func(a, b *Divergence) int {
		return cmp.Or(cmp.Compare(len(b.Rows), len(a.Rows)), cmp.Compare(b.Rows[0].apart(), a.Rows[0].apart()))
	})
	return list
}

// apart is how many times a number is the paper's, or the paper's is it; of another direction, their distance in
// paper's numbers and one. A row without both numbers has 0.
func (o *Outcome) apart() float64 {
	paper, err := strconv.ParseFloat(o.PaperValue, 64)
	if err != nil || o.Measured == nil {
		return 0
	}
	u := unitOf(o.Unit)
	got, want := u.fromPaper(*o.Measured), u.fromPaper(paper)
	if u.change || u.multiple && slices.Contains(comparisons, o.Metric) {
		got, want = got-1, want-1
	}
	switch {
	case got == 0 || want == 0:
		return 0
	case float64(got*want) < 0:
		return 1 + math.Abs(float64(got-want)/want)
	}
	return max(got/want, want/got)
}
