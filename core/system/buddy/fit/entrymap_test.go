package fit

import (
	"math/rand/v2"
	"testing"
)

// TestEntryMap: a map that grows and halves its resolution counts what a slow map with the final size of cells
// counts, over files with the same arrays and with further ones.
func TestEntryMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 8, 16, 32, 64, 80, 96, 128}
	for range 200 {
		const most = 40
		m := newEntryMap(most)
		lengths := []int{rnd.IntN(300), 0, 1 + rnd.IntN(40), rnd.IntN(3)}
		var seen [][][]int // of each array, entry and file: the size
		for range lengths {
			seen = append(seen, nil)
		}
		for _, arrays := range [][]int{{0, 1}, {0, 1}, {2, 3}} {
			file := newEntryMap(most)
			for _, k := range arrays {
				var list []int
				for range lengths[k] {
					size := sizes[rnd.IntN(len(sizes))]
					list = append(list, size)
					file.add(k, size)
				}
				seen[k] = append(seen[k], list)
			}
			m.merge(file)
		}
		cells := 0
		for k, files := range seen {
			want := make([]Cell, (lengths[k]+m.PerCell-1)/m.PerCell)
			for _, list := range files {
				for i, size := range list {
					sectors := 0
					for sectors*32 < size {
						sectors++
					}
					want[i/m.PerCell][sectors]++
				}
			}
			var got []Cell
			if k < len(m.Arrays) {
				got = m.Arrays[k]
			}
			if len(got) != len(want) {
				t.Fatalf("array %d of %d entries, %d a cell: %d cells", k, lengths[k], m.PerCell, len(got))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("array %d, cell %d of %d entries: %v, want %v", k, i, m.PerCell, got[i], want[i])
				}
			}
			cells += len(got)
		}
		if cells > most+len(lengths) || m.PerCell > 1 && 2*cells+len(lengths) < most {
			t.Fatalf("%d cells of %d entries, for arrays of %v", cells, m.PerCell, lengths)
		}
	}
}
