package machine

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/golden"
)

// cards are the GPUs that people have on their desks, with what was measured on them: a load of DRAM in core cycles,
// and GB/s of reads from DRAM, 0 if we know of no measurement.
var cards = []struct {
	name          string
	l2, dram      float64
	gigabytes     float64
	where, stream string
}{
	{"rtx2060", 226, 226 + 96, 0, "Accel-Sim's microbenchmarks (SM75_RTX2060)", "not measured"},
	{"rtx3070", 226, 226 + 254, 0, "Accel-Sim's microbenchmarks (SM86_RTX3070)", "not measured"},
	{"rtx3090", 226, 226 + 254, 0, "those of an RTX 3070, not of an RTX 3090", "not measured"},
	{"rtx4090", 296, 636, 921.3, "markdewing/AI_kernels, latency", "krrishnarraj/clpeak issue 106, float16"},
	{"orin", 185, 185 + 367, 152.8, "Accel-Sim's SM87_ORIN", "infinigence/ApxInf pull request 74, read of 2 GB"},
}

// TestCards: a load that hits L2 and one of DRAM take as long as on the card, within 3 %. Reads from end to end may be
// faster here: on a card, the display, the CPU and the controller's rules take their part. VALIDATION.md has the table.
func TestCards(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	var rows [][]string
	for _, c := range cards {
		spec := built(c.name)
		const few, many = 16, 272
		stride := uint64(spec.Slices())*4096 + 128
		dram := float64(chase(t, spec, 2048, stride, 1, many)-chase(t, spec, 2048, stride, 1, few)) / (many - few)
		l2 := float64(parameter.UnloadedLatencies(spec)[2].Cycles)
		for _, v := range []struct {
			what       string
			ours, card float64
		}{{"a hit in L2", l2, c.l2}, {"a load of DRAM", dram, c.dram}} {
			if v.ours < 0.97*v.card || v.ours > 1.03*v.card {
				t.Errorf("%s: %s takes %.1f cycles, %.0f on the card", c.name, v.what, v.ours, v.card)
			}
		}
		gigabytes, onCard := streamed(t, spec), "not measured"
		if c.gigabytes > 0 {
			onCard = fmt.Sprintf("%.0f", c.gigabytes)
			if gigabytes < 0.95*c.gigabytes {
				t.Errorf("%s: reads bring %.1f GB/s, %.1f on the card", c.name, gigabytes, c.gigabytes)
			}
		}
		cells := []string{
			c.name, fmt.Sprintf("%.0f", l2), fmt.Sprintf("%.0f", c.l2), fmt.Sprintf("%.0f", dram),
			fmt.Sprintf("%.0f", c.dram), c.where, fmt.Sprintf("%.0f", gigabytes), onCard,
		}
		if c.gigabytes > 0 {
			cells[7] += " (" + c.stream + ")"
		}
		rows = append(rows, cells)
	}
	golden.Table(t, validation, "cards", []string{
		"preset", "L2", "card", "DRAM", "card", "latencies of the card", "reads, GB/s", "card",
	}, rows)
}

// streamed returns the GB/s of a program that reads memory from end to end, once it has started.
func streamed(t *testing.T, spec *parameter.GPU) float64 {
	t.Helper()
	m := streaming(t, spec, stream)
	const from, until = 4000, 16000 // core cycles
	if _, err := m.Advance(from); err != nil {
		t.Fatal(err)
	}
	before := m.Stats()
	if done, err := m.Advance(until); err != nil || done {
		t.Fatalf("%s: ended before cycle %d: %v", spec.Name, until, err)
	}
	after := m.Stats()
	share := float64(after[stat.BusReadCycles]-before[stat.BusReadCycles]) /
		float64(after[stat.DRAMCycles]-before[stat.DRAMCycles])
	return share * float64(spec.PeakBytesPerSecond()) / 1e9
}
