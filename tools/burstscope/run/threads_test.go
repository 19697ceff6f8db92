package run

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestThreadsOfARun: what a run prints does not depend on its threads; a number that is none is refused, and a run
// that keeps to one thread says why.
func TestThreadsOfARun(t *testing.T) {
	run := func(args ...string) string {
		t.Helper()
		status, out, errs := call(append([]string{"run", "dct", "--set", "workload.size=64", "--format", "json"}, args...)...)
		if status != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
		return out
	}
	want := run("--threads", "1")
	for _, args := range [][]string{nil, {"--threads", "2"}, {"--threads", "7"}} {
		if out := run(args...); out != want {
			t.Errorf("%v: another result", args)
		}
	}
	var status strings.Builder
	threadsAsked(2).explain(&status, &experiment.Result{OneThread: "the GPU has few SMs"})
	threadsAsked(0).explain(&status, &experiment.Result{OneThread: "nobody asked"})
	threadsAsked(2).explain(&status, &experiment.Result{})
	if status.String() != "--threads 2: the run had one thread, because the GPU has few SMs\n" {
		t.Errorf("one thread: %q", status.String())
	}
	run("--set", "machine.preset=mini", "--threads", "2")
	for _, n := range []string{"0", "-1", "33", "two", ""} {
		status, _, errs := call("run", "dct", "--threads", n)
		if status != cli.ExitUsage || !strings.Contains(errs, "want 1 to 32") {
			t.Errorf("--threads %q: %d %s", n, status, errs)
		}
	}
}
