package claim

import (
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
	points  map[pointKey]*point // by their components; claims ask for the same points often
	safe    map[string]int      // buffers marked safe, by program
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
	p, err := pointOf(system, id, l.data, set)
	if err == nil {
		l.points[key] = p
	}
	return p, err
}
