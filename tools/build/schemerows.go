package main

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// card is a system among the settings: its choice, and its settings after a disclosure.
type card struct {
	id, title string
	group     *system.Group
	choice    system.Setting
	settings  []system.Setting
}

// schemeCards are the controls of the schemes with the values of a scenario, so that the page's first picture has them:
// a card for each system, before them the settings of no system. The page's script adds the settings that only some
// entries have (site/src/settings/knobs.ts).
func schemeCards(s *scenario.Scenario) string {
	compared, own := s.Sides()
	sides := []*scenario.Scenario{compared, own}
	var out strings.Builder
	row := func(g *system.Group, f *system.Setting) {
		class := ""
		if len(cmp.Or(f.Short, f.Title)) > mostInColumn {
			class = ` class="long"`
		}
		fmt.Fprintf(&out, "        <span%s>%s</span>", class, settingLabel(f))
		for i, side := range sides {
			out.WriteString(settingControl(g, f, string(rune('A'+i)), *side.Part(g.Name)))
		}
		out.WriteString("\n")
	}
	cards, loose := cardsOf(scheme.Table)
	out.WriteString("      <div class=\"grid\"><span></span><b>A</b><b>B</b>\n")
	for i := range loose {
		row(scheme.Find("memory"), &loose[i])
	}
	out.WriteString("      </div>\n")
	for _, c := range cards {
		on := 0
		for _, side := range sides {
			if name := side.Part(c.group.Name).Word(c.choice.Name); name != "" && name != system.None {
				on++ // a line each for what it did
			}
		}
		title := html.EscapeString(c.title)
		fmt.Fprintf(&out, "      <section class=\"card\" data-card=\"%s\" style=\"--on:%d\"><h3>%s</h3>", c.id, on, title)
		out.WriteString("<div class=\"grid\">\n")
		row(c.group, &c.choice)
		out.WriteString("      </div><details><summary>settings</summary><div class=\"grid\">\n")
		for i := range c.settings {
			row(c.group, &c.settings[i])
		}
		out.WriteString("      </div><ul></ul></details><p class=\"did\"></p>")
		if c.id == "memory" {
			// It stands here from the first paint on, so that nothing moves when its script comes.
			out.WriteString("<button type=\"button\" class=\"plain\" id=\"compare-codecs\">Compare all codecs</button>")
		}
		out.WriteString("</section>\n")
	}
	return out.String()
}

// mostInColumn letters of a label stand beside its fields; a longer label stands above them.
const mostInColumn = 14

// cardsOf splits the groups into systems. An approximation stands in the group of the codec that it works on, and is a
// system of its own; loose are settings that no system owns.
func cardsOf(groups []system.Group) (cards []*card, loose []system.Setting) {
	var others []*card
	for i := range groups {
		g := &groups[i]
		choice := system.Setting{Name: g.Key, Title: g.Title, About: g.About, Listed: g.Names}
		if !g.Whole() {
			c := &card{id: g.Name, group: g, choice: choice, title: g.Title}
			for _, e := range g.List() {
				if e.Place != "" {
					c.title = e.Title + " " + e.Place
					break
				}
			}
			others = append(others, c)
			continue
		}
		choice.Title, choice.Term = g.Key, g.Key
		codec := &card{id: g.Name, title: "E2MC and other codecs", group: g, choice: choice}
		approximation := &card{id: "approximation", title: "TSLC, which approximates", group: g}
		for _, f := range g.Settings {
			switch {
			case f.Binary:
			case f.Name == approximation.id:
				approximation.choice = f
			case needs(&f, approximation.id):
				approximation.settings = append(approximation.settings, f)
			case len(f.Needs) == 0 && !f.Optional:
				loose = append(loose, f)
			default:
				codec.settings = append(codec.settings, f)
			}
		}
		cards = append(cards, codec, approximation)
	}
	return append(cards, others...), loose
}

func needs(f *system.Setting, name string) bool {
	for _, n := range f.Needs {
		if n.Of == name {
			return true
		}
	}
	return false
}

// schemeName is what people call the scheme of a side.
func schemeName(s *scenario.Scenario) string {
	name := s.Memory.Approximation()
	if name == system.None {
		name = s.Memory.Codec()
	}
	if row := codecs.Find(name); row != nil {
		return row.Title
	}
	return name
}

// settingLabel is the title of a setting, which opens its word of the glossary.
func settingLabel(f *system.Setting) string {
	label := html.EscapeString(cmp.Or(f.Short, f.Title))
	if f.Term != "" {
		label = fmt.Sprintf(`<dfn data-term="%s">%s</dfn>`, html.EscapeString(f.Term), label)
	}
	if f.Unit == "bytes" && !strings.HasPrefix(f.Short, f.Unit) {
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
