package claim

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
)

func (none) Run(*Job) *experiment.Result      { return nil }
func (none) Traffic(*Job) *experiment.Traffic { return nil }

// unit converts between a paper's number and a ratio of the vocabulary:
// ratio = offset + number x scale.
type unit struct {
	offset, scale float64
	change        bool    // the paper states the part beyond 1
	multiple      bool    // the paper states a multiple of something, such as 1.5 x
	percent       float64 // per cent in a ratio of 1
}

// isLoss reports whether the paper states by how much the ratio is below 1.
func (u unit) isLoss() bool { return u.change && u.scale < 0 }

func (u unit) fromPaper(number float64) float64 { return u.offset + float64(number*u.scale) }
func (u unit) toPaper(ratio float64) float64    { return (ratio - u.offset) / u.scale }

// unitOf reads the unit of a row.
func unitOf(text string) unit {
	switch {
	case strings.Contains(text, "points"):
		return unit{scale: 1, percent: 1} // the row's value is in points
	case hasPrefix(text, "% faster", "% higher", "% more", "% larger", "% (ratio-1)"):
		return unit{offset: 1, scale: 0.01, change: true, percent: 100}
	case hasPrefix(text, "% less", "% fewer", "% slower", "% lower", "% smaller"):
		return unit{offset: 1, scale: -0.01, change: true, percent: 100}
	case strings.HasPrefix(text, "%"):
		return unit{scale: 0.01, percent: 100}
	}
	return unit{scale: 1, percent: 100, multiple: isMultiple(text)}
}

func hasPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}
