package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
)

// anyCycles ends a run of a random scenario [ours]. Legal values make machines that are a thousand times slower.
const anyCycles = 1_000_000

// outcome says how a run ended.
type outcome struct {
	hash    string
	err     string   // why it has no result
	faults  []string // of the simulator
	stats   stat.Set
	outputs [][]byte
	exact   [][]byte
}

// legalEnds are parts of the errors with which a legal scenario may end: the program does not fit the machine or the choice of
// loads, or does not end in anyCycles.
var legalEnds = []string{
	"machine: the program has not ended after", "does not fit an SM of", "bytes of local memory a thread",
	"the limit of instructions per warp is too low", "loads.which: ", "backing.targets: ", ": use smaller clusters",
	"the exact run has no such fault: this scheme approximates values",
	"the driver reports cudaErrorCooperativeLaunchTooLarge", "need the launch attribute nonPortable",
	"bytes of device memory are in use",
}

// tryRun runs a scenario. If watched, everything that watches a run does: events, checks of memory and of DRAM's commands, and steps of
// odd sizes, between which no counter goes down.
func tryRun(s *scenario.Scenario, watched bool) (e outcome) {
	defer func() {
		if p := recover(); p != nil {
			e.faults = append(e.faults, fmt.Sprintf("panic: %v, in %s", p, where()))
		}
	}()
	p, err := PlanOf(s)
	if err != nil {
		e.err = err.Error()
		return e
	}
	p.CycleLimit = anyCycles
	var o Options
	if watched {
		p.Paranoid, p.CheckDRAM = true, true
		o.Tap = probe.NewTap(1 << 16)
	} else {
		p.Threads = 1 + int(s.Seed%3) // a run that is watched has one
	}
	r, err := New(p, o)
	var before stat.Set
	for done := false; err == nil && !done; {
		steps := uint64(1 << 20)
		if watched {
			steps = 777
		}
		if done, err = r.Step(steps); watched && err == nil && r.Phase() >= PhaseSimulate {
			o.Tap.Take(func([]probe.Event) {})
			now := r.Machine().Stats()
			e.faults = append(e.faults, falling(&before, &now)...)
			before = now
		}
	}
	if err != nil {
		e.err = err.Error()
		if !slices.ContainsFunc(legalEnds, func(part string) bool { return strings.Contains(e.err, part) }) {
			e.faults = append(e.faults, "it ends with: "+e.err)
		}
		return e
	}
	res := r.Result()
	e.hash, e.outputs, e.exact, e.stats = res.ResultHash, res.Outputs, res.Exact, r.Machine().Stats()
	e.faults = append(e.faults, lawsOf(r, res)...)
	if _, err := json.Marshal(res); err != nil {
		e.faults = append(e.faults, err.Error())
	}
	return e
}

// where names the functions of the simulator in which a panic arose, the innermost first.
func where() string {
	var calls [64]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])])
	var names []string
	for more := true; more && len(names) < 4; {
		var f runtime.Frame
		f, more = frames.Next()
		if _, name, of := strings.Cut(f.Function, "burstscope/core/"); of && !strings.HasSuffix(f.File, "_test.go") {
			names = append(names, fmt.Sprintf("%s:%d", name, f.Line))
		}
	}
	return strings.Join(names, " < ")
}

// shown are the counters that may go down: what the bus was waiting for is decided by the next burst.
var shown = []stat.Counter{stat.BusPendingCycles, stat.BusAheadCycles}

// falling lists the counters that have gone down.
func falling(before, now *stat.Set) (faults []string) {
	for _, c := range stat.List() {
		if now[c] < before[c] && !slices.Contains(shown, c) {
			faults = append(faults, fmt.Sprintf("%s goes down from %d to %d", stat.Describe(c).Name, before[c], now[c]))
		}
	}
	return faults
}

// faultsOf runs a scenario twice, once watched, and lists what is wrong: panics, errors that no legal scenario ends with, laws that
// do not hold, differences between the two runs, and outputs that a lossless scheme changed.
func faultsOf(s *scenario.Scenario) (plain outcome, faults []string) {
	plain = tryRun(s, false)
	watched := tryRun(s, true)
	faults = append(faults, plain.faults...)
	for _, f := range watched.faults {
		if !slices.Contains(faults, f) {
			faults = append(faults, "watched: "+f)
		}
	}
	if plain.hash != watched.hash || brief(plain.err) != brief(watched.err) {
		faults = append(faults, fmt.Sprintf("two runs differ: %s %q, watched %s %q", plain.hash, brief(plain.err), watched.hash, brief(watched.err)))
	}
	if plain.hash != "" && watched.hash != "" {
		for _, c := range stat.List() {
			if plain.stats[c] != watched.stats[c] {
				faults = append(faults, fmt.Sprintf("%s is %d, watched %d", stat.Describe(c).Name, plain.stats[c], watched.stats[c]))
			}
		}
	}
	return plain, append(faults, inexact(s, plain)...)
}

// faultsOfOne is faultsOf of one run, which somebody watches or nobody does.
func faultsOfOne(s *scenario.Scenario, watched bool) []string {
	o := tryRun(s, watched)
	return append(o.faults, inexact(s, o)...)
}

// inexact are the faults of outputs that have to be those of the functional run.
func inexact(s *scenario.Scenario, o outcome) (faults []string) {
	if !exactly(s) {
		return nil
	}
	for i := range o.outputs {
		if !bytes.Equal(o.outputs[i], o.exact[i]) {
			faults = append(faults, fmt.Sprintf("output %d differs from that of the functional run", i))
		}
	}
	return faults
}

// brief is an error without what depends on the cycle in which it was noticed, and on the scenario.
func brief(err string) string {
	for _, part := range legalEnds {
		if strings.Contains(err, part) {
			return part
		}
	}
	return err
}

// racing are the shipped programs whose outputs depend on the order in which their threads run: threads read what others of
// the launch write, or add floating-point numbers in any order.
var racing = []string{}

// exactly reports whether a scenario must have the outputs of the functional run, whatever its machine.
func exactly(s *scenario.Scenario) bool {
	return s.Memory.Approximation() == "none" && len(s.Loads) == 0 && (s.Workload.PTX != nil || !slices.Contains(racing, s.Workload.Name))
}

// report fails a test with what is needed to repeat a scenario.
func report(t testing.TB, what string, s *scenario.Scenario, faults []string) {
	t.Helper()
	if len(faults) == 0 {
		return
	}
	if len(faults) > 8 {
		faults = append(faults[:8:8], fmt.Sprintf("and %d more", len(faults)-8))
	}
	of := *s
	program := of.Workload.Name
	if of.Workload.PTX != nil {
		program = "a random kernel"
	}
	t.Errorf("%s: %s, seed %d, %s, overrides %v, l1 %v, loads %v, memory %+v, backing %v:\n%s", what, program, s.Seed, s.Machine.Preset, s.Machine.Overrides,
		s.L1, s.Loads, s.Memory.Named(), s.Backing, strings.Join(faults, "\n"))
}

// anySeeds are how many random scenarios the normal tests try. BURSTSCOPE_SEEDS=FROM-TO tries others, for a long run.
const anySeeds = 120

// seedRange returns the seeds of TestAnyScenario.
func seedRange(t *testing.T) (from, to int64) {
	text := os.Getenv("BURSTSCOPE_SEEDS")
	if text == "" {
		return 0, anySeeds
	}
	a, b, _ := strings.Cut(text, "-")
	from, errA := strconv.ParseInt(a, 10, 64)
	to, errB := strconv.ParseInt(b, 10, 64)
	if errA != nil || errB != nil {
		t.Fatalf("BURSTSCOPE_SEEDS=%s: write FROM-TO", text)
	}
	return from, to
}

// TestAnyScenario: random programs on random machines under random schemes end the same twice, on one to three threads
// and watched on one, keep the laws of the counters, and are exact where nothing is lossy.
func TestAnyScenario(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	t.Parallel()
	from, to := seedRange(t)
	runs := map[string]int{}
	for seed := from; seed < to; seed++ {
		s := anyScenario(t, seed)
		end, faults := faultsOf(s)
		report(t, fmt.Sprintf("seed %d", seed), s, faults)
		runs[brief(end.err)]++
		if tried := seed - from + 1; tried%1000 == 0 {
			fmt.Printf("%d of %d scenarios\n", tried, to-from) // a long run shows where it is
		}
	}
	t.Logf("%d scenarios, each run twice; %d ended with a result: %v", to-from, runs[""], runs)
	if ended := runs[""]; ended < int(to-from)*2/3 {
		t.Errorf("only %d of %d scenarios ended with a result: %v", ended, to-from, runs)
	}
}

// FuzzAnyScenario is TestAnyScenario with the seeds of Go's fuzzer.
func FuzzAnyScenario(f *testing.F) {
	f.Add(int64(1))
	f.Fuzz(func(t *testing.T, seed int64) {
		s := anyScenario(t, seed)
		_, faults := faultsOf(s)
		report(t, fmt.Sprintf("seed %d", seed), s, faults)
	})
}

// TestEveryValueAtItsEnds: every value of a machine at its ends, with a kernel that uses every part of an SM. The normal
// tests try each end on one preset, in turn, and those of the memory on one with the joint schedule too; somebody watches
// every third run only. A long run tries all on all, with and without.
func TestEveryValueAtItsEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	t.Parallel()
	all := os.Getenv("BURSTSCOPE_SEEDS") != ""
	names := preset.Names()
	tried, refused, turn := 0, 0, 0
	kernel := fullKernel()
	for i := range entriesOf(t, names[0]) {
		for at, name := range names {
			e := &entriesOf(t, name)[i]
			for _, value := range ends(e) {
				joint := name == "gtx580b" && (strings.HasPrefix(e.Path, "dram.") || strings.HasPrefix(e.Path, "controller."))
				if turn++; !all && !joint && turn%len(names) != at {
					continue
				}
				s := scenario.Default("vecadd")
				s.Machine.Preset, s.Workload = name, scenario.Workload{PTX: kernel}
				if !all && e.Path != "sms" {
					set(t, s, "machine.overrides.sms", "4") // the kernel has few CTAs, and other SMs take time to build
				}
				set(t, s, "machine.overrides."+e.Path, value)
				if s.Validate() != nil {
					refused++
					continue
				}
				tried++
				var faults []string
				if all {
					_, faults = faultsOf(s)
				} else {
					faults = faultsOfOne(s, tried%3 == 0)
				}
				report(t, e.Path+"="+value, s, faults)
			}
		}
	}
	t.Logf("%d values tried, %d refused", tried, refused)
}

// TestScenariosThatWentWrong holds scenarios against the same laws that once made the simulator panic, count below zero, or end
// otherwise when somebody watched.
func TestScenariosThatWentWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	for _, c := range []struct {
		why, program, preset string
		size                 int
		set                  []string
	}{
		{"local memory is in the machine's image and not in the list of Buddy Compression", "attention", "mini", 64, []string{"memory.codec=bpc", "backing.kind=buddy"}},
		{"the same, with targets that are named", "attention", "v100", 64, []string{"memory.codec=bpc", "backing.kind=buddy", "backing.targets=2"}},
		{"the same", "libor", "v100", 0, []string{"memory.codec=bdi", "backing.kind=buddy"}},
		{"the same, without a link", "libor", "v100", 0, []string{"memory.codec=bpc", "backing.kind=bandwidth"}},
		{"a bank beyond the lanes of a warp", "matmul", "mini", 32, []string{"machine.overrides.sm.banks=64"}},
		{"the same", "scan", "h100", 0, []string{"machine.overrides.sm.banks=33"}},
		{"data that leave the pipe in the clock of their command", "vecadd", "gtx580b", 4096, []string{"machine.overrides.dram.wl=0"}},
		{"the same under compression", "vecadd", "gtx480v3", 4096, []string{"machine.overrides.dram.wl=0", "memory.codec=bdi", "memory.mag=64"}},
		{"the same in two queues", "vecadd", "mini", 4096, []string{"machine.overrides.dram.wl=0"}},
		{"data of writes that are longer in the pipe than those of reads", "vecadd", "gtx580c", 4096,
			[]string{"machine.overrides.dram.wl=1017", "memory.codec=e2mc8"}},
		{"the same by two clocks", "vecadd", "gtx580b", 4096, []string{"machine.overrides.dram.wl=14"}},
		{"blocks of zeros, which have no part in DRAM, in one queue", "pathfinder", "gtx580a", 0, []string{"memory.codec=bdi", "backing.kind=bandwidth"}},
		{"the same, with a return queue of one", "pathfinder", "gtx580b", 0, []string{"memory.codec=bpc", "backing.kind=bandwidth", "machine.overrides.controller.returnQueueBlocks=1"}},
		{"rows that are closed by policy after the end", "pathfinder", "mini", 0, []string{"machine.overrides.controller.rowPolicy=timeout", "machine.overrides.controller.rowTimeoutCycles=3000"}},
		{"the same, behind a link", "pathfinder", "v100", 0, []string{"machine.overrides.controller.rowPolicy=adaptive", "machine.overrides.controller.rowTimeoutCycles=2000", "memory.codec=bpc", "backing.kind=buddy"}},
		{"the same, as soon as possible", "vecadd", "gtx580v4", 4096, []string{"machine.overrides.controller.rowPolicy=close", "machine.overrides.dram.rtp=1024"}},
		{"the same, in two queues that run late", "pathfinder", "mini", 0, []string{"memory.codec=bdi", "backing.kind=bandwidth", "backing.metadataKB=1103"}},
		{"metadata of another channel, behind a link", "pathfinder", "p100b", 0,
			[]string{"memory.codec=bpc", "backing.kind=buddy", "backing.neighbours=address", "backing.metadataKB=8"}},
		{"the same, in one queue", "pathfinder", "gtx580a", 0,
			[]string{"memory.codec=bdi", "backing.kind=bandwidth", "backing.neighbours=address"}},
		{"warps of a slow unit that stand still in a loop, which is no wait without an end", "streamk", "rtx3070", 32,
			[]string{"machine.overrides.sm.timing.memory.initiationCycles=2000"}},
	} {
		s := scenario.Default(c.program)
		if s.Workload.Size = c.size; c.size == 0 {
			s.Workload.Size = smallSizes(c.program)[0]
		}
		set(t, s, "machine.preset", c.preset)
		for _, assignment := range c.set {
			path, value, _ := strings.Cut(assignment, "=")
			set(t, s, path, value)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		end, faults := faultsOf(s)
		report(t, c.why, s, faults)
		if end.hash == "" {
			t.Errorf("%s: %s", c.why, end.err)
		}
	}
}

// TestMemoryInstructionsHaveTheirUnit: only the load/store unit has a queue for memory instructions.
func TestMemoryInstructionsHaveTheirUnit(t *testing.T) {
	for _, name := range preset.Names() {
		s := scenario.Default("vecadd")
		s.Machine.Preset = name
		for _, unit := range []string{"alu", "special", "double", "memory"} {
			set(t, s, "machine.overrides.sm.timing.memory.unit", unit)
			err := s.Validate()
			if legal := unit == "memory"; legal != (err == nil) {
				t.Errorf("%s, %s: %v", name, unit, err)
			} else if !legal && !strings.Contains(err.Error(), `machine.overrides.sm.timing.memory.unit: "`+unit+`" is not one of its values: use one of memory`) {
				t.Errorf("%s, %s: the error does not say what to use: %v", name, unit, err)
			}
		}
	}
}
