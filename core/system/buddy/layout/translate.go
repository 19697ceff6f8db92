package layout

import "fmt"

// CarveOut is the size of buddy memory in device memories: enough for a target of 4x, three
// sectors of each entry (section III).
const CarveOut = 3

// PageSize is the size of a GPU page before compression.
type PageSize uint8

const (
	Page64KB PageSize = iota
	Page2MB
)

// PageSizes are the names of the sizes.
var PageSizes = []string{"64KB", "2MB"}

// Bytes returns the size of a page.
func (p PageSize) Bytes() uint64 {
	if p == Page2MB {
		return 2 << 20
	}
	return 64 << 10
}

// OffsetBits is the width of a page's offset into buddy memory (section III). At 4x a slot
// of a 64 KB page has 48 KB, so 20 bits reach half of the 96 GB that the paper names; all of
// them take 21.
func (p PageSize) OffsetBits() int {
	if p == Page2MB {
		return 16
	}
	return 20
}

// Page is what the page table and the TLB hold about a page (section III).
type Page struct {
	Compressed bool   // 1 bit
	Target     Target // 3 bits
	Offset     uint32 // of its slot in buddy memory, in slots of its target
}

// Bits of a packed page: compressed, target, offset.
const (
	targetBits  = 3
	targetShift = 1
	offsetShift = targetShift + targetBits
	// SpareBits are the unused bits of a page-table entry of Pascal (section III).
	SpareBits = 27
)

// Pack returns the bits of a page in the page table.
func (p Page) Pack(size PageSize) (uint32, error) {
	switch {
	case !p.Compressed:
		return 0, nil
	case p.Target < One || p.Target >= NumTargets:
		return 0, fmt.Errorf("buddy: a compressed page cannot have target %s", targetNames[p.Target%NumTargets])
	case p.Offset>>size.OffsetBits() != 0:
		return 0, fmt.Errorf("buddy: slot %d of buddy memory needs more than the %d bits of a page of %s", p.Offset,
			size.OffsetBits(), PageSizes[size])
	}
	return 1 | uint32(p.Target-One)<<targetShift | p.Offset<<offsetShift, nil
}

// Unpack is the inverse of Pack.
func Unpack(bits uint32) Page {
	if bits&1 == 0 {
		return Page{}
	}
	return Page{Compressed: true, Target: One + Target(bits>>targetShift&(1<<targetBits-1)), Offset: bits >> offsetShift}
}

// SlotBytes returns the buddy memory of a page: a place for every sector of every entry that
// is not in device memory.
func (t Target) SlotBytes(size PageSize) uint64 {
	return size.Bytes() / EntryBytes * uint64(t.BuddySectors()) * SectorBytes
}

// BuddyAddress returns where the buddy sectors of an entry begin. base is the global buddy
// base-address register (GBBR), entry is numbered within the page.
func (p Page) BuddyAddress(base uint64, size PageSize, entry uint64) uint64 {
	return base + uint64(p.Offset)*p.Target.SlotBytes(size) + entry*uint64(p.Target.BuddySectors())*SectorBytes
}
