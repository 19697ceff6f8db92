package system

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// Part is the choice in one group: the entry's name under the group's key, and the
// entry's settings by name, whole numbers (int64) and words (string). An empty Part
// is none.
type Part map[string]any

// None is the entry of every group that changes nothing.
const None = "none"

// Choice returns the name of the entry.
func (p Part) Choice(g *Group) string {
	if name, ok := p[g.Key].(string); ok {
		return name
	}
	return None
}

// Int returns a setting that is a number.
func (p Part) Int(setting string) int {
	n, _ := p[setting].(int64)
	return int(n)
}

// Word returns a setting that is a word.
func (p Part) Word(setting string) string {
	w, _ := p[setting].(string)
	return w
}

// Clone returns a part that shares nothing with p.
func (p Part) Clone() Part { return maps.Clone(p) }

// Complete fills in the settings that were left out, and empties a part that is none.
func (p *Part) Complete(g *Group) {
	name := p.Choice(g)
	if len(*p) == 1 && (*p)[g.Key] == any(None) {
		*p = nil
		return
	}
	entry := g.Entry(name)
	if entry == nil || name == None {
		return // Validate says so
	}
	for _, f := range entry.Settings {
		if _, given := (*p)[f.Name]; !given {
			(*p)[f.Name] = f.Value()
		}
	}
}

// Set changes the entry or a setting of a group at a key. Another entry brings its own
// settings; a setting may be given before its entry is.
func (p *Part) Set(g *Group, key, text string) error {
	at := g.Name + "." + key
	if key == g.Key {
		next := Part{}
		if p.Choice(g) == None {
			next = (*p).Clone() // settings that were given first
		}
		if next == nil {
			next = Part{}
		}
		next[g.Key] = text
		next.Complete(g)
		*p = next
		return nil
	}
	f := g.setting(p.Choice(g), key)
	if f == nil {
		return fault.At(at, "no such setting", fault.MendWord(at, g.Paths()))
	}
	value := any(text)
	if f.number() {
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return fault.At(at, fault.Quote(text)+" is not a whole number", f.span())
		}
		value = n
	}
	next := (*p).Clone()
	if next == nil {
		next = Part{}
	}
	next[key] = value
	*p = next
	return nil
}

// Validate adds the faults of the entry and its settings; path is the place of the group.
func (p Part) Validate(e *fault.Errors, g *Group, path string) {
	if len(p) == 0 {
		return
	}
	if _, isWord := p[g.Key].(string); p[g.Key] != nil && !isWord {
		e.Add(path+"."+g.Key, "want a word, not a number", "use one of "+strings.Join(g.Names(), ", "))
		return
	}
	name := p.Choice(g)
	if !e.Word(path+"."+g.Key, name, g.Names()) {
		return
	}
	entry := g.Entry(name)
	for _, key := range slices.Sorted(maps.Keys(p)) {
		if key == g.Key {
			continue
		}
		f := find(entry.Settings, key)
		if f == nil {
			e.Add(path+"."+fault.Shorten(key), fmt.Sprintf("%s %s has no such setting", g.Name, name), mendSetting(g, entry, key))
			continue
		}
		f.Validate(e, path+"."+key, p[key])
	}
}

// mendSetting says which settings there are, or which entry has the one that was given.
func mendSetting(g *Group, entry *Entry, key string) string {
	for _, e := range g.List() {
		if find(e.Settings, key) != nil {
			return fmt.Sprintf("set %s.%s to %s, or remove it", g.Name, g.Key, e.Name)
		}
	}
	if len(entry.Settings) == 0 {
		return "remove it"
	}
	var names []string
	for _, f := range entry.Settings {
		names = append(names, f.Name)
	}
	return fault.MendWord(key, names)
}

// Label is the title of the entry, with the settings that differ from their defaults.
func (p Part) Label(g *Group) string {
	name := p.Choice(g)
	entry := g.Entry(name)
	if entry == nil {
		return name
	}
	var differ []string
	for _, f := range entry.Settings {
		if v, given := p[f.Name]; given && v != f.Value() {
			differ = append(differ, strings.TrimSpace(fmt.Sprintf("%s %v %s", f.Title, v, f.Unit)))
		}
	}
	if len(differ) == 0 {
		return entry.Title
	}
	return entry.Title + " (" + strings.Join(differ, ", ") + ")"
}
