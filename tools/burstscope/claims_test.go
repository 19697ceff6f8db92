package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
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
	if report.Total != want || want.Hold == 0 || want.ByRuns == want.Hold || counts[claim.ArithmeticOnly] != 101 {
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
	line := fmt.Sprintf("Runs decide %d of 452 claims: %d hold, %d do not.", want.ByRuns, want.Hold, want.ByRuns-want.Hold)
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

// The documents state the totals of the committed data.
func TestTotalsInDocuments(t *testing.T) {
	document := func(path ...string) string {
		b, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	ledger, cli := document("core", "claim", "README.md"), document("tools", "burstscope", "README.md")
	says := func(where, text, words string) {
		t.Helper()
		if !strings.Contains(text, words) {
			t.Errorf("%s does not say %q: correct it", where, words)
		}
	}
	titles := map[string]string{"SLC": "SLC", "E2MC": "E2MC", "LATTE": "LATTE-CC", "BUDDY": "Buddy Compression", "RFVP": "RFVP"}
	tiers := map[string]string{"T1": "core", "T2": "details", "T3": "out of reach"}
	var sum claimsTotal
	for _, c := range committedData(t) {
		for i, m := range c.modes {
			var report claimsReport
			readJSON(t, filepath.Join(c.dir, string(m.data), "claims.json"), &report)
			for _, count := range report.Counts {
				row := "| " + titles[count.Paper] + " " + tiers[count.Tier]
				if count.Paper == "SLC" {
					row += ", " + string(m.data)
				}
				for _, v := range claim.Verdicts {
					row += fmt.Sprintf(" | %d", count.Counts[string(v)])
				}
				says("core/claim/README.md", ledger, row+" |")
				if own, err := os.ReadFile(filepath.Join("..", "..", "core", "claim", count.Paper+".md")); err == nil && !strings.Contains(string(own), row+" |") {
					t.Errorf("core/claim/%s.md does not say %q: correct it", count.Paper, row)
				}
			}
			total := report.Total
			if i > 0 {
				says("core/claim/README.md", ledger, fmt.Sprintf("On calibrated inputs they decide %d of SLC's %d: %d hold, %d do", total.ByRuns, total.Claims, total.Hold, total.ByRuns-total.Hold))
				continue
			}
			sum.Claims, sum.ByRuns, sum.Hold = sum.Claims+total.Claims, sum.ByRuns+total.ByRuns, sum.Hold+total.Hold
		}
	}
	says("core/claim/README.md", ledger, fmt.Sprintf("Runs decide %d of %d rows: %d hold, %d do not.", sum.ByRuns, sum.Claims, sum.Hold, sum.ByRuns-sum.Hold))
	says("tools/burstscope/README.md", cli, fmt.Sprintf("they decide %d of %d rows, and %d hold.", sum.ByRuns, sum.Claims, sum.Hold))
}
