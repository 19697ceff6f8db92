package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// mostRuns is how many runs a page lists [ours].
const mostRuns = 60

// dataOf are the inputs of a paper's rows.
type dataOf func(paper string) claim.Data

// divergenceFiles are the pages of the divergences of some ledgers, by their names: a document for each, a drawing of
// its numbers, and a list. Every number is one of a row.
func divergenceFiles(outcomes []*claim.Outcome, runs *reproducedRuns, data dataOf) map[string]string {
	files := map[string]string{}
	all := claim.Divergences(outcomes)
	var list strings.Builder
	fmt.Fprint(&list, "# Divergences from the papers\n\n"+
		"Core rows of a paper that do not hold for one reason, or not in size, make a divergence. Each has a page, "+
		"those with the most rows first.\n"+
		"The pages are made from the committed rows (`./build.sh update ./tools/burstscope/reproduce`);\n"+
		"what was tried and what would decide it are the words of `analyses.yaml`.\n\n"+
		"| page | rows | outside 2x | the furthest from the paper | paper | ours |\n|---|---|---|---|---|---|\n")
	for _, d := range all {
		first := d.Rows[0]
		drawing := divergenceDrawing(d, data(first.Paper))
		files[first.ID+".md"] = divergencePage(d, runs, len(drawing.Panels) > 0)
		if len(drawing.Panels) > 0 {
			files[first.ID+".svg"] = chart.Draw(drawing)
		}
		outside := 0
		for _, o := range d.Rows {
			if o.Grade != "" && !within(o.Grade, claim.WithinTwice) {
				outside++
			}
		}
		fmt.Fprintf(&list, "| [%s](%s.md) | %d | %d | %s | %s %s | %s |\n", first.ID, first.ID, len(d.Rows), outside,
			cellText(first.Statement), orNone(first.PaperValue), first.Unit, chart.ShortNumber(first.Measured))
	}
	files["README.md"] = list.String() + howNear(outcomes)
	return files
}

// divergenceDrawing has a panel for each row with a number: ours, and that under every other reading of what the paper
// leaves open, each beside the paper's.
func divergenceDrawing(d *claim.Divergence, data claim.Data) *claim.Drawing {
	drawing := &claim.Drawing{Name: d.Rows[0].ID, Paper: d.Rows[0].Paper, Title: d.Rows[0].Statement, Data: data}
	for _, o := range d.Rows {
		if o.Measured == nil {
			continue
		}
		own := o.Own()
		paper := paperNumber(o)
		p := &claim.DrawnPanel{Title: o.ID + " " + o.Statement, Unit: o.Unit, Kind: "bars"}
		p.Categories = []string{"as run"}
		s := claim.DrawnSeries{Label: "ours", Values: []*float64{own.Measured}, Paper: []*float64{paper}}
		for i, r := range o.Readings {
			if r.Measured == nil {
				continue
			}
			p.Categories = append(p.Categories, fmt.Sprintf("reading %d", i+1))
			s.Values, s.Paper = append(s.Values, r.Measured), append(s.Paper, paper)
		}
		s.Formulas = make([]*claim.Formula, len(s.Values))
		p.Series = []claim.DrawnSeries{s}
		drawing.Panels = append(drawing.Panels, p)
	}
	return drawing
}

// paperNumber is the paper's number of a row, nil without one.
func paperNumber(o *claim.Outcome) *float64 {
	var f float64
	if _, err := fmt.Sscanf(o.PaperValue, "%g", &f); err != nil {
		return nil
	}
	return &f
}

func divergencePage(d *claim.Divergence, runs *reproducedRuns, drawn bool) string {
	var b strings.Builder
	first := d.Rows[0]
	fmt.Fprintf(&b, "# %s: %s\n\n", first.ID, first.Statement)
	if drawn {
		fmt.Fprintf(&b, "![The paper's numbers and ours, under every reading that was run](%s.svg)\n\n", first.ID)
	}
	fmt.Fprint(&b, "| row | the paper states | where | paper | ours | unit | grade | interval | null |\n"+
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, o := range d.Rows {
		interval, null := "not measured", "not measured"
		if !o.Timed {
			interval, null = "no time", "no time"
		}
		if o.Noise != nil {
			interval = fmt.Sprintf("%.4g to %.4g", o.Noise.Own.Low, o.Noise.Own.High)
			null = fmt.Sprintf("%.4g to %.4g", o.Noise.Null.Low, o.Noise.Null.High)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", o.ID, cellText(o.Statement),
			cellText(o.Figure), orNone(o.PaperValue), chart.ShortNumber(o.Measured), o.Unit, orNone(string(o.Grade)),
			interval, null)
	}
	fmt.Fprintf(&b, "\n## Readings and sizes\n\n%s", readingsOf(d))
	fmt.Fprintf(&b, "\n## What was tried, and what would decide it\n\n%s\n", paragraphs(d.Analysis))
	fmt.Fprintf(&b, "\n## Runs\n\n%s", runsOf(d, runs))
	return b.String()
}

// readingsOf lists what the rows come to under the other readings and sizes that were run.
func readingsOf(d *claim.Divergence) string {
	var b strings.Builder
	for _, o := range d.Rows {
		for i, r := range o.Readings {
			if b.Len() == 0 {
				fmt.Fprint(&b, "What the paper leaves open, with the number of every reading, as in the drawing.\n\n"+
					"| row | reading | open | instead of | settings | ours | grade | verdict |\n"+
					"|---|---|---|---|---|---|---|---|\n")
			}
			fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s | %s | %s |\n", o.ID, i+1, cellText(r.Part+": "+r.Word),
				cellText(r.Own), cellText(r.Settings), chart.ShortNumber(r.Measured),
				orNone(string(r.Grade)), r.Verdict)
		}
	}
	if b.Len() == 0 {
		return "No other reading or size of these rows was run.\n"
	}
	return b.String()
}

// paragraphs puts each part of an analysis into a paragraph of its own.
func paragraphs(analysis string) string {
	for _, head := range []string{"We think:", "Deciding run:", "Deciding runs:", "What changes it:"} {
		analysis = strings.ReplaceAll(analysis, " "+head, "\n\n"+head)
	}
	return analysis
}

// runsOf lists the runs behind the rows. Their scenarios stand in runs.json under their keys.
func runsOf(d *claim.Divergence, runs *reproducedRuns) string {
	var keys []string
	for _, o := range d.Rows {
		keys = append(keys, o.Keys()...)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Each scenario stands in `runs.json` of its folder in `assets/reproduction`; "+
		"`burstscope run FILE` makes it again, and the page opens it from the row.\n\n"+
		"| run | scenario | result |\n|---|---|---|\n",
		cli.Counted(len(keys), "run"))
	for i, key := range keys {
		if i == mostRuns {
			fmt.Fprintf(&b, "\nand %d more.\n", len(keys)-mostRuns)
			break
		}
		one := runs.Runs[key]
		if one == nil {
			one = &reproducedRun{Title: "not written"}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n",
			cellText(one.Title), scenario.ShortHash(key), orNone(scenario.ShortHash(one.Result)))
	}
	return b.String()
}

// cellText is a text for a cell of a table.
func cellText(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
