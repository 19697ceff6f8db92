package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/golden"
)

// Totals count the rows that runs decide separately, in text and JSON.
func TestClaimTotals(t *testing.T) {
	report, err := reportOf(claim.NewLedger(strewn{}, claim.Suite), claim.All(), "")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[claim.Verdict]int{}
	var want claimsTotal
	for _, o := range report.Outcomes {
		counts[o.Verdict]++
		want.Claims++
		// Each row that runs decide names its runs.
		if evidence := o.Verdict == claim.Holds || o.Verdict == claim.DoesNotHold; evidence != (len(o.Runs) > 0 && o.Verdict != claim.InputCalibrated && o.Verdict != claim.NotYetMeasured) {
			t.Errorf("%s: %s from %d runs", o.ID, o.Verdict, len(o.Runs))
		} else if evidence {
			want.ByRuns++
		}
		if o.Verdict == claim.Holds {
			want.Hold++
		}
	}
	if report.Total != want || want.Hold == 0 || want.ByRuns == want.Hold || counts[claim.ArithmeticOnly] == 0 {
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
	if err := report.text(&text); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("Runs decide %d of %d claims: %d hold, %d do not.", want.ByRuns, len(claim.All()), want.Hold, want.ByRuns-want.Hold)
	if !strings.Contains(text.String(), line) || !strings.Contains(text.String(), "does not hold  arithmetic only") {
		t.Errorf("%.600s", text.String())
	}
	var again claimsReport
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
	const ledger = "../../core/claim/README.md"
	tiers := map[string]string{"T1": "core", "T2": "details", "T3": "out of reach"}
	header := []string{"rows"}
	for _, v := range claim.Verdicts {
		header = append(header, string(v))
	}
	var rows [][]string
	byPaper := map[string][][]string{}
	var sum claimsTotal
	arithmetic := 0
	for _, c := range committedData(t) {
		for i, m := range c.modes {
			var report claimsReport
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
			total := report.Total
			if i > 0 {
				golden.Words(t, ledger, fmt.Sprintf("On calibrated inputs they decide %d of SLC's %d: %d hold, %d do",
					total.ByRuns, total.Claims, total.Hold, total.ByRuns-total.Hold))
				continue
			}
			sum.Claims, sum.ByRuns, sum.Hold = sum.Claims+total.Claims, sum.ByRuns+total.ByRuns, sum.Hold+total.Hold
		}
	}
	place := func(row []string) int { // papers in their order, core before details
		paper, tier, _ := strings.Cut(row[0], " ")
		tier, _, _ = strings.Cut(tier, ",")
		return 10*slices.Index(claim.Papers, paper) + slices.Index([]string{tiers["T1"], tiers["T2"], tiers["T3"]}, tier)
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return place(a) - place(b) })
	golden.Table(t, ledger, "verdicts", header, rows)
	for paper, rows := range byPaper {
		own := filepath.Join("..", "..", "core", "claim", paper+".md")
		if _, err := os.Stat(own); err == nil {
			slices.SortStableFunc(rows, func(a, b []string) int { return place(a) - place(b) })
			golden.Table(t, own, "verdicts", header, rows)
		}
	}
	golden.Words(t, ledger, fmt.Sprintf("Runs decide %d of %d rows: %d hold, %d do not.", sum.ByRuns, sum.Claims, sum.Hold, sum.ByRuns-sum.Hold))
	const cli = "README.md"
	golden.Words(t, cli, fmt.Sprintf("they decide %d of %d rows, and %d hold.", sum.ByRuns, sum.Claims, sum.Hold))
	golden.Words(t, cli, fmt.Sprintf("*arithmetic only* (%d rows", arithmetic))
	golden.Words(t, cli, fmt.Sprintf("A table of %d rows (`claims.csv`", sum.Claims))
	golden.Words(t, "../../site/README.md", fmt.Sprintf("%d rows, each with the paper's", sum.Claims))
}
