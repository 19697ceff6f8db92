package claim

import (
	"fmt"
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
func (v Verdict) ByRuns() bool { return v == Holds || v == HoldsInOrder || v == DoesNotHold }

// Outcome is a claim with its verdict and our number.
type Outcome struct {
	Claim
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
	// Missing names everything that a claim needs and that does not exist.
	Missing []string `json:"missing,omitempty"`
	// LackingRuns counts the needed runs that are not stored.
	LackingRuns int      `json:"lackingRuns,omitempty"`
	Remarks     []string `json:"remarks,omitempty"`
	// Runs are the keys of the runs behind the verdict.
	Runs []string `json:"runs,omitempty"`
	// Reading is the label of the reading; empty for the reading of the committed results.
	Reading string `json:"reading,omitempty"`
	// NotBound are the programs that are not bound by memory here, of those whose time or
	// energy the claim is about.
	NotBound []NotBound `json:"notBoundByMemory,omitempty"`
	Analysis string     `json:"analysis,omitempty"`
	// Timed says that the number is about time or energy, and Noise how far it moves for no reason; nil: not measured.
	Timed bool   `json:"timed,omitempty"`
	Noise *Noise `json:"noise,omitempty"`
	// Under is the reading of Measured, Grade and Verdict, where the paper's text states another one than the row's
	// own; AsRun is what the row comes to under its own.
	Under string `json:"under,omitempty"`
	AsRun *AsRun `json:"asRun,omitempty"`
	// Readings are what the row comes to under other readings of its paper; the row has one of its own.
	Readings []*OtherReading `json:"readings,omitempty"`
}

// Evaluate gives a claim its verdict. An error means a fault in the table, never in the
// results.
func (l *Ledger) Evaluate(c Claim) (*Outcome, error) {
	o := &Outcome{Claim: c, Analysis: analysisOf(c.ID)}
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
		if own := shipped(c.Paper); own != nil && own.remark != "" && len(s.jobs) > 0 {
			s.note(own.remark)
		}
		if why := circular(c.ID); why != "" {
			s.note("no evidence: " + why)
		}
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
	if o.Verdict != DoesNotHold {
		o.Analysis = ""
	}
	o.stand()
	return o, nil
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
	for _, name := range more.Keys() {
		names[name] = more[name]
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
