package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx/execute"
)

// Copying returns the copy under way whose request for bytes of global memory has a number, nil if the request is
// another instruction's, or has been answered.
func (m *SM) Copying(cause uint32) *execute.Copying {
	for i := range m.lsu.ops {
		o := &m.lsu.ops[i]
		place := int(o.slot) - m.config.Warps
		if o.cause == cause && o.kind == opLoad && place >= 0 && !slices.Contains(m.lsu.spare, uint16(i)) {
			return m.warps[o.slot].warp.Copying(o.pc, m.copies.places[place].end)
		}
	}
	return nil
}

// causeOf numbers the requests of an instruction: the SM, from 1 on, and a count that comes round.
func causeOf(sm uint16, count uint32) uint32 { return uint32(sm+1)<<24 | count&(1<<24-1) }

// SMOf returns the number of the SM whose request has a number, -1 for one without SM.
func SMOf(cause uint32) int { return int(cause>>24) - 1 }
