package sweep

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// wholeJobs are all runs of the reproduction, listed once for all tests.
func wholeJobs(t *testing.T) []*claim.Job {
	t.Helper()
	jobs, err := listWholeJobs()
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

var listWholeJobs = sync.OnceValues(func() ([]*claim.Job, error) {
	var jobs []*claim.Job
	for _, of := range []struct{ data, paper string }{{"suite", "SLC"}, {"suite", "E2MC"}, {"calibrated", "SLC"}} {
		o := NewSweep(nil)
		o.paper = of.paper
		if err := o.reading.Set("data", of.data); err != nil {
			return nil, err
		}
		words := slices.DeleteFunc(claim.FigureNames(),
			func(name string) bool { return !strings.HasPrefix(name, of.paper+"-") })
		list, err := o.collect(append(words, "claims"))
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, list...)
	}
	return Distinct(jobs), nil
})

// variedJobs are runs of two programs: with other seeds, sizes, clocks, MAGs, codecs and
// samples, and their traffic. Many of them share something with others.
func variedJobs(t *testing.T) []*claim.Job {
	t.Helper()
	var jobs []*claim.Job
	add := func(program string, size int, traffic bool, set ...string) {
		s := scenario.Default(program)
		s.Machine.Preset, s.Workload.Size = "mini", size
		for _, one := range set {
			path, value, err := scenario.Assignment(one)
			if err == nil {
				err = s.Set(path, value)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, claim.NewJob(s, traffic))
	}
	for _, machine := range []string{"seed=1", "seed=2", "machine.overrides.dramMHz=900"} {
		for _, mag := range []string{"memory.mag=32", "memory.mag=64"} {
			add("transpose", 128, false, machine, mag, "memory.codec=e2mc16", "memory.approximation=tslc-opt")
			add("transpose", 128, false, machine, mag, "memory.codec=e2mc4")
			add("transpose", 128, false, machine, mag)
			add("transpose", 128, false, machine, mag, "memory.codec=bdi")
			add("transpose", 128, false, machine, mag, "memory.codec=e2mc16", "memory.probabilities=online", "memory.sample=100")
		}
	}
	add("transpose", 128, true)
	add("transpose", 256, false, "memory.codec=e2mc16")
	add("vecadd", 4096, false, "memory.codec=e2mc32")
	add("vecadd", 4096, true, "seed=2")
	return Distinct(jobs)
}

// The twin of shared runs: each run by itself, with nothing of another, gives the same
// store, byte by byte. The order of the runs does not matter either.
func TestSharedRunsGiveTheSameStore(t *testing.T) {
	jobs := variedJobs(t)
	alone := OpenStore(t.TempDir())
	for _, j := range jobs {
		plan, err := experiment.PlanOf(j.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		e := &Entry{Key: j.Key}
		if j.Traffic {
			e.Traffic, err = experiment.MeasureTraffic(plan)
		} else {
			var r *experiment.Run
			if r, err = experiment.New(plan, experiment.Options{}); err == nil {
				e.Result, err = r.Finish()
			}
		}
		if err == nil {
			err = alone.put(j.Scenario, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := clitest.Contents(t, alone.dir)
	for _, workers := range []int{1, 3} {
		o := NewSweep(OpenStore(t.TempDir()))
		o.Jobs, o.Status = workers, io.Discard
		slices.Reverse(jobs)
		if err := o.Run(jobs, io.Discard); err != nil {
			t.Fatal(err)
		}
		got := clitest.Contents(t, o.Store.dir)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%d at a time: %s differs from its run alone", workers, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d at a time: %d results, want %d", workers, len(got), len(want))
		}
	}
}

// Batches hold runs that may share a simulation. Batches with the same exact output are
// those with the same program, size and seed.
func TestBatchesShareOnlyWhatIsEqual(t *testing.T) {
	list := batches(variedJobs(t))
	if len(list) != 9 { // 3 machines or seeds x 2 MAGs, a larger transpose, two of vecadd
		t.Errorf("%d batches", len(list))
	}
	exact := map[string]string{}
	for _, b := range list {
		w := b.jobs[0].Scenario
		for _, j := range b.jobs {
			s := j.Scenario
			if s.Workload.Name != w.Workload.Name || s.Workload.Size != w.Workload.Size || s.Workload.Data != w.Workload.Data || s.Seed != w.Seed || s.Memory.MAG() != w.Memory.MAG() || fmt.Sprint(s.Machine) != fmt.Sprint(w.Machine) {
				t.Errorf("%s is in a batch with %s", j, b.jobs[0])
			}
		}
		what := fmt.Sprintf("%s %d seed %d", w.Workload.Name, w.Workload.Size, w.Seed)
		if before, known := exact[b.exactKey]; known && before != what {
			t.Errorf("%s shares the exact output of %s", what, before)
		}
		exact[b.exactKey] = what
	}
	if names := slices.Sorted(maps.Values(exact)); len(names) != 5 || len(slices.Compact(names)) != 5 {
		t.Errorf("exact outputs: %v", names)
	}
}

// toyCosts are two programs whose runs take a second for each million instructions.
func toyCosts() *costs {
	return &costs{rows: []programCost{
		{"transpose", 128, 1e6, 100, 1000, 500}, {"transpose", 256, 4e6, 100, 1000, 500}, {"vecadd", 4096, 10e6, 100, 1000, 500},
	}, scale: 1}
}

// The longest batch comes first. A batch costs its runs, one simulation without
// compression, and the exact output if no batch before it has it.
func TestScheduleBeginsWithTheLongest(t *testing.T) {
	jobs := variedJobs(t)
	s := newSchedule(batches(jobs), toyCosts(), 2)
	for i := 1; i < len(s.batches); i++ {
		if s.batches[i].seconds > s.batches[i-1].seconds {
			t.Errorf("batch %d takes %g s, the one before it %g s", i, s.batches[i].seconds, s.batches[i-1].seconds)
		}
	}
	sum := 0.0
	for _, j := range jobs {
		sum += s.seconds[j]
	}
	if math.Abs(sum-s.total) > 1e-9 || s.longest < s.total/2 || s.longest > s.total {
		t.Errorf("runs %g s, batches %g s, %g s on two cores", sum, s.total, s.longest)
	}
	// The runs of vecadd: with e2mc32 a simulation without compression and one with; the
	// traffic a simulation and the sizing; and two exact outputs, because the seeds differ.
	if first := s.batches[0]; first.jobs[0].Scenario.Workload.Name != "vecadd" || math.Abs(first.seconds-(10+10*codecCosts["e2mc32"]+1)) > 1e-9 {
		t.Errorf("the first batch is %s with %g s", first.jobs[0], first.seconds)
	}
	if second := s.batches[1]; !second.jobs[0].Traffic || math.Abs(second.seconds-(10+5+1)) > 1e-9 {
		t.Errorf("the second batch is %s with %g s", second.jobs[0], second.seconds)
	}
}

// A size between two rows costs what a power of the size gives; other sizes follow it.
func TestCostsOfOtherSizes(t *testing.T) {
	c := toyCosts()
	for size, want := range map[int]float64{64: 250e3, 128: 1e6, 256: 4e6, 512: 16e6} {
		if p, known := c.of("transpose", size); !known || math.Abs(p.warpInstructions/want-1) > 1e-9 {
			t.Errorf("transpose %d: %g instructions, want %g", size, p.warpInstructions, want)
		}
	}
	if p, known := c.of("vecadd", 8192); !known || p.warpInstructions != 20e6 {
		t.Errorf("vecadd at twice the size of its only row: %+v", p)
	}
	// On a fabric of the studies their row counts at its size, and the program's own rows farther away.
	c.study = []programCost{{program: "transpose", size: 512, warpInstructions: 20e6, exact: 1, uncompressed: 9, sizingTraffic: 1}}
	for size, want := range map[int]float64{512: 20e6, 256: 4e6, 128: 1e6} {
		if p, known := c.onPreset("gtx580b", "transpose", size); !known || math.Abs(p.warpInstructions/want-1) > 1e-9 {
			t.Errorf("transpose %d on gtx580b: %g instructions, want %g", size, p.warpInstructions, want)
		}
	}
	if p, _ := c.onPreset("gtx580v4", "transpose", 512); math.Abs(p.warpInstructions/16e6-1) > 1e-9 {
		t.Errorf("transpose 512 on gtx580v4: %g instructions", p.warpInstructions)
	}
	if _, known := c.of("nothing", 1); known {
		t.Error("an unknown program has costs")
	}
	for _, text := range []string{"", "program,size\n", strings.Join(costColumns, ",") + "\na,1,1,1,1\n", strings.Join(costColumns, ",") + "\na,1,0,1,1,1\n", strings.Join(costColumns, ",") + "\na,1,NaN,1,1,1\n"} {
		if list, err := parseCosts(text); err == nil {
			t.Errorf("%q is a table of costs: %v", text, list)
		}
	}
}

// The table has every program that the figures and claims need, and the instructions that
// it states are those of the program.
func TestCostsCoverTheReproduction(t *testing.T) {
	jobs := wholeJobs(t)
	c := newCosts()
	for _, j := range jobs {
		if _, known := c.of(j.Scenario.Workload.Name, j.Scenario.Workload.Size); !known {
			t.Fatalf("%s has no row in costs.csv: measure the costs again", j.Scenario.Workload.Name)
		}
	}
	for _, p := range c.rows {
		if p.warpInstructions > 2e5 {
			continue // the cheap rows show whether the table is of this program
		}
		s := scenario.Default(p.program)
		s.Workload.Size = p.size
		plan, err := experiment.PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := experiment.Functional(plan, func(experiment.Progress) {})
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(r.WarpInstructions); math.Abs(got/p.warpInstructions-1) > 0.15 { // graphs take other turns on a machine
			t.Errorf("%s %d has %.0f warp instructions, costs.csv says %.0f: measure the costs again", p.program, p.size, got, p.warpInstructions)
		}
	}
}

// The reproduction of SLC and E2MC at study sizes, on the machine of GPGPU-Sim 3.2.1's fabric, takes at most 90
// minutes on two cores, and the table has a row for each of its programs.
func TestStudyStaysBelowItsTime(t *testing.T) {
	jobs := wholeJobs(t)
	c := newCosts()
	seconds := map[string]float64{}
	s := newSchedule(batches(jobs), c, 2)
	for _, j := range jobs {
		w := j.Scenario.Workload
		papers := slices.ContainsFunc(slices.Concat(claim.SetOf("SLC9"), claim.SetOf("E2MC15")), func(id string) bool {
			info, err := programs.Describe(id)
			return err == nil && info.Name == w.Name
		})
		if _, known := costOf(c.study, w.Name, w.Size); !known && papers {
			t.Errorf("%s has no row in costs_study.csv: measure the costs again", w.Name)
		}
		seconds[w.Name] += s.seconds[j]
	}
	for _, name := range slices.Sorted(maps.Keys(seconds)) {
		t.Logf("%s: %.0f s of a core", name, seconds[name])
	}
	t.Logf("%d runs, %.0f s of a core, %s on two", len(jobs), s.total, cli.InMinutes(s.longest))
	if s.longest > 90*60 || len(jobs) < 500 {
		t.Errorf("%d runs take %s: reduce sizes in paper.yaml of SLC and E2MC", len(jobs), cli.InMinutes(s.longest))
	}
}

// The speed of the machine scales the estimate: with a clock that runs three times as fast
// everything takes three times as long.
func TestCalibration(t *testing.T) {
	c := newCosts()
	p, _ := c.of(calibration, scenario.Default(calibration).Workload.Size)
	now := 0.0
	table := p.warpInstructions * (p.exact + p.uncompressed) * 1e-9
	if err := c.calibrate(func() float64 { now += 3 * table; return now }); err != nil || math.Abs(c.scale-3) > 1e-9 {
		t.Errorf("scale %g, %v", c.scale, err)
	}
}

// A sweep of some length says how long it will take, from what, and later what is left.
func TestSweepTellsTheTime(t *testing.T) {
	var status bytes.Buffer
	o := NewSweep(nil)
	o.Jobs, o.Status = 2, &status
	jobs := wholeJobs(t)
	list := batches(jobs)
	plan, err := o.plan(list, len(jobs), &status)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprint(len(jobs), " runs"), " expected with 2 at a time", "costs measured on another machine", "times as long here"} {
		if !strings.Contains(status.String(), want) {
			t.Errorf("%q is not in %q", want, status.String())
		}
	}
	// Time that is left: the plan's at first, then what the time so far says.
	if got := plan.left(0, 0); got != plan.longest {
		t.Errorf("at the beginning %g s are left of %g", got, plan.longest)
	}
	if got := plan.left(plan.total/4, 100); math.Abs(got-300) > 1e-9 {
		t.Errorf("after a quarter in 100 s, %g s are left", got)
	}
	if got := plan.left(plan.total, 100); got != 0 {
		t.Errorf("at the end %g s are left", got)
	}
	status.Reset()
	at := time.Now()
	p := &progress{out: io.Discard, status: &status, now: func() time.Time { return at }, begin: at, next: at.Add(statusInterval), plan: plan, todo: len(jobs)}
	for _, j := range plan.batches[0].jobs {
		at = at.Add(20 * time.Second)
		p.report(j, nil)
	}
	if !strings.Contains(status.String(), fmt.Sprintf("2 of %d runs, about", len(jobs))) || !strings.Contains(status.String(), "left") {
		t.Errorf("no time left in %q", status.String())
	}
	for seconds, want := range map[float64]string{5: "less than a minute", 89: "about 1 min", 3600: "about 60 min", 9000: "about 2.5 h"} {
		if got := cli.InMinutes(seconds); got != want {
			t.Errorf("%g s is %q, want %q", seconds, got, want)
		}
	}
}
