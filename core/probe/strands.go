package probe

import (
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/sim"
)

// A strand is a tap of one component, or of a few whose order never changes. Components work ahead of each other, so a
// machine gives each its own strand. Gather then puts the events in the order of a machine in which
// nobody works ahead: by the cycle of the emission, and within a cycle by the order of the components.
type strand struct {
	isStrand bool
	clock    *sim.Engine // of the emissions; nil: a strand's events are emitted in their own cycles
	at       []sim.Cycle // of each event
}

// Strand adds a strand after those that t has. Its events are emitted in the present cycles of clock, or, without one, in
// the cycles that they have. The strand of a nil tap is nil.
func (t *Tap) Strand(clock *sim.Engine) *Tap {
	if t == nil {
		return nil
	}
	s := &Tap{limit: math.MaxInt, paused: t.paused, strand: strand{isStrand: true, clock: clock}}
	t.strands = append(t.strands, s)
	return s
}

// Unstrand ends the strands of t: another machine begins.
func (t *Tap) Unstrand() {
	if t != nil {
		t.Gather()
		t.strands = nil
	}
}

// note keeps the cycle of an emission.
func (t *Tap) note(cycle sim.Cycle) {
	if t.clock != nil {
		cycle = t.clock.Now()
	}
	t.at = append(t.at, cycle)
}

// Gather takes what the strands have collected. All components have done the work of the same cycles.
func (t *Tap) Gather() {
	if t == nil {
		return
	}
	first, last, n := sim.Never, sim.Cycle(0), 0
	for _, s := range t.strands {
		for _, at := range s.at {
			first, last = min(first, at), max(last, at)
		}
		n += len(s.at)
	}
	if n == 0 {
		return
	}
	// Each cycle's events begin after those of the cycles before.
	t.begins = append(t.begins[:0], make([]uint32, last-first+1)...)
	for _, s := range t.strands {
		for _, at := range s.at {
			t.begins[at-first]++
		}
	}
	sum := uint32(0)
	for i, count := range t.begins {
		t.begins[i] = sum
		sum += count
	}
	old := len(t.events)
	t.events = slices.Grow(t.events, n)[:old+n]
	list := t.events[old:]
	for _, s := range t.strands {
		for i, at := range s.at {
			place := &t.begins[at-first]
			list[*place] = s.events[i]
			*place++
		}
		s.events, s.at = s.events[:0], s.at[:0]
	}
	if most := max(t.limit, old); old+n > most {
		t.dropped += uint64(old + n - most)
		t.events = t.events[:most]
	}
}
