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

// TestNamesOfPresets: gtx580v4 is another name of gtx580, in files, settings and hashes. No name of the
// table is a preset, so no preset is out of reach.
func TestNamesOfPresets(t *testing.T) {
	for _, name := range scenario.PresetMeanings() {
		if slices.Contains(preset.Names(), name) {
			t.Errorf("%s is a preset and a name for one", name)
		}
	}
	own, other := parsed(t, 1, "gtx580"), parsed(t, 1, "gtx580v4")
	if own.Hash() != other.Hash() || !bytes.Equal(own.Canonical(), other.Canonical()) || other.Machine.Preset != "gtx580" {
		t.Errorf("gtx580v4 is read as %s", other.Machine.Preset)
	}
	if parsed(t, 1, "").Hash() != own.Hash() {
		t.Error("a scenario without a machine does not mean gtx580")
	}
	s := parsed(t, 1, "mini")
	if err := s.Set("machine.preset", "gtx580v4"); err != nil || s.Hash() != own.Hash() {
		t.Errorf("set to gtx580v4: %s, %v", s.Machine.Preset, err)
	}
	direct := scenario.Machine{Preset: "gtx580v4"}
	if spec, err := direct.Spec(); err != nil || spec.Name != "gtx580" {
		t.Errorf("%v, %v", spec, err)
	}
	if _, err := authoring.ParseYAML("s.yaml", []byte(written(1, "gtx580v5"))); err == nil || !strings.Contains(err.Error(), "machine.preset") {
		t.Errorf("gtx580v5: %v", err)
	}
}

// TestMeaningOfANameChanges: when gtx580 means another machine from a version on, scenarios of older versions keep
// their machine, their packed bytes and their hash; those of the new version get the new machine. Here the
// old machine is gtx480v3 and the new one gtx580b, from version 2 on.
func TestMeaningOfANameChanges(t *testing.T) {
	made := parsed(t, 1, "gtx580")
	before, hash := made.Canonical(), made.Hash()
	restore := scenario.SetPresetMeanings([3]any{"gtx580", 1, "gtx480v3"}, [3]any{"gtx580", 2, "gtx580b"})
	defer restore()
	for _, name := range []string{"gtx580", "", "gtx480v3"} {
		old := parsed(t, 1, name)
		if old.Machine.Preset != "gtx480v3" || old.Hash() != hash || !bytes.Equal(old.Canonical(), before) || !bytes.Equal(authoring.Marshal(old), before) {
			t.Errorf("version 1, %q: runs on %s", name, old.Machine.Preset)
		}
		again, err := scenario.ParseMsgpack(old.Canonical())
		if err != nil || again.Machine.Preset != "gtx480v3" || again.Hash() != hash {
			t.Errorf("version 1, %q, packed and read: %v", name, err)
		}
		again, err = scenario.ParseJSON("s.json", authoring.ToJSON(old))
		if err != nil || again.Machine.Preset != "gtx480v3" || again.Hash() != hash {
			t.Errorf("version 1, %q, written for people and read: %v", name, err)
		}
	}
	explicit := parsed(t, 1, "gtx580b")
	for _, name := range []string{"gtx580", "", "gtx580b"} {
		s := parsed(t, 2, name)
		if s.Machine.Preset != "gtx580b" || s.Hash() != explicit.Hash() || s.Hash() == hash {
			t.Errorf("version 2, %q: runs on %s", name, s.Machine.Preset)
		}
		again, err := scenario.ParseMsgpack(s.Canonical())
		if err != nil || again.Machine.Preset != "gtx580b" || !bytes.Equal(again.Canonical(), s.Canonical()) {
			t.Errorf("version 2, %q, packed and read: %v", name, err)
		}
	}
	// What is made now means the newest machine; a scenario with new groups and the old machine keeps it.
	if s := scenario.Default("vecadd"); s.Machine.Preset != "gtx580b" {
		t.Errorf("a new scenario runs on %s", s.Machine.Preset)
	}
	s := parsed(t, 1, "mini")
	if err := s.Set("machine.preset", "gtx580"); err != nil || s.Machine.Preset != "gtx580b" {
		t.Errorf("set to gtx580: %s, %v", s.Machine.Preset, err)
	}
	newer := parsed(t, 1, "gtx580")
	newer.Version = 2
	if again, err := scenario.ParseMsgpack(newer.Canonical()); err != nil || again.Machine.Preset != "gtx480v3" {
		t.Errorf("the old machine in a scenario of version 2: %v", err)
	}
}
