package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// Study is what the runs of one program on one machine share: the exact output
// and the symbol statistics of offline probabilities. It is filled on demand.
type Study struct {
	plan   *Plan
	spec   *parameter.GPU
	loaded *loaded // as the host leaves it; runs take copies

	exact              [][]byte
	threadInstructions uint64
	warpInstructions   uint64
	known              bool // exact and threadInstructions are valid
	exactRun           *reference

	profiles []*profile
}

// NewStudy loads the plan's program for its machine. Faults of the program are
// found here, before anything runs.
func NewStudy(p *Plan) (*Study, error) {
	spec, err := p.spec()
	if err != nil {
		return nil, err
	}
	if err := p.Program.Validate(); err != nil {
		return nil, err
	}
	l, err := load(p.Program, p.Base, spec.MemoryBytes)
	if err != nil {
		return nil, err
	}
	return &Study{plan: p, spec: spec, loaded: l}, nil
}

// functionalLimit bounds the instructions of the exact run [ours]: far beyond
// what a machine could simulate.
const functionalLimit = 4_000_000_000

// reference is the functional run of a program, which gives the exact output free
// of any machine's timing.
type reference struct {
	loaded *loaded
	launch int
	run    *ptx.Functional
	left   uint64 // instructions until the run is given up
}

// stepReference works on the exact output, for about the given number of warp
// instructions, and reports whether it is known.
func (s *Study) stepReference(instructions uint64) (done bool, err error) {
	if s.known {
		return true, nil
	}
	if s.exactRun == nil {
		s.exactRun = &reference{loaded: s.loaded.copy(), left: functionalLimit}
	}
	r := s.exactRun
	if r.run == nil {
		if r.run, err = ptx.NewFunctional(r.loaded.launches[r.launch], r.loaded.image, ptx.FunctionalOptions{MaxInstructions: r.left, MaxWarpInstructions: s.spec.SM.WarpInstructionLimit}); err != nil {
			return false, err
		}
	}
	if done, err := r.run.Step(instructions); err != nil || !done {
		return false, err
	}
	result := r.run.Result()
	r.left -= min(r.left, result.WarpInstructions)
	s.threadInstructions += result.ThreadInstructions
	s.warpInstructions += result.WarpInstructions
	r.run = nil
	if r.launch++; r.launch < len(r.loaded.launches) {
		return false, nil
	}
	s.exact = r.loaded.outputs(s.plan.Program, r.loaded.image.Read)
	s.known, s.exactRun = true, nil
	return true, nil
}

// Exact returns the exact output buffers, nil before a run has needed them.
func (s *Study) Exact() [][]byte { return s.exact }

// ThreadInstructions returns how many thread instructions the program executes,
// 0 before a run has needed the exact output.
func (s *Study) ThreadInstructions() uint64 { return s.threadInstructions }

// profile is the symbol statistics of one symbol width at one MAG: a histogram and,
// while it fills, the run that fills it. The MAG decides timing, timing decides which
// blocks cross a controller how often, and a result must not depend on what else a
// study runs.
type profile struct {
	bits, mag int
	histogram *e2mc.Histogram
	machine   *machine.Machine // nil before and after
	complete  bool
}

func (s *Study) profileOf(bits, mag int) *profile {
	for _, p := range s.profiles {
		if p.bits == bits && p.mag == mag {
			return p
		}
	}
	p := &profile{bits: bits, mag: mag}
	s.profiles = append(s.profiles, p)
	return p
}

// stepProfile collects the statistics of offline probabilities, which are those
// of every block that crosses a controller in a whole run without compression
// (E2MC III-B). It reports whether they are complete.
func (s *Study) stepProfile(bits, mag int, cycles uint64) (done bool, err error) {
	p := s.profileOf(bits, mag)
	switch {
	case p.complete:
		return true, nil
	case p.machine == nil:
		return false, s.startProfile(p)
	}
	done, err = p.machine.Advance(p.machine.Now() + sim.Cycle(cycles))
	if done && err == nil {
		p.machine, p.complete = nil, true
	}
	return p.complete, err
}

func (s *Study) startProfile(p *profile) error {
	l := s.loaded.copy()
	var err error
	if p.histogram, err = e2mc.NewHistogram(p.bits); err != nil {
		return err
	}
	p.machine, err = machine.New(s.spec, machine.Job{
		Launches: l.launches, Image: l.image, Scheme: codec.NewRaw(p.mag), Observer: &counter{p.histogram}, CycleLimit: s.plan.CycleLimit,
	})
	if err != nil {
		return fmt.Errorf("profiling run: %w", err)
	}
	return nil
}
