package machine

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

func TestMachineList(t *testing.T) {
	text := mustCall(t, "machine", "list")
	var list []listed
	if err := json.Unmarshal([]byte(mustCall(t, "machine", "list", "--format", "json")), &list); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(mustCall(t, "machine", "list", "--format", "csv"))).ReadAll()
	if err != nil || len(rows) != len(list)+1 || len(list) != len(preset.Names()) {
		t.Fatalf("%v: %d rows, %d machines", err, len(rows), len(list))
	}
	for i, m := range list {
		if m.Name != preset.Names()[i] || !strings.Contains(text, m.Title) || rows[i+1][2] != m.Source {
			t.Errorf("%+v", m)
		}
	}
}

// TestMachineDescribe: the three formats have the same fields, and an override is
// shown with the preset's value beside it.
func TestMachineDescribe(t *testing.T) {
	for _, name := range preset.Names() {
		var described struct {
			Name   string
			Fields []preset.Field
		}
		if err := json.Unmarshal([]byte(mustCall(t, "machine", "describe", name, "--format", "json")), &described); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(mustCall(t, "machine", "describe", name, "--format", "csv"))).ReadAll()
		if err != nil || described.Name != name || len(rows) != len(described.Fields)+1 || len(rows) < 100 {
			t.Fatalf("%v: %s: %d rows, %d fields", err, described.Name, len(rows), len(described.Fields))
		}
		text := mustCall(t, "machine", "describe", name)
		for i, f := range described.Fields {
			if rows[i+1][0] != f.Path || rows[i+1][1] != f.Value || rows[i+1][5] != f.Source || !strings.Contains(text, f.Path) {
				t.Errorf("%+v is not in all formats: %v", f, rows[i+1])
			}
		}
	}
	out := mustCall(t, "machine", "describe", "mini", "--set", "sm.l1.ways=8", "--set", "machine.overrides.coreMHz=800")
	for _, want := range []string{"8 ways (overridden; preset 4)", "800 MHz (overridden; preset 822)", "32768 bytes"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// TestMachinesBeside: of two machines, each value stands in both columns, and exactly those that differ
// are marked, in all formats. The list agrees with the descriptions of the two alone.
func TestMachinesBeside(t *testing.T) {
	alone := func(name string) (list []preset.Field) {
		s, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		return preset.Describe(s)
	}
	a, b := alone("gtx580v4"), alone("gtx580b")
	var described struct {
		Machines []listed
		Differ   int
		Fields   []besideField
	}
	if err := json.Unmarshal([]byte(mustCall(t, "machine", "describe", "gtx580v4", "gtx580b", "--format", "json")), &described); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(mustCall(t, "machine", "describe", "gtx580v4", "gtx580b", "--format", "csv"))).ReadAll()
	if err != nil || len(rows) != len(a)+1 || len(described.Fields) != len(a) || strings.Join(rows[0][:4], " ") != "path gtx580v4 gtx580b differs" {
		t.Fatalf("%v: %d rows, %d fields, %d alone", err, len(rows), len(described.Fields), len(a))
	}
	text := mustCall(t, "machine", "describe", "gtx580v4", "gtx580b")
	differ := 0
	for i, f := range described.Fields {
		differs, mark := a[i].Value != b[i].Value, ""
		if differs {
			differ, mark = differ+1, "*"
		}
		if f.Path != a[i].Path || f.Values != [2]string{a[i].Value, b[i].Value} || f.Differs != differs {
			t.Errorf("%+v, alone %q and %q", f, a[i].Value, b[i].Value)
		}
		if r := rows[i+1]; r[0] != f.Path || r[1] != a[i].Value || r[2] != b[i].Value || r[3] != mark {
			t.Errorf("csv: %q", r)
		}
		if strings.Contains(text, "\n* "+f.Path+" ") != differs || !differs && !strings.Contains(text, "\n  "+f.Path+" ") {
			t.Errorf("text: %s is marked wrongly", f.Path)
		}
	}
	if described.Differ != differ || differ < 20 || !strings.Contains(text, fmt.Sprintf("%d of %d values differ", differ, len(a))) {
		t.Errorf("%d values differ, the list says %d", differ, described.Differ)
	}
	changed := mustCall(t, "machine", "describe", "mini", "mini", "--set", "sm.l1.ways=8")
	if !strings.Contains(changed, "overridden; preset 4") || !strings.Contains(changed, "2 of ") {
		t.Errorf("a value and the L1's capacity differ:\n%s", changed)
	}
}

// An override changes what runs, is part of the result and of the hash.
func TestRunWithOverrides(t *testing.T) {
	type result struct {
		ScenarioHash, ResultHash string
		Cycles                   uint64
		Overrides                map[string]any
	}
	var plain, slow result
	if err := json.Unmarshal([]byte(mustCall(t, clitest.Small("--format", "json")...)), &plain); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(mustCall(t, clitest.Small("--format", "json", "--set", "machine.overrides.dram.cl=60")...)), &slow); err != nil {
		t.Fatal(err)
	}
	if slow.Cycles <= plain.Cycles || slow.ScenarioHash == plain.ScenarioHash || slow.Overrides["dram.cl"] != 60.0 || plain.Overrides != nil {
		t.Errorf("%+v\n%+v", plain, slow)
	}
	if out := mustCall(t, clitest.Small("--set", "machine.overrides.dram.cl=60")...); !strings.Contains(out, "machine.overrides.dram.cl") {
		t.Errorf("the override is not shown:\n%s", out)
	}
}

func TestMachineBadInput(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"machine", 2, "no action"},
		{"machine walk", 2, "unknown action"},
		{"machine list mini", 2, "unexpected word: mini"},
		{"machine describe", 2, "no machine"},
		{"machine describe mini gtx480 gtx580b", 2, "name one or two"},
		{"machine describe mini gtx58", 1, `did you mean "gtx580b"?`},
		{"machine describe gtx58", 1, `did you mean "gtx580b"?`},
		{"machine describe mini --set sm.l1.wayz=3", 1, "did you mean sm.l1.ways?"},
		{"machine describe mini --set sm.l1.sets=3", 1, "use a power of two"},
		{"machine describe mini --format yaml", 2, "use one of text, json, csv"},
	} {
		status, _, errs := call(strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, want %d with %s\n%s", c.args, status, c.status, c.want, errs)
		}
	}
}
