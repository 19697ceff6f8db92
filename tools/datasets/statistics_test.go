package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/data"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/golden"
)

// statistics are figures of the numbers of an array.
type statistics struct {
	zeros         float64 // share of the elements
	kurtosis      float64 // 3 of normal numbers
	largest       float64 // distance from the mean, in deviations
	rows, columns float64 // deviation of the logarithm of their deviations, NaN without rows
	byteBits      float64 // entropy of a byte
	exponentBits  float64 // entropy of an exponent, NaN of whole numbers
	exponents     int     // most frequent ones that 99 of 100 elements have
}

// exponentOf are the place and the width of the exponent.
var exponentOf = map[workload.Element][2]uint{
	workload.ElementF32: {23, 8}, workload.ElementBF16: {7, 8}, workload.ElementF16: {10, 5},
	workload.ElementE4M3: {3, 4},
}

// elementTypes are the types of buffers.
var elementTypes = map[workload.Element]datafile.Type{
	workload.ElementF32: datafile.F32, workload.ElementF16: datafile.F16, workload.ElementBF16: datafile.BF16,
	workload.ElementS8: datafile.I8, workload.ElementU8: datafile.U8, workload.ElementE4M3: datafile.F8,
}

// elementOf is the element of an array's type.
func elementOf(t *testing.T, of datafile.Type) workload.Element {
	t.Helper()
	for e, x := range elementTypes {
		if x == of {
			return e
		}
	}
	t.Fatalf("arrays of %s are not measured", of)
	return 0
}

// entropy is that of counts, in bits.
func entropy(counts []uint64) (bits float64) {
	total := uint64(0)
	for _, n := range counts {
		total += n
	}
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(total)
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// valuesOf are the numbers of an array.
func valuesOf(e workload.Element, data []byte) []float64 {
	b := workload.Buffer{Element: e}
	v := make([]float64, len(data)/e.Bytes())
	for i := range v {
		v[i] = b.Value(data, i)
	}
	return v
}

// deviation is that of every step-th number around a mean.
func deviation(v []float64, mean float64, step int) float64 {
	sum, n := 0.0, 0
	for i := 0; i < len(v); i += step {
		sum += (v[i] - mean) * (v[i] - mean)
		n++
	}
	return math.Sqrt(sum / float64(n))
}

// spread is the deviation of the logarithms, without zeros.
func spread(v []float64) float64 {
	var logs []float64
	mean := 0.0
	for _, x := range v {
		if x > 0 {
			logs = append(logs, math.Log(x))
			mean += math.Log(x)
		}
	}
	return deviation(logs, mean/float64(len(logs)), 1)
}

// statisticsOf measures numbers in rows of a width; 0: it has no rows.
func statisticsOf(e workload.Element, width int, data []byte) (s statistics) {
	v := valuesOf(e, data)
	mean := 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	d := deviation(v, mean, 1)
	for _, x := range v {
		z := (x - mean) / d
		s.kurtosis += z * z * z * z / float64(len(v))
		s.largest = max(s.largest, math.Abs(z))
		if x == 0 {
			s.zeros += 1 / float64(len(v))
		}
	}
	s.rows, s.columns = math.NaN(), math.NaN()
	if width > 0 && len(v) >= 8*width {
		var rows, columns []float64
		for i := 0; i+width <= len(v); i += width {
			rows = append(rows, deviation(v[i:i+width], mean, 1))
		}
		for i := range width {
			columns = append(columns, deviation(v[i:], mean, width))
		}
		s.rows, s.columns = spread(rows), spread(columns)
	}
	s.bits(e, data)
	return s
}

// bits fills in the entropies.
func (s *statistics) bits(e workload.Element, data []byte) {
	var all, exponents [256]uint64
	place, has := exponentOf[e]
	size := e.Bytes()
	for i, v := range data {
		all[v]++
		if has && i%size == 0 {
			var word [4]byte
			copy(word[:], data[i:i+size])
			exponents[binary.LittleEndian.Uint32(word[:])>>place[0]&(1<<place[1]-1)]++
		}
	}
	s.byteBits, s.exponentBits = entropy(all[:]), math.NaN()
	if !has {
		return
	}
	s.exponentBits = entropy(exponents[:])
	slices.SortFunc(exponents[:], func(a, b uint64) int { return int(b) - int(a) })
	for seen := uint64(0); 100*seen < 99*uint64(len(data)/size); s.exponents++ {
		seen += exponents[s.exponents]
	}
}

// opened is a committed array by its name.
func opened(t *testing.T, id string) *datafile.Array {
	t.Helper()
	b, err := fs.ReadFile(data.Arrays, id+arrayEnding)
	if err != nil {
		t.Fatal(err)
	}
	f, err := datafile.Open(bytes.NewReader(b), int64(len(b)), datafile.Options{Name: id + arrayEnding})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return &f.Arrays[0]
}

// contentsOf are the bytes of an array.
func contentsOf(t *testing.T, a *datafile.Array) []byte {
	t.Helper()
	r, err := a.Stream()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// widthOf is the length of the rows of a layer: its first dimension counts channels, its others belong to one. A layer
// whose channels come last has rows of them.
func widthOf(a *datafile.Array) int {
	switch n := len(a.Shape); {
	case n < 2:
		return 0
	case a.Shape[0] == 1 || n > 2 && a.Shape[n-1] > 3: // channels, or tokens, come before
		return int(a.Shape[n-1])
	default:
		return int(a.Bytes) / a.Type.Bytes() / int(a.Shape[0])
	}
}

// converted changes the numbers of a real layer as a program would: "rows" to int8 with a scale for each row,
// "e4m3" to that format with one scale.
func converted(how string, width int, v []float64) (e workload.Element, to []byte) {
	greatest := func(v []float64) (most float64) {
		for _, x := range v {
			most = max(most, math.Abs(x))
		}
		return most
	}
	if how == "e4m3" {
		const largest = 448 // of e4m3 (PTX ISA)
		scale := largest / greatest(v)
		for _, x := range v {
			to = append(to, byte(arith.SmallFormats["e4m3x2"].Nearest(x*scale, false)))
		}
		return workload.ElementE4M3, to
	}
	for i, x := range v {
		row := v[i/width*width:][:width]
		to = append(to, byte(int8(math.RoundToEven(x*127/greatest(row)))))
	}
	return workload.ElementS8, to
}

// distribution is a buffer that a generator fills, and the real arrays of its kind.
type distribution struct {
	program, data, buffer string
	size                  int // 0: the usual one
	width                 int // of a row
	like                  []string
	as                    string // see converted
}

var (
	layersF32  = []string{"speech-input", "speech-state", "speech-conv", "ocr-class", "ocr-mix", "ocr-find"}
	layersBF16 = []string{"speech-state-bf16", "ocr-class-bf16", "ocr-mix-bf16"}
	layersF16  = []string{"face-expand", "face-project", "pose-project"}
	layersInt8 = []string{"hand-expand", "hand-project"}
	// layersOfRows are those whose rows the program's quantization knows.
	layersOfRows = []string{"speech-input", "speech-state", "ocr-mix", "ocr-find"}
)

// distributions are those of the programs on today's formats; dlproxy's arrays stand in the table of Buddy Compression.
var distributions = []distribution{
	{"adam", "trained", "master", 65536, 1024, layersF32, ""},
	{"adam", "heavytail", "master", 65536, 1024, layersF32, ""},
	{"gemm", "bf16", "w", 0, 256, layersBF16, ""},
	{"embedding", "zipf", "table", 256, 512, layersF16, ""},
	{"gemm", "int8", "w", 0, 256, layersInt8, ""},
	{"gemm", "int8", "w", 0, 256, layersOfRows, "rows"},
	{"gemm", "int8tensor", "w", 0, 256, layersInt8, ""},
	{"gemmfp8", "outliers", "w", 0, 256, layersOfRows, "e4m3"},
	{"gemm", "sparse", "w", 0, 128, nil, ""},
	{"gemm", "f16", "x", 0, 256, []string{"ocr-norm"}, ""},
	{"gemm", "bf16", "x", 0, 256, nil, ""},
	{"gemm", "int8", "x", 0, 256, nil, ""},
	{"gemmfp8", "outliers", "x", 0, 256, nil, ""},
	{"layernorm", "outliers", "x", 64, 1024, nil, ""},
	{"hoppergemm", "relu", "x", 0, 256, nil, ""},
	{"attention", "causal", "query", 0, 64, []string{"ocr-query"}, ""},
	{"attention", "causal", "key", 0, 64, []string{"ocr-key", "ocr-key-2"}, ""},
	{"attention", "causal", "value", 0, 64, []string{"ocr-value", "ocr-value-2"}, ""},
	{"pageddecode", "fp8", "keys", 32, 128, nil, ""},
	{"pageddecode", "fp8", "values", 32, 128, nil, ""},
	{"softmax", "full", "scores", 256, 256, []string{"ocr-scores"}, ""},
	{"softmax", "causal", "scores", 256, 256, nil, ""},
	{"sgd", "trained", "gradient", 65536, 1024, nil, ""},
	{"sgd", "trained", "momentum", 65536, 1024, nil, ""},
	{"adam", "trained", "second", 65536, 1024, nil, ""},
}

// generated returns the buffer of a distribution.
func (d *distribution) generated(t *testing.T) *workload.Buffer {
	t.Helper()
	p, err := programs.Build(d.program, programs.Params{Data: d.data, Size: d.size})
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(p.Buffers, func(b workload.Buffer) bool { return b.Name == d.buffer })
	if k < 0 {
		t.Fatalf("%+v has no such buffer", d)
	}
	return &p.Buffers[k]
}

// reals measures the real arrays of a distribution.
func (d *distribution) reals(t *testing.T) (list []statistics) {
	t.Helper()
	for _, id := range d.like {
		a := opened(t, id)
		e, b := elementOf(t, a.Type), contentsOf(t, a)
		if d.as != "" {
			e, b = converted(d.as, widthOf(a), valuesOf(e, b))
		}
		list = append(list, statisticsOf(e, widthOf(a), b))
	}
	return list
}

// TestDistributions: the statistics of every distribution stand beside those of the real arrays of its kind, and those
// that were fitted to real layers lie among them.
func TestDistributions(t *testing.T) {
	var rows [][]string
	for i := range distributions {
		d := &distributions[i]
		b := d.generated(t)
		made, reals := statisticsOf(b.Element, d.width, b.Init), d.reals(t)
		cell := func(digits int, of func(*statistics) float64) string {
			text := number(of(&made), digits)
			least, most := math.Inf(1), math.Inf(-1)
			for k := range reals {
				if v := of(&reals[k]); !math.IsNaN(v) {
					least, most = min(least, v), max(most, v)
				}
			}
			if text == "" || least > most {
				return text
			}
			return fmt.Sprintf("%s · %s to %s", text, number(least, digits), number(most, digits))
		}
		how := strings.Join(d.like, ", ")
		switch d.as {
		case "rows":
			how += ", to int8 with a scale for each row"
		case "e4m3":
			how += ", to e4m3 with one scale"
		}
		rows = append(rows, []string{
			d.program + ":" + d.data + ":" + d.buffer, b.Element.String(), how,
			cell(2, func(s *statistics) float64 { return 100 * s.zeros }),
			cell(1, func(s *statistics) float64 { return s.kurtosis }),
			cell(1, func(s *statistics) float64 { return s.largest }),
			cell(2, func(s *statistics) float64 { return s.rows }),
			cell(2, func(s *statistics) float64 { return s.columns }),
			cell(2, func(s *statistics) float64 { return s.byteBits }),
			cell(2, func(s *statistics) float64 { return s.exponentBits }),
		})
		if d.data != "heavytail" && d.data != "int8tensor" {
			continue
		}
		bits := func(s *statistics) float64 { return s.byteBits }
		least, most := math.Inf(1), math.Inf(-1)
		for k := range reals {
			least, most = min(least, bits(&reals[k])), max(most, bits(&reals[k]))
		}
		// A fifth of a bit around the real layers is 3 % of a ratio.
		if got := bits(&made); got < least-0.2 || got > most+0.2 {
			t.Errorf("%s %s: %.2f bits a byte; real layers have %.2f to %.2f", d.program, d.data, got, least, most)
		}
	}
	golden.Table(t, "../../assets/data/README.md", "distributions", []string{"generator", "type", "real arrays",
		"zeros, %", "kurtosis", "largest, deviations", "spread of rows", "of columns", "entropy of a byte, bits",
		"of an exponent, bits"}, rows)
}
