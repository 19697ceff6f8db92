package reproduce

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// shippedPaper reads the folder of a shipped paper.
func shippedPaper(t *testing.T, name string) (*claim.Paper, string) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "assets", "papers", strings.ToLower(name))
	p, err := claims.ReadPaper(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}

// The page of a shipped paper stands on the runs of the committed data: same machine, inputs and sizes.
func TestPagesNeedTheCommittedRuns(t *testing.T) {
	t.Parallel()
	for _, c := range committedData(t) {
		var runs reproducedRuns
		readJSON(t, filepath.Join(c.dir, "runs.json"), &runs)
		for _, name := range c.modes[0].papers {
			p, dir := shippedPaper(t, name)
			for _, j := range p.Jobs() {
				if runs.Runs[j.Key] == nil {
					t.Errorf("%s: %s is not among the runs of %s", dir, j, c.dir)
					break
				}
			}
		}
	}
}

// Every shipped paper becomes a page, with and without the results of its runs. Here those of the first
// scenario are made; the others are missing and say so.
func TestPagesOfShippedPapers(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	for _, name := range claim.Papers {
		p, dir := shippedPaper(t, name)
		var sides []*claim.Job
		for _, side := range claims.SidesOf(p.Scenarios[0].Scenario) {
			sides = append(sides, side.Job)
		}
		runs := sweep.NewSweep(sweep.OpenStore(store))
		runs.Jobs, runs.Status = 1, t.Output()
		if err := runs.Run(sweep.Distinct(sides), t.Output()); err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		out := mustCall(t, "paper", "page", dir, "--as-is", "--store", store, "--out", to)
		if !strings.Contains(out, "runs were not made: the values that need them are empty") {
			t.Errorf("%s: %s", name, out)
		}
		index := clitest.ReadText(t, to, "index.html")
		for _, s := range sides {
			hash := sweep.OpenStore(store).Run(s).ResultHash[:12]
			if !strings.Contains(index, "<td>"+hash+"</td>") {
				t.Errorf("%s lacks the result %s of %s", name, hash, s)
			}
		}
		for _, c := range p.Claims {
			if !strings.Contains(index, `<th scope="row">`+c.ID+"</th>") {
				t.Errorf("%s has no row for %s", name, c.ID)
			}
		}
		drawings := regexp.MustCompile(`<img src="([^"]+)"`).FindAllStringSubmatch(index, -1)
		for _, d := range drawings {
			if !strings.HasPrefix(clitest.ReadText(t, to, d[1]), "<svg") {
				t.Errorf("%s is no drawing", d[1])
			}
		}
		for _, want := range []string{"not yet measured", "arithmetic only"} {
			if !strings.Contains(index, want) {
				t.Errorf("the page of %s lacks %q", name, want)
			}
		}
		if len(drawings) == 0 || strings.Contains(index, "<!--") {
			t.Errorf("the page of %s has %d drawings, or a mark is left", name, len(drawings))
		}
	}
}
