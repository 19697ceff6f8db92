package programs

import "github.com/burstscope/burstscope/core/workload"

// hopperMoE is the product of a layer of experts [ours].
var hopperMoE = definition{
	info: Info{
		Name: "hoppermoe", Title: "Mixture of experts: grouped product",
		Doc: "Each token's 256 activations in bf16 are multiplied with the weights of one of eight experts. Tokens " +
			"of an expert follow each other, and a CTA makes the tensor map of its result on the device, so that " +
			"the rows of the next expert stay as they are. Data `skewed`: experts get as many tokens as words are " +
			"frequent (Zipf); `even`: all alike.",
		Sizes: []int{64, 256, 1024, 4096}, DefaultSize: 256, FullSize: 8192, SizeLabel: "tokens",
		DataModes: []string{"skewed", "even"},
	},
	number: 125, file: "hoppermoe", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 1, max: 32768, step: 1},
	build: buildHopperMoE,
}

const (
	experts     = 8
	expertWidth = 256 // numbers of a token, before and after
)

func buildHopperMoE(r *request) ([]workload.Buffer, []workload.Launch) {
	const e = workload.ElementBF16
	n := r.size
	rndX, rndW, draw := r.rand(0), r.rand(1), r.rand(2)
	offsets := make([]int32, experts+1)
	for range n {
		k := draw.Intn(experts)
		if r.data == "skewed" { // as the tokens of embedding
			k = int(exponential(float64(draw.Float64()*logarithm(experts+1)))) - 1
		}
		offsets[min(k, experts-1)+1]++
	}
	for i := range experts {
		offsets[i+1] += offsets[i]
	}
	tiles, wide := uint32(n/gemmTile+experts), uint32(expertWidth/gemmTile) // each may have a part of a tile
	var t tensors
	t.in("x", e, activationsLike(&rndX, n, expertWidth, true))
	t.in("w", e, weightsLike(&rndW, experts*expertWidth*expertWidth))
	t.out("out", e, n*expertWidth)
	t.exact("offsets", workload.ElementS32, words(offsets))
	t.exact("maps", workload.ElementU32, make([]byte, 128*tiles*wide))
	const deep = hopperRowBytes / 2
	return t, []workload.Launch{{
		Entry: "hopper_moe", Grid: [3]uint32{tiles, wide, 1}, Block: line(256),
		Args: []workload.Arg{
			mapOf(0, e, expertWidth, n, deep, gemmTile, "64B"),
			mapOf(1, e, expertWidth, experts*expertWidth, deep, gemmTile, "64B"),
			mapOf(2, e, expertWidth, n, gemmTile, gemmTile, "none"),
			workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(2), workload.U32(experts),
			workload.U32(expertWidth / deep), workload.U32(expertWidth),
		},
	}}
}
