package cache

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/policy"
)

// Occupancy is how an L1 is filled at a moment.
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
	// Predicted says that a load policy made the line, Wrong that it differs from what memory held then.
	Predicted, Wrong bool
}

// Occupancy returns how the L1 of an SM is filled; ok is false if there is no such SM.
func (u *Compressed) Occupancy(sm int) (o Occupancy, ok bool) {
	if sm < 0 || sm >= len(u.stores) {
		return o, false
	}
	return u.stores[sm].occupancy(), true
}

// Occupancy returns how the L1 is filled, compressed or not. The addresses of its lines are in the order of its tags;
// entries are tags.
func (l *L1) Occupancy() (o Occupancy, lines []mem.Addr) {
	switch s := l.store.(type) {
	case *compressed:
		return s.occupancy(), s.tags.addr
	case *plain:
		return s.occupancy(), s.tags.addr
	}
	return o, nil
}

// occupancy of a store without compression: each line takes the sub-blocks of a way.
func (p *plain) occupancy() Occupancy {
	g := p.tags.geometry
	o := Occupancy{Sets: g.Sets, TagsPerSet: g.Ways, SubBlocks: g.Ways * subBlocks, Room: g.Sets * g.Ways * subBlocks, Tags: make([]TagState, len(p.valid))}
	for i := range p.valid {
		t := &o.Tags[i]
		if t.Taken = p.tags.addr[i] != noLine; t.Taken {
			t.Blocks, t.Data = subBlocks, p.valid[i] != 0
		}
		o.HeldSectors += bits.OnesCount8(p.valid[i])
	}
	return o
}

func (s *compressed) occupancy() (o Occupancy) {
	g := s.tags.geometry
	o = Occupancy{Sets: g.Sets, TagsPerSet: g.Ways, SubBlocks: s.ways * subBlocks, HeldSectors: s.held(), Room: s.room()}
	o.Tags = make([]TagState, len(s.entries))
	for i := range s.entries {
		e := &s.entries[i]
		o.Tags[i] = TagState{Taken: s.tags.addr[i] != noLine, Data: e.valid != 0, Packed: e.packed, Blocks: e.blocks, Mode: e.mode}
	}
	return o
}
