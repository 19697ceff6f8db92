package claim

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system"
	"go.starlark.net/starlark"
)

// Set is a set of programs that a paper's folder names.
type Set struct {
	Name     string
	Programs []string
	where    string // in paper.yaml
}

// list is a list of texts and numbers that a paper's folder names.
type list struct {
	name   string
	values []starlark.Value
}

// Of returns how the rows of a paper are evaluated in a reading: where the reading leaves something open, it
// the paper's folder decides.
func (r Reading) Of(paper string) Reading {
	p := shipped(paper)
	if p == nil {
		return r
	}
	r.Machine = either(r.Machine, p.Machine)
	r.Sizes = either(r.Sizes, p.reading.Sizes)
	if p.reading.Data != "" && r.Data == Suite {
		r.Data = ""
	}
	r.Data = either(r.Data, p.reading.Data)
	return r
}

// SetOf returns the programs of a set of the shipped papers; nil if no set has that name.
func SetOf(name string) []string { return (*Paper)(nil).setOf(name) }

// setOf returns the programs of a set of the folder or of the shipped papers. The Paper may be nil.
func (p *Paper) setOf(name string) []string {
	for _, set := range p.sets() {
		if set.Name == name {
			return slices.Clone(set.Programs)
		}
	}
	return nil
}

// sets are the folder's sets and the sets of the shipped papers.
func (p *Paper) sets() (sets []Set) {
	papers := p.vocabulary()
	if p != nil { // its own come first
		papers = append([]*Paper{p}, papers...)
	}
	for _, p := range papers {
		sets = append(sets, p.Sets...)
	}
	return sets
}

// pointOf returns the scenario of a system of the folder or of the shipped papers. The Paper may be nil.
func (p *Paper) pointOf(r Reading, name, id string, w scenario.Workload, set settings) (*point, error) {
	own := p.system(name)
	if own == nil || systemOf(name) != nil {
		return r.pointOf(name, id, w, set)
	}
	plain, err := r.pointOf("NONE", id, w, set)
	if err != nil {
		return nil, err
	}
	s := *plain.run.Scenario
	for _, a := range own.Settings {
		if err := p.set(&s, a[0], a[1]); err != nil {
			return nil, err
		}
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return &point{NewJob(&s, false), NewJob(&s, true), &s.Memory, set}, nil
}

// set changes a setting, through the caller's setter if there is one.
func (p *Paper) set(s *scenario.Scenario, path, value string) error {
	if p.setter != nil && !strings.HasPrefix(path, overridePrefix) {
		return p.setter(s, path, value)
	}
	spec, err := s.Machine.Spec()
	if err != nil {
		return err
	}
	return put(s, spec, path, value)
}

// check reports a setting that no scenario takes.
func (y *System) check(p *Paper) error {
	s := scenario.Default("vecadd")
	s.Memory.Put("codec", system.None, "approximation", system.None)
	s.Machine.Preset = either(p.Machine, s.Machine.Preset)
	for _, a := range y.Settings {
		if err := p.set(s, a[0], a[1]); err != nil {
			return err
		}
	}
	return s.Validate()
}

// Ledger returns a ledger over results with the words of the folder. The folder of a shipped paper has the
// reading of its rows.
func (p *Paper) Ledger(results Results) *Ledger {
	l := Reading{Machine: p.Machine}.Of(p.Name).Ledger(results)
	l.own = p
	return l
}

// Check evaluates a claim without results. It returns the things that the claim needs and that do not exist
// here, and an error if its predicate can have no value whatever the results are.
func (l *Ledger) Check(c *Claim) (absent []string, err error) {
	if c.Tier == "T3" {
		return nil, nil
	}
	s := &session{Ledger: l, paper: c.Paper}
	if _, err := s.truth(c); err != nil {
		return nil, err
	}
	if c.Value != "" {
		if _, err := s.evaluate(c.ID, c.Value); err != nil {
			return nil, err
		}
	}
	return withoutRuns(s.missing), nil
}

// runWords begins the name of a missing run.
const runWords = "run of "

// withoutRuns returns the missing things that no run brings.
func withoutRuns(missing []string) []string {
	return slices.DeleteFunc(slices.Clone(missing), func(what string) bool { return strings.HasPrefix(what, runWords) })
}
