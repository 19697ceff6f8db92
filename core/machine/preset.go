package machine

import (
	"fmt"
	"slices"
	"strings"
)

// preset is a machine as a list of values, each with its source.
type preset struct {
	name, title, source string
	rows                []row // a later row replaces an earlier one of its path
}

// row gives one value of a machine.
type row struct {
	path   string
	value  any // a number, a word or a truth value
	source string
}

// with returns p under another name with further rows.
func (p preset) with(name, title, source string, rows ...row) preset {
	return preset{name, title, source, slices.Concat(p.rows, rows)}
}

// spec builds the machine. A row that cannot be is a fault of the table, which
// the tests of this package build in full.
func (p preset) spec() *Spec {
	s := &Spec{Name: p.name, Title: p.title, Source: p.source}
	s.DRAM.Name, s.DRAM.Source = p.name, p.sourceOf("dram.rcd")
	t := newTable(s)
	for _, r := range p.rows {
		e := t.find(r.path)
		if e == nil {
			panic("machine: preset " + p.name + " has a row for " + r.path + ", which no machine has")
		}
		if message, _ := e.leaf.set(textOf(r.value), e.info); message != "" {
			panic("machine: preset " + p.name + ": " + r.path + ": " + message)
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

// row returns the row that counts for a path, nil if there is none.
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

// table finds the values of a Spec by path.
type table struct {
	entries []entry
	at      map[string]int // index of a path
}

type entry struct {
	leaf leaf
	info *fieldInfo
}

// newTable lists the values of s in the order of fields.
func newTable(s *Spec) table {
	all, infos := leaves(s), allFields()
	place := make(map[string]int, len(all))
	for i, l := range all {
		place[l.path] = i
	}
	t := table{make([]entry, 0, len(infos)), make(map[string]int, len(infos))}
	for i := range infos {
		if k, ok := place[strings.ToLower(infos[i].path)]; ok {
			t.at[infos[i].path] = len(t.entries)
			t.entries = append(t.entries, entry{all[k], &infos[i]})
		}
	}
	return t
}

func (t table) find(path string) *entry {
	if i, ok := t.at[path]; ok {
		return &t.entries[i]
	}
	return nil
}
