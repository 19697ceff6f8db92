package catalog

import (
	"encoding/json"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/golden"
)

// A row added to the table of codecs or of metrics is in what the page gets.
func TestNewRowsAreListed(t *testing.T) {
	oldCodecs, oldMetrics := codecs.Table, metric.Table
	defer func() { codecs.Table, metric.Table = oldCodecs, oldMetrics }()
	toy := *codecs.Find("bdi")
	toy.Name, toy.Title = "toycodec", "Toy codec"
	codecs.Table = append(oldCodecs[:len(oldCodecs):len(oldCodecs)], toy)
	metric.Table = append(oldMetrics[:len(oldMetrics):len(oldMetrics)], metric.Metric{Name: "toyMetric", Title: "Toy metric", Formula: "l1Hits * 2"})
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"toycodec","title":"Toy codec"`, `"name":"toyMetric","title":"Toy metric"`, `"formula":"l1Hits * 2"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is not in the lists", want)
		}
	}
}

// A ready engine makes the rest of the lists before it says so: that must need no codec, as the codecs' list does.
func TestRestNeedsNoCodec(t *testing.T) {
	bytesOf := func(f func() error) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := f(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	all := bytesOf(func() error { _, err := New(); return err })
	rest := bytesOf(func() error { _, err := NewRest(); return err })
	if rest > all/10 {
		t.Errorf("the rest takes %d bytes, all lists take %d", rest, all)
	}
}

// Every entry says what it is.
func TestEntriesAreDescribed(t *testing.T) {
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range c.Codecs {
		if k.Name == codecs.Plugin && k.Title != "" {
			continue // its module has the values
		}
		if k.Name == codecs.Null {
			k.CompressPJ, k.DecompressPJ = k.CompressPJ+1, k.DecompressPJ+1 // it has no unit that takes energy
		}
		if k.Title == "" || k.Source == "" || k.EnergySource == "" || k.CompressCycles < 1 || k.DecompressCycles < 1 || k.CompressPJ <= 0 || k.DecompressPJ <= 0 {
			t.Errorf("codec %s: %+v", k.Name, k)
		}
	}
	for _, p := range c.Presets {
		g, err := preset.GPU(p.Name)
		if err != nil || p.Title == "" || g.Source == "" || g.SMs < 1 || g.Slices() < 1 {
			t.Errorf("preset %s: %+v, %v", p.Name, p, err)
		}
	}
	for _, w := range c.Workloads {
		i, err := programs.Describe(w.Name)
		if err != nil || w.Title == "" || !strings.HasSuffix(i.Doc, ".") || len(w.Sizes) == 0 || i.SizeLabel == "" || len(w.DataModes) == 0 || i.Metric == "" {
			t.Errorf("workload %s: %+v, %v", w.Name, w, err)
		}
	}
	for name, counter := range c.Counters {
		if counter.Unit == "" || counter.Doc == "" {
			t.Errorf("counter %s: %+v", name, counter)
		}
	}
}

// The README's table of what excludes what is that of the rules.
func TestExclusionsOfTheReadme(t *testing.T) {
	list, err := Exclusions()
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| | not with |\n|---|---|\n")
	for _, line := range list {
		var not []string
		for _, x := range line.Not {
			not = append(not, x.What)
		}
		table.WriteString("| " + line.Choice + " | " + strings.Join(not, "; ") + " |\n")
	}
	golden.Section(t, "../../README.md", "exclusions", table.String())
}

// path is a setting of a scenario in a text: two words or more with dots between.
var path = regexp.MustCompile(`\b(?:machine\.overrides|l1|loads|memory|backing|sm|l2|dram|controller|workload)(?:\.[a-zA-Z0-9]+)+\b`)

// setTo is such a path with the value that the text gives it in brackets, as in (loads.requests sent).
var setTo = regexp.MustCompile(`\(([a-z0-9]+(?:\.[a-zA-Z0-9]+)+) ([a-z0-9-]+)\)`)

// Descriptions of counters, metrics and settings name only settings that exist, with values that they can have.
func TestDescriptionsNameWhatExists(t *testing.T) {
	texts := map[string]string{}
	for _, c := range stat.List() {
		i := stat.Describe(c)
		texts["counter "+i.Name] = i.Doc
	}
	for _, m := range metric.Table {
		texts["metric "+m.Name] = m.About
	}
	words := map[string][]string{} // legal values by path
	for _, g := range scheme.Describe() {
		texts["group "+g.Group] = g.About
		settings := g.Settings
		for _, e := range g.Entries {
			texts["entry "+g.Group+"."+g.Key+"="+e.Name] = e.About
			words[g.Group+"."+g.Key] = append(words[g.Group+"."+g.Key], e.Name)
			settings = append(settings, e.Settings...)
		}
		for _, f := range settings {
			texts["setting "+f.Path] = f.About
			words[f.Path] = append(words[f.Path], f.Words...)
		}
	}
	g, err := preset.GPU(preset.Names()[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range preset.Describe(g) {
		texts["value "+f.Path] = f.Doc
	}
	known := append(scheme.Paths(), parameter.Paths()...)
	named := 0
	for of, text := range texts {
		for _, found := range path.FindAllString(text, -1) {
			if strings.HasPrefix(found, "workload.") {
				continue // paths of scenarios, which core/scenario checks
			}
			named++
			if !slices.Contains(known, strings.TrimPrefix(found, "machine.overrides.")) {
				t.Errorf("%s names %s, which is no setting: %q", of, found, text)
			}
		}
		for _, m := range setTo.FindAllStringSubmatch(text, -1) {
			legal := words[m[1]]
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s names %s, which is no setting: %q", of, m[1], text)
			} else if len(legal) > 0 && !slices.Contains(legal, m[2]) {
				t.Errorf("%s says %s %s; its values are %v", of, m[1], m[2], legal)
			}
		}
	}
	if named < 5 {
		t.Errorf("only %d settings are named", named)
	}
}
