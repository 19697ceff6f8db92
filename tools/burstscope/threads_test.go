package main

import (
	"strings"
	"testing"
)

// TestThreadsOfARun: what a run prints does not depend on its threads; a number that is none is refused, and a run
// that keeps to one thread says why.
func TestThreadsOfARun(t *testing.T) {
	run := func(args ...string) (out, errs string) {
		t.Helper()
		status, out, errs := call(append([]string{"run", "dct", "--set", "workload.size=64", "--format", "json"}, args...)...)
		if status != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
		return out, errs
	}
	want, _ := run("--threads", "1")
	for _, args := range [][]string{nil, {"--threads", "2"}, {"--threads", "7"}} {
		if out, errs := run(args...); out != want || strings.Contains(errs, "one thread") {
			t.Errorf("%v: another result, or %s", args, errs)
		}
	}
	const alone = "--threads 2: the run had one thread, because the GPU has few SMs"
	if _, errs := run("--set", "machine.preset=mini", "--threads", "2"); !strings.Contains(errs, alone) {
		t.Errorf("on a small GPU: %s", errs)
	}
	for _, n := range []string{"0", "-1", "33", "two", ""} {
		status, _, errs := call("run", "dct", "--threads", n)
		if status != exitUsage || !strings.Contains(errs, "want 1 to 32") {
			t.Errorf("--threads %q: %d %s", n, status, errs)
		}
	}
}
