// Package stat holds the counters of a run. Every counter has a name, a unit and a
// sentence. A Set is an array, so counting is one addition, and a copy of a machine
// includes its counters.
package stat

import "errors"

// Counter names one counter of a Set. The zero value is Invalid.
type Counter uint16

// First is the first counter: those that List returns are real.
const First = Invalid + 1

// Set holds all counters of a component or a machine.
type Set [NumCounters]uint64

// Add adds o to s.
func (s *Set) Add(o *Set) {
	for i := range s {
		s[i] += o[i]
	}
}

// Check reports an error if something was counted with Invalid.
func (s *Set) Check() error {
	if s[Invalid] != 0 {
		return errors.New("a part of the machine counted with no counter: a table lacks a name that it was asked for")
	}
	return nil
}

// Info describes a counter to the reader.
type Info struct {
	Name string // stable key in result objects
	Unit string
	Doc  string
}

// Describe returns the description of a counter.
func Describe(c Counter) Info {
	if c < FirstPlace {
		return infos[c]
	}
	return extra[c-FirstPlace]
}

// Values returns the counters by name, for result objects.
func (s *Set) Values() map[string]uint64 {
	m := make(map[string]uint64, len(list))
	for _, c := range list {
		m[Describe(c).Name] = s[c]
	}
	return m
}

// ByName returns the counter of a name, Invalid and false if there is none.
func ByName(name string) (Counter, bool) {
	for c := First; c < NumCounters && name != ""; c++ {
		if Describe(c).Name == name {
			return c, true
		}
	}
	return Invalid, false
}
