package rfvp

import "github.com/burstscope/burstscope/core/tape"

// table holds the rows of a predictor, in sets with LRU replacement. A row belongs to a
// load of a warp. The fields of a row lie in lists of their own.
type table struct {
	config Config
	sets   uint32
	tag    []uint64 // of each row; 0 = the row is free
	used   []uint64 // when it was last used
	last   []uint64 // of each group of a row: the last value
	stride []stride // of each group of a row
	gap    []uint32 // of each group of a row: the first word of the group's part of a line
	stamp  uint64
	// followers is the second table of DFCM; nil for the other kinds.
	followers *followers
}

func newTable(c Config) table {
	n := c.Entries * c.Groups
	t := table{
		config: c, sets: uint32(c.Entries / c.Ways), tag: make([]uint64, c.Entries), used: make([]uint64, c.Entries),
		last: make([]uint64, n), stride: make([]stride, n), gap: make([]uint32, n),
	}
	if c.Kind == DFCM {
		t.followers = newFollowers(n)
	}
	return t
}

// tagOf returns the tag {warp, PC}; it is never 0.
func tagOf(warp uint8, pc uint32) uint64 { return 1<<63 | uint64(warp)<<32 | uint64(pc) }

// first returns the first row of a set. The index is the PC plus the warp, modulo the sets
// [ours; the paper hashes the PC]: then the warps of one load lie in different sets.
func (t *table) first(warp uint8, pc uint32) int {
	return int((uint64(pc)+uint64(warp))%uint64(t.sets)) * t.config.Ways
}

// find returns the row of a load, -1 if it has none.
func (t *table) find(warp uint8, pc uint32) int {
	tag := tagOf(warp, pc)
	first := t.first(warp, pc)
	for i := first; i < first+t.config.Ways; i++ {
		if t.tag[i] == tag {
			return i
		}
	}
	return -1
}

// touch makes a row the most recently used one.
func (t *table) touch(row int) {
	t.stamp++
	t.used[row] = t.stamp
}

// claim returns the row of a load, or gives it the least recently used row of its set.
func (t *table) claim(warp uint8, pc uint32) (row int, isNew bool) {
	if row = t.find(warp, pc); row >= 0 {
		return row, false
	}
	first := t.first(warp, pc)
	row = first
	for i := first + 1; i < first+t.config.Ways; i++ {
		if t.used[i] < t.used[row] {
			row = i
		}
	}
	t.tag[row] = tagOf(warp, pc)
	return row, true
}

func (t *table) state(p *tape.Tape) {
	tape.Values(p, t.tag)
	tape.Values(p, t.used)
	tape.Values(p, t.last)
	tape.Values(p, t.stride)
	tape.Values(p, t.gap)
	tape.Value(p, &t.stamp)
	if t.followers != nil {
		t.followers.state(p)
	}
}
