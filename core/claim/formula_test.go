package claim

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/golden"
)

// kinds gives every run one of three results, the last without any error of its output, and one of two measurements of
// traffic, whose blocks have a few sizes below, at and above multiples of every granularity.
type kinds struct{}

func (kinds) Run(j *Job) *experiment.Result {
	kind := int(j.Key[0]) % 3
	n := uint64(1000 + 17*kind)
	r := &experiment.Result{
		Seconds: float64(n) / 1024, Scheme: j.Scenario.Scheme, Elements: &workload.Elements{Outputs: 1000},
		Energy: &energy.Account{Joules: float64(n + 5), EDP: float64(n + 7)}, Metrics: map[string]float64{},
		Stats: map[string]uint64{
			"dramReadBytes": n + 11, "dramWriteBytes": n + 13, "blockReadBits": n + 19, "blockWriteBits": n + 23,
			"excessBits": n, "burstsSaved": n, "blocksReadRaw": 0, "blocksReadLossless": 10 * n, "blocksReadLossy": n,
			"blocksWrittenRaw": 0, "blocksWrittenLossless": 0, "blocksWrittenLossy": 3,
		},
	}
	if kind != 2 {
		r.Error, r.MRE = 1/float64(n), 2/float64(n)
		r.Elements.Relative, r.Elements.Capped = float64(n), float64(n)/2
	}
	for _, m := range metric.Table {
		if v, ok := r.Value(m.Name); ok {
			r.Metrics[m.Name] = v
		}
	}
	return r
}

func (kinds) Traffic(j *Job) *experiment.Traffic {
	kind := uint64(j.Key[0]) % 2
	t := &experiment.Traffic{EntropyRatio16: 2.5 + float64(kind)}
	add := func(codec string, ways, values int) {
		c := experiment.TrafficCodec{Codec: codec, Ways: ways, MaxValues: values, Bytes: make([]uint64, 129)}
		t.Blocks = 0
		sizes := []int{1, 8, 16, 17, 31, 32, 33, 40, 63, 64, 65, 95, 96, 97, 100, 112, 127, 128}
		for i := range sizes {
			size, n := sizes[(i+len(t.Codecs))%len(sizes)], uint64(1+i*7%5)+kind
			c.Bytes[size] = n
			c.Bits += n * uint64(8*size-len(t.Codecs)%2)
			t.Blocks += n
		}
		t.Codecs = append(t.Codecs, c)
	}
	for _, codec := range []string{"bdi", "fpc", "cpack"} {
		add(codec, 0, 0)
	}
	for _, codec := range []string{"e2mc4", "e2mc8", "e2mc32"} {
		add(codec, 4, 1024)
	}
	for _, ways := range []int{1, 2, 8, 4} {
		add("e2mc16", ways, 1024)
	}
	for _, values := range []int{512, 2048, 4096, 8192} {
		add("e2mc16", 4, values)
	}
	return t
}

// formulaTable is what Go and TypeScript share of figures: formulas over outcomes, and their values.
type formulaTable struct {
	Metrics  map[string]Metric `json:"metrics"`
	Outcomes []json.RawMessage `json:"outcomes"` // of runs and measurements of traffic
	Cases    []formulaCase     `json:"cases"`
}

type formulaCase struct {
	Formula *Formula `json:"formula"` // its runs are places in the outcomes
	Value   float64  `json:"value"`
}

// placed returns a formula over the outcomes of the table, which it adds.
func (f *formulaTable) placed(t *testing.T, of *Formula, jobs []*Job, d *Drawing) *Formula {
	t.Helper()
	own := *of
	own.Of = nil
	for _, part := range of.Of {
		own.Of = append(own.Of, f.placed(t, part, jobs, d))
	}
	if of.Run == nil {
		return &own
	}
	j := jobs[slices.IndexFunc(jobs, func(j *Job) bool { return j.Key == d.Runs[*of.Run] })]
	outcome := map[string]any{}
	if of.Op == "traffic" {
		outcome["traffic"] = kinds{}.Traffic(j)
	} else {
		m := d.Metrics[of.Metric]
		f.Metrics[of.Metric] = m
		outcome["result"] = map[string]any{"metrics": map[string]float64{m.Name: kinds{}.Run(j).Metrics[m.Name]}}
	}
	b, err := json.Marshal(outcome)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(f.Outcomes, func(o json.RawMessage) bool { return bytes.Equal(o, b) })
	if at < 0 {
		at = len(f.Outcomes)
		f.Outcomes = append(f.Outcomes, b)
	}
	own.Run = &at
	return &own
}

// Every value of every figure has a formula. The table of formulas is the one that the page evaluates
// (TestFormulasOfFigures of site/e2e): each formula once, of means one of each metric.
func TestFormulasOfFigures(t *testing.T) {
	table, seen := &formulaTable{Metrics: map[string]Metric{}}, map[string]bool{}
	for _, name := range FigureNames() {
		if paper, _, _ := strings.Cut(name, "-"); paper != "SLC" && paper != "E2MC" {
			continue // their figures have values without formulas
		}
		f, err := ReadFigure(name)
		if err != nil {
			t.Fatal(err)
		}
		d, jobs, err := NewLedger(kinds{}, Suite).Draw(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range d.Panels {
			for _, s := range p.Series {
				for i, value := range s.Values {
					if value == nil || s.Formulas[i] == nil {
						t.Fatalf("%s, %s: no formula", d.Name, s.Label)
					}
					own := table.placed(t, s.Formulas[i], jobs, d)
					key := own.Op
					if len(own.Of) > 0 {
						key += " " + own.Of[0].Op + " " + own.Of[0].Metric
					}
					if b, _ := json.Marshal(own); own.Op != "geomean" && own.Op != "mean" {
						key = string(b)
					}
					if !seen[key] {
						seen[key], table.Cases = true, append(table.Cases, formulaCase{own, *value})
					}
				}
			}
		}
	}
	b, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, "testdata/formulas.json", append(b, '\n'))
}
