package data

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestCodecPlugin: a module is checked on a file, with ratios that those of the same codec built in
// explain; a hostile one is refused with its file, what it did and where to read on.
func TestCodecPlugin(t *testing.T) {
	dir := t.TempDir()
	data, bad := filepath.Join(dir, "data.bin"), filepath.Join(dir, "bad.wasm")
	var b []byte
	for _, line := range codectest.Corpus(20) {
		b = append(b, line[:]...)
	}
	if err := os.WriteFile(data, b, 0o644); err != nil {
		t.Fatal(err)
	}
	out := mustCall(t, "codec", "plugin", "--module", "../../plugin/testdata/bdi.wasm", data)
	report := mustCall(t, "codec", "report", "--codec", "bdi", "--format", "csv", data)
	if !strings.Contains(out, "bdi-plugin, lossless: PACT 2012") || !strings.Contains(out, "1 and 1 cycles of 1002 MHz") {
		t.Error(out)
	}
	_, after, _ := strings.Cut(out, "ratio ")
	ratio, _, _ := strings.Cut(after, ",")
	if !strings.Contains(report, ratio) {
		t.Errorf("the ratio %s is not in the report of the built-in codec:\n%s", ratio, report)
	}
	for _, h := range plugintest.List() {
		if err := os.WriteFile(bad, h.Binary, 0o644); err != nil {
			t.Fatal(err)
		}
		status, _, errs := call("codec", "plugin", "--module", bad, data)
		if status == 0 || !strings.Contains(errs, bad) || !strings.Contains(errs, h.Want) && h.Name != "too long" || strings.Contains(errs, "\x1b") {
			t.Errorf("%s: status %d: %s, want %s", h.Name, status, errs, h.Want)
		}
	}
}

// TestPluginRuns: BDI as a module has every figure of BDI, and a sweep and a survey take files as codecs.
func TestPluginRuns(t *testing.T) {
	t.Parallel()
	const module = "../../plugin/testdata/bdi.wasm"
	run := func(codec string) []string {
		return strings.Split(mustCall(t, "run", "tp", "--set", "workload.size=128", "--set", "memory.approximation=none", "--codec", codec, "--format", "json", "--paranoid"), "\n")
	}
	own, builtIn := run(module), run("bdi")
	if len(own) != len(builtIn) {
		t.Fatalf("%d lines of results, built in %d", len(own), len(builtIn))
	}
	saved := false
	for i, line := range own {
		key := strings.Trim(strings.TrimSpace(strings.SplitN(line, ":", 2)[0]), `"`)
		saved = saved || key == "burstsSaved" && !strings.HasSuffix(line, ": 0,")
		// The module does not name the numbers of its source.
		if line != builtIn[i] && key != "scenarioHash" && key != "codec" && key != "source" {
			t.Errorf("%s, built in %s", line, builtIn[i])
		}
	}
	if !saved {
		t.Error("no burst is saved: the program is no test")
	}
	dir := t.TempDir()
	out := mustCall(t, "sweep", "vecadd", "--set", "workload.size=1024", "--vary", "memory.codec=bdi,"+module, "--store", dir)
	if !strings.Contains(out, "vecadd 1024 grid, plugin ") || !strings.Contains(out, "2 runs done") {
		t.Error(out)
	}
	out = mustCall(t, "sweep", "vecadd", "--set", "workload.size=1024", "--vary", "memory.codec=bdi,"+module, "--store", dir)
	if !strings.Contains(out, "2 were in the store") {
		t.Error(out)
	}
	// dct is approximated as shipped, on the symbols of its codec. A module takes that codec's place, as in the page; who asks for both is told.
	out = mustCall(t, "run", "dct", "--set", "workload.size=64", "--codec", module)
	if !strings.Contains(out, "memory plugin ") {
		t.Error(out)
	}
	if status, _, errs := call("run", "dct", "--set", "workload.size=64", "--set", "memory.approximation=tslc-opt", "--codec", module); status == 0 || !strings.Contains(errs, "tslc-opt works on the symbols of codec e2mc16") {
		t.Errorf("status %d: %s", status, errs)
	}
	data := clitest.WriteTemp(t, "data.bin", []byte(strings.Repeat("BDI as a module ", 500)))
	rows := strings.Split(mustCall(t, "codec", "sizes", "--codec", "bdi,"+module, data), "\n")
	if rows[0] != "block,bdi,bdi.wasm" {
		t.Error(rows[0])
	}
	for _, row := range rows[1 : len(rows)-1] {
		if cells := strings.Split(row, ","); cells[1] != cells[2] {
			t.Error(row)
		}
	}
	for _, verb := range [][]string{{"codec", "report", data}, {"buddy", "profile", data}, {"buddy", "profile", "vecadd", "--set", "workload.size=1024"}} {
		name := mustCall(t, append(slices.Clone(verb), "--codec", "bdi", "--format", "csv")...)
		if got := mustCall(t, append(slices.Clone(verb), "--codec", module, "--format", "csv")...); strings.ReplaceAll(got, "bdi.wasm", "bdi") != name {
			t.Errorf("%v: %s\nbuilt in: %s", verb, got, name)
		}
	}
}

// TestHostilePluginsOfRuns: a module that cannot be used ends the command with the name of its file.
func TestHostilePluginsOfRuns(t *testing.T) {
	t.Parallel()
	for _, h := range plugintest.List() {
		file := clitest.WriteTemp(t, "mine.wasm", h.Binary)
		if strings.Contains(h.Name, "sizes") || h.Name == "batch outside" {
			// A run sizes one block at a time, a survey many.
			data := clitest.WriteTemp(t, "data.bin", []byte(strings.Repeat("some bytes", 5000)))
			if status, _, errs := call("codec", "report", "--codec", file, data); status == 0 || !strings.Contains(errs, h.Want) {
				t.Errorf("%s: status %d: %s", h.Name, status, errs)
			}
			continue
		}
		if status, _, errs := call("run", "vecadd", "--set", "workload.size=1024", "--codec", file); status == 0 || !strings.Contains(errs, file) {
			t.Errorf("%s: status %d: %s", h.Name, status, errs)
		}
	}
}

// TestTrainedPluginRuns: a module that makes a code table makes it from a run without compression, from a sample at the start, in a sweep
// and of a file; each point of a sweep is the run of that point.
func TestTrainedPluginRuns(t *testing.T) {
	t.Parallel()
	const module = "../../plugin/testdata/huffman.wasm"
	hash := func(sets ...string) string {
		args := []string{"run", "dct", "--set", "workload.size=64", "--set", "memory.approximation=none", "--codec", module, "--format", "json", "--paranoid"}
		for _, set := range sets {
			args = append(args, "--set", set)
		}
		out := mustCall(t, args...)
		if !strings.Contains(out, `"burstsSaved"`) || strings.Contains(out, `"burstsSaved": 0,`) {
			t.Errorf("%v: no burst is saved", sets)
		}
		_, after, _ := strings.Cut(out, `"resultHash": "`)
		return after[:16]
	}
	offline, online := hash(), hash("memory.probabilities=online")
	if again := hash("memory.probabilities=offline"); again != offline {
		t.Errorf("%s, then %s", offline, again)
	}
	if online == offline {
		t.Error("a sample from the start has no effect")
	}
	dir := t.TempDir()
	mustCall(t, "sweep", "dct", "--set", "workload.size=64", "--set", "memory.approximation=none", "--vary", "memory.codec=bdi,"+module, "--vary", "memory.probabilities=offline,online", "--store", dir)
	stored := ""
	files, err := filepath.Glob(dir + "/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stored += string(b)
	}
	for _, want := range []string{offline, online} {
		if !strings.Contains(stored, want) {
			t.Errorf("no point of the sweep has the result %s", want)
		}
	}
	data := clitest.WriteTemp(t, "data.bin", []byte(strings.Repeat("a code table of these few bytes ", 500)))
	out := mustCall(t, "codec", "plugin", "--module", module, data)
	report := mustCall(t, "codec", "report", "--codec", module, "--format", "csv", data)
	_, after, _ := strings.Cut(out, "ratio ")
	ratio, _, _ := strings.Cut(after, ",")
	if !strings.Contains(report, ratio) || ratio < "1.9" {
		t.Errorf("%s\n%s", out, report)
	}
	if status, _, errs := call("buddy", "profile", data, "--codec", module); status == 0 || !strings.Contains(errs, "without train") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// TestLossyPluginRuns: a lossy module changes what memory holds of buffers that may be approximated, the program's output shows it
// as an error, and the checks of a paranoid run hold. The small integers of pictures have an exact code, which saves bursts without an error.
func TestLossyPluginRuns(t *testing.T) {
	t.Parallel()
	const module = "../../plugin/testdata/half.wasm"
	run := func(program, size string) string {
		return mustCall(t, "run", program, "--set", "workload.size="+size, "--set", "memory.approximation=none", "--codec", module, "--format", "json", "--paranoid")
	}
	if out := run("vecadd", "1024"); strings.Contains(out, `"blocksReadLossy": 0,`) || strings.Contains(out, `"error": 0,`) || !strings.Contains(out, `"loss":`) {
		t.Error(out)
	}
	if out := run("dct", "64"); !strings.Contains(out, `"error": 0,`) || strings.Contains(out, `"burstsSaved": 0,`) {
		t.Error(out)
	}
	data := clitest.WriteTemp(t, "data.bin", []byte(strings.Repeat("half", 320)))
	if out := mustCall(t, "codec", "plugin", "--module", module, data); !strings.Contains(out, "half-plugin, lossy") || !strings.Contains(out, "ratio 2.0000") {
		t.Error(out)
	}
	if status, _, errs := call("run", "vecadd", "--set", "workload.size=1024", "--codec", module, "--set", "memory.approximation=none", "--set", "machine.preset=p100", "--set", "backing.kind=buddy"); status == 0 || !strings.Contains(errs, "lossy") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// TestStoredRunsOfPlugins: a run that is stored and goes on has the result of one that was not, while a module's sample is taken in a run
// without compression, while it is taken at the start, and with a lossy module.
func TestStoredRunsOfPlugins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ module, program, size, probabilities string }{
		{"huffman", "dct", "64", "offline"}, {"huffman", "dct", "64", "online"}, {"half", "vecadd", "4096", "offline"},
	} {
		s, err := cli.ProgramOrScenario(c.program)
		if err != nil {
			t.Fatal(err)
		}
		sets := []cli.Assignment{
			{Path: "workload.size", Value: c.size}, {Path: "memory.approximation", Value: "none"},
			{Path: "memory.codec", Value: "../../plugin/testdata/" + c.module + ".wasm"},
			{Path: "memory.probabilities", Value: c.probabilities},
		}
		if err := cli.Apply(s, sets); err != nil {
			t.Fatal(err)
		}
		plan, err := experiment.PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		fresh := func() *experiment.Study {
			study, err := experiment.NewStudy(plan)
			if err != nil {
				t.Fatal(err)
			}
			return study
		}
		whole, err := fresh().Run(plan, experiment.Options{}).Finish()
		if err != nil {
			t.Fatal(err)
		}
		run := fresh().Run(plan, experiment.Options{})
		stored := map[experiment.Phase]int{}
		for steps := 0; ; steps++ {
			done, err := run.Step(1000)
			if err != nil {
				t.Fatal(err)
			}
			if done {
				break
			}
			if phase := run.Phase(); phase != experiment.PhaseReference && run.Machine() != nil ||
				run.Profiler() != nil {
				var b bytes.Buffer
				if err := run.WriteState(&b, "a build"); err != nil {
					t.Fatal(err)
				}
				if run, err = fresh().Resume(plan, experiment.Options{}, "a build", &b); err != nil {
					t.Fatal(err)
				}
				stored[phase]++
			}
		}
		if got := run.Result().ResultHash; got != whole.ResultHash || stored[experiment.PhaseSimulate] < 2 || c.module == "huffman" && c.probabilities == "offline" && stored[experiment.PhaseProfile] < 3 {
			t.Errorf("%v: result %s after states in %v, without %s", c, got, stored, whole.ResultHash)
		}
	}
}
