package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// coalesced is a warp's access split into lines: lanes[k] are the lanes whose
// bytes lie in line k, and offset is each lane's place in its line.
type coalesced struct {
	n      int
	offset [ptx.MaxLanes]uint8
	lanes  [ptx.MaxLanes]uint32
}

// lineAddrs are the addresses of the lines of an access.
type lineAddrs [ptx.MaxLanes]mem.Addr

// wordOffsets are the places of 32 words that fill a line.
var wordOffsets = func() (t [ptx.MaxLanes]uint8) {
	for i := range t {
		t[i] = uint8(4 * i)
	}
	return t
}()

// split groups the lanes of a by 128-byte line, in the order of the first lane
// of each. Accesses are aligned to their size, so none crosses a line.
func (c *coalesced) split(a *ptx.Access, lines *lineAddrs) {
	c.n = 0
	if a.Mask == ptx.FullMask && c.consecutive(a, lines) {
		return
	}
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		line := mem.LineAddr(addr[i])
		c.offset[i] = uint8(addr[i] & (mem.LineBytes - 1))
		c.add(lines, line, i)
	}
}

// Atomics is how the lanes of an atomic instruction share requests.
type Atomics uint8

const (
	// AtomicsLines: all lanes of a line share a request.
	AtomicsLines Atomics = iota
	// AtomicsHalves: atomics of a half warp, unless another lane of the request has the same bytes (GPGPU-Sim 3.2.1,
	// abstract_hardware_model.cc, memory_coalescing_arch_13_atomic).
	AtomicsHalves
	NumAtomics
)

// AtomicsNames are the names of how lanes share requests, in their order.
var AtomicsNames = [NumAtomics]string{"lines", "halves"}

// splitHalves groups the lanes of a by AtomicsHalves, in the order of lines within a half and of lanes within a line.
func (c *coalesced) splitHalves(a *ptx.Access, lines *lineAddrs) {
	c.n = 0
	addr := a.Addresses()
	var taken [ptx.MaxLanes]mem.ByteMask // bytes of a request
	first, upper := 0, false             // request of the half
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if i >= ptx.MaxLanes/2 && !upper {
			first, upper = c.n, true
		}
		line := mem.LineAddr(addr[i])
		c.offset[i] = uint8(addr[i] & (mem.LineBytes - 1))
		var own mem.ByteMask
		own.Set(int(c.offset[i]), int(a.Bytes))
		k := first
		for k < c.n && (lines[k] != line || taken[k].Meets(own)) {
			k++
		}
		if k == c.n {
			lines[k], c.lanes[k], taken[k] = line, 0, mem.ByteMask{}
			c.n++
		}
		c.lanes[k] |= 1 << i
		taken[k].Set(int(c.offset[i]), int(a.Bytes))
	}
}

// add puts a lane into its line. It tries the line of the previous lane first.
func (c *coalesced) add(lines *lineAddrs, line mem.Addr, lane int) {
	k := c.n - 1
	for k >= 0 && lines[k] != line {
		k--
	}
	if k < 0 {
		k = c.n
		c.n++
		lines[k], c.lanes[k] = line, 0
	}
	c.lanes[k] |= 1 << lane
}

// consecutive is the fast path for a full warp whose lanes follow each other
// without gaps.
func (c *coalesced) consecutive(a *ptx.Access, lines *lineAddrs) bool {
	if !a.Consecutive() {
		return false
	}
	size, base := uint64(a.Bytes), a.Addr[0]
	if size == 4 && base&(mem.LineBytes-1) == 0 {
		c.offset = wordOffsets
	} else {
		at := base
		for i := range c.offset {
			c.offset[i] = uint8(at & (mem.LineBytes - 1))
			at += size
		}
	}
	first := mem.LineAddr(base)
	// Lane i lies in line (base+i*size)/128, so each line takes a run of lanes.
	lane := 0
	for line := first; lane < ptx.MaxLanes; line += mem.LineBytes {
		end := min(int((line+mem.LineBytes-base+size-1)/size), ptx.MaxLanes)
		lines[c.n] = line
		c.lanes[c.n] = uint32((uint64(1)<<end - 1) &^ (uint64(1)<<lane - 1))
		c.n++
		lane = end
	}
	return true
}

// localPiece groups the lanes of an access to local memory by line. A thread's
// local memory is interleaved with its warp's word by word, so that lanes
// which access the same offset share a line (PTX ISA, Local State Space; hardware
// has the same layout, in 4-byte words). words is the size of a
// thread's local memory, base the start of the warp's. The piece is the part of
// each lane's value from byte start on.
func (c *coalesced) localPiece(a *ptx.Access, lines *lineAddrs, base mem.Addr, start int) {
	c.n = 0
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		at := addr[i] + uint64(start)
		line := base + at/4*mem.LineBytes
		c.offset[i] = uint8(i*4 + int(at&3))
		c.add(lines, line, i)
	}
}

// conflictDegree returns how many cycles shared memory needs for an access, and how many
// of them are bank conflicts. Banks are four bytes wide and serve one word a
// cycle, to any number of lanes. If lanes have 8 bytes, half a warp is served at a time; if
// they have 16, a quarter, which is one matrix of ldmatrix (CUDA C++ Programming
// Guide, compute capability 2.x, 64-bit and 128-bit accesses).
func conflictDegree(a *ptx.Access, banks int) (cycles, conflicts int) {
	words := max(1, int(a.Bytes)/4)
	if words == 1 {
		cycles = partDegree(a, a.Mask, 1, uint64(banks))
		return cycles, cycles - 1
	}
	part := ptx.MaxLanes / words
	for first := 0; first < ptx.MaxLanes; first += part {
		if lanes := a.Mask & ((1<<part - 1) << first); lanes != 0 {
			n := partDegree(a, lanes, uint64(words), uint64(banks))
			cycles += n
			conflicts += n - 1
		}
	}
	return cycles, conflicts
}

// partDegree is conflictDegree of lanes that are served together.
func partDegree(a *ptx.Access, lanes uint32, words, banks uint64) int {
	if lanes == ptx.FullMask && a.Bytes == 4 && banks == 32 {
		if n, step, ok := a.Even(); ok {
			// Words at a distance of 2^k times an odd number meet in every (32/2^k)th bank.
			k := min(5, bits.TrailingZeros64(uint64(step)>>2))
			return max(1, n<<k>>5)
		}
		// Two words in one bank are rare: then a lane finds another word as the last one
		// of its bank.
		var wordOf [32]uint64
		var differ uint64
		for _, at := range a.Addresses() {
			wordOf[at>>2&31] = at
		}
		for _, at := range a.Addr {
			differ |= wordOf[at>>2&31] ^ at
		}
		if differ == 0 {
			return 1
		}
	}
	var word [ptx.MaxLanes]uint64 // distinct words, grouped by bank below
	var next [ptx.MaxLanes]int8   // previous distinct word of the same bank
	var head [MaxBanks]int8       // last distinct word of a bank, +1
	var count [MaxBanks]uint8
	n, degree := 0, 1
	addr := a.Addresses()
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		for w := addr[i] >> 2; w < addr[i]>>2+words; w++ {
			b := w % banks
			k := head[b]
			for k != 0 && word[k-1] != w {
				k = next[k-1]
			}
			if k != 0 {
				continue
			}
			word[n], next[n] = w, head[b]
			n++
			head[b] = int8(n)
			count[b]++
			degree = max(degree, int(count[b]))
		}
	}
	return degree
}
