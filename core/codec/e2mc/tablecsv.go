package e2mc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A code table as text has a row for each codeword in canonical order: the symbol in
// hexadecimal or ESC, how often it was counted, the length of its codeword and the
// codeword in binary. Widths 4 and 8, which have a tree for each position in the
// word, have the position as a fifth column.
const (
	csvHeader     = "symbol_hex,count,len,code_bin"
	csvTreeColumn = ",tree"
	csvEscape     = "ESC"
)

// AppendCSV appends the table as text, with the counts of h.
func (t *Table) AppendCSV(b []byte, h *Histogram) []byte {
	b = append(b, csvHeader...)
	if len(t.trees) > 1 {
		b = append(b, csvTreeColumn...)
	}
	b = append(b, '\n')
	for pos := range t.trees {
		others := h.Total()
		for i, c := range t.trees[pos].codes {
			if i != t.trees[pos].escape {
				others -= min(others, h.Of(pos, c.symbol))
			}
		}
		for i, c := range t.trees[pos].codes {
			n := h.Of(pos, c.symbol)
			if i == t.trees[pos].escape {
				b, n = append(b, csvEscape...), others
			} else {
				b = fmt.Appendf(b, "%0*x", t.symbolBits/4, c.symbol)
			}
			b = fmt.Appendf(b, ",%d,%d,%0*b", n, c.bits, c.bits, c.code)
			if len(t.trees) > 1 {
				b = fmt.Appendf(b, ",%d", pos)
			}
			b = append(b, '\n')
		}
	}
	return b
}

// maxTableText bounds the text of a table: 2^15 rows of less than 128 bytes.
const maxTableText = 4 << 20

// csvRow is a row of a table.
type csvRow struct {
	line   int
	symbol uint32
	escape bool
	bits   int
	code   uint32
}

// ParseCSV reads a table of symbols of symbolBits whose codewords have at most
// maxLengthBits (0 = E2MC's limit). The codewords must be a prefix code; sizes
// depend on their lengths only, and the table has canonical ones of these lengths.
func ParseCSV(text string, symbolBits, maxLengthBits int) (*Table, error) {
	if len(text) > maxTableText {
		return nil, fmt.Errorf("a table of %d bytes: at most %d are read", len(text), maxTableText)
	}
	switch symbolBits {
	case 4, 8, 16, 32:
	default:
		return nil, symbolBitsError(symbolBits)
	}
	if maxLengthBits == 0 {
		maxLengthBits = DefaultMaxLengthBits(symbolBits)
	}
	trees := make([][]csvRow, treeCount(symbolBits))
	number, rows := 0, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || number == 1 && strings.HasPrefix(line, csvHeader) {
			continue
		}
		row, tree, err := parseRow(line, symbolBits, maxLengthBits, rows)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		row.line = number
		if trees[tree] = append(trees[tree], row); len(trees[tree]) > maxValuesLimit {
			return nil, fmt.Errorf("line %d: more than %d codewords", number, maxValuesLimit)
		}
		rows++
	}
	lengths := make([][]SymbolLength, len(trees))
	escapeBits := uint8(0)
	for pos, tree := range trees {
		escape, err := checkTree(tree, symbolBits)
		if err != nil {
			return nil, err
		}
		escapeBits = escape
		for _, row := range tree {
			if !row.escape {
				lengths[pos] = append(lengths[pos], SymbolLength{row.symbol, uint8(row.bits)})
			}
		}
		slices.SortFunc(lengths[pos], func(a, b SymbolLength) int {
			if a.Symbol < b.Symbol {
				return -1
			}
			return 1
		})
	}
	return newTable(symbolBits, lengths, escapeBits)
}

// parseRow reads a row; rows were read before it, which says its tree if it does not.
func parseRow(line string, symbolBits, maxLengthBits, rows int) (row csvRow, tree int, err error) {
	fields := strings.Split(line, ",")
	trees := treeCount(symbolBits)
	tree = rows >> symbolBits
	switch {
	case len(fields) == 5 && trees > 1:
		if tree, err = strconv.Atoi(strings.TrimSpace(fields[4])); err != nil || tree < 0 {
			return row, 0, fmt.Errorf("tree %q: want 0 to %d", fields[4], trees-1)
		}
	case len(fields) != 4:
		return row, 0, fmt.Errorf("%d columns: want %s", len(fields), csvHeader)
	case symbolBits >= 16:
		tree = 0
	}
	if tree >= trees {
		return row, 0, fmt.Errorf("a codeword too many: symbols of %d bits have %d trees of %d", symbolBits, trees, 1<<symbolBits)
	}
	symbol := strings.TrimSpace(fields[0])
	if row.escape = strings.EqualFold(symbol, csvEscape); !row.escape {
		v, err := strconv.ParseUint(strings.TrimPrefix(symbol, "0x"), 16, symbolBits)
		if err != nil {
			return row, 0, fmt.Errorf("symbol %q: want a hexadecimal number of %d bits or %s", symbol, symbolBits, csvEscape)
		}
		row.symbol = uint32(v)
	}
	if _, err := strconv.ParseUint(strings.TrimSpace(fields[1]), 10, 64); err != nil {
		return row, 0, fmt.Errorf("count %q: want a whole number", fields[1])
	}
	if row.bits, err = strconv.Atoi(strings.TrimSpace(fields[2])); err != nil || row.bits < 1 {
		return row, 0, fmt.Errorf("length %q: want 1 to %d", fields[2], maxLengthBits)
	}
	if row.bits > maxLengthBits {
		return row, 0, fmt.Errorf("a codeword of %d bits: at most %d are allowed for symbols of %d bits", row.bits, maxLengthBits, symbolBits)
	}
	code := strings.TrimSpace(fields[3])
	v, err := strconv.ParseUint(code, 2, 32)
	if err != nil || len(code) != row.bits {
		return row, 0, fmt.Errorf("codeword %q: want %d binary digits", code, row.bits)
	}
	row.code = uint32(v)
	return row, tree, nil
}

// checkTree checks that the codewords are a prefix code of different symbols, all
// of them or with an escape for the rest, and returns the length of the escape.
func checkTree(tree []csvRow, symbolBits int) (escapeBits uint8, err error) {
	escapes := 0
	for _, row := range tree {
		if row.escape {
			escapes++
			escapeBits = uint8(row.bits)
			if symbolBits < 16 {
				return 0, fmt.Errorf("line %d: %s in a table of %d-bit symbols: all of them have codewords", row.line, csvEscape, symbolBits)
			}
		}
	}
	switch {
	case symbolBits < 16 && len(tree) != 1<<symbolBits:
		return 0, fmt.Errorf("the table has %d codewords in a tree of %d-bit symbols: want all %d", len(tree), symbolBits, 1<<symbolBits)
	case symbolBits >= 16 && escapes != 1:
		return 0, fmt.Errorf("the table has %d rows %s: want one, for the symbols without a codeword", escapes, csvEscape)
	}
	bySymbol := slices.DeleteFunc(slices.Clone(tree), func(r csvRow) bool { return r.escape })
	slices.SortStableFunc(bySymbol, func(a, b csvRow) int {
		switch {
		case a.symbol < b.symbol:
			return -1
		case a.symbol > b.symbol:
			return 1
		}
		return 0
	})
	for i := 1; i < len(bySymbol); i++ {
		if bySymbol[i].symbol == bySymbol[i-1].symbol {
			return 0, fmt.Errorf("line %d: symbol %x again, after line %d", bySymbol[i].line, bySymbol[i].symbol, bySymbol[i-1].line)
		}
	}
	byCode := slices.Clone(tree)
	left := func(r csvRow) uint64 { return uint64(r.code) << (maxCodeBits - r.bits) }
	slices.SortFunc(byCode, func(a, b csvRow) int {
		switch x, y := left(a), left(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a.bits - b.bits
	})
	for i := 1; i < len(byCode); i++ {
		a, b := byCode[i-1], byCode[i]
		if left(a)+1<<(maxCodeBits-a.bits) > left(b) {
			return 0, fmt.Errorf("line %d: its codeword begins with the codeword of line %d: no decoder can tell them apart", b.line, a.line)
		}
	}
	return escapeBits, nil
}
