package experiment

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/tools/golden"
)

// matrixSchemes are the memory schemes of the matrix: every codec, every approximation,
// and offline and online probabilities.
func matrixSchemes() []scheme.Memory {
	var list []scheme.Memory
	add := func(change func(*scheme.Memory)) {
		m := scheme.DefaultMemory()
		change(&m)
		list = append(list, m)
	}
	for _, name := range scheme.Codecs() {
		add(func(m *scheme.Memory) { m.Put("codec", name) })
	}
	for _, name := range scheme.Approximations() {
		if name != "none" {
			add(func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", name) })
		}
	}
	add(func(m *scheme.Memory) { m.Put("codec", "e2mc16", "probabilities", "online") })
	add(func(m *scheme.Memory) { m.Put("codec", "e2mc16", "probabilities", "online-copies") })
	return list
}

// matrix are results by the names of their runs, a line each.
type matrix struct{ lines []string }

// add notes a result with its energy and a digest of every counter.
func (m *matrix) add(res *Result, format string, args ...any) {
	counters := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(res.Stats)) {
		fmt.Fprintln(counters, name, res.Stats[name])
	}
	m.lines = append(m.lines, fmt.Sprintf("%s: %s %d %x", fmt.Sprintf(format, args...), res.ResultHash, res.Energy.TotalFemtojoules, counters.Sum(nil)[:8]))
}

// check compares the results with the committed ones of a native program. In WebAssembly, which may run a part of them,
// a compiler that rounds floating-point numbers otherwise would show here.
func (m *matrix) check(t *testing.T, name string) {
	t.Helper()
	path := "testdata/matrix-" + name + ".golden"
	if runtime.GOARCH != "wasm" {
		golden.File(t, path, []byte(strings.Join(m.lines, "\n")+"\n"))
		return
	}
	committed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	native := strings.Split(string(committed), "\n")
	for _, line := range m.lines {
		if !slices.Contains(native, line) {
			t.Errorf("%s has no line %q", path, line)
		}
	}
}

// TestMatrix runs every preset with every memory scheme. Outputs are exact without
// approximation. In WebAssembly a preset runs every third scheme, and the next preset the ones after
// them: rounding may depend on a preset and on a scheme, and each still runs there several times.
func TestMatrix(t *testing.T) {
	t.Parallel()
	var m matrix
	for i, preset := range preset.Names() {
		s := scenario.Default("transpose")
		s.Workload.Size, s.Machine.Preset = 64, preset
		plan, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		study, err := NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		for k, memory := range matrixSchemes() {
			if runtime.GOARCH == "wasm" && (i+k)%3 != 0 {
				continue
			}
			res, err := study.Run(plan.With(scheme.Scheme{Memory: memory}), Options{}).Finish()
			if err != nil {
				t.Fatal(err)
			}
			m.add(res, "%s %s %s %s", preset, memory.Codec(), memory.Approximation(), memory.Probabilities())
			if res.Error > 0 && memory.Approximation() == "none" {
				t.Errorf("%s %s: output error %g", preset, memory.Codec(), res.Error)
			}
		}
	}
	m.check(t, "schemes")
}

// TestMatrixOfPolicies runs a program under every policy of L1, and four others under every
// fourth.
func TestMatrixOfPolicies(t *testing.T) {
	t.Parallel()
	var m matrix
	for i, p := range []struct {
		name, data string
		size       int
	}{{"bfs1", "suite", 2048}, {"kmeans", "connections", 2048}, {"floydwarshall", "suite", 64}, {"similarity", "suite", 64}, {"dijkstra", "suite", 64}} {
		hashes := map[string]bool{}
		for k := range policy.Table {
			if i > 0 && k%4 != i-1 {
				continue
			}
			name := policy.Table[k].Name
			s := scenarioOf(t, p.name, "workload.data="+p.data, fmt.Sprintf("workload.size=%d", p.size), "machine.preset=gtx480v3",
				"memory.codec=none", "memory.approximation=none", "l1.store="+name, "l1.phase=64", "l1.period=4")
			_, res := finish(t, mustPlan(t, s))
			if res.Error != 0 {
				t.Errorf("%s under %s: output error %g", p.name, name, res.Error)
			}
			m.add(res, "%s %s", p.name, name)
			hashes[res.ResultHash] = true
		}
		if i == 0 && len(hashes) < 5 || len(hashes) < 2 {
			t.Errorf("%s has %d results under its policies, which tests little", p.name, len(hashes))
		}
	}
	m.check(t, "policies")
}

// TestMatrixOfTLBs runs programs with page walks, also under Buddy Compression with its arithmetic.
func TestMatrixOfTLBs(t *testing.T) {
	var m matrix
	for _, set := range [][]string{
		{"machine.preset=v100"}, {"machine.preset=p100", "memory.codec=bpc", "backing.kind=buddy",
			"machine.overrides.tlb.arithmeticCycles=7"},
	} {
		for _, name := range []string{"spmv", "bfs1"} {
			_, res := finish(t, mustPlan(t, scenarioOf(t, name, slices.Concat([]string{"workload.size=1024"}, set,
				smallTLB)...)))
			if res.Stats["pageWalks"] == 0 || res.Error != 0 {
				t.Errorf("%s: %d page walks, output error %g", name, res.Stats["pageWalks"], res.Error)
			}
			m.add(res, "%s %s", name, set[0])
		}
	}
	m.check(t, "tlbs")
}

// TestMatrixOfBackings runs a program under every kind of backing. The profile that chooses
// targets compares floating-point ratios.
func TestMatrixOfBackings(t *testing.T) {
	var m matrix
	hashes := map[string]string{}
	for _, b := range []struct {
		name string
		link bool // sectors are read over the link
		set  []string
	}{
		{"buddy with targets of a profile", false, []string{"memory.codec=bpc", "backing.kind=buddy"}},
		{"buddy with a slow link", true, []string{"memory.codec=bpc", "backing.kind=buddy", "backing.targets=4", "backing.gbPerSecond=50"}},
		{"bandwidth", false, []string{"memory.codec=bpc", "backing.kind=bandwidth"}},
		{"pinned", true, []string{"memory.codec=none", "backing.kind=pinned"}},
		{"unified", true, []string{"memory.codec=none", "backing.kind=unified", "backing.pageKB=4"}},
	} {
		s := scenarioOf(t, "bfs1", append([]string{"workload.data=suite", "workload.size=2048", "machine.preset=mini", "memory.approximation=none"}, b.set...)...)
		_, res := finish(t, mustPlan(t, s))
		if reads := res.Stats[stat.Describe(storage.LinkReads).Name] + res.Stats[stat.Describe(storage.PageFaults).Name]; (reads > 0) != b.link {
			t.Errorf("backing %s reads the link %d times, which this test does not expect", b.name, reads)
		}
		if other, ok := hashes[res.ResultHash]; ok {
			t.Errorf("the backings %s and %s have one result: %s", other, b.name, res.ResultHash)
		}
		hashes[res.ResultHash] = b.name
		if res.Error != 0 {
			t.Errorf("%s: output error %g", b.name, res.Error)
		}
		m.add(res, "%s", b.name)
	}
	m.check(t, "backings")
}
