package hycomp

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

// trained returns a codec of half of the lines.
func trained(t testing.TB, lines []mem.Line) *Codec {
	t.Helper()
	counts := NewCounts()
	for i := range lines[:len(lines)/2] {
		counts.Count(&lines[i])
	}
	c, err := New(counts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConformance(t *testing.T) { codectest.Check(t, trained(t, codectest.Corpus(20))) }

func TestMethodFollowsTheType(t *testing.T) {
	pointers := &mem.Line{}
	for i := 0; i < mem.LineBytes; i += 8 {
		binary.LittleEndian.PutUint64(pointers[i:], 0x7f0012345000+uint64(i))
	}
	for _, c := range []struct {
		name string
		line *mem.Line
		want Method
	}{
		{"zeros", &mem.Line{}, Zero},
		{"addresses", pointers, Pointers},
		{"small integers", codectest.WordsOf(func(i uint32) uint32 { return i * 1000 }), Integers},
		{"negative integers", codectest.WordsOf(func(i uint32) uint32 { return -i - 1 }), Integers},
		{"floats", codectest.WordsOf(func(i uint32) uint32 { return math.Float32bits(float32(i) - 15.5) }), Floats},
		{"sparse floats", codectest.Words(0, 0, 0, math.Float32bits(0.1)), Floats},
		{"text", codectest.WordsOf(func(i uint32) uint32 { return 0x74206f74 + i }), Integers},
	} {
		if got := MethodOf(c.line); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A block costs what its method costs.
func TestSizes(t *testing.T) {
	lines := codectest.Corpus(20)
	c := trained(t, lines)
	base := bdi.New(bdi.Params{})
	seen := [methods]int{}
	for i := range lines {
		l := &lines[i]
		m := MethodOf(l)
		seen[m]++
		want := 0
		switch m {
		case Pointers:
			want = base.SizeBits(l)
		case Integers:
			want = c.integers.RawBits(l)
		case Floats:
			want = slowFloatBits(c, l)
		}
		if got := c.RawBits(l); got != want {
			t.Fatalf("block %d, %s: %d bits, want %d", i, m, got, want)
		}
	}
	for m, n := range seen {
		if n == 0 {
			t.Errorf("no block of the corpus is coded by %s", Method(m))
		}
	}
}

// slowFloatBits takes each float apart by its value.
func slowFloatBits(c *Codec, line *mem.Line) int {
	total := 0
	for i := 0; i < mem.LineBytes; i += 4 {
		w := binary.LittleEndian.Uint32(line[i:])
		for k, symbol := range []uint32{w / (1 << 23), w / (1 << 12) % (1 << 11), w % (1 << 12)} {
			_, bits, escape := c.fields[k].table.Code(0, symbol)
			if escape {
				bits += []int{9, 11, 12}[k]
			}
			total += bits
		}
	}
	return total
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, trained(f, codectest.Corpus(10))) }

func Benchmark(b *testing.B) { codectest.Bench(b, trained(b, codectest.Corpus(20))) }
