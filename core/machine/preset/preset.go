// Package preset is the table of the GPUs that are shipped: every value of each with its
// source.
package preset

import (
	"fmt"
	"slices"
	"sync"

	"github.com/burstscope/burstscope/core/machine/parameter"
)

// preset is a GPU as a list of values, each with its source.
type preset struct {
	name, title, source string
	rows                []row // a later row replaces an earlier one of its path
}

// row gives one value of a GPU.
type row struct {
	path   string
	value  any // a number, a word or a truth value
	source string
}

// with returns p under another name with further rows.
func (p preset) with(name, title, source string, rows ...row) preset {
	return preset{name, title, source, slices.Concat(p.rows, rows)}
}

// spec builds the GPU. A wrong row is a fault of the table; the tests of this package
// build every preset.
func (p preset) spec() *parameter.GPU {
	s := &parameter.GPU{Name: p.name, Title: p.title, Source: p.source}
	s.DRAM.Name, s.DRAM.Source = p.name, p.sourceOf("dram.rcd")
	t := s.Values()
	for _, r := range p.rows {
		e := t.Find(r.path)
		if e == nil {
			panic("preset: " + p.name + " has a row for " + r.path + ", which no GPU has")
		}
		if f := e.Set(textOf(r.value)); f != nil {
			panic("preset: " + p.name + ": " + r.path + ": " + f.Message)
		}
	}
	return s
}

func textOf(v any) string {
	switch v {
	case true:
		return "on"
	case false:
		return "off"
	}
	return fmt.Sprint(v)
}

// row returns the last row of a path, nil if there is none.
func (p preset) row(path string) *row {
	for i := len(p.rows) - 1; i >= 0; i-- {
		if p.rows[i].path == path {
			return &p.rows[i]
		}
	}
	return nil
}

func (p preset) sourceOf(path string) string {
	if r := p.row(path); r != nil {
		return r.source
	}
	return ""
}

// table is a preset that was asked for, with its GPU and the source of each path.
type table struct {
	preset
	gpu     parameter.GPU
	sources map[string]string
}

// made keeps each table after the first call: it has hundreds of rows of text, every check of a scenario asks for its
// GPU, and every account of energy for its sources.
var made struct {
	sync.Mutex
	tables map[string]*table
}

// find returns the table of a preset, which nobody changes, nil if there is none.
func find(name string) *table {
	made.Lock()
	defer made.Unlock()
	if t := made.tables[name]; t != nil {
		return t
	}
	for _, n := range named {
		if n.name != name {
			continue
		}
		t := &table{preset: n.make(), sources: map[string]string{}}
		t.gpu = *t.spec()
		for _, r := range t.rows {
			t.sources[r.path] = r.source
		}
		if made.tables == nil {
			made.tables = map[string]*table{}
		}
		made.tables[name] = t
		return t
	}
	return nil
}

// GPU returns the preset of a name in Names. The caller may change it.
func GPU(name string) (*parameter.GPU, error) {
	t := find(name)
	if t == nil {
		return nil, fmt.Errorf("no preset %q: use one of %v", name, Names())
	}
	s := t.gpu
	return &s, nil
}

// Names lists the presets.
func Names() []string {
	var names []string
	for _, n := range named {
		names = append(names, n.name)
	}
	return names
}

// Sources returns a function that names the source of a preset's value. The text is empty
// if there is no such preset or value.
func Sources(name string) func(path string) string {
	t := find(name)
	if t == nil {
		t = new(table)
	}
	return func(path string) string { return t.sources[path] }
}
