package claim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"go.starlark.net/starlark"
)

// Verdict is the judgement of the results on a claim.
type Verdict string

const (
	Holds           Verdict = "holds"
	HoldsInOrder    Verdict = "holds in order, not in size" // the predicate is true, and the paper's number is not ours
	DoesNotHold     Verdict = "does not hold"
	ArithmeticOnly  Verdict = "arithmetic only"  // true, and no run supports it
	InputCalibrated Verdict = "input-calibrated" // the inputs were made, or the machine was chosen, so that it holds
	ShownOnly       Verdict = "shown only"       // a GPU simulator cannot measure it
	NotYetMeasured  Verdict = "not yet measured"
)

// Verdicts in the order they are counted: first those that runs support.
var Verdicts = []Verdict{Holds, HoldsInOrder, DoesNotHold, ArithmeticOnly, InputCalibrated, ShownOnly, NotYetMeasured}

// ByRuns reports whether a verdict is evidence: runs decided it. A test keeps false
// predicates without runs out of the table.
func (v Verdict) ByRuns() bool { return v == Holds || v.Diverges() }

// Diverges reports whether runs contradict a row, or the size of its number. Such a row has a reason.
func (v Verdict) Diverges() bool { return v == DoesNotHold || v == HoldsInOrder }

// Standing is what a row comes to under one reading.
type Standing struct {
	Verdict Verdict `json:"verdict"`
	// Measured is our number in the paper's unit; nil if the claim is qualitative or not
	// measured.
	Measured *float64 `json:"measured,omitempty"`
	// RatioDeviation is the measured ratio over the paper's, minus 1: 1.10 against 1.05
	// gives 0.048. EffectDeviation does the same for the part beyond 1: 0.10 against 0.05
	// gives 1.0. Claims about a change have it: in per cent, or a speedup and the like as a multiple.
	RatioDeviation  *float64 `json:"ratioDeviation,omitempty"`
	EffectDeviation *float64 `json:"effectDeviation,omitempty"`
	Grade           Grade    `json:"grade,omitempty"`
	Noise           *Noise   `json:"noise,omitempty"` // how far the number moves for no reason; nil: not measured
	Remarks         []string `json:"remarks,omitempty"`
	// NotBound are the programs that are not bound by memory here, of those whose time or
	// energy the claim is about.
	NotBound []NotBound `json:"notBoundByMemory,omitempty"`
	Analysis string     `json:"analysis,omitempty"`
	// Runs are the keys of the runs behind the verdict.
	Runs []string `json:"runs,omitempty"`
}

// Outcome is a claim with its verdict and our number.
type Outcome struct {
	Claim
	Standing
	// Missing names everything that a claim needs and that does not exist.
	Missing []string `json:"missing,omitempty"`
	// LackingRuns counts the needed runs that are not stored.
	LackingRuns int `json:"lackingRuns,omitempty"`
	// Reading is the label of the reading; empty for the reading of the committed results.
	Reading string `json:"reading,omitempty"`
	// Timed says that the number is about time or energy.
	Timed bool `json:"timed,omitempty"`
	// Under is the reading of the standing, where the paper's text states another one than the row's own; AsRun is what
	// the row comes to under its own.
	Under string `json:"under,omitempty"`
	AsRun *AsRun `json:"asRun,omitempty"`
	// Readings are what the row comes to under other readings of its paper; the row has one of its own.
	Readings []*OtherReading `json:"readings,omitempty"`
}

// Evaluate gives a claim its verdict. An error means a fault in the table, never in the
// results.
func (l *Ledger) Evaluate(c Claim) (*Outcome, error) {
	o := &Outcome{Claim: c}
	if c.Tier == "T3" {
		o.Verdict = ShownOnly
		return o, nil
	}
	s := &session{Ledger: l, paper: c.Paper}
	truth, err := s.truth(&c)
	if len(s.missing) == 0 {
		if err != nil {
			return nil, fmt.Errorf("claim %s: %w. Correct its check in claims.csv of its paper", c.ID, err)
		}
		o.Verdict = s.verdict(&c, truth)
		s.noteOf(&c)
		if o.Verdict != ArithmeticOnly {
			s.moves = false
			if err := o.measure(s); err != nil {
				return nil, err
			}
			o.Timed = s.moves && o.Measured != nil
			if err := l.addFurther(o); err != nil {
				return nil, err
			}
		}
	} else {
		o.Verdict = NotYetMeasured
	}
	bound, asked := l.notBound(c.Paper, s.timed)
	o.NotBound = bound
	o.Missing, o.LackingRuns, o.Remarks, o.Runs = s.missing, s.lacking, s.notes, slices.Concat(s.used, asked.used)
	slices.Sort(o.Runs)
	o.Runs = slices.Compact(o.Runs)
	if reading := l.reading.Of(c.Paper); !reading.IsDefault() {
		o.Reading = reading.Label()
	}
	o.stand()
	o.explain()
	return o, nil
}

// noteOf notes what is to be said of every run of the row's paper, and of a row that is no evidence.
func (s *session) noteOf(c *Claim) {
	if own := shipped(c.Paper); own != nil && own.remark != "" && len(s.jobs) > 0 {
		s.note(own.remark)
	}
	if why := circular(c.ID); why != "" {
		s.note("no evidence: " + why)
	}
}

// verdict classifies a predicate that could be evaluated. A true predicate that asked
// for no run is about sums of the paper, constants or tests: it has no measured number
// and no grade.
func (s *session) verdict(c *Claim, truth bool) Verdict {
	switch {
	case c.Inputs == "always" || c.Inputs == s.reading.Word("data") || circular(c.ID) != "":
		return InputCalibrated
	case !truth:
		return DoesNotHold
	case len(s.jobs) == 0:
		return ArithmeticOnly
	}
	return Holds
}

// Jobs returns the runs that a claim asks for, stored or not.
func (l *Ledger) Jobs(c Claim) []*Job {
	if c.Tier == "T3" {
		return nil
	}
	s := &session{Ledger: l, paper: c.Paper}
	_, _ = s.evaluate(c.ID, c.Check) // a fault is Evaluate's to report
	if c.Value != "" {
		_, _ = s.evaluate(c.ID, c.Value)
	}
	_, asked := l.notBound(c.Paper, s.timed)
	return joined(joined(s.jobs, asked.jobs), l.FurtherJobs(&Outcome{Claim: c}))
}

// joined returns a and the jobs of b that a lacks.
func joined(a, b []*Job) []*Job {
	for _, j := range b {
		if !slices.ContainsFunc(a, func(o *Job) bool { return o.Key == j.Key }) {
			a = append(a, j)
		}
	}
	return a
}

func (s *session) evaluate(name, text string) (starlark.Value, error) {
	p, err := predicate.Read(name, text)
	if err != nil {
		return nil, err
	}
	return s.expression(p, nil)
}

// truth evaluates the predicate of a row.
func (s *session) truth(c *Claim) (bool, error) {
	v, err := s.evaluate(c.ID, c.Check)
	if err != nil {
		return false, err
	}
	truth, ok := v.(starlark.Bool)
	if !ok {
		return false, fmt.Errorf("the check gives a value of type %s, not true or false: write a comparison", v.Type())
	}
	return bool(truth), nil
}

// expression evaluates an expression with further names.
func (s *session) expression(p predicate.Confined, more starlark.StringDict) (starlark.Value, error) {
	names := s.names()
	if len(more) > 0 {
		names = maps.Clone(names)
		maps.Copy(names, more)
	}
	return p.Value(names)
}

// measure finds the claim's number and compares it with the paper's.
func (o *Outcome) measure(s *session) error {
	number, err := o.number(s)
	if err == nil && number != nil {
		o.judge(*number)
	}
	return err
}

// none has no results.
type none struct{}

// NotBound is a program that DRAM does not hold up.
type NotBound struct {
	Program string `json:"program"`
	// Gain is the speedup by boundBandwidth times the bandwidth, without compression.
	Gain float64 `json:"gain"`
}

const (
	// boundBandwidth is more than a codec can be worth [ours]: at a granularity of 32 bytes a
	// block of 128 shrinks to a quarter at most.
	boundBandwidth = 8
	// boundGain is the least gain of a program that is bound by memory [ours]. A program below it
	// gains less than 5 % even from a codec that takes seven eighths of its traffic away. SLC and
	// E2MC state mean speedups of 9 % and more.
	boundGain = 1.05
)

// timeMetrics are those that a faster DRAM changes.
var timeMetrics = []string{"speedup", "seconds", "energy", "edp", "energy_x"}

// notBound returns those of a paper's programs that are not bound by memory in the ledger's
// reading, and the session that asked for the runs that tell. A program without these runs is left out.
func (l *Ledger) notBound(paper string, ids []string) ([]NotBound, *session) {
	var list []NotBound
	s := &session{Ledger: l, paper: paper}
	wide := defaultSettings()
	wide.bw = boundBandwidth
	for _, id := range ids {
		p, err := s.point("NONE", id, wide)
		if err != nil {
			continue
		}
		base, err := s.point("NONE", id, defaultSettings())
		if err != nil {
			continue
		}
		lacking := s.lacking
		gain, _, err := s.relative("speedup", p, base)
		if err == nil && s.lacking == lacking && gain < boundGain {
			list = append(list, NotBound{id, gain})
		}
	}
	return list, s
}

// AsRun is what a row comes to under the reading of the rows themselves, where its paper's text states another one.
type AsRun struct {
	Word string `json:"word"` // the row's own reading
	Standing
}

// stand gives the row the standing of the reading that the paper's text states, if it was measured. Which reading that
// is stands in paper.yaml before any run. What the row came to under its own reading is kept aside.
func (o *Outcome) stand() {
	if o.AsRun != nil || !o.Verdict.ByRuns() {
		return
	}
	for _, r := range o.Readings {
		if !r.Stated || !r.Verdict.ByRuns() {
			continue
		}
		o.AsRun, o.Under = &AsRun{r.Own, o.Standing}, r.Word
		o.Standing = Standing{Verdict: r.Verdict, Remarks: r.Remarks, Runs: r.Runs}
		if r.Measured != nil {
			if o.Verdict == HoldsInOrder {
				o.Verdict = Holds // judge decides about the size
			}
			o.judge(*r.Measured)
		}
		return
	}
}

// explain gives the row its reason under each reading that contradicts it.
func (o *Outcome) explain() {
	reason := func(v Verdict) string {
		if v.Diverges() {
			return analysisOf(o.ID)
		}
		return ""
	}
	o.Analysis = reason(o.Verdict)
	if o.AsRun != nil {
		o.AsRun.Analysis = reason(o.AsRun.Verdict)
	}
}

// Own returns a row under its own reading again, as its runs left it.
func (o *Outcome) Own() *Outcome {
	if o.AsRun == nil {
		return o
	}
	row := *o
	row.Standing, row.AsRun, row.Under = o.AsRun.Standing, nil, ""
	return &row
}
