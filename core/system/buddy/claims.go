package buddy

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
)

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{
		Group: "backing", Run: nameOfRun, Constants: constants(), Measures: measures(),
	}
}

// nameOfRun describes the backing.
func nameOfRun(p system.Part) string {
	kind := p.Word("kind")
	if kind == "" || kind == system.None {
		return ""
	}
	text := ", " + kind
	for _, name := range []string{"gbPerSecond", "latency", "threshold", "profile", "metadataKB", "neighbours", "share",
		"copyKB"} {
		if v, there := p[name]; there {
			text += fmt.Sprintf(" %s %v", name, v)
		}
	}
	return text
}

func constants() []system.Constant {
	return []system.Constant{
		{Name: "buddy.carveout_x", Read: func(*parameter.GPU) any { return layout.CarveOut }},
		{Name: "buddy.meta_bits", Read: func(*parameter.GPU) any { return layout.MetadataBits }},
		{Name: "buddy.mdc_ways", Read: func(*parameter.GPU) any { return MetadataWays }},
		{Name: "buddy.energy", Read: func(*parameter.GPU) any {
			p100, err := preset.GPU("p100")
			if err != nil {
				panic(err) // it is in the table
			}
			e, perBit := &p100.Energy, 8*1000.
			return []any{
				float64(e.DRAMActivateFemtojoules) / 1000,
				float64(e.DRAMReadFemtojoules) / perBit, float64(e.DRAMIOFemtojoules) / perBit,
				linkPicojoules, linkPasses, Entry.Default("header"),
			}
		}},
	}
}

// meanOfList and deviation are of a whole list.
func meanOfList(list []float64) float64 {
	total := 0.0
	for _, f := range list {
		total += f
	}
	return total / float64(len(list))
}

func deviation(list []float64) float64 {
	mean, total := meanOfList(list), 0.0
	for _, f := range list {
		total += float64((f - mean) * (f - mean))
	}
	return math.Sqrt(total / float64(len(list)))
}
