package experiment

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// setting is a legal scenario in which a setting has an effect, and the same with another value.
type setting struct {
	path          string
	before, after *scenario.Scenario
}

// schemeSettings gives one change of every setting of every entry of every group, and of every
// group's entry. A setting that no value may change is a fault of the test's bases.
func schemeSettings(t *testing.T) []setting {
	t.Helper()
	var list []setting
	add := func(base *scenario.Scenario, path string, values []string) {
		before, after := try(base, path, values)
		if after == nil {
			t.Errorf("%s: no other value is legal beside %+v", path, base.Scheme)
			return
		}
		list = append(list, setting{path, before, after})
	}
	plain := scenarioOf(t, "transpose", "workload.size=64")
	coded := scenarioOf(t, "transpose", "workload.size=64", "memory.codec=e2mc16", "memory.approximation=tslc-opt", "memory.probabilities=online")
	for _, g := range scheme.Describe() {
		for _, f := range g.Settings {
			if f.Path != "memory.module" { // TestKeysHoldTheModule
				add(coded, f.Path, valuesOf(&f))
			}
		}
		for _, e := range g.Entries {
			path := g.Group + "." + g.Key
			if e.Name == system.None {
				continue
			}
			base := plain
			_, of := try(base, path, []string{e.Name})
			if of == nil {
				base = scenarioOf(t, "transpose", "workload.size=64", "memory.codec=bpc") // Buddy Compression wants a codec
				_, of = try(base, path, []string{e.Name})
			}
			if of == nil {
				t.Errorf("%s=%s is not legal in the test's scenarios", path, e.Name)
				continue
			}
			list = append(list, setting{path + "=" + e.Name, base, of})
			for _, f := range e.Settings {
				add(of, f.Path, valuesOf(&f))
			}
		}
	}
	return list
}

// try returns a scenario, and it with the first value of a path that is legal and another than before.
func try(base *scenario.Scenario, path string, values []string) (before, after *scenario.Scenario) {
	for _, value := range values {
		s := *base
		s.Scheme = base.Scheme.Clone()
		if s.Set(path, value) == nil && s.Validate() == nil && s.Hash() != base.Hash() {
			return base, &s
		}
	}
	return base, nil
}

func valuesOf(f *system.SettingDescription) []string {
	values := slices.Clone(f.Words)
	for _, n := range f.Numbers {
		values = append(values, strconv.Itoa(n))
	}
	switch {
	case f.Path == "memory.latency":
		values = append(values, "1/1")
	case f.Path == "loads.rates":
		values = append(values, "*:900")
	case values == nil:
		for _, n := range []int{f.Low + 1, f.High, f.Low, (f.Low + f.High) / 2} {
			values = append(values, strconv.Itoa(n))
		}
	}
	return append(values, "0", "all", "high")
}

// The key of a side changes with every setting of its scheme, every value of its machine, its
// program, its input and its seed.
func TestSideKeysDiffer(t *testing.T) {
	for _, s := range schemeSettings(t) {
		if SideKey(s.before) == SideKey(s.after) {
			t.Errorf("%s: the key of the side stays", s.path)
		}
	}
	base := scenarioOf(t, "transpose", "workload.size=64")
	differs := func(what string, change func(s *scenario.Scenario) error) {
		s := *base
		if err := change(&s); err != nil {
			t.Errorf("%s: %v", what, err)
		} else if SideKey(&s) == SideKey(base) {
			t.Errorf("%s: the key of the side stays", what)
		}
	}
	for _, change := range []string{"workload.name=vecadd", "workload.size=128", "workload.data=suite", "seed=2", "machine.preset=gtx480", "title=x"} {
		path, value, _ := strings.Cut(change, "=")
		differs(change, func(s *scenario.Scenario) error { return s.Set(path, value) })
	}
	differs("image", func(s *scenario.Scenario) error { s.Workload.Image = []byte{1}; return nil })
	differs("another image", func(s *scenario.Scenario) error {
		first := *base
		first.Workload.Image = []byte{1}
		base = &first
		s.Workload.Image = []byte{2}
		return nil
	})
	spec, err := base.Machine.Spec()
	if err != nil {
		t.Fatal(err)
	}
	walked := 0
	for _, f := range preset.Describe(spec) {
		if f.Derived {
			continue
		}
		walked++
		s := *base
		s.Machine.Overrides = scenario.Overrides{}
		if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil {
			s.Machine.Overrides[f.Path] = n + 1 // legal or not: the key is of what is written
		} else {
			s.Machine.Overrides[f.Path] = f.Value + "x"
		}
		if SideKey(&s) == SideKey(base) {
			t.Errorf("machine.overrides.%s: the key of the side stays", f.Path)
		}
	}
	if walked < 50 {
		t.Errorf("%d values of the machine", walked)
	}
}

// Two modules that differ in one byte have two keys, and a module beside a codec of the program has no effect.
func TestKeysHoldTheModule(t *testing.T) {
	s := scenarioOf(t, "vecadd", "memory.codec=plugin", "memory.module="+toyModule(""))
	other := scenarioOf(t, "vecadd", "memory.codec=plugin", "memory.module="+toyModule("2"))
	if SideKey(s) == SideKey(other) || s.Hash() == other.Hash() || TablesKey(s) != "" {
		t.Error("the key of a side does not hold the module")
	}
	for _, s := range []*scenario.Scenario{s, other} {
		if err := s.Set("memory.codec", "bdi"); err != nil {
			t.Fatal(err)
		}
	}
	if s.Hash() != other.Hash() || s.Hash() != scenarioOf(t, "vecadd", "memory.codec=bdi").Hash() {
		t.Error("a module changes the hash of a run that does not use it")
	}
}

// toyModule returns a module in base64.
func toyModule(name string) string {
	m := plugintest.New()
	m.Text = strings.Replace(m.Text, "toy", "toy"+name, 1)
	return base64.StdEncoding.EncodeToString(m.Binary())
}

// The keys hold the version, so nothing of another one is found.
func TestKeptKeysHoldTheVersion(t *testing.T) {
	s := scenarioOf(t, "vecadd", "memory.codec=e2mc16")
	exact, err := KeptExactKey(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{SideKey(s), TablesKey(s), exact} {
		if !strings.Contains(key, " "+Version+" ") {
			t.Errorf("%q does not hold version %s", key, Version)
		}
	}
	if key := TablesKey(scenarioOf(t, "vecadd", "memory.codec=bdi")); key != "" {
		t.Errorf("BDI has no tables: %q", key)
	}
}

// keeper runs scenarios as the page does: on one desk, with all kept things of earlier runs by key.
type keeper struct {
	desk  Desk
	store map[string][]byte
	found int
}

func (k *keeper) run(t *testing.T, s *scenario.Scenario, newDesk bool) *Result {
	t.Helper()
	if newDesk {
		k.desk.Clear()
	}
	plan := mustPlan(t, s)
	study, err := k.desk.Study(s, plan)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := KeptExactKey(s)
	if err != nil {
		t.Fatal(err)
	}
	tables := TablesKey(s)
	if kept := k.store[exact]; kept != nil && !study.Known() {
		if err := study.UseExact(exact, kept); err != nil {
			t.Fatal(err)
		}
		k.found++
	}
	if kept := k.store[tables]; kept != nil && study.KeepTables(tables, &plan.Memory) == nil {
		if err := study.UseTables(tables, &plan.Memory, kept); err != nil {
			t.Fatal(err)
		}
		k.found++
	}
	result, err := study.Run(plan, Options{}).Finish()
	if err != nil {
		t.Fatal(err)
	}
	k.store[exact] = study.KeepExact(exact)
	if tables != "" {
		k.store[tables] = study.KeepTables(tables, &plan.Memory)
	}
	return result
}

// Every result with kept things is that of a run with nothing kept, byte by byte, whatever setting
// has changed since they were kept: on one desk, and with things from a store.
func TestKeptThingsChangeNothing(t *testing.T) {
	walk := schemeSettings(t)
	for _, set := range [][]string{
		{"memory.codec=e2mc16"}, {"memory.codec=e2mc16", "memory.mag=64"}, {"memory.codec=e2mc16", "memory.approximation=tslc-opt"},
		{"memory.codec=e2mc4"}, {"memory.codec=hycomp"}, {"memory.codec=e2mc16", "seed=2"}, {"memory.codec=e2mc16", "workload.data=suite"},
		{"memory.codec=e2mc16", "machine.overrides.dramMHz=900"}, {"memory.codec=bpc", "backing.kind=buddy"}, {"memory.codec=e2mc16", "backing.kind=buddy"},
		{"memory.codec=e2mc16", "memory.decodingWays=2", "backing.kind=buddy"},
	} {
		walk = append(walk, setting{fmt.Sprint(set), nil, scenarioOf(t, "transpose", append([]string{"workload.size=64"}, set...)...)})
	}
	if testing.Short() {
		walk = walk[len(walk)-11:]
	}
	desk, store := &keeper{store: map[string][]byte{}}, &keeper{store: map[string][]byte{}}
	for _, s := range walk {
		// The reference is a run of its own study, with nothing kept.
		r, err := New(mustPlan(t, s.after), Options{})
		if err != nil {
			t.Fatal(err)
		}
		own, err := r.Finish()
		if err != nil && s.after.Loads != nil {
			continue // transpose has no loop that perforation could shorten
		}
		if err != nil {
			t.Fatalf("%s: %v", s.path, err)
		}
		want := asJSON(t, own)
		if got := asJSON(t, desk.run(t, s.after, false)); !bytes.Equal(got, want) {
			t.Errorf("%s: on the desk of another run the result differs:\n%s\nwant\n%s", s.path, got, want)
		}
		if got := asJSON(t, store.run(t, s.after, true)); !bytes.Equal(got, want) {
			t.Errorf("%s: with kept things the result differs:\n%s\nwant\n%s", s.path, got, want)
		}
	}
	if store.found < len(walk)/2 {
		t.Errorf("%d of %d runs found a kept thing", store.found, len(walk))
	}
}

// A damaged kept thing, one that is cut, and one of another run are refused and change nothing.
func TestForeignKeptThingsAreRefused(t *testing.T) {
	s := scenarioOf(t, "vecadd", "workload.size=4096", "memory.codec=e2mc16")
	plan := mustPlan(t, s)
	study, err := NewStudy(plan)
	if err != nil {
		t.Fatal(err)
	}
	if study.KeepExact("k") != nil || study.KeepTables("k", &plan.Memory) != nil {
		t.Error("something is kept before the run")
	}
	if _, err := study.Run(plan, Options{}).Finish(); err != nil {
		t.Fatal(err)
	}
	exact, tables := study.KeepExact("k"), study.KeepTables("k", &plan.Memory)
	fresh := func() *Study {
		f, err := NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if err := fresh().UseExact("k", exact); err != nil {
		t.Fatal(err)
	}
	if err := fresh().UseTables("k", &plan.Memory, tables); err != nil {
		t.Fatal(err)
	}
	f := fresh()
	refuse := func(what string, err error) {
		if err == nil || f.Known() || f.profileOf(&plan.Memory) != nil {
			t.Errorf("%s: taken (%v)", what, err)
		}
	}
	refuse("another key", f.UseExact("l", exact))
	refuse("another key", f.UseTables("l", &plan.Memory, tables))
	refuse("tables as output", f.UseExact("k", tables))
	refuse("output as tables", f.UseTables("k", &plan.Memory, exact))
	refuse("outputs of another size", f.UseExact("k", Seal("k", exact[len(keptMagic):])))
	for _, kept := range [][]byte{exact, tables} {
		for i := 0; i < len(kept); i += 1 + len(kept)/50 {
			refuse("cut", f.UseExact("k", kept[:i]))
			refuse("cut", f.UseTables("k", &plan.Memory, kept[:i]))
			damaged := slices.Clone(kept)
			damaged[i] ^= 4
			refuse("damaged", f.UseExact("k", damaged))
			refuse("damaged", f.UseTables("k", &plan.Memory, damaged))
		}
	}
}

// FuzzUnseal: whatever is read, nothing ends the program, and what comes back was sealed under the key.
func FuzzUnseal(f *testing.F) {
	f.Add([]byte(""))
	f.Add(Seal("k", []byte("content")))
	f.Add([]byte(keptMagic + strings.Repeat("\xff", 80)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if content, err := Unseal("k", b); err == nil && !bytes.Equal(Seal("k", content), b) {
			t.Errorf("%q was not sealed", b)
		}
	})
}
