package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// reproData is the folder of committed results, as the command line's reproduce
// writes it.
const reproData = "assets/figures/data"

// siliconData holds the programs on a GPU against its preset, as the command line's correlate
// writes it.
const siliconData = "core/machine/testdata/silicon/h200-compared.json"

// reproIndex is repro/index.json, and with File the committed index.json.
type reproIndex struct {
	Version string        `json:"version"`
	Digest  string        `json:"digest"`
	Figures []reproFigure `json:"figures"`
	Claims  []string      `json:"claims"`
	Runs    []*reproRun   `json:"runs"`
}

type reproFigure struct {
	Name  string   `json:"name"`
	Paper string   `json:"paper"`
	Title string   `json:"title"`
	File  string   `json:"file,omitempty"`
	Data  []string `json:"data"`
}

type reproRun struct {
	Key      string          `json:"key"`
	Kind     string          `json:"kind"`
	Title    string          `json:"title"`
	Scenario json.RawMessage `json:"scenario"`
	Result   string          `json:"result,omitempty"`
}

// packRepro writes the committed results as the page reads them: one file that
// lists all runs, and for each kind of inputs one with the claims and one with the
// figures, which name runs by their places in that list. A key has 64 digits that do
// not compress, and every run is named many times.
func packRepro(root, stage string) error {
	r := &reproPacker{from: filepath.Join(root, filepath.FromSlash(reproData)), to: filepath.Join(stage, "repro"), places: map[string]int{}}
	if err := r.read("index.json", &r.index); err != nil {
		return err
	}
	var runs struct {
		Version string               `json:"version"`
		Runs    map[string]*reproRun `json:"runs"`
	}
	if err := r.read("runs.json", &runs); err != nil {
		return err
	}
	if runs.Version != r.index.Version {
		return fmt.Errorf("%s: runs.json is of version %s, index.json of %s: make both again", reproData, runs.Version, r.index.Version)
	}
	for _, key := range sorted(runs.Runs) {
		run := runs.Runs[key]
		run.Key = key
		r.places[key] = len(r.index.Runs)
		r.index.Runs = append(r.index.Runs, run)
	}
	for _, data := range r.index.Claims {
		if err := r.claims(data); err != nil {
			return err
		}
	}
	if err := r.figures(); err != nil {
		return err
	}
	if err := r.silicon(root); err != nil {
		return err
	}
	return r.write("index.json", &r.index)
}

type reproPacker struct {
	from, to string
	index    reproIndex
	places   map[string]int // of runs, by their keys
}

// read reads a file; numbers in maps stay as they are written.
func (r *reproPacker) read(name string, v any) error {
	data, err := os.ReadFile(filepath.Join(r.from, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s/%s: %w", reproData, name, err)
	}
	return nil
}

func (r *reproPacker) write(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(r.to, name), data)
}

// point replaces the keys of x["runs"] by their places.
func (r *reproPacker) point(what string, x map[string]any) error {
	keys, _ := x["runs"].([]any)
	if keys == nil {
		return nil
	}
	places := make([]int, len(keys))
	for i, key := range keys {
		text, _ := key.(string)
		place, ok := r.places[text]
		if !ok {
			return fmt.Errorf("%s: %s names the run %q, which runs.json does not hold: make the data again", reproData, what, text)
		}
		places[i] = place
	}
	x["runs"] = places
	return nil
}

func (r *reproPacker) claims(data string) error {
	var ledger map[string]any
	if err := r.read(data+"/claims.json", &ledger); err != nil {
		return err
	}
	delete(ledger, "counts") // the page counts the rows that its filters let through
	delete(ledger, "total")
	claims, _ := ledger["claims"].([]any)
	for _, c := range claims {
		claim, ok := c.(map[string]any)
		if !ok {
			return fmt.Errorf("%s/%s/claims.json: every claim must be an object", reproData, data)
		}
		if err := r.point("claim "+fmt.Sprint(claim["id"]), claim); err != nil {
			return err
		}
	}
	return r.write("claims-"+data+".json", ledger)
}

// silicon writes repro/silicon.json, without the spaces of the committed file.
func (r *reproPacker) silicon(root string) error {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(siliconData)))
	if err != nil {
		return err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return fmt.Errorf("%s: %w", siliconData, err)
	}
	return writeFile(filepath.Join(r.to, "silicon.json"), compact.Bytes())
}

func (r *reproPacker) figures() error {
	packed := map[string][]any{}
	for i := range r.index.Figures {
		f := &r.index.Figures[i]
		for _, data := range f.Data {
			var figure map[string]any
			if err := r.read(data+"/"+f.File, &figure); err != nil {
				return err
			}
			if err := r.point("figure "+strings.ToLower(f.Name), figure); err != nil {
				return err
			}
			packed[data] = append(packed[data], figure)
		}
		f.File = "" // all are in one
	}
	for _, data := range sorted(packed) {
		if err := r.write("figures-"+data+".json", map[string]any{"version": r.index.Version, "figures": packed[data]}); err != nil {
			return err
		}
	}
	return nil
}
