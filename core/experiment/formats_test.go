package experiment

import (
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// The study of all codecs over the programs on f16, bf16, fp8 and int8 data: a table that this writes with
// go test ./core/experiment -run FormatsStudy -formats -timeout 0, and the tables of a document that follow from it
// (-update writes them alone).
var measureFormats = flag.Bool("formats", false, "run the study of today's formats, and write its table")

const (
	formatsTable    = "../workload/formats.csv"
	formatsDocument = "../workload/FORMATS.md"
)

// formatsPresets are the machines of the study. The document's larger tables are of the first.
var formatsPresets = []string{"h100", "a100"}

// formatsRuns are the programs and data of the study; each has the second size that a page offers.
var formatsRuns = [][2]string{
	{"embedding", "zipf"}, {"softmax", "causal"}, {"layernorm", "outliers"}, {"sgd", "trained"}, {"adam", "trained"},
	{"gemm", "bf16"}, {"gemm", "int8"}, {"gemm", "sparse"}, {"gemmfp8", "outliers"}, {"attention", "causal"},
	{"pageddecode", "f16"}, {"pageddecode", "fp8"},
}

var formatsColumns = []string{"program", "data", "size", "codec", "mag", "compressionRatioRaw", "compressionRatioEffective", "dramBytes", "cycles", "joules", "error", "burstsMetadata", "lossyShare", "preset"}

// formatsCodecs are no compression, all lossless codecs, and SLC's approximation over the one that it is made for.
func formatsCodecs() []string {
	return slices.Concat([]string{"none"}, codecs.Names(), []string{"tslc-opt"})
}

// formatsScenario is one run. SLC's approximation has the threshold of its paper: half a burst.
func formatsScenario(t *testing.T, preset string, run [2]string, codec string, mag int) *scenario.Scenario {
	info, err := programs.Describe(run[0])
	if err != nil {
		t.Fatal(err)
	}
	s := scenario.Default(run[0])
	s.Machine.Preset, s.Workload.Data, s.Workload.Size = preset, run[1], info.Sizes[1]
	s.Memory.Put("codec", codec, "mag", mag, "threshold", mag/2, "approximation", "none")
	if codec == "tslc-opt" {
		s.Memory.Put("codec", "e2mc16", "approximation", codec)
	}
	return s
}

// formatsRows runs one program with some codecs.
func formatsRows(t *testing.T, preset string, run [2]string, names []string, mags []int) (rows [][]string) {
	var study *Study
	for _, mag := range mags {
		for _, name := range names {
			s := formatsScenario(t, preset, run, name, mag)
			p := mustPlan(t, s)
			if study == nil {
				var err error
				if study, err = NewStudy(p); err != nil {
					t.Fatal(err)
				}
			}
			row := []string{run[0], run[1], strconv.Itoa(s.Workload.Size), name, strconv.Itoa(mag)}
			row = append(row, figuresOf(t, study, p, formatsColumns[5:len(formatsColumns)-1])...)
			rows = append(rows, append(row, preset))
		}
	}
	return rows
}

// figuresOf runs a scheme to its end and returns some figures of the result.
func figuresOf(t *testing.T, study *Study, p *Plan, columns []string) (figures []string) {
	t.Helper()
	r := study.Run(p, Options{})
	for done := false; !done; {
		var err error
		if done, err = r.Step(1 << 20); err != nil {
			t.Fatalf("%s: %v", p.Program.Name, err)
		}
	}
	res := r.Result()
	for _, c := range columns {
		v, _ := res.Figure(c)
		figures = append(figures, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return figures
}

// TestFormatsStudy: the document has the table's figures, and one program runs to the same bits.
func TestFormatsStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("this runs a program on a large machine")
	}
	t.Parallel()
	mags := []int{32, 64}
	if *measureFormats {
		found := make([][][]string, len(formatsPresets)*len(formatsRuns))
		t.Run("runs", func(t *testing.T) {
			for i := range found {
				preset, run := formatsPresets[i/len(formatsRuns)], formatsRuns[i%len(formatsRuns)]
				t.Run(strings.Join([]string{preset, run[0], run[1]}, " "), func(t *testing.T) {
					t.Parallel()
					found[i] = formatsRows(t, preset, run, formatsCodecs(), mags)
				})
			}
		})
		var out strings.Builder
		w := csv.NewWriter(&out)
		w.WriteAll(append([][]string{formatsColumns}, slices.Concat(found...)...))
		if err := os.WriteFile(formatsTable, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(formatsTable)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 1+len(formatsPresets)*len(formatsRuns)*len(formatsCodecs())*len(mags) {
		t.Fatalf("%d rows in %s: %v", len(rows), formatsTable, err)
	}
	rows = rows[1:]
	inDocument(t, formatsDocument, "ratios", formatsRatios(t, rows))
	inDocument(t, formatsDocument, "gains", formatsGains(t, rows))
	inDocument(t, formatsDocument, "machines", formatsMachines(t, rows))
	if again := formatsRows(t, formatsPresets[0], [2]string{"gemm", "bf16"}, []string{"bdi"}, mags[:1]); !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, again[0]) }) {
		t.Errorf("%v is not in %s: run with -formats", again[0], formatsTable)
	}
}

// formatsValue is a figure of the row of a program, a codec and a MAG on the first machine.
func formatsValue(t *testing.T, rows [][]string, run [2]string, codec, mag, column string) float64 {
	t.Helper()
	return formatsValueOn(t, rows, formatsPresets[0], run, codec, mag, column)
}

func formatsValueOn(t *testing.T, rows [][]string, preset string, run [2]string, codec, mag, column string) float64 {
	t.Helper()
	for _, r := range rows {
		if r[0] == run[0] && r[1] == run[1] && r[3] == codec && r[4] == mag && r[len(r)-1] == preset {
			v, err := strconv.ParseFloat(r[slices.Index(formatsColumns, column)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("no row for %s %v %s %s", preset, run, codec, mag)
	return 0
}

// formatsRatios are raw and effective ratios, each program a row.
func formatsRatios(t *testing.T, rows [][]string) string {
	var out strings.Builder
	names := formatsCodecs()[1:] // without "none"
	fmt.Fprintf(&out, "| program, data | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for _, run := range formatsRuns {
		fmt.Fprintf(&out, "| %s, %s |", run[0], run[1])
		for _, c := range names {
			raw, narrow, wide := formatsValue(t, rows, run, c, "32", "compressionRatioRaw"),
				formatsValue(t, rows, run, c, "32", "compressionRatioEffective"), formatsValue(t, rows, run, c, "64", "compressionRatioEffective")
			if raw < 1.005 {
				fmt.Fprint(&out, " 1 |")
				continue
			}
			fmt.Fprintf(&out, " %.2f · %.2f · %.2f |", raw, narrow, wide)
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// formatsGains are the best lossless codec of each program and MAG, and SLC's approximation, against no compression.
func formatsGains(t *testing.T, rows [][]string) string {
	var out strings.Builder
	fmt.Fprintln(&out, "| program, data | MAG | codec with the fewest bytes | bytes, % | cycles, % | energy, % | metadata, % of bytes | tslc-opt: bytes, % | cycles, % | energy, % | error |")
	fmt.Fprintln(&out, "|---|---|---|---|---|---|---|---|---|---|---|")
	for _, run := range formatsRuns {
		for _, mag := range []string{"32", "64"} {
			value := func(codec, column string) float64 { return formatsValue(t, rows, run, codec, mag, column) }
			change := func(codec, column string) float64 { return 100*value(codec, column)/value("none", column) - 100 }
			best := formatsBest(t, rows, run, mag)
			width, _ := strconv.ParseFloat(mag, 64)
			fmt.Fprintf(&out, "| %s, %s | %s | %s | %+.1f | %+.1f | %+.1f | %.1f | %+.1f | %+.1f | %+.1f | %.2g |\n", run[0], run[1], mag, best,
				change(best, "dramBytes"), change(best, "cycles"), change(best, "joules"), 100*value(best, "burstsMetadata")*width/value(best, "dramBytes"),
				change("tslc-opt", "dramBytes"), change("tslc-opt", "cycles"), change("tslc-opt", "joules"), value("tslc-opt", "error"))
		}
	}
	return out.String()
}

// formatsMachines compares the machines: the codec with the fewest bytes on the first, at the smaller MAG.
func formatsMachines(t *testing.T, rows [][]string) string {
	var out strings.Builder
	fmt.Fprint(&out, "| program, data | codec |")
	for _, column := range []string{"bytes", "cycles", "energy"} {
		for _, preset := range formatsPresets {
			fmt.Fprintf(&out, " %s, %s, %% |", preset, column)
		}
	}
	fmt.Fprintf(&out, "\n|---|---|%s\n", strings.Repeat("---|", 3*len(formatsPresets)))
	for _, run := range formatsRuns {
		best := formatsBest(t, rows, run, "32")
		fmt.Fprintf(&out, "| %s, %s | %s |", run[0], run[1], best)
		for _, column := range []string{"dramBytes", "cycles", "joules"} {
			for _, preset := range formatsPresets {
				value := func(codec string) float64 { return formatsValueOn(t, rows, preset, run, codec, "32", column) }
				fmt.Fprintf(&out, " %+.1f |", 100*value(best)/value("none")-100)
			}
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// formatsBest is the lossless codec that moves the fewest bytes, the first of those that are equal.
func formatsBest(t *testing.T, rows [][]string, run [2]string, mag string) (best string) {
	for _, c := range codecs.Names() {
		if best == "" || formatsValue(t, rows, run, c, mag, "dramBytes") < formatsValue(t, rows, run, best, mag, "dramBytes") {
			best = c
		}
	}
	return best
}

// inDocument compares a named table of a document, or writes it.
func inDocument(t *testing.T, file, name, table string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	before, rest, ok := strings.Cut(string(b), begin)
	old, after, ok2 := strings.Cut(rest, end)
	switch {
	case !ok || !ok2:
		t.Fatalf("%s has no place for the table of %s", file, name)
	case *measureFormats || *measureHopper || *update:
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case old != table:
		t.Errorf("%s: the table of %s does not follow from the runs: run with -update", file, name)
	}
}
