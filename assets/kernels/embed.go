// Package kernels holds the GPU programs that ship with Burstscope: CUDA C++
// sources and the PTX that clang made of them, without its comments. The PTX carries .loc directives, so
// an instruction can be shown with the CUDA line it came from.
//
// The PTX is committed; after editing a source run
//
//	go test ./assets/kernels -run Kernels -update
package kernels

import _ "embed" // the texts below

// The texts are strings, one by one: a file system of them (embed.FS) would bring
// io/fs and time into the page's engine, 24 kB of it.
var (
	//go:embed backprop.ptx
	backpropPTX string
	//go:embed backprop.cu
	backpropCUDA string
	//go:embed betweenness.ptx
	betweennessPTX string
	//go:embed betweenness.cu
	betweennessCUDA string
	//go:embed bfs.ptx
	bfsPTX string
	//go:embed bfs.cu
	bfsCUDA string
	//go:embed binomial.ptx
	binomialPTX string
	//go:embed binomial.cu
	binomialCUDA string
	//go:embed blackscholes.ptx
	blackscholesPTX string
	//go:embed blackscholes.cu
	blackscholesCUDA string
	//go:embed bplustree.ptx
	bplustreePTX string
	//go:embed bplustree.cu
	bplustreeCUDA string
	//go:embed colouring.ptx
	colouringPTX string
	//go:embed colouring.cu
	colouringCUDA string
	//go:embed convolution.ptx
	convolutionPTX string
	//go:embed convolution.cu
	convolutionCUDA string
	//go:embed dct.ptx
	dctPTX string
	//go:embed dct.cu
	dctCUDA string
	//go:embed dijkstra.ptx
	dijkstraPTX string
	//go:embed dijkstra.cu
	dijkstraCUDA string
	//go:embed floydwarshall.ptx
	floydwarshallPTX string
	//go:embed floydwarshall.cu
	floydwarshallCUDA string
	//go:embed fwt.ptx
	fwtPTX string
	//go:embed fwt.cu
	fwtCUDA string
	//go:embed gaussian.ptx
	gaussianPTX string
	//go:embed gaussian.cu
	gaussianCUDA string
	//go:embed heartwall.ptx
	heartwallPTX string
	//go:embed heartwall.cu
	heartwallCUDA string
	//go:embed hotspot.ptx
	hotspotPTX string
	//go:embed hotspot.cu
	hotspotCUDA string
	//go:embed independentset.ptx
	independentsetPTX string
	//go:embed independentset.cu
	independentsetCUDA string
	//go:embed jmeint.ptx
	jmeintPTX string
	//go:embed jmeint.cu
	jmeintCUDA string
	//go:embed kmeans.ptx
	kmeansPTX string
	//go:embed kmeans.cu
	kmeansCUDA string
	//go:embed libor.ptx
	liborPTX string
	//go:embed libor.cu
	liborCUDA string
	//go:embed mars.ptx
	marsPTX string
	//go:embed mars.cu
	marsCUDA string
	//go:embed matmul.ptx
	matmulPTX string
	//go:embed matmul.cu
	matmulCUDA string
	//go:embed mummer.ptx
	mummerPTX string
	//go:embed mummer.cu
	mummerCUDA string
	//go:embed needleman.ptx
	needlemanPTX string
	//go:embed needleman.cu
	needlemanCUDA string
	//go:embed nn.ptx
	nnPTX string
	//go:embed nn.cu
	nnCUDA string
	//go:embed pagerank.ptx
	pagerankPTX string
	//go:embed pagerank.cu
	pagerankCUDA string
	//go:embed pageview.ptx
	pageviewPTX string
	//go:embed pageview.cu
	pageviewCUDA string
	//go:embed particlefilter.ptx
	particlefilterPTX string
	//go:embed particlefilter.cu
	particlefilterCUDA string
	//go:embed pathfinder.ptx
	pathfinderPTX string
	//go:embed pathfinder.cu
	pathfinderCUDA string
	//go:embed proxy.ptx
	proxyPTX string
	//go:embed proxy.cu
	proxyCUDA string
	//go:embed relax.ptx
	relaxPTX string
	//go:embed relax.cu
	relaxCUDA string
	//go:embed scan.ptx
	scanPTX string
	//go:embed scan.cu
	scanCUDA string
	//go:embed spmv.ptx
	spmvPTX string
	//go:embed spmv.cu
	spmvCUDA string
	//go:embed srad1.ptx
	srad1PTX string
	//go:embed srad1.cu
	srad1CUDA string
	//go:embed srad2.ptx
	srad2PTX string
	//go:embed srad2.cu
	srad2CUDA string
	//go:embed streamcluster.ptx
	streamclusterPTX string
	//go:embed streamcluster.cu
	streamclusterCUDA string
	//go:embed stringmatch.ptx
	stringmatchPTX string
	//go:embed stringmatch.cu
	stringmatchCUDA string
	//go:embed transpose.ptx
	transposePTX string
	//go:embed transpose.cu
	transposeCUDA string
	//go:embed vecadd.ptx
	vecaddPTX string
	//go:embed vecadd.cu
	vecaddCUDA string
)

// text is one program in both languages.
type text struct{ name, ptx, cuda string }

func texts() []text {
	return []text{
		{"backprop", backpropPTX, backpropCUDA},
		{"betweenness", betweennessPTX, betweennessCUDA},
		{"bfs", bfsPTX, bfsCUDA},
		{"binomial", binomialPTX, binomialCUDA},
		{"blackscholes", blackscholesPTX, blackscholesCUDA},
		{"bplustree", bplustreePTX, bplustreeCUDA},
		{"colouring", colouringPTX, colouringCUDA},
		{"convolution", convolutionPTX, convolutionCUDA},
		{"dct", dctPTX, dctCUDA},
		{"dijkstra", dijkstraPTX, dijkstraCUDA},
		{"floydwarshall", floydwarshallPTX, floydwarshallCUDA},
		{"fwt", fwtPTX, fwtCUDA},
		{"gaussian", gaussianPTX, gaussianCUDA},
		{"heartwall", heartwallPTX, heartwallCUDA},
		{"hotspot", hotspotPTX, hotspotCUDA},
		{"independentset", independentsetPTX, independentsetCUDA},
		{"jmeint", jmeintPTX, jmeintCUDA},
		{"kmeans", kmeansPTX, kmeansCUDA},
		{"libor", liborPTX, liborCUDA},
		{"mars", marsPTX, marsCUDA},
		{"matmul", matmulPTX, matmulCUDA},
		{"mummer", mummerPTX, mummerCUDA},
		{"needleman", needlemanPTX, needlemanCUDA},
		{"nn", nnPTX, nnCUDA},
		{"pagerank", pagerankPTX, pagerankCUDA},
		{"pageview", pageviewPTX, pageviewCUDA},
		{"particlefilter", particlefilterPTX, particlefilterCUDA},
		{"pathfinder", pathfinderPTX, pathfinderCUDA},
		{"proxy", proxyPTX, proxyCUDA},
		{"relax", relaxPTX, relaxCUDA},
		{"scan", scanPTX, scanCUDA},
		{"spmv", spmvPTX, spmvCUDA},
		{"srad1", srad1PTX, srad1CUDA},
		{"srad2", srad2PTX, srad2CUDA},
		{"streamcluster", streamclusterPTX, streamclusterCUDA},
		{"stringmatch", stringmatchPTX, stringmatchCUDA},
		{"transpose", transposePTX, transposeCUDA},
		{"vecadd", vecaddPTX, vecaddCUDA},
	}
}

// PTX returns the compiled kernels called name, nil if there are none.
func PTX(name string) []byte {
	for _, t := range texts() {
		if t.name == name {
			return []byte(t.ptx)
		}
	}
	return nil
}

// CUDA returns their source, nil if there is none.
func CUDA(name string) []byte {
	for _, t := range texts() {
		if t.name == name {
			return []byte(t.cuda)
		}
	}
	return nil
}
