package scenario_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

const withView = full + `
view: {tab: dram, side: A, cycle: 9007199254740991, locked: [memory.mag, compare], hidden: [machine, scenario]}
`

// A view is read from every format. It changes the scenario but not its result.
func TestViewIsOutsideTheHash(t *testing.T) {
	plain, s := mustParse(t, full), mustParse(t, withView)
	want := &scenario.View{Tab: "dram", Side: "A", Cycle: 1<<53 - 1, Locked: []string{"memory.mag", "compare"}, Hidden: []string{"machine", "scenario"}}
	if !reflect.DeepEqual(s.View, want) {
		t.Errorf("got %+v, want %+v", s.View, want)
	}
	if s.Hash() != plain.Hash() {
		t.Error("what is shown first changes the hash of what is computed")
	}
	if bytes.Equal(s.Canonical(), plain.Canonical()) {
		t.Error("the view is not packed")
	}
	packed, err := scenario.ParseMsgpack(authoring.Marshal(s))
	if err != nil || !reflect.DeepEqual(packed, s) || !bytes.Equal(s.Canonical(), authoring.Marshal(s)) {
		t.Errorf("packed: %+v, %v", packed, err)
	}
	text, err := scenario.ParseJSON("page", authoring.ToJSON(s))
	if err != nil || !reflect.DeepEqual(text, s) {
		t.Errorf("as JSON: %+v, %v", text, err)
	}
	again, err := authoring.ParseYAML("yaml", authoring.ToYAML(s))
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("as YAML: %+v, %v", again, err)
	}
}

// Every fault of a view has its path.
func TestViewFaults(t *testing.T) {
	_, err := authoring.ParseYAML("v.yaml", []byte(full+`
view:
  tab: brusts
  side: C
  cycle: 9007199254740992
  locked: [memory.mag, memory.magg, "<script>"]
  hidden: [memory.accounting, 7]
  colour: red
`))
	var e *fault.Errors
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want *Errors", err)
	}
	var got []string
	for _, f := range e.List {
		got = append(got, f.Path)
		if f.Mend == "" || !strings.HasPrefix(f.Where, "v.yaml:") {
			t.Errorf("%v lacks a place or what to do", f)
		}
	}
	want := "view.hidden[1] view.colour view.tab view.side view.cycle view.locked[1] view.locked[2] view.hidden[0]"
	if strings.Join(got, " ") != want {
		t.Errorf("faults at %s, want %s:\n%v", strings.Join(got, " "), want, err)
	}
	if !strings.Contains(err.Error(), `view.tab: unknown tab "brusts": did you mean "bursts"?`) {
		t.Errorf("%v", err)
	}
	many := full + "view: {locked: [" + strings.Repeat("seed, ", 400) + "seed]}\n"
	if _, err := authoring.ParseYAML("many", []byte(many)); err == nil || !strings.Contains(err.Error(), "view.locked: 401 paths") {
		t.Errorf("401 locks: %v", err)
	}
}

// Every control is a value that can be set, a group of values, or one of the others: all
// of them, the choice of scenario, and an image.
func TestControlsAreValues(t *testing.T) {
	paths := scenario.Paths()
	for _, control := range scenario.Controls() {
		known := control == "*" || control == "scenario" || control == "workload.image" || control == "machine.overrides"
		for _, p := range paths {
			known = known || p == control || strings.HasPrefix(p, control+".")
		}
		if !known {
			t.Errorf("%s is not a value of a scenario", control)
		}
	}
}
