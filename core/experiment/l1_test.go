package experiment

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// l1Plan is a small program on a machine with a scheme of L1. Phases are short, so that a
// small program has several periods.
func l1Plan(t *testing.T, preset, program string, size int, store string, sets ...string) *Plan {
	t.Helper()
	s := scenario.Default(program)
	s.Machine.Preset, s.Workload.Size = preset, size
	s.Memory.Put("codec", "none")
	s.Memory.Put("approximation", "none")
	set := func(path, value string) {
		if err := s.Set(path, value); err != nil {
			t.Fatal(err)
		}
	}
	set("l1.store", store)
	if store != "none" && store != "delayed" {
		set("l1.phase", "32")
		set("l1.period", "4")
	}
	for i := 0; i < len(sets); i += 2 {
		set(sets[i], sets[i+1])
	}
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

func l1Stores() []string {
	var names []string
	for i := range policy.Table {
		names = append(names, policy.Table[i].Name)
	}
	return names
}

// TestL1PoliciesAreLossless: under every policy every program gives its exact output,
// every hit decodes to the line's bytes, every access is a hit, a miss or a merged load,
// and the sets' modes account for every line ordered.
func TestL1PoliciesAreLossless(t *testing.T) {
	t.Parallel()
	programs := []struct {
		name string
		size int
	}{{"bfs1", 1024}, {"kmeans", 256}, {"matmul", 32}, {"spmv", 512}}
	for _, preset := range []string{"gtx480v3", "v100"} {
		for i, p := range programs {
			if testing.Short() && (i > 0 || preset != "gtx480v3") {
				continue
			}
			for _, store := range l1Stores() {
				t.Run(fmt.Sprintf("%s/%s/%s", preset, p.name, store), func(t *testing.T) {
					r, res := finish(t, l1Plan(t, preset, p.name, p.size, store))
					s := r.Machine().Stats()
					if res.Error != 0 {
						t.Errorf("output error %g", res.Error)
					}
					if got := s[stat.L1Hits] + s[stat.L1Misses] + s[stat.L1Merged]; got != s[stat.L1Accesses] {
						t.Errorf("%d accesses, %d outcomes", s[stat.L1Accesses], got)
					}
					orders := s[latte.L1OrdersNone] + s[latte.L1OrdersLow] + s[latte.L1OrdersHigh]
					if sectored := preset == "v100"; orders > s[stat.L1Misses] || !sectored && orders < s[stat.L1Misses] {
						t.Errorf("%d lines ordered, %d misses", orders, s[stat.L1Misses])
					}
					phases := s[latte.L1PhasesNone] + s[latte.L1PhasesLow] + s[latte.L1PhasesHigh]
					if phases == 0 || phases*32 > s[stat.L1Accesses] {
						t.Errorf("%d phases of 32 in %d accesses", phases, s[stat.L1Accesses])
					}
					counted := uint64(0)
					for _, launch := range Reported[latte.Phases](res).Launches {
						for _, n := range launch {
							counted += n
						}
					}
					if capacity, ok := res.Value("l1Capacity"); !ok || counted != phases || capacity > 4 {
						t.Errorf("%d phases by launch, %d by mode, effective capacity %g", counted, phases, capacity)
					}
					if err := r.Machine().Leaks(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// TestRawIsAnL1WithoutCompression: the compressed L1 without codecs has the result of an L1
// without compression, bit by bit, on every kind of L1. So what a policy gains comes from
// compression.
func TestRawIsAnL1WithoutCompression(t *testing.T) {
	for _, preset := range []string{"gtx480v3", "gtx580v4", "p100", "v100"} {
		_, plain := finish(t, l1Plan(t, preset, "bfs1", 1024, "none"))
		_, raw := finish(t, l1Plan(t, preset, "bfs1", 1024, "raw"))
		if plain.ResultHash != raw.ResultHash {
			t.Errorf("%s: %s without compression, %s as raw lines", preset, plain.ResultHash, raw.ResultHash)
		}
	}
}

// TestLimitsOfCompression checks three limits. A codec without latency is at least as fast as
// one with it. A codec that gains no room has the misses of an L1 without compression. Longer
// hits take more cycles.
func TestLimitsOfCompression(t *testing.T) {
	cycles := func(store string, sets ...string) *Result {
		_, res := finish(t, l1Plan(t, "gtx480v3", "bfs1", 4096, store, sets...))
		return res
	}
	none, bdi := cycles("none"), cycles("static-bdi")
	free := cycles("static-bdi", "l1.lowDecompress", "0", "l1.lowCompress", "0")
	whole := cycles("static-bdi", "l1.capacity", "off")
	later := cycles("delayed", "l1.extraLatency", "14")
	if free.Cycles >= bdi.Cycles {
		t.Errorf("%d cycles without latency, %d with it", free.Cycles, bdi.Cycles)
	}
	if a, b := whole.Stats["l1Misses"], none.Stats["l1Misses"]; float64(a) < 0.95*float64(b) || bdi.Stats["l1Misses"] >= a {
		t.Errorf("%d misses without capacity, %d without compression, %d with both", a, b, bdi.Stats["l1Misses"])
	}
	if later.Cycles <= none.Cycles || whole.Cycles <= none.Cycles {
		t.Errorf("%d cycles, with late hits %d, with latency alone %d", none.Cycles, later.Cycles, whole.Cycles)
	}
}

// TestKernelOptReplaysDirectRuns: the plan of Kernel-OPT for one launch is that of the
// fastest direct run, with its hash. The run that searches a plan of several launches has
// the hash of one that is given the plan, and no static mode is faster in its first launch.
func TestKernelOptReplaysDirectRuns(t *testing.T) {
	run := func(program string, size int, modes string) *Result {
		sets := []string{"machine.overrides.sm.l1.sets", "16"}
		if modes != "" {
			sets = append(sets, "l1.modes", modes)
		}
		_, res := finish(t, l1Plan(t, "gtx480v3", program, size, "kernel-opt", sets...))
		return res
	}
	direct := map[string]*Result{}
	for _, mode := range policy.ModeNames {
		direct[mode] = run("kmeans", 256, mode)
	}
	_, bdi := finish(t, l1Plan(t, "gtx480v3", "kmeans", 256, "static-bdi", "machine.overrides.sm.l1.sets", "16"))
	if bdi.ResultHash != direct["low"].ResultHash {
		t.Errorf("static-bdi gives %s, the plan low %s", bdi.ResultHash, direct["low"].ResultHash)
	}
	best := run("kmeans", 256, "")
	plan := Reported[latte.Phases](best).Plan
	for mode, res := range direct {
		if res.Cycles < best.Cycles || mode == plan[0] && res.ResultHash != best.ResultHash {
			t.Errorf("%s: %d cycles, %s; the search chose %v with %d cycles, %s", mode, res.Cycles, res.ResultHash, plan, best.Cycles, best.ResultHash)
		}
	}
	if testing.Short() {
		return // WebAssembly only has to give the same results; TestStepsOfASearch has several launches
	}

	searched := run("bfs1", 2048, "")
	text := ""
	different := map[string]bool{}
	for i, mode := range Reported[latte.Phases](searched).Plan {
		if i > 0 {
			text += ","
		}
		text += mode
		different[mode] = true
	}
	if given := run("bfs1", 2048, text); given.ResultHash != searched.ResultHash {
		t.Errorf("the plan %s gives %s, its search %s", text, given.ResultHash, searched.ResultHash)
	}
	if len(Reported[latte.Phases](searched).Plan) != len(searched.Launches) || len(different) < 2 {
		t.Errorf("%d launches have the plan %s, which tests little", len(searched.Launches), text)
	}
	for _, mode := range policy.ModeNames {
		// A launch begins in the state that the launches before it left, so only the first
		// ones compare.
		if res := run("bfs1", 2048, mode); res.Launches[0].Cycles < searched.Launches[0].Cycles {
			t.Errorf("launch 0 takes %d cycles under %s, %d under the plan", res.Launches[0].Cycles, mode, searched.Launches[0].Cycles)
		}
	}
}

// TestStepsOfASearch: the size of the steps changes neither a searched plan nor the result.
func TestStepsOfASearch(t *testing.T) {
	p := l1Plan(t, "gtx480v3", "bfs1", 512, "kernel-opt")
	_, want := finish(t, p)
	r, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for done := false; !done; {
		if done, err = r.Step(777); err != nil {
			t.Fatal(err)
		}
		if m := r.Profiler(); m != nil && r.Progress().Cycles == m.Now() {
			shown++
		}
	}
	if shown == 0 {
		t.Error("the search shows no progress")
	}
	if got := r.Result(); got.ResultHash != want.ResultHash {
		t.Errorf("%s in small steps, %s in large ones", got.ResultHash, want.ResultHash)
	}
}

// TestSeekInACompressedL1: any cycle of a run can be reached again from its past, with the
// same state and counters, whatever the policy keeps: codes, queues, phases and a plan.
func TestSeekInACompressedL1(t *testing.T) {
	for _, store := range []string{"latte", "static-sc", "adaptive-cmp-counter", "kernel-opt"} {
		p := l1Plan(t, "gtx480v3", "bfs1", 512, store, "l1.ratios", "on", "machine.overrides.sms", "2")
		want := play(t, p, 6, false)
		past, _ := recorded(t, p, 1<<30, 2000)
		if past.States() < 3 {
			t.Fatalf("%s: only %d states", store, past.States())
		}
		for _, k := range []int{4, 1, 5, 2} {
			seek(t, past, want.cycles[k], want.cycles[k], false)
			if got := past.Machine().Digest(); got != want.digests[k] {
				t.Errorf("%s: another state at cycle %d after a seek", store, want.cycles[k])
			}
			a, b := past.Result(), want.partial[k]
			for name, v := range b.Stats {
				if a.Stats[name] != v {
					t.Errorf("%s: %s is %d after a seek, %d in the run", store, name, a.Stats[name], v)
				}
			}
			if !reflect.DeepEqual(a.L1Report, b.L1Report) {
				t.Errorf("%s: other phases after a seek", store)
			}
		}
	}
}

// TestCompressedL1DoesNotAllocate: between two code tables of SC, an L1 under a policy
// allocates nothing.
func TestCompressedL1DoesNotAllocate(t *testing.T) {
	for _, store := range append(l1Stores(), "none") {
		if store == "kernel-opt" {
			continue // its launches keep one policy
		}
		p := l1Plan(t, "gtx480v3", "kmeans", 1024, store)
		if store != "none" {
			p.L1["period"] = int64(1000)
		}
		p.Paranoid = false
		r := simulating(t, p, Options{})
		advance := func(cycles sim.Cycle) {
			if _, err := r.machine.Advance(r.machine.Now() + cycles); err != nil {
				t.Fatal(err)
			}
		}
		advance(12000)
		if n := testing.AllocsPerRun(4, func() { advance(1000) }); n != 0 {
			t.Errorf("%s: %v allocations in 1000 cycles", store, n)
		}
		if r.machine.Done() {
			t.Errorf("%s: the program ended before the measurement did", store)
		}
	}
}

// TestCompressionAtBothLevels: an L1 under LATTE-CC works above memory under E2MC, with and
// without SLC's approximation: the output is exact or has SLC's error, and energy has terms
// of both.
func TestCompressionAtBothLevels(t *testing.T) {
	for _, approximation := range []string{"none", "tslc-opt"} {
		r, res := finish(t, l1Plan(t, "gtx480v3", "spmv", 1024, "latte", "memory.codec", "e2mc16", "memory.approximation", approximation))
		s := r.Machine().Stats()
		if lossy := approximation != "none"; (res.Error > 0) != lossy && !lossy {
			t.Errorf("%s: output error %g", approximation, res.Error)
		}
		if s[stat.L1Accesses] != s[stat.L1Hits]+s[stat.L1Misses]+s[stat.L1Merged] || s[stat.BlocksReadLossless] == 0 || s[latte.Compressions(codecs.Find("bdi").L1)] == 0 {
			t.Errorf("%s: %d accesses, %d compressed blocks, %d lines through BDI", approximation, s[stat.L1Accesses], s[stat.BlocksReadLossless], s[latte.Compressions(codecs.Find("bdi").L1)])
		}
		paths := map[string]bool{}
		for _, part := range res.Energy.Parts {
			for _, term := range part.Terms {
				paths[term.Path] = true
			}
		}
		if !paths["codec.l1.compress"] || !paths["codec.decompress"] {
			t.Errorf("%s: energy has no term of a codec: %v", approximation, paths)
		}
	}
}

// TestBytesOfACompressedL1: the estimate of a run's memory counts the tags and lines of a compressed L1, and the
// machines of a search.
func TestBytesOfACompressedL1(t *testing.T) {
	estimated, taken := map[string]float64{}, map[string]float64{}
	heap := func() float64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc)
	}
	for _, store := range []string{"none", "latte"} {
		p := l1Plan(t, "v100", "vecadd", 4096, store)
		p.Paranoid, p.Logs = false, true
		before := heap()
		r := simulating(t, p, Options{})
		taken[store], estimated[store] = heap()-before, float64(r.study.RunBytes(p))
		runtime.KeepAlive(r)
	}
	real, told := taken["latte"]-taken["none"], estimated["latte"]-estimated["none"]
	if ratio := told / real; real < 8<<20 || ratio < 0.8 || ratio > 1.25 {
		t.Errorf("LATTE-CC takes %.1f MB more, the estimate is %.1f", real/1e6, told/1e6)
	}
	p := l1Plan(t, "v100", "vecadd", 4096, "kernel-opt")
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	given := l1Plan(t, "v100", "vecadd", 4096, "kernel-opt", "l1.modes", "low")
	if a, b := study.RunBytes(p), study.RunBytes(given); a != 3*b {
		t.Errorf("a search takes %d bytes, a given plan %d", a, b)
	}
}

// TestLargerL1: 48 KB are 64 sets of 6 ways, by overrides; the compressed L1 has 24 tags in
// a set.
func TestLargerL1(t *testing.T) {
	big := []string{"machine.overrides.sm.l1.sets", "64", "machine.overrides.sm.l1.ways", "6"}
	_, res := finish(t, l1Plan(t, "gtx480v3", "bfs1", 2048, "latte", big...))
	_, small := finish(t, l1Plan(t, "gtx480v3", "bfs1", 2048, "latte"))
	if res.Error != 0 || res.Stats["l1Misses"] >= small.Stats["l1Misses"] || res.Stats["l1PhaseRoomSectors"] == 0 {
		t.Errorf("error %g, %d misses in 48 KB, %d in 16 KB", res.Error, res.Stats["l1Misses"], small.Stats["l1Misses"])
	}
}
