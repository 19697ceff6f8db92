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
		Doc: "As `gemm` with the instructions of sm_90a: one warp group fills a ring of four tiles in shared " +
			"memory by tensor maps, the other multiplies them with wgmma, and the two CTAs of a cluster copy one " +
			"half of their common weights each to both. In f16: data `outliers`, some channels of the activations " +
			"are 20 to 100 times as large; `relu`, behind a ReLU, so that half of them are zero. With outliers in " +
			"other formats: `bf16`; `fp8` (e4m3); `int8`, a scale for each row and no outliers; `sparse`, two of " +
			"four weights in f16 are stored. `streamk`: as `outliers`, but 12 CTAs take the same number of steps " +
			"each, whichever tiles those belong to (Stream-K).",
		Sizes: []int{128, 256, 512, 1024}, DefaultSize: 256, FullSize: 2048, SizeLabel: "rows and columns",
		DataModes: []string{"outliers", "relu", "bf16", "fp8", "int8", "sparse", "streamk"},
	},
	number: 121, file: "hoppergemm", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 2 * gemmTile, max: 4096, step: 2 * gemmTile},
	build: buildHopperGemm,
}

const (
	hopperRowBytes = 64 // ROW_BYTES of hoppergemm.cuh
	streamKCTAs    = 12 // no power of two, so that tiles are shared
)

func buildHopperGemm(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rndX, rndW := r.rand(0), r.rand(1)
	var t tensors
	x := activationsLike(&rndX, n, n, r.data != "relu" && r.data != "int8")
	if r.data == "relu" {
		for i := range x {
			x[i] = max(x[i], 0)
		}
	}
	w := weightsLike(&rndW, n*n)
	switch r.data {
	case "bf16":
		l := t.product("hopper_gemm_bf16", workload.ElementBF16, x, w, n)
		return t, l
	case "fp8":
		scale := t.fp8("x", x) * t.fp8("w", w)
		t.out("out", workload.ElementBF16, n*n)
		return t, hopperLaunch("hopper_gemm_fp8", workload.ElementE4M3, n, workload.F32(scale))
	case "int8":
		scaleX, scaleW := t.quantized("x", x, n), t.quantized("w", w, n)
		t.out("out", workload.ElementF16, n*n)
		t.add("scale_x", workload.ElementF32, n, scaleX)
		t.add("scale_w", workload.ElementF32, n, scaleW)
		scales := bufferArgs(workload.BufferArg(4), 3)
		return t, hopperLaunch("hopper_gemm_int8", workload.ElementS8, n, scales...)
	case "sparse":
		l := t.sparseProduct(x, w, n)
		return t, l
	case "streamk":
		l := t.product("hopper_gemm_streamk", workload.ElementF16, x, w, n)
		t.add("sums", workload.ElementF32, streamKCTAs*gemmTile*gemmTile, nil)
		t.exact("ready", workload.ElementU32, make([]byte, 4*streamKCTAs))
		l[0].Args[1] = mapOf(1, workload.ElementF16, n, n, hopperRowBytes/2, gemmTile, "64B")
		l[0].Args = append(l[0].Args, workload.U32(uint32(n/gemmTile)), workload.BufferArg(3), workload.BufferArg(4))
		l[0].Grid, l[0].Cluster = line(streamKCTAs), [3]uint32{}
		return t, l
	}
	l := t.product("hopper_gemm", workload.ElementF16, x, w, n)
	return t, l
}

// product has both operands and the result in one format.
func (t *tensors) product(entry string, e workload.Element, x, w []float32, n int) []workload.Launch {
	t.in("x", e, x)
	t.in("w", e, w)
	t.out("out", e, n*n)
	return hopperLaunch(entry, e, n)
}

// sparseProduct has the weights as the first operand, of which two of four are stored.
func (t *tensors) sparseProduct(x, w []float32, n int) []workload.Launch {
	const e = workload.ElementF16
	kept, places := twoOfFour(w)
	t.in("x", e, x)
	t.in("w", e, kept)
	t.exact("places", workload.ElementU32, places)
	t.out("out", e, n*n)
	l := hopperLaunch("hopper_gemm_sparse", e, n, workload.BufferArg(2))
	l[0].Args[0] = mapOf(1, e, n/2, n, hopperRowBytes/2, gemmTile, "64B")
	l[0].Args[1] = mapOf(0, e, n, n, hopperRowBytes, gemmTile/2, "128B")
	l[0].Args[2] = mapOf(3, e, n, n, gemmTile, gemmTile, "none")
	l[0].Args[3] = workload.U32(uint32(n / hopperRowBytes))
	return l
}

// hopperLaunch has buffers 0 and 1 as operands and 2 as result.
func hopperLaunch(entry string, e workload.Element, n int, more ...workload.Arg) []workload.Launch {
	deep, out := hopperRowBytes/e.Bytes(), e
	if e.Bytes() == 1 {
		out = workload.ElementF16
	}
	return []workload.Launch{{
		Entry: entry, Grid: square(blocks(n, gemmTile), blocks(n, gemmTile)), Block: [3]uint32{256, 1, 1},
		Cluster: [3]uint32{2, 1, 1},
		Args: append([]workload.Arg{
			mapOf(0, e, n, n, deep, gemmTile, "64B"), mapOf(1, e, n, n, deep, gemmTile/2, "64B"),
			mapOf(2, out, n, n, gemmTile, gemmTile, "none"), workload.U32(uint32(n / deep)),
		}, more...),
	}}
}

// mapOf passes a tensor map of a buffer of so many columns and rows, with boxes of so many.
func mapOf(buffer int, e workload.Element, columns, rows, boxColumns, boxRows int, swizzle string) workload.Arg {
	m := ptx.TensorMap{Rank: 2, ElementStrides: [5]uint32{1, 1}}
	name := "f16"
	switch e {
	case workload.ElementBF16:
		name = "bf16"
	case workload.ElementE4M3, workload.ElementS8:
		name = "u8"
	}
	m.Type = ptx.TensorType(slices.Index(ptx.TensorTypes[:], name))
	m.Swizzle = ptx.TensorSwizzle(slices.Index(ptx.TensorSwizzles[:], swizzle))
	m.Dims, m.Strides = [5]uint64{uint64(columns), uint64(rows)}, [4]uint64{uint64(e.Bytes() * columns)}
	m.Box = [5]uint32{uint32(boxColumns), uint32(boxRows)}
	return workload.Bytes(workload.TensorMap(&m, buffer))
}
