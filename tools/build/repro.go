package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
)

// reproData is the folder of committed results, as the command line's reproduce
// writes it. Each folder in it with an index of its own is the reproduction of one paper.
const reproData = "assets/reproduction"

// siliconData holds the programs on a GPU against its preset, as the command line's correlate
// writes it.
const siliconData = "core/machine/testdata/silicon/h200-compared.json"

// ownInputs names the first set of results on the page: each paper on the inputs of its own reading.
// The other sets have the name of their inputs.
const ownInputs = "own"

// reproIndex is repro/index.json.
type reproIndex struct {
	Version string         `json:"version"`
	Digest  string         `json:"digest"` // of the digests of all parts
	Parts   []*reproPart   `json:"parts"`
	Figures []*reproFigure `json:"figures"`
	Sets    []string       `json:"sets"` // ownInputs first
	Runs    []*reproRun    `json:"runs"`
}

// reproPart is one folder of committed data: a reproduction of some papers on one machine.
type reproPart struct {
	Machine string              `json:"machine"`
	Sets    map[string]*partSet `json:"sets"` // those that it has results in
	Runs    int                 `json:"runs"`
	Lacking int                 `json:"lacking,omitempty"` // runs without a result
	folder  string
	index   committedIndex
}

// partSet is what a part has in a set.
type partSet struct {
	Data   string   `json:"data"` // the inputs
	Papers []string `json:"papers"`
}

// committedIndex is the index.json of a folder, as the command line's reproduce writes it.
type committedIndex struct {
	Version string               `json:"version"`
	Digest  string               `json:"digest"`
	Lacking int                  `json:"lacking"`
	Reading claim.Reading        `json:"reading"`
	Figures []committedFigure    `json:"figures"`
	Claims  []string             `json:"claims"` // the folders with claims, the part's own inputs first
	runs    map[string]*reproRun // of runs.json
}

type committedFigure struct {
	Name  string   `json:"name"`
	Paper string   `json:"paper"`
	Title string   `json:"title"`
	File  string   `json:"file"`
	Data  []string `json:"data"`
}

type reproFigure struct {
	Name    string   `json:"name"`
	Paper   string   `json:"paper"`
	Title   string   `json:"title"`
	Machine string   `json:"machine"`
	Sets    []string `json:"sets"`
}

type reproRun struct {
	Key      string          `json:"key"`
	Kind     string          `json:"kind"`
	Title    string          `json:"title"`
	Scenario json.RawMessage `json:"scenario"`
	Result   string          `json:"result,omitempty"`
	Input    bool            `json:"input,omitempty"` // only spreads need it, which name no runs
}

// packRepro writes the committed results as the page reads them. The folder of the data is one part, and each
// folder in it with an index is another: a paper with a machine or inputs of its own. One file lists
// all runs; for each set of results one has the claims and one the figures, which name runs by their places in
// that list. A key has 64 digits that do not compress, and every run is named many times.
func packRepro(root, stage string) error {
	r := &reproPacker{from: filepath.Join(root, filepath.FromSlash(reproData)), to: filepath.Join(stage, "repro"), places: map[string]int{}}
	if err := r.readParts(); err != nil {
		return err
	}
	if err := r.gatherRuns(); err != nil {
		return err
	}
	for _, set := range r.index.Sets {
		if err := r.claims(set); err != nil {
			return err
		}
		if err := r.figures(set); err != nil {
			return err
		}
	}
	if err := r.silicon(root); err != nil {
		return err
	}
	if err := r.formats(root); err != nil {
		return err
	}
	return r.write("index.json", &r.index)
}

type reproPacker struct {
	from, to string
	index    reproIndex
	places   map[string]int // of runs, by their keys
}

// readParts reads the index and the runs of every part.
func (r *reproPacker) readParts() error {
	indexes, err := filepath.Glob(filepath.Join(r.from, "*", "index.json"))
	if err != nil {
		return err
	}
	folders := []string{""}
	for _, file := range indexes {
		folders = append(folders, filepath.Base(filepath.Dir(file))+"/")
	}
	sum := sha256.New()
	for _, folder := range folders {
		p := &reproPart{folder: folder, Sets: map[string]*partSet{}}
		if err := r.read(folder+"index.json", &p.index); err != nil {
			return err
		}
		var runs struct {
			Version string               `json:"version"`
			Runs    map[string]*reproRun `json:"runs"`
		}
		if err := r.read(folder+"runs.json", &runs); err != nil {
			return err
		}
		if r.index.Version == "" {
			r.index.Version = p.index.Version
		}
		for name, version := range map[string]string{"index.json": p.index.Version, "runs.json": runs.Version} {
			if version != r.index.Version {
				return fmt.Errorf("%s: %s%s is of version %s, index.json of %s: make both again", reproData, folder, name, version, r.index.Version)
			}
		}
		p.index.runs, p.Runs, p.Lacking, p.Machine = runs.Runs, len(runs.Runs), p.index.Lacking, p.index.Reading.Word("machine")
		for i, data := range p.index.Claims {
			set := setOf(p, data)
			p.Sets[set] = &partSet{Data: data}
			if i > 0 && !slices.Contains(r.index.Sets, set) || len(r.index.Sets) == 0 {
				r.index.Sets = append(r.index.Sets, set)
			}
		}
		fmt.Fprintln(sum, p.index.Digest)
		r.index.Parts = append(r.index.Parts, p)
	}
	r.index.Digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// setOf returns the set that a part's results on some inputs belong to.
func setOf(p *reproPart, data string) string {
	if data == p.index.Claims[0] {
		return ownInputs
	}
	return data
}

// gatherRuns lists the runs of all parts, in the order of their keys. Parts may share a run.
func (r *reproPacker) gatherRuns() error {
	all := map[string]*reproRun{}
	for _, p := range r.index.Parts {
		for _, key := range sorted(p.index.runs) {
			run := p.index.runs[key]
			if run.Input {
				continue
			}
			run.Key = key
			if other := all[key]; other == nil || other.Result == "" {
				all[key] = run
			} else if run.Result != "" && run.Result != other.Result {
				return fmt.Errorf("%s: %sruns.json and another part give run %s different results: make the data again", reproData, p.folder, key)
			}
		}
	}
	for _, key := range sorted(all) {
		r.places[key] = len(r.index.Runs)
		r.index.Runs = append(r.index.Runs, all[key])
	}
	return nil
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
	return writePacked(filepath.Join(r.to, name), v)
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

// packedClaims is repro/claims-SET.json. A part that has no results in the set has no rows in it.
type packedClaims struct {
	Version string           `json:"version"`
	Set     string           `json:"set"`
	Sources []packedSource   `json:"sources"`
	Claims  []map[string]any `json:"claims"`
}

// packedSource says what the rows of some papers are from.
type packedSource struct {
	Papers  []string `json:"papers"`
	Machine string   `json:"machine"`
	Data    string   `json:"data"`
	Digest  string   `json:"digest"`
}

// claims writes the rows of all parts in a set, in the order of the papers.
func (r *reproPacker) claims(set string) error {
	packed := packedClaims{Version: r.index.Version, Set: set, Claims: []map[string]any{}}
	owner := map[string]string{} // of each row
	for _, p := range r.index.Parts {
		of := p.Sets[set]
		if of == nil {
			continue
		}
		file := p.folder + of.Data + "/claims.json"
		var ledger struct {
			Digest string `json:"digest"`
			Claims []any  `json:"claims"`
		}
		if err := r.read(file, &ledger); err != nil {
			return err
		}
		for _, c := range ledger.Claims {
			row, ok := c.(map[string]any)
			if !ok {
				return fmt.Errorf("%s/%s: every claim must be an object", reproData, file)
			}
			id, paper := fmt.Sprint(row["id"]), fmt.Sprint(row["paper"])
			if owner[id] != "" {
				return fmt.Errorf("%s/%s: claim %s is in %s too: delete it from one of them", reproData, file, id, owner[id])
			}
			owner[id] = file
			if !slices.Contains(of.Papers, paper) {
				of.Papers = append(of.Papers, paper)
			}
			delete(row, "reading") // the source says it for all rows
			if err := r.point("claim "+id, row); err != nil {
				return err
			}
			own, _ := row["asRun"].(map[string]any)
			for _, of := range []map[string]any{row, own} {
				noise, _ := of["noise"].(map[string]any)
				if err := r.point("the interval of claim "+id, noise); err != nil {
					return err
				}
			}
			if err := r.point("claim "+id+" as its runs are", own); err != nil {
				return err
			}
			readings, _ := row["readings"].([]any)
			for _, one := range readings {
				reading, _ := one.(map[string]any)
				if reading["stated"] == true && reading["word"] == row["under"] {
					delete(reading, "runs") // the row's
				}
				if err := r.point("a reading of claim "+id, reading); err != nil {
					return err
				}
			}
			packed.Claims = append(packed.Claims, row)
		}
		packed.Sources = append(packed.Sources, packedSource{of.Papers, p.Machine, of.Data, ledger.Digest})
	}
	slices.SortStableFunc(packed.Claims, func(a, b map[string]any) int { return paperOrder(a) - paperOrder(b) })
	return r.write("claims-"+set+".json", packed)
}

// paperOrder is the place of a row's paper among those of the ledger; an unknown one comes first.
func paperOrder(row map[string]any) int { return slices.Index(claim.Papers, fmt.Sprint(row["paper"])) }

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

// figures writes the figures of all parts in a set.
func (r *reproPacker) figures(set string) error {
	packed := []any{}
	for _, p := range r.index.Parts {
		for i := range p.index.Figures {
			f := &p.index.Figures[i]
			of := p.Sets[set]
			if of == nil || !slices.Contains(f.Data, of.Data) {
				continue
			}
			var figure map[string]any
			if err := r.read(p.folder+of.Data+"/"+f.File, &figure); err != nil {
				return err
			}
			machine := machineOf(figure, p.Machine)
			figure["machine"] = machine
			delete(figure, "machines")
			delete(figure, "reading")
			if err := r.point("figure "+strings.ToLower(f.Name), figure); err != nil {
				return err
			}
			packed = append(packed, figure)
			r.listFigure(f, machine, set)
		}
	}
	return r.write("figures-"+set+".json", map[string]any{"version": r.index.Version, "figures": packed})
}

// machineOf names the machines of a figure: those of its runs if it lists them, otherwise that of its part.
func machineOf(figure map[string]any, part string) string {
	list, _ := figure["machines"].([]any)
	if len(list) == 0 {
		return part
	}
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = fmt.Sprint(m)
	}
	return strings.Join(words, ", ")
}

// listFigure puts a figure of a set into the index.
func (r *reproPacker) listFigure(f *committedFigure, machine, set string) {
	at := slices.IndexFunc(r.index.Figures, func(other *reproFigure) bool { return other.Name == f.Name })
	if at < 0 {
		at = len(r.index.Figures)
		r.index.Figures = append(r.index.Figures, &reproFigure{Name: f.Name, Paper: f.Paper, Title: f.Title, Machine: machine})
	}
	r.index.Figures[at].Sets = append(r.index.Figures[at].Sets, set)
}
