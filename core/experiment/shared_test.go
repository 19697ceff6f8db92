package experiment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

func scenarioOf(t *testing.T, name string, set ...string) *scenario.Scenario {
	t.Helper()
	s := scenario.Default(name)
	for _, one := range append([]string{"machine.preset=mini"}, set...) {
		path, value, _ := strings.Cut(one, "=")
		if err := s.Set(path, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

// schemePaths are the values that a family shares its runs across: all of the scheme but
// the MAG.
func schemePaths() []string {
	var list []string
	for _, path := range scheme.Paths() {
		if path != "memory.mag" {
			list = append(list, path)
		}
	}
	return list
}

// The keys differ wherever a shared thing depends on the difference, and are equal where it
// does not. Every path of a scenario that a run depends on has a row, so a new path needs a
// decision here.
func TestKeysOfSharedThings(t *testing.T) {
	base := []string{"workload.name=vecadd", "memory.codec=e2mc16", "memory.probabilities=online"}
	rows := []struct {
		change         string // of the scenario
		exact, without bool   // whether ExactKey and UncompressedKey change
	}{
		{"workload.name=nn", true, true},
		{"workload.size=32768", true, true},
		{"workload.data=grid", true, true},
		{"seed=2", true, true},
		{"machine.preset=gtx480", true, true}, // it has more memory
		{"machine.overrides.dramMHz=900", false, true},
		{"machine.overrides.memoryBytes=268435456", true, true}, // a limit that can end a run
		{"machine.overrides.sm.warpInstructionLimit=1000000", true, true},
		{"memory.mag=64", false, true},
		{"memory.codec=bdi", false, false},
		{"memory.module=" + toyModule(""), false, false},
		{"memory.approximation=tslc-opt", false, false},
		{"memory.threshold=8", false, false},
		{"memory.decodingWays=2", false, false},
		{"memory.probabilities=offline", false, false},
		{"memory.latency=1/1", false, false},
		{"memory.header=literal", false, false},
		{"memory.prediction=literal", false, false},
		{"memory.clut=sets", false, false},
		{"memory.sample=40", false, false},
	}
	keys := func(s *scenario.Scenario) (string, string) {
		exact, err := ExactKey(s)
		if err != nil {
			t.Fatal(err)
		}
		return exact, UncompressedKey(s)
	}
	exact, without := keys(scenarioOf(t, "vecadd", base...))
	covered := map[string]bool{}
	for _, row := range rows {
		path, _, _ := strings.Cut(row.change, "=")
		covered[path] = true
		s := scenarioOf(t, "vecadd", base...)
		_, value, _ := strings.Cut(row.change, "=")
		if err := s.Set(path, value); err != nil {
			t.Errorf("%s: %v", row.change, err)
			continue
		}
		e, w := keys(s)
		if (e != exact) != row.exact || (w != without) != row.without {
			t.Errorf("%s: the exact output's key changes: %t, want %t; that without compression: %t, want %t", row.change, e != exact, row.exact, w != without, row.without)
		}
	}
	for _, path := range append(schemePaths(), "memory.mag", "workload.name", "workload.size", "workload.data", "seed", "machine.preset") {
		group := scheme.Find(strings.Split(path, ".")[0])
		if !covered[path] && (group == nil || group.Name == "memory") {
			t.Errorf("%s has no row: does a shared run depend on it?", path)
		}
	}
}

// Values of a program of the user's own are in both keys: its text, its inputs, its
// launch, its arguments and its place in memory.
func TestKeysOfOwnPrograms(t *testing.T) {
	own := func(change func(*scenario.PTX)) *scenario.Scenario {
		s := scenarioOf(t, "vecadd")
		p := &scenario.PTX{Source: ".version 6.0", Grid: []int{1}, Block: []int{32}, Args: []scenario.Arg{{Data: []byte{1, 2}}}}
		change(p)
		s.Workload = scenario.Workload{PTX: p}
		return s
	}
	same := own(func(*scenario.PTX) {})
	for name, change := range map[string]func(*scenario.PTX){
		"text":  func(p *scenario.PTX) { p.Source += "\n" },
		"data":  func(p *scenario.PTX) { p.Args[0].Data = []byte{1, 3} },
		"grid":  func(p *scenario.PTX) { p.Grid = []int{2} },
		"block": func(p *scenario.PTX) { p.Block = []int{64} },
		"base":  func(p *scenario.PTX) { p.Base = 1 << 20 },
	} {
		a, errA := ExactKey(same)
		b, errB := ExactKey(own(change))
		if errA != nil || errB != nil || a == b || UncompressedKey(same) == UncompressedKey(own(change)) {
			t.Errorf("two programs with another %s have the same key (%v, %v)", name, errA, errB)
		}
	}
}

// A family refuses what belongs to another one.
func TestFamiliesRefuseStrangers(t *testing.T) {
	family := func(s *scenario.Scenario) *Family {
		f, err := NewFamily(s)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a := scenarioOf(t, "vecadd", "workload.size=4096")
	for _, change := range []string{"seed=2", "workload.size=8192", "workload.data=grid"} {
		b := scenarioOf(t, "vecadd", "workload.size=4096", change)
		exact, err := family(b).Exact()
		if err != nil {
			t.Fatal(err)
		}
		if err := family(a).UseExact(exact); err == nil {
			t.Errorf("the exact output with %s was taken", change)
		}
		if _, err := family(a).Run(b); err == nil {
			t.Errorf("a scenario with %s was run in the family", change)
		}
	}
	for _, change := range []string{"machine.overrides.dramMHz=900", "memory.mag=64"} {
		b := scenarioOf(t, "vecadd", "workload.size=4096", change)
		exact, err := family(b).Exact()
		if err != nil {
			t.Fatal(err)
		}
		if err := family(a).UseExact(exact); err != nil {
			t.Errorf("the same program with %s: %v", change, err)
		}
		if _, err := family(a).Run(b); err == nil {
			t.Errorf("a scenario with %s was run in the family", change)
		}
	}
}

// Every result of a family is that of the scenario's own run, byte by byte: with the exact
// output of another machine, with statistics from the shared simulation, and in any order.
func TestAFamilyGivesTheSameResults(t *testing.T) {
	exact := map[string]*Exact{}
	for _, machine := range []string{"machine.preset=mini", "machine.overrides.dramMHz=900"} {
		for _, mag := range []string{"memory.mag=32", "memory.mag=64"} {
			var users []*scenario.Scenario
			for _, m := range [][]string{
				{"memory.codec=e2mc16", "memory.approximation=tslc-opt"}, {"memory.codec=none"}, {"memory.codec=e2mc16"}, {"memory.codec=e2mc4"}, {"memory.codec=e2mc32"},
				{"memory.codec=bdi"}, {"memory.codec=e2mc16", "memory.probabilities=online"}, {"memory.codec=e2mc16", "memory.probabilities=online-copies", "memory.sample=10"}, {"memory.codec=hycomp"},
			} {
				users = append(users, scenarioOf(t, "transpose", append([]string{"workload.size=128", machine, mag}, m...)...))
			}
			f, err := NewFamily(users[0])
			if err != nil {
				t.Fatal(err)
			}
			key, err := ExactKey(users[0])
			if err != nil {
				t.Fatal(err)
			}
			if e := exact[key]; e != nil {
				if err := f.UseExact(e); err != nil {
					t.Fatal(err)
				}
			} else if exact[key], err = f.Exact(); err != nil {
				t.Fatal(err)
			}
			u, err := f.Uncompressed(users, true)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range users {
				r, err := f.Run(s)
				if err != nil {
					t.Fatal(err)
				}
				shared, err := r.Finish()
				if err != nil {
					t.Fatal(err)
				}
				_, own := finish(t, mustPlan(t, s))
				if !bytes.Equal(asJSON(t, shared), asJSON(t, own)) {
					t.Errorf("%s %s: scheme %d differs in the family", machine, mag, i)
				}
				if i == 1 && !bytes.Equal(asJSON(t, u.Result), asJSON(t, own)) {
					t.Errorf("%s %s: the shared simulation is not the run without compression", machine, mag)
				}
			}
			traffic, err := u.Traffic()
			if err != nil {
				t.Fatal(err)
			}
			alone, err := MeasureTraffic(mustPlan(t, users[1]))
			if err != nil || !bytes.Equal(asJSON(t, traffic), asJSON(t, alone)) {
				t.Errorf("%s %s: the traffic differs (%v)", machine, mag, err)
			}
		}
	}
	if len(exact) != 1 {
		t.Errorf("%d exact outputs of one program", len(exact))
	}
}

func mustPlan(t *testing.T, s *scenario.Scenario) *Plan {
	t.Helper()
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
