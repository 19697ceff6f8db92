package run

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/energy"
)

// writeEnergy appends the energy of a run and its parts, absolute and as shares.
func writeEnergy(b *strings.Builder, a *energy.Account) {
	fmt.Fprintf(b, "\n%-30s %16s  %.2f W on average, energy x time %s\n", "energy", joules(a.TotalFemtojoules), a.Watts, jouleSeconds(a.EDP))
	for _, p := range a.Parts {
		share := 0.0
		if a.TotalFemtojoules > 0 {
			share = float64(p.Femtojoules) / float64(a.TotalFemtojoules)
		}
		fmt.Fprintf(b, "  %-28s %16s  %6.2f %%  %.2f W\n", p.Title, joules(p.Femtojoules), 100*share, p.Watts)
	}
}

// joules writes an energy in microjoules, the scale of runs of microseconds.
func joules(femtojoules uint64) string {
	return fmt.Sprintf("%.3f uJ", float64(femtojoules)/1e9)
}

func jouleSeconds(edp float64) string { return fmt.Sprintf("%.4g Js", edp) }
