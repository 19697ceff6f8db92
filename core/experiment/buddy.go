package experiment

import (
	"slices"

	"github.com/burstscope/burstscope/core/buddy"
	buddyprofile "github.com/burstscope/burstscope/core/buddy/profile"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// Buddy says how Buddy Compression divides the memory of a program.
type Buddy struct {
	Allocations []BuddyAllocation `json:"allocations"`
	SizeBytes   uint64            `json:"sizeBytes"`   // of all allocations
	DeviceBytes uint64            `json:"deviceBytes"` // that they take of device memory
	// Entries are the sizes in the snapshots of the profile; nil if the scenario names its targets.
	Entries *EntrySizes `json:"entries,omitempty"`
}

// BuddyAllocation is an allocation with its target.
type BuddyAllocation struct {
	Name   string `json:"name"`
	Bytes  uint64 `json:"bytes"`
	Target string `json:"target"`
	// DeviceBytes are reserved for it in device memory. UsedBytes of them, and BuddyBytes of its
	// places in buddy memory, hold sectors of the entries that the run has read or written; Entries
	// are their number, and Overflowed those with sectors in buddy memory.
	DeviceBytes uint64 `json:"deviceBytes"`
	UsedBytes   uint64 `json:"usedBytes"`
	BuddyBytes  uint64 `json:"buddyBytes"`
	Entries     uint64 `json:"entries"`
	Overflowed  uint64 `json:"overflowed"`
}

// Buddy says where memory lies under Buddy Compression now; nil without it, or before the
// simulate phase.
func (r *Run) Buddy() *Buddy {
	if r.buddy == nil {
		return nil
	}
	b := *r.buddy
	b.Allocations = slices.Clone(b.Allocations)
	for i, u := range r.machine.EntryUse() {
		a := &b.Allocations[i]
		a.Entries, a.Overflowed = u.Entries, u.Overflowed
		a.UsedBytes, a.BuddyBytes = u.DeviceSectors*buddy.SectorBytes, u.BuddySectors*buddy.SectorBytes
	}
	return &b
}

// buddyOf returns how a scheme divides the allocations of an image, or nil without Buddy
// Compression.
func buddyOf(s *scheme.Scheme, image *mem.Image, chosen []buddy.Target) (*Buddy, error) {
	if s.Backing.Word("kind") != "buddy" {
		return nil, nil
	}
	allocs, layout, err := scheme.BuddyLayout(s.Backing, image, chosen)
	if err != nil {
		return nil, err
	}
	b := &Buddy{SizeBytes: layout.SizeBytes, DeviceBytes: layout.DeviceBytes}
	for _, a := range allocs {
		b.Allocations = append(b.Allocations, BuddyAllocation{Name: a.Name, Bytes: a.Bytes, Target: a.Target.String(), DeviceBytes: a.DeviceBytes()})
	}
	return b, nil
}

// needsTargets reports whether a profile must choose the targets of a plan.
func needsTargets(p *Plan) bool {
	return p.Backing.Word("kind") == "buddy" && p.Backing.Word("targets") == ""
}

// snapshots are the sizes of a program's entries at ten kernel boundaries, evenly spaced from
// the first launch to the end of the last (Buddy Compression, section II-C). They are taken in
// a run of their own without timing.
type snapshots struct {
	memory   scheme.Memory // under which entries are sized
	scheme   codec.Scheme
	run      reference
	allocs   []buddyprofile.Allocation
	sizes    sizeStudy
	taken    int // snapshots
	complete bool
}

// stepSnapshots works on the snapshots for about the given number of warp instructions, and
// reports whether they are complete.
func (s *Study) stepSnapshots(m *scheme.Memory, codes func() (codec.Scheme, error), instructions uint64) (done bool, err error) {
	p := s.snapshots
	if p == nil || p.memory != *m {
		p = &snapshots{memory: *m, run: reference{loaded: s.loaded.copy(), left: functionalLimit}}
		if p.scheme, err = codes(); err != nil {
			return false, err
		}
		for _, a := range p.run.loaded.image.Allocations() {
			p.allocs = append(p.allocs, buddyprofile.Allocation{Name: a.Name, Bytes: buddy.Padded(a.Bytes)})
		}
		s.snapshots = p
		p.look()
		return false, faultOf(m, p.scheme)
	}
	if p.complete {
		return true, nil
	}
	ended, err := s.stepLaunch(&p.run, instructions)
	if ended {
		p.look()
	}
	if err == nil {
		err = faultOf(m, p.scheme)
	}
	return p.complete, err
}

// look takes the snapshots of the boundary before the next launch.
func (p *snapshots) look() {
	launches := len(p.run.loaded.launches)
	n := 0
	for p.taken+n < buddyprofile.Snapshots && boundary(p.taken+n, launches) == p.run.launch {
		n++
	}
	if n > 0 {
		image := p.run.loaded.image
		var all buddyprofile.Counts
		p.sizes.begin()
		for i, a := range image.Allocations() {
			p.sizes.allocation()
			c := p.count(image, &a)
			for k, entries := range c {
				all[k] += entries
			}
			for range n {
				p.allocs[i].Snapshots = append(p.allocs[i].Snapshots, c)
			}
		}
		p.sizes.end(&all, n)
	}
	p.taken += n
	p.complete = p.taken == buddyprofile.Snapshots
}

// boundary is the number of launches before a snapshot.
func boundary(snapshot, launches int) int {
	const last = buddyprofile.Snapshots - 1
	return (snapshot*launches + last/2) / last
}

// count compresses every entry of an allocation.
func (p *snapshots) count(image *mem.Image, a *mem.Allocation) (c buddyprofile.Counts) {
	var line mem.Line
	for at := a.Base; at < a.End(); at += mem.LineBytes {
		image.ReadLine(at, &line)
		before := line
		size := c.Add(&before, int(p.scheme.Store(&line, codec.Region{}).Bits))
		p.sizes.entry(&before, (size+buddy.SectorBytes-1)/buddy.SectorBytes)
	}
	return c
}

// targets returns the targets that the profile of the study gives to its allocations.
func (s *Study) targets(own system.Part) []buddy.Target {
	rule := scheme.BuddyRule(own)
	var chosen []buddy.Target
	for _, a := range rule.Choose(s.snapshots.allocs) {
		chosen = append(chosen, a.Target)
	}
	return chosen
}

// BuddyProfile takes the snapshots of a plan's program and returns the sizes of its entries
// under the plan's codec.
func BuddyProfile(p *Plan) ([]buddyprofile.Allocation, error) {
	s, err := NewStudy(p)
	if err != nil {
		return nil, err
	}
	codes := func() (codec.Scheme, error) { return schemeOf(&p.Memory, nil) }
	for {
		if done, err := s.stepSnapshots(&p.Memory, codes, stepCycles); done || err != nil {
			return s.allocations(), err
		}
	}
}

func (s *Study) allocations() []buddyprofile.Allocation {
	if s.snapshots == nil {
		return nil
	}
	return s.snapshots.allocs
}
