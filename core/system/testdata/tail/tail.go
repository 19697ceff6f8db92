// Package tail is a codec for tests: it leaves out the zeros at the end of a block, in pieces whose size is a setting
// of its own. Beside this folder it needs a row of codecs.Table.
package tail

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/setting"
)

// Row is the row.
func Row() codecs.Row {
	row := codecs.Row{Name: "tail", Title: "Tail", Settings: settings}
	row.Make = func(o codecs.Options, _ *codecs.Trainer) (codecs.Coder, error) {
		return tail{o.Int(&row, "piece"), o.Word(&row, "zeros") == "keep"}, nil
	}
	return row
}

var settings = []setting.Setting{
	{
		Name: "piece", Title: "piece", Unit: "bytes", Numbers: []int{1, 8, 64}, Default: 8, Wrong: "no piece has %d bytes",
		Needs: []setting.Need{{Of: "zeros", Not: []string{"keep"}}},
		About: "Zeros at the end of a block are left out in pieces of this size.",
	},
	{Name: "zeros", Title: "zeros", Words: []string{"leave", "keep"}, About: "keep: nothing is left out."},
}

// countBits are those of the number of pieces that a code holds.
const countBits = 8

type tail struct {
	piece int
	keeps bool
}

func (tail) Info() codec.Info {
	return codec.Info{
		Name: "tail", Source: "a toy", Lossless: true,
		Cost:   codec.Cost{CompressPJ: 1, DecompressPJ: 2, EnergySource: "a toy"},
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1},
	}
}

// pieces are those up to the last byte that is not zero.
func (c tail) pieces(line *mem.Line) int {
	n := mem.LineBytes / c.piece
	for ; n > 0 && !c.keeps; n-- {
		for _, b := range line[(n-1)*c.piece : n*c.piece] {
			if b != 0 {
				return n
			}
		}
	}
	return n
}

func (c tail) RawBits(line *mem.Line) int  { return countBits + 8*c.piece*c.pieces(line) }
func (c tail) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

func (c tail) Encode(dst *codec.Block, src *mem.Line) int {
	n := c.pieces(src)
	if c.SizeBits(src) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	w.Put(uint64(n), countBits)
	for _, b := range src[:n*c.piece] {
		w.Put(uint64(b), 8)
	}
	return w.Flush()
}

func (c tail) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	*dst = mem.Line{}
	r := codec.NewBitReader(src, bits)
	n := int(r.Take(countBits)) * c.piece
	for i := range min(n, mem.LineBytes) {
		dst[i] = byte(r.Take(8))
	}
	if r.Failed || n > mem.LineBytes {
		return fmt.Errorf("tail: a block of %d bits with %d bytes announced", bits, n)
	}
	return nil
}
