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

// Ledger evaluates claims over results in one reading.
type Ledger struct {
	results Results
	reading Reading
	sizes   map[string]int      // of programs, in place of the reading's
	points  map[pointKey]*point // by their components; claims ask for the same points often
	safe    map[string]int      // buffers marked safe, by program
	own     *Paper              // the folder whose words rows may use; nil: the row's shipped paper
}

// Reading returns how the ledger evaluates claims.
func (l *Ledger) Reading() Reading { return l.reading }

// AtSizes makes the ledger ask for runs at other sizes than its reading's, by the papers'
// names of programs. The sets hold only the programs with a size.
func (l *Ledger) AtSizes(sizes map[string]int) *Ledger {
	l.sizes = sizes
	return l
}

type pointKey struct {
	paper, system, id string
	settings          settings
	draw              draw
}

// NewLedger returns a ledger over results on the default machine; nil means no results.
func NewLedger(results Results, data Data) *Ledger { return Reading{Data: data}.Ledger(results) }

// point returns a system on a program of the session's paper.
func (s *session) point(system, id string, set settings) (*point, error) {
	if set.loss > 0 {
		return s.atLoss(system, id, set)
	}
	key := pointKey{s.paper, system, id, set, s.under}
	if p := s.points[key]; p != nil {
		return p, nil
	}
	w, err := s.workloadOf(s.paper, id)
	if err != nil {
		return nil, err
	}
	p, err := s.folderOf(s.paper).pointOf(s.reading.Of(s.paper), system, id, w, set)
	if err == nil {
		p, err = s.under.of(p)
	}
	if err == nil {
		s.points[key] = p
	}
	return p, err
}
