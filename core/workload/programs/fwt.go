package programs

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// walsh is FWT: fastWalshTransform of the CUDA SDK.
var walsh = definition{
	info: Info{
		Name: "fwt", Title: "Fast Walsh transform",
		Doc: "A dyadic convolution: the data and a kernel of 128 taps are transformed, multiplied, and transformed back, in radix-4 passes " +
			"through global and then shared memory (FWT of SLC, E2MC, LATTE-CC and RFVP). The data are a sum of Walsh functions with " +
			"amplitudes in hundredths: of eight, four or twelve. Eight take 64 to 80 bytes a block beside the zeros of the kernel. " +
			"`suite`: random data and taps from 0 to 1, as in the SDK (SLC); E2MC uses Walsh functions. `picture`: the red, " +
			"green and blue of a natural-like picture, each a transform of its own (RFVP has a colour image).",
		Sizes: []int{1 << 14, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}, DefaultSize: 1 << 17, FullSize: 1 << 23, StudySize: 1 << 19, SizeLabel: "elements",
		DataModes: []string{"walsh8", "walsh4", "walsh12", Suite, "picture"},
	},
	number: 4, file: "fwt", metric: workload.MetricNRMSE,
	loss:  walshLoss,
	size:  sizeRule{min: 1 << 10, max: 1 << 23, step: 1, powerOfTwo: true},
	build: buildWalsh,
}

// Launch shape of the SDK sample: pieces of up to 2^11 elements are transformed in
// shared memory.
const (
	walshSharedLog2 = 11
	walshThreads    = 256
	walshTaps       = 128 // kernel length of the SDK sample
)

func buildWalsh(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	terms := 8
	switch r.data {
	case "walsh4":
		terms = 4
	case "walsh12":
		terms = 12
	}
	signal, taps := r.rand(0), r.rand(1)
	kernel := make([]float32, n)
	for i := range kernel[:min(walshTaps, n)] {
		if r.data == Suite {
			kernel[i] = overRandMax(&taps)
		} else {
			kernel[i] = float32(taps.Intn(101)) / 100
		}
	}
	width, height := walshPicture(n)
	data, planes := []float32(nil), 1
	switch r.data {
	case Suite:
		data = generate(n, func(int) float32 { return overRandMax(&signal) })
	case "picture":
		colours := coloured(r, width, height)
		planes = len(colours)
		data = generate(planes*n, func(i int) float32 { return float32(colours[i/n][i%n]) })
	default:
		data = walshSum(&signal, n, terms)
	}
	d := f32("d_Data", planes*n, data).AsSafe().AsOutput()
	if r.data == "picture" {
		// A pixel keeps its grey level where all are alike.
		d = d.AsImage(width, planes*height, 0, 1/sumOf(kernel))
	}
	buffers := []workload.Buffer{d, f32("d_Kernel", n, kernel).AsSafe()}
	launches := append(walshTransform(0, n, planes), walshTransform(1, n, 1)...)
	for plane := range planes {
		launches = append(launches, workload.Launch{
			Entry: "fwt_modulate", Grid: line(128), Block: line(walshThreads), // grid of the SDK sample
			Args: []workload.Arg{
				workload.BufferAt(0, uint64(4*n*plane)), workload.BufferArg(1), workload.U32(uint32(n)),
			},
		})
	}
	return buffers, append(launches, walshTransform(0, n, planes)...)
}

// walshPicture is the size of a picture of n pixels, a power of two: a square, or twice as wide as high.
func walshPicture(n int) (width, height int) {
	height = 1 << ((bits.Len(uint(n)) - 1) / 2)
	return n / height, height
}

// walshLoss is that of an image for a picture, as in RFVP's table I.
func walshLoss(r *request) workload.Loss {
	if r.data == "picture" {
		return workload.Loss{Kind: workload.LossPixels}
	}
	return workload.Loss{}
}

func sumOf(v []float32) (sum float64) {
	for _, x := range v {
		sum += float64(x)
	}
	return sum
}

// walshTransform transforms the planes of n elements of one buffer in place.
func walshTransform(buffer, n, planes int) []workload.Launch {
	var launches []workload.Launch
	log2 := bits.Len(uint(n)) - 1
	for ; log2 > walshSharedLog2; log2 -= 2 {
		launches = append(launches, workload.Launch{
			Entry: "fwt_global", Grid: square(uint32(n/(4*walshThreads)), uint32(planes)), Block: line(walshThreads),
			Args: []workload.Arg{workload.BufferArg(buffer), workload.U32(1 << (log2 - 2))},
		})
	}
	return append(launches, workload.Launch{
		Entry: "fwt_shared", Grid: line(planes * n >> log2), Block: line(1 << (log2 - 2)),
		DynamicSharedBytes: 4 << log2,
		Args:               []workload.Arg{workload.BufferArg(buffer), workload.U32(uint32(log2))},
	})
}

// walshSum adds Walsh functions of random index with amplitudes in hundredths. Element i
// of function m is -1 to the power of the number of ones in i and m.
func walshSum(rnd *sim.Rand, n, terms int) []float32 {
	index, amplitude := make([]int, terms), make([]int, terms)
	for k := range index {
		index[k], amplitude[k] = rnd.Intn(n), 1+rnd.Intn(500)
	}
	return generate(n, func(i int) float32 {
		hundredths := 0
		for k, m := range index {
			if bits.OnesCount(uint(i&m))%2 == 0 {
				hundredths += amplitude[k]
			} else {
				hundredths -= amplitude[k]
			}
		}
		return float32(hundredths) / 100
	})
}
