package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
)

// landscape is a natural-like image: smooth value noise with five hard edges. They are the
// rim of a sun, three mountain ridges and a shore, below which water mirrors the scene.
func landscape(rnd *sim.Rand, width, height int) []uint8 {
	shore := int(float64(0.70 * float64(height)))
	scene := make([]float32, width*height)
	paintSky(rnd, scene[:shore*width], width, shore)
	unit := float64(max(width, height))
	for _, ridge := range ridges {
		paintRidge(rnd, scene[:shore*width], width, shore, unit, ridge)
	}
	paintWater(rnd, scene, width, height, shore)
	pixels := make([]uint8, len(scene))
	for i, v := range scene {
		pixels[i] = level(v)
	}
	return pixels
}

// level rounds and clamps to 8 bits.
func level(v float32) uint8 {
	return uint8(min(max(int(math.Floor(float64(v)+0.5)), 0), 255))
}

func paintSky(rnd *sim.Rand, scene []float32, width, height int) {
	clouds := field(rnd, width, height, float64(width)/5, 6)
	const sunX, sunY, sunRadius = 0.69, 0.30, 0.075
	for y := 0; y < height; y++ {
		v := float64(y) / float64(height)
		for x := 0; x < width; x++ {
			i := y*width + x
			dx, dy := float64(x)/float64(width)-sunX, float64(y)/float64(width)-sunY
			away := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			if away < sunRadius {
				scene[i] = float32(252 - float64(8*away/sunRadius))
				continue
			}
			glow := float64(36 * exponential(float64(-7*(away-sunRadius))))
			cloud := step(-0.05, 0.55, float64(clouds[i])) // thin veils rather than grain
			scene[i] = float32(132 + float64(24*v) + glow + float64(22*cloud) + float64(4*clouds[i]))
		}
	}
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

func paintRidge(rnd *sim.Rand, scene []float32, width, height int, unit float64, r ridge) {
	line := profile(rnd, width, float64(width)/r.cells, 7)
	rock := field(rnd, width, height, unit/12, 5)
	for x := 0; x < width; x++ {
		top := float64(float64(height) * (r.top - float64(r.relief*float64(line[x]))))
		for y := max(0, int(top)); y < height; y++ {
			i := y*width + x
			down := (float64(y) - top) / float64(height)
			// Lit from the right: brighter where the rock falls towards the sun.
			right := i
			if x+1 < width {
				right = i + 1
			}
			slope := float64(rock[i]-rock[right]) * unit / 24
			light := min(max(slope, -1), 1)
			mist := float64(r.mist * step(0, 0.34, down))
			scene[i] = float32(r.shade + float64(r.contrast*light) + float64(5*float64(rock[i])) + mist)
		}
	}
}

// paintWater mirrors the scene above the shore, darker and with ripples that grow towards
// the viewer.
func paintWater(rnd *sim.Rand, scene []float32, width, height, shore int) {
	// Noise of half the width, each pixel used twice: ripples are wider than high.
	half := (width + 1) / 2
	ripple := field(rnd, half, height, float64(max(width, height))/64, 4)
	for y := shore; y < height; y++ {
		depth := float64(y-shore) / float64(height-shore)
		for x := 0; x < width; x++ {
			n := float64(ripple[y*half+x/2])
			from := 2*shore - 1 - y + int(math.Floor(float64(float64(n*depth)*float64(shore))*0.16))
			from = min(max(from, 0), shore-1)
			shine := float64(8 * n * (0.25 + depth))
			scene[y*width+x] = float32(6 + float64(0.86*float64(scene[from*width+x])) + shine)
		}
	}
}
