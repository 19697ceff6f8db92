package experiment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/ptx/execute"
	tapefile "github.com/burstscope/burstscope/core/tape"
)

// A stored run is: storedMagic; its build, version and scenario; its numbers (u64); the exact
// output of each buffer; what the program has printed; the symbol statistics; and the state of the machine. Each but
// the first, the numbers and the last has its length before it (u32). A stored run holds what took
// time; everything else is made again from the scenario.

const storedMagic = "burstscope run 1\n"

// storedNumbers are the numbers of a stored run.
type storedNumbers struct{ Phase, ThreadInstructions, WarpInstructions, Outputs uint64 }

// ErrNothingToStore is the answer of WriteState while the run has no machine, or searches a
// plan: so far it can only begin anew.
var ErrNothingToStore = errors.New("the run has no state to store yet")

// WriteState stores the run, for Resume. build names the program, because the bytes are those
// of its memory. It returns ErrNothingToStore or machine.ErrNotNow if a state cannot be stored at
// this moment, but can later.
func (r *Run) WriteState(w io.Writer, build string) error {
	if r.plan.CheckDRAM || r.plan.Paranoid || r.plan.Logs || r.plan.Power || r.tap != nil || r.observer != nil {
		return errors.New("a run that is watched cannot be stored: " +
			"leave out --check-dram, --paranoid, --phases, --power and --trace")
	}
	if err := r.study.settle(); err != nil {
		return err
	}
	if r.err != nil || r.phase == PhaseDone || !r.study.known || len(r.searches) > 0 {
		return ErrNothingToStore
	}
	m, counts := r.machine, r.statistics()
	if r.phase == PhaseProfile {
		if m = r.Profiler(); m == nil {
			return ErrNothingToStore
		}
	}
	if _, err := io.WriteString(w, storedMagic); err != nil {
		return err
	}
	for _, text := range []string{build, Version, r.plan.ScenarioHash} {
		if err := tapefile.WritePart(w, []byte(text)); err != nil {
			return err
		}
	}
	numbers := storedNumbers{uint64(r.phase), r.study.threadInstructions, r.study.warpInstructions, uint64(len(r.study.exact))}
	if err := binary.Write(w, binary.LittleEndian, &numbers); err != nil {
		return err
	}
	var samples []byte
	if counts != nil {
		samples = counts.AppendBinary(nil)
	}
	printed := appendPrinted(nil, &r.study.printed)
	for _, b := range append(slices.Clip(r.study.exact), printed, samples) {
		if err := tapefile.WritePart(w, b); err != nil {
			return err
		}
	}
	return m.WriteState(w)
}

// statistics returns the symbol statistics that the run has collected or collects, nil if it
// needs none.
func (r *Run) statistics() *codecs.Trainer {
	if !r.offline() {
		return nil
	}
	if p := r.study.profileOf(&r.plan.Memory); p != nil {
		return p.counts
	}
	return nil
}

// offline reports whether the run's codes are made from a run without compression.
func (r *Run) offline() bool {
	return needsStatistics(&r.plan.Memory) && r.plan.Memory.Probabilities() == "offline"
}

// Resume prepares a run that continues where another run of the same plan was stored. It
// refuses a state of another scenario, version or build.
func (s *Study) Resume(p *Plan, o Options, build string, from io.Reader) (*Run, error) {
	r := s.Run(p, o)
	h, err := readNumbers(from, build, p.ScenarioHash)
	switch {
	case err != nil:
		return nil, err
	case h.Outputs != uint64(len(p.Program.Outputs())):
		return nil, fmt.Errorf("it has %d output buffers, and %s has %d", h.Outputs, p.Program.Name, len(p.Program.Outputs()))
	case h.Phase != uint64(PhaseProfile) && h.Phase != uint64(PhaseSimulate):
		return nil, fmt.Errorf("it was stored in phase %d, which has no state", h.Phase)
	}
	s.exact = nil
	for _, i := range p.Program.Outputs() {
		b, err := tapefile.ReadPart(from, p.Program.Buffers[i].Bytes)
		if err != nil {
			return nil, err
		}
		s.exact = append(s.exact, b)
	}
	printed, err := tapefile.ReadPart(from, 8+execute.PrintedBytes)
	if err != nil {
		return nil, err
	}
	if s.printed, err = parsePrinted(printed); err != nil {
		return nil, err
	}
	s.threadInstructions, s.warpInstructions, s.known, s.exactRun = h.ThreadInstructions, h.WarpInstructions, true, nil
	if err := r.resumeStatistics(Phase(h.Phase), from); err != nil {
		return nil, err
	}
	if Phase(h.Phase) == PhaseProfile {
		r.phase = PhaseProfile
		return r, restored(r.Profiler(), from)
	}
	// All that comes before the machine is known or made again. A plan of modes is in its state.
	r.resumed = true
	for r.phase != PhaseSimulate {
		if _, err := r.Step(stepCycles); err != nil {
			return nil, err
		}
	}
	return r, restored(r.machine, from)
}

// resumeStatistics gives the study the statistics of a stored run.
func (r *Run) resumeStatistics(phase Phase, from io.Reader) error {
	b, err := tapefile.ReadPart(from, maxStatisticsBytes)
	if err != nil || !r.offline() {
		return err
	}
	counts, err := codecs.ParseTrainer(b)
	if err != nil {
		return err
	}
	m := &r.plan.Memory
	if !counts.Serves(codingOf(m)) {
		return fmt.Errorf("its statistics do not serve %s", codingOf(m))
	}
	if phase == PhaseSimulate {
		r.study.profiles = append(r.study.profiles, &profile{mag: m.MAG(), counts: counts, complete: true})
		return nil
	}
	p, err := r.study.startProfile(m)
	if err == nil {
		*p.counts = *counts // the machine counts in p.counts
	}
	return err
}

// restored gives a machine its stored state. A state of other components, which no build
// writes, must not end the program.
func restored(m *machine.Machine, from io.Reader) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("it does not fit this machine: %v", fault)
		}
	}()
	return m.ReadState(from)
}

const (
	maxNameBytes = 1 << 10 // of a build, a version or a hash
	// maxStatisticsBytes: the counts of all 32-bit symbols of a large program have some
	// hundred megabytes [ours].
	maxStatisticsBytes = 1 << 30
)

// readNumbers reads the beginning of a stored run, which must be one of this build and scenario.
func readNumbers(from io.Reader, build, scenarioHash string) (*storedNumbers, error) {
	magic := make([]byte, len(storedMagic))
	if _, err := io.ReadFull(from, magic); err != nil || string(magic) != storedMagic {
		return nil, errors.New("it is not the state of a run")
	}
	var names [3]string
	for i := range names {
		b, err := tapefile.ReadPart(from, maxNameBytes)
		if err != nil {
			return nil, err
		}
		names[i] = string(b)
	}
	if names[2] != scenarioHash {
		return nil, fmt.Errorf("it belongs to the scenario with the hash %.12s, and this one has %.12s", names[2], scenarioHash)
	}
	if names[0] != build || names[1] != Version {
		return nil, fmt.Errorf("it was written by another build of the program (version %s), and only that build can read it", names[1])
	}
	h := &storedNumbers{}
	return h, binary.Read(from, binary.LittleEndian, h)
}

// Reached returns the cycle of the machine that the run works with, 0 without one.
func (r *Run) Reached() (Phase, uint64) {
	m := r.machine
	if r.phase == PhaseProfile {
		m = r.Profiler()
	}
	if m == nil {
		return r.phase, 0
	}
	return r.phase, uint64(m.Now())
}
