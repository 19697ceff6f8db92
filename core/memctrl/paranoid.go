package memctrl

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Paranoid controllers keep an exact shadow of memory and the encoded bits of
// every compressed block, and decode the bits at every read: what a scheme says of
// a block is not believed.

// lossyTranscoder is a scheme that encodes what it decides.
type lossyTranscoder interface {
	Encode(dst *codec.Block, src *mem.Line, region codec.Region) codec.Stored
	Decode(dst *mem.Line, src *codec.Block, bits int) error
}

// transcoder is a scheme that encodes with the size it answers.
type transcoder interface {
	Encode(dst *codec.Block, src *mem.Line) (bits int)
	Decode(dst *mem.Line, src *codec.Block, bits int) error
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

// store runs the compressor over line, which becomes what the decompressor will
// reconstruct. k is the block's number from the channel's first.
func (ch *channel) store(k int, addr mem.Addr, line *mem.Line) codec.Stored {
	c := ch.c
	scheme, region := c.coding.scheme, c.regions[ch.blocks.region[k]]
	if c.shadow == nil {
		return scheme.Store(line, region)
	}
	before := *line
	s := scheme.Store(line, region)
	c.checkLoss(addr, &before, line, region, s)
	ch.encode(k, addr, &before, region, s)
	return s
}

// encode keeps the bits of a block that is stored as s.
func (ch *channel) encode(k int, addr mem.Addr, line *mem.Line, region codec.Region, s codec.Stored) {
	if s.Mode == probe.ModeRaw {
		return
	}
	bits := int(s.Bits)
	switch t := ch.c.coding.scheme.(type) {
	case lossyTranscoder:
		if got := t.Encode(ch.encoded.at(k), line, region); got != s {
			panic(fmt.Sprintf("memctrl: block %#x is to be stored as %+v and encoded as %+v", addr, s, got))
		}
	case transcoder:
		if got := t.Encode(ch.encoded.at(k), line); got != bits {
			panic(fmt.Sprintf("memctrl: block %#x is to be stored in %d bits and encoded in %d", addr, bits, got))
		}
	}
}

// decode makes line what the decompressor makes of a block's bits, which must be
// what it already is.
func (ch *channel) decode(k int, addr mem.Addr, line *mem.Line, s codec.Stored) {
	if s.Mode == probe.ModeRaw {
		return
	}
	out := *line
	var err error
	switch t := ch.c.coding.scheme.(type) {
	case lossyTranscoder:
		err = t.Decode(&out, ch.encoded.at(k), int(s.Bits))
	case transcoder:
		err = t.Decode(&out, ch.encoded.at(k), int(s.Bits))
	}
	if err != nil || out != *line {
		panic(fmt.Sprintf("memctrl: the %d bits of block %#x do not decode to its contents (%v)", s.Bits, addr, err))
	}
	*line = out
}

func (c *Controller) newShadow() {
	if c.shadow == nil {
		s, err := mem.NewImage(c.env.Image.Base(), 0)
		if err != nil {
			panic(err)
		}
		c.shadow = s
	}
	c.shadow.CopyFrom(c.env.Image)
}

// checkLoss panics unless only the symbols a lossy scheme says it truncated, in a
// region where it may, have changed.
func (c *Controller) checkLoss(addr mem.Addr, before, after *mem.Line, region codec.Region, s codec.Stored) {
	if *before == *after {
		return
	}
	if s.Mode != probe.ModeLossy || !region.Safe {
		panic(fmt.Sprintf("memctrl: %s changed block %#x, which is stored in mode %d, safe %v", c.coding.scheme.Name(), addr, s.Mode, region.Safe))
	}
	low, high := 2*int(s.FirstSymbol), 2*(int(s.FirstSymbol)+int(s.TruncatedSymbols))
	for i := range before {
		if before[i] != after[i] && (i < low || i >= high) {
			panic(fmt.Sprintf("memctrl: %s changed byte %d of block %#x, outside truncated bytes %d to %d", c.coding.scheme.Name(), i, addr, low, high-1))
		}
	}
}

// checkShadow panics when a block that no lossy compression has touched since it
// was written differs from its exact contents.
func (c *Controller) checkShadow(addr mem.Addr, line *mem.Line, s codec.Stored) {
	var exact mem.Line
	c.shadow.ReadLine(addr, &exact)
	if exact != *line && s.Mode != probe.ModeLossy {
		panic(fmt.Sprintf("memctrl: block %#x is stored in mode %d but differs from its exact contents", addr, s.Mode))
	}
}
