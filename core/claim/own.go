package claim

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system"
)

// Set is a set of programs that a paper's folder names.
type Set struct {
	Name     string
	Programs []string
	where    string // in paper.yaml
}

// Program says how a program runs for a paper, where that is not the reading's.
type Program struct {
	ID   string
	Size int    // 0: that of the reading
	Data string // "": that of the reading
}

// System is a memory scheme that a paper's folder names: settings of a scenario without compression.
type System struct {
	Name     string
	Settings [][2]string // path and value, in the order of the file
}

// setOf returns the programs of a set of the folder or of the vocabulary. The Paper may be nil, here
// and in the methods below.
func (p *Paper) setOf(name string) []string {
	for _, s := range p.ownSets() {
		if s.Name == name {
			return s.Programs
		}
	}
	return SetOf(name)
}

func (p *Paper) ownSets() []Set {
	if p == nil {
		return nil
	}
	return p.Sets
}

// resize gives a workload the folder's size and input.
func (p *Paper) resize(id string, w *scenario.Workload) {
	if p == nil {
		return
	}
	for _, one := range p.Programs {
		if one.ID != id {
			continue
		}
		if one.Size != 0 {
			w.Size = one.Size
		}
		if one.Data != "" {
			w.Data = one.Data
		}
	}
}

// pointOf returns the scenario of a system of the folder or of the vocabulary.
func (p *Paper) pointOf(r Reading, system string, w scenario.Workload, set settings) (*point, error) {
	own := p.system(system)
	if own == nil {
		return r.pointOf(system, w, set)
	}
	plain, err := r.pointOf("NONE", w, set)
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

func (p *Paper) system(name string) *System {
	if p == nil {
		return nil
	}
	for i := range p.Systems {
		if p.Systems[i].Name == name {
			return &p.Systems[i]
		}
	}
	return nil
}

// set changes a setting, through the caller's setter if there is one.
func (p *Paper) set(s *scenario.Scenario, path, value string) error {
	if p.setter != nil {
		return p.setter(s, path, value)
	}
	return s.Set(path, value)
}

// check reports a setting that no scenario takes.
func (y *System) check(p *Paper) error {
	s := scenario.Default("vecadd")
	s.Memory.Put("codec", system.None, "approximation", system.None)
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

// systemExists reports whether the vocabulary has a system of this name.
func systemExists(name string) bool {
	for _, s := range systems {
		if s.name == name {
			return true
		}
	}
	_, backed := backingSystems[name]
	return backed || rfvpSystemOf(name) != nil || l1SystemOf(name) != nil
}
