package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/buddy"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// EntrySectors are the sectors of an entry, and those of them in buddy memory.
type EntrySectors struct{ All, InBuddy uint8 }

// EntryChange is an entry that was met for the first time, or to which a write gave another
// number of sectors.
type EntryChange struct {
	Allocation  int // in the order of the image
	Now, Before EntrySectors
	First       bool // there is no Before
}

// EntryUse adds up the entries of an allocation that have been read or written, as they are now.
type EntryUse struct {
	Entries       uint64 // met
	Overflowed    uint64 // of them with sectors in buddy memory
	DeviceSectors uint64 // that hold something
	BuddySectors  uint64
}

// Add adds the entries of another controller.
func (u *EntryUse) Add(o EntryUse) {
	u.Entries += o.Entries
	u.Overflowed += o.Overflowed
	u.DeviceSectors += o.DeviceSectors
	u.BuddySectors += o.BuddySectors
}

// entryPage has 1 + the sectors of consecutive entries of a channel; 0 = not met.
type entryPage [256]uint8

// entryUse follows the sectors of entries.
type entryUse struct {
	pages   [][]*entryPage // by channel; nil = nothing there was met
	use     []EntryUse     // by allocation
	last    EntryChange
	changed bool
}

// fit makes room for the entries of channels and for allocations.
func (u *entryUse) fit(channels []blocks, allocations int) {
	for len(u.pages) < len(channels) {
		u.pages = append(u.pages, nil)
	}
	for i := range channels {
		for len(u.pages[i])*len(entryPage{}) < len(channels[i].stored)*len(storedPage{}) {
			u.pages[i] = append(u.pages[i], nil)
		}
	}
	for len(u.use) < allocations {
		u.use = append(u.use, EntryUse{})
	}
}

// follow notes that entry k of a channel has the given sectors.
func (u *entryUse) follow(channel, k, allocation int, t buddy.Target, sectors int) {
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
	u.last = EntryChange{Allocation: allocation, Now: s.add(t, sectors, 1), First: before < 0}
	if before < 0 {
		s.Entries++
	} else {
		u.last.Before = s.add(t, before, ^uint64(0))
	}
}

// add adds an entry of some sectors, or takes it away.
func (s *EntryUse) add(t buddy.Target, sectors int, sign uint64) EntrySectors {
	device, linked := t.Split(sectors)
	inBuddy := bits.OnesCount8(linked)
	s.DeviceSectors += sign * uint64(bits.OnesCount8(device))
	s.BuddySectors += sign * uint64(inBuddy)
	if inBuddy > 0 {
		s.Overflowed += sign
	}
	return EntrySectors{uint8(sectors), uint8(inBuddy)}
}

func (u *entryUse) state(t *tape.Tape) {
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

// noteEntry counts an accepted block, and counts and reports what it has changed of its entry.
func (ch *channel) noteEntry(p *pending) {
	ch.accesses.All++
	if p.placed.Parts[InLink] != 0 {
		ch.accesses.Linked++
	}
	if ch.c.paged == nil {
		return
	}
	e, ok := ch.c.paged.Changed()
	if !ok {
		return
	}
	s := ch.stats()
	if e.First {
		s[stat.EntriesMet]++
	}
	switch {
	case e.Now.InBuddy > 0 && e.Before.InBuddy == 0:
		s[stat.EntriesOverflowed]++
	case e.Now.InBuddy == 0 && e.Before.InBuddy > 0:
		s[stat.EntriesReturned]++
	}
	if t := ch.tap(); t.On() {
		before := uint32(e.Before.All)
		if e.First {
			before = probe.EntryUnknown
		}
		t.Emit(probe.Event{
			Cycle: p.arrived, Addr: p.addr, Req: p.cause, Unit: ch.unit(), Kind: probe.KindEntry,
			A: uint32(e.Now.All) | before<<8 | uint32(e.Now.InBuddy)<<16 | uint32(e.Before.InBuddy)<<24, B: uint32(e.Allocation),
		})
	}
}

// Accesses returns the blocks that were accepted so far.
func (c *Controller) Accesses() (a Accesses) {
	for i := range c.channels {
		a.All += c.channels[i].accesses.All
		a.Linked += c.channels[i].accesses.Linked
	}
	return a
}

// EntryUse adds up the entries of each allocation, in the order of the image; nil without a
// storage of entries.
func (c *Controller) EntryUse() []EntryUse {
	if c.paged == nil {
		return nil
	}
	return c.paged.EntryUse()
}
