package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/assets/data"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/golden"
)

// entriesOf counts the entries of arrays by their size under Buddy Compression's codec.
func entriesOf(t *testing.T, arrays ...datafile.Array) (sum profile.Counts) {
	t.Helper()
	for i := range arrays {
		f, err := datafile.OfArrays(arrays[i : i+1])
		if err != nil {
			t.Fatal(err)
		}
		c := profile.Collector{Bits: func(l *mem.Line) int { return bpc.Codec{}.SizeBits(l) }}
		if err := c.Add(f, func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		for k, n := range c.Allocs[0].Snapshots[0] {
			sum[k] += n
		}
	}
	return sum
}

// buddyRow is a row of a name, the share of entries of each size that Buddy Compression knows, and the ratio.
func buddyRow(name string, counts *profile.Counts) []string {
	row := []string{name}
	for _, n := range counts {
		row = append(row, fmt.Sprintf("%.1f", 100*float64(n)/float64(counts.Entries())))
	}
	if counts.Bytes() == 0 {
		return append(row, "only zeros")
	}
	return append(row, fmt.Sprintf("%.2f", ratioOf(counts)))
}

func ratioOf(counts *profile.Counts) float64 {
	return float64(counts.Entries()*mem.LineBytes) / float64(max(counts.Bytes(), 1))
}

// ofNetworks are the kinds of arrays of networks.
var ofNetworks = []string{"weights", "activations", "cache of keys and values"}

// Real arrays that stand for arrays of the proxies of networks: dense weights, and activations in f32 after ReLU.
var (
	buddyWeights     = layersF32
	buddyActivations = []string{"ocr-relu", "ocr-relu-2"}
)

// TestBuddyEntries: how large entries of real layers are under Buddy Compression's codec, beside those of the proxies
// of networks, and what the proxies' ratios become with the entries of real weights and activations.
func TestBuddyEntries(t *testing.T) {
	header := []string{"array"}
	for _, size := range profile.Sizes {
		header = append(header, fmt.Sprintf("%d B", size))
	}
	header = append(header, "ratio")
	var rows [][]string
	_, tensors, err := lists(data.Lists)
	if err != nil {
		t.Fatal(err)
	}
	real := map[string]*profile.Counts{}
	for i := range tensors {
		if id := tensors[i].ID; slices.Contains(ofNetworks, tensors[i].Kind) {
			counts := entriesOf(t, *opened(t, id))
			real[id] = &counts
			rows = append(rows, buddyRow(id, &counts))
		}
	}
	pool := func(ids []string) float64 {
		var sum profile.Counts
		for _, id := range ids {
			for k, n := range real[id] {
				sum[k] += n
			}
		}
		return ratioOf(&sum)
	}
	stand := map[string]float64{"weights": pool(buddyWeights), "activations": pool(buddyActivations)}
	var networks [][]string
	seen := map[string]bool{}
	info, err := programs.Describe("dlproxy")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range info.DataModes {
		p, err := programs.Build("dlproxy", programs.Params{Data: mode, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		var bytes float64
		drawn, withWeights, withBoth := 0.0, 0.0, 0.0 // compressed bytes
		for i := range p.Buffers {
			b := &p.Buffers[i]
			counts := entriesOf(t, datafile.InMemory(b.Name, datafile.F32, b.Init))
			if !seen[b.Name] {
				seen[b.Name] = true
				rows = append(rows, buddyRow("dlproxy:"+mode+":"+b.Name, &counts))
			}
			size := float64(b.Bytes)
			own := size / ratioOf(&counts)
			bytes, drawn = bytes+size, drawn+own
			weights, both := own, own
			if r, ok := stand[b.Name]; ok {
				both = size / r
				if b.Name == "weights" {
					weights = both
				}
			}
			withWeights, withBoth = withWeights+weights, withBoth+both
		}
		row := []string{mode}
		for _, compressed := range []float64{drawn, withWeights, withBoth} {
			row = append(row, fmt.Sprintf("%.2f", bytes/compressed))
		}
		networks = append(networks, row)
	}
	golden.Table(t, "../../assets/data/README.md", "buddy", header, rows)
	golden.Table(t, "../../assets/data/README.md", "networks", []string{"proxy", "as drawn", "with real weights",
		"with real weights and activations"}, networks)
}
