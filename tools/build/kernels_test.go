package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/kernels"
)

// TestPackKernels: the page gets the kernels of every program unchanged, and the engine gets a sum
// for each.
func TestPackKernels(t *testing.T) {
	stage := t.TempDir()
	if err := packKernels(stage); err != nil {
		t.Fatal(err)
	}
	files, err := readStage(stage)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := kernelSums()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(sums, ","); n != len(files) || n != len(kernels.Names()) || n == 0 {
		t.Errorf("%d sums, %d files, %d programs", n, len(files), len(kernels.Names()))
	}
	for _, name := range kernels.Names() {
		ptx, cuda, err := kernels.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ PTX, CUDA string }
		script := strings.TrimSuffix(strings.TrimPrefix(string(files["kernels/"+name+".js"]), "self.burstscopeLoaded="), ";\n")
		if err := json.Unmarshal([]byte(script), &got); err != nil || got.PTX != ptx || got.CUDA != cuda {
			t.Errorf("%s: the script holds other kernels: %v", name, err)
		}
		if !strings.Contains(","+sums, ","+name+"=") {
			t.Errorf("%s has no sum", name)
		}
	}
	if strings.ContainsAny(sums, " '\"") {
		t.Errorf("the linker's flag cannot hold %s", sums)
	}
}
