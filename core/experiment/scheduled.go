package experiment

import (
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/workload"
)

// schedule compiles the kernels of the launches again, in the order of the machine's list scheduler. The exact run keeps
// the written order.
func (l *loaded) schedule(p *workload.Program, modules []*module, spec *parameter.GPU) error {
	l.timed = make([]*ptx.Launch, len(l.launches))
	kernels := map[*ptx.Kernel]*ptx.Kernel{}
	for i, written := range l.launches {
		k := kernels[written.Kernel]
		if k == nil {
			m := modules[written.Kernel.Module]
			var err error
			k, err = compile.Scheduled(m.Module, written.Kernel.Name, m.address,
				&compile.Schedule{Latency: spec.LatencyOf, Registers: l.budget(written.Kernel, spec)})
			if err != nil {
				return err
			}
			k.Module = written.Kernel.Module
			if p.RoundProducts {
				k.RoundProducts()
			}
			kernels[written.Kernel] = k
		}
		launch := *written
		launch.Kernel = k
		l.timed[i] = &launch
	}
	return nil
}

// budget returns how many registers a thread of a kernel may take without a loss: in each of its launches an SM holds as
// many CTAs as with the registers of the written order, or all that the grid has for it.
func (l *loaded) budget(k *ptx.Kernel, spec *parameter.GPU) int {
	most := ptx.MaxRegistersPerThread
	if k.MaxRegisters > 0 {
		most = k.MaxRegisters
	}
	for _, launch := range l.launches {
		if launch.Kernel != k {
			continue
		}
		if launch.RegistersPerThread() != k.RegistersPerThread {
			return k.RegistersPerThread // setmaxnreg moves them
		}
		ctas, _ := spec.SM.Occupancy(launch)
		needed := min(uint64(ctas), (launch.CTAs()+uint64(spec.SMs)-1)/uint64(spec.SMs))
		probe := *launch
		for probe.Registers = most; probe.Registers > k.RegistersPerThread; probe.Registers-- {
			if fit, _ := spec.SM.Occupancy(&probe); uint64(fit) >= needed {
				break
			}
		}
		most = min(most, probe.Registers)
	}
	return max(most, k.RegistersPerThread)
}
