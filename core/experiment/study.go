package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/ptx"
)

// Study is what the runs of one program on one machine share: the exact output
// and the symbol statistics of offline probabilities. It is filled on demand.
type Study struct {
	plan *Plan
	spec *machine.Spec

	exact              [][]byte
	threadInstructions uint64
	known              bool // exact and threadInstructions are valid

	// histograms by symbol width, from a run without compression
	histograms [4]*e2mc.Histogram
}

// NewStudy returns an empty study of the plan's program on its machine.
func NewStudy(p *Plan) (*Study, error) {
	spec, err := p.spec()
	if err != nil {
		return nil, err
	}
	if err := p.Program.Validate(); err != nil {
		return nil, err
	}
	return &Study{plan: p, spec: spec}, nil
}

// functionalLimit bounds the instructions of the exact run [ours]: far beyond
// what a machine could simulate.
const functionalLimit = 4_000_000_000

// reference runs the program functionally: the exact output, free of the
// machine's timing.
func (s *Study) reference() error {
	if s.known {
		return nil
	}
	l, err := load(s.plan.Program, s.plan.Base, s.spec.MemoryBytes)
	if err != nil {
		return err
	}
	left := uint64(functionalLimit)
	for _, launch := range l.launches {
		r, err := ptx.RunFunctional(launch, l.image, ptx.FunctionalOptions{MaxInstructions: left})
		if err != nil {
			return err
		}
		left -= min(left, r.WarpInstructions)
		s.threadInstructions += r.ThreadInstructions
	}
	s.exact = l.outputs(s.plan.Program, l.image.Read)
	s.known = true
	return nil
}

// Exact returns the exact output buffers, nil before a run has needed them.
func (s *Study) Exact() [][]byte { return s.exact }

// ThreadInstructions returns how many thread instructions the program executes,
// 0 before a run has needed the exact output.
func (s *Study) ThreadInstructions() uint64 { return s.threadInstructions }

// histogram returns the place of the statistics of a codec.
func (s *Study) histogram(bits int) **e2mc.Histogram {
	switch bits {
	case 4:
		return &s.histograms[0]
	case 8:
		return &s.histograms[1]
	case 16:
		return &s.histograms[2]
	default:
		return &s.histograms[3]
	}
}

// profile returns a machine that collects the statistics of offline
// probabilities: every block that crosses a controller in a whole run without
// compression (E2MC III-B), and the histogram that it fills.
func (s *Study) profile(bits int) (*machine.Machine, *e2mc.Histogram, error) {
	l, err := load(s.plan.Program, s.plan.Base, s.spec.MemoryBytes)
	if err != nil {
		return nil, nil, err
	}
	h, err := e2mc.NewHistogram(bits)
	if err != nil {
		return nil, nil, err
	}
	m, err := machine.New(s.spec, machine.Job{
		Launches: l.launches, Image: l.image, Scheme: codec.NewRaw(s.plan.Memory.MAG), Observer: &counter{h}, CycleLimit: s.plan.CycleLimit,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("profiling run: %w", err)
	}
	return m, h, nil
}
