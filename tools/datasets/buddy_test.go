package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"testing"

	"github.com/burstscope/burstscope/assets/data"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/golden"
)

// buddyRow is a row of a name, the share of entries of each size that Buddy Compression knows, and the ratio.
func buddyRow(t *testing.T, name string, f *datafile.File) []string {
	t.Helper()
	c := profile.Collector{Bits: func(l *mem.Line) int { return bpc.Codec{}.SizeBits(l) }}
	if err := c.Add(f, func(int) error { return nil }); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	counts := &c.Allocs[0].Snapshots[0]
	row := []string{name}
	for _, n := range counts {
		row = append(row, fmt.Sprintf("%.1f", 100*float64(n)/float64(counts.Entries())))
	}
	return append(row, fmt.Sprintf("%.2f", float64(counts.Entries()*mem.LineBytes)/float64(max(counts.Bytes(), 1))))
}

// TestBuddyEntries: how large entries of real layers are under Buddy Compression's codec, beside those of the proxy of
// a network.
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
	for i := range tensors {
		if tensors[i].Kind != "weights" {
			continue
		}
		b, err := fs.ReadFile(data.Arrays, tensors[i].ID+arrayEnding)
		if err != nil {
			t.Fatal(err)
		}
		f, err := datafile.Open(bytes.NewReader(b), int64(len(b)), datafile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, buddyRow(t, tensors[i].ID, f))
	}
	name, mode, ok := programs.Proxy("BigLSTM")
	if !ok {
		t.Fatal("no proxy of BigLSTM")
	}
	p, err := programs.Build(name, programs.Params{Data: mode})
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		f, err := datafile.OfArrays([]datafile.Array{datafile.InMemory(b.Name, datafile.F32, b.Init)})
		if err != nil {
			continue // a buffer without data
		}
		rows = append(rows, buddyRow(t, name+":"+mode+":"+b.Name, f))
	}
	golden.Table(t, "../../assets/data/README.md", "buddy", header, rows)
}
