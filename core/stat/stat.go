// Package stat holds the counters of a run. Every counter has a name, a unit and a
// sentence. A Set is an array, so counting is one addition, and a copy of a machine
// includes its counters.
package stat

// Counter names one counter of a Set.
type Counter uint16

// Set holds all counters of a component or a machine.
type Set [NumCounters]uint64

// Add adds o to s.
func (s *Set) Add(o *Set) {
	for i := range s {
		s[i] += o[i]
	}
}

// Info describes a counter to the reader.
type Info struct {
	Name string // stable key in result objects
	Unit string
	Doc  string
}

// Describe returns the description of a counter.
func Describe(c Counter) Info { return infos[c] }

// Values returns the counters by name, for result objects.
func (s *Set) Values() map[string]uint64 {
	m := make(map[string]uint64, NumCounters)
	for c := Counter(0); c < NumCounters; c++ {
		m[infos[c].Name] = s[c]
	}
	return m
}

// ByName returns the counter of a name.
func ByName(name string) (Counter, bool) {
	for c := Counter(0); c < NumCounters; c++ {
		if infos[c].Name == name {
			return c, true
		}
	}
	return 0, false
}
