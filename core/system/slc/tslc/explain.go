package tslc

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Candidate is a node of the selection tree.
type Candidate struct {
	First     int  `json:"first"`
	Count     int  `json:"count"`
	CutBits   int  `json:"cutBits"`   // code of its symbols
	TotalBits int  `json:"totalBits"` // of the block without them
	Reaches   bool `json:"reaches"`   // frees enough for the budget
	Chosen    bool `json:"chosen"`
}

// Explanation gives the reason for the form in which a block is stored.
type Explanation struct {
	Lengths       [symbols]uint8 `json:"lengths"` // bits of each symbol, escapes included
	CompBits      int            `json:"compBits"`
	BudgetBits    int            `json:"budgetBits"`
	ExtraBits     int            `json:"extraBits"`
	ThresholdBits int            `json:"thresholdBits"`
	AboveMAGBytes int            `json:"aboveMagBytes"` // bin of SLC figure 2
	Rule          Rule           `json:"-"`
	RuleText      string         `json:"rule"`
	// Candidates are all nodes in search order; empty unless the block is above
	// a multiple of the MAG.
	Candidates []Candidate  `json:"candidates"`
	Stored     codec.Stored `json:"stored"`
}

// Explain repeats Store's decision for display. It does not change line.
func (s *Scheme) Explain(line *mem.Line, region codec.Region) Explanation {
	d := s.decide(line, region)
	e := Explanation{
		CompBits: d.comp, BudgetBits: d.budget, ExtraBits: d.extra, ThresholdBits: s.p.thresholdBits(region),
		AboveMAGBytes: codec.BytesAboveMAG(d.comp, s.p.MAGBytes), Rule: d.rule, RuleText: d.rule.String(), Stored: d.stored(s.p.MAGBytes),
	}
	var lengths [e2mc.MaxSymbols]uint8
	s.table.Lengths(line, &lengths)
	copy(e.Lengths[:], lengths[:symbols])
	if d.extra == 0 {
		return e
	}
	var sums [e2mc.Eighths]int
	s.table.Sums(line, &sums)
	var t tree
	t.read(s, line, &sums, &d)
	for _, shape := range shapes {
		if shape.extra && s.p.Variant != OPT {
			continue
		}
		for first := 0; first < symbols; first += shape.stride {
			n := node{first, shape.count}
			cut := int(t.before[first+shape.count]) - int(t.before[first])
			e.Candidates = append(e.Candidates, Candidate{
				First: first, Count: shape.count, CutBits: cut, TotalBits: t.lossyBits(n, cut),
				Reaches: cut >= t.needCut && t.fits(n, cut),
				Chosen:  d.mode == probe.ModeLossy && n == d.node,
			})
		}
	}
	return e
}
