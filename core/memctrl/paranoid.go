package memctrl

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/tape"
)

// proof checks a scheme: it keeps an exact shadow of memory and the encoded bits of
// every compressed block, and decodes the bits at every read. A check that fails
// panics, because it shows an error in a codec.
type proof struct {
	shadow  *mem.Image // exact contents
	encoded []encoded  // by channel
}

func newProof(image *mem.Image, channels int) *proof {
	shadow, err := mem.NewImage(image.Base(), 0)
	if err != nil {
		panic(err)
	}
	shadow.CopyFrom(image)
	return &proof{shadow: shadow, encoded: make([]encoded, channels)}
}

// lossyTranscoder is a scheme that can encode each of its decisions.
type lossyTranscoder interface {
	Encode(dst *codec.Block, src *mem.Line, region codec.Region) codec.Stored
	Decode(dst *mem.Line, src *codec.Block, bits int) error
}

// transcoder is a scheme whose encoding has the size that it reports.
type transcoder interface {
	Encode(dst *codec.Block, src *mem.Line) (bits int)
	Decode(dst *mem.Line, src *codec.Block, bits int) error
}

// checkable reports whether a scheme can be checked.
func checkable(s codec.Scheme) bool {
	switch s.(type) {
	case lossyTranscoder, transcoder:
		return true
	}
	return !s.Compressed()
}

// encodedPage holds the bits of consecutive blocks of a channel.
type encodedPage [64]codec.Block

// encoded holds the bits of a channel's compressed blocks, by block.
type encoded struct{ page []*encodedPage }

// at returns the place of a block's bits, counted from the channel's first block.
func (e *encoded) at(k int) *codec.Block {
	n := k / len(encodedPage{})
	for len(e.page) <= n {
		e.page = append(e.page, nil)
	}
	if e.page[n] == nil {
		e.page[n] = new(encodedPage)
	}
	return &e.page[n][k%len(encodedPage{})]
}

// clone returns an independent copy.
func (e *encoded) clone() encoded {
	var c encoded
	for _, p := range e.page {
		if p != nil {
			q := *p
			p = &q
		}
		c.page = append(c.page, p)
	}
	return c
}

// store runs the compressor over line, which becomes the output of the decompressor. It
// checks the changed bytes and keeps the bits. k is the block's number, counted from the
// channel's first block.
func (p *proof) store(scheme codec.Scheme, b Block, k int, line *mem.Line, region codec.Region) codec.Stored {
	before := *line
	s := scheme.Store(line, region)
	checkLoss(scheme, b.Addr, &before, line, region, s)
	p.encode(scheme, b, k, &before, region, s)
	return s
}

// encode keeps the bits of a block that is stored as s.
func (p *proof) encode(scheme codec.Scheme, b Block, k int, line *mem.Line, region codec.Region, s codec.Stored) {
	if s.Mode == probe.ModeRaw {
		return
	}
	code := p.encoded[b.Channel].at(k)
	switch t := scheme.(type) {
	case lossyTranscoder:
		if got := t.Encode(code, line, region); got != s {
			panic(fmt.Sprintf("memctrl: block %#x is to be stored as %+v and encoded as %+v", b.Addr, s, got))
		}
	case transcoder:
		if got := t.Encode(code, line); got != int(s.Bits) {
			panic(fmt.Sprintf("memctrl: block %#x is to be stored in %d bits and encoded in %d", b.Addr, s.Bits, got))
		}
	default:
		panic(fmt.Sprintf("memctrl: scheme %s has no Encode and Decode, so a paranoid controller cannot check it", scheme.Name()))
	}
}

// decode checks that the bits of a block decode to line.
func (p *proof) decode(scheme codec.Scheme, b Block, k int, line *mem.Line, s codec.Stored) {
	if s.Mode == probe.ModeRaw {
		return
	}
	out := *line
	var err error
	switch t := scheme.(type) {
	case lossyTranscoder:
		err = t.Decode(&out, p.encoded[b.Channel].at(k), int(s.Bits))
	case transcoder:
		err = t.Decode(&out, p.encoded[b.Channel].at(k), int(s.Bits))
	}
	if err != nil || out != *line {
		panic(fmt.Sprintf("memctrl: the %d bits of block %#x do not decode to its contents (%v)", s.Bits, b.Addr, err))
	}
}

// checkLoss panics if a lossy scheme changed bytes that it does not report
// as truncated symbols, or bytes outside a safe region.
func checkLoss(scheme codec.Scheme, addr mem.Addr, before, after *mem.Line, region codec.Region, s codec.Stored) {
	if *before == *after {
		return
	}
	if s.Mode != probe.ModeLossy || !region.Safe {
		panic(fmt.Sprintf("memctrl: %s changed block %#x, which is stored in mode %d, safe %v", scheme.Name(), addr, s.Mode, region.Safe))
	}
	low, high := 2*int(s.FirstSymbol), 2*(int(s.FirstSymbol)+int(s.TruncatedSymbols))
	for i := range before {
		if before[i] != after[i] && (i < low || i >= high) {
			panic(fmt.Sprintf("memctrl: %s changed byte %d of block %#x, outside truncated bytes %d to %d", scheme.Name(), i, addr, low, high-1))
		}
	}
}

// checkShadow panics if a block differs from its exact contents although no lossy
// compression has changed it since it was written.
func (p *proof) checkShadow(addr mem.Addr, line *mem.Line, s codec.Stored) {
	var exact mem.Line
	p.shadow.ReadLine(addr, &exact)
	if exact != *line && s.Mode != probe.ModeLossy {
		panic(fmt.Sprintf("memctrl: block %#x is stored in mode %d but differs from its exact contents", addr, s.Mode))
	}
}

// state carries a copy. Checksums leave it out, because a controller without a proof
// behaves the same.
func (p *proof) state(t *tape.Tape) {
	if t.Summing() {
		return
	}
	kept := proof{shadow: new(mem.Image), encoded: make([]encoded, len(p.encoded))}
	if !t.Loading() {
		kept.copyFrom(p)
	}
	tape.Keep(t, &kept)
	if t.Loading() {
		p.copyFrom(&kept)
	}
}

func (p *proof) copyFrom(from *proof) {
	p.shadow.CopyFrom(from.shadow)
	for i := range p.encoded {
		p.encoded[i] = from.encoded[i].clone()
	}
}
