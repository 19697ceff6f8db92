package claim

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/experiment"
)

// spread evaluates a figure on its other inputs, and adds the spreads to its drawing. It returns the runs that this
// takes. A share that keeps a loss (q=) is found on the first input and used on all.
func (l *Ledger) spread(f *Figure, d *Drawing) ([]*Job, error) {
	if f.Inputs == 0 {
		return nil, nil
	}
	d.Inputs = f.Inputs
	inputs := [][]*DrawnPanel{d.Panels}
	var jobs []*Job
	for n := 1; n < f.Inputs; n++ {
		s := &session{Ledger: l, paper: d.Paper, partial: true, under: draw{Draw: experiment.Draw{Seed: n}}}
		var panels []*DrawnPanel
		for i := range f.Panels {
			p, err := s.draw(&f.Panels[i])
			if err != nil {
				return nil, fmt.Errorf("figure %s, %s, input %d: %w", f.Name, f.Panels[i].Title, n+1, err)
			}
			panels = append(panels, p)
		}
		inputs = append(inputs, panels)
		jobs = joined(jobs, s.jobs)
		for _, what := range s.missing {
			if !slices.Contains(d.Missing, what) {
				d.Missing = append(d.Missing, what)
			}
		}
	}
	for i, p := range d.Panels {
		for k := range p.Series {
			series := &p.Series[k]
			for c := range series.Values {
				var values []float64
				for _, panels := range inputs {
					if v := panels[i].Series[k].Values[c]; v != nil {
						values = append(values, *v)
					}
				}
				series.Spreads = append(series.Spreads, spreadOf(values, f.Inputs))
			}
		}
	}
	return jobs, nil
}

// SpreadOf returns the spread of a category; nil if it has none.
func (r *DrawnSeries) SpreadOf(category int) *Spread {
	if r.Spreads == nil {
		return nil
	}
	return r.Spreads[category]
}

// spreadOf is nil where a value is missing, or where none can be averaged.
func spreadOf(values []float64, inputs int) *Spread {
	mean := predicate.Mean(values, false)
	if len(values) < inputs || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return nil
	}
	return &Spread{experiment.Interval{Low: slices.Min(values), High: slices.Max(values)}, mean}
}
