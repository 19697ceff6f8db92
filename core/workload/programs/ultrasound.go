package programs

import "github.com/burstscope/burstscope/core/sim"

// ultrasound is the input of both SRAD programs: the user's image or a generated one.
func (r *request) ultrasound() *Image {
	if r.image != nil {
		return r.image.fitted(r.size, sradTile)
	}
	rnd := r.rand(0)
	if r.data == Suite {
		m := &Image{Width: sradFileRows, Height: sradFileColumns, Pixels: speckled(&rnd, sradFileRows, sradFileColumns)}
		return m.repeated(r.size, r.size)
	}
	return &Image{Width: r.size, Height: r.size, Pixels: speckled(&rnd, r.size, r.size)}
}

// Rodinia's image has 502 rows of 458 pixels and is stored by columns.
const sradFileRows, sradFileColumns = 502, 458

// repeated fills width x height pixels with copies of the image side by side.
func (m *Image) repeated(width, height int) *Image {
	out := &Image{Width: width, Height: height, Pixels: make([]uint8, width*height), Name: m.Name}
	for i := range out.Pixels {
		out.Pixels[i] = m.Pixels[i/width%m.Height*m.Width+i%width%m.Width]
	}
	return out
}

// speckled is an ultrasound-like image: value noise of 64 pixels down to 4, two dark cysts and a bright ring, times gamma(8, 1/8) speckle.
func speckled(rnd *sim.Rand, width, height int) []uint8 {
	tissue := field(rnd, width, height, 64, 5)
	pixels := make([]uint8, width*height)
	for y := range height {
		v := (float64(y) + 0.5) / float64(height)
		for x := range width {
			u := (float64(x) + 0.5) / float64(width)
			base := 112 + float64(72*float64(tissue[y*width+x]))
			base = float64(base * (1 - float64(0.85*ellipse(u, v, 0.30, 0.36, 0.15, 0.10))))
			base = float64(base * (1 - float64(0.80*ellipse(u, v, 0.66, 0.74, 0.10, 0.13))))
			ring := ellipse(u, v, 0.70, 0.30, 0.17, 0.17) - ellipse(u, v, 0.70, 0.30, 0.13, 0.13)
			base += float64(90 * ring)
			pixels[y*width+x] = level(float32(base * gamma8(rnd)))
		}
	}
	return pixels
}

// ellipse is 1 inside and 0 outside, with a short slope at its border.
func ellipse(u, v, x, y, a, b float64) float64 {
	du, dv := (u-x)/a, (v-y)/b
	return 1 - step(0.9, 1.1, float64(du*du)+float64(dv*dv))
}

// gamma8 draws from the gamma distribution of shape 8 and mean 1: the mean of eight
// exponential draws. Their sum is computed as the logarithm of one product.
func gamma8(rnd *sim.Rand) float64 {
	product := 1.0
	for range 8 {
		product *= (float64(rnd.Uint32()>>8) + 0.5) * (1.0 / (1 << 24)) // never 0
	}
	return -logarithm(product) / 8
}
