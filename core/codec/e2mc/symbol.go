package e2mc

import "github.com/burstscope/burstscope/core/codec"

// Code returns the codeword of a symbol at a position in the word (0 for widths
// 16 and 32). With escape the symbol itself follows it.
func (t *Table) Code(pos int, symbol uint32) (code uint32, bits int, escape bool) {
	tr, slot := &t.trees[pos], 0
	switch t.symbolBits {
	case 4, 8:
		slot = int(t.slot8[pos][symbol])
	case 16:
		slot = int(t.slot16[symbol])
	default:
		_, slot = t.find32(symbol)
	}
	c := &tr.codes[slot]
	return c.code, int(c.bits), slot == tr.escape
}

// Take reads a codeword and, after an escape, escapedBits of the symbol. It
// answers false where the bits hold no codeword; a reader that ended has failed.
func (t *Table) Take(r *codec.BitReader, pos, escapedBits int) (symbol uint32, ok bool) {
	tr := &t.trees[pos]
	slot := tr.decode(uint32(r.Peek() >> 32))
	if slot < 0 {
		return 0, false
	}
	c := &tr.codes[slot]
	r.Skip(int(c.bits))
	if slot == tr.escape {
		return uint32(r.Take(escapedBits)), true
	}
	return c.symbol, true
}
