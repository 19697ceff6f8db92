// Package catalog lists what the program knows, for whoever offers a choice of it: GPUs,
// programs, codecs, and metrics. The engine sends the lists to the page when it is
// ready, and the build puts the same lists into the page for the time before.
package catalog

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Catalog holds all lists, each in the order of its table.
type Catalog struct {
	Presets   []Preset             `json:"presets"`
	Workloads []Workload           `json:"workloads"`
	Codecs    []codecs.Description `json:"codecs"`
	Schemes   []system.Description `json:"schemes"`
	Metrics   []metric.Metric      `json:"metrics"`
}

// Preset is a GPU.
type Preset struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Source   string `json:"source"`
	SMs      int    `json:"sms"`
	Channels int    `json:"channels"`
}

// Workload is a shipped program.
type Workload struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Doc         string   `json:"doc"`
	Sizes       []int    `json:"sizes"`
	DefaultSize int      `json:"defaultSize"`
	SizeLabel   string   `json:"sizeLabel"`
	DataModes   []string `json:"dataModes"`
	Image       bool     `json:"image"`
	Metric      string   `json:"metric"`
}

// New returns the lists. An error is a mistake in a table.
func New() (*Catalog, error) {
	c := &Catalog{Schemes: scheme.Describe(), Metrics: metric.Table}
	for _, name := range preset.Names() {
		s, err := preset.GPU(name)
		if err != nil {
			return nil, err
		}
		c.Presets = append(c.Presets, Preset{s.Name, s.Title, s.Source, s.SMs, s.Slices()})
	}
	for _, name := range programs.Names() {
		i, err := programs.Describe(name)
		if err != nil {
			return nil, err
		}
		c.Workloads = append(c.Workloads, Workload{i.Name, i.Title, i.Doc, i.Sizes, i.DefaultSize, i.SizeLabel, i.DataModes, i.AcceptsImage, i.Metric})
	}
	var err error
	c.Codecs, err = codecs.Describe()
	return c, err
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
