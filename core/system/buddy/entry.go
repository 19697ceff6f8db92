// Package buddy is Buddy Compression (Choukse et al., ISCA 2020): entries that are larger than the target of their
// allocation have their last sectors in a slower memory behind a link. Beside it stand the backings with which its
// paper compares: compression for bandwidth alone, pinned host memory, unified memory, and copies of the host.
//
// Package layout has the arithmetic of targets, package profile chooses them, package storage places blocks.
package buddy

import (
	"errors"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// Entry is Buddy Compression.
var Entry = system.Entry{
	Group: "backing", Name: "buddy", Null: bandwidthOnly, Title: "Buddy Compression", Place: "behind a link",
	About: "Entries that are larger than the target of their allocation have their last sectors in a slower memory " +
		"behind a link (Choukse et al., ISCA 2020).",
	Settings: append([]system.Setting{
		{Name: "targets", Title: "targets", Optional: true, Check: checkTargets, Mend: layout.MendTargets,
			About: "Target ratio of every allocation, or NAME=TARGET pairs in which * stands for the others. Without it a " +
				"profile of the program chooses them."},
		{Name: "threshold", Title: "Buddy Threshold", Unit: "percent", High: 100, Default: 30,
			About: "Entries of an allocation that a profile lets exceed the target (section III-B: 30, study of 10 to 40)."},
		{Name: "profile", Title: "profile", Words: profile.Ways,
			About: "How a profile chooses: zero-page is per-allocation with 16x for allocations that stay zero; naive has one " +
				"target for the program (section III-B)."},
		{Name: "judge", Title: "judged by", Words: []string{"worst", "mean"},
			About: "A profile judges an allocation by its worst snapshot of ten, or by all together."},
		{Name: "pages", Title: "page size", Words: layout.PageSizes,
			About: "Page of the GPU; it decides the width of the offset in the page table (section III)."},
		metadataSetting, neighboursSetting,
	}, linkSettings...),
	Configure: configure, Watches: func(p system.Part) bool { return p.Word("targets") == "" }, Watch: Watch,
	Report: func() system.Report { return new(Report) },
	Blocks: system.BlocksCompressed, Linked: true,
	Idle: func(_ system.Part, r *system.Counts) string {
		return sentNothing(r, "no entry that moved is larger than its target")
	},
}

func checkTargets(text string) error {
	_, err := layout.ParseTargets(text)
	return err
}

// metadataSetting is the metadata cache of compressed entries.
var metadataSetting = system.Setting{Name: "metadataKB", Title: "metadata cache", Unit: "KB", High: 4096, Default: 64,
	About: "Metadata cache of all controllers together, rounded down to whole sets; 0 always hits. The paper has 64 KB " +
		"in eight slices (section III); the 4 KB a slice of section III-C are 32."}

// neighboursSetting says whose metadata share a sector.
var neighboursSetting = system.Setting{
	Name: "neighbours", Title: "neighbours", Optional: true, Words: []string{"channel", "address"},
	About: "The 63 entries whose metadata come with an entry's (section III): those of its channel, or those beside it " +
		"in memory, in one cache that all channels ask.",
}

// MetadataWays is the number of lines of a set of the metadata cache (section III).
const MetadataWays = 4

// metadata is the metadata cache of one controller: 4-bit entries, four sectors a line,
// four ways (section III). If any channel may need any sector, the machine gets one controller with all channels.
func metadata(p system.Part, g *parameter.GPU) memctrl.MetadataConfig {
	const ways, sectors = MetadataWays, 4
	m := memctrl.MetadataConfig{Ways: ways, LineSectors: sectors, BitsPerBlock: layout.MetadataBits}
	if total := p.Int("metadataKB") << 10; total > 0 {
		if m.Consecutive = p.Word("neighbours") == neighboursSetting.Words[1]; m.Consecutive {
			g.Controllers, g.Channels = 1, g.Slices()
		}
		const set = ways * sectors * layout.SectorBytes
		m.Bytes = max(1, total/g.Controllers/set) * set
	}
	return m
}

// layOut returns the allocations of an image with their targets, and their layout. The
// targets are the chosen ones, or those that the part names if there are none. An allocation
// whose target is not its own is padded to whole entries, which device memory keeps free for it.
func layOut(p system.Part, image *mem.Image, chosen []layout.Target) ([]layout.Allocation, *layout.Layout, error) {
	var rule layout.Rule
	if chosen == nil {
		var err error
		if rule, err = layout.ParseTargets(p.Word("targets")); err != nil {
			return nil, nil, fault.At("backing.targets", err.Error(), layout.MendTargets)
		}
	}
	var allocs []layout.Allocation
	var names []string
	list := image.Allocations()
	for i := range list {
		a := layout.Allocation{Name: list[i].Name, Bytes: list[i].Bytes}
		named := false
		if chosen != nil {
			a.Target = chosen[i]
		} else {
			a.Target, named = rule.Of(a.Name)
		}
		if !named {
			a.Bytes = layout.Padded(a.Bytes)
		}
		allocs = append(allocs, a)
		names = append(names, a.Name)
	}
	for _, name := range rule.Names() {
		if !slices.Contains(names, name) {
			return nil, nil, fault.At("backing.targets", "the program has no allocation "+fault.Quote(name),
				fault.MendWord(name, names))
		}
	}
	l, err := layout.NewLayout(allocs, pageSize(p))
	var f *layout.Fault
	if errors.As(err, &f) {
		return nil, nil, fault.At("backing.targets", f.Message, f.Mend)
	}
	return allocs, l, err
}

// pageSize returns the page size of a part.
func pageSize(p system.Part) layout.PageSize {
	if p.Word("pages") == layout.PageSizes[layout.Page2MB] {
		return layout.Page2MB
	}
	return layout.Page64KB
}

// profileRule returns how a profile chooses the targets of a part.
func profileRule(p system.Part) profile.Rule {
	r := profile.Rule{ThresholdPercent: p.Int("threshold"), Mean: p.Word("judge") == "mean", Size: pageSize(p)}
	for i, name := range profile.Ways {
		if p.Word("profile") == name {
			r.Way = profile.Way(i)
		}
	}
	return r
}

// configure gives a machine the targets that a part names.
func configure(p system.Part, g *parameter.GPU, job *machine.Job) error {
	return place(p, g, job, nil, nil)
}

// place gives a machine the chosen targets, or those that the part names if there are none.
func place(p system.Part, g *parameter.GPU, job *machine.Job, chosen []layout.Target, entries *EntrySizes) error {
	allocs, l, err := layOut(p, job.Image, chosen)
	if err != nil {
		return err
	}
	targets := make([]layout.Target, len(allocs))
	for i := range allocs {
		targets[i] = allocs[i].Target
	}
	report, cache := newReport(allocs, l, entries), metadata(p, g)
	job.Placed = func(a mem.Addr) bool {
		i := job.Image.Find(a)
		return i >= 0 && i < len(targets) && targets[i] != layout.Plain
	}
	job.Backing = linked(p, func(c *memctrl.Config, image *mem.Image) memctrl.Storage {
		c.Metadata = cache
		m := storage.NewMemory(c, image, targets)
		m.About = report
		return m
	})
	return nil
}
