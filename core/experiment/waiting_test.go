package experiment

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/golden"
)

// waitingSizes are sizes of the programs whose threads wait for each other. Each leaves parts of CTAs and of tiles.
var waitingSizes = []struct {
	name string
	size int
}{{"gridbarrier", 3000}, {"streamk", 80}, {"workqueue", 200}, {"radixsort", 3000}, {"locktable", 700}}

// TestWaitingPrograms: the programs whose threads wait for each other end on a Fermi, an Ampere and a Hopper, with the
// outputs of the exact run, which package programs compares with computations of the host. Their launches add up. The
// hashes are the same natively and in WebAssembly.
func TestWaitingPrograms(t *testing.T) {
	var hashes strings.Builder
	for _, p := range waitingSizes {
		for _, gpu := range []string{"gtx480", "a100", "h200"} {
			fmt.Fprintf(&hashes, "%s %d %s %s\n", p.name, p.size, gpu, lawfulHash(t, p.name, p.size, gpu, nil))
		}
	}
	golden.File(t, "testdata/waiting.golden", []byte(hashes.String()))
}

// hopperSizes are the smallest sizes of the programs for Hopper that have parts of all they do.
var hopperSizes = []struct {
	name string
	size int
}{{"hopperattention", 128}, {"hopperdecode", 16}, {"hopperrows", 3}, {"hoppermoe", 2}}

// TestScheduledHopper: copies, matrix units and barriers of Hopper's programs leave the outputs of the exact run in the
// order of the list scheduler too.
func TestScheduledHopper(t *testing.T) {
	t.Parallel()
	list := append(hopperSizes[:len(hopperSizes):len(hopperSizes)], hopperSizes[0])
	list[len(hopperSizes)].name = "hoppergemm"
	for _, p := range list {
		w, err := programs.Describe(p.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, data := range w.DataModes {
			s := scenario.Default(p.name)
			s.Workload.Size, s.Workload.Data, s.Machine.Preset = p.size, data, "h200"
			s.Machine.Overrides = scenario.Overrides{"sms": int64(4), "controllers": int64(2), "compile": "scheduled"}
			set(t, s, "memory.codec", "none")
			_, res := finish(t, mustPlan(t, s))
			for i := range res.Outputs {
				if !bytes.Equal(res.Outputs[i], res.Exact[i]) {
					t.Errorf("%s %s: output %d differs from that of the exact run", p.name, data, i)
				}
			}
		}
	}
}

// TestHopperHashes: the programs for Hopper have the outputs of the exact run, and the same hashes natively and in
// WebAssembly, on four SMs with two controllers.
func TestHopperHashes(t *testing.T) {
	var hashes strings.Builder
	few := scenario.Overrides{"sms": int64(4), "controllers": int64(2)}
	for _, p := range hopperSizes {
		fmt.Fprintf(&hashes, "%s %d h200 %s\n", p.name, p.size, lawfulHash(t, p.name, p.size, "h200", few))
	}
	golden.File(t, "testdata/hopper.golden", []byte(hashes.String()))
}

// lawfulHash runs a program without a scheme, compares its outputs with the exact run and its counters with its
// launches, and returns its hash.
func lawfulHash(t *testing.T, name string, size int, gpu string, machine scenario.Overrides) string {
	t.Helper()
	s := scenario.Default(name)
	s.Machine.Preset, s.Machine.Overrides, s.Workload.Size = gpu, machine, size
	for _, path := range []string{"memory.codec", "memory.approximation"} {
		if err := s.Set(path, "none"); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	r, res := finish(t, plan)
	checkLaws(t, r, res)
	if runtime.GOARCH != "wasm" { // the hash has the outputs
		checkExact(t, r, res)
	}
	sums := map[string]uint64{}
	for _, l := range res.PerLaunch().Launches {
		for name, n := range l.Stats {
			sums[name] += n
		}
	}
	for _, c := range stat.List() {
		if name := stat.Describe(c).Name; stat.Adds(c) == stat.Sum && sums[name] != res.Stats[name] {
			t.Errorf("%s on %s: %s is %d over launches, %d of the run", s.Workload.Name, gpu, name, sums[name],
				res.Stats[name])
		}
	}
	return res.ResultHash
}
