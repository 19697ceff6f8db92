// Package buddy is the arithmetic of Buddy Compression (Choukse et al., ISCA 2020): target
// ratios of allocations, the split of an entry's sectors between device memory and buddy
// memory, page-table fields, and the layout of the carve-out. It has no timing.
package layout

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
)

// Target is the target ratio of an allocation.
type Target uint8

const (
	Plain      Target = iota // not compressed: the page's compressed bit is 0
	One                      // 1x: compressed, all sectors in device memory
	FourThirds               // 4/3x: three sectors in device memory
	Two                      // 2x: two
	Four                     // 4x: one
	Sixteen                  // 16x: 8 bytes, for allocations that stay mostly zero

	NumTargets
)

var targetNames = [NumTargets]string{"plain", "1", "4/3", "2", "4", "16"}

func (t Target) String() string { return targetNames[t] }

// Targets lists the names of all targets.
func Targets() []string { return targetNames[:] }

// ParseTarget returns the target of a name.
func ParseTarget(name string) (Target, error) {
	for i, n := range targetNames {
		if n == name {
			return Target(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not a target ratio", name)
}

// Sizes of section III: an entry is a cache line, and a sector is what device memory moves
// at once.
const (
	EntryBytes   = mem.LineBytes
	SectorBytes  = mem.SectorBytes
	EntrySectors = mem.LineSectors
	// zeroEntryBytes of an entry at 16x lie in device memory (section III-B).
	zeroEntryBytes = 8
)

// Padded returns a number of bytes rounded up to whole entries.
func Padded(bytes uint64) uint64 { return (bytes + EntryBytes - 1) &^ (EntryBytes - 1) }

// MetadataBits is the size of an entry's metadata (section III: five states need 3 bits, and
// 4 are reserved).
const MetadataBits = 4

// DeviceBytes returns the bytes that an entry has in device memory.
func (t Target) DeviceBytes() uint64 {
	switch t {
	case FourThirds:
		return 3 * SectorBytes
	case Two:
		return 2 * SectorBytes
	case Four:
		return SectorBytes
	case Sixteen:
		return zeroEntryBytes
	}
	return EntryBytes
}

// BuddySectors returns the sectors that an entry has in buddy memory. At 16x the 120 bytes
// that do not fit into the device take four [ours: the paper leaves it open].
func (t Target) BuddySectors() int {
	if t == Sixteen {
		return EntrySectors
	}
	return EntrySectors - int(t.DeviceBytes()/SectorBytes)
}

// Split returns the sectors to move of an entry that is stored in n sectors: a bit for each
// sector in device memory and in buddy memory. The first sectors lie in device memory. At
// 16x one sector of device memory holds the first 8 bytes, and the others begin at bit 1.
func (t Target) Split(n int) (device, buddy uint8) {
	all := uint8(1<<n - 1)
	if t == Sixteen {
		return min(all, 1), all << 1
	}
	first := uint8(1)<<(EntrySectors-t.BuddySectors()) - 1
	return all & first, all &^ first
}

// Sectors returns the size class of an entry in sectors, 0 to 4: only an entry of zeros
// takes none (section III, figure 5b). stored are the sectors of its code.
func Sectors(line *mem.Line, stored int) int {
	if *line == (mem.Line{}) {
		return 0
	}
	return stored
}
