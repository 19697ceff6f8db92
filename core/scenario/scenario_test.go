package scenario_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/vmihailenco/msgpack/v5"
)

const full = `
version: 1
title: A title
notes: |
  Two lines
  of notes, [with] {signs}: "and quotes
machine:
  preset: gtx480
  overrides:
    sm.l1.ways: 8
    addressHash: bank
    dram: {rcd: 0xe}
workload: {name: dct, size: 512, data: sdk}
memory:
  codec: e2mc16
  probabilities: online
  decodingWays: 2
  mag: 64
  approximation: tslc-opt
  threshold: 24
  header: variable
  sample: 30
compare:
  memory: {codec: e2mc16}
seed: 7
`

func mustParse(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML("test.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return s
}

func TestParseYAMLReadsEveryField(t *testing.T) {
	s := mustParse(t, full)
	want := &scenario.Scenario{
		Version: 1, Title: "A title", Notes: "Two lines\nof notes, [with] {signs}: \"and quotes\n",
		Machine:  scenario.Machine{Preset: "gtx480", Overrides: scenario.Overrides{"sm.l1.ways": int64(8), "addressHash": "bank", "dram.rcd": int64(14)}},
		Workload: scenario.Workload{Name: "dct", Size: 512, Data: "sdk"},
		Scheme:   scheme.Scheme{Memory: scheme.DefaultMemory().With("codec", "e2mc16", "probabilities", "online", "decodingWays", 2, "mag", 64, "approximation", "tslc-opt", "threshold", 24, "header", "variable", "sample", 30)},
		// The compared scheme shares the MAG, and its threshold follows the MAG.
		Compare: &scenario.Compare{scheme.Scheme{Memory: scheme.DefaultMemory().With("codec", "e2mc16", "probabilities", "offline", "decodingWays", 4, "mag", 64, "approximation", "none", "threshold", 32)}},
		Seed:    7,
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v %+v\nwant %+v %+v", s, s.Compare, want, want.Compare)
	}
}

func TestDefaults(t *testing.T) {
	s := mustParse(t, "version: 3\nworkload: {name: vecadd}")
	want := scenario.Default("vecadd")
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if s.Machine.Preset != "gtx580b" || !s.Memory.Equal(scheme.Memory{"codec": "none", "probabilities": "offline", "decodingWays": int64(4), "mag": int64(32), "approximation": "none", "threshold": int64(16)}) || s.Seed != 1 || s.Workload.Size == 0 {
		t.Errorf("defaults: %+v", s)
	}
	if s := mustParse(t, "workload: {name: vecadd}\nmemory: {mag: 64}"); s.Memory.Threshold() != 32 {
		t.Errorf("the threshold is %d at MAG 64, want half", s.Memory.Threshold())
	}
	if s := mustParse(t, "workload: {name: vecadd}\nmemory: {threshold: 0}"); s.Memory.Threshold() != 0 {
		t.Errorf("a threshold of 0 was replaced by %d", s.Memory.Threshold())
	}
}

func TestJSONIsRead(t *testing.T) {
	s := mustParse(t, full)
	again, err := authoring.ParseYAML("page", authoring.ToJSON(s))
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%v\n%s", err, authoring.ToJSON(s))
	}
	var keys map[string]any
	if err := json.Unmarshal(authoring.ToJSON(s), &keys); err != nil || keys["memory"].(map[string]any)["decodingWays"] != 2.0 {
		t.Errorf("%v %v", err, keys)
	}
}

// variants are valid scenarios with every optional part.
func variants(t testing.TB) []*scenario.Scenario {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 16, 16))); err != nil {
		t.Fatal(err)
	}
	all := []*scenario.Scenario{scenario.Default("vecadd"), scenario.Default("dct"), scenario.Default("matmul")}
	s, err := authoring.ParseYAML("full", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	withImage := scenario.Default("dct")
	withImage.Workload.Image = picture.Bytes()
	withPTX := scenario.Default("")
	withPTX.Workload = scenario.Workload{PTX: &scenario.PTX{
		File: "k.ptx", Source: ".version 7.0\n.target sm_70\n", Entry: "k", Grid: []int{4, 2}, Block: []int{32}, Shared: 128, Repeat: 3, Base: 0xc0000000,
		Args: []scenario.Arg{{Spec: "in:a", Data: []byte{1, 2, 3, 4}}, {Spec: "u32:5"}, {Spec: "out:b:64"}, {Spec: "@launch"}},
	}}
	return append(all, s, withImage, withPTX)
}

func TestEveryFormRoundTrips(t *testing.T) {
	for _, s := range variants(t) {
		packed := authoring.Marshal(s)
		forms := map[string]func() (*scenario.Scenario, error){
			"msgpack": func() (*scenario.Scenario, error) { return scenario.ParseMsgpack(packed) },
			"YAML":    func() (*scenario.Scenario, error) { return authoring.ParseYAML("x", authoring.ToYAML(s)) },
			"JSON":    func() (*scenario.Scenario, error) { return authoring.ParseYAML("x", authoring.ToJSON(s)) },
		}
		for name, parse := range forms {
			again, err := parse()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, authoring.ToYAML(s))
			}
			if !reflect.DeepEqual(again, s) {
				t.Errorf("%s: got %+v, want %+v", name, again, s)
			}
			if !bytes.Equal(authoring.Marshal(again), packed) || again.Hash() != s.Hash() {
				t.Errorf("%s: the canonical form changed", name)
			}
		}
	}
}

// On valid input, the library's decoder is the slow twin of the binder.
func TestTwinDecoder(t *testing.T) {
	for _, s := range variants(t) {
		d := msgpack.NewDecoder(bytes.NewReader(authoring.Marshal(s)))
		d.DisallowUnknownFields(true)
		d.UseLooseInterfaceDecoding(true) // whole numbers as int64
		var twin scenario.Scenario
		if err := d.Decode(&twin); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&twin, s) {
			t.Errorf("the library reads %+v, we read %+v", twin, s)
		}
	}
}

func TestMarshalSortsKeys(t *testing.T) {
	packed := authoring.Marshal(scenario.Default("vecadd"))
	at := -1
	for _, key := range []string{"machine", "memory", "approximation", "codec", "decodingWays", "mag", "probabilities", "threshold", "seed", "version", "workload"} {
		next := bytes.Index(packed, append([]byte{0xa0 | byte(len(key))}, key...))
		if next <= at {
			t.Errorf("key %s at byte %d, the one before at %d", key, next, at)
		}
		at = next
	}
}

func TestHash(t *testing.T) {
	base := mustParse(t, "workload: {name: dct}\nmemory: {codec: e2mc16}")
	same := []string{
		`{"memory": {"codec": "e2mc16", "mag": 0x20}, "workload": {"size": 1024, "name": "dct"}}`,
		"title: T\nnotes: N\nworkload: {name: dct}\nmemory: {codec: e2mc16}",
		"workload: {name: dct}\nmemory: {codec: e2mc16}\ncompare: {memory: {codec: e2mc8}}",
		"workload: {name: dct}\nmemory: {codec: e2mc16, threshold: 3}",                // no approximation, no effect
		"workload: {name: dct}\nmemory: {codec: e2mc16, header: literal, sample: 50}", // nor probabilities to sample
	}
	for _, text := range same {
		if got := mustParse(t, text).Hash(); got != base.Hash() {
			t.Errorf("%s\nhas hash %s, want %s", text, got, base.Hash())
		}
	}
	seen := map[string]string{base.Hash(): "base"}
	for _, set := range []string{
		"seed=2", "machine.preset=mini", "workload.name=vecadd", "workload.size=256", "memory.codec=none", "memory.codec=e2mc8",
		"memory.probabilities=online", "memory.decodingWays=1", "memory.latency=1/1", "memory.mag=64", "memory.approximation=tslc-opt", "memory.approximation=tslc-pred",
		"memory.probabilities=online memory.sample=50", "memory.approximation=tslc-opt memory.header=literal", "memory.approximation=tslc-opt memory.header=variable", "memory.approximation=tslc-pred memory.prediction=literal",
		"machine.overrides.sm.l1.ways=8", "machine.overrides.sm.l1.ways=16", "machine.overrides.l2.ways=16", "machine.overrides.sm.l1Loads=off",
	} {
		s := *base
		for _, one := range strings.Fields(set) {
			path, value, err := scenario.Assignment(one)
			if err == nil {
				err = s.Set(path, value)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if other, ok := seen[s.Hash()]; ok {
			t.Errorf("%s has the hash of %s", set, other)
		}
		seen[s.Hash()] = set
	}
	if len(scenario.ShortHash(base.Hash())) != 12 {
		t.Error("short hash")
	}
}

func TestSet(t *testing.T) {
	s := scenario.Default("dct")
	for _, a := range [][2]string{{"memory.codec", "e2mc16"}, {"memory.mag", "64"}, {"compare.memory.codec", "e2mc8"}, {"seed", "9"}, {"title", "x=y"}} {
		if err := s.Set(a[0], a[1]); err != nil {
			t.Fatal(err)
		}
	}
	if s.Memory.Codec() != "e2mc16" || s.Memory.MAG() != 64 || s.Compare.Memory.Codec() != "e2mc8" || s.Compare.Memory.MAG() != 64 || s.Seed != 9 || s.Title != "x=y" {
		t.Errorf("%+v", s)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	s.Workload.Size = 256
	if err := s.Set("workload.name", "vecadd"); err != nil || s.Workload.Size != scenario.Default("vecadd").Workload.Size {
		t.Errorf("%v: a new workload keeps the old one's size: %+v", err, s.Workload)
	}
	for set, want := range map[[2]string]string{
		{"memory.codek", "x"}:                 `did you mean "memory.codec"?`,
		{"codec", "x"}:                        `did you mean "memory.codec"?`,
		{"placement", "1"}:                    `did you mean "machine.overrides.placement"?`,
		{"sm.l1.ways", "1"}:                   `did you mean "machine.overrides.sm.l1.ways"?`,
		{"dramMhz", "1"}:                      `did you mean "machine.overrides.dramMHz"?`,
		{"wholly.other.words", "1"}:           "use one of version, title",
		{"memory", "x"}:                       "set one of memory.codec",
		{"memory.mag", "32 B"}:                "not a whole number",
		{"memory.mag.x", "32"}:                "no such setting",
		{"seed", "-1"}:                        "not a whole number from 0",
		{"workload.image", "x"}:               "cannot be set as text",
		{"memory.mag", "9999999999999999999"}: "not a whole number",
		{"", "x"}:                             "no such path",
	} {
		if err := s.Set(set[0], set[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%q, %q): %v, want %q", set[0], set[1], err, want)
		}
	}
	if _, _, err := scenario.Assignment("memory.mag"); err == nil {
		t.Error("an assignment without = was taken")
	}
}

func TestPTXProgram(t *testing.T) {
	s := variants(t)[5]
	p, err := s.Program()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Buffers) != 2 || p.Buffers[0].Output || !p.Buffers[1].Output || p.Buffers[1].Bytes != 64 {
		t.Errorf("buffers %+v", p.Buffers)
	}
	if len(p.Launches) != 3 || p.Launches[2].Args[3].Bits != 2 || p.Launches[0].Args[3].Bits != 0 || p.Launches[1].Grid != [3]uint32{4, 2, 1} {
		t.Errorf("launches %+v", p.Launches)
	}
	renamed := *s
	program := *s.Workload.PTX
	program.File = "other.ptx"
	renamed.Workload.PTX = &program
	if renamed.Hash() != s.Hash() {
		t.Error("the name of a program's file changes the hash")
	}
	program.Base = 0xd0000000
	if renamed.Hash() == s.Hash() || renamed.Base() != 0xd0000000 {
		t.Error("the base address does not change the hash")
	}
}

// TestOutputsOfAPTXProgram: which buffers may be approximated, what their elements are and how the
// output is measured are part of a program, and change its hash only where they are given.
func TestOutputsOfAPTXProgram(t *testing.T) {
	s := variants(t)[5]
	before := s.Hash()
	s.Workload.PTX.Safe, s.Workload.PTX.Metric, s.Workload.PTX.Args[2].Element = []int{2}, "mre", "f32"
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := s.Program()
	if err != nil {
		t.Fatal(err)
	}
	if p.Buffers[0].Safe || !p.Buffers[1].Safe || p.Buffers[1].Element != workload.ElementF32 || p.Metric != workload.MetricMRE {
		t.Errorf("%+v measured by %v", p.Buffers, p.Metric)
	}
	if s.Hash() == before {
		t.Error("a buffer that may be approximated leaves the hash as it was")
	}
	for _, c := range []struct {
		name string
		set  func(*scenario.PTX)
		want string
	}{
		{"a number", func(p *scenario.PTX) { p.Safe = []int{1} }, "workload.ptx.safe[0]: argument 1 is not a buffer"},
		{"none of them", func(p *scenario.PTX) { p.Safe = []int{-1} }, "argument -1 is not a buffer"},
		{"twice", func(p *scenario.PTX) { p.Safe = []int{2, 2} }, "workload.ptx.safe[1]: argument 2 is named twice"},
		{"no metric", func(p *scenario.PTX) { p.Metric = "beauty" }, "workload.ptx.metric"},
		{"no type", func(p *scenario.PTX) { p.Args[2].Element = "f8" }, "workload.ptx.args[2].element"},
		{"elements of a number", func(p *scenario.PTX) { p.Args[1].Element = "f32" }, "workload.ptx.args[1].element: the argument has no elements"},
	} {
		bad := *s
		program := *s.Workload.PTX
		program.Args = slices.Clone(program.Args)
		bad.Workload.PTX = &program
		c.set(&program)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestProgramOfWorkload(t *testing.T) {
	s := variants(t)[4] // an image of 16 x 16
	p, err := s.Program()
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "dct" || p.Buffers[0].Width != 16 {
		t.Errorf("%s %+v", p.Name, p.Buffers[0])
	}
	s.Workload.Image = s.Workload.Image[:len(s.Workload.Image)/2]
	if err := s.Validate(); err == nil {
		_, err = s.Program()
		if err == nil || !strings.Contains(err.Error(), "workload.image") {
			t.Errorf("half a PNG: %v", err)
		}
	}
	one, _ := scenario.Default("vecadd").Program()
	published, _ := programs.Build("vecadd", programs.Params{})
	if !bytes.Equal(one.Buffers[0].Init, published.Buffers[0].Init) {
		t.Error("the default seed does not give the published input")
	}
}

func parseYAML(text string) (*scenario.Scenario, error) {
	return authoring.ParseYAML("test.yaml", []byte(text))
}
