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

// PlanePairs returns the bit planes of 32 words, two in each element: plane k in
// its low half and plane k+16 in its high half; bit i of a plane is a bit of word
// i. It is Transpose32 on two rows at once.
func PlanePairs(a *[32]uint32, p *[16]uint64) {
	for k := range p {
		low, high := uint64(a[k]), uint64(a[k+16])
		p[k] = low&0xffff | high&0xffff<<16 | low>>16<<32 | high>>16<<48
	}
	mask := uint64(0x00ff00ff00ff00ff)
	for k := range 8 {
		x, y := p[k], p[k+8]
		t := (x>>8 ^ y) & mask
		p[k], p[k+8] = x^t<<8, y^t
	}
	mask = 0x0f0f0f0f0f0f0f0f
	for g := 0; g < 16; g += 8 {
		q := (*[8]uint64)(p[g : g+8])
		for k := range 4 {
			t := (q[k]>>4 ^ q[k+4]) & mask
			q[k] ^= t << 4
			q[k+4] ^= t
		}
	}
	mask = 0x3333333333333333
	for g := 0; g < 16; g += 4 {
		q := (*[4]uint64)(p[g : g+4])
		for k := range 2 {
			t := (q[k]>>2 ^ q[k+2]) & mask
			q[k] ^= t << 2
			q[k+2] ^= t
		}
	}
	mask = 0x5555555555555555
	for g := 0; g < 16; g += 2 {
		q := (*[2]uint64)(p[g : g+2])
		t := (q[0]>>1 ^ q[1]) & mask
		q[0] ^= t << 1
		q[1] ^= t
	}
}
