package claims

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// Every file holds the figure of its name, needs runs, and can be drawn.
func TestFigures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "assets", "papers", "[^t]*", "figures", "*.yaml"))
	if err != nil || len(files) != len(claim.FigureNames()) {
		t.Fatalf("%d files of %d figures, %v", len(files), len(claim.FigureNames()), err)
	}
	for _, name := range claim.FigureNames() {
		f, err := sweep.LoadFigure(strings.ToLower(name))
		if err != nil {
			t.Error(err)
			continue
		}
		jobs, err := sweep.FigureJobs(f, &claim.Reading{})
		if err != nil || len(jobs) == 0 || f.Name != name || f.Notes == "" {
			t.Errorf("%s: %d runs, %v", f.Name, len(jobs), err)
		}
		d, _, err := claim.NewLedger(clitest.Halves{}, claim.Suite).Draw(f)
		if err != nil || len(d.Missing) > 0 {
			t.Errorf("%s: %v, missing %v", name, err, d)
			continue
		}
		drawing := chart.Draw(d)
		x := xml.NewDecoder(strings.NewReader(drawing))
		for err == nil {
			_, err = x.Token()
		}
		if !errors.Is(err, io.EOF) || !strings.Contains(drawing, `role="img" aria-labelledby="title description"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The values of a figure, its means and the paper's numbers are where they belong.
func TestFigureValues(t *testing.T) {
	f, err := sweep.LoadFigure("SLC-7")
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := claim.NewLedger(clitest.Halves{}, claim.Suite).Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	p := d.Panels[0]
	opt := p.Series[2]
	at := slices.Index(p.Categories, "DCT")
	last := len(p.Categories) - 1
	if opt.Label != "TSLC-OPT" || *opt.Values[at] != 2 || *opt.Paper[at] != 1.17 || p.Categories[last] != "mean" || *opt.Values[last] < 1.999999 || *opt.Paper[last] != 1.097 {
		t.Errorf("%+v", opt)
	}
	if f, err = sweep.LoadFigure("SLC-2"); err != nil {
		t.Fatal(err)
	}
	if d, _, err = claim.NewLedger(clitest.Halves{}, claim.Suite).Draw(f); err != nil {
		t.Fatal(err)
	}
	if p = d.Panels[0]; len(p.Series) != 9 || len(p.Categories) != 33 || *p.Series[0].Values[8] != 1 || *p.Series[0].Values[7] != 0 {
		t.Errorf("blocks of 40 bytes end 8 above 32: %+v", p.Series[0])
	}
}

// Without results a figure is empty and lists the missing runs.
func TestFigureOfAnEmptyStore(t *testing.T) {
	dir := t.TempDir()
	var d claim.Drawing
	if err := json.Unmarshal([]byte(mustCall(t, "figure", "slc-7", "--format", "json", "--store", dir)), &d); err != nil {
		t.Fatal(err)
	}
	if d.Panels[0].Series[0].Values[0] != nil || len(d.Missing) != 36 {
		t.Errorf("%d missing: %v", len(d.Missing), d.Missing)
	}
	if text := mustCall(t, "figure", "SLC-7", "--store", dir); !strings.Contains(text, "[1.097]") || !strings.Contains(text, "missing: run of jmeint") {
		t.Error(text)
	}
	for _, args := range [][]string{{"figure"}, {"figure", "SLC-99"}, {"figure", "../slc-7"}, {"figure", "SLC-7", "--store", filepath.Join(dir, "nowhere")}} {
		if status, _, errs := call(args...); status == 0 || errs == "" {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, experiment.Version)); err == nil {
		t.Error("looking at a figure wrote into the store")
	}
}

// A figure with a mistake says where it is.
func TestFigureMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"figure: X": "a figure needs the keys figure, title and panels",
		"figure: X\ntitle: Y\ncolour: red\npanels: []":                                                      `unknown key "colour"`,
		"figure: X\ntitle: Y\npanels: [{title: Z}]":                                                         "needs either a set or points",
		"figure: X\ntitle: Y\npanels: [{points: [1.5]}]":                                                    "must be a whole number",
		"figure: X\ntitle: Y\npanels: [{points: [1], series: [{label: a, value: '1 +'}]}]":                  "value:1:4",
		"figure: X\ntitle: Y\npanels: [{points: [1], series: [{label: a, value: '1', paper: {mean: no}}]}]": "must be a number in quotes",
	} {
		v, err := clitest.ParseTree(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := claim.ParseFigure(v, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestFigureOnSeveralInputs: tables, CSV and SVG have the range and the mean of a value that was measured on several
// inputs, and nothing of the kind for one that was not.
func TestFigureOnSeveralInputs(t *testing.T) {
	one, paper := 1.5, 1.25
	d := &claim.Drawing{Name: "RFVP-0", Inputs: 10, Panels: []*claim.DrawnPanel{{
		Title: "Speedup", Unit: "x", Kind: "bars", Categories: []string{"A", "B"},
		Series: []claim.DrawnSeries{{
			Label: "half", Values: []*float64{&one, &one}, Paper: []*float64{&paper, nil},
			Spreads: []*claim.Spread{{Interval: experiment.Interval{Low: 0.75, High: 2.25}, Mean: 1.625}, nil},
		}},
	}}}
	var text, table strings.Builder
	if err := errors.Join(figureText(&text, d), FigureCSV(&table, d)); err != nil {
		t.Fatal(err)
	}
	svg := chart.Draw(d)
	for _, c := range []struct{ what, of, want string }{
		{"table", text.String(), "1.5 (0.75 to 2.25, mean 1.625) [1.25]\n"},
		{"table", text.String(), "B  1.5\n"},
		{"CSV", table.String(), "half,A,1.5,1.25,,,,0.75,2.25,1.625\n"},
		{"CSV", table.String(), "half,B,1.5,,,,,,,\n"},
		{"description", svg, "half: A 1.5 (0.75 to 2.25, mean 1.625) (paper 1.25), B 1.5."},
		{"drawing", svg, "thin lines: 10 inputs, with a dot at their mean"},
	} {
		if !strings.Contains(c.of, c.want) {
			t.Errorf("the %s lacks %q:\n%s", c.what, c.want, c.of)
		}
	}
	if n := strings.Count(svg, "<circle"); n != 1 {
		t.Errorf("%d means are drawn for one spread", n)
	}
}
