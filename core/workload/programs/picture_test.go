package programs

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// TestLandscapeIsThatOfItsTwin: the rows that several threads paint, without what nearer layers hide, are those of
// whole layers over each other. Afterwards the generator stands at the same number.
func TestLandscapeIsThatOfItsTwin(t *testing.T) {
	for _, size := range [][2]int{{8, 8}, {40, 24}, {131, 77}, {77, 131}, {256, 256}} {
		for _, threads := range []int{0, 1, 2, 7} {
			for seed := range uint64(4) {
				r := sim.NewRand(seed, 0)
				slow := r
				got, want := landscape(&r, size[0], size[1], threads), slowLandscape(&slow, size[0], size[1])
				if !bytes.Equal(got, want) || r != slow {
					t.Errorf("%d x %d, seed %d, %d threads: another picture", size[0], size[1], seed, threads)
				}
			}
		}
	}
}

func TestFieldIsThatOfItsTwin(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {64, 1}, {1, 64}, {50, 33}} {
		for _, cell := range []float64{0.5, 1, 3.7, 16, 100} {
			r := sim.NewRand(1, 0)
			slow := r
			got, want := field(&r, size[0], size[1], cell, 5), slowField(&slow, size[0], size[1], cell, 5)
			if !slices.Equal(got, want) || r != slow {
				t.Errorf("%d x %d, cells of %v: another field", size[0], size[1], cell)
			}
		}
	}
}

// TestThreadsChangeNoInput: programs have the same buffers, whatever the number of threads that make them.
func TestThreadsChangeNoInput(t *testing.T) {
	for _, name := range []string{"dct", "transpose", "convolution", "gaussian"} {
		info, err := Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range info.DataModes {
			p := Params{Size: 256, Data: mode, Seed: 3}
			want := mustBuild(t, name, p)
			for _, p.Threads = range []int{2, 7} {
				for i, b := range mustBuild(t, name, p).Buffers {
					if !bytes.Equal(b.Init, want.Buffers[i].Init) {
						t.Errorf("%s, data %s, %d threads: %s differs", name, mode, p.Threads, b.Name)
					}
				}
			}
		}
	}
}

// slowLandscape paints whole layers over each other, as a painter does, and draws random numbers when it needs them.
func slowLandscape(rnd *sim.Rand, width, height int) []uint8 {
	shore := int(float64(0.70 * float64(height)))
	scene := make([]float32, width*height)
	slowPaintSky(rnd, scene[:shore*width], width, shore)
	unit := float64(max(width, height))
	for _, ridge := range ridges {
		slowPaintRidge(rnd, scene[:shore*width], width, shore, unit, ridge)
	}
	slowPaintWater(rnd, scene, width, height, shore)
	pixels := make([]uint8, len(scene))
	for i, v := range scene {
		pixels[i] = level(v)
	}
	return pixels
}

func slowPaintSky(rnd *sim.Rand, scene []float32, width, height int) {
	clouds := slowField(rnd, width, height, float64(width)/5, 6)
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

func slowPaintRidge(rnd *sim.Rand, scene []float32, width, height int, unit float64, r ridge) {
	line := slowField(rnd, width, 1, float64(width)/r.cells, 7)
	rock := slowField(rnd, width, height, unit/12, 5)
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

func slowPaintWater(rnd *sim.Rand, scene []float32, width, height, shore int) {
	// Noise of half the width, each pixel used twice: ripples are wider than high.
	half := (width + 1) / 2
	ripple := slowField(rnd, half, height, float64(max(width, height))/64, 4)
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

// slowField is field, octave after octave.
func slowField(rnd *sim.Rand, width, height int, cellPixels float64, octaves int) []float32 {
	plane := make([]float32, width*height)
	var total float32
	amplitude := float32(1)
	for o := 0; o < octaves && cellPixels >= 1; o++ {
		slowAddOctave(rnd, plane, width, height, cellPixels, amplitude)
		total += amplitude
		amplitude /= 2
		cellPixels /= 2
	}
	if total > 0 {
		for i := range plane {
			plane[i] /= total
		}
	}
	return plane
}

func slowAddOctave(rnd *sim.Rand, plane []float32, width, height int, cellPixels float64, amplitude float32) {
	columns := int(float64(width)/cellPixels) + 2
	column, fraction := lattice(width, cellPixels)
	row, rowFraction := lattice(height, cellPixels)
	upper, lower := latticeRow(rnd, columns), latticeRow(rnd, columns)
	mixed := make([]float32, columns)
	for y, at := 0, 0; y < height; y++ {
		for ; at < row[y]; at++ {
			upper, lower = lower, latticeRow(rnd, columns)
		}
		for i := range mixed {
			mixed[i] = float32(amplitude * mix(upper[i], lower[i], rowFraction[y]))
		}
		line := plane[y*width : (y+1)*width]
		for x := range line {
			i := column[x]
			line[x] += mix(mixed[i], mixed[i+1], fraction[x])
		}
	}
}

func latticeRow(rnd *sim.Rand, n int) []float32 {
	row := make([]float32, n)
	for i := range row {
		row[i] = float32(2*rnd.Float32()) - 1
	}
	return row
}
