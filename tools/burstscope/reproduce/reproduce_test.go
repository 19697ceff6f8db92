package reproduce

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// strewn gives every run its own result, computed from its key.
type strewn struct{ clitest.Halves }

func (strewn) Run(j *claim.Job) *experiment.Result {
	n := func(at int) uint64 { return uint64(j.Key[at])*131 + uint64(j.Key[at+1]) }
	f := func(at int) float64 { return float64(n(at)) / 1000 }
	r := &experiment.Result{
		Seconds: f(0), Error: f(6), MRE: f(8), Elements: &workload.Elements{Outputs: 1000, Relative: float64(n(8)), Capped: min(float64(n(8)), 1000)}, Scheme: j.Scenario.Scheme, Energy: &energy.Account{Joules: f(14), EDP: f(16)},
		Stats: map[string]uint64{
			"dramReadBytes": n(2), "dramWriteBytes": n(4), "excessBits": n(18), "blockReadBits": n(10) + 1, "blockWriteBits": n(12), "burstsSaved": 1,
			"blocksReadRaw": 0, "blocksReadLossless": 1000, "blocksReadLossy": n(20), "blocksWrittenRaw": 0, "blocksWrittenLossless": 0, "blocksWrittenLossy": 1,
		},
		Metrics: map[string]float64{},
	}
	for _, m := range metric.Table {
		if v, ok := r.Value(m.Name); ok {
			r.Metrics[m.Name] = v
		}
	}
	return r
}

// smallReproduction is a figure of the cheapest program.
func smallReproduction(t *testing.T, dir string) *reproduction {
	t.Helper()
	source := `{figure: SLC-99, title: small, notes: n, panels: [{title: p, unit: x, points: [32, 64], series: [{label: a, value: "v('speedup', 'BDI', 'BO', over='NONE', mag=x)"}, {label: b, value: "v('cr_mag', 'E2MC16', 'BO', mag=x)", paper: {"32": "1.5"}}]}]}`
	v, err := clitest.ParseTree(source)
	if err != nil {
		t.Fatal(err)
	}
	f, err := claim.ParseFigure(v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &reproduction{store: sweep.OpenStore(dir), reading: claim.Reading{Sizes: claim.ClaimSizes}, modes: []reproducedMode{{data: claim.Suite, figures: []reproducedFigure{{f, []byte(source)}}}}}
}

// Two reproductions from empty stores write the same bytes, and so does a third from
// a store with more results in it.
func TestReproductionIsTheSameEveryTime(t *testing.T) {
	write := func(store string) map[string]string {
		t.Helper()
		r, out := smallReproduction(t, store), t.TempDir()
		var log bytes.Buffer
		if err := r.run(2, &log); err != nil {
			t.Fatal(err)
		}
		if err := r.write(out, true, &log); err != nil {
			t.Fatal(err)
		}
		return tree(t, out)
	}
	dir := t.TempDir()
	first, second := write(dir), write(t.TempDir())
	mustCall(t, clitest.SweepArgs(dir)...)
	third := write(dir)
	if len(first) != 8 || !strings.Contains(first["suite/slc-99.json"], `"formulas":[{"op":"ratio"`) {
		t.Errorf("%d files: %s", len(first), first["suite/slc-99.json"])
	}
	for name, text := range first {
		if second[name] != text || third[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// tree returns the files below a folder by their paths.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
