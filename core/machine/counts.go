package machine

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// KernelCounts is what the instructions of one kernel came to, over all its
// launches and all SMs.
type KernelCounts struct {
	Kernel *ptx.Kernel
	Counts []sm.Count // by index into Kernel.Code
}

// Counts returns the counts of every kernel of the program up to now, in the
// order of their first launches.
func (m *Machine) Counts() []KernelCounts {
	var list []KernelCounts
	seen := map[*ptx.Kernel]bool{}
	for i, l := range m.job.Launches {
		if seen[l.Kernel] {
			continue
		}
		seen[l.Kernel] = true
		counts := make([]sm.Count, len(l.Kernel.Code))
		for _, s := range m.sms {
			for pc, c := range s.Counts(i) {
				counts[pc].Add(&c)
			}
		}
		list = append(list, KernelCounts{l.Kernel, counts})
	}
	return list
}
