package programs

import (
	"github.com/burstscope/burstscope/core/workload"
)

// gaussian is GS: recursiveGaussian of the CUDA SDK.
var gaussian = definition{
	info: Info{
		Name: "gaussian", Title: "Gaussian blur (recursive)",
		Doc: "One thread goes down a column of a picture with red, green and blue and up again, the picture is transposed, and both are " +
			"repeated (GS of RFVP). There are few threads. The blur has a sigma of 10 pixels, as in the SDK. Data `picture` (also named `suite`; the SDK has a file): a natural-like " +
			"picture whose colours share four fifths.",
		Sizes: []int{128, 256, 512}, DefaultSize: 256, FullSize: 512, SizeLabel: "pixels on a side",
		DataModes: []string{"picture", Suite},
	},
	aliases: []string{"gs"},
	number:  40, file: "gaussian", metric: workload.MetricImageDiff, suite: "picture",
	size:  sizeRule{min: 16, max: 2048, step: 16},
	build: buildGaussian,
}

const (
	gaussianThreads = 64 // nthreads of the SDK
	gaussianSigma   = 10
	gaussianTile    = 16 // TILE of gaussian.cu
)

func buildGaussian(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	colours := coloured(r, n, n)
	pixels := make([]byte, 4*n*n)
	for i := range n * n {
		pixels[4*i], pixels[4*i+1], pixels[4*i+2], pixels[4*i+3] = colours[0][i], colours[1][i], colours[2][i], 255
	}
	plane := func(name string, init []byte) workload.Buffer {
		return u8(name, 4*n*n, init).AsSafe().AsImage(4*n, n, 0, 1)
	}
	buffers := []workload.Buffer{plane("d_img", pixels), plane("d_temp", nil), plane("d_dest", nil).AsOutput()}

	// The coefficients of order 0.
	const alpha = 1.695 / gaussianSigma
	decay, decay2 := exponential(-alpha), exponential(-2*alpha)
	k := float64((1-decay)*(1-decay)) / (1 + float64(2*alpha*decay) - decay2)
	a0, a1, a2, a3 := k, float64(k*(alpha-1)*decay), float64(k*(alpha+1)*decay), float64(-k*decay2)
	b1, b2 := -2*decay, decay2
	filter := func(from int) workload.Launch {
		l := over("gaussian_columns", n, gaussianThreads, args{from, 1}, n, n)
		for _, v := range []float64{a0, a1, a2, a3, b1, b2, (a0 + a1) / (1 + b1 + b2), (a2 + a3) / (1 + b1 + b2)} {
			l.Args = append(l.Args, workload.F32(float32(v)))
		}
		return l
	}
	transposed := over("gaussian_transpose", n, gaussianTile, args{1, 2}, n, n)
	transposed.Grid[1], transposed.Block[1] = transposed.Grid[0], transposed.Block[0]
	return buffers, []workload.Launch{filter(0), transposed, filter(2), transposed}
}
