package cache

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
)

// Occupancy is how an L1 is filled at a moment.
type Occupancy struct {
	Sets, TagsPerSet  int
	SubBlocks         int        // of a set: rooms of a sector
	Tags              []TagState // by set
	HeldSectors, Room int        // sectors with data, and sectors that an L1 without compression has
}

// TagState is what a tag holds. Its blocks are reserved as long as it has no data.
type TagState struct {
	Taken  bool // the tag has an address
	Data   bool
	Packed bool // as a code
	Blocks uint8
	Mode   uint8 // how the store keeps the line, by numbers of its own; 0 is as it is
	// Predicted says that a load policy made the line, Wrong that it differs from what memory held then.
	Predicted, Wrong bool
}

// Filled is a store that can be looked into.
type Filled interface {
	// Occupancy returns how the store is filled, and the address of each tag.
	Occupancy() (Occupancy, []mem.Addr)
}

// Occupancy returns how the L1 is filled. The addresses of its lines are in the order of its tags; entries are tags.
func (l *L1) Occupancy() (o Occupancy, lines []mem.Addr) {
	if s, ok := l.store.(Filled); ok {
		return s.Occupancy()
	}
	return o, nil
}

// Occupancy implements Filled: each line takes the sub-blocks of a way.
func (p *plain) Occupancy() (Occupancy, []mem.Addr) {
	g := p.tags.Geometry
	o := Occupancy{Sets: g.Sets, TagsPerSet: g.Ways, SubBlocks: g.Ways * mem.LineSectors, Room: g.Sets * g.Ways * mem.LineSectors, Tags: make([]TagState, len(p.valid))}
	for i := range p.valid {
		t := &o.Tags[i]
		if t.Taken = p.tags.Addr[i] != NoLine; t.Taken {
			t.Blocks, t.Data = mem.LineSectors, p.valid[i] != 0
		}
		o.HeldSectors += bits.OnesCount8(p.valid[i])
	}
	return o, p.tags.Addr
}
