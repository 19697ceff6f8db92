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
	o.explain()
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
