package data

import (
	"cmp"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/fit"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

const fitHelp = `usage: burstscope fit FILE... [--gpu NAME] [--link NAME] [--whole SIZE]
                      [--threshold PERCENT] [--judge worst|mean] [--sample-mb N]
                      [--as FORMAT] [--format text|json|csv]

Says whether data fit into a GPU with Buddy Compression (ISCA 2020), and how much
longer one read of all of them takes with a slower memory behind a link. FILE is a
model or a snapshot of activations (.safetensors, .npy, .npz, a picture, or raw bytes
with the ending .bin or any that is not known). Of model.safetensors.index.json, the
shards beside it are read. Files of the same arrays are snapshots at different times;
files of other arrays are further parts of a model. Files are read block by block.

  --gpu h100      p100, v100, a100 or h100
  --link NAME     only this link: pcie4, cxl2, pcie5, cxl3, nvlink2, nvlink3, nvlink4
  --whole 140GB   size of all data, if the files are a part of them
  --threshold 30  entries of an array that may need buddy memory, in percent
  --judge worst   the worst snapshot decides, or the mean of all
  --sample-mb 8   data that the simulator reads; 0 leaves the simulator out
  --as raw        format of the files, if it is not what they say: see burstscope codec

columns, each a slowdown over a GPU that holds all data uncompressed:
  simulated       the simulator reads the sample
  formula         array by array, transfers of DRAM, link and L2 overlap
  apart           the link begins when DRAM has ended
  plain           without compression: what does not fit is read over the link

examples:
  burstscope fit model.safetensors --gpu h100 --link nvlink4
  burstscope fit model.safetensors.index.json --gpu h100
  burstscope fit model-00001-of-00030.safetensors --whole 140GB
  burstscope fit step0.npy step1.npy step2.npy --gpu v100 --format csv
`

// fitReport is what the verb says.
type fitReport struct {
	Profile       *profile.Report `json:"profile"`
	Answer        *fit.Answer     `json:"answer"`
	LatencySource string          `json:"latencySource"`
	SampleBytes   int             `json:"sampleBytes"`
	Notes         []string        `json:"notes,omitempty"` // about the files
}

func fitVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fit", flag.ContinueOnError)
	gpuName := flags.String("gpu", "h100", "")
	linkName := flags.String("link", "", "")
	whole := flags.String("whole", "", "")
	threshold := flags.Int("threshold", 30, "")
	judge := flags.String("judge", "worst", "")
	sampleMB := flags.Int("sample-mb", 8, "")
	as := flags.String("as", "", "")
	format := cli.FormatFlag(flags, "text", "json", "csv")
	var files []string
	if err := cli.Parse(flags, args, func(word string) error { files = append(files, word); return nil }); err != nil {
		return err
	}
	if err := checkFormat(*as); err != nil {
		return err
	}
	gpu := fit.FindGPU(*gpuName)
	var names []string
	for _, l := range fit.Links() {
		names = append(names, l.Name)
	}
	wholeBytes, err := parseBytes(*whole)
	const maxSampleMB = 64
	switch {
	case len(files) == 0:
		return cli.Usagef("no file: burstscope fit: name one")
	case gpu == nil:
		return cli.Usagef("--gpu %s: burstscope fit: use one of %s", *gpuName, strings.Join(fit.GPUNames(), ", "))
	case *linkName != "" && fit.FindLink(*linkName) == nil:
		return cli.Usagef("--link %s: burstscope fit: use one of %s", *linkName, strings.Join(names, ", "))
	case err != nil:
		return cli.Usagef("--whole %s: burstscope fit: %v", *whole, err)
	case *threshold < 0 || *threshold > 100:
		return cli.Usagef("--threshold %d: burstscope fit: use 0 to 100", *threshold)
	case *judge != "worst" && *judge != "mean":
		return cli.Usagef("--judge %s: burstscope fit: use worst or mean", *judge)
	case *sampleMB < 0 || *sampleMB > maxSampleMB:
		return cli.Usagef("--sample-mb %d: burstscope fit: use 0 to %d", *sampleMB, maxSampleMB)
	}
	data := fit.NewData(fit.Settings{ThresholdPercent: *threshold, Mean: *judge == "mean", SampleBytes: int64(*sampleMB) << 20})
	read := map[string]bool{} // shards of an index
	var notes []string
	for _, name := range indexesFirst(files) {
		if read[filepath.Clean(name)] {
			continue
		}
		if err := addPart(data, codecInput{file: name, format: *as, notes: &notes}, read); err != nil {
			return err
		}
	}
	report, err := data.Report()
	if err != nil {
		return err
	}
	if wholeBytes > 0 && wholeBytes < report.SizeBytes {
		return cli.Usagef("--whole %s: burstscope fit: the files have %s bytes already, give at least as many", *whole, cli.Group(report.SizeBytes))
	}
	a := data.Answer(gpu, report, wholeBytes)
	a.Only(*linkName)
	r := fitReport{report, a, fit.LatencySource, data.SampleBytes(), notes}
	if r.SampleBytes > 0 {
		stream, err := data.Stream(gpu, report)
		for i := 0; i < len(a.Rows) && err == nil; i++ {
			for a.Rows[i].Simulated == 0 && err == nil {
				a.Rows[i].Simulated, err = stream.Step(a.Rows[i].Link, run.ProgressCycles)
			}
		}
		if err != nil {
			return err
		}
	}
	return printFit(out, &r, *format)
}

// indexesFirst puts indexes before other files, so that their shards are not counted twice.
func indexesFirst(files []string) []string {
	files = slices.Clone(files)
	rank := func(name string) int {
		if datafile.IsIndexName(name) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return files
}

// addPart reads a file, and says on stderr how far it is. It adds the shards of an index to
// those that have been read.
func addPart(data *fit.Data, in codecInput, read map[string]bool) error {
	name := in.file
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	for _, shard := range f.Shards {
		read[filepath.Join(filepath.Dir(name), filepath.FromSlash(shard))] = true
	}
	count, next := 0, time.Now().Add(run.ProgressInterval)
	err = data.Add(f, func(entries int) error {
		if count += entries; time.Now().After(next) {
			next = time.Now().Add(run.ProgressInterval)
			fmt.Fprintf(os.Stderr, "%s: %d %% read\n", fault.Visible(name), int64(count)*mem.LineBytes*100/max(1, f.Bytes))
		}
		return nil
	})
	if err != nil {
		return in.wrap(err)
	}
	return nil
}

// parseBytes reads a size such as 140GB; a unit is a power of 1000.
func parseBytes(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	number, scale := text, 1.0
	for i, unit := range []string{"kB", "MB", "GB", "TB"} {
		if rest, ok := strings.CutSuffix(text, unit); ok {
			number = rest
			for range i + 1 {
				scale *= 1000
			}
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	const most = 1e15 // more than any memory, and exact in a float64
	if err != nil || !(v*scale >= 1 && v*scale <= most) {
		return 0, errors.New("use a size such as 140GB or 500MB, up to 1000TB")
	}
	return uint64(v * scale), nil
}

func printFit(out io.Writer, r *fitReport, format string) error {
	a, p := r.Answer, r.Profile
	switch format {
	case "json":
		return cli.PrintJSON(out, r)
	case "csv":
		for _, note := range r.Notes {
			fmt.Fprintln(os.Stderr, note)
		}
		rows := [][]string{{"gpu", "link", "gbPerSecond", "simulated", "formula", "apart", "plain", "capacityRatio", "buddyShare", "needBytes", "wholeBytes", "source"}}
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
		for _, row := range a.Rows {
			rows = append(rows, []string{
				a.GPU.Name, row.Link.Name, number(float64(row.Link.MBPerSecond) / 1000), number(row.Simulated), number(row.Slowdown), number(row.Apart), number(row.Plain),
				number(p.CapacityRatio), number(p.BuddyShare), strconv.FormatUint(a.NeedBytes, 10), strconv.FormatUint(a.WholeBytes, 10), row.Link.BandwidthSource,
			})
		}
		return csv.NewWriter(out).WriteAll(rows)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-40s %16s %7s %7s %9s\n", "array", "bytes", "ratio", "target", "to buddy")
	for _, x := range p.Allocations {
		fmt.Fprintf(&b, "%-40s %16s %7.2f %7s %7.2f %%\n", x.Name, cli.Group(x.Bytes), x.CompressionRatio, x.Target, 100*x.OverShare)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s", note)
	}
	verdict := "does not fit, even with Buddy Compression"
	switch {
	case a.FitsPlain:
		verdict = "fits without compression"
	case a.Fits:
		verdict = "fits with Buddy Compression"
	}
	fmt.Fprintf(&b, "\n%s, %s bytes of memory (%s): %s\n", a.GPU.Name, cli.Group(a.GPU.MemoryBytes), a.GPU.MemorySource, verdict)
	fmt.Fprintf(&b, "%s bytes need %s of device memory and %s behind the link: capacity ratio %.3f, %.3f %% of the entries need buddy memory\n",
		cli.Group(a.WholeBytes), cli.Group(a.NeedBytes), cli.Group(a.LinkedBytes), p.CapacityRatio, 100*p.BuddyShare)
	fmt.Fprintf(&b, "DRAM %.0f GB/s (%s), L2 to SMs %.0f GB/s\n\n", a.GPU.BytesPerSecond/1e9, a.GPU.ClockSource, a.GPU.L2BytesPerSecond/1e9)
	fmt.Fprintf(&b, "%-24s %9s %10s %8s %8s %8s  %s\n", "link", "GB/s", "simulated", "formula", "apart", "plain", "source")
	for _, row := range a.Rows {
		simulated := "-"
		if row.Simulated > 0 {
			simulated = fmt.Sprintf("%.3f", row.Simulated)
		}
		fmt.Fprintf(&b, "%-24s %9.1f %10s %8.3f %8.3f %8.3f  %s; header: %s\n", row.Link.Title, float64(row.Link.MBPerSecond)/1000, simulated, row.Slowdown, row.Apart, row.Plain,
			row.Link.BandwidthSource, row.Link.HeaderSource)
	}
	fmt.Fprintf(&b, "\n%s\nlatency: %s\n", a.Formula, r.LatencySource)
	if r.SampleBytes > 0 {
		fmt.Fprintf(&b, "simulated: one read of %s bytes, sampled evenly from all arrays\n", cli.Group(uint64(r.SampleBytes)))
	}
	_, err := io.WriteString(out, b.String())
	return err
}
