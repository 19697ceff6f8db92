package execute

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// wholeOf rounds to an integral value; the values of halves are exact in f64.
var wholeOf = map[string]func(float64) float64{"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil}

// clampedInteger is an integral f64 as an integer type.
func clampedInteger(d ptx.Scalar, x float64) uint64 {
	n, _ := new(big.Float).SetFloat64(x).Int(nil)
	return wrap(clampTo(d, n), d.Bits())
}

// TestConvertHalves runs every conversion from a half on all 65536 of them.
func TestConvertHalves(t *testing.T) {
	for _, a := range halfTypes {
		for word, whole := range wholeOf {
			for _, d := range allIntegers {
				exhaustive(t, instructionTest{text: fmt.Sprintf("{ .reg .%s %%x; cvt.%s.%s.%s %%x, %%a; cvt.%s.%s %%d, %%x; }", d, word, d, a, wider(d), d),
					result: wider(d), twin: func(v []uint64) uint64 {
						x := halfValue(a, v[0])
						r := uint64(0)
						switch {
						case x != x && d.Bits() == 64:
							r = 1 << 63
						case x != x:
						case math.IsInf(x, 0):
							r = clampedInteger(d, math.Copysign(0x1p100, x))
						default:
							r = clampedInteger(d, whole(x))
						}
						return d.Extend(r) & wider(d).Mask()
					}})
			}
			exhaustive(t, instructionTest{text: fmt.Sprintf("cvt.%s.%s.%s %%d, %%a;", word, a, a), result: a,
				twin: func(v []uint64) uint64 { return nearHalf(a, whole(halfValue(a, v[0])), ptx.RoundNearest) }})
		}
		exhaustive(t, instructionTest{text: fmt.Sprintf("cvt.f32.%s %%d, %%a;", a), result: ptx.TypeF32,
			twin: func(v []uint64) uint64 {
				if a == ptx.TypeBF16 { // a payload stays
					return v[0] << 16
				}
				return arith.Bits32(float32(halfValue(a, v[0])))
			}})
		exhaustive(t, instructionTest{text: fmt.Sprintf("cvt.sat.f32.%s %%d, %%a;", a), result: ptx.TypeF32,
			twin: func(v []uint64) uint64 { return arith.Saturate01(arith.Bits32(float32(halfValue(a, v[0])))) }})
		exhaustive(t, instructionTest{text: fmt.Sprintf("cvt.f64.%s %%d, %%a;", a), result: ptx.TypeF64, same: sameFloat(ptx.TypeF64),
			twin: func(v []uint64) uint64 { return arith.Bits64(halfValue(a, v[0])) }})
		for _, d := range halfTypes {
			for mode, word := range []string{"rn", "rz", "rm", "rp"} {
				exhaustive(t, instructionTest{text: fmt.Sprintf("cvt.%s.%s.%s %%d, %%a;", word, d, a), result: d,
					twin: func(v []uint64) uint64 { return nearHalf(d, halfValue(a, v[0]), ptx.Rounding(mode)) }})
			}
		}
	}
}

// wider returns the 32-bit or 64-bit type of the same sign.
func wider(t ptx.Scalar) ptx.Scalar {
	switch {
	case t.Bits() == 64:
		return t
	case t.IsSigned():
		return ptx.TypeS32
	}
	return ptx.TypeU32
}

// convertHalfTests are checked one by one, and in straight-line programs.
func convertHalfTests() []instructionTest {
	var tests []instructionTest
	finiteHalf := func(d ptx.Scalar, v uint64) uint64 {
		if v&0x7fff == halfInfinity[d] {
			return v - 1
		}
		return v
	}
	for _, d := range halfTypes {
		for mode, word := range []string{"rn", "rz", "rm", "rp"} {
			for _, a := range []ptx.Scalar{ptx.TypeF32, ptx.TypeF64} {
				near := func(v []uint64) uint64 {
					if a == ptx.TypeF64 && arith.IsNaN64(v[0]) { // quiet, with the upper bits of the payload
						fraction := uint(formats[d].precision - 1)
						return v[0]>>63<<15 | halfInfinity[d] | 1<<(fraction-1) | v[0]>>(52-fraction)&(1<<fraction-1)
					}
					return nearHalf(d, valueOf(a, v[0]), ptx.Rounding(mode))
				}
				add := func(mod string, twin func(v []uint64) uint64) {
					tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s%s.%s.%s %%d, %%a;", word, mod, d, a), result: d,
						sources: []ptx.Scalar{a}, twin: twin})
				}
				add("", near)
				if d == ptx.TypeF16 {
					add(".sat", func(v []uint64) uint64 { return clampHalf(d, near(v)) })
				}
				if a == ptx.TypeF64 || ptx.Rounding(mode) > ptx.RoundZero {
					continue
				}
				add(".relu", func(v []uint64) uint64 { return rectifyHalf(d, near(v)) })
				add(".satfinite", func(v []uint64) uint64 { return finiteHalf(d, near(v)) })
			}
			for _, a := range allIntegers {
				tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s.%s.%s %%d, %%a;", word, d, a), result: d, sources: []ptx.Scalar{a},
					twin: func(v []uint64) uint64 {
						return formats[d].roundBits(new(big.Float).SetPrec(100).SetInt(bigOf(a, v[0])), ptx.Rounding(mode), 0)
					}})
			}
			if ptx.Rounding(mode) > ptx.RoundZero {
				continue
			}
			two := func(v []uint64, f func(r uint64) uint64) uint64 {
				return f(nearHalf(d, valueOf(ptx.TypeF32, v[0]), ptx.Rounding(mode)))<<16 | f(nearHalf(d, valueOf(ptx.TypeF32, v[1]), ptx.Rounding(mode)))
			}
			for mod, f := range map[string]func(r uint64) uint64{
				"": func(r uint64) uint64 { return r }, ".relu": func(r uint64) uint64 { return rectifyHalf(d, r) },
				".relu.satfinite": func(r uint64) uint64 { return rectifyHalf(d, finiteHalf(d, r)) },
			} {
				tests = append(tests, instructionTest{text: fmt.Sprintf("cvt.%s%s.%s.f32 %%d, %%a, %%b;", word, mod, pairOf[d]), result: pairOf[d],
					sources: []ptx.Scalar{ptx.TypeF32, ptx.TypeF32}, twin: func(v []uint64) uint64 { return two(v, f) }})
			}
		}
	}
	return tests
}

// TestConvertToHalves covers the conversions to a half in every direction.
func TestConvertToHalves(t *testing.T) { checkAll(t, 28, 2, convertHalfTests()) }

// TestConvertTF32 rounds f32 to 10 bits of fraction; an f32 whose low 13 bits are
// zero is a tf32.
func TestConvertTF32(t *testing.T) {
	format := format{bits: 32, precision: 11, minExponent: -136, maxExponent: 127}
	twin := func(mode ptx.Rounding, away bool) func(v []uint64) uint64 {
		return func(v []uint64) uint64 {
			x := valueOf(ptx.TypeF32, v[0])
			switch {
			case x != x && away:
				return v[0] &^ 0x1fff
			case x != x:
				return oneNaN32 &^ 0x1fff
			case math.IsInf(x, 0):
				return v[0]
			}
			r := format.roundBits(new(big.Float).SetFloat64(x), mode, arith.Bits64(x)>>63)
			// The bits of the 19-bit format stand at the top of the word.
			sign, rest := r&0x80000000, r&0x7fffffff
			if away && v[0]&0x1fff == 0x1000 { // a tie
				rest = (v[0]&0x7fffffff + 0x1000) >> 13
			}
			return sign | rest<<13
		}
	}
	checkAll(t, 29, 8, []instructionTest{
		{text: "cvt.rna.tf32.f32 %d, %a;", result: ptx.TypeTF32, sources: []ptx.Scalar{ptx.TypeF32}, twin: twin(ptx.RoundNearest, true)},
		{text: "cvt.rn.tf32.f32 %d, %a;", result: ptx.TypeTF32, sources: []ptx.Scalar{ptx.TypeF32}, twin: twin(ptx.RoundNearest, false)},
		{text: "cvt.rz.tf32.f32 %d, %a;", result: ptx.TypeTF32, sources: []ptx.Scalar{ptx.TypeF32}, twin: twin(ptx.RoundZero, false)},
		{text: "cvt.rn.relu.tf32.f32 %d, %a;", result: ptx.TypeTF32, sources: []ptx.Scalar{ptx.TypeF32}, twin: func(v []uint64) uint64 {
			if valueOf(ptx.TypeF32, v[0]) <= 0 {
				return 0
			}
			return twin(ptx.RoundNearest, false)(v)
		}},
	})
}

// TestAtomicAddOfHalves adds all lanes of a warp to one place, in global and in
// shared memory; the old values are the running sums.
func TestAtomicAddOfHalves(t *testing.T) {
	for _, typ := range []ptx.Scalar{ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2} {
		bytes, half := typ.Bits()/8, typ
		add := func(v []uint64) uint64 { return 0 }
		for _, h := range halfTypes {
			switch typ {
			case h:
				add = halfTwins(h)["add"]
			case pairOf[h]:
				add, half = pairTwin(halfTwins(h)["add"]), h
			}
		}
		src := fmt.Sprintf(`.version 8.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 io) {
.reg .b64 %%io, %%at; .reg .b32 %%t; .reg .b%[1]d %%v, %%g, %%s; .shared .b%[1]d sum;
ld.param.u64 %%io, [io]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%at, %%t, 12; add.u64 %%at, %%at, %%io;
ld.global.b%[1]d %%v, [%%at];
mov.b%[1]d %%s, 0; st.shared.b%[1]d [sum], %%s;
atom.global.add.noftz.%[2]s %%g, [%%io+384], %%v; st.global.b%[1]d [%%at+4], %%g;
atom.shared.add.noftz.%[2]s %%s, [sum], %%v; st.global.b%[1]d [%%at+8], %%s;
red.global.add.noftz.%[2]s [%%io+384], %%v;
ret; }
`, typ.Bits(), typ)
		m, err := compile.Load("atom", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		image, _ := mem.NewImage(mem.DefaultBase, 1<<16)
		io, _ := image.Alloc("io", 388)
		base := io.Base
		r := newRand(30)
		values := make([]uint64, ptx.MaxLanes)
		var word [8]byte
		for i := range values {
			values[i] = arith.FormatOf(half).One + r.Uint64()&0x1ff
			if typ.IsPair() {
				values[i] |= r.Uint64() & 0x83ff << 16 // subnormal and small numbers
			}
			writeBytes(word[:], 8, values[i])
			image.Write(base+uint64(12*i), word[:4])
		}
		params := make([]byte, 8)
		writeBytes(params, 8, base)
		l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
		if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
			t.Fatal(err)
		}
		sum := uint64(0)
		for i, v := range values {
			for _, at := range []int{12*i + 4, 12*i + 8} {
				image.Read(base+uint64(at), word[:bytes])
				if got := readBytes(word[:], uint8(bytes)); got != sum {
					t.Fatalf("%s: lane %d found %x, want %x", typ, i, got, sum)
				}
			}
			sum = add([]uint64{sum, v})
		}
		for _, v := range values {
			sum = add([]uint64{sum, v})
		}
		image.Read(base+384, word[:bytes])
		if got := readBytes(word[:], uint8(bytes)); got != sum {
			t.Errorf("%s: red leaves %x, want %x", typ, got, sum)
		}
	}
}

// TestHalvesRefused names what PTX does not have, and what is not supported.
func TestHalvesRefused(t *testing.T) {
	for _, text := range []string{
		"add.rz.f16 %h, %h, %h;", "add.ftz.bf16 %h, %h, %h;", "fma.rn.sat.relu.f16 %h, %h, %h, %h;", "add.relu.f16 %h, %h, %h;",
		"div.f16 %h, %h, %h;", "sqrt.approx.f16 %h, %h;", "ex2.approx.bf16 %h, %h;", "ex2.f16 %h, %h;",
		"min.abs.f16 %h, %h, %h;", "min.ftz.bf16 %h, %h, %h;", "setp.lo.f16 %p, %h, %h;", "setp.eq.ftz.bf16 %p, %h, %h;",
		"set.eq.f16x2.f16 %r, %h, %h;", "set.eq.f16.f16x2 %h, %r, %r;", "set.eq.u16.u32 %h, %r, %r;",
		"cvt.rn.f16x2.f16 %r, %h, %h;", "cvt.rp.f16x2.f32 %r, %f, %f;", "cvt.rna.f16.f32 %h, %f;", "cvt.rn.relu.f32.f64 %f, %d;",
		"cvt.rn.e4m3x2.f32 %h, %f, %f;", "cvt.rz.satfinite.e5m2x2.f32 %h, %f, %f;", "atom.global.add.f16 %h, [%d], %h;", "atom.global.min.noftz.f16 %h, [%d], %h;",
		"cvt.rn.relu.f16.f64 %h, %d;", "cvt.rp.satfinite.f16.f32 %h, %f;", "cvt.rn.sat.bf16.f32 %h, %f;", "cvt.sat.u32.u16 %r, %h;", "cvt.sat.s64.u32 %d, %r;",
		"sub.u16x2 %r, %r, %r;", "min.relu.u32 %r, %r, %r;", "min.abs.f32 %f, %f, %f;",
	} {
		src := ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry test() {\n.reg .b16 %h; .reg .b32 %r; .reg .f32 %f; .reg .b64 %d; .reg .pred %p;\n\t" + text + "\nret; }\n"
		_, err := compile.Load("half.ptx", []byte(src))
		if err == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		if !strings.Contains(err.Error(), "half.ptx:6:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
