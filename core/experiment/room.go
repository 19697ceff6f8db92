package experiment

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx"
)

// checkRoom refuses a launch of which an SM has no room for one CTA.
func (s *Study) checkRoom() error {
	for i, l := range s.loaded.timed {
		if err := noRoom(i, l, s.spec); err != nil {
			return err
		}
	}
	return nil
}

// noRoom is why no CTA of a launch fits an SM, nil if one does. It names the presets on which one does.
func noRoom(launch int, l *ptx.Launch, spec *parameter.GPU) error {
	n, limit := spec.SM.Occupancy(l)
	if n > 0 {
		return nil
	}
	f := fault.Fault{Path: "machine.preset", Mend: "use smaller CTAs", Message: fmt.Sprintf("launch %d: a CTA of %s does "+
		"not fit an SM of %s: too little room for its %s (%d warps, %d registers a thread, %d bytes of shared memory)",
		launch, l.Kernel.Name, spec.Name, limit, l.WarpsPerCTA(), l.RegistersPerThread(), l.SharedBytes())}
	var others []string
	for _, name := range preset.Names() {
		if gpu, err := preset.GPU(name); err == nil {
			if n, _ := gpu.SM.Occupancy(l); n > 0 {
				others = append(others, name)
				f.Fixes = append(f.Fixes, fault.Fixes("machine.preset", name)...)
			}
		}
	}
	if len(others) > 0 {
		f.Mend += ", or one of " + strings.Join(others, ", ")
	}
	return &fault.Errors{List: []fault.Fault{f}}
}
