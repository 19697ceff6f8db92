package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx/execute"
)

// Copying returns the copy under way whose request for bytes of global memory, or with bytes for it, has a number. It
// is nil if the request is another instruction's, has been answered, is a store that has left the SM, or belongs to the
// block of a lane that the copy has left behind.
func (m *SM) Copying(cause uint32) *execute.Copying {
	for i := range m.lsu.ops {
		o := &m.lsu.ops[i]
		place := int(o.slot) - m.config.Warps
		if o.cause != cause || o.kind < opLoad || o.kind > opAtomic || place < 0 ||
			slices.Contains(m.lsu.spare, uint16(i)) {
			continue
		}
		if w := m.warps[o.slot].warp; w.CopyLane() == o.lane {
			return w.Copying(o.pc, m.copies.places[place].end)
		}
	}
	return nil
}

// causeOf numbers the requests of an instruction: the SM, from 1 on, and a count that comes round.
func causeOf(sm uint16, count uint32) uint32 { return uint32(sm+1)<<24 | count&(1<<24-1) }

// SMOf returns the number of the SM whose request has a number, -1 for one without SM.
func SMOf(cause uint32) int { return int(cause>>24) - 1 }
