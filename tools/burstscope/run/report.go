package run

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/loads"
)

// tables are the tables that a report has besides the figures of the run. In CSV one of them takes their place.
type tables struct{ source, launches, power bool }

func tableFlags(flags *flag.FlagSet) *tables {
	t := &tables{}
	flags.BoolVar(&t.source, "source", false, "")
	flags.BoolVar(&t.launches, "launches", false, "")
	flags.BoolVar(&t.power, "power", false, "")
	return t
}

// named returns the flags of the tables.
func (t *tables) named() (list []string) {
	for _, x := range []struct {
		on   bool
		name string
	}{{t.source, "--source"}, {t.launches, "--launches"}, {t.power, "--power"}} {
		if x.on {
			list = append(list, x.name)
		}
	}
	return list
}

// Check refuses two tables in one CSV.
func (t *tables) check(format string) error {
	if list := t.named(); format == "csv" && len(list) > 1 {
		return cli.Usagef("%s and --format csv: each prints a table of its own: use one of them, or --format json",
			strings.Join(list, ", "))
	}
	return nil
}

// report prints a result in one of the formats of run, with tables. onGPU runs the program on a GPU, if that was asked
// for; its fault does not keep the result from being printed.
func report(
	out io.Writer, format string, with *tables, title string, r *experiment.Result, onGPU func() (*gpuReport, error),
) error {
	if format != "json" { // which has it as printed
		if err := writePrinted(printedTo(out, format), r.Printed); err != nil {
			return err
		}
	}
	if format != "text" {
		g, fault := onGPU()
		return errors.Join(printData(out, format, with, r, g), fault)
	}
	// The GPU comes after the result: its driver could end the process.
	if err := printText(out, title, r); err != nil {
		return err
	}
	g, fault := onGPU()
	if g != nil && fault == nil {
		if _, err := io.WriteString(out, g.text()); err != nil {
			return err
		}
	}
	if per := r.PerLaunch(); with.launches && per != nil {
		if err := printLaunches(out, per); err != nil {
			return err
		}
	}
	if with.power && r.Power != nil {
		if err := printPower(out, r.Power); err != nil {
			return err
		}
	}
	if with.source {
		if err := printSource(out, r.Source); err != nil {
			return err
		}
	}
	return fault
}

// printData prints a result for other programs.
func printData(out io.Writer, format string, with *tables, r *experiment.Result, g *gpuReport) error {
	per := r.PerLaunch()
	if per == nil {
		per = &experiment.PerLaunch{}
	}
	switch {
	case format == "csv" && with.source:
		return printSourceCSV(out, r.Source)
	case format == "csv" && with.launches:
		return printLaunchesCSV(out, per)
	case format == "csv" && with.power:
		return printPowerCSV(out, r.Power)
	case format == "csv":
		return printCSV(out, r, g)
	}
	lines := r.Source
	if !with.source {
		lines = nil
	}
	return cli.PrintJSON(out, struct {
		*experiment.Result
		Launches []experiment.LaunchFigures `json:"launches"` // in place of the result's
		Kernels  []experiment.KernelFigures `json:"kernels,omitempty"`
		Note     string                     `json:"launchNote,omitempty"`
		Power    *experiment.Power          `json:"power,omitempty"`
		Source   []experiment.SourceFile    `json:"source,omitempty"`
		GPU      *gpuReport                 `json:"gpu,omitempty"`
	}{r, per.Launches, per.Kernels, per.Note, r.Power, lines, g})
}

// printCSV prints the figures and then every counter, by name. The figures of a GPU come last.
func printCSV(out io.Writer, r *experiment.Result, g *gpuReport) error {
	var names, values []string
	put := func(name string, value any) {
		names = append(names, name)
		values = append(values, fmt.Sprint(value))
	}
	put("version", r.Version)
	put("scenarioHash", r.ScenarioHash)
	put("resultHash", r.ResultHash)
	put("workload", r.Workload)
	put("preset", r.Preset)
	put("overrides", overridesText(r.Overrides))
	put("codec", r.Memory.Codec())
	put("probabilities", r.Memory.Probabilities())
	put("decodingWays", r.Memory.DecodingWays())
	put("mag", r.Memory.MAG())
	put("approximation", r.Memory.Approximation())
	put("threshold", r.Memory.Threshold())
	for i := range metric.Table {
		value := "" // a metric without a value has an empty cell
		if v, ok := r.Value(metric.Table[i].Name); ok {
			value = strconv.FormatFloat(v, 'f', -1, 64)
		}
		put(metric.Table[i].Name, value)
	}
	if e := r.Energy; e != nil {
		put("watts", e.Watts)
		put("totalFemtojoules", e.TotalFemtojoules)
		for _, p := range e.Parts {
			put(p.Name+"Femtojoules", p.Femtojoules)
		}
	}
	put("errorMetric", r.ErrorMetric)
	for _, c := range stat.List() {
		name := stat.Describe(c).Name
		put(name, r.Stats[name])
	}
	if g != nil {
		g.columns(put)
	}
	w := csv.NewWriter(out)
	if err := w.WriteAll([][]string{names, values}); err != nil {
		return err
	}
	return w.Error()
}

func printText(out io.Writer, title string, r *experiment.Result) error {
	var b strings.Builder
	if title != "" {
		fmt.Fprintln(&b, title)
	}
	if r.Functional {
		fmt.Fprintf(&b, "%s without a machine: outputs and instruction counts, no timing\nresult %s  version %s\n\n", r.Workload, scenario.ShortHash(r.ResultHash), r.Version)
		fmt.Fprintf(&b, "%-30s %16s\n%-30s %16s\n", "warp instructions", cli.Group(r.WarpInstructions), "thread instructions", cli.Group(r.ThreadInstructions))
		_, err := io.WriteString(out, b.String())
		return err
	}
	fmt.Fprintf(&b, "%s on %s, memory %s\n", r.Workload, r.Preset, cli.DescribeMemory(&r.Memory)+r.Label())
	fmt.Fprintf(&b, "scenario %s  result %s  version %s\n\n", scenario.ShortHash(r.ScenarioHash), scenario.ShortHash(r.ResultHash), r.Version)
	if r.Finding != nil {
		fmt.Fprintf(&b, "%s\n\n", r.Finding.Text)
	}
	for _, x := range r.Idle {
		fmt.Fprintln(&b, x.Text)
	}
	for _, x := range r.IgnoredHints {
		fmt.Fprintln(&b, x.Text)
	}
	for i := range r.Scheduled {
		fmt.Fprintln(&b, &r.Scheduled[i])
	}
	if len(r.Idle)+len(r.IgnoredHints)+len(r.Scheduled) > 0 {
		b.WriteString("\n")
	}
	for _, path := range slices.Sorted(maps.Keys(r.Overrides)) {
		fmt.Fprintf(&b, "machine.overrides.%s = %v\n", path, r.Overrides[path])
	}
	if len(r.Overrides) > 0 {
		b.WriteString("\n")
	}
	var rows [][3]string
	row := func(label, value, note string) { rows = append(rows, [3]string{label, value, note}) }
	given := func(name string) (float64, bool) { return r.Value(name) }
	for i := range metric.Table {
		m := &metric.Table[i]
		v, ok := r.Value(m.Name)
		if !ok || m.Under != "" {
			continue // it says nothing of this run, or it stands below
		}
		note := m.About
		if m.Compare == "measure" {
			note = "By " + r.ErrorMetric + ". " + note
		}
		row(m.Title, cli.MetricText(m, v), note)
	}
	if others := metric.OtherErrors(given); len(others) > 0 {
		row("", "", "")
		row("output error by other measures", "", "")
		for _, m := range others {
			v, _ := r.Value(m.Name)
			row("  "+m.Title, cli.MetricText(m, v), m.About)
		}
	}
	row("", "", "")
	for _, c := range []stat.Counter{stat.WarpInstructions, stat.ThreadInstructions, stat.DRAMReadBytes, stat.DRAMWriteBytes, stat.BurstsRead, stat.BurstsWritten, stat.BurstsMetadata, stat.BurstsSaved} {
		info := stat.Describe(c)
		row(info.Name, cli.Group(r.Stats[info.Name]), info.Doc)
	}
	if len(r.Launches) > 1 {
		row("", "", "")
		for i, l := range r.Launches {
			row(fmt.Sprintf("launch %d: %s", i, l.Entry), cli.Group(l.Cycles), "cycles")
		}
	}
	b.WriteString(cli.TableText(rows))
	if predicted := experiment.Reported[rfvp.Report](r); predicted != nil {
		loads.WritePrediction(&b, predicted)
	}
	writeEnergy(&b, r.Energy)
	_, err := io.WriteString(out, b.String())
	return err
}

// overridesText writes overrides as one word without spaces.
func overridesText(o scenario.Overrides) string {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(o)) {
		list = append(list, fmt.Sprintf("%s=%v", path, o[path]))
	}
	return strings.Join(list, " ")
}
