package run

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Folder writes files into a new folder.
func folder(t *testing.T, files map[string][]byte) (path func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	path = func(name string) string { return filepath.Join(dir, name) }
	for name, content := range files {
		if err := os.WriteFile(path(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// A host that reads the flag back after each level makes the levels of the shipped program, which knows from the
// graph when
// to stop. The exact run and the machine each read their own memory.
func TestHostDrivenBFS(t *testing.T) {
	text, err := os.ReadFile("testdata/host/bfs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := programs.Build("bfs1", programs.Params{Size: 4096})
	if err != nil {
		t.Fatal(err)
	}
	init := func(i int) []byte {
		b := make([]byte, shipped.Buffers[i].Bytes)
		copy(b, shipped.Buffers[i].Init)
		return b
	}
	in := folder(t, map[string][]byte{
		"bfs.yaml": text, "bfs.ptx": shipped.PTX, "nodes.bin": init(0), "edges.bin": init(1),
		"first.bin": init(2), "cost.bin": init(5),
	})
	for _, preset := range []string{"gtx480", "a100", "h200"} {
		s := scenario.Default("bfs1")
		s.Workload.Size, s.Machine.Preset = 4096, preset
		plan, err := experiment.PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Finish(plan, NewMeter())
		if err != nil {
			t.Fatal(err)
		}
		var got experiment.Result
		out := mustCall(t, "exec", in("bfs.yaml"), "--preset", preset, "--format", "json")
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		levels, err := os.ReadFile(in("levels.bin"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(levels, want.Outputs[0]) || got.Error != 0 {
			t.Errorf("%s: other levels than the shipped program's, error %v", preset, got.Error)
		}
		// Two copies, and for each level a fill and two kernels. The shipped program has two launches a level.
		if n := 2 + len(want.Launches)/2*3; len(got.Launches) != n {
			t.Errorf("%s: %d launches, want %d", preset, len(got.Launches), n)
		}
	}
	if err := os.Remove(in("levels.bin")); err != nil {
		t.Fatal(err)
	}
	mustCall(t, "exec", in("bfs.yaml"), "--functional")
	if levels, err := os.ReadFile(in("levels.bin")); err != nil || len(levels) != 4*4096 {
		t.Errorf("--functional: %v", err)
	}
	few := bytes.Replace(text, []byte("rounds: 100"), []byte("rounds: 3"), 1)
	if err := os.WriteFile(in("few.yaml"), few, 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := call("exec", in("few.yaml"))
	for _, want := range []string{"workload.ptx.launches[2].loop: the loop has not ended after 3 rounds",
		"kernel bfs_update (bfs.ptx:128)"} {
		if status != 1 || !strings.Contains(stderr, want) {
			t.Errorf("three rounds: %d, %q, want %q", status, stderr, want)
		}
	}
}
