package programs

import (
	"github.com/burstscope/burstscope/core/workload"
	"math"
)

// vecadd is the smallest program that moves memory [ours].
var vecadd = definition{
	info: Info{
		Name: "vecadd", Title: "Vector addition",
		Doc: "sum = a + b, one element per thread: two streams in, one out. Data `smooth`: slow waves in steps of 1/4 " +
			"from 0 to 16, which compress well; `grid`: random multiples of 1/4 below 64, for which TSLC would have to truncate " +
			"more symbols than it may; `uniform`: random floats in [0,1), which hardly compress.",
		Sizes: []int{16384, 65536, 262144, 1048576}, DefaultSize: 262144, FullSize: 1048576, SizeLabel: "elements",
		DataModes: []string{"smooth", "grid", "uniform"},
	},
	number: 101, file: "vecadd", metric: workload.MetricMRE,
	size:  sizeRule{min: 32, max: 16 << 20, step: 1},
	build: buildVecadd,
}

func buildVecadd(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	addend := func(array int) []float32 {
		rnd := r.rand(array)
		switch r.data {
		case "uniform":
			return generate(n, func(int) float32 { return rnd.Float32() })
		case "grid":
			return generate(n, func(int) float32 { return float32(rnd.Intn(256)) / 4 })
		}
		wave := profile(&rnd, n, 256, 4)
		return generate(n, func(i int) float32 {
			return float32(math.Floor(float64(32+float32(32*wave[i]))+0.5)) / 4
		})
	}
	buffers := []workload.Buffer{
		f32("a", n, addend(0)).AsSafe(),
		f32("b", n, addend(1)).AsSafe(),
		f32("sum", n, nil).AsSafe().AsOutput(),
	}
	const threads = 256
	return buffers, []workload.Launch{{
		Entry: "vecadd", Grid: line(int(blocks(n, threads))), Block: line(threads),
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(uint32(n))},
	}}
}
