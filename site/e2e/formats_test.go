package e2e

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// studied reads the table of the study of formats: rows by program, data, codec, MAG and machine, and the codecs in their
// order, without "none".
func studied(t *testing.T) (rows map[string]map[string]string, codecs []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "core", "workload", "formats.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = map[string]map[string]string{}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows[fmt.Sprintf("%s, %s %s %s %s", row["program"], row["data"], row["codec"], row["mag"], row["preset"])] = row
		if c := row["codec"]; c != "none" && !slices.Contains(codecs, c) {
			codecs = append(codecs, c)
		}
	}
	return rows, codecs
}

func figure(t *testing.T, row map[string]string, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(row[name], 64)
	if err != nil {
		t.Fatalf("%s of %v: %v", name, row, err)
	}
	return v
}

// TestFormats: the table of programs and codecs has the figures of the committed study, for each
// MAG and measure; a number opens a run that comes to the figures of its row; a phone shows the
// table without scrolling the page sideways.
func TestFormats(t *testing.T) {
	t.Parallel()
	rows, codecs := studied(t)
	p := openReproRuns(t, "formats&repro.mag=64&repro.metric=bytes")
	const cells = `[...document.querySelectorAll("#formats-table tbody tr")].flatMap(r => [...r.querySelectorAll("td")].map((c, i) => [r.firstChild.textContent, i, c.textContent]))`
	poll(p, cells+`.length > 0`)
	change := func(column string) func(row, none map[string]string) string {
		return func(row, none map[string]string) string {
			s := fmt.Sprintf("%+.1f", 100*(figure(t, row, column)/figure(t, none, column)-1))
			if s == "-0.0" {
				s = "+0.0"
			}
			return strings.Replace(s, "-", "\u2212", 1)
		}
	}
	for _, c := range []struct {
		machine, mag, metric string
		of                   func(row, none map[string]string) string
	}{
		{"h100", "64", "bytes", change("dramBytes")},
		{"a100", "32", "cycles", change("cycles")},
		{"h100", "32", "energy", change("joules")},
		{"a100", "32", "effective", func(row, _ map[string]string) string {
			return fmt.Sprintf("%.2f", figure(t, row, "compressionRatioEffective"))
		}},
		{"h100", "64", "metadata", func(row, _ map[string]string) string {
			return fmt.Sprintf("%.1f", 100*figure(t, row, "burstsMetadata")*64/figure(t, row, "dramBytes"))
		}},
	} {
		eval[any](p, fmt.Sprintf(`for (const [id, v] of [["formats-machine", %q], ["formats-mag", %q], ["formats-metric", %q]]) { const e = document.getElementById(id); e.value = v; e.dispatchEvent(new Event("change")); }`, c.machine, c.mag, c.metric))
		p.settle()
		shown := eval[[][]any](p, cells)
		if len(shown) != 12*len(codecs) {
			t.Fatalf("%d cells", len(shown))
		}
		for _, cell := range shown {
			name, codec := cell[0].(string), codecs[int(cell[1].(float64))]
			row, none := rows[name+" "+codec+" "+c.mag+" "+c.machine], rows[name+" none "+c.mag+" "+c.machine]
			if row == nil || none == nil {
				t.Fatalf("the study has no %s %s %s", name, codec, c.mag)
			}
			if want := c.of(row, none); cell[2] != want {
				t.Errorf("%s of %s under %s at %s B: %v, the study has %s", c.metric, name, codec, c.mag, cell[2], want)
			}
		}
	}
	poll(p, `location.hash.includes("repro.mag=64") && location.hash.includes("repro.metric=metadata")`)
	eval[any](p, `(e => { e.value = "cycles"; e.dispatchEvent(new Event("change")); })(document.getElementById("formats-metric"))`)
	p.settle()
	p.screenshot("formats.png")
	p.size(390, 844)
	p.settle()
	if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("on a phone the page is %d pixels wide", wide)
	}
	p.screenshot("formats-phone.png")
	p.size(1280, 800)

	// The first program under BDI.
	eval[any](p, `document.querySelector("#formats-table tbody a").click()`)
	p.wait(`S.phase === "done" && !S.repro.open`)
	p.settle()
	said := eval[map[string]float64](p, `Object.fromEntries(["A", "B"].flatMap(side => (r => [["cycles", r.cycles], ["bytes", r.dramReadBytes + r.dramWriteBytes]].map(([k, v]) => [side + k, v]))(burstscope.state.results[side])))`)
	row, none := rows["embedding, zipf bdi 64 h100"], rows["embedding, zipf none 64 h100"]
	want := map[string]float64{"Acycles": figure(t, none, "cycles"), "Abytes": figure(t, none, "dramBytes"), "Bcycles": figure(t, row, "cycles"), "Bbytes": figure(t, row, "dramBytes")}
	if fmt.Sprint(said) != fmt.Sprint(want) {
		t.Errorf("the run comes to %v, the study has %v", said, want)
	}
}
