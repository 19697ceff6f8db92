package rfvp

// lfsr is a 16-bit linear feedback shift register of the greatest period, 65535, with the
// taps 16, 14, 13 and 11. The paper names such a register and gives no size (section 2.4)
// [ours].
type lfsr uint16

const lfsrTaps = 0xB400

// newLFSR returns a register in one of its 65535 states.
func newLFSR(seed uint32) lfsr { return lfsr(seed%65535 + 1) }

// draw returns eight random bits. The register moves by eight bits, so that draws
// share none [ours].
func (r *lfsr) draw() int {
	x := *r
	for range 8 {
		low := x & 1
		x >>= 1
		if low != 0 {
			x ^= lfsrTaps
		}
	}
	*r = x
	return int(x & 0xff)
}
