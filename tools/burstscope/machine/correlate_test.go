//go:build !nogpu

package machine

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/silicon/correlate"
	"github.com/burstscope/burstscope/tools/silicon/gpu/standin"
)

// recordOnStandIn records cases on a stand-in for the driver and returns the file.
func recordOnStandIn(t *testing.T, behaviour, only string) (file string, status int, out, errs string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "recording.csv")
	status, out, errs = call("correlate", "record", "--out", file, "--only", only, "--repetitions", "3", "--gpu-library", standin.Build(t, behaviour).Path)
	return file, status, out, errs
}

func readRows(t *testing.T, file string) []correlate.Row {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := correlate.ReadRecording(file, f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestRecord(t *testing.T) {
	file, status, out, errs := recordOnStandIn(t, "", "^program/(vecadd/16384|transpose/256)/|/launch/1/")
	if status != 0 || errs != "" || strings.Count(out, "\n") != 3 || !strings.Contains(out, "   2 of 3  program/vecadd/16384/smooth") {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	rows := readRows(t, file)
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	// A run of the stand-in with n launches before it lasts 1000+100n ns; two runs of each
	// case warm up.
	launch, vecadd, transpose := rows[0], rows[1], rows[2]
	if launch.Figure != launch.Nanoseconds || launch.Unit != "ns" || launch.Nanoseconds != 1400 || launch.LeastNs != 1300 || launch.GreatestNs != 1500 || launch.OutputsEqual != "" {
		t.Errorf("%+v", launch)
	}
	if vecadd.Device != "Stand-in 0" || vecadd.ComputeCapability != "9.0" || vecadd.ClockMHz != 1500 || vecadd.MemoryClockMHz != 3000 ||
		vecadd.Launches != 1 || vecadd.Threads != 16384 || vecadd.Nanoseconds != 1900 || vecadd.Cycles != 1900*1.5 || vecadd.OutputsEqual != "yes" || vecadd.FirstDifference != "" {
		t.Errorf("%+v", vecadd)
	}
	// The stand-in does nothing for other kernels.
	if transpose.OutputsEqual != "no" || !strings.Contains(transpose.FirstDifference, "]: device 0 (00000000), simulator ") || !strings.Contains(transpose.FirstDifference, "of 65536 elements differ") {
		t.Errorf("%+v", transpose)
	}
}

func TestRecordNamesADifference(t *testing.T) {
	file, _, _, _ := recordOnStandIn(t, "wrong", "vecadd/16384/")
	row := readRows(t, file)[0]
	if row.OutputsEqual != "no" || !strings.HasPrefix(row.FirstDifference, "sum[17]: device ") || !strings.Contains(row.FirstDifference, "; 3 of 16384 elements differ, by at most +Inf relative") {
		t.Errorf("%q", row.FirstDifference)
	}
	file, _, _, _ = recordOnStandIn(t, "random", "vecadd/16384/")
	if row := readRows(t, file)[0]; !strings.HasSuffix(row.FirstDifference, "(the device's outputs differ between repetitions)") {
		t.Errorf("%q", row.FirstDifference)
	}
}

// A case without a result is named, and the others are recorded.
func TestRecordGoesOnAfterAFault(t *testing.T) {
	file, status, out, errs := recordOnStandIn(t, "", "/latency.shared/1/|vecadd/16384/")
	if status != cli.ExitFault || !strings.Contains(out, "1 of 2  microbenchmark/latency.shared/1/lanes on a bank  latency.shared/1/lanes on a bank: the clocks that the kernel stored give") ||
		!strings.Contains(errs, "1 of 2 cases have no row") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if rows := readRows(t, file); len(rows) != 1 || rows[0].Name != "vecadd" {
		t.Errorf("%+v", rows)
	}
}

func TestCompare(t *testing.T) {
	file, status, out, errs := recordOnStandIn(t, "", "vecadd/16384/|/launch/(1|65)/")
	if status != 0 {
		t.Fatal(out, errs)
	}
	var report comparisonReport
	if err := json.Unmarshal([]byte(mustCall(t, "correlate", "compare", file, "--preset", "mini", "--format", "json")), &report); err != nil {
		t.Fatal(err)
	}
	rows := readRows(t, file)
	c := report.Cases[2]
	if report.Device != "Stand-in 0" || report.Preset != "mini" || len(report.Cases) != 3 || report.Launch == nil || report.Launch.AloneMeasured != 1400 ||
		c.Name != "vecadd" || c.Measured != rows[2].Nanoseconds || c.Ratio != c.Simulated/c.Measured || report.Programs.Cases != 1 ||
		math.Abs(report.Programs.MeanError-math.Abs(c.Ratio-1)) > 1e-12 || report.Microbenchmarks.Cases != 2 {
		t.Errorf("%+v", report)
	}
	text := mustCall(t, "correlate", "compare", file, "--preset", "mini", "--jobs", "1")
	for _, want := range []string{"Stand-in 0 (driver ", "and preset mini", "vecadd                      16,384  smooth", "An empty kernel alone: 1400 ns measured", "mean error"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	table, err := csv.NewReader(strings.NewReader(mustCall(t, "correlate", "compare", file, "--preset", "mini", "--format", "csv", "--only", "vecadd"))).ReadAll()
	if err != nil || len(table) != 2 || table[1][1] != "vecadd" {
		t.Errorf("%v %v", table, err)
	}
	// Without the empty kernels nothing is added; a value of the machine changes the result.
	var slower, alone comparisonReport
	for to, args := range map[*comparisonReport][]string{&alone: nil, &slower: {"--set", "requestLatencyCycles=900"}} {
		args = append([]string{"correlate", "compare", file, "--preset", "mini", "--format", "json", "--only", "vecadd"}, args...)
		if err := json.Unmarshal([]byte(mustCall(t, args...)), to); err != nil {
			t.Fatal(err)
		}
	}
	if alone.Launch != nil || alone.Cases[0].LaunchNs != 0 || c.LaunchNs <= 0 || math.Abs(alone.Cases[0].Simulated+c.LaunchNs-c.Simulated) > 1e-6 {
		t.Errorf("alone %+v, with launches %+v", alone.Cases[0], c)
	}
	if slower.Cases[0].Simulated <= alone.Cases[0].Simulated {
		t.Errorf("%v with a slow crossbar, %v without", slower.Cases[0].Simulated, alone.Cases[0].Simulated)
	}
}

func TestCorrelateList(t *testing.T) {
	if got, want := mustCall(t, "correlate", "list", "--only", "^microbenchmark/branch/32/|vecadd/16384/"), ""+
		"microbenchmark/branch/32/mad, setp, bra                     cycles per round: the rounds of a small loop: one warp, and 32 warps of an SM together\n"+
		"program/vecadd/16384/smooth                                 ns: all launches of the program\n"; got != want {
		t.Errorf("%s", got)
	}
}

func TestCorrelateRefusals(t *testing.T) {
	rows := "../../../core/machine/testdata/silicon/h200.csv"
	missing := filepath.Join(t.TempDir(), "missing.csv")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"correlate"}, cli.ExitUsage, "no action"},
		{[]string{"correlate", "draw"}, cli.ExitUsage, "unknown action: burstscope correlate draw"},
		{[]string{"correlate", "record"}, cli.ExitUsage, "give --out FILE.csv"},
		{[]string{"correlate", "record", "--out", missing, "--only", "("}, cli.ExitUsage, "missing closing )"},
		{[]string{"correlate", "record", "--out", missing, "--only", "quicksort"}, cli.ExitUsage, "no case matches"},
		{[]string{"correlate", "record", "--out", missing, "--repetitions", "0"}, cli.ExitUsage, "--repetitions 0"},
		{[]string{"correlate", "record", "--out", missing, "--gpu-library", missing}, cli.ExitFault, "missing.csv"},
		{[]string{"correlate", "compare"}, cli.ExitUsage, "no recording"},
		{[]string{"correlate", "compare", rows}, cli.ExitUsage, "give --preset NAME"},
		{[]string{"correlate", "compare", rows, rows}, cli.ExitUsage, "one recording is enough"},
		{[]string{"correlate", "compare", rows, "--preset", "h900"}, cli.ExitFault, "h900"},
		{[]string{"correlate", "compare", rows, "--preset", "mini", "--set", "sm.fly=1"}, cli.ExitFault, "sm.fly"},
		{[]string{"correlate", "compare", rows, "--preset", "mini", "--jobs", "0"}, cli.ExitUsage, "--jobs 0"},
		{[]string{"correlate", "compare", missing, "--preset", "mini"}, cli.ExitFault, "missing.csv"},
		{[]string{"correlate", "compare", clitest.WriteTemp(t, "bad.csv", []byte("a,b\n")), "--preset", "mini"}, cli.ExitFault, "bad.csv:1: the columns"},
	} {
		status, out, errs := call(c.args...)
		if status != c.status || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: status %d, %q, %q", c.args, status, out, errs)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("a refused recording has left a file")
	}
}

// A case that the machine cannot run has a reason in its row, and the others are compared.
func TestCompareNamesCasesThatCannotRun(t *testing.T) {
	file, _, _, _ := recordOnStandIn(t, "", "vecadd/16384/")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.SplitAfter(string(text), "\n")[1]
	file = clitest.WriteTemp(t, "two.csv", []byte(string(text)+strings.Replace(line, "vecadd,16384", "vecadd,7", 1)))
	status, out, errs := call("correlate", "compare", file, "--preset", "mini")
	if status != cli.ExitFault || !strings.Contains(out, "size 7: vecadd takes") || !strings.Contains(out, "programs                                        1") || !strings.Contains(errs, "1 of 2 cases could not be simulated") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
