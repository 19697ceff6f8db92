package experiment

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// Fill says how well a program fills its machine.
type Fill struct {
	CTAs    uint64  // of the largest launch
	Waves   float64 // how often those fill all SMs
	TimesL2 float64 // buffers over L2
}

// Fill compiles the plan's kernels but loads no buffers: it takes no time beside that of
// making the program.
func (p *Plan) Fill() (Fill, error) {
	spec, err := p.spec()
	if err != nil {
		return Fill{}, err
	}
	modules := make([]*compile.Module, len(p.Program.Modules)+1)
	f := Fill{TimesL2: float64(p.Program.FootprintBytes()) / float64(spec.L2Bytes())}
	for i := range p.Program.Launches {
		l := &p.Program.Launches[i]
		ctas := uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
		if ctas <= f.CTAs {
			continue
		}
		if modules[l.Module] == nil {
			text := p.Program.ModuleOf(l.Module)
			if modules[l.Module], err = compile.Load(text.File, text.PTX); err != nil {
				return Fill{}, err
			}
		}
		kernel, err := compile.Kernel(modules[l.Module], l.Entry, func(string) uint64 { return 0 })
		if err != nil {
			return Fill{}, err
		}
		launch := &ptx.Launch{Kernel: kernel, Grid: l.Grid, Block: l.BlockOn(kernel.ReqNTID, kernel.MaxNTID),
			DynamicSharedBytes: l.DynamicSharedBytes}
		if err := noRoom(i, launch, spec); err != nil {
			return Fill{}, err
		}
		room, _ := spec.SM.Occupancy(launch)
		f.CTAs, f.Waves = ctas, float64(ctas)/float64(room*spec.SMs)
	}
	return f, nil
}
