package plugin

import (
	"encoding/binary"
	"errors"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// checkFirst blocks are checked, and then one of checkEvery on average [ours]. A check takes about five times as long as a
// size, and two copies of the module's memory.
const (
	checkFirst = 1024
	checkEvery = 256
)

// schedule says which blocks are checked. Behind the first ones their places are random, from the module's SHA-256: a module that
// counts its calls cannot know them, and every run of it checks the same blocks.
type schedule struct {
	rand sim.Rand
	seen uint64
	next uint64 // the next block to be checked, after the first ones
	all  bool
}

// checks counts a block, and reports whether it is one of those that are checked.
func (s *schedule) checks() bool {
	s.seen++
	if s.seen <= checkFirst || s.all {
		s.next = s.seen
	}
	if s.seen != s.next {
		return false
	}
	s.next++
	if s.seen >= checkFirst {
		s.next += uint64(s.rand.Intn(2*checkEvery - 1))
	}
	return true
}

// CheckAll lets every block be checked.
func (c *Codec) CheckAll() { c.sized.all, c.exact.all = true, true }

// Check does with blocks all that runs and reports do with them, and puts their sizes to bits. The number is that of the
// block at which the module has failed, or of the first in the call that failed.
func (c *Codec) Check(src []mem.Line, bits []int) (int, error) {
	for i := range src {
		if !c.lossy {
			bits[i] = c.SizeBits(&src[i])
		} else {
			bits[i] = c.Encode(&c.spare, &src[i])
			c.ExactBits(&src[i])
			c.Approximate(&src[i], &c.out)
		}
		if c.err != nil {
			return i, c.err
		}
	}
	if c.has[Sizes] {
		again := [BatchBlocks]int{}
		for i := 0; i < len(src); i += BatchBlocks {
			if c.SizesBits(src[i:min(i+BatchBlocks, len(src))], again[:]); c.err != nil {
				return i, c.err
			}
		}
	}
	return 0, nil
}

var errRemembers = errors.New("decode gave other bytes in an instance that has not encoded this block: " +
	"the code must hold everything that decode needs, beside what the module has at its start or makes in trained, and nothing may be kept from one call to the next")

// restore gives the checker the state that it had before its first block.
func (c *Codec) restore() {
	if c.err == nil {
		if err := c.checker.Restore(); err != nil {
			c.fail("%w", err)
		}
	}
}

// afresh calls a function that sizes a block, in an instance that has seen none.
func (c *Codec) afresh(f Function, src *mem.Line) int {
	c.restore()
	if f != Sizes || c.err != nil {
		return c.bits(c.checker, f, src)
	}
	at, err := c.checker.CallOn(Sizes, 1, c.batch, src[:])
	if err != nil {
		return c.fail("sizes: %w", err)
	}
	if !c.checker.Read(at, c.one[:]) {
		return c.fail("sizes returned %#x, which is no address of a number", at)
	}
	return int(binary.LittleEndian.Uint32(c.one[:]))
}

// unchanged checks that a function has left its block as it was.
func (c *Codec) unchanged(instance Instance, f Function, src *mem.Line) {
	if c.err == nil {
		if instance.Read(c.block, c.line[:]); c.line != *src {
			c.fail("%s changed the block; only decode may write it", f)
		}
	}
}

// verify encodes a block and decodes the code, each in an instance that has seen no block before, and checks what they give. size is what
// first said of it, in the instance that sees every block.
func (c *Codec) verify(first, f Function, dst *codec.Block, src, out *mem.Line, size int) int {
	*out = *src
	bits := c.afresh(f, src)
	c.unchanged(c.checker, f, src)
	switch {
	case c.err != nil:
		return codec.RawBits
	case bits != size:
		if alone := c.afresh(first, src); c.err == nil && alone != size {
			return c.fail("%s says %d bits of a block after others, and %d in an instance that has seen no block: "+
				"it must depend on the block alone, and nothing may be kept from one call to the next", first, size, alone)
		}
		return c.fail("%s says %d bits of a block, %s %d", first, size, f, bits)
	}
	if bits == codec.RawBits {
		return bits
	}
	c.checker.Read(c.code, dst[:])
	end := bits + c.tagBits
	if end%8 != 0 {
		dst[end/8] &= 0xff << (8 - end%8)
	}
	clear(dst[(end+7)/8:]) // nothing else may reach decode
	c.restore()
	fault := c.decode(out, dst, bits)
	if fault == nil {
		fault = c.decode(&c.again, dst, bits)
		switch {
		case fault != nil:
		case *out != c.again:
			fault = errors.New("decode gave two results for one code")
		case *out != *src && f == Exact:
			fault = errors.New("decode does not give the block that exact has encoded")
		case *out != *src && !c.lossy:
			fault = errors.New("decode does not give the block that was encoded, and describe() says lossless")
		}
	}
	if fault != nil {
		// Does it depend on what encode has left behind?
		if again := c.afresh(f, src); c.err == nil && again == bits && (!c.lossy || f == Exact) && c.decode(&c.again, dst, bits) == nil && c.again == *src {
			fault = errRemembers
		}
		return c.fail("%w", fault)
	}
	return bits
}
