package scenario

import (
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Program builds the program of a valid scenario.
func (s *Scenario) Program() (*workload.Program, error) { return s.ProgramBy(1) }

// ProgramBy is Program, with a number of threads for the inputs, which are the same with any.
func (s *Scenario) ProgramBy(threads int) (*workload.Program, error) {
	w := &s.Workload
	if w.PTX != nil {
		return w.PTX.program()
	}
	params := programs.Params{
		Size: w.Size, Data: w.Data, Threads: threads,
		// The default seed, 1, selects the published input of the workload.
		Seed: s.Seed - 1,
	}
	if len(w.Image) > 0 {
		image, err := programs.DecodePNG(w.Image)
		if err != nil {
			return nil, fault.At("workload.image", strings.TrimPrefix(err.Error(), "workload: "), "give another .png file")
		}
		params.Image = image
	}
	return programs.Build(w.Name, params)
}

// Base returns the first address of device memory, 0 for the default.
func (s *Scenario) Base() mem.Addr {
	if s.Workload.PTX == nil {
		return 0
	}
	return s.Workload.PTX.Base
}
