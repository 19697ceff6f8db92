package e2mc

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Eighths is the number of equal parts in which the size path sums a block; every
// allowed number of ways divides it.
const Eighths = 8

// Sums adds up the code lengths, escapes included, of each eighth of line.
func (t *Table) Sums(line *mem.Line, sums *[Eighths]int) {
	switch t.symbolBits {
	case 16:
		cost := t.cost16
		for e := range sums {
			a := binary.LittleEndian.Uint64(line[e*16:])
			b := binary.LittleEndian.Uint64(line[e*16+8:])
			sums[e] = int(cost[uint16(a)]) + int(cost[uint16(a>>16)]) + int(cost[uint16(a>>32)]) + int(cost[uint16(a>>48)]) +
				int(cost[uint16(b)]) + int(cost[uint16(b>>16)]) + int(cost[uint16(b>>32)]) + int(cost[uint16(b>>48)])
		}
	case 32:
		for e := range sums {
			sum := 0
			for i := e * 16; i < e*16+16; i += 4 {
				cost, _ := t.find32(binary.LittleEndian.Uint32(line[i:]))
				sum += int(cost)
			}
			sums[e] = sum
		}
	default:
		for e := range sums {
			sum := 0
			for i := e * 16; i < e*16+16; i += 4 {
				sum += int(t.cost8[0][line[i]]) + int(t.cost8[1][line[i+1]]) +
					int(t.cost8[2][line[i+2]]) + int(t.cost8[3][line[i+3]])
			}
			sums[e] = sum
		}
	}
}

// MaxSymbols is the number of symbols of a block at the smallest width.
const MaxSymbols = codec.MaxSymbols

// Lengths stores what each symbol of line costs, escapes included, and returns
// how many symbols there are.
func (t *Table) Lengths(line *mem.Line, dst *[MaxSymbols]uint8) int {
	n := mem.LineBytes * 8 / t.symbolBits
	if t.symbolBits == 16 {
		for i := range 64 {
			dst[i] = t.cost16[binary.LittleEndian.Uint16(line[2*i:])]
		}
		return n
	}
	for i := range n {
		tr, slot := t.slotOf(line, i)
		dst[i] = tr.codes[slot].bits
		if slot == tr.escape {
			dst[i] += uint8(t.symbolBits)
		}
	}
	return n
}

// Before16 stores the sum of the costs before each 16-bit symbol of line, and
// after the last one the whole sum.
func (t *Table) Before16(line *mem.Line, before *[mem.LineBytes/2 + 1]uint16) {
	cost := t.cost16
	before[0] = 0
	sum := uint16(0)
	for i := 0; i < mem.LineBytes/2; i += 4 {
		v := binary.LittleEndian.Uint64(line[2*i:])
		b := (*[4]uint16)(before[i+1:])
		a0 := sum + uint16(cost[uint16(v)])
		a1 := a0 + uint16(cost[uint16(v>>16)])
		a2 := a1 + uint16(cost[uint16(v>>32)])
		sum = a2 + uint16(cost[v>>48])
		b[0], b[1], b[2], b[3] = a0, a1, a2, sum
	}
}

// symbolAt returns symbol i of line. Nibble 0 is the low half of byte 0.
func (t *Table) symbolAt(line *mem.Line, i int) uint32 {
	switch t.symbolBits {
	case 4:
		return uint32(line[i/2] >> (i & 1 * 4) & 15)
	case 8:
		return uint32(line[i])
	case 16:
		return uint32(binary.LittleEndian.Uint16(line[2*i:]))
	}
	return binary.LittleEndian.Uint32(line[4*i:])
}

// setSymbol is the inverse of symbolAt for a line filled in order.
func (t *Table) setSymbol(line *mem.Line, i int, s uint32) {
	switch t.symbolBits {
	case 4:
		if i&1 == 0 {
			line[i/2] = byte(s)
		} else {
			line[i/2] |= byte(s << 4)
		}
	case 8:
		line[i] = byte(s)
	case 16:
		binary.LittleEndian.PutUint16(line[2*i:], uint16(s))
	default:
		binary.LittleEndian.PutUint32(line[4*i:], s)
	}
}

// slotOf returns the tree of symbol i of line and the number of its codeword.
func (t *Table) slotOf(line *mem.Line, i int) (*tree, int) {
	switch s := t.symbolAt(line, i); t.symbolBits {
	case 4:
		return &t.trees[i&7], int(t.slot8[i&7][s])
	case 8:
		return &t.trees[i&3], int(t.slot8[i&3][s])
	case 16:
		return &t.trees[0], int(t.slot16[s])
	default:
		_, slot := t.find32(s)
		return &t.trees[0], slot
	}
}
