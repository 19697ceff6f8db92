package experiment

import (
	"encoding/binary"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/golden"
)

// The study of Hopper's programs under compression: a table that this writes with
// go test ./core/experiment -run HopperStudy -hopper -timeout 0, and the tables of a document that follow from it.
var measureHopper = flag.Bool("hopper", false, "run the study of Hopper's programs, and write its table")

const (
	hopperTable    = "../workload/hopper.csv"
	hopperDocument = "../workload/HOPPER.md"
)

// hopperSlices are parts of the machines, with so many SMs for each controller as the whole has: 132 for 47, and 132
// for 10.
// The programs have few CTAs, so a whole machine would be idle.
var hopperSlices = []hopperSlice{{"h200", 11, 4}, {"h100", 13, 1}}

type hopperSlice struct {
	preset           string
	sms, controllers int64
}

// hopperKind is a program with its data. A real array of assets/data takes the place of the weights, or of the keys.
type hopperKind struct {
	program, data string
	size          int
	array         string
}

// cells are the first of a row: the program, the real array in it, and the machine.
func (k hopperKind) cells(preset string) string {
	array := "none"
	if k.array != "" {
		array = k.array
	}
	return fmt.Sprintf("| %s, %s, %d | %s | %s |", k.program, k.data, k.size, array, preset)
}

// hopperKinds begin with the answer to the document's question. The last is the cheapest.
var hopperKinds = []hopperKind{
	{"hopperdecode", "ragged", 128, ""}, {"hopperattention", "full64", 128, ""},
	{"hopperattention", "full128", 128, "language-key"}, {"hoppermoe", "skewed", 64, ""},
	{"hopperrows", "softmax", 16, ""}, {"hoppergemm", "outliers", 256, "features"},
	{"hoppergemm", "bf16", 256, "ocr-class-bf16"}, {"hoppergemm", "bf16", 128, ""}, {"hoppergemm", "fp8", 128, ""},
	{"hoppergemm", "int8", 128, ""}, {"hoppergemm", "outliers", 128, ""},
}

// hopperCodecs are the codecs of assets/data, and SLC's approximation with the threshold of its paper, half a burst.
// double is no codec, and twice the controllers: no codec that halves all bytes can gain more.
var hopperCodecs = []string{"none", "bdi", "fpc", "cpack", "bpc", "sc", "e2mc8", "e2mc16", "hycomp", "dfloat11",
	"zipnn", "tslc-opt", "double"}

var hopperFigures = []string{"cycles", "dramBytes", "joules", "error", "bandwidthShare", "compressionRatioRaw"}

// hopperRows runs a kind of data on a part of a machine.
func hopperRows(t *testing.T, slice int, kind hopperKind, codecs []string, mags []int) (rows [][]string) {
	t.Helper()
	var study *Study
	m := hopperSlices[slice]
	for _, mag := range mags {
		for _, codec := range codecs {
			controllers, compressed, approximation := m.controllers, codec, "none"
			switch codec {
			case "tslc-opt":
				compressed, approximation = "e2mc16", codec
			case "double":
				compressed, controllers = "none", 2*controllers
			}
			memory := []any{"codec", compressed, "mag", mag, "threshold", mag / 2, "approximation", approximation}
			s := scenario.Default(kind.program)
			s.Machine.Preset, s.Workload.Data, s.Workload.Size = m.preset, kind.data, kind.size
			s.Memory.Put(memory...)
			s.Machine.Overrides = scenario.Overrides{"sms": m.sms, "controllers": controllers,
				"compile": "scheduled"}
			p, hash := mustPlan(t, s), s.Hash()[:16]
			if kind.array != "" {
				hash = ""
				b := &p.Program.Buffers[1] // the weights, or the keys
				b.Init = realArray(t, kind.array)[:b.Bytes]
			}
			of := study
			if of == nil || codec == "double" { // a study is of one machine
				var err error
				if of, err = NewStudy(p); err != nil {
					t.Fatal(err)
				}
			}
			if codec != "double" {
				study = of
			}
			row := []string{m.preset, kind.program, kind.data, strconv.Itoa(kind.size), kind.array, codec,
				strconv.Itoa(mag), hash}
			row = append(row, figuresOf(t, of, p, hopperFigures)...)
			rows = append(rows, append(row, hopperLink(s, kind, memory)))
		}
	}
	return rows
}

// realArray returns the bytes of an array of assets/data: those of the file behind its header, whose length is first.
func realArray(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../../assets/data/" + name + ".safetensors")
	if err != nil {
		t.Fatal(err)
	}
	return b[8+binary.LittleEndian.Uint64(b):]
}

var hopperColumns = slices.Concat([]string{"preset", "program", "data", "size", "array", "codec", "mag", "scenario"},
	hopperFigures, []string{"link"})

// TestHopperStudy: the document has the table's figures, and its cheapest point runs to the same bits.
func TestHopperStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("a table of a document: its runs are the same in WebAssembly")
	}
	mags := []int{32, 64}
	if *measureHopper {
		writeHopper(t, mags)
	}
	f, err := os.Open(hopperTable)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 1+len(hopperSlices)*len(hopperKinds)*len(hopperCodecs)*len(mags) {
		t.Fatalf("%d rows in %s: %v", len(rows), hopperTable, err)
	}
	rows = rows[1:]
	inDocument(t, hopperDocument, "decode", hopperDecodeTable(t, rows))
	inDocument(t, hopperDocument, "programs", hopperProgramTable(t, rows))
	inDocument(t, hopperDocument, "approximation", hopperLossyTable(t, rows))
	most := make([]float64, len(hopperSlices))
	for i, m := range hopperSlices {
		for _, mag := range []string{"32", "64"} {
			cycles := func(codec string) float64 {
				return hopperFigure(t, hopperRow(t, rows, m.preset, hopperKinds[0], codec, mag), "cycles")
			}
			most[i] = max(most[i], 100*cycles("none")/cycles("double")-100)
		}
	}
	golden.Words(t, hopperDocument, fmt.Sprintf("at most %.0f %% (`h200`) or %.0f %% (`h100`) with a perfect one", most[0],
		most[1]))
	cheapest := hopperRows(t, 0, hopperKinds[len(hopperKinds)-1], []string{"bdi"}, mags[:1])[0]
	if !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, cheapest) }) {
		t.Errorf("%v is not in %s: run with -hopper", cheapest, hopperTable)
	}
}

// writeHopper makes all runs.
func writeHopper(t *testing.T, mags []int) {
	found := make([][][]string, len(hopperSlices)*len(hopperKinds))
	t.Run("runs", func(t *testing.T) {
		for i := range found {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				kind := hopperKinds[i%len(hopperKinds)]
				found[i] = hopperRows(t, i/len(hopperKinds), kind, hopperCodecs, mags)
			})
		}
	})
	var out strings.Builder
	w := csv.NewWriter(&out)
	w.WriteAll(append([][]string{hopperColumns}, slices.Concat(found...)...))
	if err := os.WriteFile(hopperTable, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// hopperRow finds the row of a point.
func hopperRow(t *testing.T, rows [][]string, preset string, kind hopperKind, codec, mag string) []string {
	t.Helper()
	key := []string{preset, kind.program, kind.data, strconv.Itoa(kind.size), kind.array, codec, mag}
	i := slices.IndexFunc(rows, func(r []string) bool { return slices.Equal(r[:len(key)], key) })
	if i < 0 {
		t.Fatalf("%s has no row of %v", hopperTable, key)
	}
	return rows[i]
}

func hopperFigure(t *testing.T, row []string, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(row[slices.Index(hopperColumns, name)], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// hopperLink is the fragment of the page's address that opens a point; none can hold an array.
func hopperLink(s *scenario.Scenario, kind hopperKind, memory []any) string {
	if kind.array != "" {
		return ""
	}
	link := "#v=1&s=vecadd&machine.preset=" + s.Machine.Preset
	for _, path := range []string{"sms", "controllers", "compile"} {
		link += fmt.Sprintf("&machine.overrides.%s=%v", path, s.Machine.Overrides[path])
	}
	link += fmt.Sprintf("&workload.name=%s&workload.data=%s&workload.size=%d&A.memory.codec=none", kind.program,
		kind.data, kind.size)
	for pair := range slices.Chunk(memory, 2) {
		link += fmt.Sprintf("&B.memory.%v=%v", pair...)
	}
	return link
}

// hopperChange has the speed of a point, its bytes and its energy, against no compression.
func hopperChange(t *testing.T, rows [][]string, preset string, kind hopperKind, codec, mag string) string {
	t.Helper()
	of, to := hopperRow(t, rows, preset, kind, codec, mag), hopperRow(t, rows, preset, kind, "none", mag)
	ratio := func(name string) float64 { return hopperFigure(t, of, name) / hopperFigure(t, to, name) }
	return fmt.Sprintf("%.3f · %+.1f · %+.1f", 1/ratio("cycles"), 100*ratio("dramBytes")-100, 100*ratio("joules")-100)
}

// hopperDecodeTable has the points of decoding.
func hopperDecodeTable(t *testing.T, rows [][]string) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| codec | h200, MAG 32 | h200, MAG 64 | h100, MAG 32 | h100, MAG 64 |\n|---|---|---|---|---|\n")
	for _, codec := range hopperCodecs[1:] {
		fmt.Fprintf(&out, "| %s |", codec)
		for _, m := range hopperSlices {
			for _, mag := range []string{"32", "64"} {
				fmt.Fprintf(&out, " %s |", hopperChange(t, rows, m.preset, hopperKinds[0], codec, mag))
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

// hopperBest is the lossless codec with the fewest cycles, the first of those that are equal.
func hopperBest(t *testing.T, rows [][]string, preset string, kind hopperKind, mag string) (best string) {
	t.Helper()
	least := 0.0
	for _, codec := range hopperCodecs[1 : len(hopperCodecs)-2] {
		cycles := hopperFigure(t, hopperRow(t, rows, preset, kind, codec, mag), "cycles")
		if best == "" || cycles < least {
			best, least = codec, cycles
		}
	}
	return best
}

// hopperProgramTable has the fastest codec of each program, and what twice the memory gains.
func hopperProgramTable(t *testing.T, rows [][]string) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| program, data | real array | machine | bandwidth used, % | fastest at MAG 32 | | " +
		"fastest at MAG 64 | | twice the memory |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range hopperKinds {
		for _, m := range hopperSlices {
			used := hopperFigure(t, hopperRow(t, rows, m.preset, kind, "none", "32"), "bandwidthShare")
			fmt.Fprintf(&out, "%s %.1f |", kind.cells(m.preset), 100*used)
			for _, mag := range []string{"32", "64"} {
				best := hopperBest(t, rows, m.preset, kind, mag)
				fmt.Fprintf(&out, " %s | %s |", best, hopperChange(t, rows, m.preset, kind, best, mag))
			}
			fmt.Fprintf(&out, " %s |\n", hopperChange(t, rows, m.preset, kind, "double", "32"))
		}
	}
	return out.String()
}

// hopperLossyTable has SLC's approximation of each program.
func hopperLossyTable(t *testing.T, rows [][]string) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| program, data | real array | machine | MAG 32 | error | MAG 64 | error |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, kind := range hopperKinds {
		for _, m := range hopperSlices {
			out.WriteString(kind.cells(m.preset))
			for _, mag := range []string{"32", "64"} {
				row := hopperRow(t, rows, m.preset, kind, "tslc-opt", mag)
				fmt.Fprintf(&out, " %s | %.2g |", hopperChange(t, rows, m.preset, kind, "tslc-opt", mag),
					hopperFigure(t, row, "error"))
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}
