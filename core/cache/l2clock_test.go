package cache

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/sim"
)

// always ticks a component in every cycle.
type always struct{ sim.Clocked }

func (a always) Tick(now sim.Cycle) sim.Cycle {
	a.Clocked.Tick(now)
	return now + 1
}

// reader asks for one line again and again, and counts the answers.
type reader struct {
	out, in *sim.Link[mem.Packet]
	arena   *mem.Arena
	left    int
	got     []sim.Cycle
}

func (r *reader) Tick(now sim.Cycle) sim.Cycle {
	for p, ok := r.in.Recv(now); ok; p, ok = r.in.Recv(now) {
		r.arena.Free(p.Data)
		r.got = append(r.got, now)
	}
	if r.left == 0 || !r.out.CanSend(now) {
		return sim.Never
	}
	r.left--
	r.out.Send(now, mem.Packet{Addr: mem.DefaultBase, Mask: mem.FullMask, Flits: 1})
	return now + 1
}

// TestClockOfL2: a slice answers one load in each of its clocks, whatever their ratio to the cycles of the
// SMs, of which each sends one load. It does so too if it is ticked in every cycle.
func TestClockOfL2(t *testing.T) {
	for _, miss := range []WriteMiss{WriteAllocate, WriteFetch} {
		for _, clock := range []sim.ClockRatio{{Num: 1, Den: 1}, {Num: 1, Den: 3}, {Num: 700, Den: 822}, {Num: 3, Den: 1}} {
			var seen [2][]sim.Cycle
			for k := range seen {
				e := &sim.Engine{}
				arena := mem.NewArena(16)
				l := NewL2(L2Config{Geometry: Geometry{Sets: 1, Ways: 1}, MSHRs: 2, Merges: 2, FlitBytes: 40, WriteMiss: miss, MissQueueBlocks: 4}, 0,
					L2Env{Arena: arena, Atomics: mem.NewPool[arith.AtomicBatch](4), LineOf: func(a mem.Addr) uint64 { return a / mem.LineBytes }})
				r := &reader{arena: arena, left: 1000}
				m := &dram{t: t, arena: arena, data: flat{}, rand: sim.NewRand(1, 1)}
				slice := sim.Clocked(&sim.Domain{Component: l, Clock: clock})
				if k == 1 {
					slice = always{slice}
				}
				r.out, r.in = between(e, l, slice, r, m, 8, 3)
				e.Advance(10_000)
				seen[k] = r.got
			}
			if len(seen[0]) != 1000 || len(seen[1]) != 1000 {
				t.Fatalf("%v: %d and %d of 1000 loads were answered", clock, len(seen[0]), len(seen[1]))
			}
			took := float64(seen[0][999] - seen[0][99])
			if want := 900 / min(1, float64(clock.Num)/float64(clock.Den)); took < want-3 || took > want+3 {
				t.Errorf("%v: 900 loads take %.0f cycles, want %.0f", clock, took, want)
			}
			for i := range seen[0] {
				if seen[0][i] != seen[1][i] {
					t.Fatalf("%v: load %d is answered in cycle %d, or %d if the slice is ticked in every cycle", clock, i, seen[0][i], seen[1][i])
				}
			}
		}
	}
}
