package execute

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// format is a binary floating-point format, for the twins of this file.
type format struct{ bits, precision, minExponent, maxExponent int }

var formats = map[ptx.Scalar]format{
	ptx.TypeF32: {32, 24, -149, 127}, // the exponent of the smallest subnormal, and of the largest number
	ptx.TypeF64: {64, 53, -1074, 1023},
	ptx.TypeF16: {16, 11, -24, 15}, ptx.TypeBF16: {16, 8, -133, 127},
}

// roundBits rounds an exact value as the standard says and returns the bits of
// the result. zeroSign is the sign of an exact zero.
func (f format) roundBits(x *big.Float, mode ptx.Rounding, zeroSign uint64) uint64 {
	if x.Sign() == 0 {
		return zeroSign << (f.bits - 1)
	}
	sign := uint64(0)
	if x.Sign() < 0 {
		sign = 1
	}
	a := new(big.Float).Abs(x)
	// The unit of the last place.
	e := max(a.MantExp(nil)-f.precision, f.minExponent)
	scaled := new(big.Float).SetMantExp(a, -e)
	n, _ := scaled.Int(nil)
	rest := new(big.Float).SetPrec(0).Sub(scaled, new(big.Float).SetInt(n))
	up := false
	switch {
	case rest.Sign() == 0:
	case mode == ptx.RoundNearest:
		c := rest.Cmp(big.NewFloat(0.5))
		up = c > 0 || c == 0 && n.Bit(0) == 1
	case mode == ptx.RoundUp:
		up = sign == 0
	case mode == ptx.RoundDown:
		up = sign == 1
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	top := uint64(1) << (f.precision - 1) // value of the hidden bit
	v := n.Uint64()
	if v >= 2*top {
		v, e = v/2, e+1
	}
	if e+f.precision-1 > f.maxExponent {
		infinity := uint64(2*f.maxExponent+1) << (f.precision - 1)
		if mode == ptx.RoundZero || mode == ptx.RoundUp && sign == 1 || mode == ptx.RoundDown && sign == 0 {
			infinity--
		}
		return sign<<(f.bits-1) | infinity
	}
	if v < top {
		return sign<<(f.bits-1) | v
	}
	return sign<<(f.bits-1) | uint64(e-f.minExponent+1)<<(f.precision-1) | v&(top-1)
}

func valueOf(t ptx.Scalar, v uint64) float64 {
	if t == ptx.TypeF16 || t == ptx.TypeBF16 {
		return halfValue(t, v)
	}
	if t == ptx.TypeF32 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// sameFloat compares bit by bit, but any NaN of f64 will do.
func sameFloat(t ptx.Scalar) func(got, want uint64) bool {
	return func(got, want uint64) bool {
		return got == want || t == ptx.TypeF64 && arith.IsNaN64(got) && arith.IsNaN64(want)
	}
}

// The NaNs that the hardware returns.
const (
	oneNaN16 = 0x7fff
	oneNaN64 = 0xfff8000000000000
	oneNaN32 = 0x7fffffff
)

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

var nanOfType = map[ptx.Scalar]uint64{ptx.TypeF32: oneNaN32, ptx.TypeF64: oneNaN64, ptx.TypeF16: oneNaN16, ptx.TypeBF16: oneNaN16}

// exactTwin makes a twin of an instruction: plain gives the result
// where an operand is not an ordinary number.
func exactTwin(t ptx.Scalar, mode ptx.Rounding, exactly func(v []*big.Float) *big.Float, plain func(v []float64) float64) func(v []uint64) uint64 {
	f := formats[t]
	return func(v []uint64) uint64 {
		var floats []float64
		var exacts []*big.Float
		ordinary := true
		for _, x := range v {
			g := valueOf(t, x)
			floats = append(floats, g)
			if isFinite(g) {
				exacts = append(exacts, new(big.Float).SetPrec(5000).SetFloat64(g))
			} else {
				ordinary = false
			}
		}
		p := plain(floats)
		if ordinary {
			if r := exactly(exacts); r != nil {
				if r.Sign() != 0 {
					return f.roundBits(r, mode, 0)
				}
				// An exact zero: only its sign is open. Operands of a sum that cancel
				// give +0, or -0 when rounding down.
				zero := arith.Bits64(p) >> 63
				if len(v) == 3 {
					zero = cancelledSign(math.Signbit(floats[0]) != math.Signbit(floats[1]), math.Signbit(floats[2]), mode)
				} else if plain([]float64{1, 2}) == 3 { // a sum
					zero = cancelledSign(math.Signbit(floats[0]), math.Signbit(floats[1]), mode)
				} else if plain([]float64{1, 2}) == -1 {
					zero = cancelledSign(math.Signbit(floats[0]), !math.Signbit(floats[1]), mode)
				}
				return zero << (f.bits - 1)
			}
		}
		if p != p {
			return nanOfType[t]
		}
		switch {
		case t == ptx.TypeF32:
			return uint64(math.Float32bits(float32(p)))
		case t.IsHalf(): // only an infinite operand gets here
			return halfInfinity[t] | arith.Bits64(p)>>63<<15
		}
		return math.Float64bits(p)
	}
}

func cancelledSign(a, b bool, mode ptx.Rounding) uint64 {
	if a && b || a != b && mode == ptx.RoundDown {
		return 1
	}
	return 0
}

// floatTests are checked one by one, and in straight-line programs.
func floatTests() []instructionTest {
	var tests []instructionTest
	names := []string{"rn", "rz", "rm", "rp"}
	for _, typ := range []ptx.Scalar{ptx.TypeF32, ptx.TypeF64} {
		for mode, word := range names {
			add := func(name string, n int, exactly func(v []*big.Float) *big.Float, plain func(v []float64) float64) {
				operands := []string{"%a", "%a, %b", "%a, %b, %c"}[n-1]
				tests = append(tests, instructionTest{
					text: fmt.Sprintf("%s.%s.%s %%d, %s;", name, word, typ, operands), result: typ,
					sources: []ptx.Scalar{typ, typ, typ}[:n], twin: exactTwin(typ, ptx.Rounding(mode), exactly, plain), same: sameFloat(typ),
				})
			}
			fresh := func() *big.Float { return new(big.Float).SetPrec(5000) }
			add("add", 2, func(v []*big.Float) *big.Float { return fresh().Add(v[0], v[1]) },
				func(v []float64) float64 { return v[0] + v[1] })
			add("sub", 2, func(v []*big.Float) *big.Float { return fresh().Sub(v[0], v[1]) },
				func(v []float64) float64 { return v[0] - v[1] })
			add("mul", 2, func(v []*big.Float) *big.Float { return fresh().Mul(v[0], v[1]) },
				func(v []float64) float64 { return v[0] * v[1] })
			add("fma", 3, func(v []*big.Float) *big.Float {
				p := fresh().Mul(v[0], v[1])
				return p.Add(p, v[2])
			}, func(v []float64) float64 { return math.FMA(v[0], v[1], v[2]) }) // a product may overflow that infinity hides
			add("div", 2, func(v []*big.Float) *big.Float {
				if v[1].Sign() == 0 {
					return nil
				}
				return fresh().Quo(v[0], v[1])
			}, func(v []float64) float64 { return v[0] / v[1] })
			add("rcp", 1, func(v []*big.Float) *big.Float {
				if v[0].Sign() == 0 {
					return nil
				}
				return fresh().Quo(big.NewFloat(1), v[0])
			}, func(v []float64) float64 { return 1 / v[0] })
			add("sqrt", 1, func(v []*big.Float) *big.Float {
				if v[0].Sign() <= 0 {
					return nil
				}
				return fresh().Sqrt(v[0])
			}, func(v []float64) float64 { return math.Sqrt(v[0]) })
		}
	}
	return tests
}

func TestFloatArithmetic(t *testing.T) { checkAll(t, 5, 8, floatTests()) }

// TestFmaHardCases looks at sums next to the midpoint of two f32, where rounding
// first to f64 and then to f32 goes wrong.
func TestFmaHardCases(t *testing.T) {
	twin := exactTwin(ptx.TypeF32, ptx.RoundNearest, func(v []*big.Float) *big.Float {
		p := new(big.Float).SetPrec(5000).Mul(v[0], v[1])
		return p.Add(p, v[2])
	}, func(v []float64) float64 { return v[0]*v[1] + v[2] })
	r := rand.New(rand.NewSource(6))
	wrong := 0
	for range 60000 {
		// a*b = 1 - 2^-2k, scaled to half a unit of the last place of c.
		k := 10 + r.Intn(14)
		a := 1 + float32(math.Ldexp(1, -k))
		b := 1 - float32(math.Ldexp(1, -k))
		e := r.Intn(40) - 20
		if r.Intn(4) == 0 {
			e = -126 + r.Intn(30) // into the subnormal numbers
		}
		c := float32(math.Ldexp(1+float64(r.Intn(1<<23))/(1<<23), e))
		b = float32(math.Ldexp(float64(b), e/2-24-r.Intn(3)/2))
		a = float32(math.Ldexp(float64(a), e-e/2))
		if r.Intn(2) == 0 {
			a = -a
		}
		v := []uint64{uint64(math.Float32bits(a)), uint64(math.Float32bits(b)), uint64(math.Float32bits(c))}
		var d, x, y, z [32]float32
		for i := range d {
			x[i], y[i], z[i] = a, b, c
		}
		fmaLoop(&d, &x, &y, &z)
		want := twin(v)
		if got := uint64(math.Float32bits(d[0])); got != want {
			t.Fatalf("fma of %x: got %x, want %x", v, got, want)
		}
		if naive := float32(float64(a)*float64(b) + float64(c)); uint64(math.Float32bits(naive)) != want {
			wrong++
		}
	}
	if wrong == 0 {
		t.Error("no case was hard: the test does not test what it should")
	}
	t.Logf("the plain conversion is wrong in %d of 60000 cases", wrong)
}

// floatModifierTests are checked one by one, and in straight-line programs.
func floatModifierTests() []instructionTest {
	flush := func(v uint64) uint64 {
		if v&0x7f800000 == 0 {
			return v & 0x80000000
		}
		return v
	}
	clamp := func(v uint64) uint64 {
		f := math.Float32frombits(uint32(v))
		switch {
		case f >= 1:
			return uint64(math.Float32bits(1))
		case f > 0:
			return v
		}
		return 0
	}
	ops := []struct {
		name string
		f    func(a, b, c float32) float32
	}{
		{"add%s.f32 %%d, %%a, %%b;", func(a, b, _ float32) float32 { return a + b }},
		{"sub%s.f32 %%d, %%a, %%b;", func(a, b, _ float32) float32 { return a - b }},
		{"mul%s.f32 %%d, %%a, %%b;", func(a, b, _ float32) float32 { return a * b }},
		{"fma.rn%s.f32 %%d, %%a, %%b, %%c;", func(a, b, c float32) float32 {
			return math.Float32frombits(uint32(exactTwin(ptx.TypeF32, ptx.RoundNearest, func(v []*big.Float) *big.Float {
				p := new(big.Float).SetPrec(5000).Mul(v[0], v[1])
				return p.Add(p, v[2])
			}, func(v []float64) float64 { return v[0]*v[1] + v[2] })([]uint64{uint64(math.Float32bits(a)),
				uint64(math.Float32bits(b)), uint64(math.Float32bits(c))})))
		}},
	}
	var tests []instructionTest
	for _, o := range ops {
		for k, mods := range []string{".ftz", ".sat", ".ftz.sat"} {
			tests = append(tests, instructionTest{
				text: fmt.Sprintf(o.name, mods), result: ptx.TypeF32, sources: []ptx.Scalar{ptx.TypeF32, ptx.TypeF32, ptx.TypeF32},
				twin: func(v []uint64) uint64 {
					w := [3]uint64{v[0], v[1], v[2]}
					if k != 1 {
						w = [3]uint64{flush(v[0]), flush(v[1]), flush(v[2])}
					}
					r := o.f(math.Float32frombits(uint32(w[0])), math.Float32frombits(uint32(w[1])), math.Float32frombits(uint32(w[2])))
					x := uint64(math.Float32bits(r))
					if r != r {
						x = oneNaN32
					}
					if k != 1 {
						x = flush(x)
					}
					if k != 0 {
						x = clamp(x)
					}
					return x
				},
			})
		}
	}
	return tests
}

func TestFloatModifiers(t *testing.T) { checkAll(t, 7, 4, floatModifierTests()) }

// floatOrderTests are checked one by one, and in straight-line programs.
func floatOrderTests() []instructionTest {
	// order makes -0 less than +0 and leaves NaN to the caller.
	order := func(typ ptx.Scalar, v uint64) int64 {
		s := int64(v << (64 - typ.Bits()))
		if s < 0 {
			return math.MinInt64 - s - 1
		}
		return s
	}
	isNaN := func(typ ptx.Scalar, v uint64) bool { f := valueOf(typ, v); return f != f }
	var tests []instructionTest
	for _, typ := range []ptx.Scalar{ptx.TypeF32, ptx.TypeF64} {
		for _, greatest := range []bool{false, true} {
			name := "min"
			if greatest {
				name = "max"
			}
			twin := func(v []uint64) uint64 {
				switch {
				case isNaN(typ, v[0]) && isNaN(typ, v[1]):
					return nanOfType[typ]
				case isNaN(typ, v[0]):
					return v[1]
				case isNaN(typ, v[1]):
					return v[0]
				case (order(typ, v[0]) > order(typ, v[1])) == greatest:
					return v[0]
				}
				return v[1]
			}
			tests = append(tests, instructionTest{text: fmt.Sprintf("%s.%s %%d, %%a, %%b;", name, typ), result: typ,
				sources: []ptx.Scalar{typ, typ}, twin: twin, same: sameFloat(typ)})
			if typ == ptx.TypeF32 {
				tests = append(tests, instructionTest{text: name + ".NaN.f32 %d, %a, %b;", result: typ, sources: []ptx.Scalar{typ, typ},
					twin: func(v []uint64) uint64 {
						if isNaN(typ, v[0]) || isNaN(typ, v[1]) {
							return oneNaN32
						}
						return twin(v)
					}})
			}
		}
		sign := uint64(1) << (typ.Bits() - 1)
		signed := func(v, number uint64) uint64 {
			switch {
			case !isNaN(typ, v):
				return number
			case typ == ptx.TypeF32:
				return oneNaN32
			}
			return v | 1<<51
		}
		tests = append(tests,
			instructionTest{text: fmt.Sprintf("neg.%s %%d, %%a;", typ), result: typ, sources: []ptx.Scalar{typ},
				twin: func(v []uint64) uint64 { return signed(v[0], v[0]^sign) }},
			instructionTest{text: fmt.Sprintf("abs.%s %%d, %%a;", typ), result: typ, sources: []ptx.Scalar{typ},
				twin: func(v []uint64) uint64 { return signed(v[0], v[0]&^sign) }},
			instructionTest{text: fmt.Sprintf("copysign.%s %%d, %%a, %%b;", typ), result: typ, sources: []ptx.Scalar{typ, typ},
				twin: func(v []uint64) uint64 { return v[0]&sign | v[1]&^sign }})
		for word, want := range map[string]func(a, b float64) bool{
			"eq": func(a, b float64) bool { return a == b },
			"ne": func(a, b float64) bool { return a < b || a > b },
			"lt": func(a, b float64) bool { return a < b }, "le": func(a, b float64) bool { return a <= b },
			"gt": func(a, b float64) bool { return a > b }, "ge": func(a, b float64) bool { return a >= b },
			"equ": func(a, b float64) bool { return !(a < b || a > b) }, "neu": func(a, b float64) bool { return a != b },
			"ltu": func(a, b float64) bool { return !(a >= b) }, "leu": func(a, b float64) bool { return !(a > b) },
			"gtu": func(a, b float64) bool { return !(a <= b) }, "geu": func(a, b float64) bool { return !(a < b) },
			"num": func(a, b float64) bool { return a == a && b == b }, "nan": func(a, b float64) bool { return a != a || b != b },
		} {
			tests = append(tests, instructionTest{text: fmt.Sprintf("setp.%s.%s %%d, %%a, %%b;", word, typ), result: ptx.TypePred,
				sources: []ptx.Scalar{typ, typ}, twin: func(v []uint64) uint64 {
					return truthOf(want(valueOf(typ, v[0]), valueOf(typ, v[1])))
				}})
		}
	}
	return tests
}

func TestFloatMinMaxAndSigns(t *testing.T) { checkAll(t, 8, 4, floatOrderTests()) }

// TestApproximations holds the .approx functions against package math: the
// result must be the nearest f32, or next to it where math itself is not exact.
func TestApproximations(t *testing.T) {
	near := func(got, want uint64) bool {
		g, w := math.Float32frombits(uint32(got)), math.Float32frombits(uint32(want))
		return g == w || got == want+1 || want == got+1 || math.Abs(float64(g-w)) < 1e-37
	}
	var tests []instructionTest
	add := func(name string, f func(x float64) float64) {
		tests = append(tests, instructionTest{text: name + ".approx.f32 %d, %a;", result: ptx.TypeF32, sources: []ptx.Scalar{ptx.TypeF32},
			twin: func(v []uint64) uint64 { return arith.Bits32(float32(f(valueOf(ptx.TypeF32, v[0])))) }, same: near})
	}
	add("sin", math.Sin)
	add("cos", math.Cos)
	add("ex2", math.Exp2)
	add("lg2", math.Log2)
	add("rsqrt", func(x float64) float64 { return 1 / math.Sqrt(x) })
	add("sqrt", math.Sqrt)
	add("rcp", func(x float64) float64 { return 1 / x })
	tests = append(tests, instructionTest{text: "tanh.approx.f32 %d, %a;", result: ptx.TypeF32, sources: []ptx.Scalar{ptx.TypeF32},
		twin: func(v []uint64) uint64 { return arith.Bits32(float32(math.Tanh(valueOf(ptx.TypeF32, v[0])))) }, same: near})
	checkAll(t, 9, 40, tests)
	// Large arguments need all of pi: the largest f32, and a hard one.
	for _, x := range []float32{math.MaxFloat32, 16367173 * 0x1p72, 1e20, 65536, 65535.998, 0.7853982} {
		if got, want := float64(arith.Sin32(x)), math.Sin(float64(x)); math.Abs(got-want) > 6e-8 {
			t.Errorf("sin(%v) = %v, want %v", x, got, want)
		}
		if got, want := float64(arith.Cos32(-x)), math.Cos(float64(x)); math.Abs(got-want) > 6e-8 {
			t.Errorf("cos(%v) = %v, want %v", x, got, want)
		}
	}
	if !math.IsNaN(float64(arith.DivApprox(float32(math.Inf(1)), 0x1p127))) || arith.DivApprox(3, 0x1p127) != 0 || arith.DivApprox(6, 3) != 2 {
		t.Error("div.approx of a very large divisor")
	}
}
