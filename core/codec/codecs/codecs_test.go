package codecs

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
)

func TestEveryNamePassesConformance(t *testing.T) {
	lines := codectest.Corpus(6)
	seen := map[string]bool{}
	for _, name := range All() {
		if seen[name] {
			t.Errorf("two codecs are named %s", name)
		}
		seen[name] = true
		c, err := ByName(name, lines)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Info().Name; got != name {
			t.Errorf("%s calls itself %s", name, got)
		}
		t.Run(name, func(t *testing.T) { codectest.Check(t, c) })
		if c.Info().Lossless {
			if _, err := codec.NewLossless(c, 32); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := ByName("zip", lines); err == nil {
		t.Error("an unknown name accepted")
	}
}
