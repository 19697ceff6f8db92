package data

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestBuddyProfileOfFiles: smooth data get 4x, zeros 16x, noise nothing, as text, JSON and CSV.
func TestBuddyProfileOfFiles(t *testing.T) {
	file := clitest.TensorFile(t, "m.safetensors", 0)
	var r profile.Report
	if err := json.Unmarshal([]byte(mustCall(t, "buddy", "profile", file, "--format", "json")), &r); err != nil {
		t.Fatal(err)
	}
	targets := map[string]string{}
	for _, a := range r.Allocations {
		targets[a.Name] = a.Target
	}
	if targets["smooth"] != "4" || targets["zeros"] != "16" || targets["noise"] != "1" || r.Snapshots != 1 || r.BuddyShare != 0 {
		t.Errorf("%+v", r)
	}
	rows := clitest.Table(t, mustCall(t, "buddy", "profile", file, file, "--way", "per-allocation", "--format", "csv"))
	if len(rows) != 4 || rows[2][0] != "zeros" || rows[2][2] != "4" {
		t.Errorf("%v", rows)
	}
	if text := mustCall(t, "buddy", "profile", file, "--threshold", "100"); !strings.Contains(text, "capacity ratio 4.000") {
		t.Error(text)
	}
}

// TestBuddyProfileOfAProgram: a program runs with ten snapshots.
func TestBuddyProfileOfAProgram(t *testing.T) {
	var r profile.Report
	if err := json.Unmarshal([]byte(mustCall(t, "buddy", "profile", "vecadd", "--set", "workload.size=4096", "--format", "json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Snapshots != profile.Snapshots || len(r.Allocations) != 3 || r.CapacityRatio < 1 {
		t.Errorf("%+v", r)
	}
}

// TestBuddyProfileRefuses: wrong files and flags are named, with what to do.
func TestBuddyProfileRefuses(t *testing.T) {
	file := clitest.TensorFile(t, "m.safetensors", 0)
	cut := clitest.TensorFile(t, "cut.safetensors", 1000)
	header := clitest.WriteTemp(t, "header.safetensors", []byte{200, 0, 0, 0, 0, 0, 0, 0, '{', '"', 'a'})
	other := clitest.WriteTemp(t, "other.bin", make([]byte, 256))
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "use burstscope buddy profile FILE..."},
		{"profile", "name one, or a program"},
		{"profile nothing.npy", "nothing.npy"},
		{"profile " + cut, "cut.safetensors"},
		{"profile --format json " + header, "header"},
		{"profile " + file + " " + other, "use snapshots of the same arrays"},
		{"profile " + file + " --threshold 101", "use 0 to 100"},
		{"profile " + file + " --way best", "use one of zero-page, per-allocation, naive"},
		{"profile " + file + " --codec e2mc16", "needs no statistics"},
		{"profile " + file + " --pages 4KB", "use one of 64KB, 2MB"},
		{"profile " + file + " --judge all", "use worst or mean"},
		{"profile " + file + " --set seed=2", "leave it out"},
	} {
		status, _, errs := call(append([]string{"buddy"}, strings.Fields(c.args)...)...)
		if status == 0 || !strings.Contains(errs, c.want) || strings.Contains(errs, "internal error") {
			t.Errorf("%s: status %d, %s, want %s", c.args, status, errs, c.want)
		}
	}
}
