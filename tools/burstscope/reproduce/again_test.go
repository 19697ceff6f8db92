package reproduce

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/golden"
)

// The committed verdicts and grades follow from the committed numbers by today's rule and predicates. Writing them
// again makes no run; this test comes before those of the documents that state the totals.
func TestCommittedVerdictsFollowFromNumbers(t *testing.T) {
	for _, c := range committedData(t) {
		if err := c.judgeAgain(t); err != nil {
			t.Errorf("%s: %v: %s", c.dir, err, c.update)
		}
	}
}

// settingsOnly are rows whose number is a setting of their runs, or a bound of each program.
var settingsOnly = map[string]bool{"LATTE-11": true, "BUDDY-43": true, "BUDDY-91": true}

// judgeAgain compares the files of claims, and the index with their digests, with what their numbers give.
func (c *committed) judgeAgain(t *testing.T) error {
	var runs reproducedRuns
	readJSON(t, filepath.Join(c.dir, "runs.json"), &runs)
	var index reproductionIndex
	readJSON(t, filepath.Join(c.dir, "index.json"), &index)
	sum := digest.New()
	for _, m := range c.modes {
		for _, f := range m.figures {
			var d stampedFigure
			readJSON(t, filepath.Join(c.dir, string(m.data), strings.ToLower(f.Name)+".json"), &d)
			sum.Write([]byte(d.Digest))
		}
		file := filepath.Join(c.dir, string(m.data), "claims.json")
		var written claims.ClaimsReport
		readJSON(t, file, &written)
		outcomes, err := c.ledger(nil, m.data).Again(m.claims(), written.Outcomes)
		if err != nil {
			return err
		}
		report := &claims.ClaimsReport{Version: experiment.Version, Data: m.data, Reading: written.Reading}
		var used []string
		for _, o := range outcomes {
			report.Count(o)
			report.Outcomes = append(report.Outcomes, o)
			used = append(used, o.Keys()...)
			if o.Verdict.ByRuns() && o.PaperValue != "" && o.Measured == nil && !settingsOnly[o.ID] {
				t.Errorf("%s: %s has a number of the paper and none of ours: give it a value", file, o.ID)
			}
			if o.Verdict == claim.Holds && o.Measured != nil && (o.Grade == claim.Far || o.Grade == claim.OtherDirection) {
				t.Errorf("%s: %s plainly holds and its number is %s", file, o.ID, o.Grade)
			}
			for _, key := range o.Keys() {
				if runs.Runs[key] == nil || runs.Runs[key].Result == "" {
					t.Errorf("%s: %s needs the run %s, which is not written", file, o.ID, key)
				}
			}
		}
		report.Digest = runs.digest(claim.Source(m.papers...), used)
		sum.Write([]byte(report.Digest))
		golden.File(t, file, compactJSON(report))
	}
	index.Digest = sum.Hex()
	golden.File(t, filepath.Join(c.dir, "index.json"), compactJSON(&index))
	return nil
}
