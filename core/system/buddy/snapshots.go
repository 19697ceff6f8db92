package buddy

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// Snapshots are the sizes of a program's entries at ten kernel boundaries, evenly spaced from
// the first launch to the end of the last (section II-C). They watch a run without timing.
type Snapshots struct {
	scheme   codec.Scheme
	launches int
	allocs   []profile.Allocation
	sizes    sizeStudy
	taken    int
}

// Watch returns what takes snapshots of a program with a number of launches, whose entries are coded by a scheme.
func Watch(launches int, image *mem.Image, s codec.Scheme) system.Watcher {
	w := &Snapshots{scheme: s, launches: launches}
	for _, a := range image.Allocations() {
		w.allocs = append(w.allocs, profile.Allocation{Name: a.Name, Bytes: layout.Padded(a.Bytes)})
	}
	return w
}

// Allocations returns what was seen of each allocation.
func (w *Snapshots) Allocations() []profile.Allocation { return w.allocs }

// Launch takes the snapshots of the boundary before a launch.
func (w *Snapshots) Launch(launch int, image *mem.Image) (enough bool) {
	n := 0
	for w.taken+n < profile.Snapshots && boundary(w.taken+n, w.launches) == launch {
		n++
	}
	if n > 0 {
		var all profile.Counts
		w.sizes.begin()
		for i, a := range image.Allocations() {
			w.sizes.allocation()
			c := w.count(image, &a)
			for k, entries := range c {
				all[k] += entries
			}
			for range n {
				w.allocs[i].Snapshots = append(w.allocs[i].Snapshots, c)
			}
		}
		w.sizes.end(&all, n)
	}
	w.taken += n
	return w.taken == profile.Snapshots
}

// boundary is the number of launches before a snapshot.
func boundary(snapshot, launches int) int {
	const last = profile.Snapshots - 1
	return (snapshot*launches + last/2) / last
}

// count compresses every entry of an allocation.
func (w *Snapshots) count(image *mem.Image, a *mem.Allocation) (c profile.Counts) {
	var line mem.Line
	for at := a.Base; at < a.End(); at += mem.LineBytes {
		image.ReadLine(at, &line)
		before := line
		size := c.Add(&before, int(w.scheme.Store(&line, codec.Region{}).Bits))
		w.sizes.entry(&before, (size+layout.SectorBytes-1)/layout.SectorBytes)
	}
	return c
}

// Configure gives a machine the targets that the profile of a part chooses from the snapshots.
func (w *Snapshots) Configure(p system.Part, g *parameter.GPU, job *machine.Job) error {
	rule := profileRule(p)
	var chosen []layout.Target
	for _, a := range rule.Choose(w.allocs) {
		chosen = append(chosen, a.Target)
	}
	return place(p, g, job, chosen, w.sizes.result())
}
