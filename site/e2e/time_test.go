package e2e

import (
	"fmt"
	"slices"
	"testing"
)

// million is a program on a machine with slow memory, which takes 1.3 million cycles.
const million = "/#v=1&s=dct&workload.size=512&machine.preset=mini&machine.overrides.dramMHz=20&picture=plain"

// sought is an answer of the engine.
type sought struct {
	OK                     bool
	Side, Digest, What     string
	Cycle, From            float64
	Count, Opening, States int
	Work, Every            float64
	ReplayedFrom           float64
	StateBytes             float64
	MemoryBytes            float64
	Milliseconds           float64
	Result                 struct {
		Cycles float64
		Stats  map[string]float64
	}
}

// seek asks for a cycle, with or without the states that were kept.
func (p *tab) seek(cycle, window int, fresh, digest bool) map[string]sought {
	p.t.Helper()
	answers := eval[[]sought](p, fmt.Sprintf(`(async () => {
		const since = performance.now();
		const answers = await burstscope.seek({cycle: %d, window: %d, sides: "BA", fresh: %t, digest: %t});
		const milliseconds = performance.now() - since;
		return answers.map(({ok, side, digest, what, cycle, from, count, opening, states, work, every, replayedFrom, stateBytes, memoryBytes, result}) =>
			({ok, side, digest, what, cycle, from, count, opening, states, work, every, replayedFrom, stateBytes, memoryBytes, milliseconds,
				result: result && {cycles: result.cycles, stats: result.stats}}));
	})()`, cycle, window, fresh, digest))
	found := map[string]sought{}
	for _, a := range answers {
		if !a.OK {
			p.t.Fatalf("cycle %d: %s", cycle, a.What)
		}
		found[a.Side] = a
	}
	if len(found) != 2 {
		p.t.Fatalf("cycle %d: answers of %d sides", cycle, len(found))
	}
	return found
}

// mostWork is the work between two states that the times of a seek come from: the
// engine replays a million in about a second, so a side is reached in 200 ms.
const mostWork = 200_000

// TestReachesAnyCycle: any point of a run of a million cycles is reached by replay of
// a bounded part, and what is found there is what playing from the beginning finds.
func TestReachesAnyCycle(t *testing.T) {
	server := serve(t)
	p := open(t, server.URL+million)
	end := int(p.finish().result(t, "A").Cycles)
	if end < 1_000_000 {
		t.Fatalf("%d cycles", end)
	}
	// Forward and back, near and far: multiples of the golden ratio.
	var times []float64
	cycles := func(k int) int { return int(float64(end) * float64((k*618)%1000) / 1000) }
	for k := 1; k <= 20; k++ {
		a := p.seek(cycles(k), 1536, false, false)
		for side, s := range a {
			if s.Work > 2*s.Every || s.Every > mostWork {
				t.Errorf("cycle %d of %s: %.0f of work from cycle %.0f on, states are %.0f apart", cycles(k), side, s.Work, s.ReplayedFrom, s.Every)
			}
		}
		times = append(times, a["A"].Milliseconds)
		if k == 20 {
			t.Logf("states: A %d in %.0f MB, B %d in %.0f MB; the engine has %.0f MB", a["A"].States, a["A"].StateBytes/1e6, a["B"].States, a["B"].StateBytes/1e6, a["A"].MemoryBytes/1e6)
		}
	}
	slices.Sort(times)
	t.Logf("20 cycles of %d, both sides with window: median %.0f ms, worst %.0f ms", end, times[10], times[19])

	for _, k := range []int{3, 7, 2} {
		played := p.seek(cycles(k), 0, true, true)
		p.seek(cycles(k+5), 0, false, false)
		again := p.seek(cycles(k), 700, false, true)
		for side, want := range played {
			got := again[side]
			if want.ReplayedFrom != 0 || got.ReplayedFrom == 0 {
				t.Errorf("%s: played from %.0f, sought from %.0f", side, want.ReplayedFrom, got.ReplayedFrom)
			}
			if got.Digest != want.Digest || got.Digest == "" {
				t.Errorf("cycle %d of %s: another state (%.12s) than playing comes to (%.12s)", cycles(k), side, got.Digest, want.Digest)
			}
			for name, n := range want.Result.Stats {
				if got.Result.Stats[name] != n {
					t.Errorf("cycle %d of %s: %s is %v, playing has %v", cycles(k), side, name, got.Result.Stats[name], n)
				}
			}
		}
	}
	// At the end the counters are those of the run itself.
	whole := p.finish().result(t, "A")
	last := p.seek(end, 0, false, false)["A"]
	all := p.seek(end, 0, true, true)["A"]
	t.Logf("played to the end: %.0f of work, both sides in %.0f ms", all.Work, all.Milliseconds)
	if again := p.seek(end, 0, false, true)["A"]; again.Digest != all.Digest || all.ReplayedFrom != 0 {
		t.Error("at the end: another state than playing comes to")
	}
	for _, name := range []string{"warpInstructions", "burstsRead", "burstsWritten", "l1Misses"} {
		if last.Result.Stats[name] != whole.Stats[name] {
			t.Errorf("at the end %s is %v, the run has %v", name, last.Result.Stats[name], whole.Stats[name])
		}
	}
}
