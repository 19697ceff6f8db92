package experiment

import (
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// anyScenario draws a legal scenario: a program at a small size or a random kernel, a preset, a scheme, and
// values of the machine. Choices that do not fit together are taken back one at a time.
func anyScenario(t testing.TB, seed int64) *scenario.Scenario {
	r := rand.New(rand.NewSource(seed))
	s := scenario.Default("vecadd")
	if r.Intn(3) == 0 {
		s.Workload = anyProgram(r)
	} else {
		s.Workload = scenario.Workload{PTX: anyKernel(r)}
	}
	s.Seed = uint64(r.Intn(3))
	s.Machine.Preset = preset.Names()[r.Intn(len(preset.Names()))]
	if r.Intn(3) == 0 {
		s.Machine.Preset = "mini" // the fastest
	}
	groups := scheme.Describe()
	for i := range groups {
		if r.Intn(2) == 0 {
			anyChoice(t, r, s, &groups[i])
		}
	}
	if kind := s.Backing.Word("kind"); (kind == "buddy" || kind == "bandwidth") && s.Memory.Codec() == "none" {
		s.Memory.Put("codec", []string{"bdi", "bpc", "fpc", "e2mc16"}[r.Intn(4)], "approximation", "none", "mag", 32)
	}
	for range r.Intn(8) {
		e := anyParameter(t, r, s.Machine.Preset)
		set(t, s, "machine.overrides."+e.Path, anyValue(r, e))
	}
	if r.Intn(3) == 0 {
		anyTLB(t, r, s)
	}
	for try := 0; s.Validate() != nil; try++ {
		if try > 100 {
			t.Fatalf("seed %d: no legal scenario: %v", seed, s.Validate())
		}
		takeBack(t, r, s)
	}
	return s
}

// anyTLB lets translating addresses take time, with TLBs that are small enough to miss.
func anyTLB(t testing.TB, r *rand.Rand, s *scenario.Scenario) {
	page, ways := 512<<r.Intn(8), 1+r.Intn(4)
	for path, n := range map[string]int{
		"l1.entries": 1 + r.Intn(8), "l1.pageBytes": page, "l1.misses": 1 + r.Intn(8), "l2.entries": ways * (1 +
			r.Intn(8)), "l2.ways": ways,
		"l2.pageBytes": page << r.Intn(3), "l2.latencyCycles": 2 + r.Intn(100), "walkers": 1 +
			r.Intn(8), "walkCycles": 1 + r.Intn(600),
		"arithmeticCycles": r.Intn(40),
	} {
		set(t, s, "machine.overrides.tlb."+path, strconv.Itoa(n))
	}
	set(t, s, "machine.overrides.tlb.on", "on")
}

func set(t testing.TB, s *scenario.Scenario, path, text string) {
	if err := s.Set(path, text); err != nil {
		t.Fatalf("%s=%s: %v", path, text, err)
	}
}

// takeBack makes one choice the default again, of the machine first.
func takeBack(t testing.TB, r *rand.Rand, s *scenario.Scenario) {
	if n := len(s.Machine.Overrides); n > 0 {
		paths := make([]string, 0, n)
		for path := range s.Machine.Overrides {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		set(t, s, "machine.overrides."+paths[r.Intn(n)], "")
		return
	}
	switch r.Intn(4) {
	case 0:
		s.L1 = nil
	case 1:
		s.Loads = nil
	case 2:
		s.Backing = nil
	default:
		s.Memory = scheme.DefaultMemory()
	}
}

// anyProgram is a shipped program at one of its smallest sizes.
func anyProgram(r *rand.Rand) scenario.Workload {
	name := programs.Names()[r.Intn(len(programs.Names()))]
	info, err := programs.Describe(name)
	if err != nil {
		panic(err)
	}
	sizes := smallSizes(name)
	return scenario.Workload{Name: name, Size: sizes[r.Intn(len(sizes))], Data: info.DataModes[r.Intn(len(info.DataModes))]}
}

// smallSizes are the smallest sizes that a program takes, up to four times the least.
func smallSizes(name string) (sizes []int) {
	for size := 1; len(sizes) == 0 || size <= 4*sizes[0] && len(sizes) < 8; size++ {
		if programs.Check(name, programs.Params{Size: size}) == nil {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// anyChoice draws an entry of a group and some of its settings.
func anyChoice(t testing.TB, r *rand.Rand, s *scenario.Scenario, g *system.Description) {
	e := &g.Entries[r.Intn(len(g.Entries))]
	set(t, s, g.Group+"."+g.Key, e.Name)
	for _, f := range slices.Concat(g.Settings, e.Settings) {
		if r.Intn(3) == 0 && f.Path != "memory.module" {
			set(t, s, f.Path, anySetting(r, &f))
		}
	}
	if s.Memory.Approximation() == "none" && s.Memory.Codec() == "none" && r.Intn(3) == 0 && g.Group == "memory" {
		s.Memory.Put("codec", "e2mc16", "approximation", []string{"tslc-simp", "tslc-pred", "tslc-opt"}[r.Intn(3)])
	}
}

// written are values of the settings that have a notation of their own.
var written = map[string][]string{
	"backing.targets": {"4", "2", "4/3", "1", "16", "*=2"}, "l1.modes": {""}, "loads.which": {"", "all"}, "loads.rates": {"", "*:900"}, "memory.latency": {"0/0", "1/1", "1000/500"}, "memory.sample": {"1", "400"},
}

// anySetting draws a legal value of a setting.
func anySetting(r *rand.Rand, f *system.SettingDescription) string {
	switch list := written[f.Path]; {
	case list != nil:
		return list[r.Intn(len(list))]
	case f.Words != nil:
		return f.Words[r.Intn(len(f.Words))]
	case f.Numbers != nil:
		return strconv.Itoa(f.Numbers[r.Intn(len(f.Numbers))])
	case f.High > f.Low:
		return strconv.FormatInt(anyNumber(r, int64(f.Low), int64(f.High)), 10)
	}
	return ""
}

// anyNumber is an end of a range, near to an end, or anywhere.
func anyNumber(r *rand.Rand, low, high int64) int64 {
	switch r.Intn(5) {
	case 0:
		return low
	case 1:
		return high
	case 2:
		return low + r.Int63n(min(high-low, 16)+1)
	case 3:
		return high - r.Int63n(min(high-low, 16)+1)
	}
	return low + r.Int63n(high-low+1)
}

// entriesOf are the values of a preset's machine.
func entriesOf(t testing.TB, name string) []parameter.Entry {
	spec, err := preset.GPU(name)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Values().Entries()
}

// anyParameter draws a value of the machine. Those of energy change no counter, so they are drawn seldom.
func anyParameter(t testing.TB, r *rand.Rand, name string) *parameter.Entry {
	entries := entriesOf(t, name)
	for {
		e := &entries[r.Intn(len(entries))]
		if p := e.Path; !strings.HasPrefix(p, "energy.") && !strings.HasPrefix(p, "laneFemtojoules.") || r.Intn(10) == 0 {
			return e
		}
	}
}

// anyValue draws a value that is legal alone, often near to that of the preset.
func anyValue(r *rand.Rand, e *parameter.Entry) string {
	if words := e.Choices(); words != nil {
		return words[r.Intn(len(words))]
	}
	if e.Low == 0 && e.High == 0 {
		return e.Text() // a text of its own notation
	}
	if now, err := strconv.ParseInt(e.Text(), 10, 64); err == nil && r.Intn(3) == 0 {
		return strconv.FormatInt(min(max(e.Low, []int64{now - 1, now + 1, now * 2, now / 2, now * 8, now / 8}[r.Intn(6)]), e.High), 10)
	}
	return strconv.FormatInt(anyNumber(r, e.Low, e.High), 10)
}

// ends are the values of a parameter at its ends: every word, or the least and the greatest number.
func ends(e *parameter.Entry) []string {
	if words := e.Choices(); words != nil {
		return words
	}
	if e.Low == 0 && e.High == 0 {
		return nil
	}
	return []string{strconv.FormatInt(e.Low, 10), strconv.FormatInt(e.High, 10)}
}
