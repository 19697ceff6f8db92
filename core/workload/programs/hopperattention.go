package programs

import (
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// hopperAttention is attention in the structure of FlashAttention-3 (Shah et al., NeurIPS 2024) [ours].
var hopperAttention = definition{
	info: Info{
		Name: "hopperattention", Title: "Attention with TMA and wgmma (FlashAttention-3)",
		Doc: "Four heads in f16: a warp group copies keys and values by tensor maps into a ring of two, two others " +
			"have 64 queries each and take turns at the matrix units, so that one multiplies while the other " +
			"computes its softmax. Some channels of the keys are larger than others (KIVI). Data: `causal64`, " +
			"`full64`, `causal128`, `full128`, the size of a head and whether a token sees those after it.",
		Sizes: []int{128, 256, 512, 1024}, DefaultSize: 256, FullSize: 4096, SizeLabel: "tokens",
		DataModes: []string{"causal64", "full64", "causal128", "full128"},
	},
	number: 122, file: "hopperattention", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 128, max: 8192, step: 128},
	build: buildHopperAttention,
}

const hopperHeads = 4

func buildHopperAttention(r *request) ([]workload.Buffer, []workload.Launch) {
	const e, box, step = workload.ElementF16, 64, 128 // ROWS and KEYS of hopperattention.cu
	queries, keys, values := r.rand(0), r.rand(1), r.rand(2)
	width, entry, causal := 64, "hopper_attention_64", uint32(0)
	if strings.HasSuffix(r.data, "128") {
		width, entry = 128, "hopper_attention_128"
	}
	if strings.HasPrefix(r.data, "causal") {
		causal = 1
	}
	rows := hopperHeads * r.size
	var t tensors
	t.in("query", e, activationsLike(&queries, rows, width, false))
	t.in("key", e, keysLike(&keys, rows, width))
	t.in("value", e, activationsLike(&values, rows, width, false))
	t.out("out", e, rows*width)
	var a []workload.Arg
	for i := range 4 {
		a = append(a, mapOf(i, e, width, rows, box, []int{box, step, step, box}[i], "128B"))
	}
	scale := workload.F32(float32(math.Log2E / math.Sqrt(float64(width))))
	return t, []workload.Launch{{
		Entry: entry, Grid: [3]uint32{uint32(r.size / (2 * box)), hopperHeads, 1}, Block: line(384),
		Args: append(a, workload.U32(uint32(r.size)), workload.U32(causal), scale),
	}}
}

// hopperDecode is pagedDecode for a model whose queries share heads of keys [ours].
var hopperDecode = definition{
	info: Info{
		Name: "hopperdecode", Title: "Decoding with a paged cache in fp8, TMA and wgmma",
		Doc: "Eight sequences take one more token: 32 queries of 128 numbers, eight for each head of keys " +
			"(grouped-query attention), over the keys and values of all tokens before, in e4m3 and pages of 16 " +
			"tokens in random order. A warp copies pages by tensor maps into a ring; keys and queries are " +
			"multiplied by wgmma. Sequences have a quarter of the size to all of it. Data `ragged`.",
		Sizes: []int{64, 256, 1024}, DefaultSize: 256, FullSize: 4096, SizeLabel: "tokens of a sequence",
		DataModes: []string{"ragged"},
	},
	number: 123, file: "hopperdecode", metric: workload.MetricNRMSE,
	size:  sizeRule{min: decodePage, max: 8192, step: decodePage},
	build: buildHopperDecode,
}

const decodeQueries = 8 // QUERIES of hopperdecode.cu

func buildHopperDecode(r *request) ([]workload.Buffer, []workload.Launch) {
	const e = workload.ElementE4M3
	queries, keys, values, draw := r.rand(0), r.rand(1), r.rand(2), r.rand(3)
	pages, lengths := pagesOf(&draw, r.size)
	rows, heads := len(pages)*decodeHeads*decodePage, decodeSequences*decodeHeads*decodeQueries
	var t tensors
	scale := t.fp8("query", activationsLike(&queries, heads, decodeWidth, false)) *
		t.fp8("keys", keysLike(&keys, rows, decodeWidth))
	scaleValue := t.fp8("values", activationsLike(&values, rows, decodeWidth, false))
	t.exact("pages", workload.ElementS32, words(pages))
	t.exact("lengths", workload.ElementS32, words(lengths))
	t.out("out", workload.ElementF16, heads*decodeWidth)
	return t, []workload.Launch{{
		Entry: "hopper_decode", Grid: square(decodeHeads, decodeSequences), Block: line(160),
		Args: []workload.Arg{
			mapOf(0, e, decodeWidth, heads, decodeWidth, decodeQueries, "128B"),
			mapOf(1, e, decodeWidth, rows, decodeWidth, decodePage, "128B"),
			mapOf(2, e, decodeWidth, rows, decodeWidth, decodePage, "128B"),
			workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(5),
			workload.U32(uint32(r.size / decodePage)),
			workload.F32(scale * float32(math.Log2E/math.Sqrt(decodeWidth))), workload.F32(scaleValue),
		},
	}}
}
