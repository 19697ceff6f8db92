//go:build linux && !nogpu

package run

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/silicon/gpu/standin"
)

// onStandIn is a run of a fraction of a second whose GPU part goes to a stand-in.
func onStandIn(l *standin.Library, rest ...string) []string {
	return clitest.Small(append([]string{"--on", "gpu", "--gpu-library", l.Path}, rest...)...)
}

// gpuOf reads the GPU part of a report in JSON.
func gpuOf(t *testing.T, text string) (resultHash string, g gpuReport) {
	t.Helper()
	var report struct {
		ResultHash string    `json:"resultHash"`
		GPU        gpuReport `json:"gpu"`
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	return report.ResultHash, report.GPU
}

func TestRunOnGPU(t *testing.T) {
	alone := mustCall(t, clitest.Small("--format", "json")...)
	hash, _ := gpuOf(t, alone)
	l := standin.Build(t, "")
	withHash, g := gpuOf(t, mustCall(t, onStandIn(l, "--format", "json")...))
	if withHash != hash || g.Error != "" {
		t.Errorf("result %s with a GPU, %s without; %s", withHash, hash, g.Error)
	}
	// The stand-in's run n lasts 1000+100n ns. Runs 4 to 13 count.
	m := g.Measured
	if m.Name != "Stand-in 0" || m.Repetitions != 10 || m.WarmUps != 3 || m.MedianNanoseconds != 1850 || m.LeastNanoseconds != 1400 || m.GreatestNanoseconds != 2300 ||
		m.MeasuredClockMHz != 1500 || m.Cycles != 1850*1.5 || !m.Repeatable || m.ClockMHz != 1600 {
		t.Errorf("%+v", m)
	}
	if len(m.Outputs) != 1 || !m.Outputs[0].Equal || m.Outputs[0].With != "simulated" || m.Outputs[0].Buffer != "sum" || m.Outputs[0].Elements != 16384 {
		t.Errorf("%+v", m.Outputs)
	}

	text := mustCall(t, onStandIn(standin.Build(t, ""), "--gpu", "1", "--gpu-repetitions", "3")...)
	for _, want := range []string{
		"on Stand-in 1, driver ", ", compute capability 9.0\n",
		"GPU clock                            1500.0 MHz  Measured after the runs. The device allows 1600 MHz; memory: 3000 MHz.\n",
		"GPU time                                1.50 us  Median of 3 runs after 3 that are not timed; least 1.40 us, greatest 1.60 us.\n",
		"GPU cycles                                2,250  The median time at the measured clock.\n",
		"output sum                                equal  All 16,384 elements are equal to the simulated ones, byte by byte.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}

	rows, err := csv.NewReader(strings.NewReader(mustCall(t, onStandIn(standin.Build(t, ""), "--format", "csv")...))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v: %v", err, rows)
	}
	for name, want := range map[string]string{"gpuError": "", "gpuDevice": "Stand-in 0", "gpuMedianNanoseconds": "1850", "gpuCycles": "2775", "gpu.sum.simulated.equal": "true"} {
		if i := slices.Index(rows[0], name); i < 0 || rows[1][i] != want {
			t.Errorf("%s is not %q in\n%s", name, want, rows)
		}
	}
	for _, line := range l.Calls(t) {
		if strings.HasPrefix(line, "fault") {
			t.Error(line)
		}
	}
}

func TestDifferencesOnGPU(t *testing.T) {
	text := mustCall(t, onStandIn(standin.Build(t, "wrong"))...)
	// The stand-in adds 0.5 to element 17, subtracts 2 from element 40 and makes element 41 NaN.
	if want := "output sum                            different  3 of 16,384 elements differ from the simulated ones; the largest difference is 2, and 1 are NaN or infinite. First: element 17, GPU "; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	_, g := gpuOf(t, mustCall(t, onStandIn(standin.Build(t, "wrong"), "--format", "json")...))
	c := g.Measured.Outputs[0]
	if c.Equal || c.Different != 3 || c.First != 17 || c.Largest != 2 || c.NotFinite != 1 || c.FirstOnGPU == nil || c.FirstOther == nil || c.FirstOnGPU.Value == c.FirstOther.Value {
		t.Errorf("%+v", c)
	}
	if row := mustCall(t, onStandIn(standin.Build(t, "wrong"), "--format", "csv")...); !strings.Contains(row, "gpu.sum.simulated.firstOnGPU") || !strings.Contains(row, ",false,16384,3,2,1,17,") {
		t.Error(row)
	}
	if text := mustCall(t, onStandIn(standin.Build(t, "random"))...); !strings.Contains(text, "not repeatable") {
		t.Error(text)
	}
}

// If a scheme changes an output, the GPU is compared with the exact output as well.
func TestApproximatedOutputsOnGPU(t *testing.T) {
	lossy := []string{"--set", "workload.data=uniform", "--set", "memory.codec=e2mc16", "--set", "memory.approximation=tslc-opt", "--set", "memory.threshold=32"}
	text := mustCall(t, onStandIn(standin.Build(t, ""), lossy...)...)
	if !strings.Contains(text, "elements differ from the simulated ones") || !strings.Contains(text, "All 16,384 elements are equal to the exact ones, byte by byte.") {
		t.Error(text)
	}
}

// exec passes files and launches on, and writes the simulated outputs.
func TestExecOnGPU(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.bin")
	kernel := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	data := clitest.WriteTemp(t, "in.bin", clitest.Words(256, func(i int) uint32 { return uint32(i) }))
	for _, more := range [][]string{nil, {"--functional"}} {
		l := standin.Build(t, "")
		text := mustCall(t, append([]string{"exec", kernel, "--entry", "increment", "--grid", "2", "--block", "128", "--preset", "mini", "--repeat", "4",
			"--on", "gpu", "--gpu-library", l.Path, "--arg", "inout:" + data + ":" + out, "@launch"}, more...)...)
		if !strings.Contains(text, "All 256 elements are equal to the simulated ones") {
			t.Error(text)
		}
		got, err := os.ReadFile(out)
		if want := clitest.Words(256, func(i int) uint32 { return uint32(i) + 6 }); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("%v: %v...", err, got[:min(len(got), 32)])
		}
		if want := "cuLaunchKernel increment grid 2 1 1 block 128 1 1 shared 0 params 8 4"; !slices.Contains(l.Calls(t), want) {
			t.Errorf("no %s in\n%s", want, strings.Join(l.Calls(t), "\n"))
		}
	}
}

// A program without output buffers has nothing to compare, and says so.
func TestNoOutputsOnGPU(t *testing.T) {
	kernel := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	data := clitest.WriteTemp(t, "in.bin", make([]byte, 128))
	text := mustCall(t, "exec", kernel, "--entry", "increment", "--block", "32", "--functional", "--on", "gpu", "--gpu-library", standin.Build(t, "").Path, "--arg", "in:"+data, "u32:1")
	if !strings.Contains(text, "GPU time") || !strings.Contains(text, "no output buffer to compare") {
		t.Error(text)
	}
}

// A fault of the GPU part is one sentence, the simulated result is there, and the status is 1.
func TestFaultsOnGPU(t *testing.T) {
	hash, _ := gpuOf(t, mustCall(t, clitest.Small("--format", "json")...))
	library := func(behaviour string, macros ...string) func() string {
		return func() string { return standin.Build(t, behaviour, macros...).Path }
	}
	named := func(name string) func() string { return func() string { return name } }
	for i, c := range []struct {
		library func() string
		want    string
	}{
		{named("/nonexistent/libcuda.so.1"), "no NVIDIA driver: /nonexistent/libcuda.so.1 cannot be loaded"},
		{named("/dev/null"), "no NVIDIA driver: /dev/null cannot be loaded (it is not a file)"},
		{func() string { return t.TempDir() }, "is not a file"},
		{func() string {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			return pipe
		}, "is not a file"}, // opening it would wait for a writer
		{named("libc.so.6"), "libc.so.6 is not a CUDA driver library"},
		{library("", "WITHOUT_SET_ATTRIBUTE"), "the driver is too old"},
		{library("no device"), "the NVIDIA driver finds no GPU"},
		{library("old PTX"), "is too old for vecadd.ptx with PTX version 6.4"},
		{library("refuses"), "the driver refuses vecadd.ptx"},
		{library("small memory"), "too little memory for 65536 bytes"},
		{library("illegal"), "kernel vecadd reads or writes an address outside of its buffers"},
		{library("fails later"), "kernel vecadd reads or writes an address outside of its buffers"},
		{library("resources"), "cannot launch kernel vecadd"},
		{library("forever"), "kernel vecadd still runs after 1s: allow more time, or look for a loop without an end; --gpu-limit sets the limit"},
	} {
		for _, format := range []string{"text", "json", "csv"} {
			if format != "text" && i%4 != 0 {
				continue // what is printed beside a fault does not depend on the fault
			}
			status, out, errs := call(clitest.Small("--on", "gpu", "--gpu-library", c.library(), "--gpu-limit", "1", "--format", format)...)
			if status != cli.ExitFault || !strings.HasPrefix(errs, "on the GPU: ") || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("%s: status %d\n%s", c.want, status, errs)
			}
			switch format {
			case "text":
				if !strings.Contains(out, "result "+hash[:8]) || strings.Contains(out, "GPU time") {
					t.Errorf("%s:\n%s", c.want, out)
				}
			case "json":
				if got, g := gpuOf(t, out); got != hash || g.Measured != nil || g.Error+"\n" != errs {
					t.Errorf("%s: result %s, %+v", c.want, got, g)
				}
			case "csv":
				if !strings.Contains(out, hash) || !strings.Contains(out, "gpuError") || strings.Contains(out, "gpuDevice") {
					t.Errorf("%s:\n%s", c.want, out)
				}
			}
		}
	}
}

func TestBadGPUFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"run vecadd --on tpu", "use gpu; the simulator always runs"},
		{"run vecadd --gpu 1", "--gpu without a GPU: add --on gpu"},
		{"run vecadd --gpu-library libcuda.so.1", "--gpu-library without a GPU: add --on gpu"},
		{"run vecadd --on gpu --gpu -1", "use a whole number from 0 to 1023"},
		{"run vecadd --on gpu --gpu-repetitions 0", "use a whole number from 1 to 10000"},
		{"run vecadd --on gpu --gpu-limit 0.5", "use a whole number from 1 to 86400"},
		{"run vecadd --on gpu --gpu-limit 99999999999999999999", "use a whole number from 1 to 86400"},
		{"run vecadd --on gpu --source --format csv", "use --format json or text"},
		{"exec k.ptx --entry k --on gpu --source --format csv", "use --format json or text"},
		{"exec k.ptx --entry k --gpu-limit 3", "--gpu-limit without a GPU: add --on gpu"},
	} {
		if status, out, errs := call(strings.Fields(c.args)...); status != cli.ExitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.args, status, out, errs)
		}
	}
}
