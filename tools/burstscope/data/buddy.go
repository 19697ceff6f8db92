package data

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const buddyHelp = `usage: burstscope buddy profile FILE...|PROGRAM [--threshold PERCENT] [--way WAY]
                        [--judge worst|mean] [--pages 64KB|2MB] [--codec NAME]
                        [--set path=value]... [--as FORMAT] [--format text|json|csv]

Chooses target ratios for Buddy Compression (ISCA 2020, section III-B). Each FILE
is a snapshot of memory (.npy, .npz, .safetensors or their index, pictures, or raw
bytes), and its arrays are the allocations; several files have the same arrays at
different times.
Files are read block by block. PROGRAM is one of burstscope workloads: it runs
without timing, with ten snapshots at its launches.

  --threshold 30   entries of an allocation that may need buddy memory, in percent
  --way zero-page  zero-page, per-allocation, or naive: one target for everything
  --judge worst    the worst snapshot decides, or the mean of all
  --pages 64KB     page of the GPU
  --codec bpc      codec of entries: one that needs no statistics, or a file with a
                   module, MINE.wasm
  --as raw         format of the files, if it is not what they say: see burstscope codec
  --set path=value a value of the program's scenario, such as workload.size=4096

examples:
  burstscope buddy profile model.safetensors
  burstscope buddy profile step0.npy step1.npy step2.npy --threshold 10
  burstscope buddy profile bfs1 --set workload.size=4096 --format json
`

func buddyVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("buddy", flag.ContinueOnError)
	threshold := flags.Int("threshold", 30, "")
	way := flags.String("way", profile.Ways[0], "")
	judge := flags.String("judge", "worst", "")
	pages := flags.String("pages", layout.PageSizes[0], "")
	name := flags.String("codec", "bpc", "")
	sets := cli.SetFlag(flags)
	as := flags.String("as", "", "")
	format := cli.FormatFlag(flags, "text", "json", "csv")
	var words []string
	if err := cli.Parse(flags, args, func(word string) error { words = append(words, word); return nil }); err != nil {
		return err
	}
	if len(words) == 0 || words[0] != "profile" {
		return cli.Usagef("no such command: burstscope buddy: use burstscope buddy profile FILE...")
	}
	if words = words[1:]; len(words) == 0 {
		return cli.Usagef("no file: burstscope buddy profile: name one, or a program")
	}
	if err := checkFormat(*as); err != nil {
		return err
	}
	rule := profile.Rule{ThresholdPercent: *threshold, Mean: *judge == "mean"}
	w, size := slices.Index(profile.Ways, *way), slices.Index(layout.PageSizes, *pages)
	row := codecs.Find(*name)
	if cli.IsModuleFile(*name) {
		row = codecs.Find(codecs.Plugin)
	}
	switch {
	case *threshold < 0 || *threshold > 100:
		return cli.Usagef("--threshold %d: burstscope buddy profile: use 0 to 100", *threshold)
	case w < 0:
		return cli.Usagef("--way %s: burstscope buddy profile: use one of %s", *way, strings.Join(profile.Ways, ", "))
	case *judge != "worst" && *judge != "mean":
		return cli.Usagef("--judge %s: burstscope buddy profile: use worst or mean", *judge)
	case size < 0:
		return cli.Usagef("--pages %s: burstscope buddy profile: use one of %s", *pages, strings.Join(layout.PageSizes, ", "))
	case row == nil || row.Trained() || row.Over != "":
		return cli.Usagef("--codec %s: burstscope buddy profile: use a lossless codec that needs no statistics, such as bpc", *name)
	}
	rule.Way, rule.Size = profile.Way(w), layout.PageSize(size)
	var notes []string
	in := codecInput{format: *as}
	if *format == "text" {
		in.notes = &notes
	}
	allocs, err := buddyAllocations(words, *name, in, *sets)
	if err != nil {
		return err
	}
	report, err := rule.Report(allocs)
	if err != nil {
		return err
	}
	return printBuddy(out, report, notes, *format)
}

// buddyAllocations profiles a program, or files.
func buddyAllocations(words []string, codecName string, in codecInput, sets []cli.Assignment) ([]profile.Allocation, error) {
	if _, err := os.Stat(words[0]); len(words) == 1 && err != nil {
		if s, notOne := cli.ProgramOrScenario(words[0]); notOne == nil {
			s.Memory.Put("approximation", "none")
			if err := cli.Apply(s, append([]cli.Assignment{{Path: "memory.codec", Value: codecName}},
				sets...)); err != nil {
				return nil, err
			}
			p, err := experiment.PlanOf(s)
			if err != nil {
				return nil, err
			}
			w, err := experiment.Watch(p, &buddy.Entry)
			if err != nil {
				return nil, err
			}
			return w.(*buddy.Snapshots).Allocations(), nil
		}
	}
	if len(sets) > 0 {
		return nil, cli.Usagef("--set %s: burstscope buddy profile: a file has no such value, leave it out",
			sets[0].Path)
	}
	coder, err := lossless(codecName)
	if err != nil {
		return nil, err
	}
	c := profile.Collector{Bits: coder.SizeBits}
	for _, word := range words {
		if err := addSnapshot(&c, word, in); err != nil {
			return nil, err
		}
		if err := codecs.FaultOf(coder); err != nil {
			return nil, cli.InModule(codecName, err)
		}
	}
	return c.Allocs, nil
}

// lossless returns a codec without statistics, by its name or from a file with a module.
func lossless(name string) (codecs.Coder, error) {
	if !cli.IsModuleFile(name) {
		return codecs.ByName(name, nil)
	}
	code, err := cli.ModuleOf(name)
	if err != nil {
		return nil, err
	}
	c, err := codecs.LoadModule(code)
	if err == nil && (c.Trains() || c.Lossy()) {
		err = errors.New("use a lossless module without train")
	}
	return c, cli.InModule(name, err)
}

func addSnapshot(c *profile.Collector, name string, in codecInput) error {
	in.file = name
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	if err := c.Add(f, func(int) error { return nil }); err != nil {
		return in.wrap(err)
	}
	return nil
}

func printBuddy(out io.Writer, r *profile.Report, notes []string, format string) error {
	switch format {
	case "json":
		return cli.PrintJSON(out, r)
	case "csv":
		rows := [][]string{{"name", "bytes", "target", "compressionRatio", "zeroShare", "overShare"}}
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
		for _, a := range r.Allocations {
			rows = append(rows, []string{a.Name, strconv.FormatUint(a.Bytes, 10), a.Target, number(a.CompressionRatio), number(a.ZeroShare), number(a.OverShare)})
		}
		return csv.NewWriter(out).WriteAll(rows)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-40s %16s %7s %7s %9s %9s\n", "allocation", "bytes", "ratio", "target", "zeros", "to buddy")
	for _, a := range r.Allocations {
		fmt.Fprintf(&b, "%-40s %16s %7.2f %7s %7.2f %% %7.2f %%\n", a.Name, cli.Group(a.Bytes), a.CompressionRatio, a.Target, 100*a.ZeroShare, 100*a.OverShare)
	}
	for _, note := range notes {
		fmt.Fprintf(&b, "\n%s", note)
	}
	fmt.Fprintf(&b, "\n%d snapshots, %s bytes, %s of device memory: capacity ratio %.3f (compression ratio %.3f)\n", r.Snapshots, cli.Group(r.SizeBytes), cli.Group(r.DeviceBytes), r.CapacityRatio, r.CompressionRatio)
	fmt.Fprintf(&b, "%.3f %% of the entries need buddy memory, %s bytes of the carve-out\n", 100*r.BuddyShare, cli.Group(r.CarveOutBytes))
	_, err := io.WriteString(out, b.String())
	return err
}
