package claim

import (
	"fmt"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// Results are stored runs. Both methods return nil for a missing one.
type Results interface {
	Run(j *Job) *experiment.Result
	Traffic(j *Job) *experiment.Traffic
}

// Job is a run, or a measurement of traffic, that the predicates ask for.
type Job struct {
	Scenario *scenario.Scenario
	Traffic  bool
	Key      string // in a store
}

// TrafficSuffix is what the key of a measurement of traffic ends with.
const TrafficSuffix = ".traffic"

// NewJob returns the run of a scenario, or the measurement of its traffic, which is
// the same for every memory scheme.
func NewJob(s *scenario.Scenario, traffic bool) *Job {
	if !traffic {
		return &Job{s, false, s.Hash()}
	}
	plain := *s
	plain.Scheme = scheme.Default()
	return &Job{&plain, true, plain.Hash() + TrafficSuffix}
}

// Ledger evaluates claims over results on inputs of one mode.
type Ledger struct {
	results Results
	data    Data
	sizes   map[string]int      // of programs, in place of those for studies
	points  map[pointKey]*point // by their components; claims ask for the same points often
	safe    map[string]int      // buffers marked safe, by program
}

// AtSizes makes the ledger ask for runs at other sizes than those for studies, by the papers'
// names of programs. The sets hold only the programs with a size.
func (l *Ledger) AtSizes(sizes map[string]int) *Ledger {
	l.sizes = sizes
	return l
}

// workloadOf returns the workload of a paper's program in this ledger.
func (l *Ledger) workloadOf(id string) (scenario.Workload, error) {
	w, err := WorkloadOf(id, l.data)
	if err == nil && l.sizes != nil {
		if w.Size = l.sizes[id]; w.Size == 0 {
			return w, fmt.Errorf("program %s is left out here", id)
		}
	}
	return w, err
}

type pointKey struct {
	system, id string
	settings   settings
}

// NewLedger returns a ledger over results; nil means no results.
func NewLedger(results Results, data Data) *Ledger {
	if results == nil {
		results = none{}
	}
	return &Ledger{results: results, data: data, points: map[pointKey]*point{}, safe: map[string]int{}}
}

func (l *Ledger) point(system, id string, set settings) (*point, error) {
	key := pointKey{system, id, set}
	if p := l.points[key]; p != nil {
		return p, nil
	}
	w, err := l.workloadOf(id)
	if err != nil {
		return nil, err
	}
	p, err := pointOf(system, w, set)
	if err == nil {
		l.points[key] = p
	}
	return p, err
}
