// Package experiment turns a scenario into a run: it loads the program, finds
// the exact output, collects symbol statistics, builds the machine, runs it in
// slices and measures the result.
package experiment

import (
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// Plan says what to run.
type Plan struct {
	Preset string
	// Overrides are values of the machine in place of the preset's.
	Overrides scenario.Overrides
	scheme.Scheme
	Program *workload.Program
	// Base is the first address of device memory, 0 for mem.DefaultBase.
	Base mem.Addr
	Seed uint64
	// ScenarioHash identifies the scenario in the result; empty without a scenario.
	ScenarioHash string
	// CycleLimit ends runs that take longer, 0 for the machine's default.
	CycleLimit sim.Cycle
	// Paranoid checks every block that is compressed (slow).
	Paranoid bool
	// Logs keeps the logs of the scheme's entries for their reports.
	Logs bool
	// Power reads the energy of windows of time, for the result.
	Power bool
	// CheckDRAM compares every DRAM command with the device's specification; the
	// run fails if one is not legal.
	CheckDRAM bool
	// Sanitize makes faults of what PTX leaves undefined, in the run without a machine.
	Sanitize bool
	// Threads is how many threads may work on a machine of the plan; 0 and 1 are the
	// caller's alone, and Alone how much work a machine does before they start. They change no results.
	Threads, Alone int
}

// PlanOf returns the plan of a scenario's own scheme.
func PlanOf(s *scenario.Scenario) (*Plan, error) { return PlanBy(s, func(*Plan) {}) }

// PlanBy is PlanOf with the threads that give gives the plan, for its inputs too.
func PlanBy(s *scenario.Scenario, give func(*Plan)) (*Plan, error) {
	mem.HugePages() // before the inputs are made
	p := &Plan{Preset: s.Machine.Preset, Overrides: s.Machine.Overrides, Scheme: s.Scheme, Base: s.Base(), Seed: s.Seed, ScenarioHash: s.Hash()}
	give(p)
	program, err := s.ProgramBy(p.Threads)
	if err != nil {
		return nil, err
	}
	p.Program = program
	return p, nil
}

// worthSMs is from how many SMs on a run gains by threads [ours, measured: core/BENCHMARKS.md].
const worthSMs = 32

// worthJobs is how much of a run is done before its threads start: some 15 milliseconds. A run that is over by then
// would lose by them [ours, measured: core/BENCHMARKS.md].
const worthJobs = 5_000

// UseThreads lets machines of the plan have up to n threads, if they have SMs enough to gain by it and once the run
// is long enough.
func (p *Plan) UseThreads(n int) {
	if spec, err := p.spec(); err == nil && spec.SMs >= worthSMs {
		p.Threads, p.Alone = n, worthJobs
	}
}

// With returns a copy of the plan with another scheme.
func (p *Plan) With(s scheme.Scheme) *Plan {
	q := *p
	q.Scheme = s
	return &q
}

func (p *Plan) spec() (*parameter.GPU, error) {
	m := scenario.Machine{Preset: p.Preset, Overrides: p.Overrides}
	return m.Spec()
}
