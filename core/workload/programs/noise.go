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
	n := drawField(rnd, width, height, cellPixels, octaves)
	for y := range height {
		n.row(plane[y*width:(y+1)*width], y)
	}
	return plane
}

// drawnField is a field whose random numbers have been drawn: each row can be had alone, in any order.
type drawnField struct {
	octaves []octave
	total   float32 // of the amplitudes
}

// octave is a random lattice, and the place of each pixel in it.
type octave struct {
	amplitude   float32
	columns     int
	values      []float32 // row by row
	column, row []int     // the cell of each pixel column and row
	// fraction and rowFraction are smoothed positions in the cell.
	fraction, rowFraction []float32
}

func drawField(rnd *sim.Rand, width, height int, cellPixels float64, octaves int) *drawnField {
	n := new(drawnField)
	amplitude := float32(1)
	for o := 0; o < octaves && cellPixels >= 1; o++ {
		n.octaves = append(n.octaves, drawOctave(rnd, width, height, cellPixels, amplitude))
		n.total += amplitude
		amplitude /= 2
		cellPixels /= 2
	}
	return n
}

func drawOctave(rnd *sim.Rand, width, height int, cellPixels float64, amplitude float32) octave {
	o := octave{amplitude: amplitude, columns: int(float64(width)/cellPixels) + 2}
	o.column, o.fraction = lattice(width, cellPixels)
	o.row, o.rowFraction = lattice(height, cellPixels)
	rows := 2
	if height > 0 {
		rows += o.row[height-1]
	}
	o.values = make([]float32, rows*o.columns)
	for i := range o.values {
		o.values[i] = float32(2*rnd.Float32()) - 1
	}
	return o
}

// row writes row y of the field to line.
func (n *drawnField) row(line []float32, y int) {
	clear(line)
	for i := range n.octaves {
		n.octaves[i].add(line, y)
	}
	if n.total > 0 {
		for x := range line {
			line[x] /= n.total
		}
	}
}

// add adds row y of the octave to line. The values at the sides of a cell are mixed once for all of its pixels.
func (o *octave) add(line []float32, y int) {
	upper := o.values[o.row[y]*o.columns:][:2*o.columns]
	lower, t := upper[o.columns:], o.rowFraction[y]
	cell := -1
	var left, right float32
	for x := range line {
		if i := o.column[x]; i != cell {
			left = float32(o.amplitude * mix(upper[i], lower[i], t))
			right = float32(o.amplitude * mix(upper[i+1], lower[i+1], t))
			cell = i
		}
		line[x] += mix(left, right, o.fraction[x])
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
