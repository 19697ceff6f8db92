package codecs

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
)

// shelfColumns maps the columns of the reference shelf to ours.
var shelfColumns = map[string]string{
	"ref_bdi8": "bdi", "ref_bdi8_mask": "bdi-mask", "ref_bdi10": "bdi10", "ref_fpc": "fpc", "ref_cpack_pushx": "cpack",
	"ref_cpack_pushxm": "cpack-xm", "ref_cpack_pushall": "cpack-all", "ref_bpc": "bpc", "ref_bpc_unsigned": "bpc-unsigned",
	"ref_zvc32": "zvc", "ref_mpc1": "mpc", "ref_fib": "fibonacci",
}

// The worked blocks come out of the table of codecs as they should.
func TestWorkedBlocks(t *testing.T) {
	for _, name := range shelfColumns {
		c, err := ByName(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		codectest.CheckExamples(t, name, c.RawBits)
	}
}

// Our copies of the worked blocks are those of the reference shelf.
func TestWorkedBlocksAreTheShelfs(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(codectest.Shared(t, "conformance", "codecs", "examples.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	blocks := codectest.Shared(t, "conformance", "codecs", "examples.bin")
	examples := codectest.Examples()
	if len(rows)-1 != len(examples) || len(blocks) != 128*len(examples) {
		t.Fatalf("the shelf has %d rows and %d bytes, we have %d examples", len(rows)-1, len(blocks), len(examples))
	}
	columns := 0
	for i, row := range rows[1:] {
		e := examples[i]
		if !bytes.Equal(e.Line[:], blocks[128*i:128*i+128]) {
			t.Errorf("%s is another block", e.Name)
		}
		for k, text := range row {
			switch column := rows[0][k]; {
			case column == "name" && text != e.Name, column == "hex" && text != hex.EncodeToString(e.Line[:]),
				column == "ref_bdi8_enc" && text != e.BDIEncoding, column == "ref_bdi10_enc" && text != e.LATTE:
				t.Errorf("%s: %s is %s on the shelf", e.Name, column, text)
			case shelfColumns[column] != "":
				columns++
				if want, err := strconv.Atoi(text); err != nil || e.Sizes[shelfColumns[column]] != want {
					t.Errorf("%s: %s is %s on the shelf, %d here", e.Name, column, text, e.Sizes[shelfColumns[column]])
				}
			case len(column) > 4 && column[:4] == "ref_" && column != "ref_bdi8_enc" && column != "ref_bdi10_enc":
				t.Errorf("the shelf has a column %s that is not checked", column)
			}
		}
	}
	if columns != len(examples)*len(shelfColumns) {
		t.Errorf("%d figures compared, want %d", columns, len(examples)*len(shelfColumns))
	}
}
