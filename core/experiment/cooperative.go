package experiment

import "fmt"

// checkCooperative refuses a cooperative launch with more CTAs than the machine holds at once, as the driver does
// (cudaErrorCooperativeLaunchTooLarge; CUDA C++ Programming Guide, "Grid Synchronization"): a barrier of the grid would
// wait for ever.
func (s *Study) checkCooperative() error {
	for i, l := range s.loaded.timed {
		if !s.plan.Program.Launches[i].Cooperative {
			continue
		}
		perSM, limit := s.spec.SM.Occupancy(l)
		if fit := uint64(perSM * s.spec.SMs); l.CTAs() > fit {
			return fmt.Errorf("launch %d of %s is cooperative and has %d CTAs, but %s holds %d of them at once: "+
				"%d on each of its %d SMs, limited by %s "+
				"(the driver reports cudaErrorCooperativeLaunchTooLarge): use a grid of at most %d CTAs",
				i, l.Kernel.Name, l.CTAs(), s.spec.Name, fit, perSM, s.spec.SMs, limit, fit)
		}
	}
	return nil
}
