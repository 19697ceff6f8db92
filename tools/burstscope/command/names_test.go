package command

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// Every verb that takes a scenario takes a shipped scenario, a program and its short name alike, and says the same of a
// name that is none of them.
func TestNamesOfScenarios(t *testing.T) {
	small := []string{"--set", "workload.size=1024"}
	for _, name := range []string{"vecadd", "kmeans", "KM"} {
		for _, args := range [][]string{
			append([]string{"run", name, "--quiet"}, small...), {"scenario", "check", name}, append([]string{"loads", name}, small...),
			append([]string{"estimate", name, "--set", "memory.codec=bpc", "--to", "memory.mag=64"}, small...),
		} {
			if name != "vecadd" && args[0] == "loads" {
				args = []string{"loads", name, "--set", "workload.size=1024", "--set", "loads.which=all", "--set", "loads.force=on"}
			}
			if status, _, errs := call(args...); status != 0 && !strings.Contains(errs, "loads.which") {
				t.Errorf("%v: %d %s", args, status, errs)
			}
		}
	}
	for _, args := range [][]string{{"run", "kmean"}, {"loads", "kmean"}, {"why", "kmean"}, {"estimate", "kmean", "--to", "memory.mag=64"}, {"scenario", "check", "kmean"}, {"sweep", "kmean", "--vary", "memory.mag=32,64"}} {
		status, out, errs := call(args...)
		if status == 0 || !strings.Contains(out+errs, "unknown scenario: kmean") || !strings.Contains(out+errs, "did you mean kmeans?") {
			t.Errorf("%v: %d %s%s", args, status, out, errs)
		}
	}
}

// Choices that exclude each other are refused with the nearest legal settings, and the table of them is printed.
func TestExclusionsAreSaid(t *testing.T) {
	for _, c := range []struct{ sets, want string }{
		{"machine.preset=p100 backing.kind=buddy", "nearest legal settings: add --set memory.approximation=none "},
		{"backing.kind=buddy", "nearest legal settings: add --set machine.preset=p100 --set memory.approximation=none "},
		{"backing.kind=buddy machine.preset=gtx580b", "nearest legal settings: add --set backing.kind=none "},
		{"memory.codec=bpc", "nearest legal settings: add --set memory.approximation=none "},
	} {
		args := []string{"run", "dct"}
		for _, one := range strings.Fields(c.sets) {
			args = append(args, "--set", one)
		}
		if status, _, errs := call(args...); status != cli.ExitFault || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %s", c.sets, status, errs)
		}
	}
	out := mustCall(t, "scheme", "--exclusions")
	for _, want := range []string{"Buddy Compression, bandwidth-only compression\n", "  not with TSLC-SIMP, TSLC-PRED, TSLC-OPT: it stores entries exactly\n", "HBM2 presets such as p100"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// A system that did nothing is named with the reason, in text and JSON.
func TestIdleSystemsAreSaid(t *testing.T) {
	args := []string{"run", "tp", "--set", "workload.size=64", "--set", "loads.policy=rfvp"}
	const want = "RFVP did nothing: no request that it could drop had a trained row."
	if out := mustCall(t, args...); !strings.Contains(out, "\n"+want+"\n") {
		t.Errorf("no %q in\n%s", want, out)
	}
	if out := mustCall(t, append(args, "--format", "json")...); !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
}
