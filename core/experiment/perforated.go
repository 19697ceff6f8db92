package experiment

import (
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// perforates reports whether loops of a plan's program skip iterations.
func perforates(p *Plan) bool { return p.Loads.Choice(scheme.Find("loads")) == rfvp.Perforation }

// Perforable returns the error that a plan's program has if none of its loops can skip iterations.
func (s *Study) Perforable(p *Plan) error {
	_, err := s.programOf(p)
	return err
}

// programOf returns the program that a plan runs: the study's own, or the same buffers with loops that skip
// iterations. The exact output is always that of the study's own.
func (s *Study) programOf(p *Plan) (*loaded, error) {
	if !perforates(p) {
		return s.loaded.copy(), nil
	}
	if len(s.plan.Program.Modules) > 0 {
		return nil, fault.At("loads.policy",
			"loops are perforated in programs of one module without fills and copies", "use another policy")
	}
	which, err := approximate.Parse(p.Loads.Word("which"))
	if err != nil {
		return nil, fault.At("loads.which", err.Error(), approximate.Mend)
	}
	list, err := which.Loads(&approximate.Program{Launches: s.loaded.launches, Buffers: s.loaded.image.Allocations()})
	if err != nil {
		return nil, fault.At("loads.which", err.Error(), approximate.Mend)
	}
	perforated, err := approximate.Perforate(string(s.plan.Program.PTX), s.loaded.launches, list, p.Loads.Int("skip"))
	if err != nil {
		return nil, fault.At("loads.which", err.Error(), "name a load in a loop without barriers, whose end does not depend on loaded values")
	}
	program := *s.plan.Program
	program.PTX = []byte(perforated.Text)
	return load(&program, s.plan.Base, s.spec.MemoryBytes, s.spec.Placement)
}
