//go:build unix

package bench

import (
	"math"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
)

// threadPoint is what a run costs on some threads: the least of the CPU times, and of the times on a clock.
type threadPoint struct {
	cpu, clock       float64 // seconds
	warps, exchanged uint64  // warp instructions, and bytes that cross the crossbars
}

// cpuSeconds is the time that all threads of this process have used.
func cpuSeconds(t testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)*1e-6
}

// threadsOf measures dct on so many SMs of a preset, rounds times on each number of threads, in turns.
func threadsOf(t *testing.T, preset string, sms, size, rounds int, threads []int) []threadPoint {
	t.Helper()
	s := scenario.Default("dct")
	s.Machine.Preset, s.Workload.Size = preset, size
	if err := s.Set("machine.overrides.sms", strconv.Itoa(sms)); err != nil {
		t.Fatal(err)
	}
	spec, err := s.Machine.Spec()
	if err != nil {
		t.Fatal(err)
	}
	study, plan, err := studyOf(s)
	if err != nil {
		t.Fatal(err)
	}
	points := make([]threadPoint, len(threads))
	for round := range rounds * len(threads) {
		p := &points[round%len(threads)]
		plan.Threads = threads[round%len(threads)]
		r := study.Run(plan, experiment.Options{})
		for r.Phase() != experiment.PhaseSimulate {
			if _, err := r.Step(1 << 20); err != nil {
				t.Fatal(err)
			}
		}
		cpu, clock := cpuSeconds(t), time.Now()
		for done := false; !done; {
			if done, err = r.Step(1 << 20); err != nil {
				t.Fatal(err)
			}
		}
		cpu, seconds := cpuSeconds(t)-cpu, time.Since(clock).Seconds()
		if p.cpu == 0 {
			p.cpu, p.clock = math.Inf(1), math.Inf(1)
		}
		p.cpu, p.clock = min(p.cpu, cpu), min(p.clock, seconds)
		set := r.Machine().Stats()
		p.warps = r.Machine().WarpInstructions()
		p.exchanged = uint64(spec.SM.FlitBytes)*set[stat.XbarRequestFlits] +
			uint64(spec.L2.FlitBytes)*set[stat.XbarReplyFlits]
	}
	return points
}

// TestGrowthOfThreads measures what core/BENCHMARKS.md says of a warp instruction on 1 to 132 SMs with one and with two
// threads.
func TestGrowthOfThreads(t *testing.T) {
	if !*measureGrowth {
		points := threadsOf(t, "mini", 1, 64, 1, []int{1})
		if p := points[0]; p.warps == 0 || p.exchanged == 0 || p.clock <= 0 {
			t.Errorf("%+v", p)
		}
		return
	}
	for _, m := range []struct {
		preset string
		most   int
	}{{"a100", 108}, {"h100", 132}, {"h200", 132}} {
		for _, sms := range []int{1, 4, 16, 64, m.most} {
			p := threadsOf(t, m.preset, sms, 512, Rounds, []int{1, 2})
			one, warps := p[0], float64(p[0].warps)
			t.Logf("| `%s` | %d | %.0f | %.0f | %.2f | %.1f |", m.preset, sms, 1e9*one.cpu/warps, 1e9*p[1].cpu/warps,
				p[1].clock/one.clock, float64(one.exchanged)/warps)
		}
	}
}
