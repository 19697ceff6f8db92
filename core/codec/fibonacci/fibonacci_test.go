package fibonacci

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

func TestConformance(t *testing.T) { codectest.Check(t, Codec{}) }

func TestExamples(t *testing.T) { codectest.CheckExamples(t, "fibonacci", Codec{}.RawBits) }

func TestWorkedBlocks(t *testing.T) {
	if got := (Codec{}).RawBits(&mem.Line{}); got != 64 {
		t.Errorf("zero: %d bits, want 64", got)
	}
	if got := (Codec{}).RawBits(codectest.WordsOf(func(i uint32) uint32 { return i })); got != 2+31*4 {
		t.Errorf("words 0 to 31: %d bits, want 126", got)
	}
}

// slowLength is the length of the Zeckendorf sum of n and its end bit.
func slowLength(n uint64) int {
	length := 1
	for a, b := uint64(1), uint64(2); a <= n; a, b = b, a+b {
		length++
	}
	return length
}

func TestAgainstDefinition(t *testing.T) {
	lines := append(codectest.Corpus(40), *codectest.Words(0x80000000), *codectest.Words(0x7fffffff, 0xffffffff))
	for i := range lines {
		want, last := 0, int64(0)
		for w := 0; w < 128; w += 4 {
			v := int64(binary.LittleEndian.Uint32(lines[i][w:]))
			r := int64(int32(uint32(v - last)))
			last = v
			z := 2 * r
			if r < 0 {
				z = -2*r - 1
			}
			want += slowLength(uint64(z) + 1)
		}
		if got := (Codec{}).RawBits(&lines[i]); got != want {
			t.Fatalf("block %d: %d bits, want %d: % x", i, got, want, lines[i])
		}
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, Codec{}) }

func Benchmark(b *testing.B) { codectest.Bench(b, Codec{}) }
