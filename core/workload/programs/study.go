package programs

import "slices"

// StudyRun is a program as studies of the papers run it: large enough that its figures do
// not depend on how a run starts and ends, or as large as in its suite.
type StudyRun struct {
	Program string
	Papers  string // whose studies use these data; "" for all of the program's
	Data    string
	Size    int
	// Limit says why the largest launch is less than StudyWaves waves, or the buffers are less
	// than StudyTimesL2 times L2; "" if neither is.
	Limit string
}

// The size of a study: waves of CTAs of the largest launch, and buffers over the L2 of
// 768 KB (SLC table II). A program is as large as in its suite if that takes at most 100
// million warp instructions.
const (
	StudyWaves   = 4
	StudyTimesL2 = 10
)

// StudyRuns returns the runs in the order of the table of programs.
func StudyRuns() []StudyRun { return slices.Clone(studyRuns) }

// StudyOf returns the study of a program for a paper, false if there is none.
func StudyOf(program, paper string) (StudyRun, bool) {
	for _, run := range studyRuns {
		if run.Program == program && (run.Papers == "" || run.Papers == paper) {
			return run, true
		}
	}
	return StudyRun{}, false
}

const atFullSize = "the size of the suite"

var studyRuns = []StudyRun{
	{"transpose", "", Suite, 1024, ""},
	{"dct", "", Suite, 1024, ""},
	{"blackscholes", "", Suite, 4000000, atFullSize + ": 480 CTAs take the options in turn"},
	{"nn", "", Suite, 20000000, ""},
	{"fwt", "SLC", Suite, 1 << 22, ""}, // of 2^23, which take 119 million
	{"fwt", "E2MC", "walsh8", 1 << 22, ""},
	{"srad1", "", Suite, 1024, ""},
	{"srad2", "", Suite, 1024, ""},
	{"backprop", "", Suite, 65536, ""},
	{"jmeint", "", Suite, 400000, ""},
	{"scan", "E2MC", "runs", 1 << 24, ""},
	{"convolution", "", Suite, 3072, ""},
	{"spmv", "", Suite, 65536, ""},
	{"hotspot", "", Suite, 1024, ""},
	{"pathfinder", "", Suite, 100000, ""},
	{"kmeans", "E2MC", Suite, 494020, ""},
	{"kmeans", "LATTE-CC", "connections", 494020, ""},
	{"bfs1", "", Suite, 1000000, ""},
	{"bfs2", "", Suite, 1 << 18, ""},
	{"sssp", "", Suite, 512, "a list of nodes is worked off by 16 CTAs"},
	{"pageviewcount", "", Suite, 1 << 17, ""},
	{"pageviewrank", "", Suite, 1 << 18, ""},
	{"binomial", "", Suite, 384, "a tree lies in shared memory: the program is bound by arithmetic"},
	{"libor", "", Suite, 32768, "rates lie in local memory, 3.5 kB a thread"},
	{"heartwall", "", Suite, 51, atFullSize + ": one CTA a point"},
	{"mummer", "", Suite, 100000, ""},
	{"particlefilter", "", Suite, 2000, atFullSize + ": few particles"},
	{"similarity", "", Suite, 1024, atFullSize},
	{"mapmatmul", "", Suite, 768, ""}, // of 1024, which take 101 million
	{"floydwarshall", "", Suite, 256, atFullSize},
	{"betweenness", "", Suite, 64, "the graph of the suite has 1024 nodes, one thread each"},
	{"independentset", "", Suite, 1000, ""},
	{"colouring", "", Suite, 1000, ""},
	{"pagerank", "", Suite, 299067, ""},
	{"dijkstra", "", Suite, 512, ""},
	{"needleman", "", Suite, 1024, atFullSize + ": 16 threads a CTA"},
	{"streamcluster", "", Suite, 65536, atFullSize},
	{"bplustree", "", Suite, 1000000, ""},
	{"wordcount", "", Suite, 86, atFullSize},
	{"stringmatch", "", Suite, 16384, atFullSize + ": a thread takes 1024 characters"},
	{"gaussian", "", Suite, 512, atFullSize + ": one thread a column"},
	{"sradreduce", "", Suite, 512, ""},
	{"sradupdate", "", Suite, 512, ""},
}
