package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
)

// picture paints landscape row by row, so that rows can be made side by side. Its random numbers have been drawn.
type picture struct {
	width, height, shore int
	unit                 float64 // pixels of the longer side
	scene                []float32
	clouds, ripple       *drawnField
	ridges               []drawnRidge // from far to near
}

// landscape is a natural-like image: smooth value noise with five hard edges. They are the
// rim of a sun, three mountain ridges and a shore, below which water mirrors the scene.
func landscape(rnd *sim.Rand, width, height, threads int) []uint8 {
	p := &picture{width: width, height: height, shore: int(float64(0.70 * float64(height))),
		unit: float64(max(width, height)), scene: make([]float32, width*height)}
	p.clouds = drawField(rnd, width, p.shore, float64(width)/5, 6)
	for _, r := range ridges {
		p.ridges = append(p.ridges, p.drawRidge(rnd, r))
	}
	// Noise of half the width, each pixel used twice: ripples are wider than high.
	p.ripple = drawField(rnd, (width+1)/2, height, p.unit/64, 4)
	pixels := make([]uint8, width*height)
	paint := func(first, last int, row func(y int, line []float32, noise [][]float32)) {
		pieces(threads, last-first, func(from, to int) {
			noise := make([][]float32, 1+len(p.ridges)) // a row of each layer
			for i := range noise {
				noise[i] = make([]float32, width)
			}
			for y := first + from; y < first+to; y++ {
				line := p.scene[y*width:][:width]
				row(y, line, noise)
				for x, v := range line {
					pixels[y*width+x] = level(v)
				}
			}
		})
	}
	paint(0, p.shore, p.paintLand)
	paint(p.shore, height, p.paintWater)
	return pixels
}

// coloured is a natural-like image in red, green and blue, which share four fifths.
func coloured(r *request, width, height int) (planes [3][]uint8) {
	shared, own := r.rand(0), r.rand(1)
	grey := landscape(&shared, width, height, r.threads)
	for channel := range planes {
		tint := field(&own, width, height, 64, 4)
		planes[channel] = make([]uint8, len(grey))
		for i, g := range grey {
			planes[channel][i] = level(float32(0.8*float32(g)) + float32(0.2*float32(float32(127*tint[i])+128)))
		}
	}
	return planes
}

// level rounds and clamps to 8 bits.
func level(v float32) uint8 {
	return uint8(min(max(int(math.Floor(float64(v)+0.5)), 0), 255))
}

// paintLand paints each pixel of a row above the shore with the nearest ridge that covers it, or with the sky.
func (p *picture) paintLand(y int, line []float32, noise [][]float32) {
	ready := 0 // the layers whose noise is there
	for x := range line {
		layer := len(p.ridges) // 0 is the sky
		for layer > 0 && y < p.ridges[layer-1].first[x] {
			layer--
		}
		n := noise[layer]
		if ready>>layer&1 == 0 {
			ready |= 1 << layer
			if layer == 0 {
				p.clouds.row(n, y)
			} else {
				p.ridges[layer-1].rock.row(n, y)
			}
		}
		if layer == 0 {
			line[x] = p.sky(x, y, n[x])
		} else {
			// Lit from the right: brighter where the rock falls towards the sun.
			line[x] = p.rock(&p.ridges[layer-1], x, y, n[x], n[min(x+1, p.width-1)])
		}
	}
}

func (p *picture) sky(x, y int, clouds float32) float32 {
	const sunX, sunY, sunRadius = 0.69, 0.30, 0.075
	v := float64(y) / float64(p.shore)
	dx, dy := float64(x)/float64(p.width)-sunX, float64(y)/float64(p.width)-sunY
	away := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if away < sunRadius {
		return float32(252 - float64(8*away/sunRadius))
	}
	glow := float64(36 * exponential(float64(-7*(away-sunRadius))))
	cloud := step(-0.05, 0.55, float64(clouds)) // thin veils rather than grain
	return float32(132 + float64(24*v) + glow + float64(22*cloud) + float64(4*clouds))
}

// ridge is one range of mountains, from far to near: darker, rougher, lower.
type ridge struct {
	top, relief     float64 // mean height of its line and height of its variation, in parts of the sky
	cells           float64 // mountains across the picture
	shade, contrast float64 // mean grey level and strength of the hill shading
	mist            float64 // grey levels by which it brightens at its foot
}

var ridges = []ridge{
	{top: 0.58, relief: 0.30, cells: 3.1, shade: 100, contrast: 7, mist: 22},
	{top: 0.74, relief: 0.26, cells: 4.3, shade: 58, contrast: 7, mist: 18},
	{top: 0.91, relief: 0.15, cells: 6.2, shade: 18, contrast: 5, mist: 6},
}

// drawnRidge is a ridge with its line.
type drawnRidge struct {
	ridge
	tops  []float64 // height of the line in each column
	first []int     // the uppermost pixel of each column
	rock  *drawnField
}

func (p *picture) drawRidge(rnd *sim.Rand, r ridge) drawnRidge {
	d := drawnRidge{ridge: r, tops: make([]float64, p.width), first: make([]int, p.width)}
	for x, v := range profile(rnd, p.width, float64(p.width)/r.cells, 7) {
		d.tops[x] = float64(float64(p.shore) * (r.top - float64(r.relief*float64(v))))
		d.first[x] = max(0, int(d.tops[x]))
	}
	d.rock = drawField(rnd, p.width, p.shore, p.unit/12, 5)
	return d
}

// rock is a pixel of a ridge, whose noise is here and to the right of it as given.
func (p *picture) rock(r *drawnRidge, x, y int, here, right float32) float32 {
	down := (float64(y) - r.tops[x]) / float64(p.shore)
	slope := float64(here-right) * p.unit / 24
	light := min(max(slope, -1), 1)
	mist := float64(r.mist * step(0, 0.34, down))
	return float32(r.shade + float64(r.contrast*light) + float64(5*float64(here)) + mist)
}

// paintWater mirrors the scene above the shore, darker and with ripples that grow towards
// the viewer.
func (p *picture) paintWater(y int, line []float32, noise [][]float32) {
	ripple := noise[0][:(p.width+1)/2]
	p.ripple.row(ripple, y)
	depth := float64(y-p.shore) / float64(p.height-p.shore)
	for x := range line {
		n := float64(ripple[x/2])
		from := 2*p.shore - 1 - y + int(math.Floor(float64(float64(n*depth)*float64(p.shore))*0.16))
		from = min(max(from, 0), p.shore-1)
		shine := float64(8 * n * (0.25 + depth))
		line[x] = float32(6 + float64(0.86*float64(p.scene[from*p.width+x])) + shine)
	}
}
