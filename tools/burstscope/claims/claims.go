package claims

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

const claimsHelp = `usage: burstscope claims [--paper P] [--tier T] [READING] [--store DIR] [--verdict V]
                        [--format text|csv|json]

Says which statements of the papers hold here. It reads the results of a store;
burstscope sweep claims fills the store. Runs decide three of the verdicts:
  holds             the row's predicate is true of our results, and if the paper
                    states a number, ours is within 2x of it
  holds in order, not in size
                    the predicate is true, but our number is further from the
                    paper's, or has the other direction
  does not hold     the predicate is false of our results
Runs do not decide the others:
  arithmetic only   the predicate is true and needs no run: it checks sums of the
                    paper, constants of the simulator or unit tests
  input-calibrated  the inputs were made so that the predicate holds
  shown only        a GPU simulator cannot measure it
  not yet measured  a workload, a setting or a run is missing; the row names it
Numbers are in the paper's unit. Deviations are given for the ratio (1.10 instead
of 1.05 deviates by 4.8 %) and for the effect, the part beyond 1 (here 100 %). If a
paper states a change, in percent or as a speedup, the effect is graded, otherwise the
ratio: within 10 %, within 25 %, within 2x (half to twice the paper's number), far, or
other direction. The exit status is 0 if the evaluation worked, whatever it found.

  --paper    SLC, E2MC, LATTE, BUDDY or RFVP
  --tier     T1 core, T2 details, T3 out of reach
  --verdict  only claims with this verdict
  The interval of a number about time or energy is what it comes to with five seeds and
  five placements of the buffers (see: burstscope noise --help), for the rows whose paper's
  folder asks for it; for the others it says "not measured". A row whose interval meets
  that of a scheme that saves nothing is "not distinguishable".
  --store    folder of the results, default "results", and the name of the reading
             behind it unless it is the default one

` + sweep.ReadingHelp + `
examples:
  burstscope claims --paper SLC --tier T1
  burstscope claims --paper E2MC --data calibrated --format csv
  burstscope claims --verdict "does not hold"
  burstscope claims --verdict "holds in order, not in size"
`

// ClaimsReport is what claims prints as JSON.
type ClaimsReport struct {
	Version string        `json:"version"`
	Digest  string        `json:"digest,omitempty"` // of the table and the results
	Data    claim.Data    `json:"data"`
	Counts  []claimsCount `json:"counts"`
	Total   ClaimsTotal   `json:"total"`
	// Reading is left out if it is that of the committed results.
	Reading  *claim.Reading   `json:"reading,omitempty"`
	Outcomes []*claim.Outcome `json:"claims"`
	reading  claim.Reading
}

// claimsCount counts the verdicts of one paper and tier, in the order of
// claim.Verdicts.
type claimsCount struct {
	Paper  string         `json:"paper"`
	Tier   string         `json:"tier"`
	Counts map[string]int `json:"counts"`
}

// ClaimsTotal counts all claims, and separately those that runs decided.
type ClaimsTotal struct {
	Claims int `json:"claims"`
	ByRuns int `json:"byRuns"` // decided by runs
	Hold   int `json:"hold"`   // of ByRuns
	// InOrder is the number of ByRuns that hold in order, not in size. They are not among Hold.
	InOrder int `json:"inOrder"`
}

func (t ClaimsTotal) String() string {
	return t.Sentence("claims")
}

// Sentence says the totals of rows that have a name, such as "claims".
func (t ClaimsTotal) Sentence(rows string) string {
	return fmt.Sprintf("Runs decide %d of %d %s: %s.", t.ByRuns, t.Claims, rows, t.Verdicts())
}

// Verdicts counts the verdicts that runs decide.
func (t ClaimsTotal) Verdicts() string {
	fails := t.ByRuns - t.Hold - t.InOrder
	return fmt.Sprintf("%d hold, %d hold in order but not in size, %d do not hold", t.Hold, t.InOrder, fails)
}

// add counts an outcome.
func (t *ClaimsTotal) add(o *claim.Outcome) {
	t.Claims++
	if o.Verdict.ByRuns() {
		t.ByRuns++
	}
	switch o.Verdict {
	case claim.Holds:
		t.Hold++
	case claim.HoldsInOrder:
		t.InOrder++
	}
}

func claimsVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("claims", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "csv", "json")
	paper := flags.String("paper", "", "")
	tier := flags.String("tier", "", "")
	verdict := flags.String("verdict", "", "")
	dir := cli.FileFlag(flags, "store")
	reading := sweep.ReadingFlags(flags)
	if err := cli.Parse(flags, args, func(w string) error { return cli.Usagef("unexpected word: %s: burstscope claims takes none", w) }); err != nil {
		return err
	}
	if *verdict != "" && !slices.Contains(claim.Verdicts, claim.Verdict(*verdict)) {
		return cli.Usagef("--verdict %q: burstscope claims: give one of %s", *verdict, verdictWords())
	}
	claims, err := claim.Select(*paper, *tier)
	if err != nil {
		return cli.Usagef("%s", err)
	}
	s, err := sweep.ReadStore(*dir, reading)
	if err != nil {
		return err
	}
	own := reading.Of(strings.ToUpper(*paper))
	report, err := ReportOf(own.Ledger(s), claims, *verdict)
	if err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	switch *format {
	case "json":
		return cli.PrintJSON(out, report)
	case "csv":
		return report.Csv(out)
	}
	return report.Text(out)
}

// verdictWords lists the verdicts; one of them has a comma.
func verdictWords() string {
	var words []string
	for _, v := range claim.Verdicts {
		words = append(words, strconv.Quote(string(v)))
	}
	return strings.Join(words, ", ")
}

// ReportOf evaluates claims over results. It lists all claims, or only those with a
// given verdict.
func ReportOf(ledger *claim.Ledger, claims []claim.Claim, verdict string) (*ClaimsReport, error) {
	reading := ledger.Reading()
	report := &ClaimsReport{Version: experiment.Version, Data: claim.Data(reading.Word("data")), reading: reading}
	if !reading.IsDefault() {
		report.Reading = &reading
	}
	for _, c := range claims {
		o, err := ledger.Evaluate(c)
		if err != nil {
			return nil, err
		}
		report.Count(o)
		if verdict == "" || verdict == string(o.Verdict) {
			report.Outcomes = append(report.Outcomes, o)
		}
	}
	return report, nil
}

func (r *ClaimsReport) Count(o *claim.Outcome) {
	r.Total.add(o)
	for i := range r.Counts {
		if c := &r.Counts[i]; c.Paper == o.Paper && c.Tier == o.Tier {
			c.Counts[string(o.Verdict)]++
			return
		}
	}
	r.Counts = append(r.Counts, claimsCount{o.Paper, o.Tier, map[string]int{string(o.Verdict): 1}})
}

// Recount counts the outcomes again, after their verdicts changed.
func (r *ClaimsReport) Recount() {
	r.Counts, r.Total = nil, ClaimsTotal{}
	for _, o := range r.Outcomes {
		r.Count(o)
	}
}

func (r *ClaimsReport) Csv(out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write([]string{"id", "paper", "tier", "kind", "figure", "statement", "verdict", "measured", "paperValue", "unit", "ratioDeviation", "effectDeviation", "grade", "missing", "remarks", "runs", "analysis", "machine", "data", "sizes", "notBoundByMemory",
		"interval", "intervalOfNull", "distinguishable", "under", "readings"})
	for _, o := range r.Outcomes {
		reading := r.reading.Of(o.Paper)
		w.Write([]string{o.ID, o.Paper, o.Tier, o.Kind, o.Figure, o.Statement, string(o.Verdict), exactNumber(o.Measured), o.PaperValue, o.Unit,
			exactNumber(o.RatioDeviation), exactNumber(o.EffectDeviation), string(o.Grade), strings.Join(o.Missing, "; "), strings.Join(o.Remarks, "; "), strings.Join(o.Runs, " "), o.Analysis,
			reading.Word("machine"), reading.Word("data"), reading.Word("sizes"), notBoundWords(o.NotBound),
			intervalText(o), nullText(o), distinguishableText(o), o.Under, strings.Join(readingTexts(o), "; ")})
	}
	w.Flush()
	return w.Error()
}

func exactNumber(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}

func signedPercent(f *float64) string {
	if f == nil {
		return "-"
	}
	return cli.ChangeText(*f)
}

func (r *ClaimsReport) Text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "version %s, %s\n\n\t", r.Version, r.reading)
	for _, v := range claim.Verdicts {
		fmt.Fprintf(w, "%s\t", v)
	}
	fmt.Fprintln(w)
	for _, c := range r.Counts {
		fmt.Fprintf(w, "%s %s\t", c.Paper, c.Tier)
		for _, v := range claim.Verdicts {
			fmt.Fprintf(w, "%d\t", c.Counts[string(v)])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n%s\n", r.Total)
	fmt.Fprint(w, "\nid\ttier\tverdict\tmeasured\tpaper\tunit\tratio\teffect\tgrade\tinterval\n")
	for _, o := range r.Outcomes {
		cells := []string{
			o.ID, o.Tier, string(o.Verdict), chart.ShortNumber(o.Measured), orDash(o.PaperValue), orDash(o.Unit),
			signedPercent(o.RatioDeviation), signedPercent(o.EffectDeviation), orDash(string(o.Grade)),
			orDash(intervalText(o)),
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, o := range r.Outcomes {
		fmt.Fprintf(out, "\n%s  %s (%s)\n", o.ID, o.Statement, o.Figure)
		if len(o.Missing) > 0 {
			fmt.Fprintf(out, "  missing: %s\n", shortList(o.Missing, "; "))
		}
		if len(o.NotBound) > 0 {
			fmt.Fprintf(out, "  not bound by memory here: %s\n", notBoundWords(o.NotBound))
		}
		if o.Noise != nil {
			fmt.Fprintf(out, "  interval: %s\n", o.Noise)
		}
		for _, text := range readingTexts(o) {
			fmt.Fprintf(out, "  %s\n", text)
		}
		for _, remark := range o.Remarks {
			fmt.Fprintf(out, "  %s\n", remark)
		}
		if len(o.Runs) > 0 {
			var short []string
			for _, key := range o.Runs {
				short = append(short, scenario.ShortHash(key))
			}
			fmt.Fprintf(out, "  runs: %s\n", shortList(short, " "))
		}
		if o.Analysis != "" {
			fmt.Fprintf(out, "  %s\n", o.Analysis)
		}
	}
	return nil
}

// notBoundWords lists programs that are not bound by memory, with their speedups by a faster DRAM.
func notBoundWords(list []claim.NotBound) string {
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprintf("%s %.3f", n.Program, n.Gain))
	}
	return strings.Join(words, ", ")
}

// intervalText is the interval of a row's number; empty if the number is not about time or energy.
func intervalText(o *claim.Outcome) string {
	switch {
	case o.Noise != nil:
		return rangeText(o.Noise.Own)
	case o.Timed:
		return "not measured"
	}
	return ""
}

// readingTexts are what a row comes to under every reading of what its paper leaves open.
func readingTexts(o *claim.Outcome) []string {
	var list []string
	part := ""
	own := o.Own()
	for _, r := range o.Readings {
		if r.Part != part {
			part = r.Part
			list = append(list, fmt.Sprintf("%s: %s, as the runs of the row (%s): %s, %s",
				r.Part, r.Own, r.Why, chart.ShortNumber(own.Measured), own.Verdict))
		}
		grade := ""
		if r.Stated {
			grade = ", which the text states"
		}
		if r.Grade != "" {
			grade = ", " + string(r.Grade) + grade
		}
		list = append(list, fmt.Sprintf("%s: %s (%s): %s, %s%s",
			r.Part, r.Word, r.Settings, chart.ShortNumber(r.Measured), r.Verdict, grade))
	}
	if o.DependsOnReading() {
		list = append(list, "the verdict depends on the reading")
	}
	return list
}

func nullText(o *claim.Outcome) string {
	if o.Noise == nil {
		return ""
	}
	return rangeText(o.Noise.Null)
}

func distinguishableText(o *claim.Outcome) string {
	switch {
	case o.Noise == nil:
		return ""
	case o.Noise.Distinguishable:
		return "yes"
	}
	return "no"
}

func rangeText(i experiment.Interval) string { return fmt.Sprintf("%.4g to %.4g", i.Low, i.High) }

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// mostListed bounds lists in the text; csv and json have every entry.
const mostListed = 6

func shortList(list []string, between string) string {
	if len(list) > mostListed {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:mostListed], between), len(list)-mostListed)
	}
	return strings.Join(list, between)
}
