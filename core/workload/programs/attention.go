package programs

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// attention is one head in tiles, as FlashAttention has it (Dao et al., NeurIPS 2022) [ours].
var attention = definition{
	info: Info{
		Name: "attention", Title: "Attention of one head (FlashAttention)",
		Doc: "Scores of 64 queries and 64 keys at a time on matrix units, with a running softmax: the matrix of scores is never in memory. Rows of 64 numbers in f16. Some channels of the keys are " +
			"larger than others (KIVI). Data `causal`: a token sees none after it; `full`: it sees all.",
		Sizes: []int{64, 256, 512, 1024}, DefaultSize: 256, FullSize: 4096, SizeLabel: "tokens",
		DataModes: []string{"causal", "full"},
	},
	number: 119, file: "attention", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 64, max: 8192, step: 64},
	build: buildAttention,
}

const attentionWidth = 64

func buildAttention(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size * attentionWidth
	queries, keys, values := r.rand(0), r.rand(1), r.rand(2)
	causal := 0
	if r.data == "causal" {
		causal = 1
	}
	var t tensors
	t.in("query", workload.ElementF16, activationsLike(&queries, r.size, attentionWidth, false))
	t.in("key", workload.ElementF16, keysLike(&keys, r.size, attentionWidth))
	t.in("value", workload.ElementF16, activationsLike(&values, r.size, attentionWidth, false))
	t.out("out", workload.ElementF16, n)
	return t, []workload.Launch{over("attention", 2*r.size, 128, args{0, 1, 2, 3}, r.size, causal)} // a CTA has 64 tokens
}

// pagedDecode is a step of decoding with keys and values in pages (Kwon et al., PagedAttention, SOSP 2023) [ours].
var pagedDecode = definition{
	info: Info{
		Name: "pageddecode", Title: "Decoding with a paged cache of keys and values",
		Doc: "Eight sequences take one more token: for each of four heads, a query of 128 numbers over the keys and values of all tokens before, in pages of 16 tokens in random order " +
			"(PagedAttention). Sequences have a quarter of the size to all of it. Data `f16`; `fp8`: e4m3 with one scale for keys and one for values.",
		Sizes: []int{32, 128, 256, 1024}, DefaultSize: 256, FullSize: 4096, SizeLabel: "tokens of a sequence",
		DataModes: []string{"f16", "fp8"},
	},
	number: 120, file: "pageddecode", metric: workload.MetricNRMSE,
	size:  sizeRule{min: decodePage, max: 8192, step: decodePage},
	build: buildPagedDecode,
}

const (
	decodePage      = 16 // tokens: the default of PagedAttention's authors
	decodeWidth     = 128
	decodeHeads     = 4
	decodeSequences = 8
)

// pagesOf draws the pages of all sequences and their lengths, up to size tokens.
func pagesOf(draw *sim.Rand, size int) (pages, lengths []int32) {
	pages, lengths = make([]int32, decodeSequences*(size/decodePage)), make([]int32, decodeSequences)
	for i := range pages { // a random order: the pages are given out as sequences grow
		k := draw.Intn(i + 1)
		pages[i], pages[k] = pages[k], int32(i)
	}
	for i := range lengths {
		lengths[i] = int32(size/4 + draw.Intn(size-size/4) + 1)
	}
	return pages, lengths
}

func buildPagedDecode(r *request) ([]workload.Buffer, []workload.Launch) {
	queries, keys, values, draw := r.rand(0), r.rand(1), r.rand(2), r.rand(3)
	each := r.size / decodePage
	pages, lengths := pagesOf(&draw, r.size)
	rows := len(pages) * decodeHeads * decodePage
	k, v := keysLike(&keys, rows, decodeWidth), activationsLike(&values, rows, decodeWidth, false)
	outputs := decodeSequences * decodeHeads * decodeWidth
	l := over("decode_f16", 1, 128, args{0, 1, 2, 3, 4, 5}, decodeHeads, each)
	l.Grid = square(decodeHeads, decodeSequences)
	var t tensors
	t.in("query", workload.ElementF16, activationsLike(&queries, decodeSequences*decodeHeads, decodeWidth, false))
	if r.data == "fp8" {
		l.Entry = "decode_fp8"
		scaleKey := t.fp8("keys", k)
		l.Args = append(l.Args, workload.F32(scaleKey), workload.F32(t.fp8("values", v)))
	} else {
		t.in("keys", workload.ElementF16, k)
		t.in("values", workload.ElementF16, v)
	}
	t.exact("pages", workload.ElementS32, words(pages))
	t.exact("lengths", workload.ElementS32, words(lengths))
	t.out("out", workload.ElementF16, outputs)
	return t, []workload.Launch{l}
}
