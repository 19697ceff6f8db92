package fpc

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

func TestConformance(t *testing.T) { codectest.Check(t, Codec{}) }

func TestExamples(t *testing.T) { codectest.CheckExamples(t, "fpc", Codec{}.RawBits) }

func TestWorkedBlocks(t *testing.T) {
	for _, c := range []struct {
		name string
		line *mem.Line
		bits int
	}{
		{"four zero runs", &mem.Line{}, 4 * 6},
		{"words 0 to 31", codectest.WordsOf(func(i uint32) uint32 { return i }), 6 + 7*7 + 24*11},
		{"every prefix", codectest.Words(0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0xfffffff8, 8, 0x7f, 0xffffff80, 128, 32767, 0xffff8000,
			0x12340000, 0x007f0001, 0xff80ffff, 0x7a7a7a7a, 0x12345678), 12 + 2*7 + 3*11 + 6*19 + 11 + 35 + 12},
		{"runs 8+5, raw, 8+8+2", codectest.Words(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfcee1234), 6*5 + 35},
		{"all raw", codectest.WordsOf(func(i uint32) uint32 { return 0xdeadbeef }), 32 * 35},
	} {
		if got := (Codec{}).RawBits(c.line); got != c.bits {
			t.Errorf("%s: %d bits, want %d", c.name, got, c.bits)
		}
	}
}

// slowBits is the table of the report, word by word, with signed arithmetic.
func slowBits(line *mem.Line) int {
	signExtended := func(v int64, n uint) bool { return v >= -(1<<(n-1)) && v < 1<<(n-1) }
	total := 0
	for i := 0; i < 32; {
		w := binary.LittleEndian.Uint32(line[4*i:])
		v := int64(int32(w))
		low, high := int64(int16(w)), int64(int16(w>>16))
		switch {
		case w == 0:
			for n := 0; n < 8 && i < 32 && binary.LittleEndian.Uint32(line[4*i:]) == 0; n++ {
				i++
			}
			total += 6
			continue
		case signExtended(v, 4):
			total += 7
		case signExtended(v, 8):
			total += 11
		case signExtended(v, 16):
			total += 19
		case low == 0:
			total += 19
		case signExtended(low, 8) && signExtended(high, 8):
			total += 19
		case line[4*i] == line[4*i+1] && line[4*i] == line[4*i+2] && line[4*i] == line[4*i+3]:
			total += 11
		default:
			total += 35
		}
		i++
	}
	return total
}

func TestAgainstDefinition(t *testing.T) {
	lines := codectest.Corpus(60)
	for i := range lines {
		if got, want := (Codec{}).RawBits(&lines[i]), slowBits(&lines[i]); got != want {
			t.Fatalf("block %d: %d bits, want %d: % x", i, got, want, lines[i])
		}
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, Codec{}) }

func Benchmark(b *testing.B) { codectest.Bench(b, Codec{}) }
