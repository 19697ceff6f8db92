// Package scheme says how a machine stores and moves data, in four groups that are
// chosen apart: what L1 stores, what a load miss may do instead of fetching, how blocks
// lie in memory, and which memory is behind the controllers. Table describes every
// group, entry and setting once; scenarios, the command line, sweeps, the page and the
// machine read it from there.
package scheme

import (
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// Scheme is one choice in every group.
type Scheme struct {
	L1      system.Part `msgpack:"l1,omitempty" yaml:"l1,omitempty,flow" json:"l1,omitempty"`
	Loads   system.Part `msgpack:"loads,omitempty" yaml:"loads,omitempty,flow" json:"loads,omitempty"`
	Memory  Memory      `msgpack:"memory" yaml:"memory" json:"memory"`
	Backing system.Part `msgpack:"backing,omitempty" yaml:"backing,omitempty,flow" json:"backing,omitempty"`
}

// Default is a scheme without compression, prediction and linked memory.
func Default() Scheme { return Scheme{Memory: DefaultMemory()} }

// Part returns the part of a group, nil for what is no group.
func (s *Scheme) Part(group string) *system.Part {
	switch group {
	case "l1":
		return &s.L1
	case "loads":
		return &s.Loads
	case "memory":
		return (*system.Part)(&s.Memory)
	case "backing":
		return &s.Backing
	}
	return nil
}

// Plain reports whether every group that can be left out is none, as in scenarios of version 1.
func (s *Scheme) Plain() bool {
	for i := range Table {
		if g := &Table[i]; !g.Whole() && len(*s.Part(g.Name)) > 0 {
			return false
		}
	}
	return true
}

// Complete gives every part the settings that it leaves to their defaults, and writes
// a group that is none as an empty one.
func (s *Scheme) Complete() {
	for i := range Table {
		s.Part(Table[i].Name).Complete(&Table[i])
	}
}

// Clone returns a scheme that shares nothing with s.
func (s Scheme) Clone() Scheme {
	for i := range Table {
		p := s.Part(Table[i].Name)
		*p = p.Clone()
	}
	return s
}

// Effective returns s with every setting that has no effect at its default.
func (s Scheme) Effective() Scheme {
	for i := range Table {
		p := s.Part(Table[i].Name)
		*p = p.Effective(&Table[i])
	}
	return s
}

// Validate adds the faults of s to e, those of whole groups first; prefix stands in front of every path.
func (s *Scheme) Validate(e *fault.Errors, prefix string) {
	for _, whole := range []bool{true, false} {
		for i := range Table {
			if g := &Table[i]; g.Whole() == whole {
				s.Part(g.Name).Validate(e, g, prefix+g.Name)
			}
		}
	}
	s.check(false, nil, e, prefix)
}

// Check adds the faults that the scheme has on a machine.
func (s *Scheme) Check(g *parameter.GPU, e *fault.Errors, prefix string) {
	s.check(true, g, e, prefix)
}

// set changes the value at a path.
func (s *Scheme) set(path, text string) error {
	group, key, _ := strings.Cut(path, ".")
	return s.Part(group).Set(Find(group), key, text)
}

// Each calls f for the chosen entry of each group, in the order of the table, until an error. What the codec of the
// memory group asks of a machine is experiment's: its codes can need a run of their own.
func (s *Scheme) Each(f func(g *system.Group, e *system.Entry, p system.Part) error) error {
	for i := range Table {
		g := &Table[i]
		p := s.Part(g.Name)
		if e := g.Entry(p.Choice(g)); e != nil {
			if err := f(g, e, *p); err != nil {
				return err
			}
		}
	}
	return nil
}

// Configure gives the machine what the entries of all groups ask for. watched returns what has watched the program for
// an entry that needs it.
func (s *Scheme) Configure(gpu *parameter.GPU, job *machine.Job, watched func(e *system.Entry) system.Watcher) error {
	return s.Each(func(_ *system.Group, e *system.Entry, p system.Part) error {
		configure := e.Configure
		if e.Watches != nil && e.Watches(p) {
			configure = watched(e).Configure
		}
		if configure == nil {
			return nil
		}
		return configure(p, gpu, job)
	})
}

// Approximates reports whether a program may compute other values under s than without it.
func (s *Scheme) Approximates() bool {
	approximates := s.Memory.Approximation() != system.None
	_ = s.Each(func(_ *system.Group, e *system.Entry, _ system.Part) error {
		approximates = approximates || e.Approximates
		return nil
	})
	return approximates
}

// Label names the entries that are not none, of groups that can be left out, with the settings
// that differ from their defaults: ", l1 NAME (setting value)". It is empty for a
// plain scheme.
func (s *Scheme) Label() string {
	var b strings.Builder
	for i := range Table {
		if g, p := &Table[i], s.Part(Table[i].Name); !g.Whole() && len(*p) > 0 {
			b.WriteString(", " + g.Name + " " + p.Label(g))
		}
	}
	return b.String()
}
