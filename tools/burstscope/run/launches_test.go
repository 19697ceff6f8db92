package run

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// launchesOf reads the launches, kernels and power of a result in JSON.
type launchesOf struct {
	ResultHash string            `json:"resultHash"`
	Cycles     uint64            `json:"cycles"`
	Stats      map[string]uint64 `json:"stats"`
	Note       string            `json:"launchNote"`
	Launches   []struct {
		Entry string            `json:"entry"`
		Begin uint64            `json:"beginCycle"`
		Stats map[string]uint64 `json:"stats"`
	} `json:"launches"`
	Kernels []struct {
		Entry    string             `json:"entry"`
		Launches uint64             `json:"launches"`
		Stats    map[string]uint64  `json:"stats"`
		Metrics  map[string]float64 `json:"metrics"`
	} `json:"kernels"`
	Energy struct {
		Total uint64 `json:"totalFemtojoules"`
	} `json:"energy"`
	Power *experiment.Power `json:"power"`
}

func bfs(args ...string) []string {
	return append([]string{"run", "bfs1", "--set", "workload.size=1024", "--set", "machine.preset=mini"}, args...)
}

func readLaunches(t *testing.T, args ...string) (l launchesOf) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustCall(t, append(args, "--format", "json")...)), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// tableOf reads a CSV as rows of cells by name.
func tableOf(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			if _, twice := row[name]; twice {
				t.Errorf("two columns are %s", name)
			}
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestRunLaunches: JSON has the counters of each launch without being asked. CSV has the same in a row for each
// launch and each kernel, and text the names of all kernels. The launches add up to the run.
func TestRunLaunches(t *testing.T) {
	l := readLaunches(t, bfs()...)
	rows := tableOf(t, mustCall(t, bfs("--launches", "--format", "csv")...))
	if len(l.Launches) < 3 || len(rows) != len(l.Launches)+len(l.Kernels) || len(l.Kernels) != 2 {
		t.Fatalf("%d launches, %d kernels, %d rows", len(l.Launches), len(l.Kernels), len(rows))
	}
	for _, c := range stat.List() {
		name, sum := stat.Describe(c).Name, uint64(0)
		for i := range l.Launches {
			sum += l.Launches[i].Stats[name]
			if got := rows[i][name]; got != strconv.FormatUint(l.Launches[i].Stats[name], 10) {
				t.Errorf("launch %d: %s is %s in CSV, %d in JSON", i, name, got, l.Launches[i].Stats[name])
			}
		}
		for i := range l.Kernels {
			if got := rows[len(l.Launches)+i][name]; got != strconv.FormatUint(l.Kernels[i].Stats[name], 10) {
				t.Errorf("%s: %s is %s in CSV, %d in JSON", l.Kernels[i].Entry, name, got, l.Kernels[i].Stats[name])
			}
		}
		if stat.Adds(c) == stat.Sum && sum != l.Stats[name] {
			t.Errorf("%s: %d over launches, %d of the run", name, sum, l.Stats[name])
		}
	}
	text := mustCall(t, bfs("--launches")...)
	wants := []string{"launch  kernel", "most stalls", "\n     2  bfs_visit", "bfs_update", "--launches --format csv"}
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if l.Power != nil || strings.Contains(text, "power in windows") {
		t.Error("power without --power")
	}
}

// TestRunPower: the windows of power add up to the energy of the run, in JSON and CSV, and text shows them.
func TestRunPower(t *testing.T) {
	l, rows := readLaunches(t, bfs("--power")...), tableOf(t, mustCall(t, bfs("--power", "--format", "csv")...))
	if plain := readLaunches(t, bfs()...); plain.ResultHash != l.ResultHash {
		t.Errorf("--power changes the hash from %s to %s", plain.ResultHash, l.ResultHash)
	}
	sum, csvSum := uint64(0), uint64(0)
	for i, w := range l.Power.Windows {
		for _, n := range w.Femtojoules {
			sum += n
		}
		n, err := strconv.ParseUint(rows[i]["femtojoules"], 10, 64)
		if err != nil || rows[i]["endCycle"] != strconv.FormatUint(w.EndCycle, 10) {
			t.Fatalf("window %d: %v, %v", i, rows[i], err)
		}
		csvSum += n
		seconds := float64(w.EndCycle-w.BeginCycle) / float64(l.Power.CoreMHz) / 1e6
		if want := float64(n) / 1e15 / seconds; !near(want, rows[i]["watts"]) {
			t.Errorf("window %d takes %s W, want %g", i, rows[i]["watts"], want)
		}
	}
	if sum != l.Energy.Total || csvSum != sum || len(rows) != len(l.Power.Windows) || sum == 0 {
		t.Errorf("%d and %d fJ over windows, %d of the run", sum, csvSum, l.Energy.Total)
	}
	text := mustCall(t, bfs("--power")...)
	if !strings.Contains(text, "power in windows of") || !strings.Contains(text, "####") {
		t.Error(text)
	}
}

func near(want float64, text string) bool {
	got, err := strconv.ParseFloat(text, 64)
	return err == nil && got > want*(1-1e-9) && got < want*(1+1e-9)
}

// TestManyLaunchesOfExec: with more launches than have figures of their own, the kernel has those of all of them,
// and the result says so.
func TestManyLaunchesOfExec(t *testing.T) {
	file := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	args := []string{"exec", file, "--entry", "increment", "--block", "64", "--preset", "mini", "--repeat", "300"}
	args = append(args, "--arg", "out:"+t.TempDir()+"/out.bin:4096", "u32:1")
	l := readLaunches(t, args...)
	own := 0
	for i := range l.Launches {
		if l.Launches[i].Stats != nil {
			own++
		}
	}
	if len(l.Launches) != 300 || own != 256 || len(l.Kernels) != 1 || l.Kernels[0].Launches != 300 || l.Note == "" {
		t.Fatalf("%d launches, %d with figures, kernels %+v, note %q", len(l.Launches), own, l.Kernels, l.Note)
	}
	if k := l.Kernels[0]; k.Stats["warpInstructions"] != l.Stats["warpInstructions"] || k.Metrics["ipc"] == 0 {
		t.Errorf("%d instructions, %d of the run", k.Stats["warpInstructions"], l.Stats["warpInstructions"])
	}
	if text := mustCall(t, append(args, "--launches")...); !strings.Contains(text, l.Note) {
		t.Error(text)
	}
}

// TestOneTable: a CSV has one table, and a run without a machine has none.
func TestOneTable(t *testing.T) {
	file := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	for _, c := range []struct {
		args []string
		want []string
	}{
		{bfs("--launches", "--source", "--format", "csv"), []string{"--source, --launches", "--format json"}},
		{bfs("--launches", "--power", "--format", "csv"), []string{"--launches, --power", "--format json"}},
		{bfs("--power", "--checkpoint", "x.state"), []string{"--checkpoint", "--power"}},
		{
			[]string{"exec", file, "--entry", "increment", "--functional", "--launches"},
			[]string{"--launches and --functional"},
		},
	} {
		status, _, errs := call(c.args...)
		if status != 2 || slices.ContainsFunc(c.want, func(w string) bool { return !strings.Contains(errs, w) }) {
			t.Errorf("%v: status %d, %s, want %q", c.args, status, errs, c.want)
		}
	}
}
