package execute

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// floatPairTests are checked one by one, and in straight-line programs.
func floatPairTests() []instructionTest {
	two := []ptx.Scalar{ptx.TypeF32x2, ptx.TypeF32x2}
	three := []ptx.Scalar{ptx.TypeF32x2, ptx.TypeF32x2, ptx.TypeF32x2}
	var tests []instructionTest
	modes := map[string]ptx.Rounding{"rn": ptx.RoundNearest, "rz": ptx.RoundZero, "rm": ptx.RoundDown, "rp": ptx.RoundUp}
	for word, mode := range modes {
		twin := func(exactly func(v []*big.Float) *big.Float, plain func(v []float64) float64) func(v []uint64) uint64 {
			one := exactTwin(ptx.TypeF32, mode, exactly, plain)
			return func(v []uint64) uint64 {
				var low, high []uint64
				for _, x := range v {
					low, high = append(low, x&0xffffffff), append(high, x>>32)
				}
				return one(low) | one(high)<<32
			}
		}
		fresh := func() *big.Float { return new(big.Float).SetPrec(2000) }
		add := func(v []*big.Float) *big.Float { return fresh().Add(v[0], v[1]) }
		sub := func(v []*big.Float) *big.Float { return fresh().Sub(v[0], v[1]) }
		mul := func(v []*big.Float) *big.Float { return fresh().Mul(v[0], v[1]) }
		fma := func(v []*big.Float) *big.Float { return fresh().Add(fresh().Mul(v[0], v[1]), v[2]) }
		tests = append(tests,
			instructionTest{text: "add." + word + ".f32x2 %d, %a, %b;", result: ptx.TypeF32x2, sources: two,
				twin: twin(add, func(v []float64) float64 { return v[0] + v[1] })},
			instructionTest{text: "sub." + word + ".f32x2 %d, %a, %b;", result: ptx.TypeF32x2, sources: two,
				twin: twin(sub, func(v []float64) float64 { return v[0] - v[1] })},
			instructionTest{text: "mul." + word + ".f32x2 %d, %a, %b;", result: ptx.TypeF32x2, sources: two,
				twin: twin(mul, func(v []float64) float64 { return v[0] * v[1] })},
			instructionTest{text: "fma." + word + ".f32x2 %d, %a, %b, %c;", result: ptx.TypeF32x2, sources: three,
				twin: twin(fma, func(v []float64) float64 { return v[0]*v[1] + v[2] })})
	}
	for i := range tests {
		tests[i].same = func(got, want uint64) bool {
			same := sameFloat(ptx.TypeF32)
			return (got&0xffffffff == want&0xffffffff || same(got&0xffffffff, want&0xffffffff)) && (got>>32 == want>>32 || same(got>>32, want>>32))
		}
	}
	tests = append(tests, instructionTest{text: "mul.ftz.f32x2 %d, %a, %b;", result: ptx.TypeF32x2, sources: two, twin: func(v []uint64) uint64 {
		f := func(a, b uint64) uint64 {
			r := arith.F32(arith.Flush32(a)) * arith.F32(arith.Flush32(b))
			return arith.Flush32(arith.Bits32(r))
		}
		return f(v[0]&0xffffffff, v[1]&0xffffffff) | f(v[0]>>32, v[1]>>32)<<32
	}})
	return tests
}

// TestFloatPairs has the instructions on f32x2: each half is what the f32
// instruction gives.
func TestFloatPairs(t *testing.T) { checkAll(t, 51, 6, floatPairTests()) }

// mixedTests are checked one by one, and in straight-line programs.
func mixedTests() []instructionTest {
	var tests []instructionTest
	for _, h := range halfTypes {
		value := func(v uint64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(halfValue(h, v)) }
		same := sameFloat(ptx.TypeF32)
		for _, c := range []struct {
			text    string
			sources []ptx.Scalar
			exactly func(v []uint64) *big.Float
			plain   func(v []float64) float64
		}{
			{"add.rn.f32.%s %%d, %%a, %%b;", []ptx.Scalar{h, ptx.TypeF32}, func(v []uint64) *big.Float {
				return new(big.Float).SetPrec(2000).Add(value(v[0]), big.NewFloat(float64(arith.F32(v[1]))))
			}, func(v []float64) float64 { return v[0] + v[1] }},
			{"sub.f32.%s %%d, %%a, %%b;", []ptx.Scalar{h, ptx.TypeF32}, func(v []uint64) *big.Float {
				return new(big.Float).SetPrec(2000).Sub(value(v[0]), big.NewFloat(float64(arith.F32(v[1]))))
			}, func(v []float64) float64 { return v[0] - v[1] }},
			{"fma.rn.f32.%s %%d, %%a, %%b, %%c;", []ptx.Scalar{h, h, ptx.TypeF32}, func(v []uint64) *big.Float {
				p := new(big.Float).SetPrec(2000).Mul(value(v[0]), value(v[1]))
				return p.Add(p, big.NewFloat(float64(arith.F32(v[2]))))
			}, func(v []float64) float64 { return v[0]*v[1] + v[2] }},
		} {
			tests = append(tests, instructionTest{text: fmt.Sprintf(c.text, h), result: ptx.TypeF32, sources: c.sources, same: same,
				twin: func(v []uint64) uint64 {
					var plain []float64
					for i, t := range c.sources {
						if t == ptx.TypeF32 {
							plain = append(plain, float64(arith.F32(v[i])))
						} else {
							plain = append(plain, halfValue(t, v[i]))
						}
					}
					if r := c.plain(plain); r != r || r-r != 0 || r == 0 {
						return arith.Bits32(float32(r)) // no number, no finite one, or a zero with its sign
					}
					r, _ := c.exactly(v).Float32()
					return arith.Bits32(r)
				}})
		}
	}
	return tests
}

// TestMixedPrecision has add, sub and fma on f32 with operands that are halves.
func TestMixedPrecision(t *testing.T) { checkAll(t, 52, 8, mixedTests()) }

// TestReduxFloat has the reductions of f32 over a warp.
func TestReduxFloat(t *testing.T) {
	body := func(word, mask string) string {
		return `cvt.rn.f32.s32 %f0, %r1; sub.f32 %f0, %f0, 0f42200000; setp.eq.u32 %p1, %r1, 50; selp.f32 %f0, 0f7fc00000, %f0, %p1;
			mov.u32 %r0, 7; redux.sync.` + word + `.f32 %f1, %f0, ` + mask + `; cvt.rni.s32.f32 %r0, %f1; testp.notanumber.f32 %p2, %f1; @%p2 mov.u32 %r0, 1234;`
	}
	first := func(low, high int32) func(int32) int32 {
		return func(tid int32) int32 {
			if tid < 32 {
				return low
			}
			return high
		}
	}
	checkBodies(t, []bodyTest{ // the values are -40..23, thread 50 has NaN
		{"min", body("min", "-1"), first(-40, -8)},
		{"max", body("max", "-1"), first(-9, 23)},
		{"min of magnitudes", body("min.abs", "-1"), first(9, 0)},
		{"max of magnitudes, with NaN", body("max.abs.NaN", "-1"), first(40, 1234)},
	})
}
