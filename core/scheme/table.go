package scheme

import (
	"strings"

	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/system/slc"
)

// Systems is THE list of systems. A new one is a package and a row here.
var Systems = []system.System{slc.System, e2mc.System, rfvp.System, latte.System, buddy.System}

// Table is THE table of groups, with the entries of all systems.
var Table = Assemble()

// Assemble makes the table of the systems.
func Assemble() []system.Group {
	return []system.Group{
		{
			Name: "l1", Key: "store", Title: "L1", About: "What an L1 stores.",
			Entries: entriesOf("l1", "L1 stores lines as they are."),
		},
		{
			Name: "loads", Key: "policy", Title: "Load misses", About: "What a load miss may do instead of fetching.",
			Entries: entriesOf("loads", "Every load miss is fetched."),
		},
		memoryGroup,
		{
			Name: "backing", Key: "kind", Title: "Backing", About: "Which memory is behind the controllers.",
			Entries: entriesOf("backing", "Device memory alone."),
		},
	}
}

// entriesOf lists the entries of a group; without one, the machine is as about says.
func entriesOf(group, about string) []system.Entry {
	list := []system.Entry{{Name: system.None, Title: "none", About: about}}
	for i := range Systems {
		for j := range Systems[i].Entries {
			if e := &Systems[i].Entries[j]; e.Group == group {
				list = append(list, *e)
			}
		}
	}
	return list
}

// Find returns a group by name, nil if there is none.
func Find(group string) *system.Group {
	for i := range Table {
		if Table[i].Name == group {
			return &Table[i]
		}
	}
	return nil
}

// TitleOf is the title of an entry, its name if there is none.
func TitleOf(group, name string) string {
	if e := Find(group).Entry(name); e != nil {
		return e.Title
	}
	return name
}

// Groups returns the names of all groups.
func Groups() []string {
	var names []string
	for i := range Table {
		names = append(names, Table[i].Name)
	}
	return names
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

// Describe lists all groups, entries and settings.
func Describe() []system.Description { return system.Describe(Table) }
