package loads

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const loadsHelp = `usage: burstscope loads PROGRAM|SCENARIO [--set path=value]... [--loss PERCENT,...]
                        [--inputs N] [--format text|json]

Runs a program once without a scheme and ranks its loads by L1 misses. The fewest
that cause 80 % of the misses are critical: RFVP predicts the values of those that
may be wrong. A load whose value reaches an address, a loop bound or a branch that
cannot be if-converted is refused. The last line has the other critical loads as
a value of loads.which. PROGRAM is one of burstscope workloads; it runs on gtx480v3,
the machine of RFVP's paper.
With --loss it looks for the highest drop rate whose mean loss is within each target,
by the program's metric of the paper. It starts at 50 % and goes up or down the rates
0, 5, 12.5, 25, 37.5, 50, 62.5, 75 and 90 %. A target that no rate reaches is an
error, which names the load with the most wrong values.

  --set path=value   as in burstscope run
  --loss 1,3,5,10    targets in per cent; the paper's are 1, 3, 5 and 10
  --inputs N         inputs, with seeds from the scenario's on, default 10 (with --loss)
  --format           text, or json

examples:
  burstscope loads fwt
  burstscope loads sradupdate --set workload.size=128
  burstscope loads gaussian --loss 1,3,5,10
  burstscope loads stringmatch --set loads.force=on --loss 10 --inputs 3
  burstscope run my.yaml --approximate profile
`

func loadsVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("loads", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	format := cli.FormatFlag(flags, "text", "json")
	var losses []float64
	flags.Func("loss", "", func(text string) (err error) { losses, err = percents(text); return err })
	inputs := flags.Int("inputs", study.InputSets, "")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "program")); err != nil {
		return err
	}
	if name == "" {
		return cli.Usagef("no program: burstscope loads: name a program of burstscope workloads, or a scenario")
	}
	s, err := cli.ProgramOrScenario(name)
	if err != nil {
		return err
	}
	if len(losses) > 0 {
		if *inputs < 1 || *inputs > 1000 {
			return cli.Usagef("--inputs %d: burstscope loads: give 1 to 1000", *inputs)
		}
		return dropRates(out, s, *sets, losses, *inputs, *format == "json")
	}
	if err := cli.Apply(s, *sets); err != nil {
		return err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return err
	}
	list, err := experiment.RankLoads(plan)
	if err != nil {
		return err
	}
	which, fault := experiment.Selected(list)
	if *format == "json" {
		return cli.PrintJSON(out, struct {
			Loads []experiment.RankedLoad `json:"loads"`
			Which string                  `json:"which"`
		}{list, which})
	}
	if err := printRanking(out, s, list); err != nil || fault != nil {
		return joinedFault(err, fault)
	}
	_, err = fmt.Fprintf(out, "\nloads.which=%s\n", which)
	return err
}

// joinedFault returns the error of writing, or else why nothing could be written.
func joinedFault(err, fault error) error {
	if err != nil {
		return err
	}
	return fault
}

func printRanking(out io.Writer, s *scenario.Scenario, list []experiment.RankedLoad) error {
	const format = "%12s %9s  %-9s %-22s %5s  %-22s %s\n"
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d on %s\n\n", s.Workload.Name, s.Workload.Size, s.Machine.Preset)
	fmt.Fprintf(&b, format, "L1 misses", "up to it", "", "kernel", "line", "source", "load")
	for i := range list {
		l := &list[i]
		critical := ""
		if l.Critical {
			critical = "critical"
		}
		fmt.Fprintf(&b, format, cli.Group(l.Misses), fmt.Sprintf("%.1f %%", 100*l.Cumulated), critical, l.Kernel, fmt.Sprint(l.Line), sourceOf(l.File, l.FileLine), l.Text)
		if l.Refused != "" && l.Critical {
			fmt.Fprintf(&b, "%36s%s\n", "", "refused: "+l.Refused)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// sourceOf names a line of a source, nothing if it is not known.
func sourceOf(file string, line uint32) string {
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(file, "./"), line)
}

// Approximated sets the assignments of a run, and the loads of --approximate.
func Approximated(s *scenario.Scenario, sets []cli.Assignment, loads string) error {
	if loads == "" {
		return cli.Apply(s, sets)
	}
	if loads == "profile" {
		training := *s
		training.Scheme = s.Scheme.Clone()
		if err := cli.Apply(&training, sets); err != nil {
			return err
		}
		plan, err := experiment.PlanOf(&training)
		if err != nil {
			return err
		}
		list, err := experiment.RankLoads(plan)
		if err != nil {
			return err
		}
		if loads, err = experiment.Selected(list); err != nil {
			return fmt.Errorf("--approximate profile: %w. Name loads, or set loads.force to on", err)
		}
	}
	return cli.Apply(s, append([]cli.Assignment{{Path: "loads.policy", Value: "rfvp"}, {Path: "loads.which",
		Value: loads}}, sets...))
}

// WritePrediction writes a line for each approximate load, with what its predictions were worth.
func WritePrediction(b *strings.Builder, p *rfvp.Report) {
	const format = "%12s %9s %12s %9s  %-22s %5s  %-22s %s\n"
	fmt.Fprintf(b, "\n"+format, "L1 misses", "dropped", "values", "exact", "kernel", "line", "source", "load")
	for i := range p.Loads {
		l := &p.Loads[i]
		fmt.Fprintf(b, format, cli.Group(l.Misses), percentOf(l.Dropped, l.Misses), cli.Group(l.Lanes), percentOf(l.Exact, l.Lanes),
			l.Kernel, fmt.Sprint(l.Line), sourceOf(l.File, l.FileLine), l.Text)
	}
}

// percentOf is a part of a whole; of nothing it is a dash.
func percentOf(part, whole uint64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
