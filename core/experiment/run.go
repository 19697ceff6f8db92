package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/e2mc"
)

// Phase is the current work of a Run.
type Phase uint8

const (
	PhaseReference Phase = iota // computing the exact output
	PhaseProfile                // collecting symbol statistics, or searching what an entry needs
	PhaseSimulate               // the run itself
	PhaseDone
)

var phaseNames = [...]string{"reference", "profile", "simulate", "done"}

func (p Phase) String() string { return phaseNames[p] }

// Options configure observers and the host's limits. They do not change results.
type Options struct {
	Tap *probe.Tap // events of the simulate phase
	// ResidentLimitBytes ends the run with an error if the written pages of device memory
	// exceed it; 0 = no limit.
	ResidentLimitBytes uint64
	// Record keeps the traffic of the run for estimates (Run.Recorded).
	Record bool
}

// Run is one program on one machine with one memory scheme, in progress.
type Run struct {
	study *Study
	plan  *Plan
	tap   *probe.Tap
	limit uint64 // Options.ResidentLimitBytes
	// observer sees every block of a run without compression; nil = none.
	observer memctrl.Observer
	phase    Phase

	loaded    *loaded
	hardware  energy.Codec
	machine   *machine.Machine
	legality  *machine.Legality // nil = commands are not checked
	scheme    codec.Scheme
	searches  []system.Search // those that have not ended, in order
	err       error
	cancelled bool
	resumed   bool        // from a stored state, which holds what searches have found
	record    bool        // Options.Record
	recorded  *Recorded   // nil without a recording
	power     *powerMeter // nil without Plan.Power
}

// New prepares a run with a new study.
func New(p *Plan, o Options) (*Run, error) {
	s, err := NewStudy(p)
	if err != nil {
		return nil, err
	}
	return s.Run(p, o), nil
}

// Run prepares a run of the study's program. p may differ from the study's plan only in
// its memory scheme.
func (s *Study) Run(p *Plan, o Options) *Run {
	return &Run{study: s, plan: p, tap: o.Tap, limit: o.ResidentLimitBytes, record: o.Record}
}

// Step simulates about the given number of cycles, or does one step of preparation. It
// reports whether the run is over. The size of the steps does not change the result.
func (r *Run) Step(cycles uint64) (done bool, err error) {
	if r.err != nil || r.phase == PhaseDone {
		return true, r.err
	}
	switch r.phase {
	case PhaseReference:
		if r.startsAside() {
			r.err = r.study.referenceAside()
			r.phase = PhaseProfile
			break
		}
		// A warp instruction without timing takes about as long as one cycle of a machine.
		done, err := r.study.stepReference(cycles)
		r.err = err
		if done {
			r.phase = PhaseProfile
		}
	case PhaseProfile:
		if len(r.searches) > 0 {
			r.err = r.stepSearch(cycles)
		} else {
			r.err = r.stepProfile(cycles)
		}
	case PhaseSimulate:
		done, err := r.advance(r.machine.Now() + sim.Cycle(cycles))
		if err == nil {
			err = faultOf(&r.plan.Memory, r.scheme)
		}
		if done && err == nil {
			r.phase = PhaseDone
			counters := r.machine.Stats()
			if err = counters.Check(); err == nil && r.legality != nil {
				err = r.legality.End()
			}
		}
		r.err = r.misled(err)
	}
	r.settle()
	return r.err != nil || r.phase == PhaseDone, r.err
}

// startsAside reports whether the exact output can be computed beside the machine: there are threads, and nothing
// before the end of the run asks for it.
func (r *Run) startsAside() bool {
	p, s := r.plan, r.study
	return sim.MostThreads > 1 && p.Threads > 1 && s.aside == nil && !s.known && s.exactRun == nil && !r.record &&
		!p.Sanitize && !p.Memory.Online() && len(watchedEntries(p)) == 0
}

// settle looks at what is computed beside the machine. A fault of the program there comes before one of the machine,
// as it does without threads.
func (r *Run) settle() {
	a := r.study.aside
	if a == nil || r.err == nil && r.phase != PhaseDone && !a.Ended() {
		return
	}
	if err := r.study.settle(); err != nil {
		r.err = err
	}
}

func (r *Run) advance(until sim.Cycle) (done bool, err error) {
	if r.power == nil {
		return r.machine.Advance(until)
	}
	return r.power.advance(r.machine, until)
}

// stepProfile collects the statistics that the scheme needs and the study lacks. It then
// builds the machine.
func (r *Run) stepProfile(cycles uint64) error {
	var counts *codecs.Trainer
	if needsStatistics(&r.plan.Memory) && r.plan.Memory.Probabilities() == "offline" {
		done, err := r.study.stepProfile(&r.plan.Memory, cycles)
		if !done || err != nil {
			return err
		}
		counts = r.study.profileOf(&r.plan.Memory).counts
	}
	codes := func() (codec.Scheme, error) { return schemeOf(&r.plan.Memory, counts) }
	for _, e := range watchedEntries(r.plan) {
		if done, err := r.study.stepPrepass(e, &r.plan.Memory, codes, cycles); !done || err != nil {
			return err
		}
	}
	return r.build(counts)
}

func (r *Run) build(counts *codecs.Trainer) error {
	l, err := r.study.programOf(r.plan)
	if err != nil {
		return err
	}
	job := machine.Job{
		Launches: l.timed, Order: l.checks, Image: l.image, Tap: r.tap, CycleLimit: r.plan.CycleLimit,
		Paranoid: r.plan.Paranoid, ResidentLimitBytes: r.limit, Threads: r.plan.Threads, Alone: r.plan.Alone,
	}
	if needsStatistics(&r.plan.Memory) && r.plan.Memory.Online() {
		s, err := newSampler(&r.plan.Memory, e2mc.SampleInstructions(r.plan.Memory.Sample(), r.study.threadInstructions))
		if err != nil {
			return err
		}
		if r.plan.Memory.CountsCopies() {
			l.observeCopies(r.plan.Program, s)
		}
		job.Sampler, job.Scheme = s, codec.NewRaw(r.plan.Memory.MAG())
	} else if job.Scheme, err = schemeOf(&r.plan.Memory, counts); err != nil {
		return err
	}
	if lossyModule(job.Scheme) && len(r.plan.Backing) > 0 {
		return fmt.Errorf("memory.module: %s is lossy, and memory behind a link holds entries exactly: set backing.kind to none, or use a lossless module", job.Scheme.Name())
	}
	job.Observer = r.observer
	if r.hardware, err = hardware(&r.plan.Memory); err != nil {
		return err
	}
	r.loaded, r.scheme = l, job.Scheme
	if job.Coding, err = coding(&r.plan.Memory); err != nil {
		return err
	}
	gpu := *r.study.spec // the other side of a study keeps its own
	if err = r.plan.Configure(&gpu, &job, r.watched); err != nil {
		return err
	}
	if r.machine, err = machine.New(&gpu, job); err != nil {
		return err
	}
	if err = r.startRecording(l); err != nil {
		return err
	}
	if r.plan.Power {
		r.power = newPowerMeter()
	}
	if r.plan.CheckDRAM {
		r.legality = r.machine.WatchLegality()
	}
	return r.startEntries()
}

// startEntries lets the entries of the scheme keep their logs, and starts their searches.
func (r *Run) startEntries() error {
	err := r.plan.Each(func(_ *system.Group, e *system.Entry, p system.Part) error {
		if e.Log != nil && r.plan.Logs {
			e.Log(r.machine)
		}
		if e.Search == nil || r.resumed {
			return nil
		}
		search, err := e.Search(p, r.machine)
		if search != nil {
			r.searches = append(r.searches, search)
		}
		return err
	})
	if len(r.searches) == 0 {
		r.phase = PhaseSimulate
	}
	return err
}

// stepSearch works on the searches, one after the other.
func (r *Run) stepSearch(cycles uint64) error {
	done, err := r.searches[0].Step(cycles)
	if !done || err != nil {
		return err
	}
	if r.searches = r.searches[1:]; len(r.searches) == 0 {
		r.phase = PhaseSimulate
	}
	return nil
}

// watched returns what has watched the program for an entry of the run's scheme.
func (r *Run) watched(e *system.Entry) system.Watcher {
	return r.study.watched(e.Name, &r.plan.Memory).watcher
}

// stepCycles is the slice of Finish; its size does not matter.
const stepCycles = 1 << 20

// Finish runs to the end and returns the result.
func (r *Run) Finish() (*Result, error) {
	for {
		done, err := r.Step(stepCycles)
		if err != nil {
			return nil, err
		}
		if done {
			return r.Result(), nil
		}
	}
}

// Cancel ends the run; its result is marked as cancelled.
func (r *Run) Cancel() {
	_ = r.study.settle()
	r.cancelled = r.phase != PhaseDone
	r.phase = PhaseDone
}

// Phase returns the current phase of the run.
func (r *Run) Phase() Phase { return r.phase }

// Machine returns the machine, or nil before the simulate phase. While something is searched it
// stands at cycle 0.
func (r *Run) Machine() *machine.Machine { return r.machine }

// Profiler returns the machine that collects statistics or with which an entry searches, or nil outside
// that phase.
func (r *Run) Profiler() *machine.Machine {
	if len(r.searches) > 0 {
		return r.searches[0].Machine()
	}
	if r.phase == PhaseProfile && needsStatistics(&r.plan.Memory) {
		if p := r.study.profileOf(&r.plan.Memory); p != nil {
			return p.machine
		}
	}
	return nil
}

// Scheme returns the scheme that stores blocks, or nil before the simulate phase.
func (r *Run) Scheme() codec.Scheme { return r.scheme }

// CheckedCommands returns the number of DRAM commands found legal so far, or 0 if they
// are not checked.
func (r *Run) CheckedCommands() int {
	if r.legality == nil {
		return 0
	}
	return r.legality.Commands()
}

// Plan returns the plan of the run.
func (r *Run) Plan() *Plan { return r.plan }
