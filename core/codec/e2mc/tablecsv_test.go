package e2mc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
)

// What AppendCSV writes, ParseCSV reads: the same codes.
func TestTableAsText(t *testing.T) {
	lines := codectest.Corpus(20)
	for _, width := range []int{4, 8, 16, 32} {
		h, err := NewHistogram(width)
		if err != nil {
			t.Fatal(err)
		}
		for i := range lines {
			h.Count(&lines[i])
		}
		table, err := Train(h, TrainParams{})
		if err != nil {
			t.Fatal(err)
		}
		text := string(table.AppendCSV(nil, h))
		again, err := ParseCSV(text, width, 0)
		if err != nil {
			t.Fatalf("%d bits: %v", width, err)
		}
		if again.Hash() != table.Hash() {
			t.Errorf("%d bits: another table", width)
		}
		// Counts of every tree add up to all symbols.
		total, first := uint64(0), strings.SplitN(text, "\n", 3)
		for line := range strings.Lines(text) {
			var symbol string
			var count uint64
			if n, _ := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%s %d", &symbol, &count); n == 2 {
				total += count
			}
		}
		if total != h.Total() || !strings.HasPrefix(first[0], csvHeader) {
			t.Errorf("%d bits: %d symbols counted of %d; %s", width, total, h.Total(), first[0])
		}
		// Without header and tree column rows follow each other in order of the trees.
		var plain strings.Builder
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			if i > 0 {
				plain.WriteString(strings.Join(strings.Split(line, ",")[:4], ",") + "\r\n")
			}
		}
		if again, err := ParseCSV(plain.String(), width, 0); err != nil || again.Hash() != table.Hash() {
			t.Errorf("%d bits without header and trees: %v", width, err)
		}
	}
}

// The toy table of the reference: 0000 "0", 3f80 "10", 0001 "110", ESC "111".
const toyCSV = "symbol_hex,count,len,code_bin\n0000,60,1,0\n3f80,30,2,10\n0001,6,3,110\nESC,4,3,111\n"

func TestToyTableAsText(t *testing.T) {
	table, err := ParseCSV(toyCSV, 16, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Params{SymbolBits: 16}, table)
	if err != nil {
		t.Fatal(err)
	}
	a := codectest.WordsOf(func(uint32) uint32 { return 0x3f800000 })
	if got := c.TotalBits(a); got != 120 {
		t.Errorf("block A: %d bits, want 120", got)
	}
	a[10], a[11] = 0xef, 0xbe // symbol 5
	if got := c.TotalBits(a); got != 136 {
		t.Errorf("block B: %d bits, want 136", got)
	}
}

func TestWrongTables(t *testing.T) {
	row := func(text string) string { return toyCSV + text }
	all4 := ""
	for tree := range 8 {
		for s := range 16 {
			all4 += fmt.Sprintf("%x,1,4,%04b,%d\n", s, s, tree)
		}
	}
	for _, c := range []struct {
		name, text string
		bits       int
		want       string
	}{
		{"no escape", strings.Replace(toyCSV, "ESC,4,3,111\n", "", 1), 16, "0 rows ESC: want one"},
		{"two escapes", strings.Replace(toyCSV, "0001,6", "ESC,6", 1), 16, "2 rows ESC"},
		{"not a prefix code", "0000,1,1,0\n0001,1,2,01\nESC,1,2,11\n", 16, "line 2: its codeword begins with"},
		{"the same codeword twice", "0000,1,2,10\n0001,1,2,10\nESC,1,2,11\n", 16, "begins with the codeword of line"},
		{"too long", "0000,1,1,0\nESC,1,21,100000000000000000000\n", 16, "line 2: a codeword of 21 bits: at most 20"},
		{"too long for 8", strings.Replace(all4, "0,1,4,0000,0", "0,1,9,000000000,0", 1), 4, "line 1: a codeword of 9 bits: at most 8"},
		{"another length than said", "0000,1,2,0\nESC,1,1,1\n", 16, `line 1: codeword "0": want 2 binary digits`},
		{"not binary", "0000,1,2,02\nESC,1,1,1\n", 16, `codeword "02"`},
		{"a symbol twice", "0000,1,2,00\n0000,1,2,01\nESC,1,1,1\n", 16, "line 2: symbol 0 again, after line 1"},
		{"a wide symbol", row("10000,1,4,1111\n"), 16, `line 6: symbol "10000"`},
		{"not hexadecimal", "xyz,1,1,0\nESC,1,1,1\n", 16, `line 1: symbol "xyz"`},
		{"count", "0000,many,1,0\nESC,1,1,1\n", 16, `count "many"`},
		{"length 0", "0000,1,0,\nESC,1,1,1\n", 16, `length "0"`},
		{"columns", "0000,1,1\n", 16, "3 columns"},
		{"empty", "", 16, "0 rows ESC"},
		{"escape of 4 bits", strings.Replace(all4, "f,1,4,1111,7", "ESC,1,4,1111,7", 1), 4, "ESC in a table of 4-bit symbols"},
		{"a symbol missing", strings.Replace(all4, "f,1,4,1111,7\n", "", 1), 4, "15 codewords in a tree of 4-bit symbols: want all 16"},
		{"a tree too many", all4 + "0,1,4,0000,8\n", 4, "line 129: a codeword too many"},
		{"no width", toyCSV, 12, "symbols of 12 bits"},
	} {
		if _, err := ParseCSV(c.text, c.bits, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	if _, err := ParseCSV("0000,1,1,0\nESC,1,21,100000000000000000000\n", 32, 32); err != nil {
		t.Errorf("a long codeword without a limit: %v", err)
	}
}

func FuzzParseCSV(f *testing.F) {
	f.Add(toyCSV, 16)
	f.Add("0,1,4,0000,0\n", 4)
	f.Add("ESC,1,1,1", 32)
	f.Fuzz(func(t *testing.T, text string, bits int) {
		table, err := ParseCSV(text, bits, 0)
		if err != nil {
			return
		}
		h, err := NewHistogram(bits)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseCSV(string(table.AppendCSV(nil, h)), bits, 0)
		if err != nil || again.Hash() != table.Hash() {
			t.Fatalf("written and read again: %v", err)
		}
	})
}
