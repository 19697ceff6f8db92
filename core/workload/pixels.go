package workload

import "math"

// Pixels returns the contents of an image buffer as grey levels: one byte for each
// element, row by row.
func (b *Buffer) Pixels(data []byte) []uint8 {
	pixels := make([]uint8, b.Width*b.Height)
	first := 0
	b.Element.each(data[:len(pixels)*b.Element.Bytes()], func(all []float64) {
		for i, x := range all {
			v := float64(x*b.ImageScale) + b.ImageOffset
			if v > 0 { // false for NaN, which becomes black
				pixels[first+i] = uint8(math.Round(min(v, math.MaxUint8)))
			}
		}
		first += len(all)
	})
	return pixels
}
