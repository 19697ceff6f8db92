// Package estimate predicts what another codec, MAG, threshold or number of ways would do
// to the traffic of a program, without simulating it again. A Profile records the blocks that
// moved to or from memory in one run, with their contents; a Work codes them under another
// scheme and adds up bursts, sizes and errors. An estimate knows nothing of time.
package estimate

import (
	"math"
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
)

// MostVersions bounds the contents that a profile keeps, to 2.8 MB. Coding as many takes 2 to 20 ms
// natively, and the bar of their bursts is some 0.2 % (README.md) [ours].
const MostVersions = 1 << 14

// mags are the granularities at which raw blocks are counted.
var mags = [...]int{16, 32, 64}

// Profile holds the traffic of memory blocks of one run. It is a memctrl.Recorder.
//
// Totals are of all blocks. Contents are kept for a sample: a block is in the sample if a
// hash of its address lies below a limit, with everything that was ever stored in it. When the
// sample has MostVersions contents, the limit is halved, and half of the blocks leave.
type Profile struct {
	image   *mem.Image
	early   func(line *mem.Line) bool // nil = the run's sample of probabilities is over
	fetches bool
	most    int
	limit   uint64             // hashes of the blocks in the sample are at most this
	current map[mem.Addr]place // of the blocks in the sample
	list    []version
	read    []byte  // a bit for each block: it was read since it was written last
	totals  []total // by region: 0 is memory of the machine, then the allocations
	line    mem.Line
}

// place is where a block of the sample stands.
type place struct {
	version int32 // that memory holds now
	block   int32 // its number among the blocks, by their first version
}

// version is one content of a block, and how often it moved. Counts with two elements are of
// the run's sample of probabilities and of the time after it.
type version struct {
	addr    mem.Addr
	block   int32 // place.block
	line    mem.Line
	reads   [2]uint32
	writes  [2]uint32
	repairs [2]uint32 // reads that only compression makes, before a block is written in part
	current bool      // nothing was written over it
}

// total counts the movements of the blocks of a region.
type total struct {
	reads, writes, repairs [2]uint64
	// Bursts without compression, at each of mags.
	rawRead, rawWritten [2][len(mags)]uint64
}

// NewProfile prepares the record of a run whose device memory is image. early gets every block
// that moves in the run's sample of probabilities and reports whether the sample goes on; nil if the
// run has none. fetches says that L2 reads a block for every store that misses, with compression or
// without it: then compression makes no reads of its own.
func NewProfile(image *mem.Image, fetches bool, early func(line *mem.Line) bool) *Profile {
	return &Profile{image: image, fetches: fetches, early: early, most: MostVersions, limit: math.MaxUint64, current: map[mem.Addr]place{},
		totals: make([]total, len(image.Allocations())+1), read: make([]byte, image.Lines()/8+1)}
}

// Read records a read, of whose block a raw scheme moves the bytes of mask.
func (p *Profile) Read(a mem.Addr, mask mem.ByteMask) {
	k, t := p.phase(a, nil), p.total(a)
	t.reads[k]++
	addRaw(&t.rawRead[k], mask)
	p.noteRead(a, true)
	if v := p.version(a); v != nil {
		v.reads[k]++
	}
}

// Write records a write of the bytes of line that mask selects. A part of a block is written
// only without compression. With it, L2 reads the rest first, unless it has the rest: then the block
// was read since the write before.
func (p *Profile) Write(a mem.Addr, line *mem.Line, mask mem.ByteMask) {
	p.image.ReadLine(a, &p.line)
	whole := p.line
	whole.Merge(line, mask)
	k, t := p.phase(a, &whole), p.total(a)
	t.writes[k]++
	addRaw(&t.rawWritten[k], mask)
	repair := !mask.Full() && !p.fetches && !p.wasRead(a)
	p.noteRead(a, false)
	if repair {
		t.repairs[k]++
		if v := p.version(a); v != nil {
			v.repairs[k]++
		}
	}
	if hash(a) > p.limit {
		return
	}
	at, ok := p.current[a]
	if !ok || p.list[at.version].line != whole {
		if v := p.add(a, &whole); v != nil {
			v.writes[k]++
		}
		return
	}
	p.list[at.version].writes[k]++
}

// wasRead reports whether a block was read since it was written last.
func (p *Profile) wasRead(a mem.Addr) bool {
	i := p.image.LineIndex(a)
	return i < 8*len(p.read) && p.read[i/8]>>(i%8)&1 != 0
}

func (p *Profile) noteRead(a mem.Addr, is bool) {
	i := p.image.LineIndex(a)
	switch {
	case i >= 8*len(p.read): // memory that the machine has reserved since
	case is:
		p.read[i/8] |= 1 << (i % 8)
	default:
		p.read[i/8] &^= 1 << (i % 8)
	}
}

// phase reports 0 in the sample of probabilities and 1 after it. The block's bytes are line, or, if
// that is nil, in memory.
func (p *Profile) phase(a mem.Addr, line *mem.Line) int {
	if p.early == nil {
		return 1
	}
	if line == nil {
		line = &p.line
		p.image.ReadLine(a, line)
	}
	if !p.early(line) {
		p.early = nil
		return 1
	}
	return 0
}

func (p *Profile) total(a mem.Addr) *total { return &p.totals[p.region(a)] }

func (p *Profile) region(a mem.Addr) int { return min(p.image.Find(a)+1, len(p.totals)-1) }

func addRaw(to *[len(mags)]uint64, mask mem.ByteMask) {
	for i, mag := range mags {
		to[i] += uint64(pieces(mask, mag))
	}
}

// pieces counts the pieces of a size that have bytes of a mask: the bursts of a raw block.
func pieces(m mem.ByteMask, bytes int) int {
	if m.Full() {
		return mem.LineBytes / bytes
	}
	n, piece := 0, uint64(math.MaxUint64)>>(64-bytes)
	for shift := 0; shift < 64; shift += bytes {
		if m.Lo>>shift&piece != 0 {
			n++
		}
		if m.Hi>>shift&piece != 0 {
			n++
		}
	}
	return n
}

// hash mixes the number of a block: the finalizer of SplitMix64 (Steele, Lea and Flood,
// OOPSLA 2014).
func hash(a mem.Addr) uint64 {
	z := a/mem.LineBytes + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// version returns the current content of a block, nil if the block is not in the sample. A block
// seen for the first time holds what the host wrote.
func (p *Profile) version(a mem.Addr) *version {
	if hash(a) > p.limit {
		return nil
	}
	if at, ok := p.current[a]; ok {
		return &p.list[at.version]
	}
	p.image.ReadLine(a, &p.line)
	return p.add(a, &p.line)
}

// add makes line the current content of a block, and returns nil if the block leaves the sample.
func (p *Profile) add(a mem.Addr, line *mem.Line) *version {
	for len(p.list) >= p.most {
		p.thin()
		if hash(a) > p.limit {
			return nil
		}
	}
	at, ok := p.current[a]
	if ok {
		p.list[at.version].current = false
	} else {
		at.block = int32(len(p.current))
	}
	at.version = int32(len(p.list))
	p.current[a] = at
	p.list = append(p.list, version{addr: a, block: at.block, line: *line, current: true})
	return &p.list[at.version]
}

// thin halves the sample.
func (p *Profile) thin() {
	p.limit /= 2
	p.list = slices.DeleteFunc(p.list, func(v version) bool { return hash(v.addr) > p.limit })
	clear(p.current)
	for i := range p.list {
		v := &p.list[i]
		at, ok := p.current[v.addr]
		if !ok {
			at.block = int32(len(p.current))
		}
		v.block, at.version = at.block, int32(i) // the last version of a block is the current one
		p.current[v.addr] = at
	}
}

// share is the part of all blocks that is in the sample.
func (p *Profile) share() float64 {
	return math.Ldexp(1, -bits.LeadingZeros64(p.limit))
}
