package programs

import "github.com/burstscope/burstscope/core/workload"

// convolution is CS: convolutionSeparable of the CUDA SDK.
var convolution = definition{
	info: Info{
		Name: "convolution", Title: "Separable convolution",
		Doc: "Smooths an image with a bell-shaped filter of 17 taps, by rows and then by columns, through tiles in shared memory (CS of E2MC). " +
			"Data `picture`: whole grey levels of a natural-like image; `random` (also named `suite`): random levels 0 to 15, as in the SDK. An image of " +
			"your own: at most size x size pixels from its middle, with its last column and row repeated up to a multiple of 128.",
		Sizes: []int{128, 256, 512, 1024}, DefaultSize: 512, FullSize: 3072, SizeLabel: "pixels on a side",
		DataModes: []string{"picture", "random", Suite}, AcceptsImage: true,
	},
	aliases: []string{"cs"},
	number:  12, file: "convolution", metric: workload.MetricNRMSE, suite: "random",
	size:  sizeRule{min: convolutionStep, max: 3072, step: convolutionStep},
	build: buildConvolution,
}

// Tiles of convolution.cu: results of each thread, threads of a CTA.
const (
	convolutionResults                     = 8
	convolutionRowX, convolutionRowY       = 16, 4
	convolutionColumnX, convolutionColumnY = 16, 8
	convolutionStep                        = convolutionResults * convolutionRowX
)

func buildConvolution(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	m := r.image
	switch {
	case m != nil:
		m = m.fitted(r.size, convolutionStep)
	case r.data == "random":
		m = &Image{Width: r.size, Height: r.size, Pixels: make([]uint8, r.size*r.size)}
		for i := range m.Pixels {
			m.Pixels[i] = uint8(rnd.Intn(16))
		}
	default:
		m = &Image{Width: r.size, Height: r.size, Pixels: landscape(&rnd, r.size, r.size, r.threads)}
	}
	width, height, count := m.Width, m.Height, m.Width*m.Height
	scale := 1.0
	if r.data == "random" && r.image == nil {
		scale = 255.0 / 15
	}
	image := func(name string, v []float32) workload.Buffer {
		return f32(name, count, v).AsSafe().AsImage(width, height, 0, scale)
	}
	buffers := []workload.Buffer{
		image("d_Input", generate(count, func(i int) float32 { return float32(m.Pixels[i]) })),
		image("d_Buffer", nil),
		image("d_Output", nil).AsOutput(),
	}
	return buffers, []workload.Launch{
		{
			Entry: "convolution_rows", Grid: square(blocks(width, convolutionStep), blocks(height, convolutionRowY)),
			Block: square(convolutionRowX, convolutionRowY),
			Args:  []workload.Arg{workload.BufferArg(1), workload.BufferArg(0), workload.S32(int32(width))},
		},
		{
			Entry: "convolution_columns",
			Grid:  square(blocks(width, convolutionColumnX), blocks(height, convolutionResults*convolutionColumnY)),
			Block: square(convolutionColumnX, convolutionColumnY),
			Args:  []workload.Arg{workload.BufferArg(2), workload.BufferArg(1), workload.S32(int32(width)), workload.S32(int32(height))},
		},
	}
}
