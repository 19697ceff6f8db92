package codecs

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

// BenchmarkSizeBits is the speed of the fast path of every codec on one mix of all
// kinds of blocks, in MB of uncompressed blocks a second.
func BenchmarkSizeBits(b *testing.B) {
	lines := codectest.Corpus(200)
	names := All()
	trainer, err := NewTrainer(names...)
	if err != nil {
		b.Fatal(err)
	}
	for i := range lines {
		trainer.Count(&lines[i])
	}
	for _, name := range names {
		c, err := trainer.Make(name, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(mem.LineBytes)
			total := 0
			for i := 0; b.Loop(); i++ {
				total += c.SizeBits(&lines[i%len(lines)])
			}
			if total < 0 {
				b.Fatal(total)
			}
		})
	}
}
