package experiment

import (
	"fmt"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/golden"
)

// flashAttention are durations of FlashAttention-3's forward pass in microseconds: f16, an H100 whose SMs are locked to
// 1,500 MHz, cold caches (FlashGPU-Sim, a table of its SASS front end: Nsight Compute, 2026-09-15).
var flashAttention = []struct {
	batch, tokens int
	// By data of hopperattention: 32 heads of 64, or 16 of 128.
	causal64, full64, causal128, full128 float64
}{
	{64, 512, 336.45, 465.92, 244.06, 268.26},
	{32, 1024, 515.30, 804.06, 305.12, 457.60},
	{16, 2048, 734.40, 1240.00, 470.14, 842.72},
	{8, 4096, 1300.00, 2350.00, 841.18, 1610.00},
}

const (
	flashMHz     = 1500
	flashSMs     = 132 // of an H100
	flashQueries = 128 // of a CTA of hopperattention
	flashKeys    = 128 // of a step
)

// flashCycles are the cycles of CTAs of hopperattention on one SM with the whole L2 and all of the memory to itself.
func flashCycles(t *testing.T, data string, tokens, ctas int) float64 {
	t.Helper()
	s := scenario.Default("hopperattention")
	s.Machine.Preset = "h100"
	// Crossbars and L2 keep the clock that SMs have where it is not locked [ours].
	s.Machine.Overrides = scenario.Overrides{"sms": int64(1), "coreMHz": int64(flashMHz), "xbarMHz": int64(1980),
		"l2MHz": int64(1980), "compile": "scheduled"}
	s.Workload.Size, s.Workload.Data = tokens, data
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	p.Program.Launches[0].Grid = [3]uint32{uint32(ctas), 1, 1}
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	r := study.Run(p, Options{})
	for done := false; !done; {
		if done, err = r.Step(1 << 30); err != nil {
			t.Fatal(err)
		}
	}
	return float64(r.machine.Cycles())
}

// flashCTA is the time of a CTA, in cycles: a start, and one for each step.
type flashCTA struct{ start, step float64 }

// fullCTA is from two CTAs of a length each.
func fullCTA(t *testing.T, data string) (c flashCTA) {
	short, long := flashCycles(t, data, 512, 2)/2, flashCycles(t, data, 1024, 2)/2
	c.step = (long - short) / ((1024 - 512) / flashKeys)
	c.start = short - 512/flashKeys*c.step
	return c
}

// causalCTA is from the first four and eight CTAs of a head, of which CTA x has x+1 steps.
func causalCTA(t *testing.T, data string) (c flashCTA) {
	four, eight := flashCycles(t, data, 1024, 4), flashCycles(t, data, 1024, 8)
	c.step = (eight - 2*four) / (36 - 2*10)
	c.start = (four - 10*c.step) / 4
	return c
}

// TestFlashAttention compares attention in the structure of FlashAttention-3 with public durations, and a table of
// HOPPER.md with both. A slice of the run is simulated: an SM with some CTAs, whose number and length give the rest.
func TestFlashAttention(t *testing.T) {
	if testing.Short() {
		t.Skip("a golden table: its runs are the same in WebAssembly")
	}
	t.Parallel()
	ctas := map[string]flashCTA{}
	for _, data := range []string{"full64", "full128"} {
		ctas[data] = fullCTA(t, data)
		// The law holds: two CTAs of four times the length.
		got, law := flashCycles(t, data, 2048, 2)/2, ctas[data].start+2048/flashKeys*ctas[data].step
		if math.Abs(got/law-1) > 0.05 {
			t.Errorf("%s: a CTA of 2,048 tokens takes %.0f cycles, and %.0f by its start and its steps", data, got, law)
		}
	}
	for _, data := range []string{"causal64", "causal128"} {
		ctas[data] = causalCTA(t, data)
	}
	var rows [][]string
	for i, data := range []string{"causal64", "full64", "causal128", "full128"} {
		heads, mean := 32, 0.0
		if i > 1 {
			heads = 16
		}
		var ratios []float64
		for _, shape := range flashAttention {
			steps := float64(shape.tokens / flashKeys)
			if i%2 == 0 {
				steps = float64(shape.tokens/flashQueries+1) / 2 // of the mean CTA
			}
			each := float64(shape.batch*heads*shape.tokens/flashQueries) / flashSMs
			us := each * (ctas[data].start + steps*ctas[data].step) / flashMHz
			want := []float64{shape.causal64, shape.full64, shape.causal128, shape.full128}[i]
			ratios = append(ratios, us/want)
			mean += us / want / float64(len(flashAttention))
			rows = append(rows, []string{data, fmt.Sprintf("%d, %d, %d", shape.batch, heads, shape.tokens),
				fmt.Sprintf("%.2f", want), fmt.Sprintf("%.1f", us),
				fmt.Sprintf("%.2f", us/want)})
		}
		for j, ratio := range ratios {
			at := len(rows) - len(ratios) + j
			rows[at] = append(rows[at], fmt.Sprintf("%+.0f", 100*(ratio/mean-1)))
			if math.Abs(ratio/mean-1) > 0.1 {
				t.Errorf("%s of %d tokens: %.2f of the published time, %.2f in the mean of the lengths", data,
					flashAttention[j].tokens, ratio, mean)
			}
		}
		t.Logf("%s: start %.0f cycles, step %.0f", data, ctas[data].start, ctas[data].step)
	}
	golden.Table(t, "../machine/HOPPER.md", "attention",
		[]string{"data", "batch, heads, tokens", "H100, us", "here, us", "here / H100", "off the mean of its data, %"},
		rows)
}
