package machine

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// beside is two machines whose values are shown beside each other.
type beside [2]*parameter.GPU

// besideField is one value of both machines.
type besideField struct {
	Path    string    `json:"path"`
	Unit    string    `json:"unit"`
	Doc     string    `json:"doc"`
	Values  [2]string `json:"values"`
	Differs bool      `json:"differs"`
	// Sources are where the values come from: a source, or the formula of a derived value.
	Sources [2]string `json:"sources"`
}

// fields lists the values, and how many differ.
func (m beside) fields() (list []besideField, differ int) {
	others := preset.Describe(m[1])
	for i, a := range preset.Describe(m[0]) {
		b := others[i] // every machine has the same values
		f := besideField{Path: a.Path, Unit: a.Unit, Doc: a.Doc, Values: [2]string{a.Value, b.Value}, Differs: a.Value != b.Value}
		for k, of := range []preset.Field{a, b} {
			f.Sources[k] = of.Source
			switch {
			case of.Derived:
				f.Sources[k] = "= " + of.Formula
			case of.Preset != "":
				f.Sources[k] = "overridden; preset " + of.Preset
			}
		}
		if f.Differs {
			differ++
		}
		list = append(list, f)
	}
	return list, differ
}

func (m beside) print(out io.Writer, format string) error {
	fields, differ := m.fields()
	names := [2]string{m[0].Name, m[1].Name}
	switch format {
	case "json":
		return cli.PrintJSON(out, struct {
			Machines [2]listed     `json:"machines"`
			Differ   int           `json:"differ"`
			Fields   []besideField `json:"fields"`
		}{[2]listed{{m[0].Name, m[0].Title, m[0].Source}, {m[1].Name, m[1].Title, m[1].Source}}, differ, fields})
	case "csv":
		rows := [][]string{{"path", names[0], names[1], "differs", "unit", "doc", "source of " + names[0], "source of " + names[1]}}
		for _, f := range fields {
			mark := ""
			if f.Differs {
				mark = "*"
			}
			rows = append(rows, []string{f.Path, f.Values[0], f.Values[1], mark, f.Unit, f.Doc, f.Sources[0], f.Sources[1]})
		}
		return csv.NewWriter(out).WriteAll(rows)
	}
	var b strings.Builder
	for _, s := range m {
		fmt.Fprintf(&b, "%s: %s\n%s\n", s.Name, s.Title, s.Source)
	}
	fmt.Fprintf(&b, "%d of %d values differ, marked with *\n\n  %-36s %-24s %-24s\n", differ, len(fields), "", names[0], names[1])
	for _, f := range fields {
		mark := " "
		if f.Differs {
			mark = "*"
		}
		value := func(k int) string { return strings.TrimSpace(f.Values[k] + " " + f.Unit) }
		fmt.Fprintf(&b, "%s %-36s %-24s %-24s %s\n", mark, f.Path, value(0), value(1), f.Doc)
		if f.Differs {
			fmt.Fprintf(&b, "  %36s   %s: %s\n  %36s   %s: %s\n", "", names[0], f.Sources[0], "", names[1], f.Sources[1])
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
