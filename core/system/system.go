// Package system says what a system is: a choice in one group of a scheme, with its settings, what it
// asks of a machine, and what it reports. It knows no system by name. Each system is a package below this one, and
// scheme has the table of them.
package system

import (
	"slices"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/workload"
)

// Group is one choice of a scheme.
type Group struct {
	Name  string // its path in a scenario
	Key   string // of the setting that names the entry
	Title string
	About string
	// Settings are those that every entry of the group has. A scenario has the part of a group with such settings in
	// full, whatever its entry.
	Settings []Setting
	Entries  []Entry
	// Listed returns entries that stand in another table, in place of Entries.
	Listed func() []Entry
	// Named returns one of them, nil if there is none, without a list of all.
	Named func(name string) *Entry
}

// Entry is one thing that a group can be.
type Entry struct {
	Group string
	Name  string
	Title string
	About string
	// Place says where the entry works: "in L1". The first entry with one gives its group the name of a system.
	Place string
	// Settings are those that this entry has beside the group's.
	Settings []Setting
	// Unlisted entries can be chosen, and lists for people leave them out.
	Unlisted bool
	// Configure gives a machine what the entry needs; nil changes nothing.
	Configure func(p Part, g *parameter.GPU, job *machine.Job) error
	// Report returns an empty report of the entry's own type; nil without one.
	Report func() Report
	// Approximates says that a program may compute other values than without the entry.
	Approximates bool
	// Rewrite returns the PTX that a program runs instead of its own, which has been loaded; nil leaves it as it is.
	Rewrite func(p Part, program *workload.Program, loaded *approximate.Program) ([]byte, error)
	// Watches says whether a part needs a run of the program without timing before its machine is built, and Watch
	// makes what watches it: a program with a number of launches whose blocks a scheme codes. Parts under one scheme share
	// a watcher. nil = no part does.
	Watches func(p Part) bool
	Watch   func(launches int, image *mem.Image, s codec.Scheme) Watcher
	// Blocks says in which form a backing holds blocks, and Linked that it needs controllers with a link. The rules
	// of a scheme read both.
	Blocks Blocks
	Linked bool
	// Idle says what the entry did not do in a run that it has not changed, and why: "did nothing: ...". It is empty
	// if the entry did something; nil says nothing.
	Idle func(p Part, r *Counts) string
	// Null names the entry of the group that has the parts of this one and saves nothing; empty is none (scheme.Null).
	Null string
	// Search starts a search on a machine that has not run yet; nil, also as its result, searches nothing.
	Search func(p Part, m *machine.Machine) (Search, error)
	// Log makes the parts of a machine that has not run keep logs for the report; nil keeps none.
	Log func(m *machine.Machine)
	// HostBytes is the memory that the entry takes on the host beside one machine, which takes so much; nil is none.
	HostBytes func(p Part, g *parameter.GPU, machine uint64, logs bool) uint64
}

// Watcher learns from a run of a program without timing.
type Watcher interface {
	// Launch is called before each launch, and after the last one with their number. It reports whether the watcher has
	// seen enough.
	Launch(launch int, image *mem.Image) (enough bool)
	// Configure takes the place of the entry's Configure.
	Configure(p Part, g *parameter.GPU, job *machine.Job) error
}

// Blocks is the form in which a backing holds blocks.
type Blocks uint8

const (
	BlocksAsCoded    Blocks = iota // as the codec of the memory group leaves them; it need not have one
	BlocksCompressed               // in sectors, under a lossless codec whose codes are known from the start
	BlocksRaw                      // uncompressed
)

// Setting is one value of an entry or a group.
type Setting = setting.Setting

// Names returns the names of a group's entries that are listed.
func (g *Group) Names() []string {
	var names []string
	for _, e := range g.List() {
		if !e.Unlisted {
			names = append(names, e.Name)
		}
	}
	return names
}

// Whole reports whether a scenario has the group's part in full, also where its entry is none.
func (g *Group) Whole() bool { return len(g.Settings) > 0 }

// List returns the entries of the group.
func (g *Group) List() []Entry {
	if g.Listed != nil {
		return g.Listed()
	}
	return g.Entries
}

// Entry returns an entry by name, nil if there is none.
func (g *Group) Entry(name string) *Entry {
	if g.Named != nil {
		return g.Named(name)
	}
	list := g.List()
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// Setting returns a setting by its name, one of the entry first; nil if no entry has it.
func (g *Group) Setting(entry, name string) *Setting {
	if f := g.own(g.Entry(entry), name); f != nil {
		return f
	}
	for _, e := range g.List() {
		if f := find(e.Settings, name); f != nil {
			return f
		}
	}
	return nil
}

// own returns a setting that an entry has, nil if it has none of this name.
func (g *Group) own(e *Entry, name string) *Setting {
	if e != nil {
		if f := find(e.Settings, name); f != nil {
			return f
		}
	}
	return find(g.Settings, name)
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
	for _, e := range g.List() {
		add(e.Settings)
	}
	return paths
}
