package programs

import "github.com/burstscope/burstscope/core/workload"

// needleman is NW: nw of the Rodinia suite.
var needleman = definition{
	info: Info{
		Name: "needleman", Title: "Sequence alignment (Needleman-Wunsch)",
		Doc: "Scores of all alignments of two sequences, one launch for each diagonal of tiles of 16 x 16 and one CTA of 16 threads a tile " +
			"(NW of LATTE-CC). Data `sequences` (also named `suite`): 10 kinds of residues at random, compared by BLOSUM62, penalty 10. Nothing is approximated.",
		Sizes: []int{128, 512, 1024}, DefaultSize: 512, FullSize: 1024, SizeLabel: "residues",
		DataModes: []string{"sequences", Suite},
	},
	aliases: []string{"nw"},
	number:  36, file: "needleman", metric: workload.MetricMissRate, suite: "sequences",
	size:  sizeRule{min: needlemanTile, max: 4096, step: needlemanTile},
	build: buildNeedleman,
}

const (
	needlemanTile    = 16 // TILE of needleman.cu
	needlemanPenalty = 10 // of Rodinia's example run
)

// blosum62 compares the residues 1 to 10: R N D C Q E G H I L.
var blosum62 = [10][10]int8{
	{5, 0, -2, -3, 1, 0, -2, 0, -3, -2}, {0, 6, 1, -3, 0, 0, 0, 1, -3, -3}, {-2, 1, 6, -3, 0, 2, -1, -1, -3, -4},
	{-3, -3, -3, 9, -3, -4, -3, -3, -1, -1}, {1, 0, 0, -3, 5, 2, -2, 0, -3, -2}, {0, 0, 2, -4, 2, 5, -2, 0, -3, -3},
	{-2, 0, -1, -3, -2, -2, 6, -2, -4, -4}, {0, 1, -1, -3, 0, 0, -2, 8, -3, -3}, {-3, -3, -3, -1, -3, -3, -4, -3, 4, 2},
	{-2, -3, -4, -1, -2, -3, -4, -3, 2, 4},
}

func buildNeedleman(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	columns := n + 1
	down, across := make([]int, columns), make([]int, columns)
	a, b := r.rand(0), r.rand(1)
	for i := range n {
		down[i+1], across[i+1] = a.Intn(10), b.Intn(10)
	}
	alike, scores := make([]int32, columns*columns), make([]int32, columns*columns)
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			alike[i*columns+j] = int32(blosum62[down[i]][across[j]])
		}
		scores[i*columns], scores[i] = int32(-needlemanPenalty*i), int32(-needlemanPenalty*i)
	}
	buffers := []workload.Buffer{
		s32("referrence_cuda", columns*columns, alike),
		s32("matrix_cuda", columns*columns, scores).AsOutput(),
	}
	tiles := n / needlemanTile
	var launches []workload.Launch
	for diagonal := range 2*tiles - 1 {
		firstX, firstY := max(diagonal-tiles+1, 0), min(diagonal, tiles-1)
		threads := (firstY - firstX + 1) * needlemanTile
		launches = append(launches, over("needleman", threads, needlemanTile, args{0, 1}, columns, needlemanPenalty, firstX, firstY))
	}
	return buffers, launches
}
