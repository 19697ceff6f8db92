package programs

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const workloadsHelp = `usage: burstscope workloads [NAME ...] [flags]

Lists the shipped programs, or the named ones: sizes, data, bytes of buffers, number
of launches, buffers that may be approximated, error metric. Each program is listed
at its interactive size, its full size, or both; or as studies of the papers run it:
with the data of its suite, at least four waves of CTAs and ten times L2, or at the
size of its suite.

flags:
  --size interactive|full|both|study   default interactive
  --run none|functional|timed    default none
      functional  executes it without a machine: warp instructions, seconds
      timed       also simulates it without compression: cycles, seconds, and
                  a check that its output is exact
  --preset NAME                  machine of a timed run, default gtx580b
  --seeds N                      instead runs each program under the seeds 1 to N, without
                                 compression and with E2MC16, and says how far its
                                 figures move: more than 2 % is marked. Speedup and
                                 saved traffic have their mean and standard deviation
  --set path=value               with --seeds: a value of every scenario, as for run
  --format text|csv|json

examples:
  burstscope workloads --format csv
  burstscope workloads nn bfs1 --seeds 5 --set workload.data=suite
  burstscope workloads scan spmv --size both --run timed
  burstscope workloads --size study --run functional    the table of core/workload/README.md
`

// listedWorkload is one program at one size.
type listedWorkload struct {
	Name            string   `json:"name"`
	Title           string   `json:"title"`
	Size            int      `json:"size"`
	SizeLabel       string   `json:"sizeLabel"`
	Full            bool     `json:"full"`
	Data            []string `json:"data"`
	TunedData       []string `json:"tunedData"`
	Metric          string   `json:"metric"`
	SafeBuffers     int      `json:"safeBuffers"`
	Launches        int      `json:"launches"`
	FootprintBytes  uint64   `json:"footprintBytes"`
	WarpInstruction uint64   `json:"warpInstructions,omitempty"`
	ExactSeconds    float64  `json:"functionalSeconds,omitempty"`
	Cycles          uint64   `json:"cycles,omitempty"`
	TimedSeconds    float64  `json:"timedSeconds,omitempty"`
	OutputIsExact   *bool    `json:"outputIsExact,omitempty"`

	// Study is set for a run of the papers' studies.
	Study *listedStudy `json:"study,omitempty"`
}

// listedStudy says how a program fills its machine in studies.
type listedStudy struct {
	Papers  string  `json:"papers,omitempty"`
	Data    string  `json:"data"`
	CTAs    uint64  `json:"ctas"`
	Waves   float64 `json:"waves"`
	TimesL2 float64 `json:"timesL2"`
	Limit   string  `json:"limit,omitempty"`
}

// seedsMost bounds the runs of a typing error [ours].
const seedsMost = 1000

// depth says how the listed programs are run.
type depth int

const (
	runNone depth = iota
	runFunctional
	runTimed
)

func workloadsVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("workloads", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "csv", "json")
	choice := func(name string, words ...string) *int {
		chosen := 0
		flags.Func(name, "", func(text string) error {
			if chosen = slices.Index(words, text); chosen < 0 {
				return fmt.Errorf("use one of %s", strings.Join(words, ", "))
			}
			return nil
		})
		return &chosen
	}
	size := choice("size", "interactive", "full", "both", "study")
	run := choice("run", "none", "functional", "timed")
	preset := flags.String("preset", "gtx580b", "")
	seeds := flags.Int("seeds", 0, "")
	sets := cli.SetFlag(flags)
	var names []string
	if err := cli.Parse(flags, args, func(word string) error { names = append(names, word); return nil }); err != nil {
		return err
	}
	switch {
	case *seeds < 0 || *seeds > seedsMost:
		return cli.Usagef("--seeds %d: use 2 to %d", *seeds, seedsMost)
	case *seeds == 1:
		return cli.Usagef("--seeds 1: one seed has no spread: use 2 to %d", seedsMost)
	case *seeds == 0 && len(*sets) > 0:
		return cli.Usagef("--set is for --seeds N: add it, or leave --set out")
	case *seeds > 0 && *format == "csv":
		return cli.Usagef("--seeds has no csv: use --format text or json")
	}
	if len(names) == 0 {
		names = programs.Names()
	}
	var list []*listedWorkload
	for _, name := range names {
		info, err := programs.Describe(name)
		if err != nil {
			return err
		}
		if *size == 3 {
			list = append(list, listStudies(info)...)
			continue
		}
		if *size != 1 {
			list = append(list, describeWorkload(info, info.DefaultSize, false))
		}
		if *size != 0 {
			list = append(list, describeWorkload(info, info.FullSize, true))
		}
	}
	if *seeds > 0 {
		return listSeeds(out, list, *seeds, *preset, *sets, *format == "json")
	}
	write := writeWorkloadsText
	if *size == 3 {
		write = writeStudies
	}
	switch *format {
	case "csv":
		write = writeWorkloadsCSV
	case "json":
		write = func(out io.Writer) (func(*listedWorkload) error, func() error) {
			return func(*listedWorkload) error { return nil }, func() error { return cli.PrintJSON(out, list) }
		}
	}
	line, end := write(out)
	// A line appears as soon as its program has run: full sizes take long.
	for _, w := range list {
		if err := w.measure(depth(*run), *preset); err != nil {
			return err
		}
		if err := line(w); err != nil {
			return err
		}
	}
	return end()
}

func describeWorkload(info programs.Info, size int, full bool) *listedWorkload {
	return &listedWorkload{
		Name: info.Name, Title: info.Title, Size: size, SizeLabel: info.SizeLabel, Full: full,
		Data: info.DataModes, TunedData: append([]string{}, info.TunedData...), Metric: info.Metric,
	}
}

// listStudies returns the studies of a program, none for one of ours.
func listStudies(info programs.Info) []*listedWorkload {
	var list []*listedWorkload
	for _, run := range programs.StudyRuns() {
		if run.Program == info.Name {
			w := describeWorkload(info, run.Size, run.Size == info.FullSize)
			w.Study = &listedStudy{Papers: run.Papers, Data: run.Data, Limit: run.Limit}
			list = append(list, w)
		}
	}
	return list
}

// measure builds the program and runs it to the given depth.
func (w *listedWorkload) measure(run depth, preset string) error {
	s := scenario.Default(w.Name)
	s.Machine.Preset, s.Workload.Size = preset, w.Size
	if w.Study != nil {
		s.Workload.Data = w.Study.Data
	}
	if err := s.Validate(); err != nil {
		return err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return err
	}
	w.Launches, w.FootprintBytes = len(plan.Program.Launches), plan.Program.FootprintBytes()
	for _, b := range plan.Program.Buffers {
		if b.Safe {
			w.SafeBuffers++
		}
	}
	if w.Study != nil {
		fill, err := plan.Fill()
		if err != nil {
			return fmt.Errorf("%s of %d: %w", w.Name, w.Size, err)
		}
		w.Study.CTAs, w.Study.Waves, w.Study.TimesL2 = fill.CTAs, fill.Waves, fill.TimesL2
	}
	if run == runNone {
		return nil
	}
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := study.RunFunctional(); err != nil {
		return fmt.Errorf("%s of %d: %w", w.Name, w.Size, err)
	}
	w.ExactSeconds = time.Since(begin).Seconds()
	w.WarpInstruction = study.WarpInstructions()
	if run == runFunctional {
		return nil
	}
	r := study.Run(plan, experiment.Options{})
	begin = time.Now()
	for done := false; !done; {
		if done, err = r.Step(1 << 20); err != nil {
			return fmt.Errorf("%s of %d: %w", w.Name, w.Size, err)
		}
	}
	w.TimedSeconds = time.Since(begin).Seconds()
	w.Cycles = uint64(r.Machine().Cycles())
	result, err := r.Finish()
	if err != nil {
		return err
	}
	exact := result.Error == 0 && slices.EqualFunc(study.Exact(), result.Outputs, bytes.Equal)
	w.OutputIsExact = &exact
	if !exact {
		return errors.New(w.Name + ": the machine's output is not the exact one: this is a fault of burstscope: please report it")
	}
	return nil
}

func writeWorkloadsText(out io.Writer) (line func(*listedWorkload) error, end func() error) {
	const format = "%-14s %10s %-18s %9s %7s %5s %15s %13s %9s %12s %9s  %s\n"
	_, first := fmt.Fprintf(out, format, "program", "size", "of", "buffers", "launch.", "safe", "metric", "warp instr.", "exact s", "cycles", "timed s", "data")
	return func(w *listedWorkload) error {
		number := func(v uint64) string {
			if v == 0 {
				return "-"
			}
			return cli.Group(v)
		}
		seconds := func(v float64) string {
			if v == 0 {
				return "-"
			}
			return strconv.FormatFloat(v, 'f', 2, 64)
		}
		_, err := fmt.Fprintf(out, format, w.Name, cli.Group(uint64(w.Size)), w.SizeLabel, strconv.FormatFloat(float64(w.FootprintBytes)/1e6, 'f', 2, 64)+" MB",
			strconv.Itoa(w.Launches), strconv.Itoa(w.SafeBuffers), w.Metric, number(w.WarpInstruction), seconds(w.ExactSeconds), number(w.Cycles),
			seconds(w.TimedSeconds), strings.Join(w.Data, " "))
		return errors.Join(first, err)
	}, func() error { return first }
}

// writeStudies writes a table in Markdown.
func writeStudies(out io.Writer) (line func(*listedWorkload) error, end func() error) {
	_, first := fmt.Fprint(out, "| program | size | data | MB | times L2 | CTAs | waves | launches | M warp instr. | s | why less |\n",
		"|---|---|---|---|---|---|---|---|---|---|---|\n")
	return func(w *listedWorkload) error {
		data := "`" + w.Study.Data + "`"
		if w.Study.Papers != "" {
			data += " (" + w.Study.Papers + ")"
		}
		_, err := fmt.Fprintf(out, "| `%s` | %s %s | %s | %.1f | %.1f | %s | %.1f | %d | %.1f | %.1f | %s |\n", w.Name, cli.Group(uint64(w.Size)), w.SizeLabel, data,
			float64(w.FootprintBytes)/1e6, w.Study.TimesL2, cli.Group(w.Study.CTAs), w.Study.Waves, w.Launches, float64(w.WarpInstruction)/1e6, w.ExactSeconds, w.Study.Limit)
		return errors.Join(first, err)
	}, func() error { return first }
}

func writeWorkloadsCSV(out io.Writer) (line func(*listedWorkload) error, end func() error) {
	c := csv.NewWriter(out)
	put := func(fields ...string) error {
		err := c.Write(fields)
		c.Flush()
		return errors.Join(err, c.Error())
	}
	first := put("name", "size", "sizeLabel", "full", "data", "tunedData", "metric", "safeBuffers", "launches", "footprintBytes",
		"warpInstructions", "functionalSeconds", "cycles", "timedSeconds", "outputIsExact", "papers", "studyData", "ctas", "waves", "timesL2", "limit")
	return func(w *listedWorkload) error {
		seconds := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
		exact := ""
		if w.OutputIsExact != nil {
			exact = strconv.FormatBool(*w.OutputIsExact)
		}
		var study listedStudy
		if w.Study != nil {
			study = *w.Study
		}
		return errors.Join(first, put(w.Name, strconv.Itoa(w.Size), w.SizeLabel, strconv.FormatBool(w.Full), strings.Join(w.Data, " "),
			strings.Join(w.TunedData, " "), w.Metric, strconv.Itoa(w.SafeBuffers), strconv.Itoa(w.Launches),
			strconv.FormatUint(w.FootprintBytes, 10), strconv.FormatUint(w.WarpInstruction, 10), seconds(w.ExactSeconds),
			strconv.FormatUint(w.Cycles, 10), seconds(w.TimedSeconds), exact,
			study.Papers, study.Data, strconv.FormatUint(study.CTAs, 10), seconds(study.Waves), seconds(study.TimesL2), study.Limit))
	}, func() error { return first }
}
