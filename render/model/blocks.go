package model

import "math"

// LineBytes is the size of a block, the unit compressed as a whole (mem.LineBytes).
const LineBytes = 128

// How a block is stored: probe.Mode, and a block that the run never touched.
const (
	ModeRaw      = 0
	ModeLossless = 1
	ModeLossy    = 2
	ModeNever    = 255
)

// Blocks says how every block of device memory is stored.
type Blocks struct {
	Base         uint64
	Count        int
	Bits         []uint16
	Bursts       []uint8
	Mode         []uint8
	Touches      []uint16
	LosslessBits []uint16 // size before approximation
	Allocations  []Allocation
	MAGBytes     int

	maxTouches uint16
	version    int
	pictures   []keptPicture
}

// keptPicture is a picture of some blocks, made once.
type keptPicture struct {
	first, rows, columns int
	colour               MapColour
	picture              *Picture
}

// Allocation is one named region of device memory.
type Allocation struct {
	Name  string
	Base  uint64
	Bytes uint64
	Safe  bool // may be approximated
}

// NewBlocks checks that all lists have an entry for every block, cuts what
// exceeds the shortest, and sorts nothing: blocks are in address order.
func NewBlocks(b Blocks, version int) *Blocks {
	if len(b.LosslessBits) == 0 {
		b.LosslessBits = b.Bits // nothing was approximated
	}
	b.Count = clampInt(b.Count, 0, min(len(b.Bits), len(b.Bursts), len(b.Mode), len(b.Touches), len(b.LosslessBits)))
	if b.MAGBytes != 16 && b.MAGBytes != 64 {
		b.MAGBytes = 32
	}
	for i := range b.Count {
		b.maxTouches = max(b.maxTouches, b.Touches[i])
	}
	b.version = version
	return &b
}

// Address returns the address of a block.
func (b *Blocks) Address(block int) uint64 { return b.Base + uint64(block)*LineBytes }

// Block returns the index of the block that holds an address.
func (b *Blocks) Block(addr uint64) (block int, ok bool) {
	if addr < b.Base {
		return 0, false
	}
	i := (addr - b.Base) / LineBytes
	return int(i), i < uint64(b.Count)
}

// Safe reports whether the allocation a block belongs to may be approximated.
func (b *Blocks) Safe(block int) bool {
	a := b.Address(block)
	for i := range b.Allocations {
		if al := &b.Allocations[i]; a >= al.Base && a-al.Base < al.Bytes {
			return al.Safe
		}
	}
	return false
}

// MapColour is what the colours of the address map mean.
type MapColour uint8

const (
	ColourBursts MapColour = iota
	ColourSize
	ColourTouches
	ColourMode
	mapColours
)

// MapColourNames are the names in messages and on the buttons.
var MapColourNames = [mapColours]string{"bursts", "size", "touches", "mode"}

// cell is how a block is coloured.
func (b *Blocks) cell(block int, c MapColour) Cell {
	if block >= b.Count {
		return Cell{}
	}
	mode := b.Mode[block]
	if mode == ModeNever && c != ColourSize && c != ColourMode {
		return Cell{Colour: Rule, Alpha: 255}
	}
	level := 0.0
	switch c {
	case ColourBursts:
		level = float64(b.Bursts[block]) * float64(b.MAGBytes) / LineBytes
	case ColourSize:
		level = float64(b.Bits[block]) / (8 * LineBytes)
	case ColourTouches:
		level = math.Log1p(float64(b.Touches[block])) / math.Log1p(float64(max(b.maxTouches, 1)))
	case ColourMode:
		return Cell{Colour: modeColour(mode), Alpha: 255}
	}
	return Cell{Colour: Magnitude, Level: uint8(255 * min(max(level, 0), 1)), Alpha: 255, Slash: mode == ModeLossy}
}

func modeColour(mode uint8) Colour {
	switch mode {
	case ModeRaw:
		return RawColour
	case ModeLossless:
		return FetchedColour
	case ModeLossy:
		return ApproximatedColour
	}
	return Rule
}

// picture returns rows of blocks as an image, made once.
func (b *Blocks) picture(first, count, columns int, c MapColour) *Picture {
	rows := (count + columns - 1) / columns
	for i := range b.pictures {
		if k := &b.pictures[i]; k.first == first && k.rows == rows && k.columns == columns && k.colour == c {
			return k.picture
		}
	}
	const kept = 64 // zooming makes new ones; forget them all now and then
	if len(b.pictures) >= kept {
		b.pictures = b.pictures[:0]
	}
	p := &Picture{Width: columns, Height: rows, Cells: make([]Cell, rows*columns), Version: b.version}
	for i := range count {
		p.Cells[i] = b.cell(first+i, c)
	}
	b.pictures = append(b.pictures, keptPicture{first, rows, columns, c, p})
	return p
}
