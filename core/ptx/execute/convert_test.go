package execute

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// integralOf rounds an exact value to an integer.
func integralOf(x *big.Float, mode ptx.Rounding) *big.Int {
	n, _ := x.Int(nil) // towards zero
	rest := new(big.Float).SetPrec(0).Sub(x, new(big.Float).SetInt(n))
	switch mode {
	case ptx.RoundDown:
		if rest.Sign() < 0 {
			n.Sub(n, big.NewInt(1))
		}
	case ptx.RoundUp:
		if rest.Sign() > 0 {
			n.Add(n, big.NewInt(1))
		}
	case ptx.RoundNearest:
		c := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5))
		if c > 0 || c == 0 && n.Bit(0) == 1 {
			n.Add(n, big.NewInt(int64(rest.Sign())))
		}
	}
	return n
}

// clampTo keeps an integer inside the range of a type.
func clampTo(t ptx.Scalar, n *big.Int) *big.Int {
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
	if t.IsSigned() {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	switch {
	case n.Cmp(low) < 0:
		return low
	case n.Cmp(high) > 0:
		return high
	}
	return n
}

var allIntegers = []ptx.Scalar{ptx.TypeU8, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS8, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64}

// convertIntegerTests are checked one by one, and in straight-line programs.
func convertIntegerTests() []instructionTest {
	var tests []instructionTest
	for _, d := range allIntegers {
		for _, a := range allIntegers {
			tests = append(tests,
				instructionTest{text: fmt.Sprintf("cvt.%s.%s %%d, %%a;", d, a), result: d, sources: []ptx.Scalar{a},
					twin: func(v []uint64) uint64 { return wrap(bigOf(a, v[0]), d.Bits()) }})
			if d.Bits() < a.Bits() || d.IsSigned() != a.IsSigned() && (d.Bits() == a.Bits() || a.IsSigned()) {
				tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.sat.%s.%s %%d, %%a;", d, a), result: d, sources: []ptx.Scalar{a},
					twin: func(v []uint64) uint64 { return wrap(clampTo(d, bigOf(a, v[0])), d.Bits()) }})
			}
			// Registers wider than the types: the source is cut, the result extended.
			tests = append(tests,
				instructionTest{text: fmt.Sprintf("{ .reg .b64 %%x; cvt.%s.%s %%x, %%a; mov.b64 %%d, %%x; }", d, a),
					result: ptx.TypeU64, sources: []ptx.Scalar{a}, twin: func(v []uint64) uint64 {
						n := wrap(bigOf(a, v[0]), d.Bits())
						return wrap(bigOf(d, n), 64)
					}},
				instructionTest{text: fmt.Sprintf("cvt.%s.%s %%d, %%a;", d, a), result: d, sources: []ptx.Scalar{ptx.TypeU64},
					twin: func(v []uint64) uint64 { return wrap(bigOf(a, v[0]&a.Mask()), d.Bits()) }})
			if a.Bits() <= 32 {
				tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s.%s %%d, %%a;", d, a), result: d,
					sources: []ptx.Scalar{ptx.TypeB32}, twin: func(v []uint64) uint64 { return wrap(bigOf(a, v[0]&a.Mask()), d.Bits()) }})
			}
			if d.Bits() <= 32 {
				tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s.%s %%d, %%a;", d, a), result: ptx.TypeB32,
					sources: []ptx.Scalar{a}, twin: func(v []uint64) uint64 {
						n := wrap(bigOf(a, v[0]), d.Bits())
						return wrap(bigOf(d, n), 32)
					}})
			}
		}
	}
	return tests
}

func TestConvertIntegers(t *testing.T) { checkRounds(t, 11, convertIntegerTests()) }

// checkRounds runs unguarded rounds only: a block takes no guard.
func checkRounds(t *testing.T, seed int64, tests []instructionTest) {
	t.Helper()
	for i := range tests {
		tests[i].check(t, newRand(seed+int64(i)), 1)
	}
}

// convertFloatTests are checked one by one, and in straight-line programs.
func convertFloatTests() []instructionTest {
	var tests []instructionTest
	whole := []string{"rni", "rzi", "rmi", "rpi"}
	names := []string{"rn", "rz", "rm", "rp"}
	exactly := func(t ptx.Scalar, v uint64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(valueOf(t, v)) }
	for _, a := range []ptx.Scalar{ptx.TypeF32, ptx.TypeF64} {
		f := formats[a]
		for mode := range ptx.Rounding(4) {
			for _, d := range allIntegers {
				tests = append(tests,
					instructionTest{text: fmt.Sprintf("cvt.%s.%s.%s %%d, %%a;", whole[mode], d, a), result: d, sources: []ptx.Scalar{a},
						twin: func(v []uint64) uint64 {
							x := valueOf(a, v[0])
							switch {
							case x != x && a == ptx.TypeF32 && d.Bits() < 64:
								return 0
							case x != x:
								return 1 << (d.Bits() - 1)
							case math.IsInf(x, 0):
								return wrap(clampTo(d, new(big.Int).Lsh(big.NewInt(int64(math.Copysign(1, x))), 100)), d.Bits())
							}
							return wrap(clampTo(d, integralOf(exactly(a, v[0]), mode)), d.Bits())
						}},
					instructionTest{text: fmt.Sprintf("cvt.%s.%s.%s %%d, %%a;", names[mode], a, d), result: a, sources: []ptx.Scalar{d},
						twin: func(v []uint64) uint64 {
							return f.roundBits(new(big.Float).SetPrec(2000).SetInt(bigOf(d, v[0])), mode, 0)
						}})
			}
			tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s.%s.%s %%d, %%a;", whole[mode], a, a), result: a,
				sources: []ptx.Scalar{a}, same: sameFloat(a), twin: func(v []uint64) uint64 {
					x := valueOf(a, v[0])
					if !isFinite(x) {
						if x != x {
							return nanOfType[a]
						}
						return v[0]
					}
					n := integralOf(exactly(a, v[0]), mode)
					return f.roundBits(new(big.Float).SetPrec(2000).SetInt(n), ptx.RoundNearest, arith.Bits64(x)>>63)
				}})
		}
	}
	for mode := range ptx.Rounding(4) {
		for _, ftz := range []string{"", ".ftz"} {
			tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s%s.f32.f64 %%d, %%a;", names[mode], ftz), result: ptx.TypeF32,
				sources: []ptx.Scalar{ptx.TypeF64}, twin: func(v []uint64) uint64 {
					x := valueOf(ptx.TypeF64, v[0])
					switch {
					case x != x: // quiet, with the upper bits of the payload
						return v[0]>>32&0x80000000 | 0x7fc00000 | v[0]>>29&0x3fffff
					case math.IsInf(x, 0):
						return uint64(math.Float32bits(float32(x)))
					}
					r := formats[ptx.TypeF32].roundBits(exactly(ptx.TypeF64, v[0]), mode, arith.Bits64(x)>>63)
					if ftz != "" && r&0x7f800000 == 0 {
						r &= 0x80000000
					}
					return r
				}})
		}
	}
	tests = append(tests,
		instructionTest{text: "cvt.f64.f32 %d, %a;", result: ptx.TypeF64, sources: []ptx.Scalar{ptx.TypeF32}, same: sameFloat(ptx.TypeF64),
			twin: func(v []uint64) uint64 { return math.Float64bits(valueOf(ptx.TypeF32, v[0])) }},
		instructionTest{text: "cvt.sat.f32.f32 %d, %a;", result: ptx.TypeF32, sources: []ptx.Scalar{ptx.TypeF32},
			twin: func(v []uint64) uint64 {
				switch x := valueOf(ptx.TypeF32, v[0]); {
				case x >= 1:
					return 0x3f800000
				case x > 0:
					return v[0]
				}
				return 0
			}})
	return tests
}

func TestConvertFloats(t *testing.T) { checkAll(t, 12, 2, convertFloatTests()) }
