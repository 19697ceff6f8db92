package bdi

import (
	"math/big"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

var settings = []Params{{}, {Ten: true}, {CountMask: true}, {Ten: true, CountMask: true}}

func TestConformance(t *testing.T) {
	for _, p := range settings {
		codectest.Check(t, New(p))
	}
}

func TestExamples(t *testing.T) {
	for _, p := range settings[:3] {
		c := New(p)
		codectest.CheckExamples(t, c.Info().Name, c.SizeBits)
	}
	eight, ten := New(Params{}), New(Params{Ten: true})
	for _, e := range codectest.Examples() {
		if a, b := eight.EncodingOf(e.Line), ten.EncodingOf(e.Line); a != e.BDIEncoding || b != e.TenEncoding {
			t.Errorf("%s: encodings %s and %s, want %s and %s", e.Name, a, b, e.BDIEncoding, e.TenEncoding)
		}
	}
}

func TestWorkedBlocks(t *testing.T) {
	eight, ten, mask := New(Params{}), New(Params{Ten: true}), New(Params{CountMask: true})
	same := func(w uint32) *mem.Line { return codectest.WordsOf(func(uint32) uint32 { return w }) }
	near := func(last uint32) *mem.Line {
		return codectest.WordsOf(func(i uint32) uint32 {
			if i == 31 {
				return 0x10000000 + last
			}
			return 0x10000000
		})
	}
	minus128 := uint32(0x80)
	for _, c := range []struct {
		name                         string
		line                         *mem.Line
		encoding                     string
		bitsEight, bitsTen, bitsMask int
	}{
		{"zero", same(0), "zero", 8, 8, 8},
		{"words 0 to 31", codectest.WordsOf(func(i uint32) uint32 { return i }), "b4d1", 288, 288, 320},
		{"delta -128", near(-minus128), "b4d1", 288, 288, 320},
		{"delta +128", near(128), "b4d2", 544, 544, 576},
		{"repeated 32 bits", same(0xdeadbeef), "rep8", 64, 32, 64},
		{"repeated 16 bits", same(0x12341234), "rep8", 64, 16, 64},
		{"wrap across the sign", codectest.WordsOf(func(i uint32) uint32 { return 0x7ffffff0 + i }), "b4d1", 288, 288, 320},
		{"one value of 8 bytes", codectest.Words(0, 0, 0, 0, 0xfcee), "b8d1", 192, 192, 208},
	} {
		if got := eight.EncodingOf(c.line); got != c.encoding {
			t.Errorf("%s: encoding %s, want %s", c.name, got, c.encoding)
		}
		if a, b, m := eight.SizeBits(c.line), ten.SizeBits(c.line), mask.SizeBits(c.line); a != c.bitsEight || b != c.bitsTen || m != c.bitsMask {
			t.Errorf("%s: %d, %d, %d bits, want %d, %d, %d", c.name, a, b, m, c.bitsEight, c.bitsTen, c.bitsMask)
		}
	}
}

// slowSize is the definition with integers of any size.
func slowSize(line *mem.Line, p Params) int {
	value := func(k, i int) *big.Int {
		b := make([]byte, k)
		for j := range k {
			b[k-1-j] = line[i*k+j]
		}
		return new(big.Int).SetBytes(b)
	}
	signed := func(v *big.Int, k int) *big.Int {
		m := new(big.Int).Lsh(big.NewInt(1), uint(8*k))
		v = new(big.Int).Mod(v, m)
		if v.Bit(8*k-1) == 1 {
			v.Sub(v, m)
		}
		return v
	}
	in := func(v *big.Int, d int) bool {
		half := new(big.Int).Lsh(big.NewInt(1), uint(8*d-1))
		return v.Cmp(half) < 0 && v.Cmp(new(big.Int).Neg(half)) >= 0
	}
	best := codec.RawBits
	zero := true
	for _, b := range line {
		zero = zero && b == 0
	}
	if zero {
		best = 8
	}
	for _, k := range []int{8, 4, 2} {
		same := true
		for i := range 128 / k {
			same = same && value(k, i).Cmp(value(k, 0)) == 0
		}
		if same && (k == 8 || p.Ten) {
			best = min(best, 8*k)
		}
		for _, d := range []int{1, 2, 4} {
			if d >= k || k == 2 && d != 1 {
				continue
			}
			var base *big.Int
			ok := true
			for i := range 128 / k {
				v := value(k, i)
				if in(signed(v, k), d) {
					continue
				}
				if base == nil {
					base = v
				}
				ok = ok && in(signed(new(big.Int).Sub(v, base), k), d)
			}
			if ok {
				size := 8 * (k + 128/k*d)
				if p.CountMask {
					size += 128 / k
				}
				best = min(best, size)
			}
		}
	}
	return best
}

func TestAgainstDefinition(t *testing.T) {
	lines := codectest.Corpus(25)
	rng := sim.NewRand(4, 4)
	for range 300 { // values at the edges of the ranges
		var l mem.Line
		k := 2 << rng.Intn(3)
		base := rng.Uint64()
		for i := 0; i < 128; i += k {
			v := uint64(int64(1)<<uint(8*(1<<rng.Intn(3))-1)) - uint64(rng.Intn(2))
			if rng.Intn(2) == 0 {
				v = -v
			}
			if rng.Intn(3) > 0 {
				v += base
			}
			for j := range k {
				l[i+j] = byte(v >> (8 * j))
			}
		}
		lines = append(lines, l)
	}
	for _, p := range settings {
		c := New(p)
		for i := range lines {
			if got, want := c.SizeBits(&lines[i]), slowSize(&lines[i], p); got != want {
				t.Fatalf("%+v block %d: %d bits (%s), want %d: % x", p, i, got, c.EncodingOf(&lines[i]), want, lines[i])
			}
		}
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, New(Params{Ten: true})) }

func Benchmark(b *testing.B) { codectest.Bench(b, New(Params{})) }
