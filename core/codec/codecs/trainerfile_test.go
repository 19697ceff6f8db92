package codecs

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// TestStoredCounts: counts that are stored and read again are the same counts, for every width
// and for HyComp and byte groups, and go on counting in the same way, also beyond a bound.
func TestStoredCounts(t *testing.T) {
	for _, bound := range []int{0, 50} {
		trainer, err := NewTrainer("e2mc4", "e2mc8", "e2mc16", "e2mc32", "hycomp", "zipnn", Plugin)
		if err != nil {
			t.Fatal(err)
		}
		trainer.Bound(bound)
		random := rand.New(rand.NewPCG(1, 2))
		count := func(to ...*Trainer) {
			var line mem.Line
			for range 20 {
				for i := range line {
					line[i] = byte(random.IntN(4) * random.IntN(90))
				}
				for _, x := range to {
					x.Count(&line)
				}
			}
		}
		count(trainer)
		text := trainer.AppendBinary(nil)
		again, err := ParseTrainer(text)
		if err != nil {
			t.Fatal(err)
		}
		count(trainer, again)
		if want, got := trainer.AppendBinary(nil), again.AppendBinary(nil); !bytes.Equal(want, got) || bytes.Equal(want, text) {
			t.Errorf("bound %d: other counts after storing", bound)
		}
		for n := 0; n < len(text); n += n/4 + 1 {
			if _, err := ParseTrainer(text[:n]); err == nil {
				t.Errorf("bound %d: %d of %d bytes were taken for counts", bound, n, len(text))
				break
			}
		}
	}
}

func FuzzParseTrainer(f *testing.F) {
	for _, name := range []string{"e2mc8", "e2mc32", "hycomp", "zipnn", Plugin} {
		trainer, err := NewTrainer(name)
		if err != nil {
			f.Fatal(err)
		}
		trainer.Count(&mem.Line{1, 2, 3})
		f.Add(trainer.AppendBinary(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		trainer, err := ParseTrainer(b)
		if err != nil {
			return
		}
		again, err := ParseTrainer(trainer.AppendBinary(nil))
		if err != nil || !bytes.Equal(again.AppendBinary(nil), trainer.AppendBinary(nil)) {
			t.Errorf("stored again: %v", err)
		}
	})
}
