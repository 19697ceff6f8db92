package programs

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// gemm is the product of a linear layer in the formats that devices have since 2020 [ours].
var gemm = definition{
	info: Info{
		Name: "gemm", Title: "Matrix product on matrix units",
		Doc: "Activations of n tokens times n x n weights, in tiles of 64 x 64 through shared memory and mma. Data `bf16`, `f16`: some channels of the activations are 20 to 100 times " +
			"as large (LLM.int8(), SmoothQuant); `int8`: a scale for each row, without such channels; `int8tensor`: as `int8`, but the weights have one scale, heavy tails, and rows of different sizes, as those of real layers; `sparse`: f16, two of four weights in a row are stored (2:4) and put between " +
			"zeros in shared memory: the traffic of mma.sp, the work of a dense product.",
		Sizes: []int{64, 128, 256, 512, 1024}, DefaultSize: 256, FullSize: 2048, SizeLabel: "rows and columns",
		DataModes: []string{"bf16", "f16", "int8", "int8tensor", "sparse"},
	},
	number: 117, file: "gemm", metric: workload.MetricNRMSE,
	size:  sizeRule{min: gemmTile, max: 4096, step: gemmTile},
	build: buildGemm,
}

// gemmFP8 needs a device of 2022, so that its kernel is in a file of its own.
var gemmFP8 = definition{
	info: Info{
		Name: "gemmfp8", Title: "Matrix product in fp8",
		Doc: "As `gemm` in fp8 (e4m3), with one scale for activations and one for weights, and the result in bf16. Data `outliers`: some channels of the activations are 20 to 100 times " +
			"as large; `plain`: none is.",
		Sizes: []int{64, 128, 256, 512, 1024}, DefaultSize: 256, FullSize: 2048, SizeLabel: "rows and columns",
		DataModes: []string{"outliers", "plain"},
	},
	number: 118, file: "gemmfp8", metric: workload.MetricNRMSE,
	size:  sizeRule{min: gemmTile, max: 4096, step: gemmTile},
	build: buildGemmFP8,
}

const gemmTile = 64 // TILE of gemm.cuh

// gemmLaunch has rows of the given bytes.
func gemmLaunch(entry string, n, rowBytes int, buffers args, numbers ...workload.Arg) []workload.Launch {
	tiles := blocks(n, gemmTile)
	l := over(entry, 1, 128, buffers)
	l.Grid = square(tiles, tiles)
	l.Args = append(append(l.Args, numbers...), workload.U32(uint32(rowBytes/16)), workload.U32(uint32(n)))
	return []workload.Launch{l}
}

func buildGemm(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rndX, rndW := r.rand(0), r.rand(1)
	x := activationsLike(&rndX, n, n, !strings.HasPrefix(r.data, "int8"))
	var w []float32
	if r.data == "int8tensor" {
		w = layerLike(&rndW, n, n)
	} else {
		w = weightsLike(&rndW, n*n)
	}
	var t tensors
	e := workload.ElementF16
	switch r.data {
	case "bf16":
		e = workload.ElementBF16
	case "int8", "int8tensor":
		scaleX, scaleW := t.quantized("x", x, n), t.quantizedWeights(r.data, w, n)
		t.out("out", e, n*n)
		t.add("scale_x", workload.ElementF32, n, scaleX)
		t.add("scale_w", workload.ElementF32, n, scaleW)
		return t, gemmLaunch("gemm_int8", n, n, args{0, 1, 2, 3, 4})
	case "sparse":
		kept, places := twoOfFour(w)
		t.in("x", e, x)
		t.in("w", e, kept)
		t.exact("places", workload.ElementU32, places)
		t.out("out", e, n*n)
		return t, gemmLaunch("gemm_sparse", n, 2*n, args{0, 1, 2, 3})
	}
	t.in("x", e, x)
	t.in("w", e, w)
	t.out("out", e, n*n)
	return t, gemmLaunch("gemm_"+r.data, n, 2*n, args{0, 1, 2})
}

func buildGemmFP8(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rndX, rndW := r.rand(0), r.rand(1)
	var t tensors
	scaleX := t.fp8("x", activationsLike(&rndX, n, n, r.data == "outliers"))
	scaleW := t.fp8("w", weightsLike(&rndW, n*n))
	t.out("out", workload.ElementBF16, n*n)
	return t, gemmLaunch("gemm_fp8", n, n, args{0, 1, 2}, workload.F32(scaleX*scaleW))
}

// quantized adds bytes in -127 to 127 and returns the scale of each row: the greatest magnitude is 127 (LLM.int8(), vector-wise).
func (t *tensors) quantized(name string, v []float32, width int) (scale []float32) {
	b := make([]byte, len(v))
	for i := range len(v) / width {
		row := v[i*width:][:width]
		scale = append(scale, greatest(row)/127)
		for k, x := range row {
			b[i*width+k] = byte(int8(math.RoundToEven(float64(x / scale[i]))))
		}
	}
	values := t.add(name, workload.ElementS8, len(b), nil)
	values.Init, values.Safe = b, true
	return scale
}

// quantizedWeights adds the weights of int8, and of int8tensor, whose rows share one scale.
func (t *tensors) quantizedWeights(data string, w []float32, n int) (scale []float32) {
	if data == "int8" {
		return t.quantized("w", w, n)
	}
	return slices.Repeat(t.quantized("w", w, len(w)), n)
}

// twoOfFour keeps the two weights of greatest magnitude of each four (Mishra et al., Accelerating Sparse Deep Neural
// Networks, 2021). Their places are two bits each, the first weight's lowest.
func twoOfFour(v []float32) (kept []float32, places []byte) {
	for i := 0; i < len(v); i += 32 {
		var word uint32
		for g := 0; g < 32; g += 4 {
			four := v[i+g:][:4]
			first, second := twoGreatest(four)
			kept = append(kept, four[first], four[second])
			word |= uint32(first|second<<2) << g
		}
		places = binary.LittleEndian.AppendUint32(places, word)
	}
	return kept, places
}

// twoGreatest returns the places of the two numbers of greatest magnitude, in order.
func twoGreatest(v []float32) (first, second int) {
	magnitude := func(i int) float32 { return max(v[i], -v[i]) }
	second = 1
	for i := 2; i < len(v); i++ {
		switch least := min(magnitude(first), magnitude(second)); {
		case magnitude(i) <= least:
		case magnitude(first) == least:
			first, second = second, i
		default:
			second = i
		}
	}
	return first, second
}
