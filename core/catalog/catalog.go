// Package catalog lists what the program knows, for whoever offers a choice of it: GPUs,
// programs, codecs, metrics, and counters. The build puts what a page needs from the beginning into the page, and the
// engine sends the rest when it is ready.
package catalog

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Catalog holds all lists, each in the order of its table.
type Catalog struct {
	Presets []Preset             `json:"presets"`
	Codecs  []codecs.Description `json:"codecs"`
	Metrics []metric.Metric      `json:"metrics"`
	Rest
}

// Rest holds the lists that only a ready engine has a use for. They take no time to make; the GPUs and codecs of the
// others take three times as long as the rest of an engine's start.
type Rest struct {
	Workloads []Workload           `json:"workloads"`
	Schemes   []system.Description `json:"schemes"`
	Counters  map[string]Counter   `json:"counters"` // by name
}

// Preset is a GPU.
type Preset struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Workload is a shipped program.
type Workload struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Sizes       []int    `json:"sizes"`
	DefaultSize int      `json:"defaultSize"`
	DataModes   []string `json:"dataModes"`
	Image       bool     `json:"image"`
}

// Counter says what a counter of a result counts.
type Counter struct {
	Unit string `json:"unit"`
	Doc  string `json:"doc"`
}

// New returns the lists. An error is a mistake in a table.
func New() (*Catalog, error) {
	rest, err := NewRest()
	if err != nil {
		return nil, err
	}
	c := &Catalog{Metrics: metric.Table, Rest: rest}
	for _, name := range preset.Names() {
		s, err := preset.GPU(name)
		if err != nil {
			return nil, err
		}
		c.Presets = append(c.Presets, Preset{s.Name, s.Title})
	}
	c.Codecs, err = codecs.Describe()
	return c, err
}

// NewRest returns the lists that only a ready engine has a use for. An error is a mistake in a table.
func NewRest() (Rest, error) {
	r := Rest{Schemes: scheme.Describe(), Counters: map[string]Counter{}}
	for _, name := range programs.Names() {
		i, err := programs.Describe(name)
		if err != nil {
			return r, err
		}
		r.Workloads = append(r.Workloads, Workload{i.Name, i.Title, i.Sizes, i.DefaultSize, i.DataModes, i.AcceptsImage})
	}
	for _, counter := range stat.List() {
		i := stat.Describe(counter)
		r.Counters[i.Name] = Counter{i.Unit, i.Doc}
	}
	return r, nil
}

// Exclusions lists the choices that cannot stand beside each other, and which presets that concerns.
func Exclusions() ([]scheme.Exclusion, error) {
	var machines []*parameter.GPU
	for _, name := range preset.Names() {
		g, err := preset.GPU(name)
		if err != nil {
			return nil, err
		}
		machines = append(machines, g)
	}
	return scheme.Exclusions(machines), nil
}
