package data

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// reportMAGs are the granularities of a report, and histogramMAG that of its
// histogram: the burst of GDDR5.
var reportMAGs = []int{16, 32, 64}

const histogramMAG = 32

func codecReport(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec report", flag.ContinueOnError)
	list := flags.String("codec", strings.Join(codecs.Names(), ","), "")
	format := cli.FormatFlag(flags, "text", "csv")
	in := newFileInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	names, module, err := codecNames(*list)
	if err != nil {
		return err
	}
	var notes []string
	if *format == "text" {
		in.notes = &notes
	}
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	if f.Format == datafile.Raw {
		notes = nil // the first line says so
	}
	r, err := survey.File(f, survey.Params{Names: names, Options: codecs.Options{Module: module.code}})
	if err != nil && module.file != "" {
		err = fmt.Errorf("with %s: %w", module.file, err)
	}
	if err != nil {
		return in.wrap(err)
	}
	for i, name := range module.named(names) {
		r.Codecs[i].Name = name
	}
	if *format == "csv" {
		_, err = io.WriteString(out, reportCSV(r))
	} else {
		_, err = io.WriteString(out, reportText(in.file, f, notes, r))
	}
	return err
}

// reportCSV has a row for each codec.
func reportCSV(r *survey.Result) string {
	var b strings.Builder
	b.WriteString("codec,blocks,bits,ratio")
	for _, mag := range reportMAGs {
		fmt.Fprintf(&b, ",ratioMAG%d", mag)
	}
	for bin := range histogramMAG + 1 {
		fmt.Fprintf(&b, ",above%d", bin)
	}
	b.WriteByte('\n')
	for i := range r.Codecs {
		s := &r.Codecs[i]
		fmt.Fprintf(&b, "%s,%d,%d,%.4f", s.Name, s.Blocks, s.Bits, s.Ratio())
		for _, mag := range reportMAGs {
			fmt.Fprintf(&b, ",%.4f", s.EffectiveRatio(mag))
		}
		for _, n := range s.AboveMAG(histogramMAG) {
			b.WriteString("," + strconv.FormatUint(n, 10))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func reportText(name string, f *datafile.File, notes []string, r *survey.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s in %d %s, burstscope %s\n", name, f.Title(), bytesText(f.Bytes), len(f.Arrays), cli.Plural(len(f.Arrays), "array"), experiment.Version)
	const someArrays = 8
	for i, a := range f.Arrays {
		if i == someArrays {
			fmt.Fprintf(&b, "  and %d more\n", len(f.Arrays)-i)
			break
		}
		title := a.Name
		if title == "" {
			title = "elements"
		}
		of := a.Type.String()
		if a.Counted != "" {
			of = a.Counted
		}
		fmt.Fprintf(&b, "  %s: %s%s\n", title, of, shapeText(a.Shape))
	}
	for _, note := range notes {
		fmt.Fprintln(&b, note)
	}
	fmt.Fprintf(&b, "%s blocks of 128 B", cli.Group(r.Blocks))
	if r.PaddedBytes > 0 {
		fmt.Fprintf(&b, "; %d bytes of zeros fill the last block of each array", r.PaddedBytes)
	}
	fmt.Fprintf(&b, "\n%.1f %% of the elements are zero", 100*float64(r.Values.Zeros)/float64(r.Values.Elements))
	if r.Values.NaNs+r.Values.Infinites > 0 {
		fmt.Fprintf(&b, "; %s are NaN and %s infinite; their bits are measured like any others", cli.Group(r.Values.NaNs), cli.Group(r.Values.Infinites))
	}
	b.WriteString("\n\ncompression ratio, raw and in bursts of a memory access granularity\n")
	fmt.Fprintf(&b, "%-12s %8s %8s %8s %8s\n", "codec", "raw", "16 B", "32 B", "64 B")
	for i := range r.Codecs {
		s := &r.Codecs[i]
		fmt.Fprintf(&b, "%-12s %8.3f", s.Name, s.Ratio())
		for _, mag := range reportMAGs {
			fmt.Fprintf(&b, " %8.3f", s.EffectiveRatio(mag))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nbound set by the entropy of symbols, if every symbol has its own codeword\n")
	for _, e := range r.Bounds {
		about := ""
		if e.Approximate {
			about = "  (about: too many different symbols to count all)"
		}
		fmt.Fprintf(&b, "%2d-bit symbols %7.1f bits a block, ratio %.3f%s\n", e.SymbolBits, e.BitsPerBlock, e.Ratio, about)
	}
	fmt.Fprintf(&b, "\nblocks by bytes above a multiple of %d B, in percent (0: a multiple, or fits one burst; raw: not below 128 B)\n", histogramMAG)
	fmt.Fprintf(&b, "%-12s", "codec")
	for _, title := range aboveTitles {
		fmt.Fprintf(&b, " %6s", title.name)
	}
	b.WriteByte('\n')
	for i := range r.Codecs {
		s := &r.Codecs[i]
		bins := s.AboveMAG(histogramMAG)
		fmt.Fprintf(&b, "%-12s", s.Name)
		for _, title := range aboveTitles {
			n := uint64(0)
			for _, blocks := range bins[title.first : title.last+1] {
				n += blocks
			}
			fmt.Fprintf(&b, " %6.1f", 100*float64(n)/float64(s.Blocks))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// aboveTitles are the columns of the histogram; csv has every bin.
var aboveTitles = []struct {
	name        string
	first, last int
}{
	{"0", 0, 0}, {"1-4", 1, 4}, {"5-8", 5, 8}, {"9-12", 9, 12}, {"13-16", 13, 16}, {"17-20", 17, 20}, {"21-24", 21, 24}, {"25-28", 25, 28}, {"29-31", 29, 31}, {"raw", 32, 32},
}

func shapeText(shape []int64) string {
	var parts []string
	for _, d := range shape {
		parts = append(parts, strconv.FormatInt(d, 10))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func bytesText(n int64) string { return cli.Group(uint64(n)) + " bytes" }
