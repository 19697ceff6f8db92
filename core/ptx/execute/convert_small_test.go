package execute

import (
	"fmt"
	"math"
	"sort"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// smallValues lists the numbers of a format by the book, without sign.
func smallValues(name string) []float64 {
	exponents := map[string][3]int{"e4m3x2": {4, 3, 7}, "e5m2x2": {5, 2, 15}, "e2m3x2": {2, 3, 1}, "e3m2x2": {3, 2, 3}, "e2m1x2": {2, 1, 1}}[name]
	e, m, bias := exponents[0], exponents[1], exponents[2]
	var list []float64
	for v := range 1 << (e + m) {
		exponent, fraction := v>>m, float64(v&(1<<m-1))/float64(int(1)<<m)
		x := math.Ldexp(1+fraction, exponent-bias)
		if exponent == 0 {
			x = math.Ldexp(fraction, 1-bias)
		}
		if name == "e4m3x2" && v == 1<<(e+m)-1 || name == "e5m2x2" && exponent == 1<<e-1 {
			break // NaN, or infinity and NaN
		}
		list = append(list, x)
	}
	return list
}

// nearestSmall searches the list; ties go to the even one.
func nearestSmall(list []float64, x float64) int {
	i := sort.SearchFloat64s(list, x)
	switch {
	case i == len(list):
		return i - 1
	case i == 0 || list[i] == x:
		return i
	}
	below, above := x-list[i-1], list[i]-x
	if below < above || below == above && (i-1)%2 == 0 {
		return i - 1
	}
	return i
}

// smallTests are checked one by one, and in straight-line programs.
func smallTests() []instructionTest {
	var tests []instructionTest
	for _, name := range []string{"e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2"} {
		list := smallValues(name)
		bits := map[string]int{"e4m3x2": 8, "e5m2x2": 8, "e2m3x2": 6, "e3m2x2": 6, "e2m1x2": 4}[name]
		size, pair := 8, ptx.TypeB16
		if bits == 4 {
			size, pair = 4, ptx.TypeB8
		}
		round := func(x float64, relu bool) uint64 {
			switch {
			case x != x && bits == 8:
				return 0x7f
			case x != x:
				return uint64(len(list) - 1)
			case relu && (x < 0 || x == 0):
				return 0
			}
			v := uint64(nearestSmall(list, math.Abs(x)))
			if math.Signbit(x) {
				v |= 1 << (bits - 1)
			}
			return v
		}
		half := func(v uint64, relu bool) uint64 {
			magnitude := int(v & (1<<(bits-1) - 1))
			x := math.NaN()
			switch {
			case magnitude < len(list):
				x = list[magnitude]
			case name == "e5m2x2" && magnitude == len(list):
				x = math.Inf(1)
			}
			if v>>(bits-1)&1 != 0 {
				x = -x
			}
			if relu && (x < 0 || x == 0) {
				x = 0
			}
			return nearHalf(ptx.TypeF16, x, ptx.RoundNearest)
		}
		for _, relu := range []bool{false, true} {
			word := map[bool]string{true: ".relu"}[relu]
			tests = append(tests,
				instructionTest{text: fmt.Sprintf("cvt.rn.satfinite%s.%s.f32 %%d, %%a, %%b;", word, name), result: pair, sources: []ptx.Scalar{ptx.TypeF32, ptx.TypeF32},
					twin: func(v []uint64) uint64 {
						return round(float64(arith.F32(v[0])), relu)<<size | round(float64(arith.F32(v[1])), relu)
					}},
				instructionTest{text: fmt.Sprintf("cvt.rn%s.f16x2.%s %%d, %%a;", word, name), result: ptx.TypeF16x2, sources: []ptx.Scalar{pair},
					twin: func(v []uint64) uint64 {
						m := uint64(1)<<bits - 1
						return half(v[0]&m, relu) | half(v[0]>>size&m, relu)<<16
					}})
			if bits == 8 {
				tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.rn.satfinite%s.%s.f16x2 %%d, %%a;", word, name), result: pair, sources: []ptx.Scalar{ptx.TypeF16x2},
					twin: func(v []uint64) uint64 {
						return round(halfValue(ptx.TypeF16, v[0]>>16), relu)<<8 | round(halfValue(ptx.TypeF16, v[0]&0xffff), relu)
					}})
			}
		}
	}
	return tests
}

// TestSmallFormats converts pairs of small numbers to f16, and f32 and f16 of all
// sizes to them.
func TestSmallFormats(t *testing.T) { checkAll(t, 61, 12, smallTests()) }

// TestPack has the saturating packs.
func TestPack(t *testing.T) {
	var tests []instructionTest
	for _, size := range []int{16, 8, 4, 2} {
		for _, sign := range []string{"u", "s"} {
			clamp := func(v uint64) uint64 {
				x, low, high := int64(int32(v)), int64(0), int64(1)<<size-1
				if sign == "s" {
					low, high = -(high+1)/2, high/2
				}
				if x < low {
					x = low
				}
				if x > high {
					x = high
				}
				return uint64(x) & (1<<size - 1)
			}
			c := instructionTest{text: fmt.Sprintf("cvt.pack.sat.%s%d.s32.b32 %%d, %%a, %%b, %%c;", sign, size), result: ptx.TypeU32,
				sources: []ptx.Scalar{ptx.TypeS32, ptx.TypeS32, ptx.TypeB32},
				twin: func(v []uint64) uint64 {
					return (v[2]<<(2*size) | clamp(v[0])<<size | clamp(v[1])) & 0xffffffff
				}}
			if size == 16 {
				c.text = fmt.Sprintf("cvt.pack.sat.%s16.s32 %%d, %%a, %%b;", sign)
				c.sources = c.sources[:2]
				c.twin = func(v []uint64) uint64 { return clamp(v[0])<<16 | clamp(v[1]) }
			}
			tests = append(tests, c)
		}
	}
	checkAll(t, 62, 4, tests)
}
