package scheme

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
)

// Group is one choice of a scheme.
type Group struct {
	Name  string // its path in a scenario
	Key   string // of the setting that names the entry
	Title string
	About string
	// Settings are those that every entry of the group has.
	Settings []Setting
	Entries  []Entry
	// Listed returns entries that stand in another table, in place of Entries.
	Listed func() []Entry
}

// Entry is one thing that a group can be.
type Entry struct {
	Name  string
	Title string
	About string
	// Settings are those that this entry has beside the group's.
	Settings []Setting
	// Configure gives a machine what the entry needs; nil changes nothing.
	Configure func(p Part, g *parameter.GPU, job *machine.Job) error
	// Check adds the faults that the entry has on a machine; nil finds none.
	Check func(p Part, g *parameter.GPU, e *fault.Errors, path string)
}

// Setting is one value of an entry or a group.
type Setting struct {
	Name  string
	Title string
	Unit  string
	About string
	// Words are the values of a word, the default first; Listed returns words that
	// stand in another table. A setting without words is a whole number from Low to
	// High, or one of Numbers, and Default is its default.
	Words     []string
	Listed    func() []string
	Numbers   []int
	Low, High int
	Default   int
	// Check says what is wrong with a text in a notation of its own; Mend says how to
	// write it.
	Check func(text string) error
	Mend  string
	// Wrong is the message for a number that is not legal, with %d for the number; empty
	// is "%d is out of range".
	Wrong string
	// Optional settings may be left out: empty or 0. About says what happens then.
	Optional bool
}

// Table is THE table of groups and entries. A new scheme is a package and an entry here.
var Table = []Group{
	{Name: "l1", Key: "store", Title: "L1", About: "What an L1 stores.", Entries: l1Entries()},
	{Name: "loads", Key: "policy", Title: "Load misses", About: "What a load miss may do instead of fetching.", Entries: []Entry{
		{Name: None, Title: "none", About: "Every load miss is fetched."}, rfvp, perforation,
	}},
	{Name: "memory", Key: "codec", Title: "Memory", About: "How blocks lie in memory.", Settings: memorySettings, Listed: codecEntries},
	{Name: "backing", Key: "kind", Title: "Backing", About: "Which memory is behind the controllers.", Entries: []Entry{
		{Name: None, Title: "none", About: "Device memory alone."}, buddyEntry, bandwidthEntry, pinnedEntry, unifiedEntry, copiesEntry,
	}},
}

// Find returns a group by name, nil if there is none.
func Find(group string) *Group {
	for i := range Table {
		if Table[i].Name == group {
			return &Table[i]
		}
	}
	return nil
}

// Groups returns the names of all groups.
func Groups() []string {
	var names []string
	for i := range Table {
		names = append(names, Table[i].Name)
	}
	return names
}

// Names returns the names of a group's entries.
func (g *Group) Names() []string {
	var names []string
	for _, e := range g.entries() {
		names = append(names, e.Name)
	}
	return names
}

func (g *Group) entries() []Entry {
	if g.Listed != nil {
		return g.Listed()
	}
	return g.Entries
}

func (g *Group) entry(name string) *Entry {
	list := g.entries()
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// setting returns a setting of the group, of the entry first.
func (g *Group) setting(entry, name string) *Setting {
	if e := g.entry(entry); e != nil {
		if f := find(e.Settings, name); f != nil {
			return f
		}
	}
	if f := find(g.Settings, name); f != nil {
		return f
	}
	for _, e := range g.entries() {
		if f := find(e.Settings, name); f != nil {
			return f
		}
	}
	return nil
}

func find(list []Setting, name string) *Setting {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// Paths returns the paths of everything that a group lets one set.
func (g *Group) Paths() []string {
	paths := []string{g.Name + "." + g.Key}
	add := func(list []Setting) {
		for _, f := range list {
			if path := g.Name + "." + f.Name; !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	add(g.Settings)
	for _, e := range g.entries() {
		add(e.Settings)
	}
	return paths
}

// Paths returns the paths of everything that a scheme lets one set, group by group.
func Paths() []string {
	var paths []string
	for i := range Table {
		paths = append(paths, Table[i].Paths()...)
	}
	return paths
}

// IsChoice reports whether a path names the entry of a group; the settings of the
// entry follow from it.
func IsChoice(path string) bool {
	group, key, _ := strings.Cut(path, ".")
	g := Find(group)
	return g != nil && g.Key == key
}
