package mpc

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

func TestConformance(t *testing.T) { codectest.Check(t, Codec{}) }

func TestExamples(t *testing.T) { codectest.CheckExamples(t, "mpc", Codec{}.RawBits) }

func TestWorkedBlocks(t *testing.T) {
	if got := (Codec{}).RawBits(&mem.Line{}); got != 32 {
		t.Errorf("zero: %d bits, want 32", got)
	}
	// Differences 0, 1, 1, ..: plane 0 is fffffffe, and 2 brings plane 1 back to 0.
	if got := (Codec{}).RawBits(codectest.WordsOf(func(i uint32) uint32 { return i })); got != 96 {
		t.Errorf("words 0 to 31: %d bits, want 96", got)
	}
}

// slowBits builds each plane bit by bit.
func slowBits(line *mem.Line) int {
	word := func(i int) uint32 {
		if i < 0 {
			return 0
		}
		return binary.LittleEndian.Uint32(line[4*i:])
	}
	total, last := 32, uint32(0)
	for l := range 32 {
		plane := uint32(0)
		for i := range 32 {
			plane |= (word(i) - word(i-1)) >> l & 1 << i
		}
		if plane != last {
			total += 32
		}
		last = plane
	}
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
