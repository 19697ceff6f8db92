package execute

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

var halfInfinity = map[ptx.Scalar]uint64{ptx.TypeF16: 0x7c00, ptx.TypeBF16: 0x7f80}

var halfTypes = []ptx.Scalar{ptx.TypeF16, ptx.TypeBF16}

var pairOf = map[ptx.Scalar]ptx.Scalar{ptx.TypeF16: ptx.TypeF16x2, ptx.TypeBF16: ptx.TypeBF16x2}

// halfValue is the value of a half by the book.
func halfValue(t ptx.Scalar, v uint64) float64 {
	f := formats[t]
	fraction := int(v) & (1<<(f.precision-1) - 1)
	exponent := int(v&0x7fff) >> (f.precision - 1)
	var x float64
	switch {
	case exponent == 2*f.maxExponent+1 && fraction != 0:
		return math.NaN()
	case exponent == 2*f.maxExponent+1:
		x = math.Inf(1)
	case exponent == 0:
		x = math.Ldexp(float64(fraction), f.minExponent)
	default:
		x = math.Ldexp(float64(1<<(f.precision-1)+fraction), exponent-1+f.minExponent)
	}
	if v>>15 != 0 {
		x = -x
	}
	return x
}

// nearHalf rounds an f64 to a half, NaN and infinities included.
func nearHalf(t ptx.Scalar, x float64, mode ptx.Rounding) uint64 {
	switch {
	case x != x:
		return oneNaN16
	case math.IsInf(x, 0):
		return halfInfinity[t] | arith.Bits64(x)>>63<<15
	}
	return formats[t].roundBits(new(big.Float).SetFloat64(x), mode, arith.Bits64(x)>>63)
}

// TestHalfFormats decodes every half, and rounds what lies on, between and next
// to halves in every direction.
func TestHalfFormats(t *testing.T) {
	for _, typ := range halfTypes {
		h := arith.FormatOf(typ)
		for v := range uint64(1 << 16) {
			x, want := h.Double(v), halfValue(typ, v)
			if arith.Bits64(x) != arith.Bits64(want) && !(x != x && want != want) {
				t.Fatalf("%s %x is %v, want %v", typ, v, x, want)
			}
			if x != x || testing.Short() && v%7 != 0 {
				continue
			}
			next := h.Double(v + 1)
			if v&0x7fff == halfInfinity[typ]-1 { // where the largest number meets infinity
				next = math.Copysign(math.Ldexp(1, formats[typ].maxExponent+1), x)
			}
			middle := x/2 + next/2
			points := []float64{x, middle, math.Nextafter(middle, 0), math.Nextafter(middle, 2*middle), math.Nextafter(x, 0)}
			for i, p := range points {
				mode := ptx.Rounding((int(v) + i) % 4)
				if i == 1 {
					mode = ptx.RoundNearest
				}
				if p != p || math.IsInf(p, 0) {
					continue
				}
				got, want := h.Round(p, mode), nearHalf(typ, p, mode)
				if got != want || mode == ptx.RoundNearest && h.Nearest(p) != want {
					t.Fatalf("%v to %s in mode %d: got %x and %x, want %x", p, typ, mode, got, h.Nearest(p), want)
				}
			}
		}
	}
}

// halfTwins are exact twins of the arithmetic instructions.
func halfTwins(t ptx.Scalar) map[string]func(v []uint64) uint64 {
	fresh := func() *big.Float { return new(big.Float).SetPrec(1000) }
	return map[string]func(v []uint64) uint64{
		"add": exactTwin(t, ptx.RoundNearest, func(v []*big.Float) *big.Float { return fresh().Add(v[0], v[1]) }, halfSums["add"]),
		"sub": exactTwin(t, ptx.RoundNearest, func(v []*big.Float) *big.Float { return fresh().Sub(v[0], v[1]) }, halfSums["sub"]),
		"mul": exactTwin(t, ptx.RoundNearest, func(v []*big.Float) *big.Float { return fresh().Mul(v[0], v[1]) }, halfSums["mul"]),
		"fma": exactTwin(t, ptx.RoundNearest, func(v []*big.Float) *big.Float {
			p := fresh().Mul(v[0], v[1])
			return p.Add(p, v[2])
		}, halfSums["fma"]),
	}
}

// pairTwin applies a twin to both halves.
func pairTwin(f func(v []uint64) uint64) func(v []uint64) uint64 {
	return func(v []uint64) uint64 {
		var low, high []uint64
		for _, x := range v {
			low, high = append(low, x&0xffff), append(high, x>>16)
		}
		return f(low) | f(high)<<16
	}
}

// withPairs adds the form on pairs to a test on halves.
func withPairs(tests []instructionTest, format string, t ptx.Scalar, n int, twin func(v []uint64) uint64) []instructionTest {
	pair := pairOf[t]
	if pair == ptx.TypeNone {
		pair = map[ptx.Scalar]ptx.Scalar{ptx.TypeU16: ptx.TypeU16x2, ptx.TypeS16: ptx.TypeS16x2}[t]
	} else {
		tests = append(tests, instructionTest{text: fmt.Sprintf(format, t), result: t, sources: []ptx.Scalar{t, t, t}[:n], twin: twin})
	}
	return append(tests, instructionTest{text: fmt.Sprintf(format, pair), result: pair, sources: []ptx.Scalar{pair, pair, pair}[:n], twin: pairTwin(twin)})
}

// smallestNormalHalf is 2^-14 for f16 and 2^-126 for bf16.
func smallestNormalHalf(t ptx.Scalar) float64 {
	return math.Ldexp(1, formats[t].minExponent+formats[t].precision-1)
}

func flushHalf(t ptx.Scalar, v uint64) uint64 {
	if x := halfValue(t, v); math.Abs(x) < smallestNormalHalf(t) {
		return v & 0x8000
	}
	return v
}

func clampHalf(t ptx.Scalar, v uint64) uint64 {
	switch x := halfValue(t, v); {
	case !(x > 0):
		return 0
	case x > 1:
		return nearHalf(t, 1, ptx.RoundNearest)
	}
	return v
}

func rectifyHalf(t ptx.Scalar, v uint64) uint64 {
	if x := halfValue(t, v); x < 0 || x == 0 {
		return 0
	}
	return v
}

// halfSums are the operations in double precision, which is exact for results near the
// smallest normal half: with .ftz a result below it becomes zero, even if rounding would make
// it the smallest normal half.
var halfSums = map[string]func(v []float64) float64{
	"add": func(v []float64) float64 { return v[0] + v[1] },
	"sub": func(v []float64) float64 { return v[0] - v[1] },
	"mul": func(v []float64) float64 { return v[0] * v[1] },
	"fma": func(v []float64) float64 { return float64(v[0]*v[1]) + v[2] },
}

func halfValues(t ptx.Scalar, v []uint64) []float64 {
	var x []float64
	for _, h := range v {
		x = append(x, halfValue(t, h))
	}
	return x
}

// halfTests are checked one by one, and in straight-line programs.
func halfTests() []instructionTest {
	var tests []instructionTest
	operands := map[string]int{"add": 2, "sub": 2, "mul": 2, "fma": 3}
	for _, typ := range halfTypes {
		for name, twin := range halfTwins(typ) {
			n := operands[name]
			list := [...]string{2: " %%d, %%a, %%b;", 3: " %%d, %%a, %%b, %%c;"}[n]
			mods := []string{""}
			if typ == ptx.TypeF16 {
				mods = []string{"", ".ftz", ".sat", ".ftz.sat"}
			}
			if name == "fma" {
				mods = append(mods, ".relu")
			}
			for _, mod := range mods {
				flush := mod == ".ftz" || mod == ".ftz.sat"
				tests = withPairs(tests, name+".rn"+mod+".%s"+list, typ, n, func(v []uint64) uint64 {
					w := append([]uint64(nil), v...)
					for i := range w {
						if flush {
							w[i] = flushHalf(typ, w[i])
						}
					}
					r := twin(w)
					if flush && math.Abs(halfSums[name](halfValues(typ, w))) < smallestNormalHalf(typ) {
						r &= 0x8000
					}
					switch mod {
					case ".sat", ".ftz.sat":
						r = clampHalf(typ, r)
					case ".relu":
						r = rectifyHalf(typ, r)
					}
					return r
				})
			}
		}
	}
	return tests
}

func TestHalfArithmetic(t *testing.T) { checkAll(t, 21, 3, halfTests()) }

// TestHalfFmaHardCases looks at sums on and next to the midpoint of two halves.
func TestHalfFmaHardCases(t *testing.T) {
	r := newRand(22)
	for _, typ := range halfTypes {
		f, h := arith.LaneHalf(typ, arith.HalfMode{}, arith.HalfFma), arith.FormatOf(typ)
		twin := halfTwins(typ)["fma"]
		wrong := 0
		cases := 30000
		if testing.Short() {
			cases = 5000
		}
		for range cases {
			c := r.Uint64() & 0xffff
			a := h.One + r.Uint64()&0x1ff | r.Uint64()&1<<15
			up := h.Double(c+1) - h.Double(c)
			b := h.Round(up/2/h.Double(a), ptx.Rounding(r.Intn(4)))
			if r.Intn(2) == 0 {
				// The product is a midpoint, and the addend very small.
				p := formats[typ].precision
				x, y := 0, 0
				for x*y&1 == 0 || x*y>>p != 1 {
					x, y = r.Intn(1<<p), r.Intn(1<<p)
				}
				a, b, c = h.Round(float64(x), 0), h.Round(float64(y), 0), r.Uint64()&0x803f
			}
			got, want := f(a, b, c, 0), twin([]uint64{a, b, c})
			if got != want {
				t.Fatalf("fma.%s of %x %x %x: got %x, want %x", typ, a, b, c, got, want)
			}
			// Rounding to f32 first.
			naive := float32(float64(h.Double(a)*h.Double(b)) + h.Double(c))
			if h.Round(float64(naive), ptx.RoundNearest) != want {
				wrong++
			}
		}
		if wrong == 0 {
			t.Error("no case was hard: the test does not test what it should")
		}
	}
}

// halfOrderTests are checked one by one, and in straight-line programs.
func halfOrderTests() []instructionTest {
	var tests []instructionTest
	for _, typ := range halfTypes {
		isNaN := func(v uint64) bool { x := halfValue(typ, v); return x != x }
		for _, name := range []string{"min", "max"} {
			pick := func(a, b uint64) uint64 {
				switch {
				case isNaN(a) && isNaN(b):
					return oneNaN16
				case isNaN(a):
					return b
				case isNaN(b):
					return a
				}
				x, y := halfValue(typ, a), halfValue(typ, b)
				less := x < y || x == y && math.Signbit(x)
				if less == (name == "min") {
					return a
				}
				return b
			}
			tests = withPairs(tests, name+".%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 { return pick(v[0], v[1]) })
			tests = withPairs(tests, name+".NaN.%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 {
				if isNaN(v[0]) || isNaN(v[1]) {
					return oneNaN16
				}
				return pick(v[0], v[1])
			})
			tests = withPairs(tests, name+".xorsign.abs.%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 {
				r := pick(v[0]&0x7fff, v[1]&0x7fff)
				if isNaN(r) {
					return oneNaN16
				}
				return r | (v[0]^v[1])&0x8000
			})
			if typ == ptx.TypeF16 {
				tests = withPairs(tests, name+".ftz.%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 {
					return pick(flushHalf(typ, v[0]), flushHalf(typ, v[1]))
				})
			}
		}
		signed := func(v, number uint64) uint64 {
			if isNaN(v) {
				return oneNaN16
			}
			return number
		}
		tests = withPairs(tests, "neg.%s %%d, %%a;", typ, 1, func(v []uint64) uint64 { return signed(v[0], v[0]^0x8000) })
		tests = withPairs(tests, "abs.%s %%d, %%a;", typ, 1, func(v []uint64) uint64 { return signed(v[0], v[0]&0x7fff) })
		if typ == ptx.TypeF16 {
			tests = withPairs(tests, "neg.ftz.%s %%d, %%a;", typ, 1, func(v []uint64) uint64 { return signed(v[0], flushHalf(typ, v[0])^0x8000) })
			tests = withPairs(tests, "abs.ftz.%s %%d, %%a;", typ, 1, func(v []uint64) uint64 { return signed(v[0], flushHalf(typ, v[0])&0x7fff) })
		}
	}
	return tests
}

func TestHalfMinMaxAndSigns(t *testing.T) { checkAll(t, 23, 4, halfOrderTests()) }

// pairTests are checked one by one, and in straight-line programs.
func pairTests() []instructionTest {
	var tests []instructionTest
	for _, typ := range []ptx.Scalar{ptx.TypeU16, ptx.TypeS16} {
		value := func(v uint64) int64 {
			if typ == ptx.TypeS16 {
				return int64(int16(v))
			}
			return int64(v)
		}
		tests = withPairs(tests, "add.%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 { return uint64(uint16(v[0] + v[1])) })
		tests = withPairs(tests, "min.%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 { return uint64(uint16(min(value(v[0]), value(v[1])))) })
		tests = withPairs(tests, "max.%s %%d, %%a, %%b;", typ, 2, func(v []uint64) uint64 { return uint64(uint16(max(value(v[0]), value(v[1])))) })
	}
	tests = withPairs(tests, "min.relu.%s %%d, %%a, %%b;", ptx.TypeS16, 2, func(v []uint64) uint64 {
		return uint64(max(0, min(int16(v[0]), int16(v[1]))))
	})
	tests = append(tests, instructionTest{text: "max.relu.s32 %d, %a, %b;", result: ptx.TypeS32, sources: []ptx.Scalar{ptx.TypeS32, ptx.TypeS32},
		twin: func(v []uint64) uint64 { return uint64(max(0, int32(v[0]), int32(v[1]))) }})
	return tests
}

// TestPairsOfIntegers has the min, max and add of 16-bit pairs and the forms with
// .relu.
func TestPairsOfIntegers(t *testing.T) { checkAll(t, 24, 4, pairTests()) }

// TestMinMaxOfThree has min.f32 and max.f32 of three operands.
func TestMinMaxOfThree(t *testing.T) {
	three := func(text string, f func(v []float32) float32) instructionTest {
		return instructionTest{text: text, result: ptx.TypeF32, sources: []ptx.Scalar{ptx.TypeF32, ptx.TypeF32, ptx.TypeF32}, twin: func(v []uint64) uint64 {
			return arith.Bits32(f([]float32{arith.F32(v[0]), arith.F32(v[1]), arith.F32(v[2])}))
		}}
	}
	abs := func(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
	checkAll(t, 25, 6, []instructionTest{
		three("min.f32 %d, %a, %b, %c;", func(v []float32) float32 { return arith.Min32(arith.Min32(v[0], v[1]), v[2]) }),
		three("max.f32 %d, %a, %b, %c;", func(v []float32) float32 { return arith.Max32(arith.Max32(v[0], v[1]), v[2]) }),
		three("max.NaN.f32 %d, %a, %b, %c;", func(v []float32) float32 { return max(v[0], v[1], v[2]) }),
		three("min.abs.f32 %d, %a, %b, %c;", func(v []float32) float32 { return arith.Min32(arith.Min32(abs(v[0]), abs(v[1])), abs(v[2])) }),
	})
}

var floatOrders = map[string]func(a, b float64) bool{
	"eq": func(a, b float64) bool { return a == b }, "ne": func(a, b float64) bool { return a < b || a > b },
	"lt": func(a, b float64) bool { return a < b }, "le": func(a, b float64) bool { return a <= b },
	"gt": func(a, b float64) bool { return a > b }, "ge": func(a, b float64) bool { return a >= b },
	"equ": func(a, b float64) bool { return !(a < b || a > b) }, "neu": func(a, b float64) bool { return a != b },
	"ltu": func(a, b float64) bool { return !(a >= b) }, "leu": func(a, b float64) bool { return !(a > b) },
	"gtu": func(a, b float64) bool { return !(a <= b) }, "geu": func(a, b float64) bool { return !(a < b) },
	"num": func(a, b float64) bool { return a == a && b == b }, "nan": func(a, b float64) bool { return a != a || b != b },
}

// halfCompareTests are checked one by one, and in straight-line programs.
func halfCompareTests() []instructionTest {
	var tests []instructionTest
	for _, typ := range halfTypes {
		pair := pairOf[typ]
		one := nearHalf(typ, 1, ptx.RoundNearest)
		for word, order := range floatOrders {
			is := func(a, b uint64) uint64 { return truthOf(order(halfValue(typ, a), halfValue(typ, b))) }
			two, three := []ptx.Scalar{typ, typ}, []ptx.Scalar{typ, typ, ptx.TypePred}
			add := func(format string, result ptx.Scalar, sources []ptx.Scalar, twin func(v []uint64) uint64) {
				kind := typ
				if sources[0] == pair {
					kind = pair
				}
				tests = append(tests, instructionTest{text: fmt.Sprintf(format, word, kind), result: result, sources: sources, twin: twin})
			}
			add("setp.%s.%s %%d, %%a, %%b;", ptx.TypePred, two, func(v []uint64) uint64 { return is(v[0], v[1]) })
			add("setp.%s.xor.%s _|%%d, %%a, %%b, !%%c;", ptx.TypePred, three, func(v []uint64) uint64 {
				return truthOf((is(v[0], v[1]) == 0) != (v[2] == 0))
			})
			add("set.%s.u16.%s %%d, %%a, %%b;", ptx.TypeU16, two, func(v []uint64) uint64 { return 0xffff * is(v[0], v[1]) })
			add("set.%s.s32.%s %%d, %%a, %%b;", ptx.TypeS32, two, func(v []uint64) uint64 { return 0xffffffff * is(v[0], v[1]) })
			add("set.%s.and."+typ.String()+".%s %%d, %%a, %%b, %%c;", typ, three, func(v []uint64) uint64 {
				return one * is(v[0], v[1]) * truthOf(v[2] != 0)
			})
			twoPairs, threePairs := []ptx.Scalar{pair, pair}, []ptx.Scalar{pair, pair, ptx.TypePred}
			add("setp.%s.%s %%d|%%q, %%a, %%b;", ptx.TypePred, twoPairs, func(v []uint64) uint64 { return is(v[0]&0xffff, v[1]&0xffff) })
			add("setp.%s.or.%s %%q|%%d, %%a, %%b, %%c;", ptx.TypePred, threePairs, func(v []uint64) uint64 {
				return is(v[0]>>16, v[1]>>16) | truthOf(v[2] != 0)
			})
			add("set.%s.u32.%s %%d, %%a, %%b;", ptx.TypeU32, twoPairs, func(v []uint64) uint64 {
				return 0xffff*is(v[0]&0xffff, v[1]&0xffff) | 0xffff0000*is(v[0]>>16, v[1]>>16)
			})
			add("set.%s."+pair.String()+".%s %%d, %%a, %%b;", pair, twoPairs, func(v []uint64) uint64 {
				return one*is(v[0]&0xffff, v[1]&0xffff) | one<<16*is(v[0]>>16, v[1]>>16)
			})
		}
	}
	tests = append(tests,
		instructionTest{text: "setp.eq.ftz.f16 %d, %a, %b;", result: ptx.TypePred, sources: []ptx.Scalar{ptx.TypeF16, ptx.TypeF16},
			twin: func(v []uint64) uint64 {
				return truthOf(halfValue(ptx.TypeF16, flushHalf(ptx.TypeF16, v[0])) == halfValue(ptx.TypeF16, flushHalf(ptx.TypeF16, v[1])))
			}},
		instructionTest{text: "set.gt.f16.s32 %d, %a, %b;", result: ptx.TypeF16, sources: []ptx.Scalar{ptx.TypeS32, ptx.TypeS32},
			twin: func(v []uint64) uint64 { return 0x3c00 * truthOf(int32(v[0]) > int32(v[1])) }})
	return tests
}

func TestHalfComparisons(t *testing.T) { checkAll(t, 26, 2, halfCompareTests()) }

// exhaustive runs an instruction on every 16-bit operand; in WebAssembly, which only has to
// give the same results, on an eighth of them.
func exhaustive(t *testing.T, c instructionTest) {
	t.Helper()
	n := uint32(1 << 16)
	if testing.Short() {
		n /= 8
	}
	// Multiples of an odd number near 2^16 / 1.618 spread over all operands, however few are taken.
	operand := func(thread uint64) uint64 { return thread * 40503 & 0xffff }
	bytes := uint64(max(1, c.result.Bits()/8))
	src := fmt.Sprintf(`.version 8.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 out) {
.reg .b64 %%to, %%off; .reg .b32 %%t, %%n; .reg .b16 %%a; .reg .%s %%d;
mov.u32 %%t, %%ctaid.x; mov.u32 %%n, %%tid.x; mad.lo.u32 %%t, %%t, 256, %%n; mul.lo.u32 %%n, %%t, 40503; cvt.u16.u32 %%a, %%n;
ld.param.u64 %%to, [out]; mul.wide.u32 %%off, %%t, %d; add.u64 %%to, %%to, %%off;
%s
st.global.%s [%%to], %%d;
ret; }
`, memoryType(c.result), bytes, c.text, memoryType(c.result))
	m, err := compile.Load(c.text, []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", uint64(n)*bytes)
	base := out.Base
	params := make([]byte, 8)
	writeBytes(params, 8, base)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{n / 256, 1, 1}, Block: [3]uint32{256, 1, 1}, Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
		t.Fatal(err)
	}
	results := make([]byte, uint64(n)*bytes)
	image.Read(base, results)
	for thread := range uint64(n) {
		v := operand(thread)
		got, want := readBytes(results[thread*bytes:], uint8(bytes)), c.twin([]uint64{v})
		if got != want && (c.same == nil || !c.same(got, want)) {
			t.Fatalf("%s of %x: got %x, want %x", c.text, v, got, want)
		}
	}
}

// TestHalfFunctions runs ex2 and tanh on every half. They are the nearest half,
// or next to it where math itself is not exact.
func TestHalfFunctions(t *testing.T) {
	near := func(got, want uint64) bool { return got == want+1 || want == got+1 }
	for _, typ := range halfTypes {
		name := "ex2.approx.f16"
		flush := func(v uint64) uint64 { return v }
		if typ == ptx.TypeBF16 {
			name = "ex2.approx.ftz.bf16"
			flush = func(v uint64) uint64 { return flushHalf(typ, v) }
		}
		exhaustive(t, instructionTest{text: name + " %d, %a;", result: typ, same: near, twin: func(v []uint64) uint64 {
			return flush(nearHalf(typ, math.Exp2(halfValue(typ, flush(v[0]))), ptx.RoundNearest))
		}})
		exhaustive(t, instructionTest{text: fmt.Sprintf("tanh.approx.%s %%d, %%a;", typ), result: typ, same: near,
			twin: func(v []uint64) uint64 { return nearHalf(typ, math.Tanh(halfValue(typ, v[0])), ptx.RoundNearest) }})
	}
	var tests []instructionTest
	for _, text := range []string{"ex2.approx.f16x2", "tanh.approx.f16x2"} {
		f := arith.HalfEx2
		if text[0] == 't' {
			f = arith.HalfTanh
		}
		tests = append(tests, instructionTest{text: text + " %d, %a;", result: ptx.TypeF16x2, sources: []ptx.Scalar{ptx.TypeF16x2},
			twin: pairTwin(func(v []uint64) uint64 {
				return nearHalf(ptx.TypeF16, f(halfValue(ptx.TypeF16, v[0]), 0, 0), ptx.RoundNearest)
			})})
	}
	checkAll(t, 27, 2, tests)
}
