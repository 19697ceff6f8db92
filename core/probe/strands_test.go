package probe

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// ticker lets a test say what an engine's component does in each cycle.
type ticker func(now sim.Cycle) sim.Cycle

func (f ticker) Tick(now sim.Cycle) sim.Cycle { return f(now) }

// Components that emit at any cycles, some of them ahead of others, give the events that they would emit if each did the
// work of one cycle in turn, whatever the pieces in which they come. What does not fit is counted, and nothing is kept
// while the tap pauses.
func TestStrandsAreInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 50 {
		const components, cycles = 5, 700
		var emits [cycles][components]int // how many events
		want := []Event{}
		for c := range emits {
			for k := range emits[c] {
				if r.IntN(4) > 0 {
					continue
				}
				emits[c][k] = 1 + r.IntN(3)
				for i := range emits[c][k] {
					want = append(want, Event{Cycle: sim.Cycle(c), Unit: uint16(k), A: uint32(i)})
				}
			}
		}
		limit := len(want)
		if r.IntN(2) == 0 {
			limit = r.IntN(len(want))
		}
		tap := NewTap(limit)
		var engines [components]sim.Engine
		for k := range engines {
			clock := &engines[k]
			if k%2 == 0 {
				clock = nil // the events say themselves when they were emitted
			}
			strand := tap.Strand(clock)
			engines[k].Add(ticker(func(now sim.Cycle) sim.Cycle {
				for i := range emits[now][k] {
					strand.Emit(Event{Cycle: now, Unit: uint16(k), A: uint32(i)})
				}
				return now + 1
			}))
			engines[k].Seal()
		}
		for at := sim.Cycle(0); at < cycles; {
			at = min(at+1+sim.Cycle(r.IntN(200)), cycles)
			for _, k := range r.Perm(components) {
				engines[k].Advance(at)
			}
			if r.IntN(2) == 0 {
				tap.Gather()
			}
		}
		tap.Take(func(got []Event) {
			if !slices.Equal(got, want[:limit]) {
				t.Fatalf("%d events of %d are not those of one component after the other", len(got), limit)
			}
		})
		if n := tap.Dropped(); n != uint64(len(want)-limit) {
			t.Errorf("%d events dropped, want %d", n, len(want)-limit)
		}
		late := tap.Strand(nil)
		tap.Pause(true)
		late.Emit(Event{})
		if tap.Pause(false); late.On() {
			late.Emit(Event{Cycle: 9})
		}
		tap.Take(func(got []Event) {
			if limit > 0 && !slices.Equal(got, []Event{{Cycle: 9}}) {
				t.Errorf("after a pause %v", got)
			}
		})
		tap.Unstrand()
	}
}
