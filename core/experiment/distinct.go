package experiment

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/mem"
)

// distinct keeps each block once, with the number of times it crossed a controller: sizes
// depend on the contents alone, and programs read most blocks many times. Blocks are in the
// order of their first crossing.
type distinct struct {
	lines []mem.Line
	times []uint64
	all   uint64
	// slots is an open hash table of places in lines, plus 1; 0 is free. Its length is a
	// power of two, and at least a quarter is free.
	slots []uint32
}

// firstSlots is the length of a new table [ours].
const firstSlots = 1 << 10

// add counts a block. It reports whether the block is new and there are most blocks already;
// then nothing is counted.
func (d *distinct) add(line *mem.Line, most int) (full bool) {
	if d.slots == nil {
		d.slots = make([]uint32, firstSlots)
	}
	at := d.find(line)
	if d.slots[at] == 0 {
		if len(d.lines) == most {
			return true
		}
		d.lines = append(d.lines, *line)
		d.times = append(d.times, 0)
		d.slots[at] = uint32(len(d.lines))
		if len(d.lines)*4 > len(d.slots)*3 {
			d.grow()
			at = d.find(line)
		}
	}
	d.times[d.slots[at]-1]++
	d.all++
	return false
}

// find returns the slot of a block, or the free slot where it belongs.
func (d *distinct) find(line *mem.Line) int {
	mask := len(d.slots) - 1
	at := int(hashOf(line)) & mask
	for d.slots[at] != 0 && d.lines[d.slots[at]-1] != *line {
		at = (at + 1) & mask
	}
	return at
}

func (d *distinct) grow() {
	d.slots = make([]uint32, 2*len(d.slots))
	for i := range d.lines {
		d.slots[d.find(&d.lines[i])] = uint32(i + 1)
	}
}

// hashOf mixes the words of a block with the multiplier and the shift of the finaliser of
// MurmurHash3 (fmix64).
func hashOf(line *mem.Line) uint64 {
	h := uint64(0)
	for i := 0; i < mem.LineBytes; i += 8 {
		h = (h ^ binary.LittleEndian.Uint64(line[i:])) * 0xff51afd7ed558ccd
		h ^= h >> 33
	}
	return h
}
