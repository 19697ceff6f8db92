package programs

import (
	"encoding/binary"
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// particleFilter is PF: particlefilter_float of the Rodinia suite.
var particleFilter = definition{
	info: Info{
		Name: "particlefilter", Title: "Particle filter",
		Doc: "Particles follow a bright disc through a noisy film: each is moved at random and weighed by the pixels around it, and the next " +
			"ones are drawn by weight, with a search from the first particle on (PF of LATTE-CC and RFVP). The film has 10 frames of 128 x 128, or of 512 x 512 from 2000 particles on. There are few CTAs. " +
			"A CTA of Rodinia reads sums that another one may not have written; ours adds up in a launch of its own. Data `disc`: the disc moves as " +
			"the filter expects; `suite`: Rodinia's film, in which the two directions are exchanged.",
		Sizes: []int{256, 1000, 2000}, DefaultSize: 1000, FullSize: 2000, SizeLabel: "particles",
		DataModes: []string{"disc", Suite},
	},
	aliases: []string{"pf"},
	number:  27, file: "particlefilter", metric: workload.MetricNRMSE,
	loss:  particleLoss,
	size:  sizeRule{min: 1, max: 1 << 16, step: 1},
	build: buildParticleFilter,
}

// Numbers of Rodinia's particlefilter.
const (
	particleThreads = 512
	particleFrames  = 10
	particleRadius  = 5
	particleDark    = 100 // grey level of the background
	particleBright  = 228 // and of the disc
)

// particleSide returns the side of a frame.
func particleSide(particles int) int {
	if particles >= 2000 {
		return 512 // as in RFVP
	}
	return 128
}

func buildParticleFilter(r *request) ([]workload.Buffer, []workload.Launch) {
	n, side := r.size, particleSide(r.size)
	noise, seeds := r.rand(0), r.rand(1)
	video := discVideo(&noise, side, r.data == Suite)
	var disc []int32 // offsets of its pixels, row and column
	for x := 1 - particleRadius; x < particleRadius; x++ {
		for y := 1 - particleRadius; y < particleRadius; y++ {
			if x*x+y*y < particleRadius*particleRadius {
				disc = append(disc, int32(y), int32(x))
			}
		}
	}
	ones := len(disc) / 2
	seed := make([]int32, n)
	stride := seeds.Uint32() // Rodinia takes the time
	for i := range seed {
		seed[i] = int32(stride * uint32(i))
	}
	centre := make([]float64, n)
	for i := range centre {
		centre[i] = float64(side / 2)
	}
	ctas := blocks(n, particleThreads)
	buffers := []workload.Buffer{
		f64("arrayX", n, nil).AsOutput(),
		f64("arrayY", n, nil).AsOutput(),
		f64("xj", n, centre),
		f64("yj", n, centre),
		s32("ind", n*ones, nil),
		s32("objxy", 2*ones, disc),
		f64("likelihood", n, nil).AsSafe(),
		u8("I", len(video), video).AsSafe(),
		f64("weights", n, nil).AsSafe().AsOutput(),
		s32("seed", n, seed),
		f64("partial_sums", int(ctas), nil).AsSafe(),
		f64("CDF", n, nil),
		f64("u", 1, nil),
	}
	var launches []workload.Launch
	for frame := 1; frame < particleFrames; frame++ {
		launches = append(launches,
			over("particle_likelihood", n, particleThreads, args{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, n, ones, len(video), frame, side, particleFrames),
			over("particle_sum", n, particleThreads, args{10}, int(ctas)),
			over("particle_normalise", n, particleThreads, args{8, 10}, n),
			over("particle_cdf", 1, 32, args{8, 11, 12, 9}, n),
			over("particle_find", n, particleThreads, args{0, 1, 11, 12, 2, 3}, n))
	}
	return buffers, launches
}

// discVideo is a bright disc that moves by one pixel and two pixels a frame. A pixel of
// all frames lies together, as in Rodinia, whose film has rows and columns exchanged.
func discVideo(rnd *sim.Rand, side int, exchanged bool) []byte {
	video := make([]byte, side*side*particleFrames)
	for at := range video {
		x, y, frame := at/particleFrames/side, at/particleFrames%side, at%particleFrames
		moved := max(frame-1, 0)
		dx, dy := x-side/2-moved, y-side/2+2*moved
		if exchanged && frame > 0 {
			dx, dy = y-side/2-moved, x-side/2+2*moved
		}
		grey := particleDark
		if dx*dx+dy*dy < particleRadius*particleRadius {
			grey = particleBright
		}
		video[at] = byte(grey + int(float64(particleRadius*nearNormal(rnd))))
	}
	return video
}

// nearNormal is the sum of twelve numbers in [0,1) less 6.
func nearNormal(rnd *sim.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += float64(rnd.Float32())
	}
	return sum
}

// f64 makes a buffer of n doubles; v may be nil for zeros.
func f64(name string, n int, v []float64) workload.Buffer {
	b := workload.Buffer{Name: name, Bytes: 8 * uint64(n), Element: workload.ElementF64}
	for _, x := range v {
		b.Init = binary.LittleEndian.AppendUint64(b.Init, math.Float64bits(x))
	}
	return b
}
