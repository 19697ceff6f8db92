package tslc

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Over is selective truncation over any codec that codes one symbol after the other. SLC
// (sections II-A and III-C) names other codecs than E2MC that lose to the granularity. The
// header is E2MC's without pointers: m, the first truncated symbol, and the number of
// truncated symbols. The header of the codec below follows. Over E2MC with 16-bit symbols
// it does the same as Scheme, more slowly.
type Over struct {
	below   codec.SymbolCoder
	p       Params
	symbols int
	// startBits are the bits of the number of the first truncated symbol.
	startBits       int
	lossless, lossy int // header bits as written

	// Scratch memory of one call. It lies here because the arguments of a codec's method
	// escape from the stack.
	lengths [codec.MaxSymbols]uint8
	w       codec.BitWriter
	r       codec.BitReader
}

var _ codec.Scheme = (*Over)(nil)

// literalLimitBits bounds a block under HeaderLiteral, which does not count header and
// padding, and over C-PACK does not count the longer codes of the kept words.
const literalLimitBits = (codec.BlockBytes - 8) * 8

// NewOver returns the scheme over a codec. The codec itself has the ways.
func NewOver(p Params, below codec.SymbolCoder) (*Over, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Over{below: below, p: p, symbols: mem.LineBytes * 8 / below.SymbolBits()}
	s.startBits = bits.Len(uint(s.symbols - 1))
	s.lossy = modeBits + s.startBits + 4
	s.lossless = s.lossy
	if p.Header == HeaderVariable {
		s.lossless = modeBits
	}
	return s, nil
}

func (s *Over) Name() string     { return s.p.Variant.Name() + "/" + s.below.Info().Name }
func (s *Over) MAGBytes() int    { return s.p.MAGBytes }
func (s *Over) Compressed() bool { return true }

// Timing is the codec's timing and the selection's 14 cycles, rounded up to whole
// cycles of the codec's clock.
func (s *Over) Timing() codec.Timing {
	t := s.below.Info().Timing
	t.CompressCycles += (selectCycles*t.MHz + codec.MemoryMHz - 1) / codec.MemoryMHz
	return t
}

// Info describes the scheme as a codec.
func (s *Over) Info() codec.Info {
	i := s.below.Info()
	i.Name, i.Source, i.Lossless = s.Name(), "SLC (DATE 2019) over another codec: "+i.Source, false
	i.Timing = s.Timing()
	i.Cost = addOnCost(i.Cost)
	return i
}

// sizeOf is the size of a block under the scheme's accounting.
func (s *Over) sizeOf(line *mem.Line, lengths []uint8, n node) int {
	if s.p.Header == HeaderLiteral {
		total := 0
		for i, l := range lengths {
			if i < n.first || i >= n.first+n.count {
				total += int(l)
			}
		}
		return total
	}
	header := s.lossy
	if n.count == 0 {
		header = s.lossless
	}
	return s.below.SizeWithout(line, header, n.first, n.count)
}

func (s *Over) decide(line *mem.Line, region codec.Region) decision {
	own := s.lengths[:s.below.SymbolLengths(line, &s.lengths)]
	d, search := s.p.begin(s.sizeOf(line, own, node{}), region)
	switch {
	case !search:
	case s.find(line, own, &d):
		d.rule, d.mode = RuleTruncate, probe.ModeLossy
	default:
		d.losslessly(RuleNoNode, s.p.MAGBytes*8)
	}
	return d
}

// find stores the first node that brings the block into its budget. Unless the
// header may differ between lossless and lossy blocks, a node whose codes are
// shorter than the bits too many is passed over, as the tree's comparators do.
func (s *Over) find(line *mem.Line, lengths []uint8, d *decision) bool {
	for _, shape := range shapes {
		if shape.extra && s.p.Variant != OPT || shape.count >= s.symbols {
			continue
		}
		for first := 0; first+shape.count <= s.symbols; first += shape.stride {
			cut := 0
			for _, l := range lengths[first : first+shape.count] {
				cut += int(l)
			}
			if s.p.Header != HeaderVariable && cut < d.extra {
				continue
			}
			n := node{first, shape.count}
			if size := s.sizeOf(line, lengths, n); size <= d.budget {
				d.node, d.cut, d.bits = n, cut, size
				return true
			}
		}
	}
	return false
}

// Store answers how line is stored and overwrites what a truncation loses with
// what the decompressor will put there.
func (s *Over) Store(line *mem.Line, region codec.Region) codec.Stored {
	d := s.decide(line, region)
	if d.mode == probe.ModeLossy {
		s.reconstruct(line, d.node)
	}
	return d.stored(s.p.MAGBytes)
}

// Encode writes the block as Store decides it. Raw blocks have no code, and dst is
// then unspecified.
func (s *Over) Encode(dst *codec.Block, src *mem.Line, region codec.Region) codec.Stored {
	d := s.decide(src, region)
	if d.mode == probe.ModeRaw {
		return d.stored(s.p.MAGBytes)
	}
	s.w = codec.NewBitWriter(dst)
	w := &s.w
	switch {
	case d.mode == probe.ModeLossy:
		w.Put(1, modeBits)
		w.Put(uint64(d.node.first), s.startBits)
		w.Put(uint64(d.node.count-1), 4)
	default:
		w.Put(0, s.lossless)
	}
	s.below.EncodeWithout(w, src, d.node.first, d.node.count)
	if written := w.Flush(); written != d.bits && s.p.Header != HeaderLiteral {
		panic(fmt.Sprintf("tslc: wrote %d bits for a block of %d", written, d.bits))
	}
	return d.stored(s.p.MAGBytes)
}

// Decode restores a block of Stored.Bits bits, truncated symbols reconstructed.
func (s *Over) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	if s.p.Header == HeaderLiteral {
		bits = literalLimitBits
	}
	s.r = codec.NewBitReader(src, bits)
	r := &s.r
	n := node{}
	if r.Take(modeBits) == 0 {
		r.Skip(s.lossless - modeBits)
	} else {
		n = node{first: int(r.Take(s.startBits)), count: int(r.Take(4)) + 1}
		if n.first+n.count > s.symbols {
			return fmt.Errorf("tslc: header truncates %d symbols from symbol %d of %d: the block is damaged", n.count, n.first, s.symbols)
		}
	}
	if err := s.below.DecodeWithout(r, dst, n.first, n.count); err != nil {
		return err
	}
	s.reconstruct(dst, n)
	return nil
}

// reconstruct fills the truncated symbols: with zero, or with the first kept symbol,
// under PredictParity the first kept one of the same place in a 32-bit word.
func (s *Over) reconstruct(line *mem.Line, n node) {
	perWord := 1
	if s.p.Prediction == PredictParity {
		perWord = 32 / s.below.SymbolBits()
	}
	for i := n.first; i < n.first+n.count; i++ {
		v := uint32(0)
		if s.p.Variant != SIMP {
			from := i % perWord
			for from >= n.first && from < n.first+n.count {
				from += perWord
			}
			v = symbolOf(line, from, s.below.SymbolBits())
		}
		setSymbol(line, i, s.below.SymbolBits(), v)
	}
}

// symbolOf returns symbol i of a line; nibble 0 is the low half of byte 0.
func symbolOf(line *mem.Line, i, width int) uint32 {
	word := binary.LittleEndian.Uint32(line[i*width/32*4:])
	return word >> (i * width % 32) & (1<<width - 1)
}

func setSymbol(line *mem.Line, i, width int, v uint32) {
	at := line[i*width/32*4:]
	shift := i * width % 32
	word := binary.LittleEndian.Uint32(at) &^ (uint32(1<<width-1) << shift)
	binary.LittleEndian.PutUint32(at, word|v<<shift)
}
