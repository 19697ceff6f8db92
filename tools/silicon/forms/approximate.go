package forms

import (
	"encoding/binary"
	"math"
	"strings"
)

// approximations holds the exact value of each function that the manual defines within a
// bound.
var exact = map[string]func(x []float64) float64{
	"div": func(x []float64) float64 { return x[0] / x[1] }, "rcp": func(x []float64) float64 { return 1 / x[0] },
	"sqrt": func(x []float64) float64 { return math.Sqrt(x[0]) }, "rsqrt": func(x []float64) float64 { return 1 / math.Sqrt(x[0]) },
	"sin": func(x []float64) float64 { return math.Sin(x[0]) }, "cos": func(x []float64) float64 { return math.Cos(x[0]) },
	"lg2": func(x []float64) float64 { return math.Log2(x[0]) }, "ex2": func(x []float64) float64 { return math.Exp2(x[0]) },
	"tanh": func(x []float64) float64 { return math.Tanh(x[0]) },
}

// Approximate reports whether the manual defines the form within a bound only.
func (f *Form) Approximate() bool {
	return strings.Contains(f.Text, ".approx") || strings.Contains(f.Text, ".full")
}

// Errors are the largest errors of results against exact values, where both are finite:
// in units of the last place, of normal results, and absolute, of results of up to 2.
type Errors struct{ Ulps, Absolute float64 }

// Errors returns the errors of results of an approximate form. Sines and cosines count for
// angles of up to 2 pi, and quotients for divisors of up to 2^126, as the manual has it.
func (f *Form) Errors(operands, results []byte) Errors {
	opcode, _, _ := strings.Cut(f.Text, ".")
	kind, packed := strings.CutSuffix(f.Out[0], "x2")
	numbers := decoders[kind]
	if numbers == nil || exact[opcode] == nil {
		panic("forms: no exact values of " + f.Text + ": give decoders its kind and exact its function")
	}
	parts := 1
	if packed {
		parts = 2 // of 16 bits
	}
	var e Errors
	for c := range parts * f.Cases() {
		i, shift := c/parts, 16*(c%parts)
		var x []float64
		for k := range f.In {
			v := numbers(binary.LittleEndian.Uint64(operands[i*f.InBytes()+8*k:]) >> shift)
			if strings.Contains(f.Text, ".ftz") && math.Abs(v) < smallest[kind] {
				v = math.Copysign(0, v)
			}
			x = append(x, v)
		}
		want := exact[opcode](x)
		got := numbers(binary.LittleEndian.Uint64(results[8*i:]) >> shift)
		limit := math.Abs(x[len(x)-1])
		if math.IsNaN(want) || math.IsInf(want, 0) || math.IsNaN(got) || math.IsInf(got, 0) ||
			(opcode == "sin" || opcode == "cos") && limit > 2*math.Pi || opcode == "div" && (limit > 0x1p126 || limit < 0x1p-126) {
			continue
		}
		_, exponent := math.Frexp(want)
		if math.Abs(want) >= smallest[kind] {
			e.Ulps = max(e.Ulps, math.Abs(got-want)/math.Ldexp(1, exponent-precision[kind]))
		}
		if math.Abs(want) <= 2 {
			e.Absolute = max(e.Absolute, math.Abs(got-want))
		}
	}
	return e
}

var decoders = map[string]func(v uint64) float64{
	"f32": func(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) },
	"f64": math.Float64frombits,
	"bf16": func(v uint64) float64 {
		return float64(math.Float32frombits(uint32(v) << 16))
	},
	"f16": func(v uint64) float64 {
		sign, e, m := 1-2*float64(v>>15&1), int(v>>10&31), float64(v&1023)
		switch e {
		case 31:
			return sign * math.Inf(1) * (1 - m) // NaN where the fraction is 1, and of no use otherwise
		case 0:
			return sign * math.Ldexp(m, -24)
		}
		return sign * math.Ldexp(1024+m, e-25)
	},
}

// smallest is the smallest normal number of a format, precision its bits.
var (
	smallest  = map[string]float64{"f32": 0x1p-126, "f64": 0x1p-1022, "bf16": 0x1p-126, "f16": 0x1p-14}
	precision = map[string]int{"f32": 24, "f64": 53, "bf16": 8, "f16": 11}
)
