package claim

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Noise is the interval of a row's number, in the paper's unit. README.md has the method.
type Noise struct {
	experiment.Noise
	Runs []string `json:"runs"` // keys
}

// draw is one of the runs of which an interval is made. The zero value is the run that a row names.
type draw struct {
	experiment.Draw
	null    bool          // nothing is saved
	reading *otherReading // of the paper; nil is the row's own
}

// of returns a point under the draw.
func (d draw) of(p *point) (*point, error) {
	if d == (draw{}) {
		return p, nil
	}
	s := *p.run.Scenario
	if d.reading != nil {
		changed, err := d.reading.of(&s)
		if err != nil {
			return nil, err
		}
		s = *changed
	}
	d.Apply(&s)
	if d.null {
		s.Scheme = s.Scheme.Null()
	}
	return p.with(&s), nil
}

// sides returns two points that are compared. Null is compared with a machine without any system, on the same machine:
// a row may be about a machine with more bandwidth.
func (d draw) sides(p, base *point) (*point, *point, error) {
	if d.reading != nil && len(d.reading.base) > 0 {
		s, err := change(base.run.Scenario, d.reading.base)
		if err != nil {
			return nil, nil, err
		}
		base = base.with(s)
	}
	if !d.null {
		return p, base, nil
	}
	own, plain := *p.run.Scenario, *base.run.Scenario
	own.Machine = plain.Machine
	plain.Scheme = plain.Scheme.Plainly()
	return p.with(&own), base.with(&plain), nil
}

// with returns the point with another scenario.
func (p *point) with(s *scenario.Scenario) *point {
	return &point{NewJob(s, false), NewJob(s, true), &s.Memory, p.settings, p.words}
}

// Noise measures the interval of a row's number. It is nil if the number is not about time or energy, or if a run has
// no result.
func (l *Ledger) Noise(c Claim) (*Noise, error) {
	var values [2][]float64 // with the systems, and with their null
	keys := map[string]bool{}
	for i, null := range []bool{false, true} {
		for _, d := range experiment.Draws() {
			number, s, err := l.drawn(c, draw{Draw: d, null: null})
			if err != nil || number == nil || math.IsNaN(*number) || len(s.missing) > 0 || !s.moves {
				return nil, err
			}
			for _, key := range s.used {
				keys[key] = true
			}
			values[i] = append(values[i], *number)
		}
	}
	return &Noise{experiment.NoiseOf(values[0], values[1]), slices.Sorted(maps.Keys(keys))}, nil
}

// NoiseJobs returns the runs that Noise takes, stored or not.
func (l *Ledger) NoiseJobs(c Claim) []*Job {
	var jobs []*Job
	for _, null := range []bool{false, true} {
		for _, d := range experiment.Draws() {
			if _, s, err := l.drawn(c, draw{Draw: d, null: null}); err == nil && s.moves {
				jobs = joined(jobs, s.jobs)
			}
		}
	}
	return jobs
}

// drawn evaluates a row's number under a draw.
func (l *Ledger) drawn(c Claim, d draw) (*float64, *session, error) {
	s := &session{Ledger: l, paper: c.Paper, under: d}
	number, err := (&Outcome{Claim: c}).number(s)
	return number, s, err
}

// Keys are the runs behind the verdict, the interval and the other readings.
func (o *Outcome) Keys() []string {
	o = o.Own()
	keys := o.Runs
	for _, r := range o.Readings {
		keys = slices.Concat(keys, r.Runs)
	}
	if o.Noise != nil {
		keys = slices.Concat(keys, o.Noise.Runs)
	}
	return keys
}

// Further are the rows for which papers ask for more than the run itself: intervals and other readings.
func Further() []string {
	var ids []string
	for _, p := range heads() {
		ids = append(ids, p.noise...)
		for _, part := range p.open {
			ids = append(ids, part.ids...)
		}
	}
	return ids
}

// FurtherJobs returns the runs of a row's interval and other readings, as far as its paper asks for them and the row
// does not have them.
func (l *Ledger) FurtherJobs(o *Outcome) []*Job {
	o = o.Own()
	jobs := l.readingJobs(o)
	if o.Noise == nil && l.asksNoise(&o.Claim) {
		jobs = joined(jobs, l.NoiseJobs(o.Claim))
	}
	return jobs
}

// AddFurther measures them, and judges the row by the reading that its paper's text states.
func (l *Ledger) AddFurther(o *Outcome) error {
	*o = *o.Own()
	err := l.addFurther(o)
	o.stand()
	return err
}

func (l *Ledger) addFurther(o *Outcome) (err error) {
	if o.Noise == nil && l.asksNoise(&o.Claim) {
		if o.Noise, err = l.Noise(o.Claim); err != nil {
			return err
		}
		o.Timed = o.Timed || o.Noise != nil
	}
	o.Readings, err = l.readings(o)
	return err
}

// asksNoise reports whether a paper's folder asks for the interval of a row.
func (l *Ledger) asksNoise(c *Claim) bool {
	if l.own != nil && slices.Contains(l.own.noise, c.ID) {
		return true
	}
	own := shipped(c.Paper)
	return own != nil && slices.Contains(own.noise, c.ID)
}

// number is the claim's number in the paper's unit; nil if it has none.
func (o *Outcome) number(s *session) (*float64, error) {
	e, err := o.measured()
	if err != nil {
		return nil, fmt.Errorf("claim %s: %w", o.ID, err)
	}
	if e == nil {
		return nil, nil
	}
	p, err := predicate.Confine(e)
	if err != nil {
		return nil, fmt.Errorf("claim %s: %w", o.ID, err)
	}
	value, err := s.expression(p, nil)
	if err != nil {
		if o.Value == "" {
			return nil, nil // a part of a comprehension; the row has no number
		}
		return nil, fmt.Errorf("claim %s: %w. Correct its value in claims.csv of its paper", o.ID, err)
	}
	f, ok := starlark.AsFloat(value)
	if !ok {
		return nil, nil
	}
	shown := unitOf(o.Unit).toPaper(f)
	return &shown, nil
}

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

// again judges one row. If it takes runs, what was missing or calibrated stays so.
func (l *Ledger) again(c Claim, was *Outcome, known predicate.Known) (*Outcome, error) {
	if !was.Verdict.ByRuns() && len(l.Jobs(c)) == 0 {
		return l.Evaluate(c) // it asks for no run, so nothing else decides it: what it lacks has today's words
	}
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
