package programs

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/workload/programs"
)

func TestWorkloadsListsAll(t *testing.T) {
	status, out, errs := call("workloads", "--format", "csv", "vecadd", "scan", "--size", "both", "--run", "none")
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, want a head and two programs at two sizes: %v", len(rows), err)
	}
	if rows[3][0] != "scan" || rows[3][1] != "1048576" || rows[4][1] != "16777216" || rows[4][3] != "true" {
		t.Errorf("scan at its interactive and full size: %v, %v", rows[3], rows[4])
	}
	status, out, errs = call("workloads", "--format", "json")
	var list []listedWorkload
	if status != 0 || json.Unmarshal([]byte(out), &list) != nil || len(list) != len(programs.Names()) {
		t.Fatalf("status %d, %d programs of %d: %s", status, len(list), len(programs.Names()), errs)
	}
	for _, w := range list {
		if w.FootprintBytes == 0 || w.Launches == 0 || len(w.Data) == 0 {
			t.Errorf("%s: %+v", w.Name, w)
		}
	}
	status, out, _ = call("workloads", "binomial", "--run", "timed", "--preset", "mini")
	if status != 0 || !strings.Contains(out, "binomial") || strings.Contains(out, " - ") {
		t.Errorf("a timed run shows all its figures:\n%s", out)
	}
	for _, args := range [][]string{{"workloads", "nothing"}, {"workloads", "--size", "huge"}, {"workloads", "--preset", "cray"}} {
		if status, _, errs := call(args...); status == 0 || errs == "" {
			t.Errorf("%v was taken", args)
		}
	}
}

// TestWorkloadsListsStudies: a program has one row for each of its inputs in studies, one of
// ours has none, and a row shows how the machine is filled.
func TestWorkloadsListsStudies(t *testing.T) {
	status, out, errs := call("workloads", "backprop", "vecadd", "pageviewcount", "--size", "study")
	rows := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(rows) != 4 {
		t.Fatalf("status %d, %d rows, want a head and two programs: %s", status, len(rows)-2, errs)
	}
	// 65536 inputs in CTAs of 16, of which a GTX 580 takes 6 on each of 16 SMs; 9.4 MB.
	if !strings.HasPrefix(rows[2], "| `backprop` | 65,536 inputs | `suite` | 9.4 | 12.0 | 4,096 | 42.7 | 2 |") {
		t.Errorf("row %s", rows[2])
	}
	status, out, errs = call("workloads", "backprop", "--size", "study", "--format", "json")
	var list []listedWorkload
	if status != 0 || json.Unmarshal([]byte(out), &list) != nil || len(list) != 1 || list[0].Study == nil || list[0].Study.CTAs != 4096 {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// TestWorkloadsUnderSeveralSeeds: a ramp moves in nothing, the places of a random graph move all.
func TestWorkloadsUnderSeveralSeeds(t *testing.T) {
	status, out, errs := call("workloads", "transpose", "bfs1", "--seeds", "2", "--preset", "mini", "--set", "workload.size=512")
	rows := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(rows) != 3 || !strings.HasSuffix(rows[1], "no") || !strings.HasSuffix(rows[2], "yes") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	for _, args := range [][]string{{"--seeds", "1"}, {"--seeds", "-2"}, {"--seeds", "2000"}, {"--set", "memory.mag=64"}, {"--seeds", "2", "--format", "csv"}} {
		if status, _, errs := call(append([]string{"workloads", "nn"}, args...)...); status != 2 || errs == "" {
			t.Errorf("%v: status %d, %q", args, status, errs)
		}
	}
}

// TestSuiteKernelsAreExactOnAMachine: the kernels that only the data of a suite use leave the
// same bytes on the timed machine as in their functional execution.
func TestSuiteKernelsAreExactOnAMachine(t *testing.T) {
	for name, size := range map[string]int{"kmeans": 1000, "pageviewcount": 512, "pageviewrank": 512, "backprop": 1024} {
		info, err := programs.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		w := describeWorkload(info, size, false)
		w.Study = &listedStudy{Data: programs.Suite}
		if err := w.measure(runTimed, "mini"); err != nil || w.OutputIsExact == nil || !*w.OutputIsExact {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryWorkloadIsExactOnAMachine: without approximation, a program leaves the same
// bytes on the timed machine as in its functional execution.
func TestEveryWorkloadIsExactOnAMachine(t *testing.T) {
	for _, name := range programs.Names() {
		info, err := programs.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		w := describeWorkload(info, info.Sizes[0], false)
		preset := "mini"
		if name == "hopperattention" || name == "hopperdecode" { // more shared memory than an SM of mini has
			preset = "h100"
		}
		if err := w.measure(runTimed, preset); err != nil || w.OutputIsExact == nil || !*w.OutputIsExact {
			t.Errorf("%s: %v", name, err)
		}
	}
}
