package programs

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// pageRank is PRK: pagerank_spmv of the Pannotia suite.
var pageRank = definition{
	info: Info{
		Name: "pagerank", Title: "PageRank",
		Doc: "A kernel gives every edge its share, and products of the matrix of shares and the ranks follow, one thread a row (PRK of " +
			"LATTE-CC). There are 4 products, and 20 as in the suite from 100,000 nodes on. Data `coauthors` (also named `suite`): authors of common papers, with " +
			"the number of nodes and edges of the suite's coAuthorsDBLP; the graph is generated. Nothing is approximated.",
		Sizes: []int{4096, 16384, 65536, 299067}, DefaultSize: 16384, FullSize: 299067, SizeLabel: "nodes",
		DataModes: []string{"coauthors", Suite},
	},
	aliases: []string{"prk"},
	number:  34, file: "pagerank", metric: workload.MetricNRMSE, suite: "coauthors",
	size:  sizeRule{min: 64, max: 1 << 19, step: 1},
	build: buildPageRank,
}

func buildPageRank(r *request) ([]workload.Buffer, []workload.Launch) {
	n, products := r.size, 4
	if n >= 100_000 {
		products = 20 // ITER of Pannotia
	}
	rnd := r.rand(0)
	g := coauthorGraph(&rnd, n)
	degree := make([]int32, n)
	for i := range degree {
		degree[i] = g.start[i+1] - g.start[i]
	}
	buffers := []workload.Buffer{
		s32("d_row", n+1, g.start),
		s32("d_col", len(g.target), g.target),
		s32("d_col_cnt", n, degree),
		f32("d_data", len(g.target), nil),
		f32("d_page_rank1", n, nil).AsOutput(),
		f32("d_page_rank2", n, nil),
	}
	launches := []workload.Launch{
		overNodes("pagerank_begin", n, args{4, 5}),
		overNodes("pagerank_shares", n, args{0, 1, 2, 3}),
	}
	for range products {
		launches = append(launches,
			overNodes("pagerank_product", n, args{0, 1, 3, 4, 5}),
			overNodes("pagerank_damp", n, args{4, 5}))
	}
	return buffers, launches
}

// coauthorGraph joins the authors of common papers. There are as many papers as nodes, with
// two authors or more, each further one half as likely, eight at most. Authors are of one
// group of 32, whose first writes every fifth of its papers with them; one of ten
// is from anywhere [ours]. The mean degree is 6.5, as in coAuthorsDBLP.
func coauthorGraph(rnd *sim.Rand, nodes int) graph {
	const group, most = 32, 8
	var pairs []uint64
	var authors []int
	for range nodes {
		base := rnd.Intn(nodes) / group * group
		authors = authors[:0]
		if rnd.Intn(5) == 0 {
			authors = append(authors, base)
		}
		for len(authors) < 2 || len(authors) < most && rnd.Intn(2) == 0 {
			author := rnd.Intn(nodes)
			if rnd.Intn(10) > 0 {
				author = base + author%min(group, nodes-base)
			}
			authors = append(authors, author)
		}
		for _, a := range authors {
			for _, b := range authors {
				if a != b {
					pairs = append(pairs, uint64(a)<<32|uint64(b))
				}
			}
		}
	}
	return fromPairs(pairs, nodes)
}
