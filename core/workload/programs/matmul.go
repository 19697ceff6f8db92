package programs

import "github.com/burstscope/burstscope/core/workload"

// matmul is the tiled product of CUDA courses [ours]. MM of the papers (Mars) is mapMatmul,
// without tiles.
var matmul = definition{
	info: Info{
		Name: "matmul", Title: "Matrix product",
		Doc: "c = a * b in 16 x 16 tiles through shared memory. The elements have 256 levels in [-1,1). Data `smooth`: they vary slowly along " +
			"a row; `random`: they are independent.",
		Sizes: []int{64, 128, 256, 512}, DefaultSize: 128, FullSize: 512, SizeLabel: "rows and columns",
		DataModes: []string{"smooth", "random"},
	},
	number: 102, file: "matmul", metric: workload.MetricNRMSE,
	size:  sizeRule{min: matmulTile, max: 2048, step: matmulTile},
	build: buildMatmul,
}

const matmulTile = 16 // TILE of matmul.cu

func buildMatmul(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	// Values of the 256 levels k/128 - 1 [ours].
	factor := func(array int) []float32 {
		rnd := r.rand(array)
		if r.data == "random" {
			return generate(n*n, func(int) float32 { return float32(rnd.Intn(256))/128 - 1 })
		}
		return smoothRows(&rnd, n)
	}
	grey := func(b workload.Buffer, scale float64) workload.Buffer { return b.AsImage(n, n, middleGrey, scale) }
	buffers := []workload.Buffer{
		grey(f32("a", n*n, factor(0)).AsSafe(), 127),
		grey(f32("b", n*n, factor(1)).AsSafe(), 127),
		grey(f32("c", n*n, nil).AsSafe().AsOutput(), 127/float64(n)*4), // products of waves rarely exceed a quarter of the bound n
	}
	tiles := blocks(n, matmulTile)
	return buffers, []workload.Launch{{
		Entry: "matmul", Grid: square(tiles, tiles), Block: square(matmulTile, matmulTile),
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(uint32(n))},
	}}
}
