package policy

import "github.com/burstscope/burstscope/core/tape"

// lastQueue gives a policy the last measured position of a mode's queue in phases in which no line passed it. LATTE-CC
// does not say what such a phase measures: latte takes 0, as if the queue were empty.
type lastQueue struct {
	Policy
	last [NumModes]float64
}

// latteLastQueue is LATTE-CC whose queues keep their last measured length.
func latteLastQueue(p Params) Policy { return &lastQueue{Policy: latte(p)} }

func (q *lastQueue) End(e *Phase) Grounds {
	for m := range NumModes {
		if e.Passed[m] {
			q.last[m] = e.Positions[m]
		}
		e.Positions[m] = q.last[m]
	}
	return q.Policy.End(e)
}

func (q *lastQueue) State(t *tape.Tape) {
	tape.Value(t, &q.last)
	q.Policy.State(t)
}

// latteSkewed is LATTE-CC whose dedicated sets of a mode lie in other places of each run of sets. In latte they are one
// residue class, which a stride of as many lines visits alone or not at all.
func latteSkewed(p Params) Policy {
	s := newSampled(p, ByAMAT, amatUnder(Tolerance)).(*sampled)
	s.skewed = true
	return s
}
