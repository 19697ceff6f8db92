package reproduce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/chart"
)

// goals are the shares of core rows with a number, in per cent, that the reproduction aims at [ours].
var goals = []int{95, 75, 50}

// nearest are the grades that count for each goal, by the last of them.
var nearest = []claim.Grade{claim.Far, claim.WithinTwice, claim.Within25}

// nearness are the columns of a table of shares.
var nearness = []string{"rows", "right sign", "within 2x", "within 25 %"}

// shareCount counts the core rows with a number that runs decide, and those of them that each goal counts.
type shareCount struct {
	rows  int
	count [3]int
}

// within reports whether a grade is at least as near as another one.
func within(g, least claim.Grade) bool {
	return g != "" && slices.Index(claim.Grades, g) <= slices.Index(claim.Grades, least)
}

func (c *shareCount) add(o *claim.Outcome) {
	if o.Tier != claim.Tiers[0] || !o.Verdict.ByRuns() || o.Grade == "" {
		return
	}
	c.rows++
	for i, least := range nearest {
		if within(o.Grade, least) {
			c.count[i]++
		}
	}
}

// row is the row of a table, with the columns of nearness.
func (c *shareCount) row(name string) []string {
	row := []string{name, strconv.Itoa(c.rows)}
	for _, n := range c.count {
		row = append(row, fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(1, c.rows))))
	}
	return row
}

// shares counts rows under the reading that the text states where one was measured, and under the rows' own.
type shares struct{ stated, own shareCount }

func (s *shares) add(outcomes []*claim.Outcome) {
	for _, o := range outcomes {
		s.stated.add(o)
		s.own.add(o.Own())
	}
}

func (s *shares) rows() [][]string {
	return [][]string{s.stated.row("under the reading that the text states"), s.own.row("under the rows' own reading")}
}

// howNear says what the goals lack: the shares, by paper, and the rows whose number is within 2x and no nearer. Rows
// further away stand on the pages of their reasons.
func howNear(outcomes []*claim.Outcome) string {
	var all shares
	all.add(outcomes)
	var b strings.Builder
	fmt.Fprint(&b, "\n## How near\n\nCore rows of which paper and runs have a number, by the grade of their number.\n\n")
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(append([]string{"core rows"}, nearness...))
	b.WriteString("|---|---|---|---|---|\n")
	aims := []string{"goal", ""}
	for _, goal := range goals {
		aims = append(aims, fmt.Sprintf("%d %%", goal))
	}
	line(aims)
	for _, row := range all.rows() {
		line(row)
	}
	for _, paper := range claim.Papers {
		var own shareCount
		for _, o := range outcomes {
			if o.Paper == paper {
				own.add(o)
			}
		}
		if own.rows > 0 {
			line(own.row(paper))
		}
	}
	var lacking []string
	for i, goal := range goals {
		if n := (all.stated.rows*goal+99)/100 - all.stated.count[i]; n > 0 {
			lacking = append(lacking, fmt.Sprintf("%d rows for \"%s\"", n, nearness[i+1]))
		}
	}
	if len(lacking) > 0 {
		fmt.Fprintf(&b, "\nThe goals lack %s. Each row further than 2x is on a page above, with its reason.\n",
			strings.Join(lacking, ", "))
	}
	b.WriteString(headlines(outcomes))
	fmt.Fprint(&b, "\n## Within 2x, and further than 25 %\n\nThe nearest reading is that with the best grade of all that "+
		"were run; none is chosen by it.\n\n| row | the paper states | paper | ours | unit | the nearest reading |\n"+
		"|---|---|---|---|---|---|\n")
	for _, o := range outcomes {
		if o.Tier != claim.Tiers[0] || !o.Verdict.ByRuns() || o.Grade != claim.WithinTwice {
			continue
		}
		ours := chart.ShortNumber(o.Measured)
		line([]string{o.ID, cellText(o.Statement), o.PaperValue, ours, o.Unit, nearestReading(o)})
	}
	return b.String()
}

// nearestReading names the reading of a row whose grade is better than the row's, with its number.
func nearestReading(o *claim.Outcome) string {
	best, text := o.Grade, "this one"
	better := func(g claim.Grade, word string, ours *float64) {
		if g != "" && slices.Index(claim.Grades, g) < slices.Index(claim.Grades, best) {
			best, text = g, fmt.Sprintf("%s: %s (%s)", cellText(word), chart.ShortNumber(ours), g)
		}
	}
	if a := o.AsRun; a != nil {
		better(a.Grade, a.Word, a.Measured)
	}
	for _, r := range o.Readings {
		better(r.Grade, r.Word, r.Measured)
	}
	return text
}

// headlines are the core rows that a paper's abstract or text puts first, under every reading and size.
func headlines(outcomes []*claim.Outcome) string {
	var b strings.Builder
	fmt.Fprint(&b, "\n## Headlines\n\nWhat the papers put first, under every reading that was run. "+
		"Where the text states a reading other than\nthe rows' own, such as the sizes of its table, "+
		"the row is judged by it.\n\n"+
		"| row | the paper states | paper | unit | as run | the reading that the text states | other readings |\n"+
		"|---|---|---|---|---|---|---|\n")
	for _, o := range outcomes {
		if o.Tier != claim.Tiers[0] || o.Kind != "headline" || o.Measured == nil || o.PaperValue == "" {
			continue
		}
		stated, others := "the same", []string(nil)
		if o.AsRun != nil {
			stated = chart.ShortNumber(o.Measured)
		}
		for _, r := range o.Readings {
			if r.Measured != nil && (o.AsRun == nil || !r.Stated) {
				others = append(others, chart.ShortNumber(r.Measured)+" "+cellText(r.Word))
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", o.ID, cellText(o.Statement), o.PaperValue, o.Unit,
			chart.ShortNumber(o.Own().Measured), stated, orNone(strings.Join(others, "; ")))
	}
	return b.String()
}
