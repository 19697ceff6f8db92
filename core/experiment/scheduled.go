package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/workload"
)

// schedule compiles the kernels of the launches again, in the order of the machine's list scheduler or with scalar
// loads. The exact run keeps what is written.
func (l *loaded) schedule(p *workload.Program, modules []*module, spec *parameter.GPU) error {
	l.timed = make([]*ptx.Launch, len(l.launches))
	kernels := map[*ptx.Kernel]*ptx.Kernel{}
	for i, written := range l.launches {
		k := kernels[written.Kernel]
		if k == nil {
			m := modules[written.Kernel.Module]
			var err error
			k, err = compile.Scheduled(m.Module, written.Kernel.Name, m.address,
				&compile.Schedule{Latency: spec.LatencyOf, AccessInterval: spec.AccessInterval(),
					Registers:   l.budget(written.Kernel, spec),
					Warps:       l.warps(written.Kernel, spec),
					ScalarLoads: spec.Compile == ptx.CompileScalarLoads})
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

// Scheduled says what the order of the machine's list scheduler costs in registers.
type Scheduled struct {
	Kernel string `json:"kernel"`
	// Written and Registers are the 32-bit registers of a thread as written and as scheduled.
	Written   int `json:"registersAsWritten"`
	Registers int `json:"registers"`
	// WrittenCTAs and CTAs are how many CTAs of the kernel's first launch an SM holds with them.
	WrittenCTAs int `json:"ctasAsWritten"`
	CTAs        int `json:"ctas"`
}

// String is a sentence for a report.
func (s *Scheduled) String() string {
	return fmt.Sprintf("%s, scheduled: %d registers a thread (%d as written), %d CTAs on an SM (%d)", s.Kernel,
		s.Registers, s.Written, s.CTAs, s.WrittenCTAs)
}

// scheduled lists the kernels in another order than the written one, nil without any.
func (l *loaded) scheduled(spec *parameter.GPU) (list []Scheduled) {
	if spec.Compile != ptx.CompileScheduled {
		return nil
	}
	var done []*ptx.Kernel
	for i, written := range l.launches {
		if k := l.timed[i].Kernel; k != written.Kernel && !slices.Contains(done, k) {
			done = append(done, k)
			s := Scheduled{Kernel: k.Name, Written: written.Kernel.RegistersPerThread, Registers: k.RegistersPerThread}
			s.WrittenCTAs, _ = spec.SM.Occupancy(written)
			s.CTAs, _ = spec.SM.Occupancy(l.timed[i])
			list = append(list, s)
		}
	}
	return list
}

// budget returns how many registers a thread of a kernel may take without a loss: in each of its launches an SM holds
// as many CTAs as with the registers of the written order, or all that the grid has for it.
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
		needed := heldCTAs(launch, spec)
		probe := *launch
		for probe.Registers = most; probe.Registers > k.RegistersPerThread; probe.Registers-- {
			if fit, _ := spec.SM.Occupancy(&probe); fit >= needed {
				break
			}
		}
		most = min(most, probe.Registers)
	}
	return max(most, k.RegistersPerThread)
}

// warps returns how many warps of a kernel each scheduler of an SM holds, the fewest of its launches.
func (l *loaded) warps(k *ptx.Kernel, spec *parameter.GPU) int {
	fewest := math.MaxInt
	for _, launch := range l.launches {
		if launch.Kernel != k {
			continue
		}
		fewest = min(fewest, heldCTAs(launch, spec)*launch.WarpsPerCTA()/spec.SM.Schedulers)
	}
	return fewest
}

// heldCTAs is how many CTAs of a launch an SM holds, or all that the grid has for it.
func heldCTAs(l *ptx.Launch, spec *parameter.GPU) int {
	ctas, _ := spec.SM.Occupancy(l)
	return int(min(uint64(ctas), (l.CTAs()+uint64(spec.SMs)-1)/uint64(spec.SMs)))
}
