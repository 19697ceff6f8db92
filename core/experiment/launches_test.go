package experiment

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// begun returns the launches of the program that have begun: a host may leave some out.
func begun(r *Run) (list []int) {
	for i := range r.plan.Program.Launches {
		if r.Machine().LaunchBegan(i) {
			list = append(list, i)
		}
	}
	return list
}

// checkLaunches compares launches and kernels with each other and with the run.
func checkLaunches(t *testing.T, r *Run, res *Result) {
	t.Helper()
	per := res.PerLaunch()
	if per == nil || len(per.Launches) != len(res.Launches) || len(res.Launches) != len(begun(r)) {
		t.Fatalf("%d launches began; figures per launch: %+v", len(begun(r)), per)
	}
	launches, kernels := stat.Set{}, stat.Set{}
	span, launched, own := uint64(0), uint64(0), 0
	energy := map[string]uint64{}
	began := begun(r)
	for i := range per.Launches {
		l := &per.Launches[i]
		if l.Figures == nil {
			continue
		}
		own++
		span += l.SpanCycles
		set := setOf(t, l.Stats)
		launches.Follow(&set)
		for part, n := range l.Femtojoules {
			energy[part] += n
		}
		g := r.plan.Program.Launches[began[i]].Grid
		if ctas := uint64(g[0]) * uint64(max(g[1], 1)) * uint64(max(g[2], 1)); l.Stats["ctas"] != ctas {
			t.Errorf("launch %d ran %d CTAs of %d", i, l.Stats["ctas"], ctas)
		}
	}
	for i := range per.Kernels {
		k := &per.Kernels[i]
		launched += k.Launches
		set := setOf(t, k.Stats)
		kernels.Follow(&set)
		executions := uint64(0)
		for _, counts := range r.Machine().Counts() {
			for _, n := range counts.Counts {
				if counts.Kernel.Name == k.Entry {
					executions += n.Executions
				}
			}
		}
		if k.Stats["warpInstructions"] != executions {
			t.Errorf("kernel %s issued %d instructions, its lines %d", k.Entry, k.Stats["warpInstructions"], executions)
		}
	}
	if launched != uint64(len(res.Launches)) {
		t.Errorf("the kernels have %d launches of %d", launched, len(res.Launches))
	}
	for _, c := range stat.List() {
		want := res.Stats[stat.Describe(c).Name]
		if own == len(res.Launches) && launches[c] != want {
			t.Errorf("%s: %d over launches, %d of the run", stat.Describe(c).Name, launches[c], want)
		}
		if stat.Adds(c) == stat.Sum && kernels[c] != want {
			t.Errorf("%s: %d over kernels, %d of the run", stat.Describe(c).Name, kernels[c], want)
		}
	}
	if own == len(res.Launches) && span != res.Cycles {
		t.Errorf("launches take %d cycles, the run %d", span, res.Cycles)
	}
	for i := range res.Energy.Parts {
		if part := &res.Energy.Parts[i]; own == len(res.Launches) && energy[part.Name] != part.Femtojoules {
			t.Errorf("%s takes %d fJ over launches, %d in the run", part.Name, energy[part.Name], part.Femtojoules)
		}
	}
	if len(per.Launches) == 1 {
		for i := range metric.Table {
			m := &metric.Table[i]
			if v, ok := per.Launches[0].Metrics[m.Name]; ok && v != res.Metrics[m.Name] {
				t.Errorf("%s is %g of the only launch, %g of the run", m.Name, v, res.Metrics[m.Name])
			}
		}
	}
}

func setOf(t *testing.T, values map[string]uint64) (s stat.Set) {
	t.Helper()
	for name, v := range values {
		c, ok := stat.ByName(name)
		if !ok {
			t.Fatalf("no counter has the name %s", name)
		}
		s[c] = v
	}
	if len(values) != len(stat.List()) {
		t.Errorf("%d counters", len(values))
	}
	return s
}

// TestLaunchesAddUp: on every shipped program, the counters of launches and of kernels add up to those of the run,
// each by its kind, and each launch has the CTAs of its grid.
func TestLaunchesAddUp(t *testing.T) {
	for i, name := range programs.Names() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scenario.Default(name)
			s.Workload.Size = smallSizes(name)[0]
			s.Machine.Preset = withRoom(name, []string{"mini", "gtx580b", "v100"}[i%3])
			for k := 0; s.Machine.Preset == "v100" && k < len(smallTLB); k++ {
				path, value, _ := strings.Cut(smallTLB[k], "=")
				set(t, s, path, value)
			}
			p, err := PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			r, err := New(p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Finish()
			if err != nil {
				t.Fatal(err)
			}
			checkLaunches(t, r, res)
		})
	}
}

// launchCases are runs with every system, of a program with several launches.
var launchCases = map[string][]string{
	"none": nil, "E2MC": {"memory.codec=e2mc16", "memory.probabilities=online"}, "LATTE-CC": {"l1.store=latte"},
	"RFVP":              {"loads.policy=rfvp", "loads.which=all", "loads.force=on"},
	"Buddy Compression": {"memory.codec=bpc", "backing.kind=buddy"},
	"gap":               {"machine.overrides.launchGapCycles=700"},
	"TLBs":              smallTLB,
}

// TestLaunchesUnderSystems: the same under each system, and with a gap between launches, however large the steps
// of the run are. A run that was cancelled has the launches that have begun.
func TestLaunchesUnderSystems(t *testing.T) {
	for what, set := range launchCases {
		of := func() *Run {
			p, err := PlanOf(smallScenario(t, "bfs1", 1024, "p100", "none", set...))
			if err != nil {
				t.Fatal(err)
			}
			r, err := New(p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := of()
		res, err := r.Finish()
		if err != nil {
			t.Fatal(what, err)
		}
		checkLaunches(t, r, res)
		if len(res.Launches) < 3 {
			t.Fatalf("%d launches", len(res.Launches))
		}
		if one := res.PerLaunch().Launches[1]; what == "gap" && one.SpanCycles != one.Cycles+700 {
			t.Errorf("launch 1 takes %d cycles and spans %d", one.Cycles, one.SpanCycles)
		}
		r = of()
		for done := false; !done; {
			if done, err = r.Step(611); err != nil {
				t.Fatal(what, err)
			}
		}
		if again := r.Result(); !reflect.DeepEqual(again.PerLaunch(), res.PerLaunch()) {
			t.Errorf("%s: in steps of 611 cycles the launches have other figures", what)
		}
		r = of()
		for r.Machine() == nil || uint64(r.Machine().Now()) < res.Launches[1].Begin+10 {
			if _, err := r.Step(50); err != nil {
				t.Fatal(what, err)
			}
		}
		r.Cancel()
		part := r.Result()
		per := part.PerLaunch()
		issued := func(launch int) uint64 { return per.Launches[launch].Stats["warpInstructions"] }
		if per.Launches[1].Figures == nil || per.Launches[2].Figures != nil || len(per.Kernels) == 0 ||
			issued(0)+issued(1) != part.WarpInstructions {
			t.Errorf("%s: a cancelled run: %+v", what, per)
		}
	}
}

// powered returns the result of a run with power.
func powered(t *testing.T, s *scenario.Scenario, step uint64) *Result {
	t.Helper()
	p := mustPlan(t, s)
	p.Power = true
	r, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Step(step); err != nil {
			t.Fatal(err)
		}
	}
	return r.Result()
}

// TestPowerAddsUp: the windows of each part add up to its energy in the result, to the femtojoule, on every preset
// and with two systems at work. The windows lie one after the other, from cycle 0 to the last one, and do not
// depend on the steps.
func TestPowerAddsUp(t *testing.T) {
	sets := [][]string{nil, {"memory.codec=e2mc16", "memory.approximation=none", "l1.store=latte"}}
	for i, name := range preset.Names() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, set := range sets {
			s := smallScenario(t, "vecadd", 16384, name, "none", set...)
			res := powered(t, s, 1000)
			p := res.Power
			if i%4 == 0 && !reflect.DeepEqual(powered(t, s, 77).Power, p) {
				t.Errorf("%s: in steps of 77 cycles the power is another", name)
			}
			sums := make([]uint64, len(p.Parts))
			at, seconds, energy := uint64(0), 0.0, 0.0
			for k, w := range p.Windows {
				last := k == len(p.Windows)-1
				if w.BeginCycle != at || w.EndCycle-w.BeginCycle != p.WindowCycles && !last {
					t.Fatalf("%s: window %d is %d to %d, after %d", name, k, w.BeginCycle, w.EndCycle, at)
				}
				at = w.EndCycle
				for i, n := range w.Femtojoules {
					sums[i] += n
				}
				d := float64(w.EndCycle-w.BeginCycle) / float64(p.CoreMHz) / 1e6
				seconds, energy = seconds+d, energy+w.TotalWatts*d
			}
			if at != res.Cycles || len(p.Windows) > 257 || len(p.Windows) < 2 {
				t.Errorf("%s: %d windows up to cycle %d of %d", name, len(p.Windows), at, res.Cycles)
			}
			for i := range res.Energy.Parts {
				if part := &res.Energy.Parts[i]; p.Parts[i].Name != part.Name || sums[i] != part.Femtojoules {
					t.Errorf("%s: %s is %d fJ over windows, %d of the run", name, part.Name, sums[i], part.Femtojoules)
				}
			}
			if math.Abs(energy/res.Energy.Joules-1) > 1e-9 || math.Abs(seconds/res.Seconds-1) > 1e-9 {
				t.Errorf("%s: %g J in %g s over windows, %g in %g of the run",
					name, energy, seconds, res.Energy.Joules, res.Seconds)
			}
		}
	}
}

// TestLongPower: a long run joins its windows in pairs, and everything still adds up.
func TestLongPower(t *testing.T) {
	s := smallScenario(t, "bfs1", 2048, "mini", "none")
	res := powered(t, s, 5000)
	if p := res.Power; p.WindowCycles <= 64 || len(p.Windows) > 257 || len(p.Windows) < 128 {
		t.Errorf("%d windows of %d cycles", len(p.Windows), p.WindowCycles)
	}
	sum := uint64(0)
	for _, w := range res.Power.Windows {
		for _, n := range w.Femtojoules {
			sum += n
		}
	}
	plain, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	_, want := finish(t, plain)
	if sum != res.Energy.TotalFemtojoules || res.ResultHash != want.ResultHash || want.Power != nil {
		t.Errorf("%d fJ over windows, %d of the run; hash %s, without power %s",
			sum, res.Energy.TotalFemtojoules, res.ResultHash, want.ResultHash)
	}
}

// TestLaunchesAreBounded: a result has figures of so many launches, and says so.
func TestLaunchesAreBounded(t *testing.T) {
	spec, err := preset.GPU("mini")
	if err != nil {
		t.Fatal(err)
	}
	const own = machine.MostLaunches
	res := &Result{launched: &launched{spec: spec, list: make([]machine.Figures, own)}, Machine: &MachineSizes{SMs: 1}}
	for range own + 3 {
		res.Launches = append(res.Launches, LaunchResult{Entry: "a", Begin: 30, Cycles: 10})
	}
	res.Launches[own+1].Entry = "b"
	for i := range res.launched.list {
		res.launched.list[i].Launches = 1
	}
	res.launched.merged = []machine.MergedFigures{
		{First: own, Figures: machine.Figures{Launches: 2}}, {First: own + 1, Figures: machine.Figures{Launches: 1}},
	}
	per := res.PerLaunch()
	if k := per.Kernels; len(k) != 2 || k[0].Launches != own+2 || k[1].Launches != 1 || k[1].Cycles != 10 {
		t.Errorf("%d kernels: %+v", len(k), k)
	}
	if per.Launches[own].Figures != nil || per.Launches[own-1].Figures == nil || per.Note == "" {
		t.Errorf("note %q", per.Note)
	}
}

// withRoom is a preset, or one whose SMs have the shared memory of a program that needs more.
func withRoom(program, preset string) string {
	if program == "hopperattention" || program == "hopperdecode" {
		return "h100"
	}
	return preset
}
