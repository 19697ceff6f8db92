package codec

// Transpose32 mirrors a 32 by 32 bit matrix at its diagonal, bit 0 of row 0 staying
// (Warren, Hacker's Delight, 7-3).
func Transpose32(a *[32]uint32) {
	mask := uint32(0x0000ffff)
	for j := 16; j != 0; j, mask = j>>1, mask^mask<<(j>>1) {
		for k := 0; k < 32; k = (k + j + 1) &^ j {
			t := (a[k]>>j ^ a[k+j]) & mask
			a[k] ^= t << j
			a[k+j] ^= t
		}
	}
}
