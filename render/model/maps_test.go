package model

import (
	"math/rand/v2"
	"testing"
)

func testBlocks(n int, seed uint64) *Blocks {
	r := rand.New(rand.NewPCG(seed, 7))
	b := Blocks{Base: 0x10000, Count: n, MAGBytes: 32, Allocations: []Allocation{
		{Name: "input", Base: 0x10000, Bytes: 1000 * LineBytes, Safe: true},
		{Name: "table", Base: 0x10000 + 1010*LineBytes, Bytes: uint64(n-1010) * LineBytes},
	}}
	for range n {
		size := 10 + r.IntN(119)
		b.LosslessBits = append(b.LosslessBits, uint16(size*8))
		b.Bits = append(b.Bits, uint16(size*8))
		b.Bursts = append(b.Bursts, uint8((size+31)/32))
		b.Mode = append(b.Mode, []uint8{0, 1, 1, 2, ModeNever}[r.IntN(5)])
		b.Touches = append(b.Touches, uint16(r.IntN(9)))
	}
	return NewBlocks(b, int(seed))
}

func TestEveryBlockOfTheMapIsFoundWhereItStands(t *testing.T) {
	b := testBlocks(3000, 1)
	for _, size := range [][2]float64{{880, 560}, {390, 390}} {
		v := View{Tab: TabAddress, Blocks: [2]*Blocks{b}, Divider: 0.5}
		var s Scene
		v.Build(&s, size[0], size[1])
		seen := 0
		for i := range b.Count {
			x, y, ok := v.addresses.layout.place(i)
			if allocated := i < 1000 || i >= 1010; ok != allocated {
				t.Fatalf("block %d shown: %v", i, ok)
			}
			if !ok {
				continue
			}
			seen++
			if side, back, ok := v.BlockAt(x+v.addresses.layout.cell/2, y+v.addresses.layout.cell/2); !ok || back != i || side != 0 {
				t.Fatalf("block %d stands at %v,%v, where %d of side %d is found", i, x, y, back, side)
			}
		}
		if seen != 2990 {
			t.Errorf("%d blocks shown", seen)
		}
	}
}

func TestAllocationsBeginRowsOfTheirOwn(t *testing.T) {
	v := View{Tab: TabAddress, Blocks: [2]*Blocks{testBlocks(3000, 1)}}
	var s Scene
	v.Build(&s, 880, 560)
	labels := 0
	for _, p := range v.addresses.layout.pieces {
		if p.label != "" {
			labels++
			if p.first != 0 && p.first != 1010 {
				t.Errorf("%q begins at block %d", p.label, p.first)
			}
		}
	}
	if labels != 2 {
		t.Errorf("%d labels for 2 allocations", labels)
	}
	v.MapFirst, v.MapCount = 1024, 512
	v.Build(&s, 880, 560)
	if len(v.addresses.layout.pieces) == 0 || v.addresses.layout.pieces[0].first != 1024 || v.addresses.layout.cell < legibleCell {
		t.Errorf("zoomed: %+v, cells of %v", v.addresses.layout.pieces, v.addresses.layout.cell)
	}
}

func TestDividerSplitsEveryRowBetweenAAndB(t *testing.T) {
	v := View{Tab: TabAddress, Blocks: [2]*Blocks{testBlocks(3000, 1), testBlocks(3000, 2)}, Divider: 0.3}
	var s Scene
	v.Build(&s, 800, 500)
	w := v.addresses.layout.cell * blocksPerRow
	for _, p := range v.addresses.layout.pieces {
		for share, want := range map[float64]int{0.05: 0, 0.29: 0, 0.31: 1, 0.95: 1} {
			if side, block, ok := v.BlockAt(p.x+share*w, p.y+1); !ok || side != want || block < p.first {
				t.Errorf("at %v of a row: side %d, block %d", share, side, block)
			}
		}
	}
	v.Side = OnlyB
	v.Build(&s, 800, 500)
	if side, _, _ := v.BlockAt(20, 200); side != 1 {
		t.Error("B alone is not shown alone")
	}
}

func TestHistogramCountsWhatAThresholdMakesLossy(t *testing.T) {
	b := testBlocks(3000, 4)
	h := b.Histogram()
	for _, threshold := range []int{0, 1, 8, 16, 31} {
		want := 0
		for i := range b.Count {
			size := int(b.LosslessBits[i]) / 8
			over := size - size/32*32
			if b.Mode[i] != ModeNever && i < 1000 && size > 32 && size < 128 && over > 0 && over <= threshold {
				want++
			}
		}
		if got := h.Lossy(threshold); got != want {
			t.Errorf("threshold %d: %d blocks, counted %d", threshold, got, want)
		}
	}
	v := View{Tab: TabMAG, Blocks: [2]*Blocks{b}}
	var s Scene
	for bytes := range 33 {
		v.ThresholdBytes = bytes
		v.Build(&s, 700, 400)
		for _, target := range s.Targets {
			if got, ok := v.ThresholdAt(target.X + target.W/2); !ok || got != bytes {
				t.Errorf("the line at %d B is read as %d B", bytes, got)
			}
		}
	}
}

func TestBlocksWithListsOfUnequalLengthAreCut(t *testing.T) {
	b := NewBlocks(Blocks{Count: 10, Bits: make([]uint16, 4), Bursts: make([]uint8, 9), Mode: make([]uint8, 9), Touches: make([]uint16, 9)}, 1)
	if b.Count != 4 {
		t.Errorf("%d blocks of 4 known", b.Count)
	}
	v := View{Tab: TabAddress, Blocks: [2]*Blocks{b}, MapFirst: 1 << 40, MapCount: -3}
	var s Scene
	v.Build(&s, 300, 300)
}
