package stat

// Adding says how the values of a counter in two spans of a run, one after the other, make the value of
// both together.
type Adding uint8

const (
	// Sum adds them. A counter without a line in adds is of this kind: it only grows.
	Sum Adding = iota
	// Last takes that of the later span: the counter is a level, such as a queue's length.
	Last
)

// adds are the counters that do not only grow.
var adds = [NumCounters]Adding{BusPendingCycles: Last, BusAheadCycles: Last}

// Adds returns how a counter adds over time.
func Adds(c Counter) Adding { return adds[c] }

// Since returns the part of s that was counted after before, an earlier state of the same counters.
// A level is the present one.
func (s *Set) Since(before *Set) Set {
	t := *s
	for c := range t {
		if adds[c] == Sum {
			t[c] -= before[c]
		}
	}
	return t
}

// Follow adds o, counted in the time after s.
func (s *Set) Follow(o *Set) {
	for c := range s {
		if adds[c] == Sum {
			s[c] += o[c]
		} else {
			s[c] = o[c]
		}
	}
}
