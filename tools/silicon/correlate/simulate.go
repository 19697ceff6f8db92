package correlate

import (
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/silicon/correlate/microbench"
)

// Machine is a simulated GPU: a preset and the values that differ from it.
type Machine struct {
	Preset    string
	Overrides scenario.Overrides
}

// Simulated is what the simulator says about a case.
type Simulated struct {
	Cycles      uint64
	Nanoseconds float64
	ClockMHz    float64
	Figure      microbench.Figure // of a microbenchmark
}

func (m Machine) plan(p *workload.Program) *experiment.Plan {
	return &experiment.Plan{Preset: m.Preset, Overrides: m.Overrides, Scheme: scheme.Default(), Program: p}
}

// clockMHz is the clock of the machine's SMs.
func (m Machine) clockMHz() (float64, error) {
	spec, err := (&scenario.Machine{Preset: m.Preset, Overrides: m.Overrides}).Spec()
	if err != nil {
		return 0, err
	}
	return float64(spec.CoreMHz), nil
}

// Simulate runs a case on a machine, without compression.
func (m Machine) Simulate(c Case) (*Simulated, error) {
	p, err := c.Build()
	if err != nil {
		return nil, err
	}
	clock, err := m.clockMHz()
	if err != nil {
		return nil, err
	}
	r, err := experiment.New(m.plan(p), experiment.Options{})
	if err != nil {
		return nil, err
	}
	result, err := r.Finish()
	if err != nil {
		return nil, err
	}
	s := &Simulated{Cycles: result.Cycles, Nanoseconds: result.Seconds * 1e9, ClockMHz: clock}
	b, err := c.benchmark()
	if err != nil || b == nil {
		return s, err
	}
	s.Figure, err = b.Figure(microbench.Observation{Outputs: result.Outputs, Nanoseconds: s.Nanoseconds, ClockMHz: clock})
	return s, err
}

// functional returns the exact outputs of a program.
func functional(p *workload.Program) ([][]byte, error) {
	// The machine plays no part in them: any one with enough device memory will do.
	result, err := experiment.Functional(Machine{Preset: "a100"}.plan(p), func(experiment.Progress) {})
	if err != nil {
		return nil, err
	}
	return result.Outputs, nil
}
