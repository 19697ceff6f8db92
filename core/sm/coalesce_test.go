package sm

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// slowSplit is the twin of coalesced.split: lane by lane, a line at a time.
func slowSplit(a *ptx.Access) (order []mem.Addr, lanes map[mem.Addr]uint32) {
	lanes = map[mem.Addr]uint32{}
	for i := 0; i < ptx.MaxLanes; i++ {
		if a.Mask>>i&1 == 0 {
			continue
		}
		line := a.Addr[i] / mem.LineBytes * mem.LineBytes
		if _, seen := lanes[line]; !seen {
			order = append(order, line)
		}
		lanes[line] |= 1 << i
	}
	return order, lanes
}

func patterns(r *sim.Rand, size uint64) map[string]func(i int) uint64 {
	base := mem.DefaultBase + uint64(r.Intn(64))*size
	stride := uint64(r.Intn(40)) * size
	return map[string]func(int) uint64{
		"consecutive": func(i int) uint64 { return base + uint64(i)*size },
		"reversed":    func(i int) uint64 { return base + uint64(31-i)*size },
		"same":        func(int) uint64 { return base },
		"strided":     func(i int) uint64 { return base + uint64(i)*stride },
		"random":      func(int) uint64 { return mem.DefaultBase + uint64(r.Intn(1<<12))*size },
		"pairs":       func(i int) uint64 { return base + uint64(i/2)*mem.LineBytes },
	}
}

// spaced returns an access of a full warp whose addresses grow evenly in rows of lanes, and
// which says so.
func spaced(r *sim.Rand, size uint64, base uint64) *ptx.Access {
	a := &ptx.Access{Bytes: uint8(size), Mask: ptx.FullMask}
	a.RowLanes = 1 << r.Intn(6)
	steps := []int64{0, 1, -1, 2, 3, 4, 16, 32, 33, -64, int64(r.Intn(200)) - 100}
	a.Column = steps[r.Intn(len(steps))] * int64(size)
	a.Row = steps[r.Intn(len(steps))] * int64(size)
	if r.Intn(3) == 0 {
		a.Row = a.Column * int64(a.RowLanes)
	}
	for i := range a.Addr {
		a.Addr[i] = base + 1<<16 + uint64(a.Column*int64(i%a.RowLanes)+a.Row*int64(i/a.RowLanes))
	}
	return a
}

func TestCoalescerAgainstTwin(t *testing.T) {
	r := sim.NewRand(1, 1)
	for trial := 0; trial < 300; trial++ {
		for _, size := range []uint64{1, 2, 4, 8, 16} {
			checkSplit(t, "spaced", spaced(&r, size, mem.DefaultBase+uint64(r.Intn(64))*size))
			for name, at := range patterns(&r, size) {
				a := &ptx.Access{Bytes: uint8(size), Mask: ptx.FullMask}
				if trial%3 == 1 {
					a.Mask = r.Uint32()
				}
				for i := range a.Addr {
					a.Addr[i] = at(i)
				}
				checkSplit(t, name, a)
			}
		}
	}
}

func checkSplit(t *testing.T, name string, a *ptx.Access) {
	t.Helper()
	var c coalesced
	var addr lineAddrs
	c.split(a, &addr)
	order, lanes := slowSplit(a)
	if c.n != len(order) {
		t.Fatalf("%s of %d bytes: %d lines, want %d", name, a.Bytes, c.n, len(order))
	}
	for k, line := range order {
		if addr[k] != line || c.lanes[k] != lanes[line] {
			t.Fatalf("%s of %d bytes: line %d is %#x with %08x, want %#x with %08x", name, a.Bytes, k, addr[k], c.lanes[k], line, lanes[line])
		}
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if uint64(c.offset[i]) != a.Addr[i]%mem.LineBytes {
			t.Fatalf("%s: offset of lane %d is %d", name, i, c.offset[i])
		}
	}
}

// slowDegree is the twin of conflictDegree: lanes are served in parts of 128 bytes,
// each for as long as the bank with the most distinct words takes.
func slowDegree(a *ptx.Access, banks uint64) (total, conflicts int) {
	words := max(1, uint64(a.Bytes)/4)
	part := ptx.MaxLanes / int(words)
	for first := 0; first < ptx.MaxLanes; first += part {
		most := 0
		distinct := make([]map[uint64]bool, banks)
		for i := first; i < first+part; i++ {
			if a.Mask>>i&1 == 0 {
				continue
			}
			for k := range words {
				w := a.Addr[i]/4 + k
				b := w % banks
				if distinct[b] == nil {
					distinct[b] = map[uint64]bool{}
				}
				distinct[b][w] = true
				most = max(most, len(distinct[b]))
			}
		}
		total += most
		conflicts += max(0, most-1)
	}
	return total, conflicts
}

func TestBankConflicts(t *testing.T) {
	r := sim.NewRand(2, 2)
	for trial := 0; trial < 500; trial++ {
		size := uint64(1) << (trial % 5)
		for name, at := range patterns(&r, size) {
			a := &ptx.Access{Bytes: uint8(size), Mask: ptx.FullMask}
			if trial%2 == 1 {
				a.Mask = r.Uint32() | 1
			}
			for i := range a.Addr {
				a.Addr[i] = at(i) - mem.DefaultBase
			}
			checkDegree(t, name, a)
		}
		for range 20 {
			checkDegree(t, "spaced", spaced(&r, size, 0))
		}
	}
	// The classic cases: a column of a 32x32 tile meets in one bank, of a padded
	// one in none.
	for _, c := range []struct {
		pitch uint64
		want  int
	}{{32, 32}, {33, 1}, {34, 2}} {
		a := &ptx.Access{Bytes: 4, Mask: ptx.FullMask}
		for i := range a.Addr {
			a.Addr[i] = uint64(i) * c.pitch * 4
		}
		if got, _ := conflictDegree(a, 32); got != c.want {
			t.Errorf("column of a tile with a pitch of %d words: %d cycles, want %d", c.pitch, got, c.want)
		}
	}
	// Rows of the matrices of ldmatrix: those of a tile 128 bytes wide meet in the same
	// banks, those of a padded one do not, nor do rows that follow each other.
	for _, c := range []struct {
		pitch  uint64
		lanes  int
		cycles int
	}{{16, 32, 4}, {16, 8, 1}, {128, 32, 32}, {128, 8, 8}, {144, 32, 4}, {64, 16, 8}} {
		a := &ptx.Access{Bytes: 16, Mask: ptx.FullMask >> (32 - c.lanes)}
		for i := range a.Addr {
			a.Addr[i] = uint64(i) * c.pitch
		}
		if got, _ := conflictDegree(a, 32); got != c.cycles {
			t.Errorf("%d rows of a tile with a pitch of %d bytes: %d cycles, want %d", c.lanes, c.pitch, got, c.cycles)
		}
	}
}

func checkDegree(t *testing.T, name string, a *ptx.Access) {
	t.Helper()
	for _, banks := range []int{1, 16, 31, 32, 33, MaxBanks} {
		got, gotConflicts := conflictDegree(a, banks)
		want, conflicts := slowDegree(a, uint64(banks))
		if got != want || gotConflicts != conflicts {
			t.Fatalf("%s of %d bytes, mask %08x, %+v, %d banks: %d cycles, %d of conflicts, want %d, %d", name, a.Bytes, a.Mask, a.Spacing, banks, got, gotConflicts, want, conflicts)
		}
	}
}

func TestLocalMemoryIsInterleaved(t *testing.T) {
	var c coalesced
	var addr lineAddrs
	a := &ptx.Access{Bytes: 8, Mask: ptx.FullMask}
	for i := range a.Addr {
		a.Addr[i] = 16
	}
	c.localPiece(a, &addr, 0x1000, 4)
	if c.n != 1 || addr[0] != 0x1000+5*mem.LineBytes {
		t.Errorf("the second word at offset 16 of all lanes lies in %d lines, the first at %#x", c.n, addr[0])
	}
	for i, o := range c.offset {
		if int(o) != i*4 {
			t.Errorf("lane %d at %d", i, o)
		}
	}
	for i := range a.Addr {
		a.Addr[i] = uint64(i) * 8
	}
	c.localPiece(a, &addr, 0x1000, 0)
	if c.n != ptx.MaxLanes {
		t.Errorf("32 different offsets lie in %d lines", c.n)
	}
}

// slowHalves is the twin of splitHalves, from GPGPU-Sim's description: each half warp on its own, and for each lane the
// first request of its line none of whose lanes has a byte of it.
func slowHalves(a *ptx.Access) (lanes []uint32) {
	for half := 0; half < ptx.MaxLanes; half += ptx.MaxLanes / 2 {
		var requests [][]int
		for i := half; i < half+ptx.MaxLanes/2; i++ {
			if a.Mask>>i&1 == 0 {
				continue
			}
			fits := func(request []int) bool {
				for _, k := range request {
					apart := max(a.Addr[i], a.Addr[k]) - min(a.Addr[i], a.Addr[k])
					if mem.LineAddr(a.Addr[i]) != mem.LineAddr(a.Addr[k]) || apart < uint64(a.Bytes) {
						return false
					}
				}
				return true
			}
			if at := slices.IndexFunc(requests, fits); at >= 0 {
				requests[at] = append(requests[at], i)
			} else {
				requests = append(requests, []int{i})
			}
		}
		for _, request := range requests {
			var set uint32
			for _, i := range request {
				set |= 1 << i
			}
			lanes = append(lanes, set)
		}
	}
	return lanes
}

// TestAtomicsGoByHalfWarps: 32 lanes on one counter are 32 requests, on 32 counters of a line two, and any pattern
// has the requests of the twin.
func TestAtomicsGoByHalfWarps(t *testing.T) {
	requests := func(a *ptx.Access) (n int, lanes []uint32) {
		var c coalesced
		var lines lineAddrs
		c.splitHalves(a, &lines)
		for k := range c.n {
			for m := c.lanes[k]; m != 0; m &= m - 1 {
				if i := bits.TrailingZeros32(m); lines[k]+uint64(c.offset[i]) != a.Addr[i] {
					t.Errorf("lane %d is at %#x of %#x, not at %#x", i, c.offset[i], lines[k], a.Addr[i])
				}
			}
		}
		return c.n, c.lanes[:c.n]
	}
	r := sim.NewRand(36, 1)
	for range 300 {
		size := uint64(4 << r.Intn(2))
		for name, at := range patterns(&r, size) {
			a := &ptx.Access{Bytes: uint8(size), Mask: ptx.FullMask, Kind: ptx.AccessAtomic}
			for i := range a.Addr {
				a.Addr[i] = at(i)
			}
			if r.Intn(2) == 0 {
				a.Mask = uint32(r.Intn(1<<16))<<16 | uint32(r.Intn(1<<16))
			}
			n, lanes := requests(a)
			if want := slowHalves(a); !slices.Equal(lanes, want) {
				t.Fatalf("%s, mask %08x: %x, want %x", name, a.Mask, lanes, want)
			}
			if name == "same" && n != bits.OnesCount32(a.Mask) {
				t.Errorf("%s: %d requests", name, n)
			}
		}
	}
	line := &ptx.Access{Bytes: 4, Mask: ptx.FullMask, Kind: ptx.AccessAtomic}
	for i := range line.Addr {
		line.Addr[i] = mem.DefaultBase + uint64(4*i)
	}
	if n, _ := requests(line); n != 2 {
		t.Errorf("a counter for each lane of a line: %d requests", n)
	}
}
