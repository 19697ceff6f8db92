//go:build unix

package sweep

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/burstscope/bench"
)

var measureCosts = flag.Bool("costs", false, "measure the costs of all programs and write costs.csv")

// cpuSeconds is the time that all threads of this process have used.
func cpuSeconds(t testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)*1e-6
}

// sizesOfCosts are the sizes of a program with a row: the default, that for studies, and
// smaller ones of programs for which both are the same.
func sizesOfCosts(info *programs.Info) []int {
	first, last := info.DefaultSize, info.StudySize
	if first == last {
		first = info.Sizes[0]
	}
	if first == last {
		return []int{last}
	}
	return []int{first, last}
}

// measuredCost returns the row of a scenario's program: the least of a few runs, if they are short.
func measuredCost(t *testing.T, s *scenario.Scenario) string {
	t.Helper()
	p, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	var faults *fault.Errors
	if _, err := experiment.NewStudy(p); errors.As(err, &faults) && len(faults.List[0].Fixes) > 0 {
		fix := faults.List[0].Fixes[0] // the first preset that has room for the program's CTAs
		if err := s.Set(fix.Path, fix.Value); err != nil {
			t.Fatal(err)
		}
	}
	w, all := 0.0, 0.0
	least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	for round := 0; round < bench.Rounds && all < 2; round++ {
		f, err := experiment.NewFamily(s)
		if err != nil {
			t.Fatal(err)
		}
		at := [4]float64{cpuSeconds(t)}
		if _, err := f.Exact(); err != nil {
			t.Fatal(err)
		}
		at[1] = cpuSeconds(t)
		u, err := f.Uncompressed(nil, true)
		if err != nil {
			t.Fatal(err)
		}
		at[2] = cpuSeconds(t)
		if _, err := u.Traffic(); err != nil {
			t.Fatal(err)
		}
		at[3] = cpuSeconds(t)
		for i := range least {
			least[i] = min(least[i], at[i+1]-at[i])
		}
		w, all = float64(u.Result.WarpInstructions), all+at[3]-at[0]
	}
	t.Logf("%s %d: %.0f warp instructions, %.2f s", s.Workload.Name, s.Workload.Size, w, least[1])
	return fmt.Sprintf("%s,%d,%.0f,%.1f,%.1f,%.1f", s.Workload.Name, s.Workload.Size, w, least[0]*1e9/w, least[1]*1e9/w, least[2]*1e9/w)
}

// TestMeasuredStudyCosts measures what costs_study.csv holds.
func TestMeasuredStudyCosts(t *testing.T) {
	if !*measureCosts {
		t.Skip("measures all programs of SLC and E2MC with -costs")
	}
	lines := []string{strings.Join(costColumns, ",")}
	reading := claim.Reading{}
	seen := map[string]bool{}
	for _, paper := range []string{"E2MC", "SLC"} {
		for _, id := range claim.SetOf(map[string]string{"SLC": "SLC9", "E2MC": "E2MC15"}[paper]) {
			w, err := reading.Workload(paper, id)
			if err != nil {
				t.Fatal(err)
			}
			if seen[w.Name] {
				continue
			}
			seen[w.Name] = true
			s := scenario.Default(w.Name)
			s.Workload, s.Machine.Preset = w, reading.Word("machine")
			lines = append(lines, measuredCost(t, s))
			if err := os.WriteFile("costs_study.csv", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Measures what costs.csv holds, and prints the factors of the codecs.
func TestMeasuredCosts(t *testing.T) {
	if !*measureCosts {
		t.Skip("measures all programs with -costs")
	}
	var out strings.Builder
	fmt.Fprintln(&out, strings.Join(costColumns, ","))
	for _, name := range programs.Names() {
		info, err := programs.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range sizesOfCosts(&info) {
			s := scenario.Default(info.Name)
			s.Workload.Size = size
			fmt.Fprintln(&out, measuredCost(t, s))
		}
	}
	if err := os.WriteFile("costs.csv", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	sums := map[string]float64{}
	codecs := []string{"none", "bdi", "fpc", "e2mc4", "e2mc8", "e2mc16", "e2mc32", "tslc-simp", "tslc-pred", "tslc-opt"}
	for _, name := range []string{"fwt", "bfs1", "kmeans", "spmv", "srad1", "transpose"} {
		var users []*scenario.Scenario
		for _, c := range codecs {
			s := scenario.Default(name)
			s.Memory.Put("codec", c)
			if strings.HasPrefix(c, "tslc") {
				s.Memory.Put("codec", "e2mc16", "approximation", c)
			}
			users = append(users, s)
		}
		f, err := experiment.NewFamily(users[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Uncompressed(users, false); err != nil {
			t.Fatal(err)
		}
		for i, s := range users {
			begin := cpuSeconds(t)
			r, err := f.Run(s)
			if err == nil {
				_, err = r.Finish()
			}
			if err != nil {
				t.Fatal(err)
			}
			sums[codecs[i]] += cpuSeconds(t) - begin
		}
	}
	for _, c := range codecs {
		t.Logf("%s takes %.2f times the run without compression", c, sums[c]/sums["none"])
	}
}
