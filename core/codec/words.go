package codec

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/mem"
)

// Words is the number of 32-bit words of a block.
const Words = mem.LineBytes / 4

// KeptWords copies the words of line except first to first+count-1 to dst and
// returns how many they are.
func KeptWords(line *mem.Line, first, count int, dst *[Words]uint32) int {
	n := 0
	for i := range Words {
		if i < first || i >= first+count {
			dst[n] = binary.LittleEndian.Uint32(line[4*i:])
			n++
		}
	}
	return n
}

// PutKeptWords is the inverse of KeptWords. The words left out become 0.
func PutKeptWords(line *mem.Line, first, count int, kept *[Words]uint32) {
	n := 0
	for i := range Words {
		w := uint32(0)
		if i < first || i >= first+count {
			w = kept[n]
			n++
		}
		binary.LittleEndian.PutUint32(line[4*i:], w)
	}
}
