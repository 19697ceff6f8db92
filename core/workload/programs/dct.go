package programs

import "github.com/burstscope/burstscope/core/workload"

// dct is DCT: the dct8x8 sample of the CUDA SDK.
var dct = definition{
	info: Info{
		Name: "dct", Title: "Image coding (DCT 8x8)",
		Doc: "Transforms an image plane of floats with the 8x8 discrete cosine transform, quantises it as JPEG does at quality 75, and " +
			"transforms it back. Data `fused` (tuned to the published block sizes): two kernels; the first quantises before it stores, and the " +
			"second rounds to whole grey levels, so most blocks take less than 64 bytes. `sdk` (also named `suite`): three kernels as in the SDK; coefficients and " +
			"result pass through memory with full mantissas, which hardly compress. An image of your own: at most size x size pixels " +
			"from its middle, with its last column and row repeated up to a multiple of 8.",
		Sizes: []int{256, 512, 1024, 2048}, DefaultSize: 1024, FullSize: 1024, SizeLabel: "pixels on a side",
		DataModes: []string{"fused", "sdk", Suite}, TunedData: []string{"fused"}, AcceptsImage: true,
	},
	number: 3, file: "dct", metric: workload.MetricImageDiff, suite: "sdk",
	size:  sizeRule{min: dctBlock, max: 4096, step: dctBlock},
	build: buildDCT,
}

const (
	dctBlock      = 8
	dctTileWidth  = 32 // TILE_WIDTH and TILE_HEIGHT of dct.cu
	dctTileHeight = 64
)

// middleGrey is subtracted from the pixels, as in JPEG, so that they are centred at 0.
const middleGrey = 128

func buildDCT(r *request) ([]workload.Buffer, []workload.Launch) {
	var m *Image
	if r.image != nil {
		m = r.image.fitted(r.size, dctBlock)
	} else {
		rnd := r.rand(0)
		m = &Image{Width: r.size, Height: r.size, Pixels: landscape(&rnd, r.size, r.size, r.threads)}
	}
	width, height := m.Width, m.Height
	image := r.f32Of("image", width*height, func(i int) float32 { return float32(m.Pixels[i]) - middleGrey })
	buffers := []workload.Buffer{
		image.AsSafe().AsOutput().AsImage(width, height, middleGrey, 1),
		f32("coefficients", width*height, nil).AsSafe().AsImage(width, height, middleGrey, 1),
	}
	size := []workload.Arg{workload.U32(uint32(width)), workload.U32(uint32(height))}
	kernel := func(entry string, buffer ...workload.Arg) workload.Launch {
		return workload.Launch{
			Entry: entry,
			Grid:  square(blocks(width, dctTileWidth), blocks(height, dctTileHeight)),
			Block: square(dctTileWidth, dctTileHeight/dctBlock),
			Args:  append(buffer, size...),
		}
	}
	pixels, coefficients := workload.BufferArg(0), workload.BufferArg(1)
	if r.data == "fused" {
		return buffers, []workload.Launch{
			kernel("dct_forward_quantise", coefficients, pixels),
			kernel("dct_inverse_round", pixels, coefficients),
		}
	}
	quantise := kernel("dct_quantise", coefficients)
	quantise.Grid = square(blocks(width, dctBlock), blocks(height, dctBlock)) // one thread per coefficient
	quantise.Block = square(dctBlock, dctBlock)
	return buffers, []workload.Launch{
		kernel("dct_forward", coefficients, pixels),
		quantise,
		kernel("dct_inverse", pixels, coefficients),
	}
}
