package claims

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

const figureHelp = `usage: burstscope figure NAME [--store DIR] [READING] [--run]
                        [--format text|csv|json|svg]

Draws a figure of a paper from the results of a store, with the paper's values
beside ours. A value stays empty if its runs are not stored, and the missing runs are
listed; --run makes them first, as burstscope sweep NAME does. A mean covers the
programs of its set that exist here. A geometric mean of errors comes with the number
of values that are exactly 0 and with the mean of the others.
NAME is one of SLC-1, SLC-2, SLC-7, SLC-8, SLC-9, SLC-header, SLC-threshold,
SLC-bandwidth, E2MC-1, E2MC-3, E2MC-4, E2MC-5, E2MC-9, E2MC-10, E2MC-11, E2MC-12, E2MC-13,
E2MC-bandwidth, LATTE-1 to LATTE-6, LATTE-11 to LATTE-18, RFVP-1, RFVP-3, RFVP-7 to RFVP-12,
RFVP-combined, BUDDY-3, BUDDY-6, BUDDY-7, BUDDY-12, BUDDY-13.

  --store    folder of the results, default "results", and the name of the reading
             behind it unless it is the default one
  --format   text: tables, the paper's values in brackets; svg: the drawing alone,
             with every value in its description

` + sweep.ReadingHelp + `
examples:
  burstscope figure SLC-7 --run
  burstscope figure E2MC-9 --format csv
  burstscope figure SLC-9 --data calibrated --format svg > slc9.svg
`

func figureVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("figure", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "csv", "json", "svg")
	dir := cli.FileFlag(flags, "store")
	runFirst := flags.Bool("run", false, "")
	reading := sweep.ReadingFlags(flags)
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "figure")); err != nil {
		return err
	}
	f, err := sweep.LoadFigure(name)
	if err != nil {
		return err
	}
	s := sweep.OpenStore(sweep.StoreOf(*dir, reading))
	var failed error
	if *runFirst {
		jobs, err := sweep.FigureJobs(f, reading)
		if err != nil {
			return err
		}
		o := sweep.NewSweep(s)
		if failed = o.Run(jobs, io.Discard); !sweep.GoesOn(failed) {
			return failed
		}
	} else if s, err = sweep.ReadStore(*dir, reading); err != nil {
		return err
	}
	d, _, err := reading.Ledger(s).Draw(f)
	if err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	switch *format {
	case "json":
		err = cli.PrintJSON(out, d)
	case "csv":
		err = FigureCSV(out, d)
	case "svg":
		_, err = io.WriteString(out, chart.Draw(d))
	default:
		err = figureText(out, d)
	}
	return errors.Join(err, failed)
}

func figureText(out io.Writer, d *claim.Drawing) error {
	made := string(d.Data) + " inputs"
	if d.Reading != "" {
		made = d.Reading
	}
	fmt.Fprintf(out, "%s  %s (%s)\n%s\n", d.Name, d.Title, made, d.Notes)
	for _, p := range d.Panels {
		fmt.Fprintf(out, "\n%s (%s)", p.Title, p.Unit)
		if p.Axis != "" {
			fmt.Fprintf(out, " by %s", p.Axis)
		}
		fmt.Fprintln(out)
		w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
		for _, s := range p.Series {
			fmt.Fprintf(w, "\t%s", s.Label)
		}
		fmt.Fprintln(w)
		for i, c := range p.Categories {
			fmt.Fprint(w, c)
			for _, s := range p.Series {
				fmt.Fprintf(w, "\t%s", chart.ValueText(&s, i))
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		for _, words := range p.ZeroWords() {
			fmt.Fprintf(out, "geometric mean of %s\n", words)
		}
		if len(p.Absent) > 0 {
			fmt.Fprintf(out, "not simulated yet: %s\n", strings.Join(p.Absent, ", "))
		}
	}
	if len(d.NotBound) > 0 {
		fmt.Fprintf(out, "\nnot bound by memory here: %s\n", notBoundWords(d.NotBound))
	}
	if len(d.Missing) > 0 {
		fmt.Fprintf(out, "\nmissing: %s\n", shortList(d.Missing, "; "))
	}
	return nil
}

func FigureCSV(out io.Writer, d *claim.Drawing) error {
	w := csv.NewWriter(out)
	w.Write([]string{"figure", "data", "panel", "unit", "series", "category", "value", "paper", "zeros", "of", "withoutZeros", "low", "high", "mean"})
	for _, p := range d.Panels {
		for _, s := range p.Series {
			for i, c := range p.Categories {
				row := []string{d.Name, string(d.Data), p.Title, p.Unit, s.Label, c, exactNumber(s.Values[i]), exactNumber(s.Paper[i]), "", "", "", "", "", ""}
				if s.Zeros != nil && s.Zeros[i] != nil {
					z := s.Zeros[i]
					row[8], row[9], row[10] = strconv.Itoa(z.Zeros), strconv.Itoa(z.Of), exactNumber(z.Without)
				}
				if x := s.SpreadOf(i); x != nil {
					row[11], row[12], row[13] = exactNumber(&x.Low), exactNumber(&x.High), exactNumber(&x.Mean)
				}
				w.Write(row)
			}
		}
	}
	w.Flush()
	return w.Error()
}
