// Package study answers questions about predicted loads by runs: which share of misses may be dropped, and which
// prediction made an element of an output wrong.
package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// DropRates is the grid of the search, in thousandths [ours: the paper starts at one half, moves
// by a delta that it does not state, and shows rates from 12.5 to 90 %].
func DropRates() []int { return []int{0, 50, 125, 250, 375, 500, 625, 750, 900} }

// DropStart is the rate at which the search starts (RFVP, section 3.3).
const DropStart = rfvp.SearchStart

// InputSets is on how many inputs RFVP runs each program (section 5.1).
const InputSets = 10

// Spread is the mean of a value over the inputs, and its standard deviation.
type Spread struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

func spreadOf(list []float64) (s Spread) {
	n := float64(len(list))
	for _, v := range list {
		s.Mean += v / n
	}
	sum := 0.0
	for _, v := range list {
		sum += float64((v - s.Mean) * (v - s.Mean))
	}
	s.Deviation = math.Sqrt(sum / n)
	return s
}

// DropPoint is what a drop rate does to a program, over all inputs. Ratios are of the run
// without prediction to that with it.
type DropPoint struct {
	Rate    int                `json:"rate"` // in thousandths
	Loss    Spread             `json:"loss"`
	Speedup Spread             `json:"speedup"`
	Energy  Spread             `json:"energy"`
	Traffic Spread             `json:"traffic"` // bytes of DRAM
	Loads   []rfvp.LoadCounted `json:"loads"`
}

// DropChoice is the highest rate whose mean loss is within a target.
type DropChoice struct {
	Target float64    `json:"target"`
	Point  *DropPoint `json:"point"`
	// Unreached says why no rate above 0 is within the target; empty if one is.
	Unreached string `json:"unreached,omitempty"`
}

// DropSearch looks for drop rates of one scenario. It keeps what it measured.
type DropSearch struct {
	scenario *scenario.Scenario
	inputs   []dropInput
	points   []*DropPoint // by the place in DropRates
	metric   string
}

type dropInput struct {
	study *experiment.Study
	plain *experiment.Result
}

// NewDropSearch prepares a search on a number of inputs, with the seeds from the scenario's on.
// The scenario predicts loads.
func NewDropSearch(s *scenario.Scenario, inputs int) (*DropSearch, error) {
	d := &DropSearch{scenario: s, points: make([]*DropPoint, len(DropRates()))}
	for i := range inputs {
		plan, err := d.plan(i, DropStart)
		if err != nil {
			return nil, err
		}
		study, err := experiment.NewStudy(plan)
		if err != nil {
			return nil, err
		}
		exact := plan.Scheme.Clone()
		exact.Loads = nil
		plain, err := study.Run(plan.With(exact), experiment.Options{}).Finish()
		if err != nil {
			return nil, fmt.Errorf("seed %d without prediction: %w", plan.Seed, err)
		}
		d.inputs = append(d.inputs, dropInput{study, plain})
		d.metric = plan.Program.LossMetric()
	}
	return d, nil
}

// Metric names what the loss is measured by.
func (d *DropSearch) Metric() string { return d.metric }

// plan returns the plan of an input and a rate.
func (d *DropSearch) plan(input, rate int) (*experiment.Plan, error) {
	s := *d.scenario
	s.Scheme = d.scenario.Scheme.Clone()
	s.Seed += uint64(input)
	if err := s.Set("loads.drop", fmt.Sprint(rate)); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return experiment.PlanOf(&s)
}

// At measures a rate of DropRates.
func (d *DropSearch) At(rate int) (*DropPoint, error) {
	at := slices.Index(DropRates(), rate)
	if at < 0 {
		return nil, fmt.Errorf("study: %d thousandths is no drop rate of the search", rate)
	}
	if d.points[at] != nil {
		return d.points[at], nil
	}
	p := &DropPoint{Rate: rate}
	var loss, speedup, energy, traffic []float64
	for i := range d.inputs {
		in := &d.inputs[i]
		plan, err := d.plan(i, rate)
		if err != nil {
			return nil, err
		}
		r, err := in.study.Run(plan, experiment.Options{}).Finish()
		if err != nil {
			return nil, fmt.Errorf("seed %d, drop rate %d: %w", plan.Seed, rate, err)
		}
		if r.Loss == nil {
			return nil, fmt.Errorf("loads.policy: the scenario predicts no loads: set loads.policy to rfvp")
		}
		loss = append(loss, *r.Loss)
		speedup = append(speedup, experiment.Ratio(in.plain.Seconds, r.Seconds))
		energy = append(energy, experiment.Ratio(in.plain.Energy.Joules, r.Energy.Joules))
		traffic = append(traffic, experiment.Ratio(float64(in.plain.DRAMReadBytes+in.plain.DRAMWriteBytes), float64(r.DRAMReadBytes+r.DRAMWriteBytes)))
		predicted := experiment.Reported[rfvp.Report](r)
		if p.Loads == nil {
			p.Loads = slices.Clone(predicted.Loads)
			continue
		}
		for k := range p.Loads {
			p.Loads[k].Add(&predicted.Loads[k].Tally)
		}
	}
	p.Loss, p.Speedup, p.Energy, p.Traffic = spreadOf(loss), spreadOf(speedup), spreadOf(energy), spreadOf(traffic)
	d.points[at] = p
	return p, nil
}

// HighestRate starts at DropStart and goes up while the loss of a rate stays within the
// target, or down until it does; the loss at a rate of 0 is 0.
func HighestRate(target float64, loss func(rate int) (float64, error)) (int, error) {
	rates := DropRates()
	at := slices.Index(rates, DropStart)
	within := func(at int) (bool, error) {
		if rates[at] == 0 {
			return true, nil
		}
		v, err := loss(rates[at])
		return v <= target, err
	}
	ok, err := within(at)
	if err != nil {
		return 0, err
	}
	for up := ok; up && at+1 < len(rates); {
		if up, err = within(at + 1); err != nil {
			return 0, err
		}
		if up {
			at++
		}
	}
	for !ok {
		at--
		if ok, err = within(at); err != nil {
			return 0, err
		}
	}
	return rates[at], nil
}

// Choose returns the highest rate within a target.
func (d *DropSearch) Choose(target float64) (*DropChoice, error) {
	rate, err := HighestRate(target, func(rate int) (float64, error) {
		p, err := d.At(rate)
		if err != nil {
			return 0, err
		}
		return p.Loss.Mean, nil
	})
	if err != nil {
		return nil, err
	}
	c := &DropChoice{Target: target}
	if c.Point, err = d.At(rate); err != nil {
		return nil, err
	}
	if rate == 0 {
		if c.Unreached, err = d.unreached(target); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// unreached names the load with the most wrong values at the lowest rate.
func (d *DropSearch) unreached(target float64) (string, error) {
	p, err := d.At(DropRates()[1])
	if err != nil {
		return "", err
	}
	worst := slices.MaxFunc(p.Loads, func(a, b rfvp.LoadCounted) int { return int(a.Lanes-a.Exact) - int(b.Lanes-b.Exact) })
	place := fmt.Sprintf("line %d", worst.Line)
	if worst.File != "" {
		place += fmt.Sprintf(" (%s:%d)", worst.File, worst.FileLine)
	}
	return fmt.Sprintf("no drop rate keeps the loss of %s within %g %%: at %g %% it is %.2f %% by %s; most wrong values come from kernel %s, the load at %s, %d of %d",
		d.scenario.Workload.Name, 100*target, float64(p.Rate)/10, 100*p.Loss.Mean, d.metric, worst.Kernel, place, worst.Lanes-worst.Exact, worst.Lanes), nil
}

// Points returns the rates that were measured, the lowest first.
func (d *DropSearch) Points() (list []*DropPoint) {
	for _, p := range d.points {
		if p != nil {
			list = append(list, p)
		}
	}
	return list
}

// Predicting returns a scenario that predicts loads; one that does already stays as it is.
func Predicting(s *scenario.Scenario) error {
	if s.Loads.Choice(scheme.Find("loads")) != "none" {
		return nil
	}
	return s.Set("loads.policy", "rfvp")
}
