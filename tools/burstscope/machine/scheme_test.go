package machine

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// TestNewSchemeIsOneEntry: a new scheme needs one entry in a group. --set, sweep --vary,
// checks, lists, locks and the machine read that entry. The page gets the list that
// scheme.Describe returns.
func TestNewSchemeIsOneEntry(t *testing.T) {
	g := scheme.Find("l1")
	before := g.Entries
	t.Cleanup(func() { g.Entries = before })
	g.Entries = append(before[:len(before):len(before)], system.Entry{
		Name: "toy", Title: "Toy", About: "L1 answers later.",
		Settings: []system.Setting{{Name: "delay", Title: "delay", Unit: "cycles", Low: 1, High: 100, Default: 7, About: "How much later."}},
		Configure: func(p system.Part, g *parameter.GPU, _ *machine.Job) error {
			g.SM.L1.LatencyCycles += p.Int("delay")
			return nil
		},
	})
	small := []string{"--set", "machine.preset=mini", "--set", "workload.size=4096"}
	cycles := func(sets ...string) uint64 {
		args := append([]string{"run", "matmul", "--set", "workload.size=64", "--set", "machine.preset=mini", "--format", "json"}, sets...)
		var r struct{ Cycles uint64 }
		if err := json.Unmarshal([]byte(mustCall(t, args...)), &r); err != nil {
			t.Fatal(err)
		}
		return r.Cycles
	}
	none, few, many := cycles(), cycles("--set", "l1.store=toy"), cycles("--set", "l1.delay=90", "--set", "l1.store=toy")
	if none == few || few == many || none == many {
		t.Errorf("the store changes nothing: %d cycles with none, %d with toy, %d with a longer delay", none, few, many)
	}
	if again := cycles("--set", "l1.store=none"); again != none {
		t.Errorf("%d cycles after toy, %d before", again, none)
	}
	if out := mustCall(t, append([]string{"run", "vecadd", "--set", "l1.store=toy", "--set", "l1.delay=9"}, small...)...); !strings.Contains(out, "l1 Toy (delay 9 cycles)") {
		t.Errorf("the table does not name the store:\n%s", out)
	}
	_, _, errs := call(append([]string{"run", "vecadd", "--set", "l1.store=toy", "--set", "l1.delay=1000"}, small...)...)
	if want := "l1.delay: 1000 is out of range: use 1 to 100 cycles"; !strings.Contains(errs, want) {
		t.Errorf("%q does not say %q", errs, want)
	}

	store := t.TempDir()
	mustCall(t, append([]string{"sweep", "vecadd", "--vary", "l1.store=none,toy", "--store", store}, small...)...)
	var stores []string
	for text := range maps.Values(clitest.Contents(t, store)) {
		var e sweep.Entry
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		stores = append(stores, e.Result.L1.Choice(g))
	}
	if slices.Sort(stores); !slices.Equal(stores, []string{"none", "toy"}) {
		t.Errorf("the store has results of %v", stores)
	}

	if out := mustCall(t, "scheme"); !strings.Contains(out, "l1.store=toy") || !strings.Contains(out, "l1.delay") {
		t.Errorf("the list has no toy:\n%s", out)
	}
	if out := mustCall(t, "scheme", "--format", "json"); !strings.Contains(out, `"path": "l1.delay"`) {
		t.Errorf("the list for programs has no toy:\n%s", out)
	}
	for _, path := range []string{"l1.delay", "compare.l1.delay"} {
		if !slices.Contains(scenario.Paths(), path) || !slices.Contains(scenario.Controls(), path) {
			t.Errorf("%s is no path, or no control", path)
		}
	}
}
