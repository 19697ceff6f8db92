package e2mc

import (
	"container/heap"
	_ "embed"
	"encoding/json"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// heapNode and nodeHeap are the slow twin: the heap keyed (frequency, creation
// order) as the description has it.
type heapNode struct {
	freq        uint64
	order       int
	left, right *heapNode
}

type nodeHeap []*heapNode

func (h nodeHeap) Len() int { return len(h) }
func (h nodeHeap) Less(i, j int) bool {
	return h[i].freq < h[j].freq || h[i].freq == h[j].freq && h[i].order < h[j].order
}
func (h nodeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *nodeHeap) Push(x any)   { *h = append(*h, x.(*heapNode)) }
func (h *nodeHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}

func slowLengths(freqs []uint64) []uint8 {
	var h nodeHeap
	for i, f := range freqs {
		heap.Push(&h, &heapNode{freq: max(f, 1), order: i})
	}
	for order := len(freqs); h.Len() > 1; order++ {
		a := heap.Pop(&h).(*heapNode)
		b := heap.Pop(&h).(*heapNode)
		heap.Push(&h, &heapNode{a.freq + b.freq, order, a, b})
	}
	lengths := make([]uint8, len(freqs))
	var walk func(n *heapNode, depth uint8)
	walk = func(n *heapNode, depth uint8) {
		if n.left == nil {
			lengths[n.order] = max(depth, 1)
			return
		}
		walk(n.left, depth+1)
		walk(n.right, depth+1)
	}
	walk(h[0], 0)
	return lengths
}

func cost(freqs []uint64, lengths []uint8) uint64 {
	total := uint64(0)
	for i, f := range freqs {
		total += f * uint64(lengths[i])
	}
	return total
}

func TestHuffmanAgainstHeap(t *testing.T) {
	rng := sim.NewRand(3, 3)
	for trial := range 400 {
		freqs := make([]uint64, 1+rng.Intn(1+trial))
		spread := uint(rng.Intn(30))
		for i := range freqs {
			freqs[i] = uint64(rng.Uint32() >> (31 - spread))
		}
		got, _, err := HuffmanLengths(freqs, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := slowLengths(freqs); !slices.Equal(got, want) {
			t.Fatalf("frequencies %v: lengths %v, want %v", freqs, got, want)
		}
	}
}

// lengthVector is a worked example of the length limit.
type lengthVector struct {
	Freqs            []uint64 `json:"freqs"`
	Limit            int      `json:"limit"`
	NaturalCost      uint64   `json:"natural_cost"`
	AdjustT          uint64   `json:"adjust_T"`
	AdjustCost       uint64   `json:"adjust_cost"`
	PackageMergeCost uint64   `json:"package_merge_cost"`

	RawNatural []int `json:"natural_lengths"`
	RawAdjust  []int `json:"adjust_lengths"`
}

func bytesOf(v []int) []uint8 {
	var out []uint8
	for _, x := range v {
		out = append(out, uint8(x))
	}
	return out
}

func (v *lengthVector) check(t *testing.T, name string) {
	t.Helper()
	natural, _, err := HuffmanLengths(v.Freqs, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := cost(v.Freqs, natural); got != v.NaturalCost {
		t.Errorf("%s: natural cost %d, want %d", name, got, v.NaturalCost)
	}
	if v.RawNatural != nil && !slices.Equal(natural, bytesOf(v.RawNatural)) {
		t.Errorf("%s: natural lengths %v, want %v", name, natural, v.RawNatural)
	}
	limited, floor, err := HuffmanLengths(v.Freqs, v.Limit)
	if err != nil {
		t.Fatal(err)
	}
	if floor != v.AdjustT || cost(v.Freqs, limited) != v.AdjustCost {
		t.Errorf("%s: floor %d, cost %d, want %d, %d", name, floor, cost(v.Freqs, limited), v.AdjustT, v.AdjustCost)
	}
	if v.RawAdjust != nil && !slices.Equal(limited, bytesOf(v.RawAdjust)) {
		t.Errorf("%s: limited lengths %v, want %v", name, limited, v.RawAdjust)
	}
	optimal, err := PackageMergeLengths(v.Freqs, v.Limit)
	if err != nil {
		t.Fatal(err)
	}
	if got := cost(v.Freqs, optimal); got != v.PackageMergeCost {
		t.Errorf("%s: package-merge cost %d, want %d", name, got, v.PackageMergeCost)
	}
	if longest := slices.Max(optimal); int(longest) > v.Limit {
		t.Errorf("%s: package-merge codeword of %d bits above the limit of %d", name, longest, v.Limit)
	}
}

func TestLengthLimitEmbeddedVectors(t *testing.T) {
	fib := lengthVector{
		Freqs: []uint64{1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987}, Limit: 8,
		NaturalCost: 6745, AdjustT: 11, AdjustCost: 6779, PackageMergeCost: 6752,
		RawNatural: []int{15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
		RawAdjust:  []int{7, 7, 7, 7, 7, 7, 6, 6, 6, 5, 4, 4, 3, 3, 2, 2},
	}
	fib.check(t, "fibonacci16 at 8 bits")
	flat := lengthVector{Freqs: slices.Repeat([]uint64{5}, 17), Limit: 8, NaturalCost: 350, AdjustT: 1, AdjustCost: 350, PackageMergeCost: 350}
	flat.check(t, "flat17 at 8 bits")
	powers := lengthVector{Limit: 20, NaturalCost: 33554405, AdjustT: 16, AdjustCost: 33554476, PackageMergeCost: 33554476}
	for i := range 24 {
		powers.Freqs = append(powers.Freqs, 1<<i)
	}
	powers.check(t, "powers of two at 20 bits")
}

// lengthText holds code lengths under a limit, made by an independent program.
//
//go:embed testdata/huffman.json
var lengthText string

func TestLengthLimitVectors(t *testing.T) {
	var vectors map[string]*lengthVector
	if err := json.Unmarshal([]byte(lengthText), &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 7 {
		t.Fatalf("%d vectors, want 7", len(vectors))
	}
	for name, v := range vectors {
		v.check(t, name)
	}
}

func TestLengthsRefuseWhatCannotFit(t *testing.T) {
	if _, _, err := HuffmanLengths(make([]uint64, 17), 4); err == nil {
		t.Error("17 symbols in 4 bits accepted")
	}
	if _, err := PackageMergeLengths(make([]uint64, 17), 4); err == nil {
		t.Error("17 symbols in 4 bits accepted by package-merge")
	}
	if _, _, err := HuffmanLengths(nil, 4); err == nil {
		t.Error("no symbols accepted")
	}
	if got, err := PackageMergeLengths(make([]uint64, 16), 4); err != nil || slices.Max(got) != 4 || slices.Min(got) != 4 {
		t.Errorf("16 symbols in 4 bits: %v, %v", got, err)
	}
}
