package experiment

import "fmt"

// checkClusters refuses a launch of which the machine cannot hold one cluster: all its CTAs run at the same time
// (CUDA C++ Programming Guide, Thread Block Clusters; the driver reports cudaErrorClusterOutOfResources).
func (s *Study) checkClusters() error {
	for i, l := range s.loaded.timed {
		n := l.CTAsPerCluster()
		if n == 1 {
			continue
		}
		perSM, limit := s.spec.SM.Occupancy(l)
		if fit := uint64(perSM * s.spec.SMs); n > fit {
			return fmt.Errorf("launch %d of %s has clusters of %d CTAs, but %s holds %d at once: %d on each of "+
				"its %d SMs, "+
				"limited by %s: use smaller clusters", i, l.Kernel.Name, n, s.spec.Name, fit, perSM, s.spec.SMs, limit)
		}
	}
	return nil
}
