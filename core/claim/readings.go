package claim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// openPart is something that a paper's text leaves open, with the reading of the rows themselves and the others.
type openPart struct {
	paper  *Paper
	where  string          `key:"@"` // in paper.yaml
	name   string          `key:"part"`
	own    string          `key:"own"`
	why    string          `key:"why"`
	text   string          `key:"stated"` // the reading that the text states; "": none, and the own one counts
	others []*otherReading `key:"others"`
	ids    []string        `key:"claims"` // rows that are measured under each
}

// otherReading changes scenarios: set of both sides of a comparison, where they have such a setting, and base of the
// side with which another is compared. sets puts the programs of another set into one.
type otherReading struct {
	part  *openPart
	word  string `key:"*"`
	set   pairs  `key:"set"`
	base  pairs  `key:"base"`
	where pairs  `key:"where"` // choices of groups that a scenario must have for set
	sizes string `key:"sizes"` // "paper": programs have the sizes that the paper states
	sets  pairs  `key:"sets"`
}

// OtherReading is what a row comes to under another reading of its paper.
type OtherReading struct {
	Part string `json:"part"` // what the paper leaves open
	Own  string `json:"own"`  // the reading that the row itself has
	Why  string `json:"why"`
	Word string `json:"word"` // this reading
	// Settings are what it changes, as paths of scenarios.
	Settings string `json:"settings"`
	// Stated says that the paper's text states this reading: the row's verdict is the one under it.
	Stated   bool     `json:"stated,omitempty"`
	Verdict  Verdict  `json:"verdict"`
	Measured *float64 `json:"measured,omitempty"`
	Grade    Grade    `json:"grade,omitempty"`
	Remarks  []string `json:"remarks,omitempty"`
	Runs     []string `json:"runs,omitempty"`
}

func (part *openPart) check(r *reader, v *scenario.Value) {
	for _, o := range part.others {
		o.part = part
	}
	if part.name == "" || part.own == "" || part.why == "" || len(part.others) == 0 {
		r.fault(v, "a reading needs the keys part, own, why and others")
	}
	known := slices.ContainsFunc(part.others, func(o *otherReading) bool { return o.word == part.text })
	if part.text != "" && !known {
		var words []string
		for _, o := range part.others {
			words = append(words, o.word)
		}
		r.fault(v, "stated is one of the others, not "+fault.Quote(part.text)+": "+nearest(part.text, words))
	}
}

func (o *otherReading) check(r *reader, v *scenario.Value) {
	if o.sizes != "" && o.sizes != string(PaperSizes) {
		r.fault(v, "sizes of a reading are paper, not "+fault.Quote(o.sizes))
	}
	for _, a := range slices.Concat(o.set, o.base, o.where) {
		if what := noPath(a[0]); what != "" {
			r.fault(v, what)
		}
	}
}

// checkSets finds sets of its readings that no paper has.
func (part *openPart) checkSets() {
	known := part.paper.setNames()
	for _, o := range part.others {
		for _, pair := range o.sets {
			for _, name := range pair {
				if !slices.Contains(known, name) {
					part.paper.fault(part.where, "unknown set %s: %s", fault.Quote(name), nearest(name, known))
				}
			}
		}
	}
}

// change returns a scenario under assignments. A setting that the scenario's scheme does not have, or that has no
// effect there, is left out.
func change(of *scenario.Scenario, list [][2]string) (*scenario.Scenario, error) {
	s := *of
	s.Scheme, s.Machine.Overrides = s.Scheme.Clone(), maps.Clone(s.Machine.Overrides)
	for _, a := range list {
		group, key, _ := strings.Cut(a[0], ".")
		if g := scheme.Find(group); g != nil && key != g.Key {
			part := s.Scheme.Part(group)
			e := g.Entry(part.Choice(g))
			f := g.Setting(part.Choice(g), key)
			own := e != nil && slices.ContainsFunc(e.Settings, func(f system.Setting) bool { return f.Name == key })
			if f == nil || !own && !g.Whole() || !f.Effective(*part) {
				continue
			}
		}
		if err := s.Set(a[0], a[1]); err != nil {
			return nil, err
		}
	}
	return &s, s.Validate()
}

// of returns a scenario under the reading.
func (r *otherReading) of(s *scenario.Scenario) (*scenario.Scenario, error) {
	for _, w := range r.where {
		group, key, _ := strings.Cut(w[0], ".")
		if part := s.Scheme.Part(group); part == nil || part.Word(key) != w[1] {
			return s, nil
		}
	}
	changed, err := change(s, r.set)
	if err == nil && r.sizes != "" {
		changed.Workload = r.part.paper.atPaperSize(changed.Workload)
	}
	return changed, err
}

// otherReadings are those under which a row is measured.
func (l *Ledger) otherReadings(c *Claim) (list []*otherReading) {
	papers := []*Paper{l.own}
	if own := shipped(c.Paper); own != l.own {
		papers = append(papers, own)
	}
	for _, p := range papers {
		if p == nil {
			continue
		}
		for _, part := range p.open {
			if slices.Contains(part.ids, c.ID) {
				list = append(list, part.others...)
			}
		}
	}
	return list
}

// readingJobs returns the runs of a row under the readings of its paper that it has not come to anything under.
func (l *Ledger) readingJobs(o *Outcome) (jobs []*Job) {
	for _, r := range l.otherReadings(&o.Claim) {
		if o.under(r) == nil {
			jobs = joined(jobs, l.jobsUnder(&o.Claim, r))
		}
	}
	return jobs
}

// jobsUnder returns the runs of a row's predicate and number under a reading.
func (l *Ledger) jobsUnder(c *Claim, r *otherReading) []*Job {
	s := &session{Ledger: l, paper: c.Paper, under: draw{reading: r}}
	_, _ = s.truth(c) // a fault is Evaluate's to report
	_, _ = (&Outcome{Claim: *c}).number(s)
	return s.jobs
}

// under returns what a row came to under a reading before, with today's words; nil if it has neither number nor verdict
// of it.
func (o *Outcome) under(r *otherReading) *OtherReading {
	for _, one := range o.Readings {
		known := one.Measured != nil || one.Verdict.ByRuns()
		if known && one.Part == r.part.name && one.Word == r.word && one.Settings == r.settings() {
			one.Own, one.Why, one.Stated = r.part.own, r.part.why, r.part.text == r.word
			return one
		}
	}
	return nil
}

func (r *otherReading) named() OtherReading {
	return OtherReading{Part: r.part.name, Own: r.part.own, Why: r.part.why, Word: r.word, Settings: r.settings(),
		Stated: r.part.text == r.word}
}

// readings evaluates a row under the other readings of its paper, where it has no number of them yet.
func (l *Ledger) readings(of *Outcome) ([]*OtherReading, error) {
	var list []*OtherReading
	c := of.Claim
	for _, r := range l.otherReadings(&c) {
		if old := of.under(r); old != nil {
			list = append(list, old)
			continue
		}
		named := r.named()
		one := &named
		s := &session{Ledger: l, paper: c.Paper, under: draw{reading: r}}
		truth, err := s.truth(&c)
		o := &Outcome{Claim: c, Standing: Standing{Verdict: NotYetMeasured}}
		if len(s.missing) == 0 {
			if err != nil {
				return nil, fmt.Errorf("claim %s, %s %s: %w", c.ID, r.part.name, r.word, err)
			}
			o.Verdict = s.verdict(&c, truth)
			s.noteOf(&c)
			if err := o.measure(s); err != nil {
				return nil, err
			}
		}
		one.Runs = slices.Sorted(slices.Values(s.used))
		one.Verdict, one.Measured, one.Grade, one.Remarks = o.Verdict, o.Measured, o.Grade, s.notes
		list = append(list, one)
	}
	return list, nil
}

// settings are the assignments of a reading in words.
func (r *otherReading) settings() string {
	var words []string
	if r.sizes != "" {
		words = append(words, "the paper's sizes")
	}
	for _, a := range r.sets {
		words = append(words, a[0]+" is "+a[1])
	}
	for _, a := range r.set {
		words = append(words, a[0]+"="+a[1])
	}
	for _, a := range r.base {
		words = append(words, "base "+a[0]+"="+a[1])
	}
	return strings.Join(words, ", ")
}

// DependsOnReading reports whether another reading gives the row another verdict.
func (o *Outcome) DependsOnReading() bool {
	own := o.Own()
	return slices.ContainsFunc(o.Readings, func(r *OtherReading) bool {
		return r.Verdict.ByRuns() && r.Verdict != own.Verdict
	})
}

// judgeReadings gives the numbers of a row under other readings their grades again.
func (o *Outcome) judgeReadings() {
	for _, r := range o.Readings {
		again := &Outcome{Claim: o.Claim, Standing: Standing{Verdict: r.Verdict}}
		if r.Verdict == HoldsInOrder {
			again.Verdict = Holds
		}
		if r.Measured != nil {
			again.judge(*r.Measured)
		}
		r.Verdict, r.Grade = again.Verdict, again.Grade
	}
}
