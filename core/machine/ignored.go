package machine

import (
	"slices"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/ptx"
)

// IgnoredHints lists what the kernels ask of the caches and this machine does not do, each word once.
func (m *Machine) IgnoredHints() (list []ptx.IgnoredHint) {
	s := m.spec
	limits := ptx.HintLimits{
		Name: s.Name, PastL1: !s.SM.L1Loads,
		StoresDrop: s.SM.L1.Stores == cache.StoreDrop || m.job.L1 != nil || m.job.Loads != nil,
		WholeLines: !s.L2.SectorFill, NoSecondLine: s.L2.WriteMiss == cache.WriteFetch,
	}
	var kernels []*ptx.Kernel
	for _, l := range m.job.Launches {
		if slices.Contains(kernels, l.Kernel) {
			continue
		}
		kernels = append(kernels, l.Kernel)
		for _, x := range ptx.IgnoredHints(l.Kernel, &limits) {
			if !slices.ContainsFunc(list, func(y ptx.IgnoredHint) bool { return x.Word == y.Word }) {
				list = append(list, x)
			}
		}
	}
	return list
}
