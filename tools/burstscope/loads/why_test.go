package loads_test

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestWhyBlock: why names the copy of Hopper's copy unit, or the instruction, for which a block is read.
func TestWhyBlock(t *testing.T) {
	hopper := "why hoppergemm --set workload.size=128 --set machine.preset=h200 --set machine.overrides.sms=4 " +
		"--set machine.overrides.controllers=2 --block "
	text := mustCall(t, strings.Fields(hopper+"w+4200")...)
	for _, want := range []string{"byte 4096 of w: the first of ", " hoppergemm.ptx line ", "cp.async.bulk.tensor.2d",
		" lanes, ",
		"\nCopy: thread (128,0,0) of CTA (", "a box of 32x32 at (",
		", 0), 2048 bytes of f16, by tensor map hopper_gemm_param_1 of w, swizzle 64B, interleave none, to byte 0x",
		"It completes in phase 0 (parity 0) of the mbarrier at byte 0xa0"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(text, "Block "), ",")
	if again := mustCall(t, strings.Fields(hopper+address)...); again != text {
		t.Errorf("by its address:\n%sby its buffer:\n%s", again, text)
	}
	load := "why vecadd --set workload.size=4096 --set machine.preset=mini --block 0xc0000000"
	text = mustCall(t, strings.Fields(load)...)
	if !strings.Contains(text, "Cause: SM ") || !strings.Contains(text, "ld.global") || strings.Contains(text, "Copy") {
		t.Errorf("a load: %s", text)
	}
	for _, c := range []struct {
		words  string
		status int
		want   string
	}{
		{hopper + "y", cli.ExitFault, `"y" lies in no buffer: give an address, or a buffer and +BYTES; there are x (32768`},
		{hopper + "w+32768", cli.ExitFault, `"w+32768" lies in no buffer`},
		{hopper + "w+", cli.ExitFault, "lies in no buffer"},
		{hopper + "0x10", cli.ExitFault, `"0x10" lies in no buffer`},
		{hopper + "w --most 2", cli.ExitUsage, "give --block without --most"},
	} {
		if status, _, errs := call(strings.Fields(c.words)...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s", c.words, status, errs)
		}
	}
}

// TestWhyVerb: a picture's point, and command lines that ask for nothing that is there.
func TestWhyVerb(t *testing.T) {
	small := []string{"why", "gaussian", "--set", "workload.size=64"}
	text := mustCall(t, append(small, "--most", "1")...)
	for _, want := range []string{"gaussian of 64 on gtx480v3: element ", "predicted line ", "gaussian.cu:", "memory held ", "the element goes from "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := mustCall(t, append(small, "--at", "3,2", "--set", "loads.drop=0")...); !strings.Contains(text, "element 515 of d_dest") || !strings.Contains(text, "the element is exact") {
		t.Errorf("point 3, 2 of 256 columns: a pixel has four channels:\n%s", text)
	}
	for _, c := range []struct {
		words  string
		status int
		want   string
	}{
		{"why", cli.ExitUsage, "no program"},
		{"why matmul --most 0", cli.ExitUsage, "--most 0"},
		{"why matmul --within 100", cli.ExitUsage, "--within 100"},
		{"why matmul --element -2", cli.ExitUsage, "--element -2"},
		{"why matmul --element 1 --at 1,1", cli.ExitUsage, "--element 1"},
		{"why gaussian --set workload.size=64 --at 3", cli.ExitUsage, `--at "3"`},
		{"why gaussian --set workload.size=64 --at 256,0", cli.ExitFault, "picture of 256 x 64: give 0,0 to 255,63"},
		{"why fwt --set workload.size=4096 --at 1,1", cli.ExitFault, "output d_Data is no picture"},
		{"why matmul --set workload.size=32 --output x", cli.ExitFault, `no output "x"`},
	} {
		if status, _, errs := call(strings.Fields(c.words)...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s", c.words, status, errs)
		}
	}
}
