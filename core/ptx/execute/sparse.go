package execute

import "github.com/burstscope/burstscope/core/ptx"

// sparseIndex holds, for 16 rows of a sparse A, the place along K of each element that is stored; of 4-bit elements,
// which are stored in pairs, the place of each pair.
type sparseIndex [16][32]uint8

// metadataOf returns the metadata of a row (PTX ISA, "Sparse matrix storage" and its figures), and the lane that has
// their beginning.
func metadataOf(meta *[ptx.MaxLanes]uint32, layout, selector, row int) (v uint64, lane int) {
	quad, half := row%8*4, row/8
	shift := 16 * half
	switch layout {
	case ptx.MetadataOneLane:
		lane = quad + selector
		return uint64(meta[lane] >> shift & 0xffff), lane
	case ptx.MetadataTwoLanes:
		lane = quad + 2*selector
		return uint64(meta[lane]>>shift&0xffff | meta[lane+1]>>shift<<16), lane
	case ptx.MetadataRows:
		lane = quad + 2*selector + half
		return uint64(meta[lane]), lane
	}
	lane = quad + half
	return uint64(meta[lane]) | uint64(meta[lane+2])<<32, lane
}

// sparse fills in the places of count elements (or pairs) of each row. Of each four elements two are stored; of two
// tf32 one is. The manual leaves equal places undefined, and descending ones unless the order is free: a fault of the
// instruction at.
func (w *Warp) sparse(x *sparseIndex, at int32, regMeta uint32, e ptx.Element, layout, selector, count int,
	free bool) bool {
	meta := w.u32(regMeta)
	for row := range x {
		v, lane := metadataOf(meta, layout, selector, row)
		if e == ptx.ElementTF32 {
			for l := range count {
				code := v >> (4 * l) & 15
				if code != 0b0100 && code != 0b1110 {
					w.faultAt(at, lane, "row %d, elements %d and %d: the metadata are %#b, "+
						"but of tf32 only 0b0100 and 0b1110 have a meaning",
						row, 2*l, 2*l+1, code)
					return false
				}
				x[row][l] = uint8(2*l + int(code>>3))
			}
			continue
		}
		for l := 0; l < count; l += 2 {
			first, second := v>>(2*l)&3, v>>(2*l+2)&3
			if first == second || first > second && !free {
				w.faultAt(at, lane, "row %d, elements %d to %d: the metadata name places %d and %d, which must ascend",
					row, 2*l, 2*l+3, first, second)
				return false
			}
			x[row][l], x[row][l+1] = uint8(2*l+int(first)), uint8(2*l+int(second))
		}
	}
	return true
}
