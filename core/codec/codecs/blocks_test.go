package codecs

import (
	"os"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// blocksVariable names the environment variable that says how many blocks
// TestManyBlocks gives to each codec.
const blocksVariable = "BURSTSCOPE_BLOCKS"

const (
	defaultBlocks = 2_000
	// Codes are made anew from other blocks every so often.
	blocksPerTable = 250_000
	tableBlocks    = 2_000
)

// TestManyBlocks encodes and decodes random and structured blocks with every
// codec: decoding restores the block, and SizeBits equals the size from Encode.
// BURSTSCOPE_BLOCKS=10000000 go test -run ManyBlocks -timeout 0 runs it in full.
func TestManyBlocks(t *testing.T) {
	blocks := defaultBlocks
	if text := os.Getenv(blocksVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s=%s: want a number of blocks", blocksVariable, text)
		}
		blocks = n
	}
	names := All()
	var coders []Coder
	rng := sim.NewRand(0x10b10c, 0)
	fill := func(line *mem.Line) { codectest.Kinds[rng.Intn(len(codectest.Kinds))].Fill(&rng, line) }
	var line, out mem.Line
	var block codec.Block
	raw := make([]int, len(names))
	for i := range blocks {
		if i%blocksPerTable == 0 {
			trainer, err := NewTrainer(names...)
			if err != nil {
				t.Fatal(err)
			}
			for range tableBlocks {
				fill(&line)
				trainer.Count(&line)
			}
			coders = coders[:0]
			for _, name := range names {
				c, err := trainer.Make(name, Options{})
				if err != nil {
					t.Fatal(err)
				}
				coders = append(coders, c)
			}
		}
		fill(&line)
		for k, c := range coders {
			src := line
			bits := c.Encode(&block, &src)
			if size := c.SizeBits(&src); size != bits {
				t.Fatalf("%s, block %d: SizeBits says %d, Encode %d: % x", names[k], i, size, bits, line)
			}
			if bits == codec.RawBits {
				raw[k]++
				continue
			}
			if err := c.Decode(&out, &block, bits); err != nil {
				t.Fatalf("%s, block %d: %v: % x", names[k], i, err, line)
			}
			if out != line && c.Info().Lossless {
				t.Fatalf("%s, block %d: decoded to % x, was % x", names[k], i, out, line)
			}
		}
	}
	for k, name := range names {
		t.Logf("%-10s %d blocks, %d of them incompressible", name, blocks, raw[k])
		if all := raw[k] == blocks; raw[k] == 0 || all != (name == Null) {
			t.Errorf("%s: %d of %d blocks are incompressible: the blocks are no test", name, raw[k], blocks)
		}
	}
}
