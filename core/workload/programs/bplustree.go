package programs

import (
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/workload"
)

// bplusTree is BT: b+tree of the Rodinia suite.
var bplusTree = definition{
	info: Info{
		Name: "bplustree", Title: "Searches in a B+ tree",
		Doc: "Each CTA searches one key, or the ends of a range of keys, in a tree whose nodes hold up to 256 keys; each thread compares one " +
			"key (BT of LATTE-CC). One search for each 100 keys, six ranges for each 1000 and ranges of three keys for each 1000, as in the suite, which has 1 M keys. Data `numbers` (also named " +
			"`suite`, which reads a file): all numbers up to the size, nodes 69 of 100 full, as after insertions in random order. Nothing is approximated.",
		Sizes: []int{16384, 65536, 1000000}, DefaultSize: 65536, FullSize: 1000000, SizeLabel: "keys",
		DataModes: []string{"numbers", Suite},
	},
	aliases: []string{"bt"},
	number:  38, file: "bplustree", metric: workload.MetricMissRate, suite: "numbers",
	size:  sizeRule{min: 1000, max: 1 << 20, step: 1},
	build: buildBplusTree,
}

const (
	treeOrder = 256                     // ORDER of bplustree.cu
	treeFill  = treeOrder * 69 / 100    // ln 2 of the places
	treeWords = 1 + 2*(treeOrder+1) + 2 // of Node in bplustree.cu
	treeKeys  = 1 + (treeOrder + 1)     // where its keys begin
	treeMax   = math.MaxInt32           // after the last key
	treeMin   = math.MinInt32           // before the first key of a node that is no leaf
)

func buildBplusTree(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	nodes, height := bulkTree(n)
	order, choice := r.rand(0), r.rand(1)
	records := make([]int32, n)
	for i := range records {
		records[i] = int32(order.Uint32() >> 1)
	}
	searches, ranges, width := n/100, 6*n/1000, 3*n/1000
	keys, starts, ends := make([]int32, searches), make([]int32, ranges), make([]int32, ranges)
	for i := range keys {
		keys[i] = int32(choice.Intn(n))
	}
	for i := range starts {
		starts[i] = int32(choice.Intn(n - width))
		ends[i] = starts[i] + int32(width)
	}
	state := func(name string, n int) workload.Buffer {
		return workload.Buffer{Name: name, Bytes: uint64(8 * n), Element: workload.ElementS64}
	}
	buffers := []workload.Buffer{
		s32("knodesD", len(nodes), nodes),
		s32("recordsD", n, records),
		state("currKnodeD", searches), state("offsetD", searches),
		s32("keysD", searches, keys),
		s32("ansD", searches, slices.Repeat([]int32{-1}, searches)).AsOutput(),
		state("currKnodeD2", ranges), state("offsetD2", ranges), state("lastKnodeD", ranges), state("offset_2D", ranges),
		s32("startD", ranges, starts), s32("endD", ranges, ends),
		s32("RecstartD", ranges, nil).AsOutput(), s32("ReclenD", ranges, nil).AsOutput(),
	}
	find := over("tree_find", searches*treeOrder, treeOrder, args{0, 1, 2, 3, 4, 5})
	find.Args = slices.Insert(find.Args, 1, workload.S32(int32(height)))
	within := over("tree_range", ranges*treeOrder, treeOrder, args{0, 6, 7, 8, 9, 10, 11, 12, 13})
	within.Args = slices.Insert(within.Args, 1, workload.S32(int32(height)))
	return buffers, []workload.Launch{find, within}
}

// bulkTree makes the nodes of a tree of the keys 0 to n - 1, the root first, level by level.
// height is the number of levels above the leaves.
func bulkTree(n int) (nodes []int32, height int) {
	count := []int{(n + treeFill - 1) / treeFill} // nodes of each level, leaves first
	for count[0] > 1 {
		count = slices.Insert(count, 0, (count[0]+treeFill-1)/treeFill)
	}
	height = len(count) - 1
	first, reach := 0, treeFill // number of the level's first node, keys below one of its nodes
	for range height {
		reach *= treeFill
	}
	for level, nodesHere := range count {
		below := first + nodesHere
		for k := range nodesHere {
			node := make([]int32, treeWords)
			node[0] = int32(first + k)
			for i := range treeOrder + 1 {
				key := k*reach + i*(reach/treeFill)
				node[1+i], node[treeKeys+i] = -1, treeMax
				if i >= treeFill || key >= n {
					continue
				}
				node[treeKeys+i] = int32(key)
				if level < height {
					node[1+i] = int32(below + k*treeFill + i)
				} else {
					node[1+i] = int32(key) // the record of the key
				}
				node[treeWords-1]++
			}
			if level < height {
				node[treeKeys] = treeMin
			} else {
				node[treeWords-2] = 1
			}
			nodes = append(nodes, node...)
		}
		first, reach = below, reach/treeFill
	}
	return nodes, height
}
