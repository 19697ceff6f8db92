package reproduce

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/golden"
)

// Totals count the rows that runs decide separately, in text and JSON.
func TestClaimTotals(t *testing.T) {
	report, err := claims.ReportOf(claim.NewLedger(strewn{}, claim.Suite), claim.All(), "")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[claim.Verdict]int{}
	var want claims.ClaimsTotal
	for _, o := range report.Outcomes {
		counts[o.Verdict]++
		want.Claims++
		// Each row that runs decide names its runs.
		inOrder := o.Verdict == claim.HoldsInOrder
		if evidence := o.Verdict == claim.Holds || inOrder || o.Verdict == claim.DoesNotHold; evidence != (len(o.Runs) > 0 && o.Verdict != claim.InputCalibrated && o.Verdict != claim.NotYetMeasured) {
			t.Errorf("%s: %s from %d runs", o.ID, o.Verdict, len(o.Runs))
		} else if evidence {
			want.ByRuns++
		}
		if o.Verdict == claim.Holds {
			want.Hold++
		}
		if inOrder {
			want.InOrder++
		}
	}
	if report.Total != want || want.Hold == 0 || want.InOrder == 0 || want.ByRuns == want.Hold+want.InOrder || counts[claim.ArithmeticOnly] == 0 {
		t.Errorf("total %+v, by hand %+v, %v", report.Total, want, counts)
	}
	sums := map[string]int{}
	for _, c := range report.Counts {
		for verdict, n := range c.Counts {
			sums[verdict] += n
		}
	}
	for verdict, n := range counts {
		if sums[string(verdict)] != n {
			t.Errorf("%s: %d rows, counted as %d", verdict, n, sums[string(verdict)])
		}
	}
	var text bytes.Buffer
	if err := report.Text(&text); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("Runs decide %d of %d claims: %d hold, %d hold in order but not in size, %d do not hold.",
		want.ByRuns, len(claim.All()), want.Hold, want.InOrder, want.ByRuns-want.Hold-want.InOrder)
	if !strings.Contains(text.String(), line) || !strings.Contains(text.String(), "holds in order, not in size  does not hold  arithmetic only") {
		t.Errorf("%.600s", text.String())
	}
	var again claims.ClaimsReport
	if b, err := json.Marshal(report); err != nil || json.Unmarshal(b, &again) != nil || again.Total != want {
		t.Errorf("JSON has %+v", again.Total)
	}
	// Rows of arithmetic have neither a number nor a grade in the table.
	for line := range strings.Lines(text.String()) {
		if f := strings.Fields(line); len(f) > 3 && f[0] == "SLC-01" && f[2] == "arithmetic" && strings.Contains(line, "within") {
			t.Error(line)
		}
	}
}

// The documents have the totals of the committed data: a table of verdicts of all papers, one of each paper that has a
// document, and the sums in sentences.
func TestTotalsInDocuments(t *testing.T) {
	const ledger = "../../../core/claim/README.md"
	tiers := map[string]string{"T1": "core", "T2": "details", "T3": "out of reach"}
	header := []string{"rows"}
	for _, v := range claim.Verdicts {
		header = append(header, string(v))
	}
	var rows [][]string
	byPaper, totals := map[string][][]string{}, map[string]claims.ClaimsTotal{}
	var grades [][]string
	var shared shares
	var sum claims.ClaimsTotal
	arithmetic := 0
	for _, c := range committedData(t) {
		for i, m := range c.modes {
			var report claims.ClaimsReport
			readJSON(t, filepath.Join(c.dir, string(m.data), "claims.json"), &report)
			for _, count := range report.Counts {
				name := count.Paper + " " + tiers[count.Tier]
				if len(c.modes) > 1 && count.Paper == claim.Papers[0] {
					name += ", " + string(m.data)
				}
				row := []string{name}
				for _, v := range claim.Verdicts {
					row = append(row, strconv.Itoa(count.Counts[string(v)]))
				}
				rows = append(rows, row)
				byPaper[count.Paper] = append(byPaper[count.Paper], row)
				if i == 0 {
					arithmetic += count.Counts[string(claim.ArithmeticOnly)]
				}
			}
			grades = append(grades, gradesOf(&report, len(c.modes) > 1)...)
			if i == 0 {
				shared.add(report.Outcomes)
			}
			total := report.Total
			if len(m.papers) == 1 {
				totals[m.papers[0]] = total
			}
			if i > 0 {
				golden.Words(t, ledger, fmt.Sprintf("On calibrated inputs they decide %d of SLC's %d: %s.",
					total.ByRuns, total.Claims, total.Verdicts()))
				continue
			}
			sum.Claims, sum.ByRuns = sum.Claims+total.Claims, sum.ByRuns+total.ByRuns
			sum.Hold, sum.InOrder = sum.Hold+total.Hold, sum.InOrder+total.InOrder
		}
	}
	place := func(row []string) int { // papers in their order, core before details
		paper, tier, _ := strings.Cut(row[0], " ")
		tier, _, _ = strings.Cut(tier, ",")
		return 10*slices.Index(claim.Papers, paper) + slices.Index([]string{tiers["T1"], tiers["T2"], tiers["T3"]}, tier)
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return place(a) - place(b) })
	golden.Table(t, ledger, "verdicts", header, rows)
	slices.SortStableFunc(grades, func(a, b []string) int { return place(a) - place(b) })
	golden.Table(t, ledger, "grades", gradesHeader(), grades)
	for paper, rows := range byPaper {
		own := filepath.Join("..", "..", "..", "core", "claim", paper+".md")
		if _, err := os.Stat(own); err == nil {
			slices.SortStableFunc(rows, func(a, b []string) int { return place(a) - place(b) })
			golden.Table(t, own, "verdicts", header, rows)
			total := totals[paper]
			golden.Words(t, own, fmt.Sprintf("Runs decide %d of the %d rows: %s.", total.ByRuns, total.Claims, total.Verdicts()))
		}
	}
	golden.Words(t, ledger, sum.Sentence("rows"))
	sharesHeader := append([]string{"core rows with a number, inputs of the suites"}, nearness...)
	golden.Table(t, ledger, "shares", sharesHeader, shared.rows())
	const cli = "../README.md"
	golden.Words(t, cli, fmt.Sprintf("they decide %d of %d rows: %s.", sum.ByRuns, sum.Claims, sum.Verdicts()))
	golden.Words(t, cli, fmt.Sprintf("*arithmetic only* (%d rows", arithmetic))
	golden.Words(t, cli, fmt.Sprintf("A table of %d rows (`claims.csv`", sum.Claims))
	golden.Words(t, "../../../site/README.md", fmt.Sprintf("%d rows, each with the paper's", sum.Claims))
}

func gradesHeader() []string {
	header := []string{"rows"}
	for _, g := range claim.Grades {
		header = append(header, string(g))
	}
	return append(header, "no number")
}

// gradesOf counts the core rows that runs decide by grade, a row for each paper. Papers with several inputs name them.
func gradesOf(report *claims.ClaimsReport, inputs bool) (rows [][]string) {
	for _, paper := range claim.Papers {
		counts, any := map[string]int{}, false
		for _, o := range report.Outcomes {
			if o.Paper == paper && o.Tier == "T1" && o.Verdict.ByRuns() {
				counts[cmp.Or(string(o.Grade), "no number")]++
				any = true
			}
		}
		if !any {
			continue
		}
		row := []string{paper + " core"}
		if inputs && paper == claim.Papers[0] {
			row[0] += ", " + string(report.Data)
		}
		for _, g := range gradesHeader()[1:] {
			row = append(row, strconv.Itoa(counts[g]))
		}
		rows = append(rows, row)
	}
	return rows
}
