package bpc

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

func TestConformance(t *testing.T) {
	codectest.Check(t, Codec{})
	codectest.Check(t, Codec{Unsigned: true})
}

func TestExamples(t *testing.T) {
	codectest.CheckExamples(t, "bpc", Codec{}.RawBits)
	codectest.CheckExamples(t, "bpc-unsigned", Codec{Unsigned: true}.RawBits)
}

func TestWorkedBlocks(t *testing.T) {
	for _, c := range []struct {
		name string
		line *mem.Line
		bits int
	}{
		{"zero", &mem.Line{}, 3 + 7},
		{"words 0 to 31", codectest.WordsOf(func(i uint32) uint32 { return i }), 3 + 7 + 5},
		{"repeated word", codectest.WordsOf(func(uint32) uint32 { return 0xdeadbeef }), 33 + 7},
		{"floats 1+i/64", codectest.WordsOf(func(i uint32) uint32 { return math.Float32bits(1 + float32(i)/64) }), 33 + 7 + 5 + 5 + 7},
		{"one delta of -128", codectest.WordsOf(func(i uint32) uint32 {
			if i == 31 {
				return 0x0fffff80
			}
			return 0x10000000
		}), 33 + 10 + 7 + 5 + 7},
	} {
		if got := (Codec{}).RawBits(c.line); got != c.bits {
			t.Errorf("%s: %d bits, want %d", c.name, got, c.bits)
		}
	}
}

// slowBits is the paper's table on planes spelled as text.
func slowBits(line *mem.Line) int {
	word := func(i int) int64 { return int64(int32(binary.LittleEndian.Uint32(line[4*i:]))) }
	fits := func(v int64, n uint) bool { return v >= -(1<<(n-1)) && v < 1<<(n-1) }
	total := 33
	switch w := word(0); {
	case w == 0:
		total = 3
	case fits(w, 4):
		total = 7
	case fits(w, 8):
		total = 11
	case fits(w, 16):
		total = 19
	}
	plane := func(j int) string {
		if j > 32 {
			return strings.Repeat("0", 31)
		}
		s := ""
		for i := range 31 {
			s += string('0' + byte((word(i+1)-word(i))>>j&1))
		}
		return s
	}
	zero, ones := strings.Repeat("0", 31), strings.Repeat("1", 31)
	run := 0
	flush := func() {
		if run == 1 {
			total += 3
		} else if run > 1 {
			total += 7
		}
		run = 0
	}
	for j := 32; j >= 0; j-- {
		dbp, above := plane(j), plane(j+1)
		dbx := ""
		for i := range 31 {
			dbx += string('0' + (dbp[i]^above[i])&1)
		}
		if dbx == zero {
			run++
			continue
		}
		flush()
		count := strings.Count(dbx, "1")
		switch {
		case dbx == ones:
			total += 5
		case dbp == zero:
			total += 5
		case count == 2 && strings.Contains(dbx, "11"):
			total += 10
		case count == 1:
			total += 10
		default:
			total += 32
		}
	}
	flush()
	return total
}

func TestAgainstDefinition(t *testing.T) {
	lines := codectest.Corpus(40)
	for i := range lines {
		if got, want := (Codec{}).RawBits(&lines[i]), slowBits(&lines[i]); got != want {
			t.Fatalf("block %d: %d bits, want %d: % x", i, got, want, lines[i])
		}
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, Codec{}) }

func Benchmark(b *testing.B) { codectest.Bench(b, Codec{}) }
