package policy

import (
	"math"

	"github.com/burstscope/burstscope/core/tape"
)

// sampled learns from dedicated sets. A period begins with a learning phase, in which each
// mode has its own sets; the other sets follow the last winner. From then on all sets
// follow the winner (LATTE-CC section III-B1).
type sampled struct {
	p      Params
	stride int // sets from one dedicated set of a mode to the next
	skewed bool
	basis  Basis
	score  score
	last   Grounds // kept here, because a score could keep a pointer to it
	sampledState
}

type sampledState struct {
	phase        int // of the period
	winner       Mode
	hits, misses [NumModes]uint8
}

// score rates a mode from the hits and misses of its sets, and notes the numbers in between
// in g; the lowest score wins, and the cheaper mode among equal ones.
type score func(p *Params, m Mode, hits, misses float64, e *Phase, g *Grounds) float64

func newSampled(p Params, b Basis, s score) Policy {
	return &sampled{p: p, stride: p.Sets / p.DedicatedSets, basis: b, score: s}
}

// Room reports whether an L1 has the dedicated sets of all modes.
func Room(sets, dedicated int) bool { return dedicated*int(NumModes) <= sets }

// owner returns the mode to which a set is dedicated, NumModes if it has none. The sets of
// a mode are spread evenly.
func (s *sampled) owner(set int) Mode {
	place := set % s.stride
	if s.skewed { // the last run of sets is as in the others, so that the last set is dedicated to no mode
		place = (set + s.p.DedicatedSets - 1 - set/s.stride) % s.stride
	}
	if place >= int(NumModes) || set >= s.stride*s.p.DedicatedSets {
		return NumModes
	}
	return Mode(place)
}

func (s *sampled) Mode(set int) Mode {
	if s.phase == 0 {
		if m := s.owner(set); m < NumModes {
			return m
		}
	}
	return s.winner
}

// Hit counts during the learning phase and the phase after it, in which lines of the
// learning phase still hit. There the line's own mode says to which mode a hit belongs.
func (s *sampled) Hit(h Hit) {
	if s.phase > 1 {
		return
	}
	if m := s.owner(h.Set); m < NumModes && (s.phase == 0 || m == h.Mode) {
		count(&s.hits[m])
	}
}

// Miss counts insertions during the learning phase only.
func (s *sampled) Miss(set int, _ bool) {
	if s.phase > 0 {
		return
	}
	if m := s.owner(set); m < NumModes {
		count(&s.misses[m])
	}
}

// count adds one to a counter of 8 bits, which saturates: the 134 bytes of LATTE-CC's
// section IV-C3 are 512 tags with 2 bits and 6 such counters.
func count(n *uint8) {
	if *n < math.MaxUint8 {
		*n++
	}
}

func (s *sampled) End(e *Phase) Grounds {
	s.last = Grounds{Basis: NotSampled, Hits: s.hits, Misses: s.misses}
	best := math.Inf(1)
	s.winner = None
	for m := range NumModes {
		rate := math.Inf(1)
		switch hits, misses := float64(s.hits[m]), float64(s.misses[m]); {
		case hits+misses > 0:
			s.last.Basis = s.basis
			rate = s.score(&s.p, m, hits, misses, e, &s.last)
		case m == None:
			rate = math.MaxFloat64 // wins only if no mode was sampled
		}
		if rate < best {
			s.winner, best = m, rate
		}
	}
	if s.phase++; s.phase >= s.p.PeriodPhases {
		s.phase, s.hits, s.misses = 0, [NumModes]uint8{}, [NumModes]uint8{}
	}
	return s.last
}

func (s *sampled) State(t *tape.Tape) { tape.Value(t, &s.sampledState) }
