package programs

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/workload"
)

// hopperGemm is gemm as libraries compute it on devices of 2022 [ours].
var hopperGemm = definition{
	info: Info{
		Name: "hoppergemm", Title: "Matrix product with TMA and wgmma",
		Doc: "As `gemm` in f16 with the instructions of sm_90a: one warp group fills a ring of four tiles in shared " +
			"memory by tensor maps, the other multiplies them with wgmma, and the two CTAs of a cluster copy one half " +
			"of their common weights each to both. Data `outliers`: some channels of the activations are 20 to 100 " +
			"times as large; `relu`: behind a ReLU, so that half of them are zero.",
		Sizes: []int{128, 256, 512, 1024}, DefaultSize: 256, FullSize: 2048, SizeLabel: "rows and columns",
		DataModes: []string{"outliers", "relu"},
	},
	number: 121, file: "hoppergemm", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 2 * gemmTile, max: 4096, step: 2 * gemmTile},
	build: buildHopperGemm,
}

const hopperDeep = 32 // DEEP of hoppergemm.cu

func buildHopperGemm(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rndX, rndW := r.rand(0), r.rand(1)
	var t tensors
	x := activationsLike(&rndX, n, n, r.data == "outliers")
	if r.data == "relu" {
		for i := range x {
			x[i] = max(x[i], 0)
		}
	}
	t.in("x", workload.ElementF16, x)
	t.in("w", workload.ElementF16, weightsLike(&rndW, n*n))
	t.out("out", workload.ElementF16, n*n)
	return t, []workload.Launch{{
		Entry: "hopper_gemm", Grid: square(blocks(n, gemmTile), blocks(n, gemmTile)), Block: [3]uint32{256, 1, 1},
		Cluster: [3]uint32{2, 1, 1},
		Args: []workload.Arg{
			squareMap(0, n, hopperDeep, gemmTile, "64B"), squareMap(1, n, hopperDeep, gemmTile/2, "64B"),
			squareMap(2, n, gemmTile, gemmTile, "none"), workload.U32(uint32(n / hopperDeep)),
		},
	}}
}

// squareMap passes a tensor map of a buffer of n rows of n halves, with boxes of so many columns and rows.
func squareMap(buffer, n, columns, rows int, swizzle string) workload.Arg {
	m := ptx.TensorMap{Rank: 2, ElementStrides: [5]uint32{1, 1}}
	m.Type = ptx.TensorType(slices.Index(ptx.TensorTypes[:], "f16"))
	m.Swizzle = ptx.TensorSwizzle(slices.Index(ptx.TensorSwizzles[:], swizzle))
	m.Dims, m.Strides = [5]uint64{uint64(n), uint64(n)}, [4]uint64{uint64(2 * n)}
	m.Box = [5]uint32{uint32(columns), uint32(rows)}
	return workload.Bytes(workload.TensorMap(&m, buffer))
}
