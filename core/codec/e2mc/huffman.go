package e2mc

import (
	"fmt"
	"slices"
)

// HuffmanLengths returns the code length of every symbol whose frequency is in
// freqs, none above limitBits. The tree is the one a heap keyed by (frequency,
// creation order) gives, leaves created in slice order. The limit is kept by
// E2MC's minimum probability (section III-B2b): every frequency is raised to
// floor, and floor grows until the tree is shallow enough. A limit of 0 is none.
func HuffmanLengths(freqs []uint64, limitBits int) (lengths []uint8, floor uint64, err error) {
	if len(freqs) == 0 {
		return nil, 0, fmt.Errorf("e2mc: no symbols to build a code for: count at least one block first")
	}
	if limitBits != 0 && (limitBits > 63 || len(freqs) > 1<<limitBits) {
		return nil, 0, fmt.Errorf("e2mc: %d symbols do not fit codewords of at most %d bits: raise the limit or keep fewer values", len(freqs), limitBits)
	}
	b := newTreeBuilder(len(freqs))
	floored := make([]uint64, len(freqs))
	floor = 1
	var total uint64
	for _, f := range freqs {
		total += max(f, 1)
	}
	for round := 0; ; round++ {
		for i, f := range freqs {
			floored[i] = max(f, floor)
		}
		depth := b.build(floored)
		if limitBits == 0 || depth <= limitBits {
			break
		}
		if round == 0 {
			floor = max(floor+1, (total+1<<limitBits-1)>>limitBits)
		} else {
			floor += max(1, floor/8)
		}
	}
	lengths = make([]uint8, len(freqs))
	for i := range lengths {
		if b.depth[i] > 255 {
			return nil, 0, fmt.Errorf("e2mc: a codeword of %d bits: set a length limit", b.depth[i])
		}
		lengths[i] = uint8(b.depth[i])
	}
	return lengths, floor, nil
}

// treeBuilder merges with two queues instead of a heap: leaves sorted once by
// (frequency, order), inner nodes in the order they are made, whose frequencies
// never fall. Taking the leaf on a tie is what the heap's creation order does.
type treeBuilder struct {
	leaves []int
	freq   []uint64 // leaves first, then inner nodes
	parent []int
	depth  []int
}

func newTreeBuilder(n int) *treeBuilder {
	return &treeBuilder{
		leaves: make([]int, n),
		freq:   make([]uint64, 2*n-1),
		parent: make([]int, 2*n-1),
		depth:  make([]int, 2*n-1),
	}
}

// build fills depth and returns the greatest depth of a leaf.
func (b *treeBuilder) build(freqs []uint64) int {
	n := len(freqs)
	if n == 1 {
		b.depth[0] = 1 // a lone symbol still needs a bit to be told
		return 1
	}
	copy(b.freq, freqs)
	for i := range b.leaves {
		b.leaves[i] = i
	}
	slices.SortStableFunc(b.leaves, func(x, y int) int {
		switch {
		case freqs[x] < freqs[y]:
			return -1
		case freqs[x] > freqs[y]:
			return 1
		}
		return 0
	})
	leaf, inner := 0, n
	for made := n; made < len(b.freq); made++ {
		sum := uint64(0)
		for range 2 {
			take := inner
			if leaf < n && (inner == made || b.freq[b.leaves[leaf]] <= b.freq[inner]) {
				take = b.leaves[leaf]
				leaf++
			} else {
				inner++
			}
			b.parent[take] = made
			sum += b.freq[take]
		}
		b.freq[made] = sum
	}
	root := len(b.freq) - 1
	b.depth[root] = 0
	deepest := 0
	for i := root - 1; i >= 0; i-- {
		b.depth[i] = b.depth[b.parent[i]] + 1
		if i < n {
			deepest = max(deepest, b.depth[i])
		}
	}
	return deepest
}

// PackageMergeLengths returns optimal code lengths under the limit (Larmore and
// Hirschberg, JACM 37(3), 1990): the alternative to E2MC's minimum probability,
// cheaper by a few ppm to half a percent where the limit binds at all.
func PackageMergeLengths(freqs []uint64, limitBits int) ([]uint8, error) {
	n := len(freqs)
	if n == 0 {
		return nil, fmt.Errorf("e2mc: no symbols to build a code for: count at least one block first")
	}
	if limitBits < 1 || limitBits > 63 || n > 1<<limitBits {
		return nil, fmt.Errorf("e2mc: %d symbols do not fit codewords of at most %d bits: raise the limit or keep fewer values", n, limitBits)
	}
	lengths := make([]uint8, n)
	if n == 1 {
		lengths[0] = 1
		return lengths, nil
	}
	// Coins: the first n are the leaves in rising frequency, the rest packages
	// of two coins.
	type coin struct {
		freq uint64
		a, b int // the two coins of a package, or the symbol in a and b = -1
	}
	coins := make([]coin, n, n*(limitBits+1))
	for i, f := range freqs {
		coins[i] = coin{max(f, 1), i, -1}
	}
	slices.SortStableFunc(coins, func(x, y coin) int {
		switch {
		case x.freq < y.freq:
			return -1
		case x.freq > y.freq:
			return 1
		}
		return 0
	})
	row := make([]int, n)
	for i := range row {
		row[i] = i
	}
	for level := 1; level < limitBits; level++ {
		next := make([]int, 0, 2*n)
		leaf := 0
		for i := 0; i+1 < len(row); i += 2 {
			p := coin{coins[row[i]].freq + coins[row[i+1]].freq, row[i], row[i+1]}
			for leaf < n && coins[leaf].freq <= p.freq {
				next = append(next, leaf)
				leaf++
			}
			coins = append(coins, p)
			next = append(next, len(coins)-1)
		}
		for ; leaf < n; leaf++ {
			next = append(next, leaf)
		}
		row = next
	}
	var spend func(c int)
	spend = func(c int) {
		if coins[c].b < 0 {
			lengths[coins[c].a]++
			return
		}
		spend(coins[c].a)
		spend(coins[c].b)
	}
	for _, c := range row[:2*n-2] {
		spend(c)
	}
	return lengths, nil
}
