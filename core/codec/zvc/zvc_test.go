package zvc

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

func rawBits(line *mem.Line) int { return size(mask(line)) }

func TestConformance(t *testing.T) { codectest.Check(t, Codec{}) }

func TestExamples(t *testing.T) { codectest.CheckExamples(t, "zvc", rawBits) }

func TestWorkedBlocks(t *testing.T) {
	for _, c := range []struct {
		line *mem.Line
		bits int
	}{
		{&mem.Line{}, 32},
		{codectest.WordsOf(func(i uint32) uint32 { return i }), 1024},
		{codectest.Words(0, 0, 0, 5), 64},
		{codectest.WordsOf(func(uint32) uint32 { return 1 }), 1056},
	} {
		if got := rawBits(c.line); got != c.bits {
			t.Errorf("%d bits, want %d", got, c.bits)
		}
	}
}

func TestAgainstDefinition(t *testing.T) {
	lines := codectest.Corpus(20)
	for i := range lines {
		want := 32
		for w := 0; w < 128; w += 4 {
			if [4]byte(lines[i][w:]) != [4]byte{} {
				want += 32
			}
		}
		if got := rawBits(&lines[i]); got != want {
			t.Fatalf("block %d: %d bits, want %d", i, got, want)
		}
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, Codec{}) }

func Benchmark(b *testing.B) { codectest.Bench(b, Codec{}) }
