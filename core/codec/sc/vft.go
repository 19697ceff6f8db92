package sc

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// VFT is the value frequency table in hardware: it learns the first Entries values
// it sees, ignores new ones when it is full, and its counters saturate. All values
// without an entry share one counter. The zero value is empty.
type VFT struct {
	counts [Entries]e2mc.SymbolCount
	used   int
	others uint64
	places [4 * Entries]uint16 // open addressing: number of an entry plus 1
}

// Reset empties the table.
func (v *VFT) Reset() { *v = VFT{} }

// Used returns how many values have an entry.
func (v *VFT) Used() int { return v.used }

// Observe counts the words of a line.
func (v *VFT) Observe(line *mem.Line) {
	for i := 0; i < mem.LineBytes; i += 4 {
		v.add(binary.LittleEndian.Uint32(line[i:]))
	}
}

func (v *VFT) add(symbol uint32) {
	// The multiplicative hash of Knuth (TAOCP 3, 6.4), as in e2mc.
	const mask = 4*Entries - 1
	h := symbol * 2654435769
	for at := int(h^h>>15) & mask; ; at = (at + 1) & mask {
		switch n := v.places[at]; {
		case n == 0 && v.used == Entries:
			v.others = min(v.others+1, CounterMax)
			return
		case n == 0:
			v.counts[v.used] = e2mc.SymbolCount{Symbol: symbol, Count: 1}
			v.used++
			v.places[at] = uint16(v.used)
			return
		case v.counts[n-1].Symbol == symbol:
			c := &v.counts[n-1].Count
			*c = min(*c+1, CounterMax)
			return
		}
	}
}

// Table makes the code from the counts. An empty table gives a code that escapes every
// value.
func (v *VFT) Table() (*e2mc.Table, error) {
	return TrainCounts(SymbolBits, v.counts[:v.used], v.others)
}
