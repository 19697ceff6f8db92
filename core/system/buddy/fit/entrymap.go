package fit

import "github.com/burstscope/burstscope/core/system/buddy/layout"

// mapCells are kept of all arrays together, and one more for each array [ours: 128 rows of 64].
const mapCells = 1 << 13

// Cell counts neighbouring entries by the sectors of their codes, over all snapshots.
type Cell [layout.EntryBytes/layout.SectorBytes + 1]uint32

// EntryMap says how large the entries of each array are, in the order of their addresses. Its size is
// bounded: with more data a cell stands for more entries.
type EntryMap struct {
	PerCell int // entries of a cell, a power of two
	Arrays  [][]Cell

	most, cells int
	array       int // that is being read
	entry       int // of it, next
}

func newEntryMap(most int) *EntryMap { return &EntryMap{PerCell: 1, most: most, array: -1} }

// add sees the next entry of an array.
func (m *EntryMap) add(array, bytes int) {
	if array != m.array {
		m.array, m.entry = array, 0
	}
	m.grow(array, m.entry/m.PerCell+1)
	m.Arrays[array][m.entry/m.PerCell][(bytes+layout.SectorBytes-1)/layout.SectorBytes]++
	m.entry++
	m.bound()
}

// grow gives an array a number of cells.
func (m *EntryMap) grow(array, cells int) {
	for len(m.Arrays) <= array {
		m.Arrays = append(m.Arrays, nil)
	}
	for len(m.Arrays[array]) < cells {
		m.Arrays[array] = append(m.Arrays[array], Cell{})
		m.cells++
	}
}

// bound makes cells larger until there are few enough.
func (m *EntryMap) bound() {
	for m.cells > m.most+len(m.Arrays) {
		m.coarsen()
	}
}

// coarsen makes one cell of two.
func (m *EntryMap) coarsen() {
	m.PerCell *= 2
	m.cells = 0
	for k, cells := range m.Arrays {
		half := cells[:(len(cells)+1)/2]
		for i := range half {
			c := cells[2*i]
			if 2*i+1 < len(cells) {
				c.add(&cells[2*i+1])
			}
			half[i] = c
		}
		m.Arrays[k] = half
		m.cells += len(half)
	}
}

func (c *Cell) add(o *Cell) {
	for s := range c {
		c[s] += o[s]
	}
}

// merge adds the map of another file: of the same arrays at another time, or of further arrays.
func (m *EntryMap) merge(o *EntryMap) {
	for m.PerCell < o.PerCell {
		m.coarsen()
	}
	for o.PerCell < m.PerCell {
		o.coarsen()
	}
	for k, cells := range o.Arrays {
		m.grow(k, len(cells))
		for i := range cells {
			m.Arrays[k][i].add(&cells[i])
		}
	}
	m.bound()
}
