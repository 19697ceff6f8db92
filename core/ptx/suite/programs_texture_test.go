package suite

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

// texture binds texels, which are in rows, and returns the handle.
func (p *plan) texture(t ptx.Texture, rows any) uint64 {
	p.textures = append(p.textures, texture{t, p.put(t.Tiled(encode(rows)))})
	return ptx.TextureHandle(len(p.textures) - 1)
}

// blend is the linear filter of a picture that repeats in both directions, with coordinates and weights rounded
// as on a GPU (core/ptx/README.md).
func blend(picture []float32, width, height int, u, v float32) float32 {
	split := func(c float32, n int) (int, int, float64) {
		x := math.Floor(math.Ldexp(float64(c), 21))*float64(n)/(1<<21) - 0.5
		i := math.Floor(x)
		wrap := func(i int) int { return ((i % n) + n) % n }
		return wrap(int(i)), wrap(int(i) + 1), math.Round((x - i) * 256)
	}
	x0, x1, a := split(u, width)
	y0, y1, b := split(v, height)
	at := func(x, y int) float64 { return float64(picture[y*width+x]) }
	first, last := math.Round((256-a)*(256-b)/256), math.Round(a*b/256)
	return float32((first*at(x0, y0) + (256-b-first)*at(x1, y0) + (b-last)*at(x0, y1) + last*at(x1, y1)) / 256)
}

func rotatedPicture(array bool) func(p *plan) {
	return func(p *plan) {
		const width, height = 64, 24
		picture := p.floats(width*height, 0, 1)
		out := p.zeros(4 * width * height)
		handle := p.texture(ptx.Texture{Width: width, Height: height, Format: ptx.TexelF32, Channels: 1, Linear: true, Normalized: true, Address: ptx.AddressWrap, Array: array}, picture)
		const sine, cosine = float32(0.479425538604203), float32(0.87758256189037)
		p.run("rotatePicture", xy(2, height), x(32), out, handle, int32(width), int32(height), sine, cosine)
		want := make([]float32, width*height)
		for i := range want {
			u, v := float32(i%width)/width-0.5, float32(i/width)/height-0.5
			tu := float32(float32(float32(u*cosine)-float32(v*sine)) + 0.5)
			tv := float32(float32(float32(v*cosine)+float32(u*sine)) + 0.5)
			want[i] = blend(picture, width, height, tu, tv)
		}
		tolerance := 1.0 / (1 << 23) // the last place of a sum
		if !p.exact {
			tolerance = 2.0 / 256 // a coordinate in the last place may change a weight
		}
		p.wantNear(out, want, tolerance)
	}
}

var texturePrograms = []program{
	{file: "texture", name: "rotated picture in an array", build: rotatedPicture(true)},
	{file: "texture", name: "rotated picture in linear memory", build: rotatedPicture(false)},
	{file: "texture", name: "box filter of bytes", build: func(p *plan) {
		const width, height, radius = 64, 8, 3
		colours := p.bytes(4*width*height, 256)
		out := p.zeros(4 * width * height)
		handle := p.texture(ptx.Texture{Width: width, Height: height, Format: ptx.TexelU8, Channels: 4, Array: true}, colours)
		p.run("boxRows", xy(2, height), x(32), out, handle, int32(width), int32(radius))
		p.wantMost(out, each(width*height, func(i int) int32 {
			var word uint32
			for c := range 4 {
				var sum float32
				for k := -radius; k <= radius; k++ {
					at := i/width*width + min(max(i%width+k, 0), width-1)
					sum += float32(float64(colours[4*at+c]) / 255)
				}
				word |= uint32(float32(sum*(255.0/float32(2*radius+1)))) << (8 * c)
			}
			return int32(word)
		}), 0.3)
	}},
	{file: "texture", name: "nearest centre by linear memory", build: func(p *plan) {
		const points, clusters, dimensions = 100, 5, 4
		features, centres := p.floats(points*dimensions, 0, 1), p.floats(clusters*dimensions, 0, 1)
		out := p.zeros(4 * points)
		handle := p.texture(ptx.Texture{Width: points * dimensions, Format: ptx.TexelF32, Channels: 1}, features)
		p.run("nearestCentre", x(4), x(32), out, handle, p.put(centres), int32(points), int32(clusters), int32(dimensions))
		p.want(out, each(points, func(i int) int32 {
			best, least := int32(-1), float32(3.4e38)
			for c := range clusters {
				var sum float32
				for d := range dimensions {
					difference := features[i+d*points] - centres[c*dimensions+d]
					sum += float32(difference * difference)
				}
				if sum < least {
					best, least = int32(c), sum
				}
			}
			return best
		}))
	}},
	{file: "texture", name: "nodes in a texture", build: func(p *plan) {
		const width, height, steps = 32, 20, 9
		nodes := p.words(4 * width * height)
		for i := range nodes {
			if i%4 < 2 {
				nodes[i] %= width * height
			}
		}
		out := p.zeros(4 * 256)
		handle := p.texture(ptx.Texture{Width: width, Height: height, Format: ptx.TexelU32, Channels: 4, Array: true}, nodes)
		p.run("followNodes", x(4), x(64), out, handle, uint32(width), uint32(steps))
		p.want(out, each(256, func(i int) uint32 {
			at, sum := uint32(i), uint32(0)
			for range steps {
				sum = sum*31 + nodes[4*at+3]
				at = nodes[4*at+sum&1]
			}
			return sum
		}))
	}},
}
