package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
)

// field returns a width x height plane of value noise in [-1,1]: octaves of smoothly
// interpolated random lattices. The first octave has cells of the given size in pixels;
// each further octave has half the size and half the strength.
func field(rnd *sim.Rand, width, height int, cellPixels float64, octaves int) []float32 {
	plane := make([]float32, width*height)
	var total float32
	amplitude := float32(1)
	for o := 0; o < octaves && cellPixels >= 1; o++ {
		addOctave(rnd, plane, width, height, cellPixels, amplitude)
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

func addOctave(rnd *sim.Rand, plane []float32, width, height int, cellPixels float64, amplitude float32) {
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

// lattice returns for each of n pixels its cell and its smoothed position in the cell.
func lattice(n int, cellPixels float64) (cell []int, fraction []float32) {
	cell, fraction = make([]int, n), make([]float32, n)
	for i := range cell {
		at := float64(i) / cellPixels
		cell[i] = int(at)
		f := at - float64(cell[i])
		fraction[i] = float32(smooth(f))
	}
	return cell, fraction
}

func latticeRow(rnd *sim.Rand, n int) []float32 {
	row := make([]float32, n)
	for i := range row {
		row[i] = float32(2*rnd.Float32()) - 1
	}
	return row
}

// profile is field in one dimension.
func profile(rnd *sim.Rand, n int, cellPixels float64, octaves int) []float32 {
	return field(rnd, n, 1, cellPixels, octaves)
}

func mix(a, b, t float32) float32 { return a + float32((b-a)*t) }

// smooth is the cubic from 0 to 1 with slope 0 at both ends.
func smooth(t float64) float64 { return float64(float64(t*t) * (3 - float64(2*t))) }

// step rises smoothly from 0 at low to 1 at high.
func step(low, high, v float64) float64 {
	t := (v - low) / (high - low)
	return smooth(min(max(t, 0), 1))
}

// exponential is e^x. Go's math.Exp is written in assembly on some machines only, and
// inputs must have the same bits everywhere.
func exponential(x float64) float64 {
	// x = k ln2 + r, |r| <= ln2/2; the Taylor series ends below 2^-53.
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	const ln2High, ln2Low = 6.93147180369123816490e-01, 1.90821492927058770002e-10 // fdlibm e_exp.c
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	sum := 1.0
	for n := 18; n >= 1; n-- {
		sum = 1 + float64(r*sum)/float64(n)
	}
	return math.Ldexp(sum, int(k))
}

// logarithm is ln x for finite x > 0, for the same reason.
func logarithm(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = float64(2*m), e-1
	}
	// ln m = 2 artanh z; |z| <= 0.172, so 22 odd powers reach 2^-53.
	z := (m - 1) / (m + 1)
	square := float64(z * z)
	sum := 0.0
	for n := 43; n >= 1; n -= 2 {
		sum = 1/float64(n) + float64(square*sum)
	}
	return float64(float64(e)*math.Ln2) + float64(float64(2*z)*sum)
}
