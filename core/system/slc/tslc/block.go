package tslc

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// uncounted bounds what HeaderLiteral writes beyond the size it accounts for:
// header and the padding of each way.
func (s *Scheme) uncounted() int {
	if s.p.Header == HeaderLiteral {
		return s.lossy + 7*s.p.Ways
	}
	return 0
}

// Encode writes the block in the form that Store decides: m, then ss and len-1 if the
// block has them, the pointers, and the ways without the truncated symbols. A raw block
// has no code; dst is then unspecified.
func (s *Scheme) Encode(dst *codec.Block, src *mem.Line, region codec.Region) codec.Stored {
	d := s.decide(src, region)
	if d.mode == probe.ModeRaw {
		return d.stored(s.p.MAGBytes)
	}
	w := codec.NewBitWriter(dst)
	header := s.lossless
	if d.mode == probe.ModeLossy {
		header = s.lossy
		w.Put(1, modeBits)
		w.Put(uint64(d.node.first), 6)
		w.Put(uint64(d.node.count-1), 4)
	} else {
		w.Put(0, modeBits)
		if s.p.Header != HeaderVariable {
			w.Put(0, extentBits)
		}
	}
	written := s.table.Write(&w, src, e2mc.Stream{Ways: s.p.Ways, HeaderBits: header, First: d.node.first, Count: d.node.count})
	if written != d.bits && (s.p.Header != HeaderLiteral || written > d.bits+s.uncounted()) {
		panic(fmt.Sprintf("tslc: wrote %d bits for a block of %d", written, d.bits))
	}
	return d.stored(s.p.MAGBytes)
}

// Decode restores a block of Stored.Bits bits and reconstructs the truncated symbols.
func (s *Scheme) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	r := codec.NewBitReader(src, bits+s.uncounted())
	n, err := s.readHeader(&r)
	if err != nil {
		return err
	}
	if err := s.table.Read(&r, dst, s.stream(n), nil); err != nil {
		return err
	}
	s.reconstruct(dst, n)
	return nil
}

// Describe returns the layout of an encoded block.
func (s *Scheme) Describe(src *codec.Block, bits int) (e2mc.Layout, error) {
	r := codec.NewBitReader(src, bits+s.uncounted())
	n, err := s.readHeader(&r)
	if err != nil {
		return e2mc.Layout{}, err
	}
	return s.table.Describe(&r, s.stream(n))
}

func (s *Scheme) stream(n node) e2mc.Stream {
	return e2mc.Stream{Ways: s.p.Ways, First: n.first, Count: n.count}
}

// readHeader reads up to the pointers; the node of a lossless block is empty.
func (s *Scheme) readHeader(r *codec.BitReader) (node, error) {
	if r.Take(modeBits) == 0 {
		if s.p.Header != HeaderVariable {
			r.Skip(extentBits)
		}
		return node{}, nil
	}
	n := node{first: int(r.Take(6)), count: int(r.Take(4)) + 1}
	if n.first+n.count > symbols {
		return node{}, fmt.Errorf("tslc: header truncates %d symbols from symbol %d of %d: the block is damaged", n.count, n.first, symbols)
	}
	return n, nil
}

// reconstruct fills the truncated symbols of line (section III-E).
func (s *Scheme) reconstruct(line *mem.Line, n node) {
	var fill [2]uint16 // for even and odd symbols
	if s.p.Variant != SIMP && n.count > 0 {
		for half := range fill {
			from := half
			if s.p.Prediction == PredictFirst {
				from = 0
			}
			step := 2
			if s.p.Prediction == PredictFirst {
				step = 1
			}
			for from >= n.first && from < n.first+n.count {
				from += step
			}
			fill[half] = binary.LittleEndian.Uint16(line[2*from:])
		}
	}
	for i := n.first; i < n.first+n.count; i++ {
		binary.LittleEndian.PutUint16(line[2*i:], fill[i&1])
	}
}
