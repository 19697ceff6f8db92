package programs

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/estimate"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const estimateHelp = `usage: burstscope estimate SCENARIO [--set path=value]... --to path=value...
                           [--check] [--format text|json]

Runs a scenario, keeps the blocks that move to or from memory, and codes them under
other values of its memory scheme: what codec, MAG, threshold or ways would do to
bursts, ratios and the data in memory, without simulating them. The page does the same
while a slider is dragged. core/estimate/README.md has the method and its tolerance.

  --set path=value   as in burstscope run: a value of the run
  --to path=value    a value of the estimate: memory.codec, memory.approximation,
                     memory.mag, memory.threshold, memory.decodingWays,
                     memory.probabilities or memory.header; may be repeated
  --check            also run the scenario with the values of --to, and print how far
                     the estimate is from it
  --format           text: a table with units; json: the estimate, and the run under run

examples:
  burstscope estimate tp --to memory.mag=64 --to memory.threshold=32
  burstscope estimate dct --to memory.threshold=8 --check
  burstscope estimate vecadd --to memory.approximation=none --to memory.codec=bdi --format json
`

// estimateReport is what the verb prints as JSON.
type estimateReport struct {
	ScenarioHash string            `json:"scenarioHash"` // of the values of --to
	RecordedHash string            `json:"recordedHash"` // of the run that was recorded
	Estimate     estimate.Estimate `json:"estimate"`
	Run          *estimatedRun     `json:"run,omitempty"`
}

// estimatedRun holds the figures of a run that an estimate has too.
type estimatedRun struct {
	BurstsRead    float64 `json:"burstsRead"`
	BurstsWritten float64 `json:"burstsWritten"`
	RawRatio      float64 `json:"rawRatio"`
	Ratio         float64 `json:"ratio"`
	LossyShare    float64 `json:"lossyShare"`
}

func estimateVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("estimate", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	to := cli.AssignFlag(flags, "to")
	check := flags.Bool("check", false, "")
	format := cli.FormatFlag(flags, "text", "json")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "scenario")); err != nil {
		return err
	}
	switch {
	case name == "":
		return cli.Usagef("no scenario: burstscope estimate: name a scenario or a file")
	case len(*to) == 0:
		return cli.Usagef("nothing to estimate: burstscope estimate: give the other values, such as --to memory.mag=64")
	}
	base, err := cli.ScenarioWith(name, *sets)
	if err != nil {
		return err
	}
	for _, a := range *to {
		if !strings.HasPrefix(a.Path, "memory.") {
			return fmt.Errorf("--to %s: it changes which blocks move, so there is no estimate: give values of memory, and the others with --set", fault.Quote(a.Path))
		}
	}
	other := *base
	if err := cli.Apply(&other, *to); err != nil {
		return err
	}
	report, err := estimated(base, &other, *check)
	if err != nil {
		return err
	}
	if *format == "json" {
		return cli.PrintJSON(out, report)
	}
	return printEstimate(out, report)
}

// estimated records a run of base and estimates other from it.
func estimated(base, other *scenario.Scenario, check bool) (*estimateReport, error) {
	plan, err := experiment.PlanOf(base)
	if err != nil {
		return nil, err
	}
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	r := study.Run(plan, experiment.Options{Record: true})
	if _, err := r.Finish(); err != nil {
		return nil, err
	}
	traffic := r.Recorded()
	if traffic == nil {
		return nil, fmt.Errorf("backing: memory behind a link moves sectors, which have no estimate: leave the backing out")
	}
	w, err := traffic.Start(other.Memory)
	if err != nil {
		return nil, err
	}
	for !w.Step(math.MaxInt32) {
	}
	report := &estimateReport{ScenarioHash: other.Hash(), RecordedHash: base.Hash(), Estimate: w.Estimate()}
	if !check {
		return report, nil
	}
	run := study.Run(plan.With(other.Scheme), experiment.Options{})
	res, err := run.Finish()
	if err != nil {
		return nil, err
	}
	s := run.Machine().Stats()
	report.Run = &estimatedRun{BurstsRead: float64(s[stat.BurstsRead]), BurstsWritten: float64(s[stat.BurstsWritten])}
	report.Run.RawRatio, _ = res.Value("compressionRatioRaw")
	report.Run.Ratio, _ = res.Value("compressionRatioEffective")
	report.Run.LossyShare, _ = res.Value("lossyShare")
	return report, nil
}

func printEstimate(out io.Writer, r *estimateReport) error {
	e := &r.Estimate
	fmt.Fprintf(out, "Estimate, not a result: %d contents of %.3g %% of the blocks\n\n", e.Contents, 100*e.Share)
	row := func(title, unit string, estimate float64, run func(*estimatedRun) float64) {
		fmt.Fprintf(out, "%-24s %14.6g %-7s", title, estimate, unit)
		if r.Run != nil && run != nil {
			was := run(r.Run)
			fmt.Fprintf(out, "  run %14.6g", was)
			if was != 0 {
				fmt.Fprintf(out, "  %s", cli.ChangeText(estimate/was-1))
			}
		}
		fmt.Fprintln(out)
	}
	row("bursts read", "bursts", e.BurstsRead, func(r *estimatedRun) float64 { return r.BurstsRead })
	row("bursts written", "bursts", e.BurstsWritten, func(r *estimatedRun) float64 { return r.BurstsWritten })
	if e.BurstsBar > 0 {
		row("  both, two std. errors", "bursts", e.BurstsBar, nil)
	}
	row("raw ratio", "x", e.RawRatio, func(r *estimatedRun) float64 { return r.RawRatio })
	row("effective ratio", "x", e.Ratio, func(r *estimatedRun) float64 { return r.Ratio })
	row("approximated", "share", e.LossyShare, func(r *estimatedRun) float64 { return r.LossyShare })
	row("error of stored data", "share", e.StoredError, nil)
	return nil
}
