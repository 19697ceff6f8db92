package catalog

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/metric"
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
		if k.Title == "" || k.Source == "" || k.EnergySource == "" || k.CompressCycles < 1 || k.DecompressCycles < 1 || k.CompressPJ <= 0 || k.DecompressPJ <= 0 {
			t.Errorf("codec %s: %+v", k.Name, k)
		}
	}
	for _, p := range c.Presets {
		if p.Title == "" || p.Source == "" || p.SMs < 1 || p.Channels < 1 {
			t.Errorf("preset %s: %+v", p.Name, p)
		}
	}
	for _, w := range c.Workloads {
		if w.Title == "" || !strings.HasSuffix(w.Doc, ".") || len(w.Sizes) == 0 || w.SizeLabel == "" || len(w.DataModes) == 0 || w.Metric == "" {
			t.Errorf("workload %s: %+v", w.Name, w)
		}
	}
}
