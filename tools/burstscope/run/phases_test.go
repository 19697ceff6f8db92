package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestPhasesOfARun: in the CSV of run --phases, the numbers of each row give its AMATs, and
// the mode is the one with the least of them. The file changes no result.
func TestPhasesOfARun(t *testing.T) {
	words := []string{"run", "dct", "--set", "workload.name=kmeans", "--set", "workload.size=1024", "--set", "machine.preset=gtx480v3",
		"--set", "memory.codec=none", "--set", "memory.approximation=none", "--set", "l1.store=latte", "--format", "json"}
	file := filepath.Join(t.TempDir(), "phases.csv")
	type result struct {
		ResultHash string
		L1Phases   latte.Phases
	}
	var a, b result
	for r, args := range map[*result][]string{&a: words, &b: append(words, "--phases", file)} {
		if err := json.Unmarshal([]byte(mustCall(t, args...)), r); err != nil {
			t.Fatal(err)
		}
	}
	if a.ResultHash != b.ResultHash {
		t.Errorf("result %s with --phases, %s without", b.ResultHash, a.ResultHash)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := clitest.Table(t, string(text))
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	modes, ended := map[string]int{}, 0
	for _, row := range rows[1:] {
		of := func(name string) float64 {
			v, err := strconv.ParseFloat(row[column[name]], 64)
			if err != nil {
				t.Fatalf("column %s: %v in %v", name, err, row)
			}
			return v
		}
		ended++
		modes[row[column["mode"]]]++
		if of("phase") == 0 {
			continue
		}
		want, least := "none", 0.
		basis := "not sampled"
		for i, mode := range []string{"None", "Low", "High"} {
			hits, misses := of("whyHits"+mode), of("whyMisses"+mode)
			if hits+misses == 0 {
				if row[column["whyAMAT"+mode]] != "" {
					t.Errorf("an AMAT without samples: %v", row)
				}
				continue
			}
			amat := (hits*max(of("whyHitCycles"+mode)-of("whyTolerance"), 0) + misses*of("whyMissCycles")) / (hits + misses)
			if basis = "AMAT"; of("whyAMAT"+mode) != amat {
				t.Errorf("AMAT of %s is %g, its numbers give %g", mode, of("whyAMAT"+mode), amat)
			}
			if least == 0 || amat < least {
				want, least = []string{"none", "low", "high"}[i], amat
			}
		}
		if got := row[column["basis"]]; got != basis {
			t.Errorf("phase %s has the basis %q, want %q", row[column["phase"]], got, basis)
		}
		if got := row[column["mode"]]; got != want {
			t.Errorf("phase %s of SM %s is %s, the least AMAT is that of %s", row[column["phase"]], row[column["sm"]], got, want)
		}
	}
	phases := 0
	for _, launch := range a.L1Phases.Launches {
		for _, n := range launch {
			phases += int(n)
		}
	}
	if ended != phases || len(modes) < 2 {
		t.Errorf("%d rows of %d phases, modes %v", ended, phases, modes)
	}
}

// TestPhasesWithoutAPolicy: a run without a policy is refused before it starts.
func TestPhasesWithoutAPolicy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "phases.csv")
	status, _, errs := call("run", "vecadd", "--phases", file)
	if status != cli.ExitFault || !strings.Contains(errs, "set l1.store to one of burstscope scheme") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
}
