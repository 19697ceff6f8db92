package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// similarity is SS: SimilarityScore of the Mars suite.
var similarity = definition{
	info: Info{
		Name: "similarity", Title: "Similarity of documents",
		Doc: "The cosine between all pairs of documents, each a vector of 256 features (SS of LATTE-CC and RFVP). One thread reads two rows " +
			"in steps of four floats, so only a cache joins the reads of neighbours. The counting, placing and sorting of Mars are left out. Data " +
			"`weights`: 60 of 100 features are 0, the others are from 300 weights, as in the statistics of words; `suite`: whole numbers from 0 to 99.",
		Sizes: []int{64, 160, 512, 1024}, DefaultSize: 160, FullSize: 1024, SizeLabel: "documents",
		DataModes: []string{"weights", Suite},
	},
	aliases: []string{"ss"},
	number:  28, file: "mars", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 2, max: 2048, step: 1},
	build: buildSimilarity,
}

// mapMatmul is MM: MatrixMul of the Mars suite.
var mapMatmul = definition{
	info: Info{
		Name: "mapmatmul", Title: "Matrix product (one row by one row)",
		Doc: "One thread for each element of the product reads a row of one matrix and a row of the other, which was transposed before, in " +
			"steps of four floats (MM of LATTE-CC and RFVP). There are no tiles, so only a cache joins the reads of neighbours. Data `smooth`: elements with " +
			"256 levels in [-1,1) that vary slowly along a row; `suite`: whole numbers from 0 to 99.",
		Sizes: []int{64, 128, 160, 1024}, DefaultSize: 160, FullSize: 1024, SizeLabel: "rows and columns",
		DataModes: []string{"smooth", Suite},
	},
	aliases: []string{"mm"},
	number:  29, file: "mars", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 4, max: 1024, step: 4},
	build: buildMapMatmul,
}

const (
	marsThreads      = 256 // of a CTA, as in Mars
	documentFeatures = 256 // LATTE-CC table of inputs: 1024 x 256 points
)

func buildSimilarity(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd, vocabulary := r.rand(0), r.rand(1)
	documents := func(int) float32 { return marsNumber(&rnd) }
	if r.data != Suite {
		weights := generate(300, func(int) float32 { // 0.7 to 10.4: logarithms of shares of documents
			return float32(-logarithm((float64(vocabulary.Uint32()>>17) + 0.5) / (1 << 15)))
		})
		documents = func(int) float32 {
			if rnd.Intn(100) < 60 {
				return 0
			}
			return weights[rnd.Intn(len(weights))]
		}
	}
	var tasks []int32
	for i := range n {
		for j := i + 1; j < n; j++ {
			tasks = append(tasks, int32(i), int32(j))
		}
	}
	pairs := len(tasks) / 2
	buffers := []workload.Buffer{
		f32("d_matrix", n*documentFeatures, generate(n*documentFeatures, documents)).AsSafe(),
		s32("d_tasks", len(tasks), tasks),
		f32("d_scores", pairs, nil).AsSafe().AsOutput(),
	}
	return buffers, []workload.Launch{over("mars_similarity", pairs, marsThreads, args{0, 1, 2}, pairs, documentFeatures)}
}

func buildMapMatmul(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	factor := func(array int) []float32 {
		rnd := r.rand(array)
		if r.data == Suite {
			return generate(n*n, func(int) float32 { return marsNumber(&rnd) })
		}
		return smoothRows(&rnd, n)
	}
	var tasks []int32
	for i := range n * n {
		tasks = append(tasks, int32(i/n), int32(i%n))
	}
	buffers := []workload.Buffer{
		f32("d_matrix1", n*n, factor(0)).AsSafe(),
		f32("d_matrix2", n*n, factor(1)).AsSafe(),
		s32("d_tasks", len(tasks), tasks),
		f32("d_product", n*n, nil).AsSafe().AsOutput(),
	}
	return buffers, []workload.Launch{over("mars_product", n*n, marsThreads, args{0, 1, 2, 3}, n*n, n)}
}

// marsNumber is rand() % 100, as the generators of Mars draw.
func marsNumber(rnd *sim.Rand) float32 { return float32((rnd.Uint32() >> 1) % 100) }

// smoothRows is an n x n matrix of the 256 levels k/128 - 1 that vary slowly along a row [ours].
func smoothRows(rnd *sim.Rand, n int) (v []float32) {
	for range n {
		wave := profile(rnd, n, 32, 3)
		v = append(v, generate(n, func(i int) float32 {
			k := math.Floor(float64(128 + float32(127*wave[i])))
			return float32(k)/128 - 1
		})...)
	}
	return v
}
