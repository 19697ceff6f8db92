package codectest

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// Coder is a codec with its fast size.
type Coder interface {
	codec.Codec
	codec.Sizer
}

// Check runs all checks of a codec on the corpus.
func Check(t *testing.T, c Coder) {
	t.Helper()
	info := c.Info()
	if info.Name == "" || info.Source == "" {
		t.Error("Info must give a name and a source")
	}
	lines := Corpus(40)
	for i := range lines {
		if !checkLine(t, c, &lines[i]) {
			t.Fatalf("%s: block %d of the corpus (%s): % x", info.Name, i, Kinds[i%len(Kinds)].Name, lines[i])
		}
	}
	checkDecodeSurvives(t, c, lines)
	checkNoAllocation(t, c, lines)
}

// checkLine encodes and decodes one block.
func checkLine(t *testing.T, c Coder, line *mem.Line) bool {
	t.Helper()
	src := *line
	var clean, stale codec.Block
	for i := range stale {
		stale[i] = 0xa5
	}
	size := c.SizeBits(&src)
	bits := c.Encode(&clean, &src)
	if again := c.Encode(&stale, &src); again != bits {
		t.Errorf("encoding twice gives %d, then %d bits", bits, again)
		return false
	}
	if src != *line {
		t.Error("encoding changed its source")
		return false
	}
	if size != bits {
		t.Errorf("SizeBits says %d, Encode %d", size, bits)
		return false
	}
	if bits < 0 || bits > codec.RawBits {
		t.Errorf("%d bits: want at most %d", bits, codec.RawBits)
		return false
	}
	if bits == codec.RawBits {
		return true
	}
	for _, b := range []*codec.Block{&clean, &stale} {
		var out mem.Line
		if err := c.Decode(&out, b, bits); err != nil {
			t.Errorf("decoding %d bits: %v", bits, err)
			return false
		}
		if c.Info().Lossless && out != src {
			t.Errorf("decoded to % x", out)
			return false
		}
	}
	return true
}

// checkDecodeSurvives decodes damaged and cut blocks: an error or any line, but
// never a panic.
func checkDecodeSurvives(t *testing.T, c Coder, lines []mem.Line) {
	t.Helper()
	rng := sim.NewRand(7, 7)
	for i := range lines {
		var b codec.Block
		bits := c.Encode(&b, &lines[i])
		var out mem.Line
		for range 8 {
			bad := b
			bad[rng.Intn(16)] ^= 1 << uint(rng.Intn(8))
			bad[rng.Intn(len(bad))] ^= byte(rng.Uint32())
			_ = c.Decode(&out, &bad, bits)
			_ = c.Decode(&out, &b, rng.Intn(bits+1))
		}
	}
	var b codec.Block
	var out mem.Line
	for _, bits := range []int{-1, 0, 1, codec.RawBits, codec.RawBits + 1, codec.BlockBytes * 8, 1 << 40} {
		_ = c.Decode(&out, &b, bits)
	}
}

func checkNoAllocation(t *testing.T, c Coder, lines []mem.Line) {
	t.Helper()
	var b codec.Block
	var out mem.Line
	i := 0
	if n := testing.AllocsPerRun(len(lines), func() {
		l := &lines[i%len(lines)]
		i++
		c.SizeBits(l)
		if bits := c.Encode(&b, l); bits < codec.RawBits {
			_ = c.Decode(&out, &b, bits)
		}
	}); n != 0 {
		t.Errorf("%s allocates %v times per block", c.Info().Name, n)
	}
}

// Fuzz checks a codec on any block, and its decoder on any bits.
func Fuzz(f *testing.F, c Coder) {
	lines := Corpus(1)
	for i := range lines {
		f.Add(lines[i][:], i*40)
	}
	f.Fuzz(func(t *testing.T, data []byte, bits int) {
		var line, out mem.Line
		var b codec.Block
		copy(line[:], data)
		copy(b[:], data)
		_ = c.Decode(&out, &b, bits)
		if !checkLine(t, c, &line) {
			t.Fatalf("block % x", line)
		}
	})
}

// Bench measures sizing, encoding and decoding over the corpus, in MB of
// uncompressed blocks per second.
func Bench(b *testing.B, c Coder) {
	lines := Corpus(20)
	blocks := make([]codec.Block, len(lines))
	bits := make([]int, len(lines))
	var coded []int
	for i := range lines {
		if bits[i] = c.Encode(&blocks[i], &lines[i]); bits[i] < codec.RawBits {
			coded = append(coded, i)
		}
	}
	b.Run("size", func(b *testing.B) {
		b.SetBytes(mem.LineBytes)
		for i := 0; b.Loop(); i++ {
			c.SizeBits(&lines[i%len(lines)])
		}
	})
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(mem.LineBytes)
		var dst codec.Block
		for i := 0; b.Loop(); i++ {
			c.Encode(&dst, &lines[i%len(lines)])
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(mem.LineBytes)
		var out mem.Line
		for i := 0; b.Loop(); i++ {
			k := coded[i%len(coded)]
			if err := c.Decode(&out, &blocks[k], bits[k]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
