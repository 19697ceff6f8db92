package memctrl

import (
	"math"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// blocks remembers how each block of a channel lies in DRAM. A size is computed
// on first touch (the host's copy went through the compressor) and kept until the
// block is written.
type blocks struct {
	first  uint64         // number of the first block within the channel
	stored []codec.Stored // Bursts 0 = not known
	region []uint16       // index into the controller's regions
}

// blockOf returns a block's number within its channel.
func blockOf(local uint64) uint64 { return local / mem.LineBytes }

func (b *blocks) forgetAll() { clear(b.stored) }

func (b *blocks) setAllRaw(mag int) {
	for i := range b.stored {
		b.stored[i] = rawBlock(mag)
	}
}

func rawBlock(mag int) codec.Stored {
	return codec.Stored{Bits: codec.RawBits, LosslessBits: codec.RawBits, Bursts: uint8(mem.LineBytes / mag), Mode: probe.ModeRaw}
}

// ResetBlocks forgets how blocks are stored and reads the image's allocations
// and their regions. The machine calls it once memory is allocated and filled.
func (c *Controller) ResetBlocks() {
	c.SyncAllocations()
	for i := range c.channels {
		c.channels[i].blocks.forgetAll()
	}
	if c.cfg.Paranoid {
		c.newShadow()
	}
}

// SyncAllocations reads the image's allocations and their regions, and makes room
// for blocks allocated since; what is remembered of older blocks stays.
func (c *Controller) SyncAllocations() {
	allocs := c.env.Image.Allocations()
	if len(allocs) >= math.MaxUint16 {
		panic("memctrl: too many allocations to number in 16 bits")
	}
	c.regions = append(c.regions[:0], codec.Region{})
	for i := range allocs {
		c.regions = append(c.regions, codec.Region{Safe: allocs[i].Safe, ThresholdBytes: allocs[i].ThresholdBytes})
	}
	_, low := c.cfg.Map.Split(c.env.Image.Base())
	_, high := c.cfg.Map.Split(c.env.Image.Top())
	// Base and Top may lie in different channels, and a piece of the map holds
	// several blocks: whole pieces on both sides are enough for every channel.
	piece := c.cfg.Map.PieceBytes() / mem.LineBytes
	first := blockOf(low) / piece * piece
	count := int(blockOf(high)/piece*piece + piece - first)
	for i := range c.channels {
		b := &c.channels[i].blocks
		b.first = first
		if n := count - len(b.stored); n > 0 {
			b.stored = append(b.stored, make([]codec.Stored, n)...)
		}
		b.region = append(b.region[:0], make([]uint16, count)...)
	}
	for i := range allocs {
		c.markRegion(&allocs[i], uint16(i+1))
	}
}

func (c *Controller) markRegion(a *mem.Allocation, region uint16) {
	for at := mem.LineAddr(a.Base); at < a.End(); at += mem.LineBytes {
		n, local := c.cfg.Map.Split(at)
		if n -= c.cfg.FirstChannel; n >= 0 && n < len(c.channels) {
			b := &c.channels[n].blocks
			b.region[blockOf(local)-b.first] = region
		}
	}
}

// Forget makes the controller look at a line's contents again: the host has
// written it. It does nothing for lines of other controllers.
func (c *Controller) Forget(addr mem.Addr) {
	n, local := c.cfg.Map.Split(addr)
	n -= c.cfg.FirstChannel
	if n < 0 || n >= len(c.channels) {
		return
	}
	b := &c.channels[n].blocks
	b.stored[blockOf(local)-b.first] = codec.Stored{}
	if c.shadow != nil {
		var line mem.Line
		c.env.Image.ReadLine(mem.LineAddr(addr), &line)
		c.shadow.WriteLine(mem.LineAddr(addr), &line)
	}
}

// Stored returns how the line at addr, which must belong to this controller, is
// stored; ok is false while nobody has touched it.
func (c *Controller) Stored(addr mem.Addr) (s codec.Stored, ok bool) {
	n, local := c.cfg.Map.Split(addr)
	b := &c.channels[n-c.cfg.FirstChannel].blocks
	s = b.stored[blockOf(local)-b.first]
	return s, s.Bursts != 0
}
