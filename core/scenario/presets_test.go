package scenario_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// written is a scenario as people write it; an empty preset leaves the machine out.
func written(version int, preset string) string {
	text := fmt.Sprintf("version: %d\nworkload: {name: vecadd}\n", version)
	if preset != "" {
		text += "machine: {preset: " + preset + "}\n"
	}
	return text
}

func parsed(t *testing.T, version int, preset string) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML("s.yaml", []byte(written(version, preset)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNamesOfPresets: gtx580 means gtx580v4 before version 3 and gtx580b from it on, in files, settings and
// hashes. No name of the table is a preset, so no preset is out of reach.
func TestNamesOfPresets(t *testing.T) {
	for _, name := range scenario.PresetMeanings() {
		if slices.Contains(preset.Names(), name) {
			t.Errorf("%s is a preset and a name for one", name)
		}
	}
	for version, want := range map[int]string{1: "gtx580v4", 2: "gtx580v4", 3: "gtx580b"} {
		own, other := parsed(t, version, "gtx580"), parsed(t, version, want)
		if own.Hash() != other.Hash() || !bytes.Equal(own.Canonical(), other.Canonical()) || own.Machine.Preset != want {
			t.Errorf("version %d: gtx580 is read as %s", version, own.Machine.Preset)
		}
		if parsed(t, version, "").Hash() != own.Hash() {
			t.Errorf("version %d: a scenario without a machine does not mean gtx580", version)
		}
	}
	s := parsed(t, 1, "mini")
	if err := s.Set("machine.preset", "gtx580"); err != nil || s.Hash() != parsed(t, 3, "gtx580b").Hash() {
		t.Errorf("set to gtx580: %s, %v", s.Machine.Preset, err)
	}
	direct := scenario.Machine{Preset: "gtx580"}
	if spec, err := direct.Spec(); err != nil || spec.Name != "gtx580b" {
		t.Errorf("%v, %v", spec, err)
	}
	if _, err := authoring.ParseYAML("s.yaml", []byte(written(1, "gtx580v5"))); err == nil || !strings.Contains(err.Error(), "machine.preset") {
		t.Errorf("gtx580v5: %v", err)
	}
}

// TestMeaningOfANameChanges: gtx580 means another machine from version 3 on. Scenarios of older versions keep their
// machine, their packed bytes and their hash; those of the new version get the new machine.
func TestMeaningOfANameChanges(t *testing.T) {
	const hash = "d4d64a4284c717bbcc1a866f93352b71e692260156a49975ae85f64a1cf502d2" // of version 0.3.0
	before := parsed(t, 1, "gtx580").Canonical()
	if !bytes.Contains(before, []byte("\xa6gtx580")) || bytes.Contains(before, []byte("gtx580v4")) {
		t.Errorf("packed as %q", before)
	}
	for _, name := range []string{"gtx580", "", "gtx580v4"} {
		old := parsed(t, 1, name)
		if old.Machine.Preset != "gtx580v4" || old.Hash() != hash || !bytes.Equal(old.Canonical(), before) || !bytes.Equal(authoring.Marshal(old), before) {
			t.Errorf("version 1, %q: runs on %s", name, old.Machine.Preset)
		}
		again, err := scenario.ParseMsgpack(old.Canonical())
		if err != nil || again.Machine.Preset != "gtx580v4" || again.Hash() != hash {
			t.Errorf("version 1, %q, packed and read: %v", name, err)
		}
		again, err = scenario.ParseJSON("s.json", authoring.ToJSON(old))
		if err != nil || again.Machine.Preset != "gtx580v4" || again.Hash() != hash {
			t.Errorf("version 1, %q, written for people and read: %v", name, err)
		}
	}
	explicit := parsed(t, 1, "gtx580b")
	for _, name := range []string{"gtx580", "", "gtx580b"} {
		s := parsed(t, 3, name)
		if s.Machine.Preset != "gtx580b" || s.Hash() != explicit.Hash() || s.Hash() == hash {
			t.Errorf("version 3, %q: runs on %s", name, s.Machine.Preset)
		}
		again, err := scenario.ParseMsgpack(s.Canonical())
		if err != nil || again.Machine.Preset != "gtx580b" || !bytes.Equal(again.Canonical(), s.Canonical()) {
			t.Errorf("version 3, %q, packed and read: %v", name, err)
		}
	}
	// What is made now means the newest machine; a scenario with new groups and the old machine keeps it.
	if s := scenario.Default("vecadd"); s.Machine.Preset != "gtx580b" {
		t.Errorf("a new scenario runs on %s", s.Machine.Preset)
	}
	newer := parsed(t, 1, "gtx580")
	newer.Version = 2
	if again, err := scenario.ParseMsgpack(newer.Canonical()); err != nil || again.Machine.Preset != "gtx580v4" {
		t.Errorf("the old machine in a scenario of version 2: %v", err)
	}
}
