package ptx

import "math/bits"

// NewFault returns a fault of the first active lane at the next instruction, for
// whoever limits how long a warp may run.
func (w *Warp) NewFault(message string) *Fault {
	return w.faultOf(w.PC, bits.TrailingZeros32(w.active)&31, message)
}
