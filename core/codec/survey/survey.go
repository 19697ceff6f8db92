// Package survey measures how well codecs compress a stream of blocks, in memory
// that does not grow with the stream: sums, a histogram of sizes from which every
// granularity and threshold follows at once, and a map of coarsening cells.
package survey

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/mem"
)

// MaxCells bounds the map. When there are more, neighbouring cells are joined.
const MaxCells = 1 << 16

// Sizes holds the sizes of all blocks under one codec.
type Sizes struct {
	Name   string `json:"name"`
	Blocks uint64 `json:"blocks"`
	// Bits is the sum of the sizes, at most 1024 each.
	Bits uint64 `json:"bits"`
	// Bytes counts blocks by their size in bytes, rounded up.
	Bytes [mem.LineBytes + 1]uint64 `json:"bytes"`
	// Cells are sums of sizes in bytes of BlocksPerCell consecutive blocks, the last
	// cell perhaps of fewer.
	Cells []uint32 `json:"-"`
}

// Ratio is the raw compression ratio: bits before and after. A stream that takes
// no bits at all counts as one bit.
func (s *Sizes) Ratio() float64 {
	return float64(s.Blocks*codec.RawBits) / float64(max(1, s.Bits))
}

// Bursts returns how many bursts of a memory access granularity all blocks take.
// A block is stored compressed if that saves one, and takes one at least.
func (s *Sizes) Bursts(magBytes int) uint64 {
	total := uint64(0)
	for bytes, n := range s.Bytes {
		bursts := mem.LineBytes / magBytes
		if bytes <= mem.LineBytes-magBytes {
			bursts = max(1, (bytes+magBytes-1)/magBytes)
		}
		total += n * uint64(bursts)
	}
	return total
}

// EffectiveRatio is the compression ratio in bursts.
func (s *Sizes) EffectiveRatio(magBytes int) float64 {
	return float64(s.Blocks*uint64(mem.LineBytes/magBytes)) / float64(max(1, s.Bursts(magBytes)))
}

// AboveMAG counts blocks by how many bytes they end above a multiple of the
// granularity, as in SLC's figure 2: bin 0 holds blocks that fit one burst too, and
// the last bin, magBytes, those that do not compress.
func (s *Sizes) AboveMAG(magBytes int) []uint64 {
	bins := make([]uint64, magBytes+1)
	for bytes, n := range s.Bytes {
		bins[codec.BytesAboveMAG(8*bytes, magBytes)] += n
	}
	return bins
}

// WithinThreshold counts the blocks that end 1 to threshold bytes above a multiple
// of the granularity: those that selective loss can bring down to it.
func (s *Sizes) WithinThreshold(magBytes, thresholdBytes int) uint64 {
	n := uint64(0)
	for bytes, blocks := range s.AboveMAG(magBytes)[:magBytes] {
		if bytes >= 1 && bytes <= thresholdBytes {
			n += blocks
		}
	}
	return n
}

// Analyser sizes blocks with several codecs.
type Analyser struct {
	coders   []codecs.Coder
	sizes    []Sizes
	maxCells int
	perCell  int // blocks
	inCell   int // blocks of the last cell
	bits     [plugin.BatchBlocks]int
}

// New returns an analyser with the named codecs. Their codes are made from the trainer's
// counts.
func New(names []string, t *codecs.Trainer, o codecs.Options) (*Analyser, error) {
	a := &Analyser{maxCells: MaxCells, perCell: 1, sizes: make([]Sizes, len(names))}
	for i, name := range names {
		c, err := t.Make(name, o)
		if err != nil {
			return nil, err
		}
		a.coders = append(a.coders, c)
		a.sizes[i].Name = name
	}
	return a, nil
}

// Add sizes blocks.
func (a *Analyser) Add(lines []mem.Line) {
	for len(lines) > 0 {
		if a.inCell == 0 || a.inCell == a.perCell {
			a.newCell()
		}
		n := min(len(lines), a.perCell-a.inCell, len(a.bits))
		for i, c := range a.coders {
			a.add(&a.sizes[i], c, lines[:n])
		}
		a.inCell += n
		lines = lines[n:]
	}
}

func (a *Analyser) add(s *Sizes, c codecs.Coder, lines []mem.Line) {
	cell := &s.Cells[len(s.Cells)-1]
	batch, many := c.(codec.BatchSizer)
	if many {
		batch.SizesBits(lines, a.bits[:])
	}
	for i := range lines {
		bits := a.bits[i]
		if !many {
			bits = c.SizeBits(&lines[i])
		}
		bytes := (bits + 7) / 8
		s.Bits += uint64(bits)
		s.Bytes[bytes]++
		*cell += uint32(bytes)
	}
	s.Blocks += uint64(len(lines))
}

// newCell begins a cell; when the map is full, it joins pairs first.
func (a *Analyser) newCell() {
	a.inCell = 0
	if len(a.sizes) > 0 && len(a.sizes[0].Cells) == a.maxCells {
		a.perCell *= 2
		for i := range a.sizes {
			cells := a.sizes[i].Cells
			for k := 0; k < len(cells); k += 2 {
				cells[k/2] = cells[k] + cells[k+1]
			}
			a.sizes[i].Cells = cells[:len(cells)/2]
		}
	}
	for i := range a.sizes {
		a.sizes[i].Cells = append(a.sizes[i].Cells, 0)
	}
}

// Err returns what ended one of the codecs, nil if nothing did.
func (a *Analyser) Err() error {
	for i, c := range a.coders {
		if err := codecs.FaultOf(c); err != nil {
			return fmt.Errorf("%s: %w", a.sizes[i].Name, err)
		}
	}
	return nil
}

// Sizes returns the sizes under each codec so far, in the order of the names.
func (a *Analyser) Sizes() []Sizes { return a.sizes }

// BlocksPerCell is the size of a cell of the maps: a power of two.
func (a *Analyser) BlocksPerCell() int { return a.perCell }
