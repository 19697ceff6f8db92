package scenario

import (
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Program builds what a valid scenario runs.
func (s *Scenario) Program() (*workload.Program, error) {
	w := &s.Workload
	if w.PTX != nil {
		return w.PTX.program()
	}
	params := programs.Params{
		Size: w.Size, Data: w.Data,
		// The default seed, 1, is the workload's own: the published input.
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

// Base returns where device memory starts, 0 for the default.
func (s *Scenario) Base() mem.Addr {
	if s.Workload.PTX == nil {
		return 0
	}
	return s.Workload.PTX.Base
}
