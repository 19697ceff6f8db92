package programs

import (
	"bytes"
	"slices"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// mummer is MUM: mummergpu of the Rodinia suite.
var mummer = definition{
	info: Info{
		Name: "mummer", Title: "DNA matching",
		Doc: "Each thread follows a string of 25 bases down the suffix tree of a reference: chains of nodes of 16 bytes, spread over memory " +
			"(MUM of E2MC). The reference has at least 8 bases for each string, at most 2^20; matches shorter than 20 do not count, as " +
			"in MUMmer. Every search starts at the root, without suffix links. Data `repeats`: random bases with copied segments; strings " +
			"are pieces of the reference with 1 base in 50 changed, and 1 string in 10 is random; `suite`: exact pieces of a random reference with the share of C and G of Bacillus anthracis, " +
			"whose genome the suite reads. Nothing is approximated.",
		Sizes: []int{1024, 4096, 8192, 32768}, DefaultSize: 8192, FullSize: 100000, SizeLabel: "strings",
		DataModes: []string{"repeats", Suite},
	},
	aliases: []string{"mum"},
	number:  20, file: "mummer", metric: workload.MetricMissRate,
	size:  sizeRule{min: 32, max: 1 << 17, step: 1},
	build: buildMummer,
}

const (
	mummerThreads       = 256
	mummerLength        = 25 // bases of a string
	mummerLeast         = 20 // -l of MUMmer, its default
	mummerBasesAString  = 8
	mummerLeastBases    = 4096
	mummerMostBases     = 1 << 20
	mummerChangedOneIn  = 50
	mummerForeignOneIn  = 10
	mummerRepeatedOneIn = 4 // segments of the reference
	mummerSegment       = 256
)

// bases in the order in which mummer.cu numbers them, (c >> 1) & 3.
const bases = "ACTG"

func buildMummer(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	letters, samples := r.rand(0), r.rand(1)
	length := mummerLeastBases
	for length < n*mummerBasesAString && length < mummerMostBases {
		length *= 2
	}
	var reference []byte
	if r.data == Suite {
		reference = anthracis(&letters, length)
	} else {
		reference = genome(&letters, length)
	}
	queries := make([]byte, 0, n*mummerLength)
	for range n {
		if r.data == Suite { // genreads.py
			at := samples.Intn(length - mummerLength + 1)
			queries = append(queries, reference[at:at+mummerLength]...)
			continue
		}
		if samples.Intn(mummerForeignOneIn) == 0 {
			for range mummerLength {
				queries = append(queries, bases[samples.Intn(4)])
			}
			continue
		}
		at := samples.Intn(length - mummerLength)
		for _, b := range reference[at : at+mummerLength] {
			if samples.Intn(mummerChangedOneIn) == 0 {
				b = bases[samples.Intn(4)]
			}
			queries = append(queries, b)
		}
	}
	tree := newSuffixTree(reference)
	starts := mummerLength - mummerLeast + 1
	buffers := []workload.Buffer{
		s32("d_nodes", len(tree.nodes), tree.nodes),
		s32("d_children", len(tree.children), tree.children),
		u8("d_ref", length, reference),
		u8("d_queries", len(queries), queries),
		s32("d_match_lengths", n*starts, nil).AsOutput(),
		s32("d_match_places", n*starts, nil).AsOutput(),
	}
	return buffers, []workload.Launch{{
		Entry: "mummer", Grid: line(int(blocks(n, mummerThreads))), Block: line(mummerThreads),
		Args: []workload.Arg{
			workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.BufferArg(3), workload.U32(mummerLength), workload.U32(mummerLeast), workload.BufferArg(4), workload.BufferArg(5), workload.U32(uint32(n)),
		},
	}}
}

// genome draws bases in segments, some of which are copies of earlier ones.
func genome(rnd *sim.Rand, length int) []byte {
	reference := make([]byte, 0, length)
	for len(reference) < length {
		if len(reference) > mummerSegment && rnd.Intn(mummerRepeatedOneIn) == 0 {
			at := rnd.Intn(len(reference) - mummerSegment)
			reference = append(reference, reference[at:at+mummerSegment]...)
			continue
		}
		for range mummerSegment {
			reference = append(reference, bases[rnd.Intn(4)])
		}
	}
	return reference[:length]
}

// anthracis draws independent bases. 354 of 1000 in the genome of Bacillus anthracis are C
// or G (GenBank NC_003997.3).
func anthracis(rnd *sim.Rand, length int) []byte {
	reference := make([]byte, length)
	for i := range reference {
		pair := "AT"
		if rnd.Intn(1000) < 354 {
			pair = "CG"
		}
		reference[i] = pair[rnd.Intn(2)]
	}
	return reference
}

// suffixTree has the layout that mummer.cu reads: 4 words a node in both arrays.
type suffixTree struct {
	text            []byte
	nodes, children []int32
}

// newSuffixTree makes the tree from the sorted suffixes. Each suffix is attached where it
// differs from the previous suffix, on the path of that suffix.
func newSuffixTree(text []byte) *suffixTree {
	sorted := make([]int32, len(text))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(a, b int32) int { return bytes.Compare(text[a:], text[b:]) })
	common := commonPrefixes(text, sorted)
	t := &suffixTree{text: text}
	path := []int32{t.add(0, 0)} // from the root to the previous suffix
	for i, suffix := range sorted {
		last := int32(0)
		for t.depth(path[len(path)-1]) > common[i] {
			last = path[len(path)-1]
			path = path[:len(path)-1]
		}
		if top := path[len(path)-1]; t.depth(top) < common[i] { // they differ in the middle of an edge
			fork := t.add(suffix, common[i])
			t.link(top, fork)
			t.link(fork, last)
			path = append(path, fork)
		}
		leaf := t.add(suffix, int32(len(text))-suffix)
		t.link(path[len(path)-1], leaf)
		path = append(path, leaf)
	}
	return t
}

// Words of a node.
const (
	nodeEdgeStart = iota
	nodeEdgeEnd
	nodePlace
	nodeDepth
	nodeWords
)

func (t *suffixTree) depth(node int32) int32 { return t.nodes[nodeWords*node+nodeDepth] }

func (t *suffixTree) add(place, depth int32) int32 {
	t.nodes = append(t.nodes, 0, 0, place, depth)
	t.children = append(t.children, 0, 0, 0, 0)
	return int32(len(t.nodes)/nodeWords) - 1
}

// link attaches a node below another and replaces the child with the same first base.
func (t *suffixTree) link(parent, child int32) {
	n := t.nodes[nodeWords*child:]
	n[nodeEdgeStart], n[nodeEdgeEnd] = n[nodePlace]+t.depth(parent), n[nodePlace]+n[nodeDepth]
	t.children[4*parent+int32(t.text[n[nodeEdgeStart]]>>1&3)] = child
}

// commonPrefixes returns the length of the common prefix of each sorted suffix and the
// previous one (Kasai et al., CPM 2001).
func commonPrefixes(text []byte, sorted []int32) []int32 {
	rank, common := make([]int32, len(sorted)), make([]int32, len(sorted))
	for i, s := range sorted {
		rank[s] = int32(i)
	}
	same := 0
	for s := range text {
		if rank[s] == 0 {
			same = 0
			continue
		}
		before := int(sorted[rank[s]-1])
		for s+same < len(text) && before+same < len(text) && text[s+same] == text[before+same] {
			same++
		}
		common[rank[s]] = int32(same)
		same = max(same-1, 0)
	}
	return common
}
