package data

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestFit: a model fits or not, with targets, links and sources, as text, JSON and CSV.
func TestFit(t *testing.T) {
	file := clitest.TensorFile(t, "m.safetensors", 0)
	var r fitReport
	if err := json.Unmarshal([]byte(mustCall(t, "fit", file, "--gpu", "v100", "--link", "nvlink4", "--whole", "50GB", "--sample-mb", "1", "--format", "json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Answer.FitsPlain || !r.Answer.Fits || r.Answer.WholeBytes != 50e9 || len(r.Answer.Rows) != 1 || r.Answer.Rows[0].Simulated <= 0 || r.SampleBytes == 0 {
		t.Errorf("%+v", r.Answer)
	}
	if r.Profile.Allocations[1].Target != "16" || r.Profile.CapacityRatio < 1.5 {
		t.Errorf("%+v", r.Profile)
	}
	rows := clitest.Table(t, mustCall(t, "fit", file, "--sample-mb", "0", "--format", "csv"))
	if len(rows) != 8 || rows[1][1] != "pcie4" || rows[7][1] != "nvlink4" || rows[7][len(rows[7])-1] == "" {
		t.Errorf("%v", rows)
	}
	if rows[1][3] != "0" {
		t.Errorf("with --sample-mb 0 the simulator says %s", rows[1][3])
	}
	text := mustCall(t, "fit", file, "--gpu", "p100", "--sample-mb", "0", "--whole", "100GB")
	for _, want := range []string{"does not fit, even with Buddy Compression", "capacity ratio", "PCI Express Base Specification 4.0", "latency:", "slowdown = "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestFitRefuses: wrong files and flags are named, with what to do.
func TestFitRefuses(t *testing.T) {
	file := clitest.TensorFile(t, "m.safetensors", 0)
	cut := clitest.TensorFile(t, "cut.safetensors", 1000)
	header := clitest.WriteTemp(t, "header.safetensors", []byte{200, 0, 0, 0, 0, 0, 0, 0, '{', '"', 'a'})
	for _, c := range []struct{ args, want string }{
		{"", "name one"},
		{"nothing.npy", "nothing.npy"},
		{cut, "cut.safetensors"},
		{header, "header"},
		{file + " --gpu gtx480", "use one of p100, v100, a100, h100"},
		{file + " --link usb", "use one of pcie4, cxl2"},
		{file + " --whole many", "140GB"},
		{file + " --whole -1GB", "140GB"},
		{file + " --whole 1kB", "give at least as many"},
		{file + " --threshold 101", "use 0 to 100"},
		{file + " --judge all", "use worst or mean"},
		{file + " --sample-mb 65", "use 0 to 64"},
		{file + " --format xml", "xml"},
	} {
		status, _, errs := call(append([]string{"fit"}, strings.Fields(c.args)...)...)
		if status == 0 || !strings.Contains(errs, c.want) || strings.Contains(errs, "internal error") {
			t.Errorf("%s: status %d, %s, want %s", c.args, status, errs, c.want)
		}
	}
}
