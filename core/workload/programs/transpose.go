package programs

import "github.com/burstscope/burstscope/core/workload"

// transpose is TP: the transpose sample of the CUDA SDK.
var transpose = definition{
	info: Info{
		Name: "transpose", Title: "Matrix transpose",
		Doc: "Transposes a matrix of floats through 32 x 32 tiles in shared memory (TP of SLC and E2MC). Data `ramp`: element i is i, as " +
			"in the SDK (also named `suite`), 96 to 112 bytes a block with 1024 codewords. `mod16384` (tuned to the published sizes just above 64 bytes): " +
			"i mod 16384. `mod1024`: i mod 1024, 48 to 64 bytes. An image of your own is read as grey levels 0 to 255: at most size x size " +
			"pixels from its middle, with its last column and row repeated up to a multiple of 32.",
		Sizes: []int{256, 512, 1024, 2048}, DefaultSize: 1024, FullSize: 1024, SizeLabel: "rows and columns",
		DataModes: []string{"ramp", "mod16384", "mod1024", Suite}, TunedData: []string{"mod16384"}, AcceptsImage: true,
	},
	aliases: []string{"tp"},
	number:  5, file: "transpose", metric: workload.MetricNRMSE, suite: "ramp",
	// 4096 x 4096: the largest ramp that float32 counts exactly.
	size:  sizeRule{min: transposeTile, max: 4096, step: transposeTile},
	build: buildTranspose,
}

const (
	transposeTile = 32 // TILE and ROWS of transpose.cu
	transposeRows = 8
)

func buildTranspose(r *request) ([]workload.Buffer, []workload.Launch) {
	width, height := r.size, r.size
	levels := width * height // of a ramp, which then starts again
	switch r.data {
	case "mod1024":
		levels = 1024
	case "mod16384":
		levels = 16384
	}
	scale := 255 / float64(levels-1)
	value := func(i int) float32 { return float32(i % levels) }
	if r.image != nil {
		m := r.image.fitted(r.size, transposeTile)
		width, height = m.Width, m.Height
		scale = 1
		value = func(i int) float32 { return float32(m.Pixels[i]) }
	}
	buffers := []workload.Buffer{
		r.f32Of("idata", width*height, value).AsSafe().AsImage(width, height, 0, scale),
		f32("odata", width*height, nil).AsSafe().AsOutput().AsImage(height, width, 0, scale),
	}
	return buffers, []workload.Launch{{
		Entry: "transpose",
		Grid:  square(blocks(width, transposeTile), blocks(height, transposeTile)),
		Block: square(transposeTile, transposeRows),
		Args:  []workload.Arg{workload.BufferArg(1), workload.BufferArg(0), workload.U32(uint32(width)), workload.U32(uint32(height))},
	}}
}
