package codecs

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/mem"
)

// widths are the symbols that codecs have tables of.
var widths = [...]int{4, 8, 16, 32}

// Trainer counts what the codes of some codecs are made from, in one pass over
// the blocks.
type Trainer struct {
	histograms [len(widths)]*e2mc.Histogram // nil where no codec wants it
	typed      *hycomp.Counts
	blocks     uint64
}

// NewTrainer returns a trainer for the codecs of these names.
func NewTrainer(names ...string) (*Trainer, error) {
	t := &Trainer{}
	for _, name := range names {
		e, err := find(name)
		if err != nil {
			return nil, err
		}
		if e.typed && t.typed == nil {
			t.typed = hycomp.NewCounts()
		}
		if e.symbolBits != 0 {
			if err := t.Want(e.symbolBits); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// Want adds the counts of a symbol width.
func (t *Trainer) Want(symbolBits int) error {
	for i, w := range widths {
		if w == symbolBits && t.histograms[i] != nil {
			return nil
		}
		if w == symbolBits {
			h, err := e2mc.NewHistogram(w)
			t.histograms[i] = h
			return err
		}
	}
	return fmt.Errorf("codecs: symbols of %d bits: want 4, 8, 16 or 32", symbolBits)
}

// Bound keeps the memory of the counts of 32-bit symbols below a number of
// distinct ones: see e2mc.Histogram.Bound.
func (t *Trainer) Bound(distinct int) {
	for _, h := range t.histograms {
		if h != nil {
			h.Bound(distinct)
		}
	}
	if t.typed != nil {
		t.typed.Words().Bound(distinct)
	}
}

// Count adds the symbols of a block.
func (t *Trainer) Count(line *mem.Line) {
	t.blocks++
	for _, h := range t.histograms {
		if h != nil {
			h.Count(line)
		}
	}
	if t.typed != nil {
		t.typed.Count(line)
	}
}

// Blocks returns how many blocks were counted.
func (t *Trainer) Blocks() uint64 { return t.blocks }

// Histogram returns the counts of a symbol width, nil if they were not wanted.
func (t *Trainer) Histogram(symbolBits int) *e2mc.Histogram {
	for i, w := range widths {
		if w == symbolBits {
			return t.histograms[i]
		}
	}
	return nil
}

// Make returns a codec with its codes made from the counts, unless o has them.
func (t *Trainer) Make(name string, o Options) (Coder, error) {
	e, err := find(name)
	if err != nil {
		return nil, err
	}
	if o.MAGBytes == 0 {
		o.MAGBytes = tslcMAGBytes
	}
	switch {
	case e.typed && t.typed == nil, e.symbolBits != 0 && o.Table == nil && t.Histogram(e.symbolBits) == nil:
		return nil, fmt.Errorf("codecs: %s is made from symbol counts, and none were wanted", name)
	case e.symbolBits == 0:
	case o.Table != nil && o.Table.SymbolBits() != e.symbolBits:
		return nil, fmt.Errorf("%s codes symbols of %d bits and the table has symbols of %d: give one of its width", name, e.symbolBits, o.Table.SymbolBits())
	case o.Table == nil && name == "sc":
		o.Table, err = sc.Train(t.Histogram(e.symbolBits))
	case o.Table == nil:
		o.Table, err = e2mc.Train(t.Histogram(e.symbolBits), e2mc.TrainParams{})
	}
	if err != nil {
		return nil, err
	}
	return e.make(o, t)
}

// tslcMAGBytes is the burst of GDDR5 (SLC section IV-A).
const tslcMAGBytes = 32
