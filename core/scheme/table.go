package scheme

import (
	"strings"

	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// Table is THE table of groups and entries. A new scheme is a package and an entry here.
var Table = []system.Group{
	{Name: "l1", Key: "store", Title: "L1", About: "What an L1 stores.", Entries: l1Entries()},
	{Name: "loads", Key: "policy", Title: "Load misses", About: "What a load miss may do instead of fetching.", Entries: []system.Entry{
		{Name: system.None, Title: "none", About: "Every load miss is fetched."}, rfvp.Entry, rfvp.PerforationEntry,
	}},
	memoryGroup,
	{Name: "backing", Key: "kind", Title: "Backing", About: "Which memory is behind the controllers.", Entries: []system.Entry{
		{Name: system.None, Title: "none", About: "Device memory alone."}, buddy.Entry, buddy.BandwidthEntry, buddy.PinnedEntry, buddy.UnifiedEntry, buddy.CopiesEntry,
	}},
}

func l1Entries() []system.Entry {
	return append([]system.Entry{{Name: system.None, Title: "none", About: "L1 stores lines as they are."}}, latte.Entries()...)
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
