package machine

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/silicon/correlate"
)

func compareVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("correlate compare", flag.ContinueOnError)
	cases := caseFlag(flags)
	format := cli.FormatFlag(flags, "text", "json", "csv")
	presetName := flags.String("preset", "", "")
	jobs := flags.Int("jobs", runtime.NumCPU(), "")
	sets := cli.SetFlag(flags)
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "recording")); err != nil {
		return err
	}
	switch {
	case name == "":
		return cli.Usagef("no recording: burstscope correlate compare: name a file that correlate record has written")
	case *presetName == "":
		return cli.Usagef("no machine: burstscope correlate compare: give --preset NAME (see: burstscope machine list)")
	case *jobs < 1:
		return cli.Usagef("--jobs %d: burstscope correlate compare: give at least 1", *jobs)
	}
	machine, err := correlateMachine(*presetName, *sets)
	if err != nil {
		return err
	}
	rows, err := readRecording(name, *cases)
	if err != nil {
		return err
	}
	p := &compareProgress{cases: len(rows), out: os.Stderr, begin: time.Now()}
	list, launches := correlate.Compare(rows, machine, correlate.CompareOptions{Jobs: cli.Workers(*jobs, len(rows), os.Stderr), Done: p.report})
	r := newComparisonReport(rows, machine, list, launches)
	switch *format {
	case "json":
		err = cli.PrintJSON(out, r)
	case "csv":
		err = r.printCSV(out)
	default:
		err = r.printText(out)
	}
	if failed := r.failed(); err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d cases could not be simulated: the output says why", failed, len(list))
	}
	return err
}

// correlateMachine is a preset with the values of --set.
func correlateMachine(name string, sets []cli.Assignment) (correlate.Machine, error) {
	s := scenario.Default("vecadd") // only its machine matters
	s.Machine.Preset = name
	list := make([]cli.Assignment, len(sets))
	for i, a := range sets {
		list[i] = cli.Assignment{Path: "machine.overrides." + strings.TrimPrefix(a.Path, "machine.overrides."),
			Value: a.Value}
	}
	err := cli.Apply(s, list)
	return correlate.Machine{Preset: s.Machine.Preset, Overrides: s.Machine.Overrides}, err
}

// readRecording reads the rows of a file whose cases are in the list.
func readRecording(name string, cases []correlate.Case) ([]correlate.Row, error) {
	b, err := cli.ReadPlain(name, correlate.MaxRecordingBytes)
	if err != nil {
		return nil, err
	}
	all, err := correlate.ReadRecording(name, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	known := map[correlate.Case]bool{}
	for _, c := range correlate.Cases() {
		known[c] = true
	}
	chosen := map[correlate.Case]bool{}
	for _, c := range cases {
		chosen[c] = true
	}
	var rows []correlate.Row
	for _, r := range all {
		// A case that this version does not list may still exist: a program of another size.
		if chosen[r.Case] || !known[r.Case] && len(chosen) == len(known) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: none of its %d rows matches --only", name, len(all))
	}
	return rows, nil
}

// compareProgress tells how far a comparison is.
type compareProgress struct {
	done, cases int
	out         io.Writer
	begin       time.Time
	last        time.Duration
}

func (p *compareProgress) report(*correlate.Comparison) {
	p.done++
	if after := time.Since(p.begin); after-p.last > run.ProgressInterval {
		p.last = after
		fmt.Fprintf(p.out, "%d of %d cases after %.0f s\n", p.done, p.cases, after.Seconds())
	}
}

// comparisonReport is the output of correlate compare.
type comparisonReport struct {
	Device    string             `json:"device"`
	Driver    string             `json:"driver"`
	Preset    string             `json:"preset"`
	Overrides scenario.Overrides `json:"overrides,omitempty"`
	Launch    *launchReport      `json:"launch,omitempty"`
	Cases     []comparedCase     `json:"cases"`

	Programs        correlate.Summary `json:"programs"`
	LongPrograms    correlate.Summary `json:"longPrograms"` // those that launches do not bind
	Microbenchmarks correlate.Summary `json:"microbenchmarks"`
}

// launchReport has the times of empty kernels in ns.
type launchReport struct {
	AloneMeasured  float64 `json:"aloneMeasuredNs"`
	NextMeasured   float64 `json:"nextMeasuredNs"`
	AloneSimulated float64 `json:"aloneSimulatedNs"`
	NextSimulated  float64 `json:"nextSimulatedNs"`
}

type comparedCase struct {
	Kind        correlate.Kind `json:"kind"`
	Name        string         `json:"name"`
	Size        int            `json:"size"`
	Data        string         `json:"data"`
	Unit        string         `json:"unit"`
	Measured    float64        `json:"measured"`
	Simulated   float64        `json:"simulated"`
	Ratio       float64        `json:"ratio"`
	LaunchNs    float64        `json:"launchNs"`
	LaunchBound bool           `json:"launchBound"`
	Error       string         `json:"error,omitempty"`
}

func newComparisonReport(rows []correlate.Row, m correlate.Machine, list []correlate.Comparison, l correlate.Launches) *comparisonReport {
	r := &comparisonReport{Device: rows[0].Device, Driver: rows[0].Driver, Preset: m.Preset, Overrides: m.Overrides}
	if l.Known {
		r.Launch = &launchReport{l.AloneMeasuredNs, l.NextMeasuredNs, l.AloneSimulatedNs, l.NextSimulatedNs}
	}
	for i := range list {
		c := &list[i]
		v := comparedCase{Kind: c.Kind, Name: c.Name, Size: c.Size, Data: c.Data, Unit: "ns", Measured: c.Nanoseconds}
		if c.Kind == correlate.Microbenchmark {
			v.Unit, v.Measured = c.Unit, c.Figure
		}
		switch {
		case c.Err != nil:
			v.Error = c.Err.Error()
		case c.Kind == correlate.Microbenchmark:
			v.Simulated, v.Ratio = c.Simulated.Figure.Value, c.Ratio
		default:
			v.Simulated, v.Ratio, v.LaunchNs, v.LaunchBound = c.SimulatedNs, c.Ratio, c.LaunchNs, c.LaunchBound
		}
		r.Cases = append(r.Cases, v)
	}
	program := func(c *correlate.Comparison) bool { return c.Kind == correlate.Program }
	r.Programs = correlate.Summarise(list, program)
	r.LongPrograms = correlate.Summarise(list, func(c *correlate.Comparison) bool { return program(c) && !c.LaunchBound })
	r.Microbenchmarks = correlate.Summarise(list, func(c *correlate.Comparison) bool { return !program(c) })
	return r
}

func (r *comparisonReport) failed() int {
	n := 0
	for i := range r.Cases {
		if r.Cases[i].Error != "" {
			n++
		}
	}
	return n
}

func (r *comparisonReport) printText(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (driver %s) and preset %s\n\n", r.Device, r.Driver, r.Preset)
	fmt.Fprintf(&b, "%-22s %11s  %-26s %14s %14s %7s  %s\n", "case", "size", "data", "measured", "simulated", "ratio", "unit")
	for i := range r.Cases {
		c := &r.Cases[i]
		fmt.Fprintf(&b, "%-22s %11s  %-26s %14s ", c.Name, cli.Group(uint64(c.Size)), c.Data, significant(c.Measured))
		switch {
		case c.Error != "":
			fmt.Fprintf(&b, "%14s %7s  %s\n", "-", "-", c.Error)
		case c.LaunchBound:
			fmt.Fprintf(&b, "%14s %7.2f  %s, bound by launches\n", significant(c.Simulated), c.Ratio, c.Unit)
		default:
			fmt.Fprintf(&b, "%14s %7.2f  %s\n", significant(c.Simulated), c.Ratio, c.Unit)
		}
	}
	if l := r.Launch; l != nil {
		fmt.Fprintf(&b, "\nAn empty kernel alone: %.0f ns measured, %.0f ns simulated; each further one in a row: %.0f and %.0f ns.\n"+
			"The simulated times of programs include the differences.\n", l.AloneMeasured, l.AloneSimulated, l.NextMeasured, l.NextSimulated)
	} else if r.Programs.Cases > 0 {
		b.WriteString("\nWithout the cases launch/1 and launch/65 the simulated times lack the launches of the device.\n")
	}
	fmt.Fprintf(&b, "\n%-42s %6s %12s %15s %12s %12s\n", "", "cases", "mean error", "geometric mean", "correlation", "correlation")
	fmt.Fprintf(&b, "%-42s %6s %12s %15s %12s %12s\n", "", "", "", "of ratios", "of cycles", "of logarithms")
	for _, s := range []struct {
		name string
		correlate.Summary
	}{{"programs", r.Programs}, {"programs that launches do not bind", r.LongPrograms}, {"microbenchmarks", r.Microbenchmarks}} {
		if s.Cases > 0 {
			fmt.Fprintf(&b, "%-42s %6d %10.1f %% %15.3f %12.4f %12.4f\n", s.name, s.Cases, 100*s.MeanError, s.GeometricMean, s.Correlation, s.LogCorrelation)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// significant writes a number with about four digits.
func significant(v float64) string {
	if v >= 1000 {
		return cli.Group(uint64(v + 0.5))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

func (r *comparisonReport) printCSV(out io.Writer) error {
	rows := [][]string{{"kind", "name", "size", "data", "unit", "measured", "simulated", "ratio", "launchNs", "launchBound", "error"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	for i := range r.Cases {
		c := &r.Cases[i]
		rows = append(rows, []string{string(c.Kind), c.Name, strconv.Itoa(c.Size), c.Data, c.Unit, number(c.Measured), number(c.Simulated),
			number(c.Ratio), number(c.LaunchNs), strconv.FormatBool(c.LaunchBound), c.Error})
	}
	return csv.NewWriter(out).WriteAll(rows)
}
