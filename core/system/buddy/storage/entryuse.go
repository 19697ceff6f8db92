package storage

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/tape"
)

// entrySectors are the sectors of an entry, and those of them in buddy memory.
type entrySectors struct{ all, inBuddy uint8 }

// entryChange is an entry that was met for the first time, or to which a write gave another
// number of sectors.
type entryChange struct {
	allocation  int // in the order of the image
	now, before entrySectors
	first       bool // there is no before
}

// count adds a change to the counters.
func (e *entryChange) count(s *stat.Set) {
	if e.first {
		s[EntriesMet]++
	}
	switch {
	case e.now.inBuddy > 0 && e.before.inBuddy == 0:
		s[EntriesOverflowed]++
	case e.now.inBuddy == 0 && e.before.inBuddy > 0:
		s[EntriesReturned]++
	}
}

// happening describes a change for the event stream.
func (e *entryChange) happening() memctrl.Happening {
	before := uint32(e.before.all)
	if e.first {
		before = probe.EntryUnknown
	}
	return memctrl.Happening{
		Kind: probe.KindEntry,
		A:    uint32(e.now.all) | before<<8 | uint32(e.now.inBuddy)<<16 | uint32(e.before.inBuddy)<<24,
		B:    uint32(e.allocation),
	}
}

// EntryUse adds up the entries of an allocation that have been read or written, as they are now.
type EntryUse struct {
	Entries       uint64 // met
	Overflowed    uint64 // of them with sectors in buddy memory
	DeviceSectors uint64 // that hold something
	BuddySectors  uint64
}

// entryPage has 1 + the sectors of consecutive entries of a channel; 0 = not met.
type entryPage [256]uint8

// entries follows the sectors of entries.
type entries struct {
	pages   [][]*entryPage // by channel; nil = nothing there was met
	use     []EntryUse     // by allocation
	last    entryChange
	changed bool
}

// fit makes room for the entries of channels, blocks(channel) each, and for allocations.
func (u *entries) fit(channels int, blocks func(channel int) int, allocations int) {
	for len(u.pages) < channels {
		u.pages = append(u.pages, nil)
	}
	for i := range u.pages {
		for len(u.pages[i])*len(entryPage{}) < blocks(i) {
			u.pages[i] = append(u.pages[i], nil)
		}
	}
	for len(u.use) < allocations {
		u.use = append(u.use, EntryUse{})
	}
}

// follow notes that entry k of a channel has the given sectors.
func (u *entries) follow(channel, k, allocation int, t layout.Target, sectors int) {
	page := &u.pages[channel][k/len(entryPage{})]
	if *page == nil {
		*page = new(entryPage)
	}
	known := &(*page)[k%len(entryPage{})]
	before := int(*known) - 1
	if u.changed = before != sectors; !u.changed {
		return
	}
	*known = uint8(sectors + 1)
	s := &u.use[allocation]
	u.last = entryChange{allocation: allocation, now: s.add(t, sectors, 1), first: before < 0}
	if before < 0 {
		s.Entries++
	} else {
		u.last.before = s.add(t, before, ^uint64(0))
	}
}

// add adds an entry of some sectors, or takes it away.
func (s *EntryUse) add(t layout.Target, sectors int, sign uint64) entrySectors {
	device, linked := t.Split(sectors)
	inBuddy := bits.OnesCount8(linked)
	s.DeviceSectors += sign * uint64(bits.OnesCount8(device))
	s.BuddySectors += sign * uint64(inBuddy)
	if inBuddy > 0 {
		s.Overflowed += sign
	}
	return entrySectors{uint8(sectors), uint8(inBuddy)}
}

func (u *entries) state(t *tape.Tape) {
	for channel := range u.pages {
		for i := range u.pages[channel] {
			page := &u.pages[channel][i]
			there := *page != nil
			tape.Value(t, &there)
			if !there {
				*page = nil
				continue
			}
			if *page == nil {
				*page = new(entryPage)
			}
			tape.Values(t, (*page)[:])
		}
	}
	tape.Values(t, u.use)
}
