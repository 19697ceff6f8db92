package experiment

import (
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// ExactKey names everything that the exact output of a scenario depends on. It is the hash
// of the scenario without the two parts that have no effect, the memory scheme and the
// machine. A new value of a scenario is therefore in the key until somebody shows that it
// has no effect. The machine's memory and its limit on instructions stay in, because they
// can end a run.
func ExactKey(s *scenario.Scenario) (string, error) {
	spec, err := s.Machine.Spec()
	if err != nil {
		return "", err
	}
	program := *s
	program.Scheme, program.Machine = scheme.Default(), scenario.Default(s.Workload.Name).Machine
	return fmt.Sprintf("%s %d %d", program.Hash(), spec.MemoryBytes, spec.SM.WarpInstructionLimit), nil
}

// UncompressedKey names everything that the run without compression of a scenario depends
// on: the hash of the scenario without its scheme, of which only the MAG stays.
func UncompressedKey(s *scenario.Scenario) string {
	raw := *s
	raw.Scheme = uncompressed(s.Memory.MAG())
	return raw.Hash()
}

func uncompressed(mag int) scheme.Scheme {
	raw := scheme.Default()
	raw.Memory.Put("mag", mag)
	return raw
}

// Exact is what a run without a machine gives: the exact output, and how many instructions
// there are. Nothing changes it, so studies of one program share it.
type Exact struct {
	key                string
	output             [][]byte
	printed            execute.Printed
	threadInstructions uint64
	warpInstructions   uint64
}

// Family is the runs of scenarios that differ only in their scheme, at one MAG. They share
// the program in memory, the exact output and one simulation without compression.
type Family struct {
	study    *Study
	exactKey string
	key      string // UncompressedKey
}

// NewFamily loads the program of a scenario for all scenarios with its UncompressedKey.
func NewFamily(s *scenario.Scenario) (*Family, error) {
	key, err := ExactKey(s)
	if err != nil {
		return nil, err
	}
	plan, err := PlanOf(s)
	if err != nil {
		return nil, err
	}
	study, err := NewStudy(plan)
	if err != nil {
		return nil, err
	}
	return &Family{study, key, UncompressedKey(s)}, nil
}

// Exact returns the exact output. It runs the program without a machine if no run of the
// family has done so.
func (f *Family) Exact() (*Exact, error) {
	s := f.study
	if err := s.RunFunctional(); err != nil {
		return nil, err
	}
	return &Exact{f.exactKey, s.exact, s.printed, s.threadInstructions, s.warpInstructions}, nil
}

// UseExact takes the exact output of another family. It refuses one that another program,
// size, input, seed or limit has made.
func (f *Family) UseExact(e *Exact) error {
	if e.key != f.exactKey {
		return fmt.Errorf("the exact output belongs to another program than %s: give one with the same ExactKey", f.study.plan.Program.Name)
	}
	s := f.study
	s.exact, s.threadInstructions, s.warpInstructions = e.output, e.threadInstructions, e.warpInstructions
	s.printed, s.known, s.exactRun = e.printed, true, nil
	return nil
}

// Run prepares the run of a scenario of the family.
func (f *Family) Run(s *scenario.Scenario) (*Run, error) {
	if UncompressedKey(s) != f.key {
		return nil, fmt.Errorf("scenario %s differs from %s in more than its scheme: run it in another family", scenario.ShortHash(s.Hash()), f.study.plan.Program.Name)
	}
	return f.study.Run(f.plan(s), Options{}), nil
}

func (f *Family) plan(s *scenario.Scenario) *Plan {
	plan := f.study.plan.With(s.Scheme)
	plan.ScenarioHash = s.Hash()
	return plan
}

// Resume prepares the run of a scenario of the family that continues from a stored state
// (Study.Resume).
func (f *Family) Resume(s *scenario.Scenario, build string, from io.Reader) (*Run, error) {
	return f.study.Resume(f.plan(s), Options{}, build, from)
}

// Uncompressed is one simulation without compression.
type Uncompressed struct {
	// Result is the result of the scenario without compression.
	Result *Result
	plan   *Plan
	blocks *tape
}

// Uncompressed simulates the program once without compression. From this simulation later
// runs of the family take the symbol statistics for offline probabilities: those of every
// coded scenario in users. It keeps the blocks that cross the controllers if traffic is set.
func (f *Family) Uncompressed(users []*scenario.Scenario, traffic bool) (*Uncompressed, error) {
	u := &Uncompressed{plan: f.study.plan.With(uncompressed(f.study.plan.Memory.MAG()))}
	u.plan.ScenarioHash = f.key
	var watch observers
	counts, err := countsFor(users)
	if err != nil {
		return nil, err
	}
	if counts != nil {
		watch = append(watch, &counter{counts})
	}
	if traffic {
		all, err := codecs.NewTrainer(trafficCodecs()...)
		if err != nil {
			return nil, err
		}
		u.blocks = newTape(all)
		watch = append(watch, u.blocks)
	}
	r := f.study.Run(u.plan, Options{})
	if len(watch) > 0 {
		r.observer = watch
	}
	if u.Result, err = r.Finish(); err != nil {
		return nil, err
	}
	if counts != nil {
		f.study.profiles = append(f.study.profiles, &profile{mag: u.plan.Memory.MAG(), counts: counts, complete: true})
	}
	return u, nil
}

// countsFor returns a trainer for all offline probabilities of some scenarios, nil if they
// need none.
func countsFor(users []*scenario.Scenario) (*codecs.Trainer, error) {
	var names []string
	for _, s := range users {
		if NeedsStatistics(s) {
			names = append(names, codingOf(&s.Memory))
		}
	}
	if names == nil {
		return nil, nil
	}
	return codecs.NewTrainer(names...)
}

// NeedsStatistics reports whether a scenario's code tables are made from the blocks of a
// run without compression.
func NeedsStatistics(s *scenario.Scenario) bool {
	return needsStatistics(&s.Memory) && !s.Memory.Online()
}

// Traffic sizes the kept blocks under every codec. It can be called once, because it frees
// the blocks.
func (u *Uncompressed) Traffic() (*Traffic, error) {
	r := newTraffic(u.plan, u.blocks)
	u.blocks = nil
	err := r.keep()
	for done := false; !done && err == nil; {
		done, err = r.Step(stepCycles)
	}
	if err != nil {
		return nil, err
	}
	return r.Traffic(), nil
}

// observers show every block to each of them, in order.
type observers []memctrl.Observer

func (o observers) Observe(line *mem.Line) {
	for _, one := range o {
		one.Observe(line)
	}
}
