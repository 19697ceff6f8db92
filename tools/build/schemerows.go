package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// schemeRows are the controls of the groups that every scheme has, with the values of a scenario, so that the page's
// first picture has them. more are those of settings that can be left out, which have the names. The page's script
// makes the controls of all other settings (site/src/settings/knobs.ts).
func schemeRows(s *scenario.Scenario) (rows, more, names string) {
	compared, own := s.Sides()
	sides := []*scenario.Scenario{compared, own}
	var out, rest strings.Builder
	var titles []string
	for i := range scheme.Table {
		g := &scheme.Table[i]
		if !g.Whole() {
			continue
		}
		choice := system.Setting{Name: g.Key, Title: g.Key, Term: g.Key, About: g.About, Listed: g.Names}
		for _, f := range slices.Concat([]system.Setting{choice}, g.Settings) {
			if f.Binary {
				continue
			}
			to := &out
			if f.Optional {
				to = &rest
				titles = append(titles, cmp.Or(f.Short, f.Title))
			}
			fmt.Fprintf(to, "        <span>%s</span>", settingLabel(&f))
			for j, side := range sides {
				to.WriteString(settingControl(g, &f, string(rune('A'+j)), *side.Part(g.Name)))
			}
			to.WriteString("\n")
		}
	}
	return out.String(), rest.String(), html.EscapeString(strings.Join(titles, ", "))
}

// settingLabel is the title of a setting, which opens its word of the glossary.
func settingLabel(f *system.Setting) string {
	label := html.EscapeString(cmp.Or(f.Short, f.Title))
	if f.Term != "" {
		label = fmt.Sprintf(`<dfn data-term="%s">%s</dfn>`, html.EscapeString(f.Term), label)
	}
	if f.Unit == "bytes" {
		label += ", B"
	}
	return label
}

// settingControl is a control of one side.
func settingControl(g *system.Group, f *system.Setting, side string, p system.Part) string {
	value := ""
	if v, given := p[f.Name]; given {
		value = fmt.Sprint(v)
	} else if f.List() != nil {
		value = f.List()[0]
	}
	title := f.Title
	if f.Unit != "" {
		title += ", " + f.Unit
	}
	attributes := fmt.Sprintf(` id="knob-%s-%s-%s"`, side, g.Name, f.Name)
	label := fmt.Sprintf(` aria-label="%s"`, html.EscapeString(side+": "+title+". "+f.About))
	if !f.Effective(p) {
		label += " disabled"
	}
	switch {
	case f.List() != nil || f.Numbers != nil:
		if row := codecs.Find(value); row != nil {
			value = row.Title
		}
		return fmt.Sprintf(`<select%s%s><option>%s</option></select>`, attributes, label, html.EscapeString(value))
	case f.Optional && f.Number():
		attributes += fmt.Sprintf(` placeholder="%d" inputmode="numeric" autocomplete="off"`, f.Default)
	case f.Number():
		attributes += fmt.Sprintf(` type="number" min="%d" max="%d" step="1"`, f.Low, f.High)
	default:
		attributes += ` placeholder="own" spellcheck="false" autocomplete="off"`
	}
	return fmt.Sprintf(`<input%s value="%s"%s>`, attributes, html.EscapeString(value), label)
}
