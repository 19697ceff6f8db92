package sim

import (
	"fmt"
	"testing"
)

// worker works off jobs, one a tick.
type worker struct {
	jobs int
	at   []Cycle
}

func (w *worker) Tick(now Cycle) Cycle {
	if w.jobs == 0 {
		return Never
	}
	w.jobs--
	w.at = append(w.at, now)
	if w.jobs == 0 {
		return Never
	}
	return now + 1
}

// TestDomain by hand: what a component does in six cycles of the engine. With two clocks in three cycles
// they begin in cycles 1 and 2 of three; with five in two, two in the first and three in the second.
func TestDomain(t *testing.T) {
	for clock, want := range map[ClockRatio]string{
		{1, 1}: "[0 1 2 3 4 5]",
		{1, 3}: "[2 5]",
		{2, 3}: "[1 2 4 5]",
		{5, 2}: "[0 0 1 1 1 2 2 3 3 3 4 4 5 5 5]",
	} {
		e, w := &Engine{}, &worker{jobs: 100}
		e.Add(&Domain{w, clock})
		e.Seal()
		e.Advance(6)
		if got := fmt.Sprint(w.at); got != want {
			t.Errorf("%v: works in cycles %s, want %s", clock, got, want)
		}
	}
}

// TestDomainIsWokenBetweenItsClocks: work that comes between two clocks is done at the next one.
func TestDomainIsWokenBetweenItsClocks(t *testing.T) {
	e, w := &Engine{}, &worker{}
	id := e.Add(&Domain{w, ClockRatio{1, 4}})
	e.Seal()
	e.Advance(10)
	w.jobs = 1
	e.Wake(id, 12)
	e.Advance(40)
	if got := fmt.Sprint(w.at); got != "[15]" {
		t.Errorf("worked in cycles %s, want [15]", got)
	}
	if !e.Idle() {
		t.Error("a domain without work does not sleep")
	}
}
