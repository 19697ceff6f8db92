package scenarios

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/golden"
)

func parse(t *testing.T, name string) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML(name+".yaml", Source(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPackedScenariosAreCurrent(t *testing.T) {
	for _, name := range Names() {
		want := authoring.Marshal(parse(t, name))
		golden.File(t, name+".msgpack", want)
		if _, err := scenario.ParseMsgpack(want); err != nil {
			t.Error(err)
		}
	}
}

// The list of names is the list of files.
func TestNames(t *testing.T) {
	found, err := fs.Glob(files, "*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		name, _, _ := strings.Cut(file, ".")
		if !slices.Contains(Names(), name) {
			t.Errorf("%s is not among the names", file)
		}
	}
	if Packed("../scenarios/dct") != nil || Packed("nothing") != nil {
		t.Error("a file that does not ship was found")
	}
}

// What the shipped scenarios promise: the machine and setting of the SLC paper,
// and a comparison that changes nothing but the scheme.
func TestShippedScenarios(t *testing.T) {
	for _, name := range Names() {
		s := parse(t, name)
		if s.Title == "" || s.Notes == "" || s.Compare == nil {
			t.Errorf("%s: title, notes or comparison is missing", name)
			continue
		}
		if s.Machine.Preset != "gtx580b" || s.Memory.MAG() != 32 || s.Memory.Threshold() != 16 || s.Compare.Memory.MAG() != 32 {
			t.Errorf("%s: %+v %+v", name, s.Machine, s.Memory)
		}
		if s.Memory.Equal(s.Compare.Memory) {
			t.Errorf("%s compares a scheme with itself", name)
		}
	}
	dct := parse(t, "dct")
	other := dct.Compare.Memory
	if dct.Memory.Approximation() != "tslc-opt" || other.Codec() != "e2mc16" || other.Approximation() != "none" {
		t.Errorf("dct compares %+v with %+v", dct.Compare.Memory, dct.Memory)
	}
}
