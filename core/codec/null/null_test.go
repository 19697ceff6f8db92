package null

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
)

func TestConformance(t *testing.T) { codectest.Check(t, Codec{}) }

func TestEveryBlockStaysRaw(t *testing.T) {
	lines := codectest.Corpus(20)
	for _, mag := range []int{16, 32, 64} {
		s, err := codec.NewLossless(Codec{}, mag)
		if err != nil {
			t.Fatal(err)
		}
		for i := range lines {
			got := s.Store(&lines[i], codec.Region{})
			if int(got.Bursts) != len(lines[i])/mag || got.Bits != codec.RawBits {
				t.Fatalf("block %d at %d bytes: %+v", i, mag, got)
			}
		}
	}
}
