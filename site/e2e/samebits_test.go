package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/tools/wasmlink"
)

// shippedScenarios reads assets/scenarios.
func shippedScenarios(t *testing.T) map[string]*scenario.Scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "assets", "scenarios", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	all := map[string]*scenario.Scenario{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := authoring.ParseYAML(filepath.Base(file), data)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yaml")] = s
	}
	return all
}

// sides are the two runs the page makes of a scenario.
func sides(s *scenario.Scenario) map[string]scheme.Memory {
	other := scheme.DefaultMemory()
	if s.Compare != nil {
		other = s.Compare.Memory
	}
	return map[string]scheme.Memory{"A": other, "B": s.Memory}
}

// sizeUnderNode holds the inputs that node gets: a quarter to an eighth of each scenario's work.
var sizeUnderNode = map[string]int{"blackscholes": 40000, "dct": 192, "matmul": 64, "transpose": 384, "vecadd": 65536}

// TestSameBitsEverywhere: a scenario has one result, whether a native program, a
// WebAssembly program under node or the page in Chromium computes it. The page
// cuts its runs into slices of its own, so that is covered too.
func TestSameBitsEverywhere(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	cli := buildForNode(t)
	asEverybody := optimizing.started(t)
	t.Run("plugin", func(t *testing.T) {
		t.Parallel()
		s, m := pluginScenario(t)
		under := cli.run(t, "run", "assets/scenarios/dct.yaml", "--format", "json", "--set", "workload.size=128", "--set", "memory.approximation=none", "--codec", pluginModule)
		if native := nativeHash(t, s, m); under.ResultHash != native {
			t.Errorf("natively %s, under node %s", native, under.ResultHash)
		}
	})
	for name, s := range shippedScenarios(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := asEverybody.openLean(t, server.URL+"/#v=1&picture=plain&s="+name)
			inPage := p.finish()
			for side, memory := range sides(s) {
				native := nativeHash(t, s, memory)
				if native == "" {
					t.Fatal("the native run has no hash")
				}
				if got := inPage.ResultHashes[side]; got != native {
					t.Errorf("side %s: natively %s, in Chromium %s", side, native, got)
				}
			}
			// Under node a smaller input of the compressed side stands for both sides: TestMatrix of core/experiment
			// has every scheme there, side A's too.
			small := *s
			small.Workload.Size = sizeUnderNode[s.Workload.Name]
			if small.Workload.Size == 0 {
				t.Fatalf("sizeUnderNode lacks %s", s.Workload.Name)
			}
			native := nativeHash(t, &small, s.Memory)
			if got := cli.hash(t, name, small.Workload.Size, s.Memory); got != native {
				t.Errorf("size %d: natively %s, under node %s", small.Workload.Size, native, got)
			}
		})
	}
}

// TestSameBitsOverALink: the same holds of a run whose entries lie half behind the link of Buddy Compression, and the page
// knows as much of them. TestMatrixOfBackings has such runs under node.
func TestSameBitsOverALink(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	s := shippedScenarios(t)["vecadd"]
	link := "/#v=1&picture=plain&s=vecadd"
	for _, set := range [][2]string{
		{"machine.preset", "p100"}, {"workload.size", "65536"}, {"memory.codec", "bpc"}, {"backing.kind", "buddy"}, {"backing.targets", "4"},
	} {
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
		side := ""
		if strings.HasPrefix(set[0], "memory.") || strings.HasPrefix(set[0], "backing.") {
			side = "B."
		}
		link += "&" + side + set[0] + "=" + set[1]
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	native, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t).URL+link)
	inPage := p.finish()
	if got := inPage.ResultHashes["B"]; got != native.ResultHash || native.Stats["buddyReads"] == 0 {
		t.Errorf("natively %s with %d reads of buddy memory, in Chromium %s", native.ResultHash, native.Stats["buddyReads"], got)
	}
}

func nativeHash(t *testing.T, s *scenario.Scenario, memory scheme.Memory) string {
	t.Helper()
	return nativeHashOf(t, s, scheme.Scheme{Memory: memory})
}

func nativeHashOf(t *testing.T, s *scenario.Scenario, of scheme.Scheme) string {
	t.Helper()
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := experiment.New(plan.With(of), experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return result.ResultHash
}

// nodeProgram is the command line tool as WebAssembly.
type nodeProgram struct {
	exec    []string
	program string
}

// underNode is the command that runs a Go program under node, as build.sh runs the tests of core:
// with the second compilation as late as in the browser most tests share.
func underNode(t *testing.T) []string {
	t.Helper()
	compiler, err := wasmlink.Installed()
	if err != nil {
		t.Fatal(err)
	}
	command := []string{"node", "--stack-size=8192"}
	if late := "--wasm-tiering-budget=100000000"; exec.Command("node", late, "-e", "0").Run() == nil {
		command = append(command, late)
	}
	return append(command, compiler.Wasm("wasm_exec_node.js"))
}

func buildForNode(t *testing.T) nodeProgram {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is missing. Install it: apt install nodejs, brew install node, or https://nodejs.org/")
	}
	n := nodeProgram{exec: underNode(t), program: filepath.Join(t.TempDir(), "burstscope.wasm")}
	// With the flags of the page's engine, because its packages and those of the tests under node are compiled then.
	build := exec.Command("go", "build", "-trimpath", "-pgo=tools/burstscope/default.pgo", "-o", n.program,
		"./tools/burstscope")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return n
}

func (n nodeProgram) hash(t *testing.T, name string, size int, m scheme.Memory) string {
	t.Helper()
	args := []string{"run", "assets/scenarios/" + name + ".yaml", "--format", "json", "--set", "workload.size=" + strconv.Itoa(size)}
	for _, set := range [][2]string{
		{"codec", m.Codec()}, {"probabilities", m.Probabilities()}, {"decodingWays", strconv.Itoa(m.DecodingWays())},
		{"mag", strconv.Itoa(m.MAG())}, {"approximation", m.Approximation()}, {"threshold", strconv.Itoa(m.Threshold())},
	} {
		args = append(args, "--set", "memory."+set[0]+"="+set[1])
	}
	return n.run(t, args...).ResultHash
}

// run runs the tool under node with arguments that make it print one result as JSON.
func (n nodeProgram) run(t *testing.T, args ...string) *experiment.Result {
	t.Helper()
	cmd := exec.Command(n.exec[0], slices.Concat(n.exec[1:], []string{n.program}, args)...)
	cmd.Dir = root
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, faults.String())
	}
	var result experiment.Result
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	return &result
}
