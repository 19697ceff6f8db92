package cache

import "github.com/burstscope/burstscope/core/policy"

// Occupancy is how a compressed L1 is filled at a moment.
type Occupancy struct {
	Sets, TagsPerSet  int
	SubBlocks         int        // of a set
	Tags              []TagState // by set
	HeldSectors, Room int        // sectors with data, and those of an L1 without compression
}

// TagState is what a tag holds. Its blocks are reserved as long as it has no data.
type TagState struct {
	Taken  bool // the tag has an address
	Data   bool
	Packed bool // as a code
	Blocks uint8
	Mode   policy.Mode // when the line was ordered
}

// Occupancy returns how the L1 of an SM is filled; ok is false if there is no such SM.
func (u *Compressed) Occupancy(sm int) (o Occupancy, ok bool) {
	if sm < 0 || sm >= len(u.stores) {
		return o, false
	}
	s := u.stores[sm]
	g := s.tags.geometry
	o = Occupancy{Sets: g.Sets, TagsPerSet: g.Ways, SubBlocks: s.ways * subBlocks, HeldSectors: s.held(), Room: s.room()}
	o.Tags = make([]TagState, len(s.entries))
	for i := range s.entries {
		e := &s.entries[i]
		o.Tags[i] = TagState{Taken: s.tags.addr[i] != noLine, Data: e.valid != 0, Packed: e.packed, Blocks: e.blocks, Mode: e.mode}
	}
	return o, true
}
