package execute

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

var wholeTypes = []ptx.Scalar{ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64}

// The twins of this file work on big integers, or bit by bit as the manual's
// pseudocode does.

// bigOf returns a value of a type as the integer it stands for.
func bigOf(t ptx.Scalar, v uint64) *big.Int {
	n := new(big.Int).SetUint64(v)
	if t.IsSigned() && v>>(t.Bits()-1)&1 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(t.Bits())))
	}
	return n
}

// wrap returns the low bits of an integer.
func wrap(n *big.Int, width int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return new(big.Int).Mod(n, m).Uint64()
}

func clampBig(n *big.Int, low, high int64) *big.Int {
	if n.Cmp(big.NewInt(low)) < 0 {
		return big.NewInt(low)
	}
	if n.Cmp(big.NewInt(high)) > 0 {
		return big.NewInt(high)
	}
	return n
}

// integerTests are checked one by one, and in straight-line programs.
func integerTests() []instructionTest {
	var tests []instructionTest
	for _, typ := range wholeTypes {
		width := typ.Bits()
		binary := func(name string, f func(a, b *big.Int) *big.Int) {
			tests = append(tests, instructionTest{
				text: fmt.Sprintf("%s.%s %%d, %%a, %%b;", name, typ), result: typ, sources: []ptx.Scalar{typ, typ},
				twin: func(v []uint64) uint64 { return wrap(f(bigOf(typ, v[0]), bigOf(typ, v[1])), width) },
			})
		}
		pick := func(greatest bool) func(a, b *big.Int) *big.Int {
			return func(a, b *big.Int) *big.Int {
				if (a.Cmp(b) > 0) == greatest {
					return a
				}
				return b
			}
		}
		product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
		high := func(a, b *big.Int) *big.Int { return new(big.Int).Rsh(product(a, b), uint(width)) }
		binary("add", func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) })
		binary("sub", func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) })
		binary("mul.lo", product)
		binary("mul.hi", high)
		binary("min", pick(false))
		binary("max", pick(true))
		binary("div", func(a, b *big.Int) *big.Int {
			if b.Sign() == 0 {
				return big.NewInt(-1)
			}
			return new(big.Int).Quo(a, b)
		})
		binary("rem", func(a, b *big.Int) *big.Int {
			if b.Sign() == 0 {
				return big.NewInt(-1)
			}
			return new(big.Int).Rem(a, b)
		})
		three := []ptx.Scalar{typ, typ, typ}
		ternary := func(name string, f func(a, b, c *big.Int) *big.Int) {
			tests = append(tests, instructionTest{
				text: fmt.Sprintf("%s.%s %%d, %%a, %%b, %%c;", name, typ), result: typ, sources: three,
				twin: func(v []uint64) uint64 {
					return wrap(f(bigOf(typ, v[0]), bigOf(typ, v[1]), bigOf(typ, v[2])), width)
				},
			})
		}
		ternary("mad.lo", func(a, b, c *big.Int) *big.Int { return new(big.Int).Add(product(a, b), c) })
		ternary("mad.hi", func(a, b, c *big.Int) *big.Int { return new(big.Int).Add(high(a, b), c) })
		ternary("sad", func(a, b, c *big.Int) *big.Int {
			d := new(big.Int).Sub(a, b)
			return d.Abs(d).Add(d, c)
		})
		if width < 64 {
			wide := typ.Doubled()
			tests = append(tests, instructionTest{
				text: fmt.Sprintf("mul.wide.%s %%d, %%a, %%b;", typ), result: wide, sources: []ptx.Scalar{typ, typ},
				twin: func(v []uint64) uint64 { return wrap(product(bigOf(typ, v[0]), bigOf(typ, v[1])), 2*width) },
			}, instructionTest{
				text: fmt.Sprintf("mad.wide.%s %%d, %%a, %%b, %%c;", typ), result: wide, sources: []ptx.Scalar{typ, typ, wide},
				twin: func(v []uint64) uint64 {
					p := product(bigOf(typ, v[0]), bigOf(typ, v[1]))
					return wrap(p.Add(p, bigOf(wide, v[2])), 2*width)
				},
			})
		}
		if typ.IsSigned() {
			tests = append(tests, instructionTest{
				text: fmt.Sprintf("abs.%s %%d, %%a;", typ), result: typ, sources: three[:1],
				twin: func(v []uint64) uint64 { n := bigOf(typ, v[0]); return wrap(n.Abs(n), width) },
			}, instructionTest{
				text: fmt.Sprintf("neg.%s %%d, %%a;", typ), result: typ, sources: three[:1],
				twin: func(v []uint64) uint64 { n := bigOf(typ, v[0]); return wrap(n.Neg(n), width) },
			})
		}
		tests = append(tests, instructionTest{ // the amount is clamped to the width
			text: fmt.Sprintf("shr.%s %%d, %%a, %%b;", typ), result: typ, sources: []ptx.Scalar{typ, ptx.TypeU32},
			twin: func(v []uint64) uint64 {
				return wrap(new(big.Int).Rsh(bigOf(typ, v[0]), uint(min(v[1], uint64(width)))), width)
			},
		})
	}
	saturated := func(text string, f func(a, b, c *big.Int) *big.Int) {
		tests = append(tests, instructionTest{text: text, result: ptx.TypeS32, sources: []ptx.Scalar{ptx.TypeS32, ptx.TypeS32, ptx.TypeS32},
			twin: func(v []uint64) uint64 {
				n := f(bigOf(ptx.TypeS32, v[0]), bigOf(ptx.TypeS32, v[1]), bigOf(ptx.TypeS32, v[2]))
				return wrap(clampBig(n, -1<<31, 1<<31-1), 32)
			}})
	}
	saturated("add.sat.s32 %d, %a, %b;", func(a, b, _ *big.Int) *big.Int { return a.Add(a, b) })
	saturated("sub.sat.s32 %d, %a, %b;", func(a, b, _ *big.Int) *big.Int { return a.Sub(a, b) })
	saturated("mad.hi.sat.s32 %d, %a, %b, %c;", func(a, b, c *big.Int) *big.Int { return a.Add(a.Rsh(a.Mul(a, b), 32), c) })
	return tests
}

func TestIntegerArithmetic(t *testing.T) { checkAll(t, 1, 4, integerTests()) }

// field is a position or length of bfe and bfi, of which 8 bits count in forms of 32 bits.
func field(t ptx.Scalar, v uint64) int {
	if t.Bits() == 32 {
		v &= 255
	}
	return int(v)
}

// bitTests are checked one by one, and in straight-line programs.
func bitTests() []instructionTest {
	var tests []instructionTest
	add := func(text string, result ptx.Scalar, twin func(v []uint64) uint64, sources ...ptx.Scalar) {
		tests = append(tests, instructionTest{text: text, result: result, sources: sources, twin: twin})
	}
	bit := func(v uint64, i int) uint64 {
		if i > 63 {
			return 0
		}
		return v >> i & 1
	}
	for _, typ := range []ptx.Scalar{ptx.TypeB16, ptx.TypeB32, ptx.TypeB64} {
		m := typ.Mask()
		add(fmt.Sprintf("and.%s %%d, %%a, %%b;", typ), typ, func(v []uint64) uint64 { return v[0] & v[1] }, typ, typ)
		add(fmt.Sprintf("or.%s %%d, %%a, %%b;", typ), typ, func(v []uint64) uint64 { return v[0] | v[1] }, typ, typ)
		add(fmt.Sprintf("xor.%s %%d, %%a, %%b;", typ), typ, func(v []uint64) uint64 { return v[0] ^ v[1] }, typ, typ)
		add(fmt.Sprintf("not.%s %%d, %%a;", typ), typ, func(v []uint64) uint64 { return ^v[0] & m }, typ)
		add(fmt.Sprintf("cnot.%s %%d, %%a;", typ), typ, func(v []uint64) uint64 {
			if v[0] == 0 {
				return 1
			}
			return 0
		}, typ)
		add(fmt.Sprintf("shl.%s %%d, %%a, %%b;", typ), typ, func(v []uint64) uint64 {
			n := new(big.Int).SetUint64(v[0])
			return wrap(n.Lsh(n, uint(min(v[1], 64))), typ.Bits())
		}, typ, ptx.TypeU32)
		add(fmt.Sprintf("selp.%s %%d, %%a, %%b, %%c;", typ), typ, func(v []uint64) uint64 {
			if v[2]&0xffffffff != 0 {
				return v[0]
			}
			return v[1]
		}, typ, typ, ptx.TypePred)
	}
	for _, typ := range []ptx.Scalar{ptx.TypeB32, ptx.TypeB64} {
		w := typ.Bits()
		count := func(f func(v uint64) int) func([]uint64) uint64 {
			return func(v []uint64) uint64 { return uint64(f(v[0])) }
		}
		add(fmt.Sprintf("popc.%s %%d, %%a;", typ), ptx.TypeU32, count(bits.OnesCount64), typ)
		add(fmt.Sprintf("clz.%s %%d, %%a;", typ), ptx.TypeU32, count(func(v uint64) int {
			n := 0
			for n < w && bit(v, w-1-n) == 0 {
				n++
			}
			return n
		}), typ)
		add(fmt.Sprintf("brev.%s %%d, %%a;", typ), typ, func(v []uint64) uint64 {
			var r uint64
			for i := range w {
				r |= bit(v[0], i) << (w - 1 - i)
			}
			return r
		}, typ)
		add(fmt.Sprintf("bfi.%s %%d, %%a, %%b, %%c, %%e;", typ), typ, func(v []uint64) uint64 {
			pos, n, r := field(typ, v[2]), field(typ, v[3]), v[1]
			for i := 0; i < n && pos+i < w; i++ {
				r = r&^(1<<(pos+i)) | bit(v[0], i)<<(pos+i)
			}
			return r
		}, typ, typ, ptx.TypeU32, ptx.TypeU32)
	}
	for _, typ := range []ptx.Scalar{ptx.TypeU32, ptx.TypeU64, ptx.TypeS32, ptx.TypeS64} {
		msb := typ.Bits() - 1
		add(fmt.Sprintf("bfe.%s %%d, %%a, %%b, %%c;", typ), typ, func(v []uint64) uint64 {
			pos, n := field(typ, v[1]), field(typ, v[2])
			var fill, r uint64
			if typ.IsSigned() && n > 0 {
				fill = bit(v[0], min(pos+n-1, msb))
			}
			for i := 0; i <= msb; i++ {
				x := fill
				if i < n && pos+i <= msb {
					x = bit(v[0], pos+i)
				}
				r |= x << i
			}
			return r
		}, typ, ptx.TypeU32, ptx.TypeU32)
		for _, amount := range []string{"", ".shiftamt"} {
			add(fmt.Sprintf("bfind%s.%s %%d, %%a;", amount, typ), ptx.TypeU32, func(v []uint64) uint64 {
				a := v[0]
				if typ.IsSigned() && bit(a, msb) != 0 {
					a = ^a
				}
				for i := msb; i >= 0; i-- {
					if bit(a, i) != 0 {
						if amount != "" {
							return uint64(msb - i)
						}
						return uint64(i)
					}
				}
				return 0xffffffff
			}, typ)
		}
	}
	for table := 0; table < 256; table += 5 {
		add(fmt.Sprintf("lop3.b32 %%d, %%a, %%b, %%c, %d;", table), ptx.TypeB32, func(v []uint64) uint64 {
			var r uint64
			for i := range 32 {
				k := bit(v[0], i)<<2 | bit(v[1], i)<<1 | bit(v[2], i)
				r |= uint64(table>>k&1) << i
			}
			return r
		}, ptx.TypeB32, ptx.TypeB32, ptx.TypeB32)
	}
	for _, mode := range []string{"l.clamp", "l.wrap", "r.clamp", "r.wrap"} {
		add(fmt.Sprintf("shf.%s.b32 %%d, %%a, %%b, %%c;", mode), ptx.TypeB32, func(v []uint64) uint64 {
			n := min(v[2], 32)
			if mode[2:] == "wrap" {
				n = v[2] & 31
			}
			if mode[0] == 'l' {
				return (v[1]<<n | v[0]>>(32-n)) & 0xffffffff
			}
			return (v[1]<<(32-n) | v[0]>>n) & 0xffffffff
		}, ptx.TypeB32, ptx.TypeB32, ptx.TypeU32)
	}
	add("prmt.b32 %d, %a, %b, %c;", ptx.TypeB32, func(v []uint64) uint64 {
		var r uint64
		for i := range 4 {
			sel := v[2] >> (4 * i) & 15
			x := (v[1]<<32 | v[0]) >> (8 * (sel & 7)) & 255
			if sel&8 != 0 {
				x = x >> 7 * 255
			}
			r |= x << (8 * i)
		}
		return r
	}, ptx.TypeB32, ptx.TypeB32, ptx.TypeB32)
	for _, typ := range []ptx.Scalar{ptx.TypeU32, ptx.TypeS32} {
		low24 := func(v uint64) int64 {
			if typ.IsSigned() {
				return int64(int32(v<<8)) >> 8
			}
			return int64(v & 0xffffff)
		}
		add(fmt.Sprintf("mul24.lo.%s %%d, %%a, %%b;", typ), typ, func(v []uint64) uint64 {
			return uint64(low24(v[0])*low24(v[1])) & 0xffffffff
		}, typ, typ)
		add(fmt.Sprintf("mad24.hi.%s %%d, %%a, %%b, %%c;", typ), typ, func(v []uint64) uint64 {
			return (uint64(low24(v[0])*low24(v[1])>>16) + v[2]) & 0xffffffff
		}, typ, typ, typ)
		add(fmt.Sprintf("dp4a.%s.u32 %%d, %%a, %%b, %%c;", typ), typ, func(v []uint64) uint64 {
			r := v[2]
			for i := range 4 {
				x := int64(v[0] >> (8 * i) & 255)
				if typ.IsSigned() {
					x = int64(int8(x))
				}
				r += uint64(x * int64(v[1]>>(8*i)&255))
			}
			return r & 0xffffffff
		}, ptx.TypeB32, ptx.TypeB32, typ)
	}
	return tests
}

func TestIntegerLogicAndBits(t *testing.T) { checkAll(t, 2, 4, bitTests()) }

// TestCarryChain adds and subtracts 128-bit numbers in 32-bit steps.
func TestCarryChain(t *testing.T) {
	for _, op := range []string{"add", "sub"} {
		c := instructionTest{
			text: fmt.Sprintf(`{ .reg .b32 %%x<8>; mov.b64 {%%x0,%%x1}, %%a; mov.b64 {%%x2,%%x3}, %%b;
				%[1]s.cc.u32 %%x4, %%x0, %%x2; %[1]sc.u32 %%x5, %%x1, %%x3; mov.b64 %%d, {%%x4,%%x5}; }`, op),
			result: ptx.TypeU64, sources: []ptx.Scalar{ptx.TypeU64, ptx.TypeU64},
			twin: func(v []uint64) uint64 {
				if op == "add" {
					return v[0] + v[1]
				}
				return v[0] - v[1]
			},
		}
		for seed := range int64(4) {
			c.check(t, rand.New(rand.NewSource(seed)), 1) // one round: a block takes no guard
		}
	}
}

// TestMultiplyCarry multiplies 64-bit numbers in 32-bit steps.
func TestMultiplyCarry(t *testing.T) {
	c := instructionTest{
		text: `{ .reg .b32 %x<8>; mov.b64 {%x0,%x1}, %a; mov.b64 {%x2,%x3}, %b; mul.lo.u32 %x4, %x0, %x2; mul.hi.u32 %x5, %x0, %x2;
			mad.lo.cc.u32 %x5, %x0, %x3, %x5; madc.hi.u32 %x6, %x0, %x3, 0; mad.lo.cc.u32 %x5, %x1, %x2, %x5; madc.hi.cc.u32 %x6, %x1, %x2, %x6;
			addc.u32 %x7, 0, 0; mad.lo.cc.u32 %x6, %x1, %x3, %x6; madc.hi.u32 %x7, %x1, %x3, %x7; mov.b64 %d, {%x6, %x7}; }`,
		result: ptx.TypeU64, sources: []ptx.Scalar{ptx.TypeU64, ptx.TypeU64},
		twin: func(v []uint64) uint64 { hi, _ := bits.Mul64(v[0], v[1]); return hi },
	}
	for seed := range int64(4) {
		c.check(t, newRand(seed), 1)
	}
}

// compareTests are checked one by one, and in straight-line programs.
func compareTests() []instructionTest {
	var tests []instructionTest
	for _, typ := range wholeTypes {
		for word, want := range map[string]func(c int) bool{
			"eq": func(c int) bool { return c == 0 }, "ne": func(c int) bool { return c != 0 },
			"lt": func(c int) bool { return c < 0 }, "le": func(c int) bool { return c <= 0 },
			"gt": func(c int) bool { return c > 0 }, "ge": func(c int) bool { return c >= 0 },
		} {
			compare := func(v []uint64) uint64 {
				if want(bigOf(typ, v[0]).Cmp(bigOf(typ, v[1]))) {
					return 1
				}
				return 0
			}
			two := []ptx.Scalar{typ, typ, ptx.TypePred}
			tests = append(tests,
				instructionTest{text: fmt.Sprintf("setp.%s.%s %%d, %%a, %%b;", word, typ), result: ptx.TypePred, sources: two[:2], twin: compare},
				instructionTest{text: fmt.Sprintf("setp.%s.xor.%s %%d, %%a, %%b, !%%c;", word, typ), result: ptx.TypePred, sources: two,
					twin: func(v []uint64) uint64 { return compare(v) ^ truthOf(v[2]&0xffffffff == 0) }},
				instructionTest{text: fmt.Sprintf("setp.%s.and.%s %%q|%%d, %%a, %%b, %%c;", word, typ), result: ptx.TypePred, sources: two,
					twin: func(v []uint64) uint64 { return (1 - compare(v)) & truthOf(v[2]&0xffffffff != 0) }},
				instructionTest{text: fmt.Sprintf("set.%s.u32.%s %%d, %%a, %%b;", word, typ), result: ptx.TypeU32, sources: two[:2],
					twin: func(v []uint64) uint64 { return 0xffffffff * compare(v) }})
		}
	}
	return tests
}

func TestSetpInteger(t *testing.T) { checkAll(t, 4, 2, compareTests()) }
