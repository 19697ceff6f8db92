package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
)

// Once the pools have their size, the hot loop of a run allocates nothing: neither warps,
// caches, links and queues nor codecs. The compiler decides what is allocated, for
// WebAssembly as for any machine; there not every program runs under every scheme.
func TestHotLoopDoesNotAllocate(t *testing.T) {
	pairs(testing.Short(), func(name, label string, m scheme.Memory) {
		p := small(t, name, m)
		p.Paranoid = false
		r, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for r.Phase() != PhaseSimulate {
			if _, err := r.Step(1 << 30); err != nil {
				t.Fatal(err)
			}
		}
		advance := func(cycles sim.Cycle) {
			if _, err := r.machine.Advance(r.machine.Now() + cycles); err != nil {
				t.Fatal(err)
			}
		}
		advance(4000)
		if n := testing.AllocsPerRun(4, func() { advance(250) }); n != 0 {
			t.Errorf("%s under %s: %v allocations in 250 cycles", name, label, n)
		}
		if r.machine.Done() {
			t.Errorf("%s under %s: the program ended before the measurement did", name, label)
		}
	})
}
