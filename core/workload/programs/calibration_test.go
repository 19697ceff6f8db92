package programs

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/workload"
)

// sizes compresses the initial contents of some buffers with E2MC (16-bit symbols, trained
// on all buffers) and returns the size of each block in bytes.
func sizes(t *testing.T, p *workload.Program, buffers ...int) []int {
	t.Helper()
	histogram, err := e2mc.NewHistogram(16)
	if err != nil {
		t.Fatal(err)
	}
	each := func(b []byte, f func(*mem.Line)) {
		for ; len(b) >= mem.LineBytes; b = b[mem.LineBytes:] {
			f((*mem.Line)(b))
		}
	}
	contents := initial(p)
	for i, b := range p.Buffers {
		// Outputs that start as zeros are left out.
		if b.Init != nil || b.Name == "input_prev_weights" {
			each(contents[i], histogram.Count)
		}
	}
	table, err := e2mc.Train(histogram, e2mc.TrainParams{})
	if err != nil {
		t.Fatal(err)
	}
	codec, err := e2mc.New(e2mc.Params{SymbolBits: 16}, table)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, i := range buffers {
		each(contents[i], func(l *mem.Line) { out = append(out, (codec.TotalBits(l)+7)/8) })
	}
	return out
}

// TestTunedInputsHaveThePublishedSizes: with the real codec, tuned data have the sizes that
// SLC states in section V.
func TestTunedInputsHaveThePublishedSizes(t *testing.T) {
	cases := []struct {
		workload, data string
		buffers        []int
		above, atMost  int // bytes
		share          float64
	}{
		{"blackscholes", "near", []int{0, 1}, 96, 112, 0.98},
		{"blackscholes", "near", []int{2}, 0, 64, 0.98},
		{"nn", "hundredths", []int{0}, 64, 80, 0.98},
		{"transpose", "mod16384", []int{0}, 64, 80, 0.95},
		{"srad2", "speckle", []int{0}, 64, 80, 0.98},
		{"jmeint", "thousandths", []int{0, 1, 2, 3, 4, 5}, 64, 80, 0.98},
		{"dct", "fused", []int{0}, 32, 48, 0.95},
		{"backprop", "grid", []int{2, 5}, 0, 64, 0.6},
		// The data of the original suites, for comparison.
		{"blackscholes", "sdk", []int{0, 1}, 112, 512, 0.85},
		{"backprop", "uniform", []int{2}, 112, 512, 0.9},
		{"transpose", "mod1024", []int{0}, 48, 64, 0.98},
		{"transpose", "ramp", []int{0}, 96, 112, 0.85},
	}
	for _, c := range cases {
		all := sizes(t, mustBuild(t, c.workload, Params{Data: c.data}), c.buffers...)
		n := 0
		for _, b := range all {
			if b > c.above && b <= c.atMost {
				n++
			}
		}
		if share := float64(n) / float64(len(all)); share < c.share {
			t.Errorf("%s %s buffers %v: %.3f of the blocks take %d to %d bytes, want %.2f", c.workload, c.data, c.buffers, share, c.above, c.atMost, c.share)
		}
	}
}
