package system

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/setting"
)

// Part is the choice in one group: the entry's name under the group's key, and the
// entry's settings by name: whole numbers (int64), words (string) and bytes (setting.Binary). An empty Part
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
	switch n := p[setting].(type) {
	case int64:
		return int(n)
	case float64: // of a result that was read as JSON
		return int(n)
	}
	return 0
}

// Word returns a setting that is a word.
func (p Part) Word(setting string) string {
	w, _ := p[setting].(string)
	return w
}

// Bytes returns a setting that is bytes.
func (p Part) Bytes(name string) setting.Binary {
	b, _ := p[name].(setting.Binary)
	return b
}

// Clone returns a part that shares nothing with p.
func (p Part) Clone() Part { return maps.Clone(p) }

// Complete fills in the settings that were left out, and empties a part that is none.
func (p *Part) Complete(g *Group) {
	if g.Whole() {
		p.fill(g)
	} else if len(*p) == 1 && (*p)[g.Key] == any(None) {
		*p = nil
		return
	}
	name := p.Choice(g)
	entry := g.Entry(name)
	if entry == nil || name == None {
		return // Validate says so
	}
	for i := range entry.Settings {
		f := &entry.Settings[i]
		if _, given := (*p)[f.Name]; !given && !f.Sparse() {
			(*p)[f.Name] = f.Value()
		}
	}
}

// fill gives a part that is there in full the group's settings. Optional ones stand in it only with a value.
func (p *Part) fill(g *Group) {
	if *p == nil {
		*p = Part{}
	}
	if _, given := (*p)[g.Key]; !given {
		(*p)[g.Key] = None
	}
	for i := range g.Settings {
		f := &g.Settings[i]
		switch v, given := (*p)[f.Name]; {
		case f.Optional && given && setting.Empty(v):
			delete(*p, f.Name)
		case !f.Optional && !given:
			(*p)[f.Name] = f.Value()
		}
	}
}

// Effective returns the part with every setting that has no effect at its default.
func (p Part) Effective(g *Group) Part {
	p = p.Clone()
	p.Complete(g)
	now := p.Clone()
	for i := range g.Settings {
		f := &g.Settings[i]
		v, given := p[f.Name]
		idle := !f.Effective(p)
		switch {
		case f.Optional && given && (idle || v == f.Value()):
			delete(now, f.Name)
		case !f.Optional && idle:
			now[f.Name] = f.Value()
		}
	}
	if e := g.Entry(p.Choice(g)); e != nil {
		for i := range e.Settings {
			f := &e.Settings[i]
			idle := !f.Effective(p)
			switch {
			case f.Sparse() && (idle || now[f.Name] == f.Value() || setting.Empty(now[f.Name])):
				delete(now, f.Name)
			case idle:
				now[f.Name] = f.Value()
			}
		}
	}
	return now
}

// Set changes the entry or a setting of a group at a key. Another entry brings its own
// settings; a setting may be given before its entry is.
func (p *Part) Set(g *Group, key, text string) error {
	at := g.Name + "." + key
	if key == g.Key {
		p.choose(g, text)
		return nil
	}
	f := g.Setting(p.Choice(g), key)
	if f == nil {
		return fault.At(at, "no such setting", fault.MendWord(at, g.Paths()))
	}
	value, err := f.Parse(at, text)
	if err != nil {
		return err
	}
	p.put(g, f, value)
	return nil
}

// Put changes values as Set does, in the order given: name, value, name, value ... A value is a word, a whole number or
// bytes. Names that no entry has are a mistake of the caller. The part shares nothing with its copies afterwards.
func (p *Part) Put(g *Group, pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		name, value := pairs[i].(string), pairs[i+1]
		if n, is := value.(int); is {
			value = int64(n)
		}
		if name == g.Key {
			p.choose(g, value.(string))
			continue
		}
		f := g.Setting(p.Choice(g), name)
		if f == nil {
			panic("system: " + g.Name + " has no setting " + name)
		}
		p.put(g, f, value)
	}
}

// choose gives a part another entry. The settings of the group stay, and those that were given before the entry.
func (p *Part) choose(g *Group, name string) {
	next := Part{}
	if p.Choice(g) == None && len(*p) > 0 {
		next = (*p).Clone()
	}
	for i := range g.Settings {
		if v, given := (*p)[g.Settings[i].Name]; given {
			next[g.Settings[i].Name] = v
		}
	}
	next[g.Key] = name
	next.Complete(g)
	*p = next
}

func (p *Part) put(g *Group, f *Setting, value any) {
	next := (*p).Clone()
	if next == nil {
		next = Part{}
	}
	next[f.Name] = value
	if g.Whole() {
		next.fill(g)
	}
	*p = next
}

// Validate adds the faults of the entry and its settings; path is the place of the group.
func (p Part) Validate(e *fault.Errors, g *Group, path string) {
	if len(p) == 0 && !g.Whole() {
		return
	}
	if _, isWord := p[g.Key].(string); p[g.Key] != nil && !isWord {
		e.Add(path+"."+g.Key, "want a word, not a number", "use one of "+strings.Join(g.Names(), ", "))
		return
	}
	name := p.Choice(g)
	entry := g.Entry(name)
	if entry == nil {
		e.Word(path+"."+g.Key, name, g.Names())
	}
	for i := range g.Settings {
		f := &g.Settings[i]
		if v, given := p[f.Name]; given {
			f.Validate(e, path+"."+f.Name, v)
		} else if !f.Optional {
			e.Add(path+"."+f.Name, "the value is missing", f.Span())
		}
	}
	if entry == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(p)) {
		if key == g.Key || find(g.Settings, key) != nil {
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
	var names []string
	if g.Whole() {
		names = append(names, g.Key)
	}
	for _, f := range slices.Concat(g.Settings, entry.Settings) {
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		return "remove it"
	}
	return fault.MendWord(key, names)
}

// Numbers gives the whole numbers of a part that was read as JSON the type that a Part has.
func (p Part) Numbers() {
	for _, key := range slices.Sorted(maps.Keys(p)) {
		switch v := p[key].(type) {
		case float64:
			p[key] = int64(v)
		case interface{ Int64() (int64, error) }: // json.Number
			if n, err := v.Int64(); err == nil {
				p[key] = n
			}
		}
	}
}

// Label is the title of the entry, with the settings that differ from their defaults.
func (p Part) Label(g *Group) string {
	name := p.Choice(g)
	entry := g.Entry(name)
	if entry == nil {
		return name
	}
	differ := p.Differences(entry)
	if len(differ) == 0 {
		return entry.Title
	}
	return entry.Title + " (" + strings.Join(differ, ", ") + ")"
}

// Differences are the settings of an entry that differ from their defaults, in words.
func (p Part) Differences(entry *Entry) []string {
	var differ []string
	for _, f := range entry.Settings {
		if v, given := p[f.Name]; given && v != f.Value() {
			differ = append(differ, strings.TrimSpace(fmt.Sprintf("%s %v %s", f.Title, v, f.Unit)))
		}
	}
	return differ
}
