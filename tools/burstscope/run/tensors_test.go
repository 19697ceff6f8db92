package run

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/kernels"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestExecReadsTensors: the softmax of one tensor of two, whose element type the scenario keeps.
func TestExecReadsTensors(t *testing.T) {
	t.Parallel()
	zeros, ones := make([]byte, 128), make([]byte, 128)
	for i := 0; i < len(ones); i += 2 {
		binary.LittleEndian.PutUint16(ones[i:], 0x3c00)
	}
	binary.LittleEndian.PutUint16(ones, 0x4c00) // 16: all others are below e^-15 of it
	header := `{"zeros":{"dtype":"F16","shape":[1,64],"data_offsets":[0,128]},"layer.ones":{"dtype":"F16","shape":[1,64],"data_offsets":[128,256]}}`
	file := clitest.TensorsIn(t, "m.safetensors", header, append(zeros, ones...))
	ptx, _, err := kernels.Text("layers")
	if err != nil {
		t.Fatal(err)
	}
	program, out := filepath.Join(t.TempDir(), "layers.ptx"), filepath.Join(t.TempDir(), "out.bin")
	if err := os.WriteFile(program, []byte(ptx), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(spec string) []string {
		return []string{"exec", program, "--entry", "softmax", "--block", "32", "--functional", "--arg", spec, "out:" + out + ":128", "u32:1", "u32:32"}
	}
	mustCall(t, run("in:"+file+"#layer.ones")...)
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if first, second := binary.LittleEndian.Uint16(got), binary.LittleEndian.Uint16(got[2:]); first != 0x3c00 || second > 0x10 {
		t.Errorf("shares %#x and %#x, want 1 (0x3c00) and nearly 0", first, second)
	}
	s, _, err := execScenario(run("in:" + file + "#layer.ones")[1:])
	if err != nil || s.Workload.PTX.Args[0].Element != "f16" {
		t.Errorf("the scenario has element %q, want f16: %v", s.Workload.PTX.Args[0].Element, err)
	}
	cut := clitest.TensorsIn(t, "cut.safetensors", header, zeros)
	for spec, want := range map[string][]string{
		"in:" + file + "#none":               {"m.safetensors", `"none"`, "layer.ones"},
		"in:" + file + "#":                   {"name an array"},
		"in:" + cut + "#zeros":               {"cut.safetensors", "byte ", "cut off"},
		"in:" + file + "x.safetensors#zeros": {"cannot read"},
	} {
		status, _, errs := call(run(spec)...)
		for _, w := range want {
			if status == 0 || !strings.Contains(errs, w) {
				t.Errorf("%s: status %d, %q does not say %q", spec, status, errs, w)
			}
		}
	}
}
