// Package experiment turns a scenario into a run: it loads the program, finds
// the exact output, collects symbol statistics, builds the machine, runs it in
// slices and measures the result.
package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// Plan says what to run.
type Plan struct {
	Preset  string
	Memory  scenario.Memory
	Program *workload.Program
	// Base is where device memory starts, 0 for mem.DefaultBase.
	Base mem.Addr
	Seed uint64
	// ScenarioHash identifies the scenario in the result; empty for programs that
	// come from none.
	ScenarioHash string
	// CycleLimit ends runs that take longer, 0 for the machine's default.
	CycleLimit sim.Cycle
	// Paranoid checks every block that is compressed (slow).
	Paranoid bool
}

// PlanOf returns the plan of a scenario's own scheme.
func PlanOf(s *scenario.Scenario) (*Plan, error) {
	p, err := programOf(s)
	if err != nil {
		return nil, err
	}
	return &Plan{Preset: s.Machine.Preset, Memory: s.Memory, Program: p, Seed: s.Seed, ScenarioHash: s.Hash()}, nil
}

// programOf builds the program a scenario names or carries.
func programOf(s *scenario.Scenario) (*workload.Program, error) {
	w := &s.Workload
	if w.PTX != nil {
		sizes, err := parameterBytes(w.PTX)
		if err != nil {
			return nil, err
		}
		return w.PTX.Program(sizes)
	}
	p := workload.Params{Size: w.Size, Data: w.Data, Seed: s.Seed}
	if len(w.Image) > 0 {
		image, err := workload.DecodePNG(w.Image)
		if err != nil {
			return nil, fmt.Errorf("workload.image: %w", err)
		}
		p.Image = image
	}
	return workload.Build(w.Name, p)
}

// parameterBytes returns the sizes of the parameters of a user's kernel.
func parameterBytes(p *scenario.PTX) ([]int, error) {
	m, err := ptx.Parse(p.File, []byte(p.Source))
	if err != nil {
		return nil, err
	}
	k, err := ptx.Compile(m, p.Entry, func(string) uint64 { return mem.DefaultBase })
	if err != nil {
		return nil, err
	}
	sizes := make([]int, len(k.Params))
	for i := range k.Params {
		sizes[i] = k.Params[i].Bytes
	}
	return sizes, nil
}

// With returns the plan with another memory scheme and nothing else changed.
func (p *Plan) With(m scenario.Memory) *Plan {
	q := *p
	q.Memory = m
	return &q
}

func (p *Plan) spec() (*machine.Spec, error) {
	spec, err := machine.Preset(p.Preset)
	if err != nil {
		return nil, fmt.Errorf("machine.preset: %w", err)
	}
	return spec, nil
}
