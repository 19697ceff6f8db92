package machine

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/silicon/correlate"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

const correlateHelp = `usage: burstscope correlate record --out FILE.csv [--only REGEX] [--repetitions N]
       burstscope correlate compare FILE.csv --preset NAME [--set PATH=VALUE]...
                            [--only REGEX] [--jobs N] [--format text|json|csv]
       burstscope correlate list [--only REGEX]
       burstscope correlate semantics [--out FILE.csv] [--cases FILE.json]...

Compares the simulator with an NVIDIA GPU: microbenchmarks (latencies, bandwidths, bank
conflicts, atomics, rates of instructions, launches) and the shipped programs.

record  runs every case on the GPU and writes a recording: a row for each case with the
        device, its clocks, the time of the launches (median, least and greatest of the
        repetitions, with cold caches), the figure of a microbenchmark, and whether the
        outputs are those of the simulator
compare simulates every case of a recording, without compression, and prints simulated
        beside measured values. At the end: the mean of |simulated - measured| /
        measured, the geometric mean of the ratios, and Karl Pearson's coefficient of
        correlation, of cycles (as Accel-Sim states it) and of their logarithms
list    the cases: the name that --only sees, the unit, and what is measured
semantics runs every instruction form of PTX on tables of operands, bit by bit against
        the simulator, and writes a recording of the answers; --cases names a file of
        kernels with operands, such as go test ./core/ptx/execute -run WriteCases
        -args -write-cases FILE.json writes

  --out FILE.csv     the recording
  --only REGEX       cases whose name matches, such as ^program/ or latency
  --preset NAME      the simulated machine
  --set PATH=VALUE   one of its values, as in burstscope machine --help
  --jobs N           simulations at a time, default one for each core
  --repetitions N    runs of each case that count, default 9
  --gpu-library FILE the driver's library (default libcuda.so.1, nvcuda.dll on Windows)
  --gpu N            number of the GPU, from 0 (default 0)

A time goes from an event of the driver before the first launch to one after the last,
so it holds the time of the launches. The cases launch/1 and launch/65 measure empty
kernels, on the GPU and on the simulator; compare adds the difference to the simulated
time of each program, for its first launch and for each further one. A program that
takes less than twice as long as empty kernels in its place is bound by launches; the
figures at the end are given with and without these.

examples:
  burstscope correlate record --out h200.csv
  burstscope correlate record --out latency.csv --only latency
  burstscope correlate compare h200.csv --preset h200 --only '^program/|/launch/'
  burstscope correlate semantics --out semantics-h200.csv
  burstscope correlate compare h200.csv --preset h200 --only latency --set sm.l1.latencyCycles=30
`

func correlateVerb(args []string, out io.Writer) error {
	if len(args) == 0 {
		return cli.Usagef("no action: burstscope correlate: say record, compare, list or semantics")
	}
	switch args[0] {
	case "record":
		return recordVerb(args[1:], out)
	case "compare":
		return compareVerb(args[1:], out)
	case "list":
		return listCases(args[1:], out)
	case "semantics":
		return semanticsVerb(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return cli.Usagef("unknown action: burstscope correlate %s: say record, compare, list or semantics", args[0])
}

// caseFlag declares --only.
func caseFlag(flags *flag.FlagSet) *[]correlate.Case {
	cases := correlate.Cases()
	flags.Func("only", "", func(text string) error {
		expression, err := regexp.Compile(text)
		if err != nil {
			return err
		}
		cases = nil
		for _, c := range correlate.Cases() {
			if expression.MatchString(c.Key()) {
				cases = append(cases, c)
			}
		}
		if len(cases) == 0 {
			return errors.New("no case matches: see burstscope correlate list")
		}
		return nil
	})
	return &cases
}

func listCases(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("correlate list", flag.ContinueOnError)
	cases := caseFlag(flags)
	if err := cli.Parse(flags, args, cli.NoWord); err != nil {
		return err
	}
	var b strings.Builder
	for _, c := range *cases {
		fmt.Fprintf(&b, "%-58s  %s\n", c.Key(), c.Describe())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// repetitionsMost bounds the runs of a typing error [ours].
const repetitionsMost = 1000

func recordVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("correlate record", flag.ContinueOnError)
	cases := caseFlag(flags)
	name := cli.FileFlag(flags, "out")
	repetitions := flags.Int("repetitions", 9, "")
	library := flags.String("gpu-library", "", "")
	ordinal := flags.Int("gpu", 0, "")
	if err := cli.Parse(flags, args, cli.NoWord); err != nil {
		return err
	}
	switch {
	case *name == "":
		return cli.Usagef("no file: burstscope correlate record: give --out FILE.csv")
	case *repetitions < 1 || *repetitions > repetitionsMost:
		return cli.Usagef("--repetitions %d: burstscope correlate record: use 1 to %d", *repetitions, repetitionsMost)
	}
	device, err := gpu.OpenDevice(*library, *ordinal)
	if err != nil {
		return err
	}
	defer device.Close()
	done, refused := 0, 0
	rows, err := correlate.Record(device, *cases, correlate.RecordOptions{Repetitions: *repetitions, Done: func(c correlate.Case, row *correlate.Row, err error) {
		if done++; err != nil {
			refused++
			fmt.Fprintf(out, "%4d of %d  %s  %v\n", done, len(*cases), c.Key(), err)
			return
		}
		fmt.Fprintf(out, "%4d of %d  %s  %s\n", done, len(*cases), c.Key(), rowLine(row))
	}})
	if len(rows) > 0 {
		err = errors.Join(err, disk.WriteWith(*name, func(w io.Writer) error {
			return correlate.WriteRecording(w,
				rows)
		}))
	}
	if err == nil && refused > 0 {
		err = fmt.Errorf("%d of %d cases have no row: the lines above say why", refused, len(*cases))
	}
	return err
}

// rowLine is a row as a person reads it.
func rowLine(r *correlate.Row) string {
	text := fmt.Sprintf("%.0f ns", r.Nanoseconds)
	if r.Unit != "" {
		text += fmt.Sprintf("  %.3f %s", r.Figure, r.Unit)
	}
	if r.FigureGreatest > 0 {
		text += fmt.Sprintf(" (%.3f to %.3f)", r.FigureLeast, r.FigureGreatest)
	}
	if r.OutputsEqual != "" {
		text += "  outputs equal: " + r.OutputsEqual
	}
	if r.FirstDifference != "" {
		text += "  " + r.FirstDifference
	}
	return text
}
