package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
)

// The packed files hold every row and figure of every folder of the committed data once, from the same runs, and
// name the folder's machine and inputs.
func TestPackRepro(t *testing.T) {
	stage := t.TempDir()
	if err := packRepro("../..", stage); err != nil {
		t.Fatal(err)
	}
	type holder struct {
		ID      string `json:"id"`
		Paper   string `json:"paper"`
		Figure  string `json:"figure"`
		Machine string `json:"machine"`
		Data    string `json:"data"`
		Verdict string `json:"verdict"`
		Runs    []any  `json:"runs"`
		// Machines are those of a committed figure whose runs are on several.
		Machines []string `json:"machines"`
	}
	type ledger struct {
		Sources []packedSource
		Claims  []holder
	}
	var index reproIndex
	readJSON(t, filepath.Join(stage, "repro", "index.json"), &index)
	if len(index.Sets) != 2 || index.Sets[0] != ownInputs || index.Sets[1] != string(claim.Calibrated) {
		t.Fatalf("sets of results %v; the page knows own and calibrated (DATA_SETS)", index.Sets)
	}
	ledgers, figures := map[string]*ledger{}, map[string]map[string]holder{}
	for _, set := range index.Sets {
		ledgers[set], figures[set] = &ledger{}, map[string]holder{}
		readJSON(t, filepath.Join(stage, "repro", "claims-"+set+".json"), ledgers[set])
		var packed struct{ Figures []holder }
		readJSON(t, filepath.Join(stage, "repro", "figures-"+set+".json"), &packed)
		for _, f := range packed.Figures {
			figures[set][f.Figure] = f
		}
	}
	same := func(packed, original holder) {
		t.Helper()
		what := original.ID + original.Figure
		if len(packed.Runs) != len(original.Runs) || packed.Verdict != original.Verdict {
			t.Errorf("%s: %d runs and %q packed, %d and %q committed", what, len(packed.Runs), packed.Verdict, len(original.Runs), original.Verdict)
			return
		}
		for i, place := range packed.Runs {
			if key := index.Runs[int(place.(float64))].Key; key != original.Runs[i] {
				t.Errorf("%s: run %d is %s, want %s", what, i, key, original.Runs[i])
			}
		}
	}
	from := filepath.Join("../..", reproData)
	folders, err := filepath.Glob(filepath.Join(from, "*", "index.json"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no paper has a folder: %v", err)
	}
	rows, drawn := map[string]int{}, 0
	for _, file := range append(folders, filepath.Join(from, "index.json")) {
		var committed committedIndex
		readJSON(t, file, &committed)
		machine := committed.Reading.Word("machine")
		for i, data := range committed.Claims {
			set := data
			if i == 0 {
				set = ownInputs
			}
			var original ledger
			readJSON(t, filepath.Join(filepath.Dir(file), data, "claims.json"), &original)
			for _, row := range original.Claims {
				rows[set]++
				at := slices.IndexFunc(ledgers[set].Claims, func(h holder) bool { return h.ID == row.ID })
				if at < 0 {
					t.Fatalf("%s, %s inputs: %s is not packed", file, data, row.ID)
				}
				same(ledgers[set].Claims[at], row)
				source := slices.IndexFunc(ledgers[set].Sources, func(s packedSource) bool { return slices.Contains(s.Papers, row.Paper) })
				if source < 0 || ledgers[set].Sources[source].Machine != machine || ledgers[set].Sources[source].Data != data {
					t.Errorf("%s: from %+v, not from %s on %s inputs", row.ID, ledgers[set].Sources, machine, data)
				}
			}
			for _, f := range committed.Figures {
				if !slices.Contains(f.Data, data) {
					continue
				}
				drawn++
				var figure holder
				readJSON(t, filepath.Join(filepath.Dir(file), data, f.File), &figure)
				packed := figures[set][f.Name]
				same(packed, figure)
				machine := machine
				if len(figure.Machines) > 0 {
					machine = strings.Join(figure.Machines, ", ")
				}
				if packed.Machine != machine || len(packed.Machines) > 0 || packed.Data != data {
					t.Errorf("%s: packed as of %s on %s inputs, it is of %s on %s", f.Name, packed.Machine, packed.Data, machine, data)
				}
				if at := slices.IndexFunc(index.Figures, func(x *reproFigure) bool { return x.Name == f.Name }); at < 0 || !slices.Contains(index.Figures[at].Sets, set) || index.Figures[at].Machine != machine {
					t.Errorf("the index does not name %s in %s", f.Name, set)
				}
			}
		}
	}
	if got := figures[ownInputs]["E2MC-bandwidth"].Machine; got != "gtx580b, gtx580a, gtx580c, gtx580v4" {
		t.Errorf("E2MC-bandwidth compares four machines, the page names %q", got)
	}
	for set, n := range rows {
		if len(ledgers[set].Claims) != n {
			t.Errorf("%s: %d rows packed, %d committed", set, len(ledgers[set].Claims), n)
		}
	}
	if want := len(claim.All()); rows[ownInputs] != want {
		t.Errorf("%d rows are committed, the table has %d", rows[ownInputs], want)
	}
	if n := len(figures[ownInputs]) + len(figures[string(claim.Calibrated)]); n != drawn {
		t.Errorf("%d figures packed, %d committed", n, drawn)
	}
	// The papers keep their order, whatever the folders are called.
	last := 0
	for _, row := range ledgers[ownInputs].Claims {
		at := slices.Index(claim.Papers, row.Paper)
		if at < last {
			t.Fatalf("%s stands behind rows of %s", row.ID, claim.Papers[last])
		}
		last = at
	}
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Data that name a missing run, belong to two versions, or have a row or a run twice fail the build.
func TestPackReproRefuses(t *testing.T) {
	const runs, claims = `{"version":"1","runs":{"feed":{"result":"1"}}}`, `{"claims":[{"id":"X-1","paper":"SLC"}]}`
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"suite/claims.json": `{"claims":[{"id":"X-1","runs":["food"]}]}`}, `claim X-1 names the run "food"`},
		{map[string]string{"runs.json": `{"version":"2","runs":{}}`}, "runs.json is of version 2"},
		{map[string]string{"suite/claims.json": `{"claims":[7]}`}, "every claim must be an object"},
		{map[string]string{"runs.json": `{"version":"1"`}, "runs.json"},
		{map[string]string{"b/index.json": `{"version":"2"}`, "b/runs.json": runs}, "b/index.json is of version 2, index.json of 1"},
		{map[string]string{"b/index.json": `{"version":"1","claims":["natural"]}`, "b/runs.json": `{"version":"1","runs":{"feed":{"result":"2"}}}`, "b/natural/claims.json": `{}`}, "b/runs.json and another part give run feed different results"},
		{map[string]string{"b/index.json": `{"version":"1","claims":["natural"]}`, "b/runs.json": runs, "b/natural/claims.json": claims}, "claim X-1 is in suite/claims.json too"},
		{map[string]string{"b/index.json": `{"version":"1","claims":["natural"]}`, "b/runs.json": runs}, "claims.json"},
	} {
		root := t.TempDir()
		folder := filepath.Join(root, filepath.FromSlash(reproData))
		files := map[string]string{"index.json": `{"version":"1","claims":["suite"]}`, "runs.json": runs, "suite/claims.json": claims}
		maps.Copy(files, c.files)
		for name, text := range files {
			if err := writeFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := packRepro(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.files, err, c.want)
		}
	}
}
