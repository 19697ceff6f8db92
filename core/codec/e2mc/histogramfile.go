package e2mc

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// AppendBinary appends the counts to b: the numbers of blocks and of dropped symbols, the
// bound, and each symbol that was counted with its count. All numbers are varints, and symbols
// are differences in ascending order, so equal counts give equal bytes.
func (h *Histogram) AppendBinary(b []byte) []byte {
	b = append(b, byte(h.symbolBits))
	for _, v := range []uint64{h.blocks, h.wide.forgotten, uint64(h.wide.bound)} {
		b = binary.AppendUvarint(b, v)
	}
	var list []SymbolCount
	for _, s := range h.wide.slots {
		if s.Count != 0 {
			list = append(list, s)
		}
	}
	for s, c := range h.flat {
		if c != 0 {
			list = append(list, SymbolCount{uint32(s), c})
		}
	}
	slices.SortFunc(list, func(a, b SymbolCount) int {
		if a.Symbol < b.Symbol {
			return -1
		}
		return 1
	})
	b = binary.AppendUvarint(b, uint64(len(list)))
	last := uint32(0)
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(s.Symbol-last))
		b = binary.AppendUvarint(b, s.Count)
		last = s.Symbol
	}
	return b
}

// ParseHistogram reads counts that AppendBinary wrote, and returns the bytes after them.
func ParseHistogram(b []byte) (*Histogram, []byte, error) {
	if len(b) == 0 {
		return nil, nil, errCutCounts
	}
	h, err := NewHistogram(int(b[0]))
	if err != nil {
		return nil, nil, err
	}
	b = b[1:]
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			err, n = errCutCounts, 0
		}
		b = b[n:]
		return v
	}
	h.blocks, h.wide.forgotten = next(), next()
	bound := next()
	symbol := uint64(0)
	for left := next(); left > 0 && err == nil; left-- {
		symbol += next()
		count := next()
		if h.symbolBits == 32 && symbol>>32 == 0 && count != 0 {
			h.wide.add(uint32(symbol), count)
		} else if symbol < uint64(len(h.flat)) {
			h.flat[symbol] = count
		} else if err == nil {
			err = fmt.Errorf("e2mc: stored counts: symbol %#x is wider than %d bits", symbol, h.symbolBits)
		}
	}
	h.wide.bound = int(min(bound, 1<<32)) // after the symbols, of which none may be dropped
	return h, b, err
}

var errCutCounts = fmt.Errorf("e2mc: stored counts end too early: the file is cut off")
