package experiment

import (
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/system"
)

// Rewritable returns the error that a plan's program has if an entry of its scheme cannot rewrite it.
func (s *Study) Rewritable(p *Plan) error {
	_, err := s.programOf(p)
	return err
}

// programOf returns the program that a plan runs: the study's own, or the same buffers with the text that an entry of
// the scheme has made of it. The exact output always comes from the study's own program.
func (s *Study) programOf(p *Plan) (*loaded, error) {
	program, rewritten := *s.plan.Program, false
	err := p.Scheme.Each(func(_ *system.Group, e *system.Entry, part system.Part) (err error) {
		if e.Rewrite == nil {
			return nil
		}
		buffers := &approximate.Program{Launches: s.loaded.launches, Buffers: s.loaded.image.Allocations()}
		program.PTX, err = e.Rewrite(part, &program, buffers)
		rewritten = true
		return err
	})
	if err != nil {
		return nil, err
	}
	if !rewritten {
		return s.loaded.copy(), nil
	}
	return load(&program, s.plan.Base, s.spec)
}
