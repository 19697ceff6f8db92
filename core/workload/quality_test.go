package workload

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

func program(m Metric, outputs ...Buffer) *Program {
	p := &Program{Metric: m}
	for _, b := range outputs {
		p.Buffers = append(p.Buffers, Buffer{Name: "input"}, b.AsOutput())
	}
	return p
}

// packed is v in the device's byte order.
func packed(v []float32) []byte {
	b := make([]byte, 4*len(v))
	for i, f := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(f))
	}
	return b
}

// outputOf is a buffer of n floats without contents.
func outputOf(name string, n int) Buffer {
	return Buffer{Name: name, Bytes: 4 * uint64(n), Element: ElementF32}
}

// TestOnlyResultsAreCompared: what lies behind the results of an output counts in no measure, and a result does.
func TestOnlyResultsAreCompared(t *testing.T) {
	b := outputOf("sums", 4)
	b.Results = 2
	exact := [][]byte{packed([]float32{8, 0, 3, 0})}
	behind, in := [][]byte{packed([]float32{8, 0, 9, 5})}, [][]byte{packed([]float32{6, 0, 3, 0})}
	for m := MetricMRE; m < numMetrics; m++ {
		p := program(m, b)
		if e := p.Quality(exact, behind); e != 0 {
			t.Errorf("%v: %v for a difference behind the results", m, e)
		}
		if e := p.Quality(exact, in); e == 0 {
			t.Errorf("%v: 0 for a wrong result", m)
		}
	}
	p := program(MetricMRE, b)
	if e := p.Quality(exact, in); e != 0.125 { // a quarter of one of two
		t.Errorf("the mean relative error is %v, want 0.125", e)
	}
	if e := p.Elements(exact, behind); e != (Elements{Outputs: 2, Zeros: 1}) {
		t.Errorf("elements %+v, want two of which one is 0", e)
	}
	for _, kind := range []LossKind{LossNRMSE, LossRelative, LossMismatch} {
		p.Loss.Kind = kind
		if is, not := p.QualityLoss(exact, in), p.QualityLoss(exact, behind); is == 0 || not != 0 {
			t.Errorf("%s: %v for a wrong result, %v for a difference behind", p.LossMetric(), is, not)
		}
	}
	p.Buffers[1].Results = 5
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "results are 5 elements, want 0 to 4") {
		t.Errorf("five results of four elements: %v", err)
	}
}

func TestMetricsOnHandCases(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	cases := []struct {
		name       string
		metric     Metric
		exact, got []float32
		want       float64
	}{
		{"same", MetricMRE, []float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}, 0},
		{"ten per cent of one in four", MetricMRE, []float32{10, 2, 3, 4}, []float32{11, 2, 3, 4}, 0.025},
		{"sign does not matter", MetricMRE, []float32{-10, 10}, []float32{-5, 15}, 0.5},
		{"near zero: eps is a millionth of the mean", MetricMRE, []float32{1e-9, 2}, []float32{1e-9 + 1e-6, 2}, 0.5},
		{"an exact zero counts at most 1, however far the output is", MetricMRE, []float32{0, 2}, []float32{1e6, 2}, 0.5},
		{"an exact zero counts 1, however near the output is", MetricMRE, []float32{0, 2}, []float32{1e-30, 2}, 0.5},
		{"a negative zero is a zero", MetricMRE, []float32{0, 2}, []float32{float32(math.Copysign(0, -1)), 2}, 0},
		{"zeros that stay zero", MetricMRE, []float32{0, 0}, []float32{0, 0}, 0},
		{"zeros that do not", MetricMRE, []float32{0, 0}, []float32{0, 3}, 0.5},
		{"NaN counts whole", MetricMRE, []float32{1, 1, 1, 1}, []float32{1, nan, 1, 1}, 0.25},
		{"Inf counts whole", MetricMRE, []float32{1, 1, 1, 1}, []float32{1, inf, 1, 1}, 0.25},
		{"exact NaN met", MetricMRE, []float32{nan, 1}, []float32{nan, 1}, 0},
		{"exact Inf met", MetricMRE, []float32{inf, 1}, []float32{inf, 1}, 0},
		{"exact NaN lost", MetricMRE, []float32{nan, 1}, []float32{0, 1}, 0.5},
		{"wrong Inf", MetricMRE, []float32{inf, 1}, []float32{-inf, 1}, 0.5},

		{"rmse 1 over range 4", MetricNRMSE, []float32{0, 4, 2, 2}, []float32{1, 3, 1, 3}, 0.25},
		{"range without NaN", MetricNRMSE, []float32{0, 4, nan, 2}, []float32{2, 2, nan, 2}, math.Sqrt(0.5 / 4)},
		{"NaN is the whole range", MetricNRMSE, []float32{0, 4, 2, 2}, []float32{nan, 4, 2, 2}, 0.5},
		{"constant: its magnitude stands in", MetricNRMSE, []float32{5, 5}, []float32{6, 4}, 0.2},
		{"zeros: right or wrong", MetricNRMSE, []float32{0, 0, 0, 0}, []float32{0, 9, 0, 0}, 0.5},
		{"zeros met", MetricNRMSE, []float32{0, 0}, []float32{0, 0}, 0},
		{"all NaN", MetricNRMSE, []float32{nan, nan}, []float32{1, nan}, math.Sqrt(0.5)},

		{"grey levels", MetricImageDiff, []float32{0, 255}, []float32{51, 255}, math.Sqrt(0.04 / 2)},
		{"NaN is black for white", MetricImageDiff, []float32{0, 255, 1, 1}, []float32{nan, 255, 1, 1}, 0.5},

		{"one of four", MetricMissRate, []float32{1, 0, 1, 0}, []float32{1, 0, 1, 1}, 0.25},
		{"bits met", MetricExact, []float32{1, nan}, []float32{1, nan}, 0},
		{"bits missed", MetricExact, []float32{1, 2, 3, 4}, []float32{1, 2, 3, 5}, 1},
		{"-0 is another 0", MetricExact, []float32{0}, []float32{float32(math.Copysign(0, -1))}, 1},
		{"no metric", MetricNone, []float32{1}, []float32{2}, 0},
	}
	for _, c := range cases {
		p := program(c.metric, outputOf("out", len(c.exact)))
		got := p.Quality([][]byte{packed(c.exact)}, [][]byte{packed(c.got)})
		if math.Abs(got-c.want) > 1e-8 {
			t.Errorf("%s: %v gives %v, want %v", c.name, c.metric, got, c.want)
		}
	}
}

func TestImageDiffUsesTheRangeOfTheImage(t *testing.T) {
	// Black at 1, white at 3: an error of 1 is half the range.
	b := Buffer{Name: "out", Bytes: 16, Element: ElementF32}.AsImage(2, 2, -127.5, 127.5)
	p := program(MetricImageDiff, b)
	got := p.Quality([][]byte{packed([]float32{1, 2, 3, 1})}, [][]byte{packed([]float32{2, 3, 2, 2})})
	if math.Abs(got-0.5) > 1e-12 {
		t.Errorf("image diff %v, want 0.5", got)
	}
}

func TestOutputsAreAveragedByElements(t *testing.T) {
	p := program(MetricMRE, outputOf("call", 1), outputOf("put", 3))
	exact := [][]byte{packed([]float32{1}), packed([]float32{1, 1, 1})}
	got := [][]byte{packed([]float32{2}), packed([]float32{1, 1, 1})}
	if q := p.Quality(exact, got); q != 0.25 {
		t.Errorf("quality %v, want 0.25: one of four elements is wholly wrong", q)
	}
	if q := p.Measure(MetricExact, exact, got); q != 1 {
		t.Errorf("exact %v, want 1: a wrong output is wrong whatever the others are", q)
	}
}

func TestElementsAreReadAsTheirType(t *testing.T) {
	le := binary.LittleEndian
	cases := []struct {
		e    Element
		b    []byte
		want float64
	}{
		{ElementU8, []byte{0xff}, 255},
		{ElementS8, []byte{0xff}, -1},
		{ElementU16, []byte{0xfe, 0xff}, 65534},
		{ElementS16, []byte{0xfe, 0xff}, -2},
		{ElementU32, le.AppendUint32(nil, 1<<31), 1 << 31},
		{ElementS32, le.AppendUint32(nil, 1<<31), -(1 << 31)},
		{ElementF32, le.AppendUint32(nil, math.Float32bits(-1.5)), -1.5},
		{ElementU64, le.AppendUint64(nil, 1<<63), 1 << 63},
		{ElementS64, le.AppendUint64(nil, 1<<63), -(1 << 63)},
		{ElementF64, le.AppendUint64(nil, math.Float64bits(0.1)), 0.1},
		{ElementF16, []byte{0x01, 0x00}, 0x1p-24},
		{ElementF16, []byte{0xff, 0xfb}, -65504},
		{ElementF16, []byte{0x00, 0xfc}, math.Inf(-1)},
		{ElementBF16, []byte{0xc0, 0x3f}, 1.5},
		{ElementE4M3, []byte{0x01}, 0x1p-9},
		{ElementE4M3, []byte{0xb8}, -1},
		{ElementE4M3, []byte{0x78}, 256},
		{ElementE4M3, []byte{0xfe}, -448},
	}
	for _, nan := range []struct {
		e Element
		b []byte
	}{{ElementF16, []byte{0x01, 0x7c}}, {ElementBF16, []byte{0x81, 0x7f}}, {ElementE4M3, []byte{0xff}}} {
		if got := nan.e.value(nan.b, 0); !math.IsNaN(got) {
			t.Errorf("%v % x is %v, want NaN", nan.e, nan.b, got)
		}
	}
	for _, c := range cases {
		if c.e.Bytes() != len(c.b) {
			t.Errorf("%v has %d bytes, want %d", c.e, c.e.Bytes(), len(c.b))
		}
		if got := c.e.value(c.b, 0); got != c.want {
			t.Errorf("%v % x is %v, want %v", c.e, c.b, got, c.want)
		}
	}
}

func TestQualityRefusesOtherOutputs(t *testing.T) {
	p := program(MetricMRE, outputOf("out", 2))
	for _, got := range [][][]byte{nil, {packed([]float32{1})}, {packed([]float32{1, 2}), nil}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d outputs were accepted", len(got))
				}
			}()
			p.Quality([][]byte{packed([]float32{1, 2})}, got)
		}()
	}
}

func TestMetricNames(t *testing.T) {
	for i, name := range Metrics() {
		m, err := ParseMetric(name)
		if err != nil || m != Metric(i) || m.String() != name {
			t.Errorf("metric %q parses as %v, %v", name, m, err)
		}
	}
	if _, err := ParseMetric("psnr"); err == nil {
		t.Error("an unknown metric was accepted")
	}
}
