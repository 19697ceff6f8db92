package experiment

import (
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Progress is the progress of one phase of a run.
type Progress struct {
	Phase Phase
	// CTAs counts the CTAs that the phase has ended, or begun in PhaseReference. Of is the
	// number of CTAs of all launches.
	CTAs, Of uint64
	Cycles   sim.Cycle // of the machine that the phase runs, 0 without one
}

// Progress returns the progress of the run. It adds up the machine's counters, so do not
// call it every cycle.
func (r *Run) Progress() Progress {
	p := r.study.progress()
	m := r.machine
	switch r.phase {
	case PhaseReference:
		return p
	case PhaseProfile:
		m = r.Profiler()
	}
	p.Phase, p.CTAs = r.phase, 0
	if m != nil {
		p.CTAs, p.Cycles = ended(m), m.Now()
	}
	return p
}

func ended(m *machine.Machine) uint64 {
	s := m.Stats()
	return s[stat.CTAs]
}

// progress is the progress of the functional run.
func (s *Study) progress() Progress {
	p := Progress{Phase: PhaseReference}
	for i, l := range s.loaded.launches {
		p.Of += l.CTAs()
		if s.aside == nil && (s.known || s.exactRun != nil && i < s.exactRun.launch) {
			p.CTAs += l.CTAs()
		}
	}
	if s.aside != nil {
		return p // a later phase says how far it is
	}
	if r := s.exactRun; r != nil && r.run != nil {
		p.CTAs += r.run.Begun()
	}
	return p
}
