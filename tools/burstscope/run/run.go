package run

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe/perfetto"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/loads"
)

const runHelp = `usage: burstscope run SCENARIO [--set path=value]... [--codec NAME|FILE.wasm]
                      [--approximate LOADS] [--source] [--launches] [--power]
                      [--check-dram] [--paranoid] [--checkpoint FILE] [--threads N]
                      [--trace FILE [--trace-limit MB]] [--phases FILE] [--on gpu] [--quiet]
                      [--format text|json|csv]

Runs a scenario with its memory scheme and prints the figures of the run.
SCENARIO is the name of a shipped scenario (dct, tp, bs, vecadd, matmul), or of a
program of burstscope workloads, which then runs without compression on gtx580b, or a
file: .yaml, .json (strict JSON) or .msgpack.

  --set path=value   change a value before the run; may be repeated.
                     Paths: machine.preset, workload.name, workload.size,
                     workload.data, memory.codec, memory.probabilities,
                     memory.decodingWays, memory.mag, memory.approximation,
                     memory.threshold, memory.latency (C/D cycles), seed, the paths
                     that burstscope scheme lists, and machine.overrides.PATH (see:
                     burstscope machine --help). A new workload.name resets size and
                     data to its own, so set it before them.
  --codec NAME       the same as --set memory.codec=NAME. A name that ends in .wasm is a
                     file with a codec of your own (see tools/plugin/README.md); that
                     holds for --set and sweep --vary too
  --approximate LOADS  predict the values of these loads and drop half of their misses
                     (loads.policy rfvp): marked, safe, KERNEL:LINES, KERNEL:BUFFERS, or
                     profile for the critical ones (see: burstscope loads --help)
  --source           also print the figures of each line of the PTX and of its CUDA
                     source: executions (warp instructions), average active lanes,
                     L1 misses, bytes between L1 and L2, and stall cycles. A stall
                     counts for the line that the oldest warp waited to issue.
                     In csv: one row for each line instead of the figures
  --launches         also print a table of the launches, and one of the kernels. In csv: one
                     row for each launch and kernel instead of the figures, with every
                     counter, metric and stall; json has them always. Figures of a
                     launch begin where those of the launch before it end: in the cycle
                     in which the last CTA of that has ended, for L2 and DRAM when the
                     next requests can reach them. The last launch has the work after
                     it, so the launches add up to the run (levels, such as
                     busPendingCycles, are those at the end). After 256 launches the
                     others are in the figures of their kernels only. A kernel lasts
                     from the begin of its first launch to the end of its last one
  --power            also print the power over time, in at most 257 windows of equal
                     length, from the counters and energies of the total: windows add
                     up to it. In csv: one row for each window, with energy and watts of
                     each part; in json: one object, power
  --trace FILE       also write every event of the run as Chrome trace-event JSON,
                     which ui.perfetto.dev and chrome://tracing open; compressed
                     if FILE ends in .gz. Results stay the same
  --trace-limit MB   bound of the trace before compression, default 64; later events
                     are left out, and the file gives their number
  --phases FILE      also write the phases of a compressed L1 as CSV: for each phase of
                     each SM its mode, its latency tolerance, and the hits, misses,
                     latencies and AMATs by which the policy chose the mode. An SM
                     with more than 512 phases keeps every second one, then every
                     fourth, and so on
  --check-dram       compare every DRAM command with the device's specification; a
                     violation ends in an error. Results stay the same
  --paranoid         compare every block that is stored or read with an exact copy
                     of memory, and decode every compressed line that hits in L1;
                     a byte that changed and must not is an error
  --checkpoint FILE  store the state of the run in FILE every minute, and at Ctrl-C or
                     SIGTERM. If FILE exists, go on from there, to the same result. Only
                     the build that wrote FILE can read it. It is deleted at the end
  --threads N        let up to N threads (1 to 32) work on the run, by default one for each
                     core on GPUs of at least 32 SMs: SMs that are due in a cycle tick
                     side by side, and so do memory controllers. Results, events and
                     stored states stay the same. A run keeps to one thread, and says
                     why, with a scheme of the L1, a policy for loads, clusters of
                     CTAs, or fewer than 8 SMs
  --format           text: a table with units; json: one object with every
                     counter under stats; csv: a header and a line
` + gpuHelp + `
A run of more than five seconds prints its progress on stderr, unless --quiet is given.

examples:
  burstscope run dct
  burstscope run dct --set memory.approximation=none
  burstscope run kmeans --codec bpc
  burstscope run vecadd --codec mine.wasm
  burstscope run tp --set memory.mag=64 --set memory.threshold=32 --format json
  burstscope run matmul --set workload.size=64 --source
  burstscope run vecadd --set machine.preset=mini --set memory.codec=none
  burstscope run dct --trace dct.json.gz
  burstscope run bfs.yaml --set l1.store=latte --phases phases.csv
  burstscope run tp --check-dram --paranoid
  burstscope run matmul --on gpu
  burstscope run tp --set workload.size=1024 --checkpoint tp.state
`

func runScenario(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	flags.Func("codec", "", func(name string) error {
		*sets = append(*sets, cli.Assignment{Path: "memory.codec", Value: name})
		return nil
	})
	format := cli.FormatFlag(flags, "text", "json", "csv")
	with := tableFlags(flags)
	checkDRAM := flags.Bool("check-dram", false, "")
	paranoid := flags.Bool("paranoid", false, "")
	trace := cli.FileFlag(flags, "trace")
	traceLimit := flags.Int("trace-limit", perfetto.DefaultMaxBytes/1_000_000, "")
	phases := cli.FileFlag(flags, "phases")
	approximate := flags.String("approximate", "", "")
	checkpoint := cli.FileFlag(flags, "checkpoint")
	quiet := flags.Bool("quiet", false, "")
	threads := threadsFlag(flags)
	gpu := gpuFlags(flags)
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "scenario")); err != nil {
		return err
	}
	if err := errors.Join(with.check(*format), gpu.check(*format, with)); err != nil {
		return err
	}
	if name == "" {
		return cli.Usagef("no scenario: burstscope run: name one of %s, or a file", strings.Join(scenarios.Names(),
			", "))
	}
	s, err := cli.LoadScenario(name)
	if err != nil {
		return err
	}
	if err := loads.Approximated(s, *sets, *approximate); err != nil {
		return err
	}
	plan, err := experiment.PlanBy(s, threads.give)
	if err != nil {
		return err
	}
	plan.Power = with.power
	plan.CheckDRAM, plan.Paranoid, plan.Logs = *checkDRAM, *paranoid, *phases != ""
	if l1 := scheme.Find("l1"); plan.Logs && l1.Entry(plan.L1.Choice(l1)).Log == nil {
		return fmt.Errorf("--phases: L1 has no policy, so it has no phases: set l1.store to one of burstscope scheme, such as latte")
	}
	m := NewMeter()
	if *quiet {
		m.Out = io.Discard
	}
	run := func() (*experiment.Result, error) { return Finish(plan, m) }
	switch {
	case *checkpoint != "" && (*trace != "" || *phases != "" || *checkDRAM || *paranoid || with.power):
		return cli.Usagef("--checkpoint: what --trace, --phases, --power, --check-dram and --paranoid see " +
			"is not in the state: leave out one of them")
	case *checkpoint != "":
		run = func() (*experiment.Result, error) { return kept(plan, *checkpoint, m) }
	case *trace != "":
		run = func() (*experiment.Result, error) { return traced(plan, *trace, *traceLimit, m) }
	}
	result, err := run()
	if err != nil {
		return printedBefore(out, *format, cli.OfModule(*sets, err))
	}
	threads.explain(m.Out, result)
	if *phases != "" {
		if err := disk.WriteWith(*phases, func(w io.Writer) error { return printPhases(w, experiment.Reported[latte.Phases](result).Log) }); err != nil {
			return err
		}
	}
	return report(out, *format, with, s.Title, result, gpu.runner(plan.Program, result))
}
