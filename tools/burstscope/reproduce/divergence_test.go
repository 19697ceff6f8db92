package reproduce

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/golden"
)

// The committed pages of the divergences are made from the committed rows: every core row that does not hold and has
// a reason stands on one page, with its runs, and no page is left of another state.
func TestDivergencePages(t *testing.T) {
	var outcomes []*claim.Outcome
	all := &reproducedRuns{Runs: map[string]*reproducedRun{}}
	data := map[string]claim.Data{}
	for _, c := range committedData(t) {
		m := c.modes[0]
		var report claims.ClaimsReport
		readJSON(t, filepath.Join(c.dir, string(m.data), "claims.json"), &report)
		outcomes = append(outcomes, report.Outcomes...)
		var runs reproducedRuns
		readJSON(t, filepath.Join(c.dir, "runs.json"), &runs)
		maps.Copy(all.Runs, runs.Runs)
		for _, paper := range m.papers {
			data[paper] = m.data
		}
	}
	files := divergenceFiles(outcomes, all, func(paper string) claim.Data { return data[paper] })
	dir := filepath.Join("..", "..", "..", "assets", "reproduction", "divergences")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		golden.File(t, filepath.Join(dir, name), []byte(files[name]))
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range left {
		if files[file.Name()] != "" {
			continue
		}
		if t.Errorf("%s is no page of a divergence any more", file.Name()); golden.Updating() {
			os.Remove(filepath.Join(dir, file.Name()))
		}
	}
	delete(files, "README.md") // lists rows of no page too
	pages := strings.Join(slices.Collect(maps.Values(files)), "\n")
	for _, d := range claim.Divergences(outcomes) {
		for _, o := range d.Rows {
			if strings.Count(pages, "\n| "+o.ID+" | "+cellText(o.Statement)+" |") != 1 {
				t.Errorf("%s is not on one page", o.ID)
			}
		}
	}
	if strings.Contains(pages, "not written") {
		t.Error("a page names a run without a scenario")
	}
}
