package arith

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// AtomicBatch carries the lanes of an atom or red instruction that meet in one
// line to the L2 slice that performs them, and the old values back.
type AtomicBatch struct {
	Op      ptx.AtomicOp
	Lanes   uint32
	PC      int32
	Bytes   uint8 // of one operand
	Returns bool  // atom; red does not return the old values
	Offset  [ptx.MaxLanes]uint8
	B, C    [ptx.MaxLanes]uint64
	Old     [ptx.MaxLanes]uint64
}

// Apply performs the batch on its line, lanes ascending.
func (b *AtomicBatch) Apply(line *mem.Line) {
	for m := b.Lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		at := line[b.Offset[i]:]
		switch b.Bytes {
		case 2:
			old := uint64(binary.LittleEndian.Uint16(at))
			b.Old[i] = old
			binary.LittleEndian.PutUint16(at, uint16(ApplyGlobalAtomic(b.Op, old, b.B[i], b.C[i])))
		case 4:
			old := uint64(binary.LittleEndian.Uint32(at))
			b.Old[i] = old
			binary.LittleEndian.PutUint32(at, uint32(ApplyGlobalAtomic(b.Op, old, b.B[i], b.C[i])))
		case 8:
			old := binary.LittleEndian.Uint64(at)
			b.Old[i] = old
			binary.LittleEndian.PutUint64(at, ApplyGlobalAtomic(b.Op, old, b.B[i], b.C[i]))
		default:
			panic("ptx: atomic of an unknown width")
		}
	}
}
