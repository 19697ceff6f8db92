package main

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

// TestEveryWorkloadIsExactOnAMachine: without approximation, a program leaves the same
// bytes on the timed machine as in its functional execution.
func TestEveryWorkloadIsExactOnAMachine(t *testing.T) {
	for _, name := range programs.Names() {
		info, err := programs.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		w := describeWorkload(info, info.Sizes[0], false)
		if err := w.measure(runTimed, "mini"); err != nil || w.OutputIsExact == nil || !*w.OutputIsExact {
			t.Errorf("%s: %v", name, err)
		}
	}
}
