package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The packed files name the same runs as the committed data.
func TestPackRepro(t *testing.T) {
	stage := t.TempDir()
	if err := packRepro("../..", stage); err != nil {
		t.Fatal(err)
	}
	type holder struct {
		ID     string `json:"id"`
		Figure string `json:"figure"`
		Runs   []any  `json:"runs"`
	}
	var index reproIndex
	readJSON(t, filepath.Join(stage, "repro", "index.json"), &index)
	var committed struct {
		Figures []reproFigure `json:"figures"`
		Claims  []string      `json:"claims"`
	}
	from := filepath.Join("../..", reproData)
	readJSON(t, filepath.Join(from, "index.json"), &committed)
	same := func(what string, packed, original holder) {
		t.Helper()
		if len(packed.Runs) != len(original.Runs) {
			t.Errorf("%s: %d runs packed, %d committed", what, len(packed.Runs), len(original.Runs))
			return
		}
		for i, place := range packed.Runs {
			if key := index.Runs[int(place.(float64))].Key; key != original.Runs[i] {
				t.Errorf("%s: run %d is %s, want %s", what, i, key, original.Runs[i])
			}
		}
	}
	for _, data := range committed.Claims {
		var packed, original struct{ Claims []holder }
		readJSON(t, filepath.Join(stage, "repro", "claims-"+data+".json"), &packed)
		readJSON(t, filepath.Join(from, data, "claims.json"), &original)
		if len(packed.Claims) == 0 || len(packed.Claims) != len(original.Claims) {
			t.Fatalf("%s: %d claims packed, %d committed", data, len(packed.Claims), len(original.Claims))
		}
		for i := range packed.Claims {
			same(original.Claims[i].ID, packed.Claims[i], original.Claims[i])
		}
	}
	figures := 0
	for _, f := range committed.Figures {
		for _, data := range f.Data {
			var original holder
			var packed struct{ Figures []holder }
			readJSON(t, filepath.Join(from, data, f.File), &original)
			readJSON(t, filepath.Join(stage, "repro", "figures-"+data+".json"), &packed)
			for _, p := range packed.Figures {
				if p.Figure == f.Name {
					same(f.Name, p, original)
					figures++
				}
			}
		}
	}
	if figures < len(committed.Figures) {
		t.Errorf("%d figures are packed, %d committed", figures, len(committed.Figures))
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

// Data that name a missing run, or belong to two versions, fail the build.
func TestPackReproRefuses(t *testing.T) {
	for _, c := range []struct{ runs, claims, want string }{
		{`{"version":"1","runs":{}}`, `{"claims":[{"id":"X-1","runs":["feed"]}]}`, `claim X-1 names the run "feed"`},
		{`{"version":"2","runs":{}}`, `{"claims":[]}`, "of version 2"},
		{`{"version":"1","runs":{}}`, `{"claims":[7]}`, "every claim must be an object"},
		{`{"version":"1"`, `{}`, "runs.json"},
	} {
		root := t.TempDir()
		folder := filepath.Join(root, filepath.FromSlash(reproData))
		for name, text := range map[string]string{"index.json": `{"version":"1","claims":["suite"]}`, "runs.json": c.runs, "suite/claims.json": c.claims} {
			if err := writeFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := packRepro(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.runs, err, c.want)
		}
	}
}
