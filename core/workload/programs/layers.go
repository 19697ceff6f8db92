package programs

import (
	"github.com/burstscope/burstscope/core/workload"
)

// The layers of a transformer that read much and compute little [ours].

var embedding = definition{
	info: Info{
		Name: "embedding", Title: "Embedding: rows of a table",
		Doc:   "Each token takes its row of 512 numbers in f16 from a table of as many rows as tokens. Data `zipf`: tokens as frequent as words; `uniform`: all rows alike.",
		Sizes: []int{256, 1024, 4096, 16384}, DefaultSize: 4096, FullSize: 50257, SizeLabel: "tokens",
		DataModes: []string{"zipf", "uniform"},
	},
	number: 112, file: "layers", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 32, max: 65536, step: 1},
	build: buildEmbedding,
}

const embeddingWidth = 512

func buildEmbedding(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd, draw := r.rand(0), r.rand(1)
	ids := make([]int32, n)
	for i := range ids {
		if ids[i] = int32(draw.Intn(n)); r.data == "zipf" {
			// e^(u ln(n+1)) has the density 1/x (Zipf, Human Behavior and the Principle of Least Effort, 1949).
			ids[i] = min(int32(exponential(float64(draw.Float64()*logarithm(float64(n+1)))))-1, int32(n-1))
		}
	}
	const piece = 8 // numbers that a thread takes
	var t tensors
	t.in("table", workload.ElementF16, weightsLike(&rnd, n*embeddingWidth))
	t.exact("ids", workload.ElementS32, words(ids))
	t.out("out", workload.ElementF16, n*embeddingWidth)
	return t, []workload.Launch{over("embedding", n*embeddingWidth/piece, 256, args{0, 1, 2}, n, embeddingWidth/piece)}
}

var softmax = definition{
	info: Info{
		Name: "softmax", Title: "Softmax of attention's scores",
		Doc: "Rows of attention's scores in f16 become shares that add up to 1, in three passes of a warp. Data `causal`: a token sees none after it, those scores are " +
			"the lowest f16; `full`: it sees all.",
		Sizes: []int{64, 256, 1024, 2048}, DefaultSize: 1024, FullSize: 4096, SizeLabel: "tokens",
		DataModes: []string{"causal", "full"},
	},
	number: 113, file: "layers", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 32, max: 8192, step: 2},
	build: buildSoftmax,
}

const lowestF16 = -65504

func buildSoftmax(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	scores := generate(n*n, func(i int) float32 {
		if r.data == "causal" && i%n > i/n {
			return lowestF16
		}
		return float32(normal(&rnd))
	})
	var t tensors
	t.in("scores", workload.ElementF16, scores)
	t.out("out", workload.ElementF16, n*n)
	return t, []workload.Launch{over("softmax", 32*n, 128, args{0, 1}, n, n/2)}
}

var layerNorm = definition{
	info: Info{
		Name: "layernorm", Title: "Layer norm",
		Doc: "Rows of 1024 activations in bf16 get mean 0 and variance 1, then a scale and an offset for each channel. Data `outliers`: two channels are 20 to 100 times " +
			"as large, as in LLM.int8() and SmoothQuant; `plain`: none is.",
		Sizes: []int{32, 256, 1024, 4096}, DefaultSize: 1024, FullSize: 8192, SizeLabel: "tokens",
		DataModes: []string{"outliers", "plain"},
	},
	number: 114, file: "layers", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 1, max: 16384, step: 1},
	build: buildLayerNorm,
}

const layerNormWidth = 1024

func buildLayerNorm(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size * layerNormWidth
	rnd, channels := r.rand(0), r.rand(1)
	around := func(middle float32) []float32 { // a tenth of the mean [ours]
		return generate(layerNormWidth, func(int) float32 { return middle + float32(0.1*normal(&channels)) })
	}
	var t tensors
	t.in("x", workload.ElementBF16, activationsLike(&rnd, r.size, layerNormWidth, r.data == "outliers"))
	t.in("scale", workload.ElementBF16, around(1))
	t.in("offset", workload.ElementBF16, around(0))
	t.out("out", workload.ElementBF16, n)
	return t, []workload.Launch{over("layernorm", 32*r.size, 128, args{0, 1, 2, 3}, r.size, layerNormWidth/2)}
}
