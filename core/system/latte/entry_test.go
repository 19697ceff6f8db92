package latte

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
)

// TestLatenciesOfAnL1: every codec of a compressed L1 takes time, says where its latency comes from, and says so if no
// paper gives it.
func TestLatenciesOfAnL1(t *testing.T) {
	for i := range codecs.Table {
		c := &codecs.Table[i]
		if c.L1 == nil {
			continue
		}
		list, err := latencySettings("low", c.Name)
		if err != nil {
			t.Fatal(err)
		}
		coder, err := codecs.ByName(c.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		cost := coder.Info().Cost
		for k, published := range []int{cost.L1CompressCycles, cost.L1DecompressCycles} {
			f := list[k]
			if f.Default < 1 || published > 0 && f.Default != published || strings.Contains(f.About, "no paper gives it") != (published == 0) || strings.Contains(f.About, "()") {
				t.Errorf("%s: %s is %d cycles by default; published %d; %s", c.Name, f.Title, f.Default, published, f.About)
			}
		}
	}
}
