package claim

import (
	"maps"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
)

// This file finds names in the files of a folder that nothing defines, beside those of the rows themselves.

// checkFigure finds names in its expressions that nothing defines, and values that cannot be computed.
func (p *Paper) checkFigure(f *Figure, place string) {
	before := len(p.faults)
	for _, panel := range f.Panels {
		var names []string
		if len(panel.Points) > 0 {
			names = append(names, "x")
		}
		for _, series := range panel.Series {
			own := names
			if panel.Set != "" || series.Each != "" {
				own = append(own, "w")
			}
			for _, err := range p.unknownNames("value", series.Value, own...) {
				p.fault(series.where, "figure %s, %s: %v", f.Name, panel.Title, err)
			}
		}
	}
	if len(p.faults) > before {
		return
	}
	_, s, err := p.Ledger(nil).draw(f)
	if err != nil {
		p.fault(place, "%v", err)
		return
	}
	for _, err := range s.allFaults() {
		p.fault(place, "figure %s: %v", f.Name, err)
	}
}

// checkIDs finds rows that other files name and that do not exist.
func (p *Paper) checkIDs() {
	var ids []string
	for i := range p.Claims {
		ids = append(ids, p.Claims[i].ID)
	}
	check := func(where string, named []string) {
		for _, id := range named {
			if p.lines[id] == 0 {
				p.fault(where, "%s has no row %s: %s", claimsFile, fault.Quote(id), nearest(id, ids))
			}
		}
	}
	check(p.place(paperFile)+": noise", p.noise)
	for _, part := range p.open {
		check(part.where, part.ids)
	}
	for _, one := range slices.Concat(p.differences, p.made) {
		check(one.where, one.ids)
	}
}

// checkReadings finds readings that no run of their rows can have.
func (p *Paper) checkReadings(l *Ledger) {
	for _, part := range p.open {
		for _, o := range part.others {
			for i := range p.Claims {
				c := &p.Claims[i]
				if !slices.Contains(part.ids, c.ID) {
					continue
				}
				if _, faults := l.check(c, draw{reading: o}); len(faults) > 0 {
					p.fault(part.where, "%s cannot be measured under the reading %s: %v. Correct the reading", c.ID,
						fault.Quote(o.word), faults[0])
				}
			}
		}
	}
}

// checkWords finds names in metrics, words and constants that nothing defines, whether or not a row uses them.
func (p *Paper) checkWords() {
	for i, list := range [][]definition{p.metrics, p.functions, p.constants} {
		further := [][]string{{"SYSTEM", "BASE", "w", "LO", "TOP"}, nil, {"setting", "machine", "codec"}}[i]
		for _, d := range list {
			for _, err := range p.unknownNames(d.name, d.text, further...) {
				p.fault(d.where, "%v. Correct the line", err)
			}
		}
	}
}

// checkPaths finds settings of words and systems that no scenario has, and names in systems that nothing defines.
func (p *Paper) checkPaths(r *reader, v *scenario.Value) {
	path := func(v *scenario.Value, name string) {
		if what := noPath(name); what != "" {
			r.fault(v, what)
		}
	}
	words := under(v, "settings")
	for i, k := range p.keywords {
		for _, name := range k.to {
			path(&words.Items[i], name)
		}
		if k.only != "" {
			path(&words.Items[i], k.only)
		}
		for _, word := range slices.Sorted(maps.Keys(k.words)) {
			for _, one := range k.words[word] {
				path(&words.Items[i], one[0])
			}
		}
	}
	systems := under(v, "systems")
	for i := range p.Systems {
		y, at := &p.Systems[i], &systems.Items[i]
		ids := slices.Sorted(maps.Keys(y.programs))
		if y.search != nil {
			ids = append(ids, y.search.programs...)
		}
		for _, id := range ids {
			if what := p.noProgram(id); what != "" {
				r.fault(at, what)
			}
		}
		for _, word := range slices.Sorted(maps.Keys(y.with)) {
			if p.system(y.with[word]) == nil {
				names := namesOf([]*Paper{p}, systemsOf, func(y *System) string { return y.Name })
				r.fault(at, "unknown system "+fault.Quote(y.with[word])+": "+nearest(y.with[word], names))
			}
			if !slices.ContainsFunc(p.keywords, func(k keyword) bool { return k.name == word }) {
				r.fault(at, "settings have no word "+fault.Quote(word)+": correct it")
			}
		}
	}
}
