package scenario

import "github.com/burstscope/burstscope/core/scheme"

// Unguided returns the scenario without its view and lesson.
func (s *Scenario) Unguided() *Scenario {
	only := *s
	only.Lesson, only.View = nil, nil
	return &only
}

// Sides returns the scenarios of both sides of a comparison as the page runs them: A with
// the compared scheme, B with the scenario's own.
func (s *Scenario) Sides() (a, b *Scenario) {
	a, b = s.Unguided(), s.Unguided()
	a.Scheme = scheme.Default()
	if s.Compare != nil {
		a.Scheme = s.Compare.Scheme
	}
	a.Compare, b.Compare = nil, nil
	return a, b
}
