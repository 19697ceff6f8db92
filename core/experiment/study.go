package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system"
)

// Study holds the data that runs of one program on one machine share: the exact output
// and the symbol statistics of offline probabilities. It is filled on demand.
type Study struct {
	plan   *Plan
	spec   *parameter.GPU
	loaded *loaded // as filled by the host; runs take copies

	exact              [][]byte
	threadInstructions uint64
	warpInstructions   uint64
	printed            execute.Printed
	known              bool // exact, printed and threadInstructions are valid
	exactRun           *reference
	aside              *sim.Aside // computes all of these until settle; nil = nobody does
	asideErr           error      // of its end

	profiles  []*profile
	prepasses []*prepass // that a run has needed
}

// NewStudy loads the plan's program for its machine. It reports faults of the program
// before anything runs.
func NewStudy(p *Plan) (*Study, error) {
	s, err := newStudy(p)
	if err != nil {
		return nil, err
	}
	for _, check := range []func() error{s.checkRoom, s.checkClusters, s.checkCooperative} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// newStudy is NewStudy without a machine on which all CTAs of a cluster, or of a cooperative grid, must find room.
func newStudy(p *Plan) (*Study, error) {
	spec, err := p.spec()
	if err != nil {
		return nil, err
	}
	if err := p.Program.Validate(); err != nil {
		return nil, err
	}
	l, err := load(p.Program, p.Base, spec)
	if err != nil {
		return nil, err
	}
	return &Study{plan: p, spec: spec, loaded: l}, nil
}

// RunBytes estimates the memory that a run of a plan takes on the host: one machine, and the
// device memory that is there from the start, and what its entries take. Local memory comes when it is written, and is bounded by
// Options.ResidentLimitBytes.
func (s *Study) RunBytes(p *Plan) uint64 {
	image := s.loaded.image
	state := machine.StateBytes(s.spec, p.L1.Int("tags"), s.loaded.timed, uint64(image.Top()-image.Base()))
	one := state + image.ResidentBytes()
	all := one
	_ = p.Each(func(_ *system.Group, e *system.Entry, part system.Part) error {
		if e.HostBytes != nil {
			all += e.HostBytes(part, s.spec, one, p.Logs)
		}
		return nil
	})
	return all
}

// functionalLimit bounds the instructions of the exact run [ours]: far more than a
// machine could simulate.
const functionalLimit = 4_000_000_000

// reference is the functional run of a program. It gives the exact output without the
// timing of a machine.
type reference struct {
	loaded *loaded
	launch int
	run    *execute.Functional
	left   uint64         // instructions until the run is ended
	before *execute.Marks // of the launch before, with a sanitizer

	printed execute.Printed

	threadInstructions, warpInstructions uint64 // of the launches that have ended
}

// stepReference works on the exact output for about the given number of warp
// instructions. It reports whether the output is complete.
func (s *Study) stepReference(instructions uint64) (done bool, err error) {
	if err := s.settle(); s.known || err != nil {
		return s.known, err
	}
	if s.exactRun == nil {
		if s.exactRun, err = s.reference(); err != nil {
			return false, err
		}
	}
	return s.stepExact(instructions)
}

// stepExact is stepReference of a functional run that has begun.
func (s *Study) stepExact(instructions uint64) (done bool, err error) {
	r := s.exactRun
	if r.launch < len(r.loaded.launches) {
		if ended, err := s.stepLaunch(r, instructions); err != nil || !ended || r.launch < len(r.loaded.launches) {
			return false, r.stopped(err)
		}
	}
	s.printed = r.printed
	s.threadInstructions, s.warpInstructions = r.threadInstructions, r.warpInstructions
	s.exact = r.loaded.outputs(s.plan.Program, r.loaded.image.Read)
	s.known, s.exactRun = true, nil
	return true, nil
}

// referenceAside starts to compute the exact output beside what follows. It has an image of its own before that.
func (s *Study) referenceAside() (err error) {
	if s.exactRun, err = s.reference(); err != nil {
		return err
	}
	s.aside = sim.Begin(func() error {
		for {
			if done, err := s.stepExact(stepCycles); done || err != nil {
				return err
			}
		}
	})
	return nil
}

// settle waits for what is computed beside, before anybody reads it.
func (s *Study) settle() error {
	if s.aside != nil {
		s.asideErr, s.aside = s.aside.Wait(), nil
	}
	return s.asideErr
}

// reference returns a functional run that stands before its first launch.
func (s *Study) reference() (*reference, error) {
	r := &reference{loaded: s.loaded.copy(), left: functionalLimit}
	return r, r.next(0)
}

// next goes to the launch that the host chooses when all before the given one have ended.
func (r *reference) next(launch int) (err error) {
	r.launch, err = r.loaded.checks.Next(launch, r.loaded.image.Read)
	return err
}

// stepLaunch works on the current launch of a functional run. It reports whether the launch
// has ended.
func (s *Study) stepLaunch(r *reference, instructions uint64) (ended bool, err error) {
	if r.run == nil {
		l := r.loaded.launches[r.launch]
		perSM, _ := s.spec.SM.Occupancy(l) // those that the machine holds run together
		together := perSM * s.spec.SMs
		if s.plan.Program.Launches[r.launch].Cooperative {
			together = max(together, int(l.CTAs())) // without a machine there may be more
		}
		options := execute.FunctionalOptions{
			MaxInstructions: r.left, MaxWarpInstructions: s.spec.SM.WarpInstructionLimit, MaxCTAs: together,
			Printed: &r.printed, Sanitize: s.plan.Sanitize,
		}
		if s.plan.Program.Launches[r.launch].Programmatic {
			options.Before = r.before
		}
		if r.run, err = execute.NewFunctional(l, r.loaded.image, options); err != nil {
			return false, err
		}
	}
	if done, err := r.run.Step(instructions); err != nil || !done {
		return false, err
	}
	result := r.run.Result()
	r.left -= min(r.left, result.WarpInstructions)
	r.threadInstructions += result.ThreadInstructions
	r.warpInstructions += result.WarpInstructions
	r.before, r.run = r.run.Marks(), nil
	return true, r.next(r.launch + 1)
}

// Exact returns the exact output buffers, or nil before a run has computed them.
func (s *Study) Exact() [][]byte {
	_ = s.settle()
	return s.exact
}

// ThreadInstructions returns the number of thread instructions of the program, or 0
// before a run has computed the exact output.
func (s *Study) ThreadInstructions() uint64 {
	_ = s.settle()
	return s.threadInstructions
}

// profile holds the symbol statistics of codecs at one MAG and, while they are collected,
// the run that collects them. Each MAG has its own profile: the MAG changes timing, timing
// changes how often blocks cross a controller, and a result must not depend on other runs
// of the study.
type profile struct {
	mag      int
	counts   *codecs.Trainer
	machine  *machine.Machine // nil before and after the collection
	complete bool
}

// profileOf returns the profile for a scheme, or nil if there is none yet.
func (s *Study) profileOf(m *scheme.Memory) *profile {
	for _, p := range s.profiles {
		if p.mag == m.MAG() && p.counts.Serves(codingOf(m)) {
			return p
		}
	}
	return nil
}

// stepProfile collects the statistics of offline probabilities: the symbols of every block
// that crosses a controller in a whole run without compression (E2MC III-B). It reports
// whether they are complete.
func (s *Study) stepProfile(m *scheme.Memory, cycles uint64) (done bool, err error) {
	p := s.profileOf(m)
	if p == nil {
		p, err = s.startProfile(m)
		return false, err
	}
	if p.complete {
		return true, nil
	}
	done, err = p.machine.Advance(p.machine.Now() + sim.Cycle(cycles))
	if done && err == nil {
		p.machine, p.complete = nil, true
	}
	return p.complete, err
}

func (s *Study) startProfile(m *scheme.Memory) (*profile, error) {
	l := s.loaded.copy()
	counts, err := codecs.NewTrainer(codingOf(m))
	if err != nil {
		return nil, err
	}
	p := &profile{mag: m.MAG(), counts: counts}
	p.machine, err = machine.New(s.spec, machine.Job{
		Launches: l.timed, Order: l.checks, Image: l.image, Scheme: codec.NewRaw(p.mag),
		CycleLimit: s.plan.CycleLimit, Threads: s.plan.Threads, Alone: s.plan.Alone,
		Observer: &counter{counts}, Unordered: !counts.Samples(),
	})
	if err != nil {
		return nil, fmt.Errorf("profiling run: %w", err)
	}
	s.profiles = append(s.profiles, p)
	return p, nil
}
