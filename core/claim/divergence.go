package claim

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Divergence is a reason for which core rows do not hold: one analysis, and the rows that it is about.
type Divergence struct {
	Analysis string
	Rows     []*Outcome // the furthest from the paper first
}

// Divergences are the reasons of a ledger's core rows that do not hold, the one with the most rows first.
func Divergences(outcomes []*Outcome) []*Divergence {
	var list []*Divergence
	of := map[string]*Divergence{}
	for _, o := range outcomes {
		if o.Tier != Tiers[0] || o.Verdict != DoesNotHold || o.Analysis == "" {
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
