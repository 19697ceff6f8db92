package main

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/data"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/golden"
)

// measured is what the tables say of an array.
type measured struct {
	id, title, kind, origin, version, licence, beside string

	of    datafile.Type
	bytes int64
	statistics
	ratio, ratioMAG32 []float64
}

// generated is the kind of an array that a program's generator makes.
const generated = "generated"

// measure fills in the figures of an array.
func (m *measured) measure(t *testing.T, f *datafile.File) {
	t.Helper()
	a := &f.Arrays[0]
	m.of, m.bytes = a.Type, a.Bytes
	r, err := survey.File(f, survey.Params{Names: codecs.Names()})
	if err != nil {
		t.Fatalf("%s: %v", m.id, err)
	}
	for i := range r.Codecs {
		m.ratio = append(m.ratio, r.Codecs[i].Ratio())
		m.ratioMAG32 = append(m.ratioMAG32, r.Codecs[i].EffectiveRatio(32))
	}
	m.statistics = statisticsOf(elementOf(t, a.Type), 0, contentsOf(t, a))
}

// realRows measures every committed array.
func realRows(t *testing.T) (rows []measured) {
	t.Helper()
	sources, tensors, err := lists(data.Lists)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tensors {
		x := &tensors[i]
		k := slices.IndexFunc(sources, func(s source) bool { return s.ID == x.Source })
		s := &sources[k]
		f, err := datafile.OfArrays([]datafile.Array{*opened(t, x.ID)})
		if err != nil {
			t.Fatal(err)
		}
		m := measured{id: x.ID, title: x.Title, kind: x.Kind, beside: x.Beside,
			origin: s.Package, version: s.Version, licence: s.Licence}
		m.measure(t, f)
		rows = append(rows, m)
	}
	return rows
}

// generatedRows measures the generators that stand for such data.
func generatedRows(t *testing.T, reals []measured) (rows []measured) {
	t.Helper()
	for i := range reals {
		name := reals[i].beside
		if name == "" || slices.ContainsFunc(rows, func(m measured) bool { return m.id == name }) {
			continue
		}
		words := strings.Split(name, ":")
		p, err := programs.Build(words[0], programs.Params{Data: words[1]})
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(p.Buffers, func(b workload.Buffer) bool { return b.Name == words[2] })
		if k < 0 {
			var names []string
			for i := range p.Buffers {
				names = append(names, p.Buffers[i].Name)
			}
			t.Fatalf("%s: buffers are %v", name, names)
		}
		b := &p.Buffers[k]
		f, err := datafile.OfArrays([]datafile.Array{datafile.InMemory(b.Name, elementTypes[b.Element], b.Init)})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := measured{id: name, title: p.Title + ": " + b.Name, kind: generated, origin: "burstscope " + words[0]}
		m.measure(t, f)
		rows = append(rows, m)
	}
	return rows
}

// number writes a figure, nothing if there is none.
func number(v float64, digits int) string {
	if math.IsNaN(v) {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, v)
}

func ratiosText(t *testing.T, rows []measured) string {
	t.Helper()
	head := []string{"id", "title", "kind", "package", "version", "licence", "beside", "type", "bytes", "zeros",
		"byteEntropyBits", "exponentEntropyBits", "exponentsOf99Percent"}
	for _, name := range codecs.Names() {
		head = append(head, name, name+"MAG32")
	}
	table := [][]string{head}
	for _, m := range rows {
		exponents := ""
		if m.exponents > 0 {
			exponents = fmt.Sprint(m.exponents)
		}
		row := []string{m.id, m.title, m.kind, m.origin, m.version, m.licence, m.beside, m.of.String(),
			fmt.Sprint(m.bytes), number(m.zeros, 4), number(m.byteBits, 2), number(m.exponentBits, 2), exponents}
		for i := range m.ratio {
			row = append(row, number(m.ratio[i], 3), number(m.ratioMAG32[i], 3))
		}
		table = append(table, row)
	}
	var out strings.Builder
	if err := csv.NewWriter(&out).WriteAll(table); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTables: ratios.csv and the tables of README.md follow from the committed arrays and from the generators.
func TestTables(t *testing.T) {
	const document = "../../assets/data/README.md"
	reals := realRows(t)
	made := generatedRows(t, reals)
	golden.File(t, "../../assets/data/ratios.csv", []byte(ratiosText(t, slices.Concat(reals, made))))

	var origins, ratios, statistics [][]string
	shown := []string{"bdi", "fpc", "cpack", "bpc", "sc", "e2mc8", "e2mc16", "hycomp", "dfloat11", "zipnn"}
	both := func(real, made float64, has bool, digits int) string {
		text := number(real, digits)
		if has && text != "" {
			text += " · " + number(made, digits)
		}
		return text
	}
	for _, m := range reals {
		k := slices.IndexFunc(made, func(g measured) bool { return g.id == m.beside })
		g := measured{ratio: make([]float64, len(m.ratio))}
		if k >= 0 {
			g = made[k]
		}
		origins = append(origins, []string{m.id, m.title, m.origin, m.version, m.licence, m.of.String(),
			fmt.Sprint(m.bytes)})
		row := []string{m.id}
		for _, name := range shown {
			i := slices.Index(codecs.Names(), name)
			row = append(row, both(m.ratio[i], g.ratio[i], k >= 0, 2))
		}
		ratios = append(ratios, row)
		spread := ""
		if m.exponents > 0 {
			spread = both(float64(m.exponents), float64(g.exponents), k >= 0, 0)
		}
		statistics = append(statistics, []string{m.id, m.beside, both(100*m.zeros, 100*g.zeros, k >= 0, 2),
			both(m.byteBits, g.byteBits, k >= 0, 2), both(m.exponentBits, g.exponentBits, k >= 0, 2), spread})
	}
	golden.Table(t, document, "arrays",
		[]string{"array", "what", "package", "version", "licence", "type", "bytes"}, origins)
	golden.Table(t, document, "ratios", append([]string{"array"}, shown...), ratios)
	golden.Table(t, document, "statistics", []string{"array", "generator", "zeros, %", "entropy of a byte, bits",
		"entropy of an exponent, bits", "exponents of 99 %"}, statistics)
}

// TestSampleIsWhole: the committed arrays are those of the list, with a licence for each, in at most 8 MB.
func TestSampleIsWhole(t *testing.T) {
	sources, tensors, err := lists(data.Lists)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	total := int64(0)
	for i := range tensors {
		want[tensors[i].ID+arrayEnding] = true
		info, err := fs.Stat(data.Arrays, tensors[i].ID+arrayEnding)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > maxSampleBytes {
		t.Errorf("%d bytes, at most %d", total, maxSampleBytes)
	}
	found, err := fs.Glob(data.Arrays, "*"+arrayEnding)
	if err != nil || len(found) != len(want) || len(want) < 20 {
		t.Errorf("%d arrays in the list and %d files: %v", len(want), len(found), err)
	}
	for i := range sources {
		s := &sources[i]
		if len(s.SHA256) != 64 || s.Licence == "" || !strings.Contains(s.Credit, s.Licence) {
			t.Errorf("%s: no hash, or a licence that its credit does not name", s.ID)
		}
		if s.Text == "" && s.Licence == "CC0-1.0" {
			continue
		}
		if text, err := os.ReadFile("../../assets/data/licences/" + s.Text); err != nil || len(text) < 500 {
			t.Errorf("%s: the text of its licence: %v", s.ID, err)
		}
	}
}
