package experiment

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/testdata/tail"
)

// TestACodecBringsASetting: a codec that nobody knows, one folder and one row of the table, brings settings of its own
// into scenarios, paths, the lists of the page and the command line, hashes, and results.
func TestACodecBringsASetting(t *testing.T) {
	if files, err := os.ReadDir("../system/testdata/tail"); err != nil || len(files) != 1 {
		t.Fatalf("the folder has %d files, %v", len(files), err)
	}
	before := codecs.Table
	t.Cleanup(func() { codecs.Table = before })
	codecs.Table = append(slices.Clip(before), tail.Row()) // the row

	s := smallScenario(t, "bfs1", 512, "mini", "none", "memory.codec=tail", "memory.piece=1")
	if s.Memory["piece"] != int64(1) || s.Memory["zeros"] != "leave" {
		t.Fatalf("the memory is %v", s.Memory)
	}
	for name, read := range map[string]func() (*scenario.Scenario, error){
		"JSON":    func() (*scenario.Scenario, error) { return authoring.ParseJSON("tail.json", authoring.ToJSON(s)) },
		"YAML":    func() (*scenario.Scenario, error) { return authoring.ParseYAML("tail.yaml", authoring.ToYAML(s)) },
		"msgpack": func() (*scenario.Scenario, error) { return scenario.ParseMsgpack(s.Canonical()) },
		"library": func() (*scenario.Scenario, error) { return scenario.ParseMsgpack(authoring.Marshal(s)) },
	} {
		back, err := read()
		if err != nil || back.Hash() != s.Hash() || !back.Memory.Equal(s.Memory) || back.Version != 1 {
			t.Errorf("%s: the scenario comes back as %+v, %v", name, back, err)
		}
	}
	for _, path := range []string{"memory.piece", "compare.memory.piece"} {
		if !slices.Contains(scenario.Paths(), path) {
			t.Errorf("%s cannot be set", path)
		}
	}
	lists, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	of := `{"path":"memory.piece","title":"piece","unit":"bytes"`
	if text, err := json.Marshal(lists); err != nil || !strings.Contains(string(text), of) {
		t.Errorf("the page has no setting memory.piece (%v)", err)
	}
	for path, want := range map[string]string{
		"memory.piece=3":    "memory.piece: no piece has 3 bytes: use one of 1, 8, 64",
		"memory.zeros=drop": `memory.zeros: unknown zeros "drop"`,
		"memory.codec=bdi":  "",
	} {
		wrong := *s
		key, value, _ := scenario.Assignment(path)
		set(t, &wrong, key, value)
		if err := wrong.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	other := *s
	set(t, &other, "memory.codec", "bdi")
	if _, kept := other.Memory["piece"]; kept || s.Memory.Codec() != "tail" {
		t.Errorf("another codec keeps the setting: %v, %v", other.Memory, s.Memory)
	}
	_, err = authoring.ParseYAML("x.yaml", []byte("workload: {name: vecadd}\nmemory: {codec: bdi, piece: 1}"))
	const mend = "memory.piece: memory bdi has no such setting: set memory.codec to tail, or remove it"
	if err == nil || !strings.Contains(err.Error(), mend) {
		t.Errorf("the setting beside another codec: %v", err)
	}

	settingReachesTheCodec(t, s)
	if d := scheme.Find("memory").Entry("tail"); d == nil || len(d.Settings) != 2 {
		t.Errorf("the entry is %+v", d)
	}
}

// settingReachesTheCodec runs a scenario with several values of the settings of tail.
func settingReachesTheCodec(t *testing.T, s *scenario.Scenario) {
	t.Helper()
	// A piece has no effect if nothing is left out.
	hash := func(piece string) string {
		s := smallScenario(t, "bfs1", 512, "mini", "none", "memory.codec=tail", "memory.zeros=keep", "memory.piece="+piece)
		return s.Hash()
	}
	if hash("1") != hash("64") || hash("1") == s.Hash() {
		t.Error("a hash covers a setting without effect, or not one with an effect")
	}
	saved := map[string]uint64{}
	for _, set := range []string{"memory.piece=1", "memory.piece=64", "memory.zeros=keep"} {
		res := resultOf(t, smallScenario(t, "bfs1", 512, "mini", "none", "memory.codec=tail", set))
		saved[set] = res.BurstsSaved
		path, value, _ := scenario.Assignment(set)
		text, err := json.Marshal(res)
		var back struct{ Memory map[string]any }
		if err != nil || json.Unmarshal(text, &back) != nil || path == "memory.zeros" && back.Memory["zeros"] != value {
			t.Errorf("%s: the result's memory is %v, %v", set, back.Memory, err)
		}
		var again Result
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if err := again.Retype(func(_, _ any) error { return nil }); err != nil || !again.Memory.Equal(res.Memory) {
			t.Errorf("%s: the memory is read as %v, not %v: %v", set, again.Memory, res.Memory, err)
		}
	}
	if saved["memory.piece=1"] <= saved["memory.piece=64"] || saved["memory.zeros=keep"] != 0 {
		t.Errorf("the setting does not reach the codec: bursts saved %v", saved)
	}
}

func resultOf(t *testing.T, s *scenario.Scenario) *Result {
	t.Helper()
	p := mustPlan(t, s)
	p.Paranoid = true
	_, res := finish(t, p)
	return res
}
