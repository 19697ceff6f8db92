package machine

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// A converted machine runs, with the DRAM's commands checked, and the report says what became of the options.
func TestConvertRuns(t *testing.T) {
	t.Parallel()
	config := clitest.WriteTemp(t, "gpgpusim.config", []byte(`-gpgpu_compute_capability_major 2
-gpgpu_n_clusters 4
-gpgpu_n_mem 2
-gpgpu_scheduler lrr
-gpgpu_l1_banks 4
-gpgpu_dram_timing_opt "nbk=16:CCD=2:RRD=6:RCD=13:RAS=28:RP=12:RC=41:CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2"
`))
	out := filepath.Join(t.TempDir(), "mine.yaml")
	text := mustCall(t, "convert", config, "--out", out)
	for _, want := range []string{
		"on the preset gtx480", "    sms: 4 ", "    sm.policy: lrr ", "    dram.rcd: 13 ",
		"-gpgpu_l1_banks 4\n      L1 takes one line a cycle",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := mustCall(t, "run", out, "--set", "workload.size=16384", "--check-dram"); !strings.Contains(got, "Cycles") {
		t.Error(got)
	}
	if got := mustCall(t, "convert", config, "--format", "json"); !strings.Contains(got, `"path": "sms"`) {
		t.Error(got)
	}
	for args, want := range map[string]string{
		"convert": "no file", "convert nothing.config": "nothing.config",
		"convert " + config + " --workload x --out " + out: "--workload",
		"convert " + config + " --preset x":                "x",
	} {
		if status, _, errs := call(strings.Fields(args)...); status == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}
