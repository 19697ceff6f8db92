package workload

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Metric turns the difference of two outputs into one number: a fraction, 0 for no
// difference (README.md, Quality).
type Metric uint8

const (
	// MetricNone is always 0: the program has no measure of quality.
	MetricNone Metric = iota
	// MetricMRE is the mean of |x-x'| / max(|x|, eps), eps = 1e-6 of the mean |x|. An exact 0
	// has no relative error: the element counts 1 if the output is not 0 (core/metric, ZeroRule).
	MetricMRE
	// MetricNRMSE is the root mean square error over the range of the exact output.
	MetricNRMSE
	// MetricImageDiff is the root mean square error of the pixels over 255.
	MetricImageDiff
	// MetricMissRate is the fraction of elements that differ.
	MetricMissRate
	// MetricExact is 0 if every bit is right and 1 if not.
	MetricExact
	numMetrics
)

var metricNames = [numMetrics]string{"none", "mre", "nrmse", "image-diff", "miss-rate", "exact"}

// String returns the name ParseMetric takes.
func (m Metric) String() string {
	if m >= numMetrics {
		return fmt.Sprintf("Metric(%d)", uint8(m))
	}
	return metricNames[m]
}

// Metrics returns all names, in order.
func Metrics() []string { return append([]string(nil), metricNames[:]...) }

// ParseMetric is the inverse of String.
func ParseMetric(s string) (Metric, error) {
	for i, name := range metricNames {
		if s == name {
			return Metric(i), nil
		}
	}
	return MetricNone, fmt.Errorf("workload: metric %q: want one of %v", s, Metrics())
}

// epsFraction keeps an exact value near zero from dominating the mean relative error
// [ours: the papers do not say how they treat such values].
const epsFraction = 1e-6

// Quality is the program's own metric of got against exact, which hold the bytes
// of each output buffer, in buffer order (see Outputs).
func (p *Program) Quality(exact, got [][]byte) float64 { return p.Measure(p.Metric, exact, got) }

// Measure computes a metric of the program's outputs. Each buffer is measured with its own
// range or mean, and buffers are averaged by their numbers of elements. An element that is
// NaN or infinite counts as 100 % error if the exact one is finite.
func (p *Program) Measure(m Metric, exact, got [][]byte) float64 {
	outputs := p.Outputs()
	if len(exact) != len(outputs) || len(got) != len(outputs) {
		panic(fmt.Sprintf("workload: %d exact and %d measured outputs of a program that has %d", len(exact), len(got), len(outputs)))
	}
	if m == MetricNone {
		return 0
	}
	exact, got = p.results(exact), p.results(got)
	var sum, weight, worst float64
	for k, i := range outputs {
		b := &p.Buffers[i]
		if len(exact[k]) != len(got[k]) {
			panic(fmt.Sprintf("workload: output %q has %d exact and %d measured bytes", b.Name, len(exact[k]), len(got[k])))
		}
		n := float64(len(exact[k]) / b.Element.Bytes())
		if n == 0 {
			continue
		}
		weight += n
		if bytes.Equal(exact[k], got[k]) {
			continue // every metric is 0, of NaN too
		}
		e := b.measure(m, exact[k], got[k])
		sum = bounded(sum + float64(e*n))
		worst = math.Max(worst, e)
	}
	if weight == 0 {
		return 0
	}
	if m == MetricExact {
		return worst
	}
	return sum / weight
}

// measure is the metric of one buffer of at least one element.
func (b *Buffer) measure(m Metric, exact, got []byte) float64 {
	switch m {
	case MetricMRE:
		return b.meanRelative(exact, got)
	case MetricNRMSE:
		return b.rootMeanSquare(exact, got, b.extent(exact))
	case MetricImageDiff:
		scale := 255.0
		if b.IsImage() && b.ImageScale != 0 {
			scale = 255 / math.Abs(b.ImageScale) // the distance of black and white in units
		}
		return b.rootMeanSquare(exact, got, scale)
	}
	wrong, n, size := 0, len(exact)/b.Element.Bytes(), b.Element.Bytes()
	for i := 0; i < n; i++ {
		if string(exact[i*size:(i+1)*size]) != string(got[i*size:(i+1)*size]) {
			wrong++
		}
	}
	if m == MetricExact {
		return math.Min(1, float64(wrong))
	}
	return float64(wrong) / float64(n)
}

// difference returns |x-y|. It returns whole = true if they differ and one of them has no
// usable value.
func difference(x, y float64) (d float64, whole bool) {
	if badNumber(x) || badNumber(y) {
		same := x == y || math.IsNaN(x) && math.IsNaN(y)
		return 0, !same
	}
	d = math.Abs(x - y)
	return d, badNumber(d)
}

func (b *Buffer) meanRelative(exact, got []byte) float64 {
	n := len(exact) / b.Element.Bytes()
	var magnitude float64
	finite := 0
	b.Element.each(exact, func(all []float64) {
		for _, x := range all {
			if !badNumber(x) {
				magnitude += math.Abs(x) / float64(n)
				finite++
			}
		}
	})
	if finite > 0 {
		magnitude *= float64(n) / float64(finite)
	}
	eps := float64(epsFraction * magnitude)
	var sum float64
	b.Element.changed(exact, got, 0, n, func(all, now []float64) {
		for i, x := range all {
			d, whole := difference(x, now[i])
			if whole {
				sum++
				continue
			}
			switch scale := math.Max(math.Abs(x), eps); {
			case d == 0:
			case x == 0 || badNumber(d/scale):
				sum++ // core/metric, ZeroRule
			default:
				sum += d / scale
			}
		}
	})
	return bounded(sum) / float64(n)
}

// bounded is a sum of finite errors that may go beyond float64: then it is the largest number, and the error is at
// least that. A prediction may well be wrong by 300 orders of magnitude, and JSON has no infinity.
func bounded(sum float64) float64 { return min(sum, math.MaxFloat64) }

// extent is the range of the exact values, which divides a root mean square error. For a
// constant output it is the magnitude of the value, 0 for zeros.
func (b *Buffer) extent(exact []byte) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	b.Element.each(exact, func(all []float64) {
		for _, x := range all {
			if !badNumber(x) {
				low, high = min(low, x), max(high, x)
			}
		}
	})
	if low > high {
		return 0
	}
	if low == high {
		return math.Abs(low)
	}
	return bounded(high - low)
}

// rootMeanSquare is the root mean square of the errors as fractions of scale. With a scale
// of 0 an element is exact or counts as wholly wrong.
func (b *Buffer) rootMeanSquare(exact, got []byte, scale float64) float64 {
	n := len(exact) / b.Element.Bytes()
	var sum float64
	b.Element.changed(exact, got, 0, n, func(x, y []float64) {
		for i := range x {
			d, whole := difference(x[i], y[i])
			switch {
			case whole || d > 0 && scale == 0:
				sum++
			case d > 0:
				f := d / scale
				sum += float64(f * f)
			}
		}
	})
	return math.Sqrt(bounded(sum) / float64(n))
}

// value reads element i. 64-bit integers are rounded to float64.
func (e Element) value(b []byte, i int) float64 {
	b = b[i*e.Bytes():]
	switch e {
	case ElementS8:
		return float64(int8(b[0]))
	case ElementU16:
		return float64(binary.LittleEndian.Uint16(b))
	case ElementS16:
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case ElementU32:
		return float64(binary.LittleEndian.Uint32(b))
	case ElementS32:
		return float64(int32(binary.LittleEndian.Uint32(b)))
	case ElementF32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case ElementU64:
		return float64(binary.LittleEndian.Uint64(b))
	case ElementS64:
		return float64(int64(binary.LittleEndian.Uint64(b)))
	case ElementF64:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case ElementF16:
		return small(uint32(binary.LittleEndian.Uint16(b)), 10, 5)
	case ElementBF16:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case ElementE4M3:
		if b[0]&0x7f == 0x7f { // the only NaN; 0x78 to 0x7e are numbers (PTX ISA, "FP8 data format")
			return math.NaN()
		}
		if b[0]&0x78 == 0x78 {
			return math.Ldexp(small(uint32(b[0]^0x40), 3, 4), 8)
		}
		return small(uint32(b[0]), 3, 4)
	}
	return float64(b[0])
}

// small reads a number of the given fraction and exponent bits, as IEEE 754 has them.
func small(v uint32, fraction, exponent int) float64 {
	top := 1<<exponent - 1
	e, f, sign := int(v>>fraction)&top, float64(v&(1<<fraction-1)), 1.0
	if v>>(fraction+exponent)&1 != 0 {
		sign = -1
	}
	switch {
	case e == 0:
		e = 1
	case e == top && f != 0:
		return math.NaN()
	case e == top:
		return sign * math.Inf(1)
	default:
		f += float64(int(1) << fraction)
	}
	return sign * math.Ldexp(f, e-top/2-fraction)
}
