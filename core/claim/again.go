package claim

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Again judges the rows of the ledger again from outcomes that were written before, without results: their numbers
// and whether their predicates were true. So a change of the rule of grades, of an analysis, of a unit or of a
// predicate needs no run again, as long as the numbers decide. An error names the rows that need their runs.
func (l *Ledger) Again(claims []Claim, written []*Outcome) ([]*Outcome, error) {
	old := map[string]*Outcome{}
	for _, o := range written {
		old[o.ID] = o.Own()
	}
	known := predicate.Known{}
	for _, c := range claims {
		if o := old[c.ID]; o != nil {
			addWritten(known, &c, o)
		}
	}
	var list []*Outcome
	for _, c := range claims {
		o := old[c.ID]
		if o == nil {
			return nil, fmt.Errorf("claim %s has no outcome yet: run its runs", c.ID)
		}
		again, err := l.again(c, o, known)
		if err != nil {
			return nil, err
		}
		list = append(list, again)
	}
	return list, nil
}

// addWritten notes the number and the predicate of an outcome.
func addWritten(k predicate.Known, now *Claim, o *Outcome) {
	was := o.Claim
	if was.Value == "" && was.Check == now.Check {
		was.Value = now.Value // earlier files do not state it
	}
	if o.Measured != nil {
		was.addKnown(k, unitOf(o.Unit).fromPaper(*o.Measured))
	}
	switch o.Verdict {
	case Holds, HoldsInOrder, DoesNotHold:
		k[predicate.Plainly(was.Check)] = starlark.Bool(o.Verdict != DoesNotHold)
	}
}

// again judges one row. What was missing, calibrated or without runs stays so.
func (l *Ledger) again(c Claim, was *Outcome, known predicate.Known) (*Outcome, error) {
	o := *was
	o.Claim, o.Analysis = c, analysisOf(c.ID)
	o.Measured, o.RatioDeviation, o.EffectDeviation, o.Grade = nil, nil, nil, ""
	if was.Verdict.ByRuns() {
		truth, decided := known.Truth(c.Check)
		if !decided {
			return nil, fmt.Errorf("claim %s: the written numbers do not decide its predicate: make its runs", c.ID)
		}
		o.Verdict = DoesNotHold
		if truth {
			o.Verdict = Holds
		}
	} else if was.Check != c.Check {
		return nil, fmt.Errorf("claim %s: %s, and it has another predicate now: make its runs", c.ID, was.Verdict)
	}
	same := was.Check == c.Check && was.Unit == c.Unit && (was.Value == c.Value || was.Value == "")
	value, found := known[c.expression()].(starlark.Float)
	switch {
	case was.Measured == nil && same:
	case was.Measured != nil && same:
		o.judge(*was.Measured)
	case found:
		o.judge(unitOf(c.Unit).toPaper(float64(value)))
	default:
		return nil, fmt.Errorf("claim %s: its number is not among the written ones: make its runs", c.ID)
	}
	if was.Check != c.Check {
		for _, j := range l.Jobs(c) {
			o.Runs = append(slices.Clone(o.Runs), j.Key)
		}
		slices.Sort(o.Runs)
		o.Runs = slices.Compact(o.Runs)
	}
	if o.Verdict != DoesNotHold {
		o.Analysis = ""
	}
	if !same {
		o.Noise, o.Readings = nil, nil
	}
	for _, r := range l.otherReadings(&c) {
		o.under(r) // has today's words
	}
	o.judgeReadings()
	asked := &session{Ledger: l, paper: c.Paper}
	if _, err := o.number(asked); err != nil {
		return nil, err
	}
	o.Timed = asked.moves && o.Measured != nil
	o.stand()
	return &o, nil
}

// addKnown notes the number of a row, a ratio of the vocabulary, under the row's expression; it does nothing if the row
// has none.
func (c *Claim) addKnown(k predicate.Known, value float64) {
	if text := c.expression(); text != "" {
		k[text] = starlark.Float(value)
	}
}

// expression returns the text of the row's measured expression; "" if it has none.
func (c *Claim) expression() string {
	if c.Value != "" {
		return predicate.Plainly(c.Value)
	}
	if e, err := c.measured(); err == nil && e != nil {
		return predicate.Text(c.Check, e)
	}
	return ""
}

// measured is the expression of the row's number; nil if the row has none.
func (c *Claim) measured() (syntax.Expr, error) {
	if c.Value != "" {
		return predicate.Parse(c.ID, c.Value)
	}
	e, err := predicate.Parse(c.ID, c.Check)
	if err != nil {
		return nil, err
	}
	if e = predicate.Measured(e, overResults); e != nil && unitOf(c.Unit).isLoss() {
		e = predicate.Remainder(e)
	}
	return e, nil
}

// overResults reports whether a function is one over results.
func overResults(name string) bool {
	return slices.Contains([]string{"v", "gm", "am", "max_w", "min_w", "std_w", "corr_w"}, name) ||
		(*Paper)(nil).defined(name, wordsOf) != ""
}
