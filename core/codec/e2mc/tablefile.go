package e2mc

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
)

// A stored table is: "E2MC", format version 1, symbol bits, escape bits (0 =
// none), then for each tree the number of symbols (u32) and for each symbol,
// ascending, its value (u32) and the length of its codeword (u8). Little-endian.
// Lengths are enough: the codewords are canonical.
const (
	tableMagic   = "E2MC"
	tableVersion = 1
)

// AppendBinary appends the stored form of t to b. Equal tables give equal bytes.
func (t *Table) AppendBinary(b []byte) []byte {
	b = append(b, tableMagic...)
	b = append(b, tableVersion, byte(t.symbolBits), byte(t.EscapeBits()))
	for i := range t.trees {
		rows := t.trees[i].lengths()
		b = binary.LittleEndian.AppendUint32(b, uint32(len(rows)))
		for _, s := range rows {
			b = append(binary.LittleEndian.AppendUint32(b, s.Symbol), s.Bits)
		}
	}
	return b
}

// lengths returns the symbols in ascending order.
func (tr *tree) lengths() []SymbolLength {
	rows := make([]SymbolLength, 0, len(tr.codes))
	for i, c := range tr.codes {
		if i != tr.escape {
			rows = append(rows, SymbolLength{c.symbol, c.bits})
		}
	}
	slices.SortFunc(rows, func(a, b SymbolLength) int {
		if a.Symbol < b.Symbol {
			return -1
		}
		return 1
	})
	return rows
}

// Hash returns a 64-bit FNV-1a hash of the stored form.
func (t *Table) Hash() uint64 {
	h := fnv.New64a()
	h.Write(t.AppendBinary(nil))
	return h.Sum64()
}

// ParseTable reads a table that AppendBinary wrote. Other input is an error.
func ParseTable(b []byte) (*Table, error) {
	const header = len(tableMagic) + 3
	if len(b) < header || string(b[:len(tableMagic)]) != tableMagic {
		return nil, fmt.Errorf("e2mc: not a stored code table: want one written by this program")
	}
	if v := b[len(tableMagic)]; v != tableVersion {
		return nil, fmt.Errorf("e2mc: stored code table of version %d: this program reads version %d; train it again", v, tableVersion)
	}
	symbolBits, escapeBits := int(b[header-2]), b[header-1]
	b = b[header:]
	switch symbolBits {
	case 4, 8:
		if escapeBits != 0 {
			return nil, fmt.Errorf("e2mc: stored code table of %d-bit symbols with an escape: it has none", symbolBits)
		}
	case 16, 32:
		if escapeBits == 0 {
			return nil, fmt.Errorf("e2mc: stored code table of %d-bit symbols without an escape: it needs one", symbolBits)
		}
	default:
		return nil, symbolBitsError(symbolBits)
	}
	trees := make([][]SymbolLength, treeCount(symbolBits))
	for i := range trees {
		if len(b) < 4 {
			return nil, fmt.Errorf("e2mc: stored code table ends before tree %d: the file is cut off", i)
		}
		n := int(binary.LittleEndian.Uint32(b))
		b = b[4:]
		if n > maxValuesLimit || n*5 > len(b) {
			return nil, fmt.Errorf("e2mc: stored code table: tree %d announces %d symbols, %d bytes are left: the file is cut off or damaged", i, n, len(b))
		}
		if symbolBits < 16 && n != 1<<symbolBits {
			return nil, fmt.Errorf("e2mc: stored code table: tree %d has %d symbols, want all %d", i, n, 1<<symbolBits)
		}
		for range n {
			s := SymbolLength{binary.LittleEndian.Uint32(b), b[4]}
			if uint64(s.Symbol)>>symbolBits != 0 {
				return nil, fmt.Errorf("e2mc: stored code table: symbol %#x is wider than %d bits", s.Symbol, symbolBits)
			}
			trees[i] = append(trees[i], s)
			b = b[5:]
		}
	}
	if len(b) != 0 {
		return nil, fmt.Errorf("e2mc: stored code table: %d bytes too many at its end", len(b))
	}
	return newTable(symbolBits, trees, escapeBits)
}
