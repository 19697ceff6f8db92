package execute

import (
	"fmt"
	"math/bits"
)

// newFault returns a fault of the first active lane, at pc.
func (w *Warp) newFault(pc int32, message string) *Fault {
	return w.faultOf(pc, bits.TrailingZeros32(w.active)&31, message)
}

// RunawayFault is the fault of a warp that would go on at pc, but has executed more instructions than
// it may.
func (w *Warp) RunawayFault(pc int32, executed uint64) *Fault {
	return w.newFault(pc, runaway(executed))
}

func runaway(executed uint64) string {
	return fmt.Sprintf("the warp has executed %d instructions: the loop here does not end, or the limit of instructions per warp is too low for this kernel", executed)
}
