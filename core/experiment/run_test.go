package experiment

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// small returns a plan of a shipped program at a size that runs in well under a second
// and is larger than the caches of mini.
func small(t *testing.T, name string, m scheme.Memory) *Plan {
	t.Helper()
	return smallOn(t, "mini", name, m)
}

// smallOn is small on another preset.
func smallOn(t *testing.T, preset, name string, m scheme.Memory) *Plan {
	t.Helper()
	sizes := map[string]int{"vecadd": 65536, "transpose": 256, "dct": 256, "blackscholes": 16384, "matmul": 64,
		"hoppergemm": 128, "hopperrows": 16, "hoppermoe": 64}
	s := scenario.Default(name)
	s.Machine.Preset = preset
	s.Workload.Size = sizes[name]
	s.Memory = m
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	p.Paranoid = true
	return p
}

var shippedPrograms = []string{"vecadd", "transpose", "dct", "blackscholes", "matmul"}

// schemes returns the memory schemes of the tests: no compression, lossless and lossy
// codecs, and extreme values of MAG, ways and probabilities.
func schemes() map[string]scheme.Memory {
	base := scheme.DefaultMemory()
	with := func(f func(*scheme.Memory)) scheme.Memory {
		m := base
		f(&m)
		return m
	}
	return map[string]scheme.Memory{
		"none":   base,
		"none64": with(func(m *scheme.Memory) { m.Put("mag", 64) }),
		"e2mc16": with(func(m *scheme.Memory) { m.Put("codec", "e2mc16") }),
		"bdi":    with(func(m *scheme.Memory) { m.Put("codec", "bdi") }),
		"bpc":    with(func(m *scheme.Memory) { m.Put("codec", "bpc", "mag", 16) }),
		"e2mc8 online mag16": with(func(m *scheme.Memory) {
			m.Put("codec", "e2mc8", "probabilities", "online", "mag", 16, "decodingWays", 2)
		}),
		"tslc-simp": with(func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "tslc-simp") }),
		"tslc-opt":  with(func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "tslc-opt") }),
		"tslc-pred mag64": with(func(m *scheme.Memory) {
			m.Put("codec", "e2mc16", "approximation", "tslc-pred", "mag", 64, "threshold", 32)
		}),
	}
}

// pairs calls f with every program under every scheme. If sparse, f gets each program and
// each scheme at least once: then the sum of all runs is small.
func pairs(sparse bool, f func(name, label string, m scheme.Memory)) {
	all := schemes()
	labels := slices.Sorted(maps.Keys(all))
	if sparse {
		for i := range max(len(shippedPrograms), len(labels)) {
			label := labels[i%len(labels)]
			f(shippedPrograms[i%len(shippedPrograms)], label, all[label])
		}
		return
	}
	for _, name := range shippedPrograms {
		for _, label := range labels {
			f(name, label, all[label])
		}
	}
}

func finish(t *testing.T, p *Plan) (*Run, *Result) {
	t.Helper()
	r, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return r, res
}

// TestConservation: the counters of every run obey the laws between them, and a run without
// an approximation has the outputs of the functional run. In WebAssembly, which only has to
// give the same results, not every program runs under every scheme.
func TestConservation(t *testing.T) {
	pairs(testing.Short(), func(name, label string, m scheme.Memory) {
		t.Run(name+"/"+label, func(t *testing.T) {
			r, res := finish(t, small(t, name, m))
			checkLaws(t, r, res)
			if m.Approximation() == "none" {
				checkExact(t, r, res)
			}
		})
	})
}

// checkExact compares the outputs of a run with those of the functional run.
func checkExact(t *testing.T, r *Run, res *Result) {
	t.Helper()
	for i, b := range res.Outputs {
		if !bytes.Equal(b, r.study.Exact()[i]) {
			t.Errorf("output %d differs from the functional run's", i)
		}
	}
	if res.Error != 0 {
		t.Errorf("error %g", res.Error)
	}
}

func TestFunctionalRunHasTheSameOutputs(t *testing.T) {
	p := small(t, "blackscholes", scheme.DefaultMemory())
	f, err := Functional(p, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	_, res := finish(t, p)
	for i := range res.Outputs {
		if !bytes.Equal(f.Outputs[i], res.Outputs[i]) {
			t.Errorf("output %d differs", i)
		}
	}
	if f.WarpInstructions != res.WarpInstructions || f.ThreadInstructions != res.ThreadInstructions || f.Cycles != 0 {
		t.Errorf("%d warp and %d thread instructions in %d cycles, the machine has %d and %d", f.WarpInstructions, f.ThreadInstructions, f.Cycles, res.WarpInstructions, res.ThreadInstructions)
	}
}

// Progress only grows within a phase, and reaches all CTAs.
func TestProgress(t *testing.T) {
	m := scheme.DefaultMemory()
	m.Put("codec", "e2mc16")
	p := small(t, "blackscholes", m)
	r, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := map[Phase]Progress{}
	for done := false; !done; {
		if done, err = r.Step(1000); err != nil {
			t.Fatal(err)
		}
		now := r.Progress()
		if before := last[now.Phase]; now.Of == 0 || now.CTAs > now.Of || now.CTAs < before.CTAs || now.Cycles < before.Cycles {
			t.Fatalf("%+v after %+v", now, before)
		}
		last[now.Phase] = now
	}
	for _, phase := range []Phase{PhaseReference, PhaseProfile, PhaseSimulate} {
		if last[phase].CTAs == 0 || phase != PhaseReference && last[phase].Cycles == 0 {
			t.Errorf("%s: %+v", phase, last[phase])
		}
	}
	if end := last[PhaseDone]; end.CTAs != end.Of {
		t.Errorf("at the end %+v", end)
	}
	var f Progress
	if _, err := Functional(p, func(now Progress) { f = now }); err != nil || f.CTAs != f.Of || f.Of != last[PhaseDone].Of {
		t.Errorf("without a machine %+v, %v", f, err)
	}
}

func TestSlicingDoesNotChangeTheResult(t *testing.T) {
	m := schemes()["tslc-opt"]
	p := small(t, "dct", m)
	_, want := finish(t, p)
	for _, step := range []uint64{1000, 4096, 77777} {
		r, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for done := false; !done; {
			if done, err = r.Step(step); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.Result(); got.ResultHash != want.ResultHash {
			t.Errorf("steps of %d cycles change the result", step)
		}
	}
}

func TestWatchingDoesNotChangeTheResult(t *testing.T) {
	for label, m := range schemes() {
		if testing.Short() && label != "none" && label != "tslc-opt" {
			continue // WebAssembly only has to give the same results
		}
		p := small(t, "dct", m)
		_, want := finish(t, p)
		tap := probe.NewTap(1 << 22)
		r, err := New(p, Options{Tap: tap})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if got.ResultHash != want.ResultHash {
			t.Errorf("%s: with a probe the result is another", label)
		}
		// The probe saw exactly the counted bursts.
		bursts := uint64(0)
		tap.Take(func(events []probe.Event) {
			for i := range events {
				if k := events[i].Kind; k == probe.KindRead || k == probe.KindWrite {
					bursts++
				}
			}
		})
		s := r.Machine().Stats()
		if all := s[stat.BurstsRead] + s[stat.BurstsWritten] + s[stat.BurstsMetadata]; bursts != all || tap.Dropped() != 0 {
			t.Errorf("%s: %d bursts seen of %d, %d events dropped", label, bursts, all, tap.Dropped())
		}
	}
}

func TestSavedStateContinuesTheSame(t *testing.T) {
	for _, label := range []string{"none", "tslc-opt", "e2mc8 online mag16"} {
		p := small(t, "transpose", schemes()[label])
		_, want := finish(t, p)
		r, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for r.Phase() != PhaseSimulate {
			if _, err := r.Step(1 << 30); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.machine.Advance(sim.Cycle(want.Cycles / 3)); err != nil {
			t.Fatal(err)
		}
		twin, err := r.machine.Twin(nil)
		if err != nil {
			t.Fatal(err)
		}
		state := r.machine.Save(nil)
		if _, err := r.machine.Advance(sim.Cycle(want.Cycles / 2)); err != nil {
			t.Fatal(err)
		}
		// The twin continues from the state; the original returns to it and runs again.
		twin.Load(state)
		copied := *r
		copied.machine = twin
		r.machine.Load(state)
		if res, err := r.Finish(); err != nil || res.ResultHash != want.ResultHash {
			t.Errorf("%s: the original ends otherwise (%v)", label, err)
		}
		if res, err := copied.Finish(); err != nil || res.ResultHash != want.ResultHash {
			t.Errorf("%s: the twin ends otherwise (%v)", label, err)
		}
	}
}

func TestCancelledRunSaysSo(t *testing.T) {
	r, err := New(small(t, "matmul", scheme.DefaultMemory()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r.Phase() != PhaseSimulate {
		if _, err := r.Step(1); err != nil {
			t.Fatal(err)
		}
	}
	r.Step(3000)
	r.Cancel()
	if res := r.Result(); !res.Cancelled || res.Cycles == 0 {
		t.Errorf("cancelled %v after %d cycles", res.Cancelled, res.Cycles)
	}
}

// SLC: truncated symbols set to zero hurt more than predicted ones, and a tree with more
// nodes never hurts more than one with fewer (section V; figure 9).
func TestTSLCErrorsAreOrdered(t *testing.T) {
	errorOf := func(variant string) float64 {
		m := scheme.DefaultMemory()
		m.Put("codec", "e2mc16", "approximation", variant)
		// A picture of 256 pixels has hardly any smooth run of 32 pixels, so use a larger one.
		sc := scenario.Default("dct")
		sc.Workload.Size, sc.Memory = 512, m
		p, err := PlanOf(sc)
		if err != nil {
			t.Fatal(err)
		}
		_, res := finish(t, p)
		return res.Error
	}
	simp, opt := errorOf("tslc-simp"), errorOf("tslc-opt")
	pred := (simp + opt) / 2
	if !testing.Short() { // WebAssembly only has to give the same results
		pred = errorOf("tslc-pred")
	}
	if !(simp > pred && pred >= opt && opt > 0) {
		t.Errorf("SIMP %g, PRED %g, OPT %g: want SIMP > PRED >= OPT > 0", simp, pred, opt)
	}
}
