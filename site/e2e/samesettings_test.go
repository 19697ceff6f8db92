package e2e

import (
	"maps"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

// sameUnderNode runs a program with settings of the form "name=value" natively and as WebAssembly under node. It
// reports results and counters that differ, and a result with an error, and returns the native one.
func sameUnderNode(t *testing.T, cli nodeProgram, program string, settings ...string) *experiment.Result {
	t.Helper()
	s := scenario.Default(program)
	args := []string{"run", "vecadd", "--format", "json", "--set", "workload.name=" + program}
	for _, set := range settings {
		name, value, _ := strings.Cut(set, "=")
		if err := s.Set(name, value); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--set", set)
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	native, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	node := cli.run(t, args...)
	if native.ResultHash == "" || node.ResultHash != native.ResultHash || node.Error != 0 {
		t.Errorf("%s with %s: natively %s, under node %s with error %g", program, strings.Join(settings, " "), native.ResultHash, node.ResultHash, node.Error)
	}
	if !maps.Equal(node.Stats, native.Stats) {
		t.Errorf("%s with %s: natively the counters are %v, under node %v", program, strings.Join(settings, " "), native.Stats, node.Stats)
	}
	return native
}
