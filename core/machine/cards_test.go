package machine

import "testing"

// TestLatencyOfCards: a load of DRAM takes as long as Accel-Sim measures on the card: an L2 hit and dram_latency of
// its file.
func TestLatencyOfCards(t *testing.T) {
	for _, c := range []struct {
		name   string
		cycles float64
	}{{"rtx2060", 226 + 96}, {"rtx3070", 226 + 254}} {
		spec := built(c.name)
		const few, many = 16, 272
		stride := uint64(spec.Slices())*4096 + 128
		got := float64(chase(t, spec, 2048, stride, 1, many)-chase(t, spec, 2048, stride, 1, few)) / (many - few)
		if got < 0.97*c.cycles || got > 1.03*c.cycles {
			t.Errorf("%s: a load of DRAM takes %.1f cycles, %.0f on the card", c.name, got, c.cycles)
		}
	}
}
