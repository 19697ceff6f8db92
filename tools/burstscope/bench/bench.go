package bench

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const benchHelp = `usage: burstscope bench [--format text|json]

Measures how many warp instructions a second the timing model simulates here, without
compression, best of three: three programs on the gtx480 preset, and a matrix product
with wgmma on h100, with the operations of the tensor cores, two for each product that is
added. The time covers the run alone, without building the inputs and the exact output.
The column GPGPU-Sim gives the speed of GPGPU-Sim 4.2 on one core of a server, for a
kernel of the same kind and size.

example:
  burstscope bench --format json
`

// benchmark is a program whose speed is measured.
type benchmark struct {
	workload, preset string
	size             int
	// reference is GPGPU-Sim's speed with its SM2_GTX480 configuration, in warp
	// instructions per CPU second [own measurement]; 0 for a program that it does not run.
	reference float64
}

func benchmarks() []benchmark {
	return []benchmark{{"vecadd", "gtx480", 262144, 16400}, {"transpose", "gtx480", 512, 17400},
		{"matmul", "gtx480", 128, 30300}, {"hoppergemm", "h100", 512, 0}}
}

// Rounds is the number of runs of each program. The fastest run counts,
// because other work on the host can only slow a run down.
const Rounds = 3

// measured is one line of the table.
type measured struct {
	Name                      string  `json:"name"`
	Target                    string  `json:"target"`
	WarpInstructions          uint64  `json:"warpInstructions"`
	Cycles                    uint64  `json:"cycles"`
	Seconds                   float64 `json:"seconds"`
	WarpInstructionsPerSecond float64 `json:"warpInstructionsPerSecond"`
	CyclesPerSecond           float64 `json:"cyclesPerSecond"`
	// Functional is the speed without a machine (exec --functional).
	Functional float64 `json:"functionalWarpInstructionsPerSecond"`
	// Allocations is the number of heap allocations while simulating.
	Allocations        uint64  `json:"allocations"`
	GPGPUSimPerSecond  float64 `json:"gpgpuSimWarpInstructionsPerSecond"`
	TimesGPGPUSimSpeed float64 `json:"timesGPGPUSim"`
	// TensorOperationsPerSecond are those of the tensor cores, 0 for a program without them.
	TensorOperationsPerSecond float64 `json:"tensorOperationsPerSecond"`
}

func bench(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "json")
	if err := cli.Parse(flags, args, func(word string) error { return cli.Usagef("unexpected word: burstscope bench %s", word) }); err != nil {
		return err
	}
	var table []measured
	for _, b := range benchmarks() {
		m, err := b.best(Rounds)
		if err != nil {
			return err
		}
		table = append(table, *m)
	}
	if *format == "json" {
		return cli.PrintJSON(out, table)
	}
	fmt.Fprintf(out, "%-16s %14s %12s %10s %16s %12s %16s %8s %16s %16s\n", "program", "warp instr.", "cycles", "seconds", "warp instr./s", "allocations", "GPGPU-Sim", "ratio", "functional", "tensor op./s")
	for _, m := range table {
		fmt.Fprintf(out, "%-16s %14s %12s %10.4f %16s %12s %14s/s %7.0fx %14s/s %16s\n", m.Name, cli.Group(m.WarpInstructions), cli.Group(m.Cycles), m.Seconds,
			cli.Group(uint64(m.WarpInstructionsPerSecond)), cli.Group(m.Allocations), cli.Group(uint64(m.GPGPUSimPerSecond)), m.TimesGPGPUSimSpeed, cli.Group(uint64(m.Functional)), cli.Group(uint64(m.TensorOperationsPerSecond)))
	}
	_, err := fmt.Fprintf(out, "\non %s, presets gtx480 and, for hoppergemm, h100; no compression, best of %d\n",
		target(), Rounds)
	return err
}

func target() string { return runtime.GOOS + "/" + runtime.GOARCH }

// best runs the benchmark and returns its fastest round.
func (b benchmark) best(rounds int) (*measured, error) {
	s := scenario.Default(b.workload)
	s.Machine.Preset, s.Workload.Size = b.preset, b.size
	study, plan, err := studyOf(s)
	if err != nil {
		return nil, err
	}
	best := &measured{Name: fmt.Sprintf("%s-%d", b.workload, b.size), Target: target(), GPGPUSimPerSecond: b.reference}
	for range rounds {
		if err := b.round(study, plan, best); err != nil {
			return nil, err
		}
	}
	best.WarpInstructionsPerSecond = float64(best.WarpInstructions) / best.Seconds
	if best.Functional, err = functionalSpeed(plan, rounds); err != nil {
		return nil, err
	}
	best.CyclesPerSecond = float64(best.Cycles) / best.Seconds
	if b.reference > 0 {
		best.TimesGPGPUSimSpeed = best.WarpInstructionsPerSecond / b.reference
	} else {
		n := float64(b.size)
		best.TensorOperationsPerSecond = 2 * n * n * n / best.Seconds
	}
	return best, nil
}

// studyOf plans a scenario and builds its inputs.
func studyOf(s *scenario.Scenario) (*experiment.Study, *experiment.Plan, error) {
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return nil, nil, err
	}
	study, err := experiment.NewStudy(plan)
	return study, plan, err
}

// functionalSpeed is the best of some runs without a machine.
func functionalSpeed(plan *experiment.Plan, rounds int) (perSecond float64, err error) {
	for range rounds {
		study, err := experiment.NewStudy(plan)
		if err != nil {
			return 0, err
		}
		begin := time.Now()
		if err := study.RunFunctional(); err != nil {
			return 0, err
		}
		perSecond = max(perSecond, float64(study.WarpInstructions())/time.Since(begin).Seconds())
	}
	return perSecond, nil
}

// round runs once and keeps the figures if they are better.
func (b benchmark) round(study *experiment.Study, plan *experiment.Plan, best *measured) error {
	r := study.Run(plan, experiment.Options{})
	for r.Phase() != experiment.PhaseSimulate {
		if _, err := r.Step(1 << 20); err != nil {
			return err
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	for done := false; !done; {
		var err error
		if done, err = r.Step(1 << 20); err != nil {
			return err
		}
	}
	seconds := time.Since(begin).Seconds()
	runtime.ReadMemStats(&after)
	if best.Seconds == 0 || seconds < best.Seconds {
		best.Seconds = seconds
		best.Allocations = after.Mallocs - before.Mallocs
		best.WarpInstructions = r.Machine().WarpInstructions()
		best.Cycles = uint64(r.Machine().Cycles())
	}
	return nil
}
