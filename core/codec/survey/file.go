package survey

import (
	"errors"
	"io"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// MaxDistinct bounds the distinct 32-bit symbols that are counted at a time. They take 32
// MB, and as much again for a moment when the rarest are dropped.
const MaxDistinct = 1 << 20

// EntropyBits are the symbols whose entropy is given.
var EntropyBits = []int{8, 16, 32}

// Params of a survey of a file.
type Params struct {
	Names   []string
	Options codecs.Options
	// Progress is called periodically with the number of blocks read, and the number of all
	// blocks, in both passes together. The survey continues if it returns true. It may be nil.
	Progress func(done, all int64) bool
}

// ErrCancelled is the error of a survey that Progress ended.
var ErrCancelled = errors.New("cancelled")

// Result of a survey of a file.
type Result struct {
	Blocks        uint64  `json:"blocks"`
	PaddedBytes   int64   `json:"paddedBytes"` // zeros after the ends of arrays
	Values        Values  `json:"values"`
	Codecs        []Sizes `json:"codecs"`
	BlocksPerCell int     `json:"blocksPerCell"`
	Bounds        []Bound `json:"bounds"`
	// Trainer counted the symbols: it makes codecs with the code tables of the file.
	Trainer *codecs.Trainer `json:"-"`
}

// Bound is the limit that the entropy of symbols sets: no code with one fixed codeword for
// each symbol is shorter.
type Bound struct {
	SymbolBits   int     `json:"symbolBits"`
	BitsPerBlock float64 `json:"bitsPerBlock"`
	Ratio        float64 `json:"ratio"`
	// Approximate is set when there were too many distinct symbols to count all.
	Approximate bool `json:"approximate"`
}

// chunkBlocks are read at a time.
const chunkBlocks = 1024

// each gives all blocks of a file to do, a chunk at a time, and returns how many
// bytes of zeros fill up its arrays.
func each(f *datafile.File, do func(lines []mem.Line, t datafile.Type) error) (padded int64, err error) {
	b := f.Blocks()
	lines := make([]mem.Line, chunkBlocks)
	for {
		n, t, err := b.Next(lines)
		if err == io.EOF {
			return b.PaddedBytes(), nil
		}
		if err != nil {
			return 0, err
		}
		if err := do(lines[:n], t); err != nil {
			return 0, err
		}
	}
}

// Train counts the symbols of a file for the codes of the named codecs, and those of the
// given widths.
func Train(f *datafile.File, names []string, widths ...int) (*codecs.Trainer, error) {
	t, err := newTrainer(names, widths)
	if err != nil {
		return nil, err
	}
	_, err = each(f, func(lines []mem.Line, _ datafile.Type) error {
		for i := range lines {
			t.Count(&lines[i])
		}
		return nil
	})
	return t, err
}

func newTrainer(names []string, widths []int) (*codecs.Trainer, error) {
	t, err := codecs.NewTrainer(names...)
	if err != nil {
		return nil, err
	}
	for _, w := range widths {
		if err := t.Want(w); err != nil {
			return nil, err
		}
	}
	t.Bound(MaxDistinct)
	return t, nil
}

// File surveys a file in two passes: one for the symbols, one for the sizes.
func File(f *datafile.File, p Params) (*Result, error) {
	t, err := newTrainer(p.Names, EntropyBits)
	if err != nil {
		return nil, err
	}
	r := &Result{Trainer: t}
	done, all := int64(0), 2*f.BlockCount()
	step := func(n int) error {
		done += int64(n)
		if p.Progress != nil && !p.Progress(done, all) {
			return ErrCancelled
		}
		return nil
	}
	r.PaddedBytes, err = each(f, func(lines []mem.Line, kind datafile.Type) error {
		for i := range lines {
			t.Count(&lines[i])
		}
		r.Values.Add(lines, kind)
		return step(len(lines))
	})
	if err != nil {
		return nil, err
	}
	a, err := New(p.Names, t, p.Options)
	if err != nil {
		return nil, err
	}
	if _, err := each(f, func(lines []mem.Line, _ datafile.Type) error {
		a.Add(lines)
		if err := a.Err(); err != nil {
			return err
		}
		return step(len(lines))
	}); err != nil {
		return nil, err
	}
	r.Blocks, r.Codecs, r.BlocksPerCell = t.Blocks(), a.Sizes(), a.BlocksPerCell()
	for _, bits := range EntropyBits {
		r.Bounds = append(r.Bounds, boundOf(t.Histogram(bits)))
	}
	return r, nil
}

func boundOf(h *e2mc.Histogram) Bound {
	b := Bound{SymbolBits: h.SymbolBits(), BitsPerBlock: h.EntropyBits(), Approximate: h.Forgotten() > 0}
	if b.BitsPerBlock > 0 {
		b.Ratio = mem.LineBytes * 8 / b.BitsPerBlock
	}
	return b
}
