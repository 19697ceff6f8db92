package experiment

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// prepass is a run of a program without timing that an entry of a scheme watches before its machine is built.
type prepass struct {
	entry   string
	memory  scheme.Memory // under which blocks are coded
	scheme  codec.Scheme
	run     *reference // nil once the watcher has seen enough
	watcher system.Watcher
	looked  int // boundaries shown
}

// watched returns the prepass of an entry under a memory scheme, or nil if there is none yet.
func (s *Study) watched(entry string, m *scheme.Memory) *prepass {
	for _, p := range s.prepasses {
		if p.entry == entry && p.memory.Equal(*m) {
			return p
		}
	}
	return nil
}

// watchedEntries returns the entries of a plan that need a prepass.
func watchedEntries(p *Plan) (list []*system.Entry) {
	_ = p.Each(func(_ *system.Group, e *system.Entry, part system.Part) error {
		if e.Watches != nil && e.Watches(part) {
			list = append(list, e)
		}
		return nil
	})
	return list
}

// stepPrepass works on what an entry watches for about the given number of warp instructions, and reports whether the
// watcher has seen enough.
func (s *Study) stepPrepass(e *system.Entry, m *scheme.Memory, codes func() (codec.Scheme, error),
	instructions uint64) (done bool, err error) {
	p := s.watched(e.Name, m)
	if p == nil {
		p = &prepass{entry: e.Name, memory: *m}
		if p.run, err = s.reference(); err != nil {
			return false, err
		}
		if p.scheme, err = codes(); err != nil {
			return false, err
		}
		p.watcher = e.Watch(len(p.run.loaded.launches), p.run.loaded.image, p.scheme)
		s.prepasses = append(s.prepasses, p)
		p.look()
		return false, faultOf(m, p.scheme)
	}
	if p.run == nil {
		return true, nil
	}
	ended, err := s.stepLaunch(p.run, instructions)
	if ended {
		p.look()
	}
	if err == nil {
		err = faultOf(m, p.scheme)
	}
	return p.run == nil, err
}

// look shows the boundary before the next launch, and before those that the host has left out.
func (p *prepass) look() {
	for ; p.looked <= p.run.launch; p.looked++ {
		if p.watcher.Launch(p.looked, p.run.loaded.image) {
			p.run = nil
			return
		}
	}
}

// Watch runs a plan's program without timing and returns the watcher of an entry when it has seen enough, whatever
// entries the plan has.
func Watch(p *Plan, e *system.Entry) (system.Watcher, error) {
	s, err := NewStudy(p)
	if err != nil {
		return nil, err
	}
	codes := func() (codec.Scheme, error) { return schemeOf(&p.Memory, nil) }
	for {
		done, err := s.stepPrepass(e, &p.Memory, codes, stepCycles)
		if err != nil {
			return nil, err
		}
		if done {
			return s.watched(e.Name, &p.Memory).watcher, nil
		}
	}
}
