package main

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/golden"
)

// The study of real data runs programs on today's formats twice: with their generators, and with real arrays in place
// of some buffers. golden.Studies makes its table again.
const (
	studyTable    = "../../assets/data/study.csv"
	studyDocument = "../../assets/data/README.md"
	studyPreset   = "h100"
)

// studied is a program whose buffers take real arrays, one after the other if there are several for one.
type studied struct {
	program, data string
	size          int
	buffers       []string
	arrays        [][]string
}

var studies = []studied{
	{"gemm", "f16", 192, []string{"x", "w"}, [][]string{{"ocr-norm"}, {"pose-project"}}},
	{"gemm", "bf16", 192, []string{"x", "w"}, [][]string{{"language-norm"}, {"language-attention-bf16"}}},
	{"gemm", "int8", 256, []string{"w"}, [][]string{{"hand-project"}}},
	{"gemm", "int8tensor", 256, []string{"w"}, [][]string{{"hand-project"}}},
	{"adam", "trained", 65536, []string{"master"}, [][]string{{"speech-state"}}},
	{"adam", "heavytail", 65536, []string{"master"}, [][]string{{"speech-state"}}},
	{"embedding", "zipf", 256, []string{"table"}, [][]string{{"language-embedding-f16"}}},
	{"layernorm", "outliers", 32, []string{"x"}, [][]string{{"ocr-norm"}}},
	{"softmax", "full", 256, []string{"scores"}, [][]string{{"ocr-scores"}}},
	{"attention", "causal", 256, []string{"query", "key", "value"},
		[][]string{{"language-query"}, {"language-key"}, {"language-value"}}},
	{"pageddecode", "f16", 16, []string{"keys", "values"},
		[][]string{{"ocr-key", "ocr-key-2"}, {"ocr-value", "ocr-value-2"}}},
}

var (
	studyCodecs  = []string{"none", "bpc", "e2mc8", "hycomp", "dfloat11", "zipnn"}
	studyFigures = []string{"compressionRatioRaw", "compressionRatioEffective", "dramBytes", "cycles", "error"}
)

// filled puts the first numbers of real arrays into a buffer, in its format.
func filled(t *testing.T, b *workload.Buffer, ids []string) {
	t.Helper()
	var to []byte
	for _, id := range ids {
		a := opened(t, id)
		from, data := elementOf(t, a.Type), contentsOf(t, a)
		switch {
		case from == b.Element:
			to = append(to, data...)
		case from == workload.ElementF16 && b.Element == workload.ElementBF16:
			for _, x := range valuesOf(from, data) {
				to = binary.LittleEndian.AppendUint16(to, uint16(arith.FormatBF16.Nearest(x)))
			}
		case from == workload.ElementU8 && b.Element == workload.ElementS8: // the middle of 0 to 255 becomes 0
			for _, x := range data {
				to = append(to, x^0x80)
			}
		default:
			t.Fatalf("%s of %s does not fill %s of %s", id, a.Type, b.Name, b.Element)
		}
	}
	if uint64(len(to)) < b.Bytes {
		t.Fatalf("%v have %d bytes, and %s takes %d", ids, len(to), b.Name, b.Bytes)
	}
	b.Init = to[:b.Bytes]
}

// rows runs a program with some codecs.
func (d *studied) rows(t *testing.T, real bool, names []string) (rows [][]string) {
	t.Helper()
	var study *experiment.Study
	for _, name := range names {
		s := scenario.Default(d.program)
		s.Machine.Preset, s.Workload.Data, s.Workload.Size = studyPreset, d.data, d.size
		s.Memory.Put("codec", name, "mag", 32, "threshold", 16, "approximation", "none")
		p, err := experiment.PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		arrays := "generated"
		if real {
			arrays = d.names()
			for i, name := range d.buffers {
				k := slices.IndexFunc(p.Program.Buffers, func(b workload.Buffer) bool { return b.Name == name })
				filled(t, &p.Program.Buffers[k], d.arrays[i])
			}
		}
		if study == nil {
			if study, err = experiment.NewStudy(p); err != nil {
				t.Fatal(err)
			}
		}
		r := study.Run(p, experiment.Options{})
		for done := false; !done; {
			if done, err = r.Step(1 << 20); err != nil {
				t.Fatalf("%s %s: %v", d.program, name, err)
			}
		}
		row := []string{d.program, d.data, strconv.Itoa(d.size), arrays, name}
		for _, f := range studyFigures {
			v, _ := r.Result().Figure(f)
			row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
		}
		rows = append(rows, row)
	}
	return rows
}

// names lists the real arrays.
func (d *studied) names() string { return strings.Join(slices.Concat(d.arrays...), " ") }

// TestStudyOfRealData: the document has the table's figures, and one program runs to the same bits.
func TestStudyOfRealData(t *testing.T) {
	head := slices.Concat([]string{"program", "data", "size", "arrays", "codec"}, studyFigures)
	if golden.UpdatingStudies() {
		table := [][]string{head}
		for i := range studies {
			table = append(table, studies[i].rows(t, false, studyCodecs)...)
			table = append(table, studies[i].rows(t, true, studyCodecs)...)
			t.Logf("%s %s", studies[i].program, studies[i].data)
		}
		var out strings.Builder
		if err := csv.NewWriter(&out).WriteAll(table); err != nil {
			t.Fatal(err)
		}
		golden.File(t, studyTable, []byte(out.String()))
	}
	text, err := os.ReadFile(studyTable)
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(table) != 1+2*len(studies)*len(studyCodecs) || !slices.Equal(table[0], head) {
		t.Fatalf("%d rows in %s: %v", len(table), studyTable, err)
	}
	cheap := slices.IndexFunc(studies, func(d studied) bool { return d.program == "layernorm" })
	for _, row := range studies[cheap].rows(t, true, []string{"hycomp"}) {
		if !slices.ContainsFunc(table, func(r []string) bool { return slices.Equal(r, row) }) {
			t.Errorf("%v is not in %s: if the change is wanted, run %s", row, studyTable, golden.Studies)
		}
	}
	golden.Table(t, studyDocument, "study", []string{"program, data, size", "real arrays", "bpc", "e2mc8",
		"hycomp", "dfloat11", "zipnn", "fewest bytes", "bytes, %", "cycles, %"}, studyRows(t, table))
}

// studyRows are the table of the document, generated · real in each cell.
func studyRows(t *testing.T, table [][]string) (rows [][]string) {
	t.Helper()
	value := func(d *studied, arrays, codec, figure string) float64 {
		for _, r := range table {
			if r[0] == d.program && r[1] == d.data && r[3] == arrays && r[4] == codec {
				v, err := strconv.ParseFloat(r[5+slices.Index(studyFigures, figure)], 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
		}
		t.Fatalf("no row of %+v with %s and %s", d, arrays, codec)
		return 0
	}
	for i := range studies {
		d := &studies[i]
		row := []string{fmt.Sprintf("%s, %s, %d", d.program, d.data, d.size), d.names()}
		both := func(text func(arrays string) string) {
			row = append(row, text("generated")+" · "+text(d.names()))
		}
		for _, c := range studyCodecs[1:] {
			both(func(a string) string { return fmt.Sprintf("%.2f", value(d, a, c, "compressionRatioRaw")) })
		}
		best := func(arrays string) string {
			return slices.MinFunc(studyCodecs[1:], func(a, b string) int {
				return int(value(d, arrays, a, "dramBytes") - value(d, arrays, b, "dramBytes"))
			})
		}
		both(best)
		for _, figure := range []string{"dramBytes", "cycles"} {
			both(func(a string) string {
				return fmt.Sprintf("%+.1f", 100*value(d, a, best(a), figure)/value(d, a, "none", figure)-100)
			})
		}
		rows = append(rows, row)
	}
	return rows
}
