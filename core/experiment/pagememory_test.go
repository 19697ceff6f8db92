package experiment

import (
	"runtime"
	"testing"

	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/sim"
)

// liveAtMost is what both sides of a shipped scenario may hold on any preset after two cycles of their past were sought. The
// page's limit is 512 MiB, and the engine takes up to 96 MiB beside them, for its program, the events on their way to the page,
// and what is not collected yet. For vecadd on h200 they are 82 MiB: the difference between this test's figure and that
// of ./build.sh bench memory (core/BENCHMARKS.md).
const liveAtMost = (512 - 96) << 20

// farBelow is an estimate of both sides' machines with which they are far below liveAtMost: they hold at most twice as much and 64
// MiB, in all shipped scenarios on all presets.
const farBelow = 100 << 20

func liveBytes() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// TestPageKeepsToItsMemory runs both sides of the shipped scenarios as the page does, with their pasts, and seeks two cycles.
func TestPageKeepsToItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the runs take minutes in WebAssembly, and hold the same there")
	}
	measured := 0
	for i, machine := range preset.Names() {
		for k, name := range scenarios.Names() {
			if (i+k)%6 != 0 && machine != "h200" {
				continue // every scenario on a sixth of the machines, in turn, and on the largest
			}
			before := liveBytes()
			s, err := scenario.ParseMsgpack(scenarios.Packed(name))
			if err != nil {
				t.Fatal(err)
			}
			s.Machine = scenario.Machine{Preset: machine}
			a, b := s.Sides()
			var desk Desk
			var sides []*Past
			estimate := uint64(0)
			for _, side := range []*scenario.Scenario{a, b} {
				plan := mustPlan(t, side)
				study, err := desk.Study(side, plan)
				if err != nil {
					t.Fatal(err)
				}
				estimate += study.RunBytes(plan)
				sides = append(sides, NewPast(study.Run(plan, Options{Record: true}), 16<<20, 1<<15))
			}
			if estimate < farBelow {
				continue
			}
			measured++
			for _, past := range sides {
				for done := false; !done; past.Note() {
					if done, err = past.run.Step(4096); err != nil {
						t.Fatal(err)
					}
				}
				past.run.Machine().Rest()
			}
			for _, past := range sides {
				for _, third := range []sim.Cycle{1, 2} {
					to := past.Reached() * third / 3
					seek, err := past.Seek(to-min(to, 1536), to, false)
					for done := false; !done && err == nil; {
						done, err = seek.Step(1<<14, nil)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			live := liveBytes() - before
			t.Logf("%s on %s: %d MiB", name, machine, live>>20)
			if live > liveAtMost {
				t.Errorf("%s on %s: both sides hold %d MiB, more than %d", name, machine, live>>20, liveAtMost>>20)
			}
			runtime.KeepAlive(sides)
			runtime.KeepAlive(&desk)
		}
	}
	if measured < 8 {
		t.Errorf("%d runs were measured", measured)
	}
}
