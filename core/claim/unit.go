package claim

import (
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
)

func (none) Run(*Job) *experiment.Result      { return nil }
func (none) Traffic(*Job) *experiment.Traffic { return nil }

// unit converts between a paper's number and a ratio of the vocabulary:
// ratio = offset + number x scale.
type unit struct {
	offset, scale float64
	change        bool // the paper states the part beyond 1
}

// isLoss reports whether the paper states by how much the ratio is below 1.
func (u unit) isLoss() bool { return u.change && u.scale < 0 }

func (u unit) fromPaper(number float64) float64 { return u.offset + float64(number*u.scale) }
func (u unit) toPaper(ratio float64) float64    { return (ratio - u.offset) / u.scale }

// unitOf reads the unit of a row.
func unitOf(text string) unit {
	switch {
	case strings.Contains(text, "points"):
		return unit{0, 1, false} // the row's value is in points
	case strings.HasPrefix(text, "% faster"), strings.HasPrefix(text, "% higher"), strings.HasPrefix(text, "% more"), strings.HasPrefix(text, "% larger"), strings.HasPrefix(text, "% (ratio-1)"):
		return unit{1, 0.01, true}
	case strings.HasPrefix(text, "% less"), strings.HasPrefix(text, "% fewer"), strings.HasPrefix(text, "% slower"), strings.HasPrefix(text, "% lower"), strings.HasPrefix(text, "% smaller"):
		return unit{1, -0.01, true}
	case strings.HasPrefix(text, "%"):
		return unit{0, 0.01, false}
	}
	return unit{0, 1, false}
}
