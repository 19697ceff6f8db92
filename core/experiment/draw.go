package experiment

import (
	"fmt"
	"maps"
	"slices"

	"github.com/burstscope/burstscope/core/scenario"
)

// Draw is one of the runs of which the interval of a result is made: another seed of the inputs, or another placement
// of the buffers. The zero value changes nothing.
type Draw struct {
	Seed      int // added to the scenario's
	Placement int // added to the machine's
}

// Five of each [ours], as many inputs as fit into the time of a run or two.
const (
	NoiseSeeds      = 5
	NoisePlacements = 5
)

// Draws are the draws of an interval. The first is the run itself, which both numbers count.
func Draws() []Draw {
	list := []Draw{{}}
	for n := 1; n < NoiseSeeds; n++ {
		list = append(list, Draw{Seed: n})
	}
	for n := 1; n < NoisePlacements; n++ {
		list = append(list, Draw{Placement: n})
	}
	return list
}

// placementPath is the value of a machine that a draw changes.
const placementPath = "placement"

// Apply changes a scenario.
func (d Draw) Apply(s *scenario.Scenario) {
	s.Seed += uint64(d.Seed)
	if d.Placement == 0 {
		return
	}
	overrides := maps.Clone(s.Machine.Overrides)
	if overrides == nil {
		overrides = scenario.Overrides{}
	}
	old, _ := overrides[placementPath].(int64)
	overrides[placementPath] = old + int64(d.Placement)
	s.Machine.Overrides = overrides
}

// NoiseSides are the scenarios of a comparison whose noise is measured: A and B as Sides gives them, the machine
// without any scheme, and null in the place of B.
func NoiseSides(s *scenario.Scenario) []*scenario.Scenario {
	a, b := s.Sides()
	plain, null := *b, *b
	null.Scheme = b.Scheme.Null()
	plain.Scheme = b.Scheme.Plainly()
	return []*scenario.Scenario{a, b, &plain, &null}
}

// Interval encloses values.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func intervalOf(values []float64) Interval { return Interval{slices.Min(values), slices.Max(values)} }

// Noise says how far a value moves although nothing changed that it is about.
type Noise struct {
	// Own encloses the value over all draws.
	Own Interval `json:"own"`
	// Null encloses it over the same draws if the scheme saved nothing (scheme.Null).
	Null Interval `json:"null"`
	// Seeds and Placements are numbers of draws; the run itself is the first of each.
	Seeds      int `json:"seeds"`
	Placements int `json:"placements"`
	// Distinguishable says that the two intervals do not meet.
	Distinguishable bool `json:"distinguishable"`
}

// NoiseOf makes the intervals of the values of Draws, with the scheme and with its null in its place.
func NoiseOf(own, null []float64) Noise {
	n := Noise{Own: intervalOf(own), Null: intervalOf(null), Seeds: NoiseSeeds, Placements: NoisePlacements}
	n.Distinguishable = n.Own.Low > n.Null.High || n.Own.High < n.Null.Low
	return n
}

// NotDistinguishable is what a difference inside its noise is called.
const NotDistinguishable = "not distinguishable"

// String gives both intervals.
func (n *Noise) String() string {
	const format = "%.4g to %.4g over %d seeds and %d placements of the buffers; if nothing were saved, %.4g to %.4g"
	text := fmt.Sprintf(format,
		n.Own.Low, n.Own.High, n.Seeds, n.Placements, n.Null.Low, n.Null.High)
	if !n.Distinguishable {
		text += ": " + NotDistinguishable
	}
	return text
}
