package programs

import (
	"github.com/burstscope/burstscope/core/workload"
	"math"
)

// srad2 is SRAD2: srad_v2 of the Rodinia suite.
var srad2 = definition{
	info: Info{
		Name: "srad2", Title: "Speckle removal (SRAD v2)",
		Doc: "Two steps of speckle-reducing anisotropic diffusion on an ultrasound-like image of exp(grey/255) (SRAD2 of SLC). The image " +
			"starts with 256 values and takes 64 to 80 bytes a block; the derivatives hardly compress. In Rodinia the host computes the speckle " +
			"statistics of each step from a corner of the image; here they are arguments from an exact run. Data `speckle`: the image; `suite`: the exponential of random numbers from 0 to 1, as in " +
			"Rodinia. An image of your own: at " +
			"most size x size pixels from its middle, with its last column and row repeated up to a multiple of 16.",
		Sizes: []int{128, 320, 512, 1024}, DefaultSize: 320, FullSize: 1024, StudySize: 512, SizeLabel: "pixels on a side",
		DataModes: []string{"speckle", Suite}, AcceptsImage: true,
	},
	number: 11, file: "srad2", metric: workload.MetricImageDiff,
	size:  sizeRule{min: sradTile, max: 2048, step: sradTile},
	build: buildSRAD2,
}

const (
	sradTile   = 16 // TILE of srad2.cu
	sradSteps  = 2
	sradLambda = 0.5 // update rate of Rodinia's example run
	// sradCorner is the side of the square whose speckle the host measures, also from
	// Rodinia's example run.
	sradCorner = 128
	// sradLeastSpeckle prevents a division by zero for an image without speckle.
	sradLeastSpeckle = 1e-4
)

func buildSRAD2(r *request) ([]workload.Buffer, []workload.Launch) {
	width, height, image := r.diffused()

	// Black is exp(0) = 1, white exp(1) = e.
	const scale = 255 / (math.E - 1)
	buffers := []workload.Buffer{f32("J", width*height, image).AsSafe().AsOutput().AsImage(width, height, -scale, scale)}
	for _, name := range []string{"C", "E_C", "W_C", "N_C", "S_C"} {
		buffers = append(buffers, f32(name, width*height, nil).AsSafe())
	}
	j, c := workload.BufferArg(0), workload.BufferArg(1)
	east, west, north, south := workload.BufferArg(2), workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(5)
	size := []workload.Arg{workload.U32(uint32(width)), workload.U32(uint32(height))}
	kernel := func(entry string, args ...workload.Arg) workload.Launch {
		return workload.Launch{
			Entry: entry, Grid: square(blocks(width, sradTile), blocks(height, sradTile)), Block: square(sradTile, sradTile),
			Args: args,
		}
	}
	var launches []workload.Launch
	plane := make([]float64, len(image))
	for i, v := range image {
		plane[i] = float64(v)
	}
	for range sradSteps {
		speckle := speckleOf(plane, width, height)
		launches = append(launches,
			kernel("srad2_derive", east, west, north, south, j, c, size[0], size[1], workload.F32(float32(speckle))),
			kernel("srad2_update", east, west, north, south, j, c, size[0], size[1], workload.F32(sradLambda)))
		plane = diffuse(plane, width, height, speckle)
	}
	return buffers, launches
}

// diffused is the image that SRAD2 starts with: exp of the user's grey levels or of
// generated ones over 255, or of random numbers.
func (r *request) diffused() (width, height int, image []float32) {
	if r.data == Suite && r.image == nil {
		rnd := r.rand(0)
		return r.size, r.size, generate(r.size*r.size, func(int) float32 { return float32(exponential(float64(overRandMax(&rnd)))) })
	}
	m := r.ultrasound()
	var bright [256]float32
	for i := range bright {
		bright[i] = float32(exponential(float64(i) / 255))
	}
	return m.Width, m.Height, generate(m.Width*m.Height, func(i int) float32 { return bright[m.Pixels[i]] })
}

// speckleOf is the variance in the corner divided by the square of its mean: q0 squared.
func speckleOf(plane []float64, width, height int) float64 {
	var sum, squares float64
	w, h := min(width, sradCorner), min(height, sradCorner)
	for y := range h {
		for _, v := range plane[y*width:][:w] {
			sum += v
			squares += float64(v * v)
		}
	}
	n := float64(w * h)
	mean := sum / n
	variance := squares/n - float64(mean*mean)
	return max(variance/float64(mean*mean), sradLeastSpeckle)
}

// slopes are the derivatives of an image and its diffusion coefficients.
type slopes struct{ north, south, west, east, coefficient []float64 }

// derivatives is the first kernel, computed by the host in double precision.
func derivatives(plane []float64, width, height int, speckle float64) slopes {
	at := func(x, y int) float64 {
		return plane[min(max(y, 0), height-1)*width+min(max(x, 0), width-1)]
	}
	size := len(plane)
	d := slopes{make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)}
	for y := range height {
		for x := range width {
			i, j := y*width+x, at(x, y)
			n, s, w, e := at(x, y-1)-j, at(x, y+1)-j, at(x-1, y)-j, at(x+1, y)-j
			gradient := (float64(n*n) + float64(s*s) + float64(w*w) + float64(e*e)) / float64(j*j)
			laplacian := (n + s + w + e) / j
			numerator := float64(0.5*gradient) - float64(float64(laplacian*laplacian)/16)
			denominator := 1 + float64(0.25*laplacian)
			q := numerator / float64(denominator*denominator)
			c := 1 / (1 + (q-speckle)/float64(speckle*(1+speckle)))
			d.north[i], d.south[i], d.west[i], d.east[i], d.coefficient[i] = n, s, w, e, min(max(c, 0), 1)
		}
	}
	return d
}

// diffuse is one step of both kernels.
func diffuse(plane []float64, width, height int, speckle float64) []float64 {
	d := derivatives(plane, width, height, speckle)
	out := make([]float64, len(plane))
	for y := range height {
		for x := range width {
			i := y*width + x
			c := d.coefficient[i]
			below := d.coefficient[min(y+1, height-1)*width+x]
			right := d.coefficient[y*width+min(x+1, width-1)]
			divergence := float64(c*d.north[i]) + float64(below*d.south[i]) + float64(c*d.west[i]) + float64(right*d.east[i])
			out[i] = plane[i] + float64(0.25*sradLambda*divergence)
		}
	}
	return out
}
