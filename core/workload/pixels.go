package workload

import "math"

// Pixels returns the contents of an image buffer as grey levels: one byte for each
// element, row by row.
func (b *Buffer) Pixels(data []byte) []uint8 {
	pixels := make([]uint8, b.Width*b.Height)
	for i := range pixels {
		v := float64(b.Element.value(data, i)*b.ImageScale) + b.ImageOffset
		if v > 0 { // false for NaN, which becomes black
			pixels[i] = uint8(math.Round(min(v, math.MaxUint8)))
		}
	}
	return pixels
}
