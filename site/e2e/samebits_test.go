package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/scheme"
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

// TestSameBitsEverywhere: a scenario has one result, whether a native program, a
// WebAssembly program under node or the page in Chromium computes it. The page
// cuts its runs into slices of its own, so that is covered too.
func TestSameBitsEverywhere(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	cli := buildForNode(t)
	asEverybody := launch(t, withGraphics)
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
				// Under node the compressed side stands for both: TestSameBitsMatrix has every
				// scheme there, side A's too.
				if side == "A" {
					continue
				}
				if got := cli.hash(t, name, memory); got != native {
					t.Errorf("side %s: natively %s, under node %s", side, native, got)
				}
			}
		})
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
type nodeProgram struct{ exec, program string }

func buildForNode(t *testing.T) nodeProgram {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is missing. Install it: apt install nodejs, brew install node, or https://nodejs.org/")
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	n := nodeProgram{
		exec:    filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"),
		program: filepath.Join(t.TempDir(), "burstscope.wasm"),
	}
	// Without a profile, because the packages are then those that the tests of core under node have
	// compiled.
	build := exec.Command("go", "build", "-pgo=off", "-o", n.program, "./tools/burstscope")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return n
}

func (n nodeProgram) hash(t *testing.T, name string, m scheme.Memory) string {
	t.Helper()
	args := []string{"run", "assets/scenarios/" + name + ".yaml", "--format", "json"}
	for _, set := range [][2]string{
		{"codec", m.Codec}, {"probabilities", m.Probabilities}, {"decodingWays", strconv.Itoa(m.DecodingWays)},
		{"mag", strconv.Itoa(m.MAG)}, {"approximation", m.Approximation}, {"threshold", strconv.Itoa(m.Threshold)},
	} {
		args = append(args, "--set", "memory."+set[0]+"="+set[1])
	}
	return n.run(t, args...).ResultHash
}

// run runs the tool under node with arguments that make it print one result as JSON.
func (n nodeProgram) run(t *testing.T, args ...string) *experiment.Result {
	t.Helper()
	cmd := exec.Command(n.exec, append([]string{n.program}, args...)...)
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
