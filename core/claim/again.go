package claim

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"go.starlark.net/starlark"
)

// Again judges the rows of the ledger again from outcomes that were written before, without results: their numbers
// and whether their predicates were true. So a change of the rule of grades, of an analysis, of a unit or of a
// predicate needs no run again, as long as the numbers decide. An error names the rows that need their runs.
func (l *Ledger) Again(claims []Claim, written []*Outcome) ([]*Outcome, error) {
	old := map[string]*Outcome{}
	for _, o := range written {
		old[o.ID] = o.Own()
	}
	known, under := predicate.Known{}, knownUnder{}
	for _, c := range claims {
		o := old[c.ID]
		if o == nil {
			continue
		}
		addWritten(known, &c, o)
		for _, r := range o.Readings {
			if under[r.key()] == nil {
				under[r.key()] = predicate.Known{}
			}
			there := Standing{Verdict: r.Verdict, Measured: r.Measured}
			addWritten(under[r.key()], &c, &Outcome{Claim: o.Claim, Standing: there})
		}
	}
	var list []*Outcome
	for _, c := range claims {
		o := old[c.ID]
		if o == nil {
			return nil, fmt.Errorf("claim %s has no outcome yet: run its runs", c.ID)
		}
		again, err := l.again(c, o, known, under)
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
	if o.Verdict.ByRuns() {
		k[predicate.Plainly(was.Check)] = starlark.Bool(o.Verdict != DoesNotHold)
	}
}

// again judges one row. If it takes runs, what was missing or calibrated stays so.
func (l *Ledger) again(c Claim, was *Outcome, known predicate.Known, under knownUnder) (*Outcome, error) {
	if !was.Verdict.ByRuns() && len(l.Jobs(c)) == 0 {
		return l.Evaluate(c) // it asks for no run, so nothing else decides it: what it lacks has today's words
	}
	o := *was
	o.Claim = c
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
		o.Runs = withRuns(o.Runs, l.Jobs(c))
	}
	if !same {
		o.Noise, o.Readings = nil, l.readingsAgain(&c, was, under)
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
	o.explain()
	return &o, nil
}

// readingKey is what a reading is known by, in all rows that have it.
type readingKey struct{ part, word, settings string }

// knownUnder are the written numbers of each reading.
type knownUnder map[readingKey]predicate.Known

func (r *OtherReading) key() readingKey { return readingKey{r.Part, r.Word, r.Settings} }

// readingsAgain judges a row under other readings by its new predicate, as far as the written numbers decide.
func (l *Ledger) readingsAgain(c *Claim, was *Outcome, under knownUnder) (list []*OtherReading) {
	for _, r := range l.otherReadings(c) {
		old := was.under(r)
		if old == nil || !old.Verdict.ByRuns() {
			continue
		}
		now := *old
		known := under[now.key()]
		truth, decided := known.Truth(c.Check)
		value, found := known[c.expression()].(starlark.Float)
		if !decided || now.Measured != nil && !found {
			continue
		}
		if now.Verdict = DoesNotHold; truth {
			now.Verdict = Holds
		}
		if now.Measured != nil {
			shown := unitOf(c.Unit).toPaper(float64(value))
			now.Measured = &shown
		}
		now.Runs = withRuns(now.Runs, l.jobsUnder(c, r))
		list = append(list, &now)
	}
	return list
}

// withRuns returns the keys of runs with those of jobs.
func withRuns(runs []string, jobs []*Job) []string {
	all := slices.Clone(runs)
	for _, j := range jobs {
		all = append(all, j.Key)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
