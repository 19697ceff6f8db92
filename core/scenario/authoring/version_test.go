package authoring

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// version1Hash is the hash of the files of testdata/version1 in programs that knew only
// version 1; one of these programs wrote the files.
const version1Hash = "41b1fc673dcbd20ab28bbce8a48fa06eacdfe554eaccb5aaeac619f45bcdd0d5"

// TestVersion1Opens: a file of each kind from before the groups opens, keeps its hash, and
// is packed to the same bytes.
func TestVersion1Opens(t *testing.T) {
	read := map[string]func(name string, b []byte) (*scenario.Scenario, error){
		"full.yaml":    ParseYAML,
		"full.json":    ParseJSON,
		"full.msgpack": func(_ string, b []byte) (*scenario.Scenario, error) { return ParseMsgpack(b) },
	}
	packed, err := os.ReadFile("testdata/version1/full.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	for name, parse := range read {
		b, err := os.ReadFile("testdata/version1/" + name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parse(name, b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s.Hash() != version1Hash {
			t.Errorf("%s: hash %s, want %s", name, s.Hash(), version1Hash)
		}
		if !bytes.Equal(Marshal(s), packed) || !bytes.Equal(s.Canonical(), packed) {
			t.Errorf("%s: the packed form is no longer that of version 1", name)
		}
	}
}

// register adds an entry to a group for one test.
func register(t *testing.T, group string, e system.Entry) {
	t.Helper()
	g := scheme.Find(group)
	before := g.Entries
	g.Entries = append(before[:len(before):len(before)], e)
	t.Cleanup(func() { g.Entries = before })
}

// toy is an entry with a number and a word.
func toy() system.Entry {
	return system.Entry{
		Name: "toy", Title: "Toy", About: "L1 answers later.",
		Settings: []system.Setting{
			{Name: "delay", Title: "delay", Unit: "cycles", Low: 1, High: 100, Default: 7, About: "How much later."},
			{Name: "order", Title: "order", Words: []string{"first", "last"}, About: "Which lines."},
		},
		Configure: func(p system.Part, g *parameter.GPU, _ *machine.Job) error {
			g.SM.L1.LatencyCycles += p.Int("delay")
			return nil
		},
	}
}

// TestGroupsMakeVersion2: with a group other than none, a scenario has version 2 in every
// format; without the group it is the same as before.
func TestGroupsMakeVersion2(t *testing.T) {
	register(t, "l1", toy())
	plain := scenario.Default("vecadd")
	s := scenario.Default("vecadd")
	for _, set := range [][2]string{{"l1.delay", "9"}, {"l1.store", "toy"}} {
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	if s.Version != 2 || !reflect.DeepEqual(s.L1, system.Part{"store": "toy", "delay": int64(9), "order": "first"}) {
		t.Fatalf("version %d, l1 %v", s.Version, s.L1)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if s.Hash() == plain.Hash() {
		t.Error("another store of L1 has the hash of none")
	}
	if !bytes.Equal(Marshal(s), s.Canonical()) {
		t.Error("two packed forms")
	}
	for form, again := range map[string]func() (*scenario.Scenario, error){
		"yaml":    func() (*scenario.Scenario, error) { return ParseYAML("a.yaml", ToYAML(s)) },
		"json":    func() (*scenario.Scenario, error) { return ParseJSON("a.json", ToJSON(s)) },
		"msgpack": func() (*scenario.Scenario, error) { return ParseMsgpack(Marshal(s)) },
	} {
		got, err := again()
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%s: %+v, %v; want %+v", form, got, err, s)
		}
	}
	if err := s.Set("l1.store", "none"); err != nil {
		t.Fatal(err)
	}
	if s.Hash() != plain.Hash() || !bytes.Equal(s.Canonical(), plain.Canonical()) {
		t.Errorf("none again: %+v", s)
	}
	spelled, err := ParseYAML("a.yaml", []byte("version: 3\nworkload: {name: vecadd}\nl1: {store: none}\ncompare: {loads: {policy: none}}\n"))
	if err != nil || spelled.Hash() != plain.Hash() || spelled.Version != 1 {
		t.Errorf("none, spelled out: %+v, %v", spelled, err)
	}
}

// TestGroupFaults: an illegal value of a group is refused with its path and place.
func TestGroupFaults(t *testing.T) {
	register(t, "l1", toy())
	for text, want := range map[string]string{
		"l1: {store: toi}":                             `a.yaml:2:13: l1.store: unknown store "toi": did you mean "toy"?`,
		"l1: {store: toy, delay: 0}":                   "a.yaml:2:25: l1.delay: 0 is out of range: use 1 to 100 cycles",
		"l1: {store: toy, delay: soon}":                `a.yaml:2:25: l1.delay: "soon" is not a whole number: use 1 to 100 cycles`,
		"l1: {store: toy, order: second}":              "l1.order: unknown order",
		"l1: {store: toy, order: 3}":                   "l1.order: want a word, not the number 3",
		"l1: {store: toy, dilay: 3}":                   `a.yaml:2:25: l1.dilay: l1 toy has no such setting: did you mean "delay"?`,
		"l1: {delay: 3}":                               "a.yaml:2:13: l1.delay: l1 none has no such setting: set l1.store to toy, or remove it",
		"loads: {policy: none, depth: 3}":              "loads.depth: loads none has no such setting: remove it",
		"l1: {store: 5}":                               "l1.store: want a word, not a number",
		"l1: toy":                                      "a.yaml:2:5: l1: want a map",
		"l1: {store: [a]}":                             "l1.store: want a number or a word, not a list",
		"compare: {l1: {store: toy, delay: 1000}}":     "compare.l1.delay: 1000 is out of range",
		"compare: {memory: {approximation: tslc-opt}}": "compare.memory.approximation: tslc-opt works on the symbols of codec e2mc16, not of none: set compare.memory.codec to e2mc16 or compare.memory.approximation to none",
	} {
		_, err := ParseYAML("a.yaml", []byte("workload: {name: vecadd}\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", text, err, want)
		}
	}
	s := scenario.Default("vecadd")
	for set, want := range map[[2]string]string{
		{"l1", "toy"}:               "l1.delay, l1.order",
		{"l1.dilay", "3"}:           `did you mean "l1.delay"?`,
		{"l1.delay", "x"}:           "is not a whole number",
		{"compare.l1.delay.x", "1"}: "no such",
	} {
		if err := s.Set(set[0], set[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%q, %q): %v, want %q", set[0], set[1], err, want)
		}
	}
}

// TestRulesRefuseCombinations: a rule refuses values that exclude each other, with the
// place.
func TestRulesRefuseCombinations(t *testing.T) {
	register(t, "l1", toy())
	before := scheme.Rules
	t.Cleanup(func() { scheme.Rules = before })
	scheme.Rules = append(before[:len(before):len(before)], scheme.Rule{
		Groups: []string{"l1", "memory"}, Path: "l1.store",
		Broken: func(s *scheme.Scheme, _ *parameter.GPU) (b scheme.Breach) {
			if s.L1.Choice(scheme.Find("l1")) == "toy" && s.Memory.Codec() != "none" {
				b.Message, b.Fixes = "toy needs blocks that are not compressed", []fault.Fix{{Path: "memory.codec", Value: "none"}}
			}
			return b
		},
	})
	if _, err := ParseYAML("a.yaml", []byte("workload: {name: vecadd}\ncompare: {l1: {store: toy}}\n")); err != nil {
		t.Error(err)
	}
	_, err := ParseYAML("a.yaml", []byte("workload: {name: vecadd}\ncompare: {l1: {store: toy}, memory: {codec: bdi}}\n"))
	if want := "a.yaml:2:23: compare.l1.store: toy needs blocks that are not compressed: set compare.memory.codec to none"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
