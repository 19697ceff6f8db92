package codecs

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bytegroup"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/mem"
)

// widths are the symbol widths of the codecs' tables.
var widths = [...]int{4, 8, 16, 32}

// Trainer counts the symbols for the codes of some codecs, in one pass over the blocks.
type Trainer struct {
	histograms [len(widths)]*e2mc.Histogram // nil if no codec needs it
	typed      *hycomp.Counts
	groups     *bytegroup.Counts
	sample     *sample // for modules
	blocks     uint64
}

// NewTrainer returns a trainer for the codecs of these names.
func NewTrainer(names ...string) (*Trainer, error) {
	t := &Trainer{}
	for _, name := range names {
		r, err := find(name)
		if err != nil {
			return nil, err
		}
		if name == Plugin && t.sample == nil {
			t.sample = &sample{}
		}
		if r.Typed && t.typed == nil {
			t.typed = hycomp.NewCounts()
		}
		if r.Grouped && t.groups == nil {
			t.groups = bytegroup.NewCounts()
		}
		if r.SymbolBits != 0 {
			if err := t.Want(r.SymbolBits); err != nil {
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
	if t.groups != nil {
		t.groups.Count(line)
	}
	if t.sample != nil {
		t.sample.count(line)
	}
}

// Blocks returns how many blocks were counted.
func (t *Trainer) Blocks() uint64 { return t.blocks }

// Samples reports whether it keeps blocks for a plug-in. Counts do not depend on the order of the blocks; which blocks are kept does.
func (t *Trainer) Samples() bool { return t.sample != nil }

// Histogram returns the counts of a symbol width, nil if they were not requested.
func (t *Trainer) Histogram(symbolBits int) *e2mc.Histogram {
	for i, w := range widths {
		if w == symbolBits {
			return t.histograms[i]
		}
	}
	return nil
}

// Serves reports whether t has all counts for a codec's codes.
func (t *Trainer) Serves(name string) bool {
	r := Find(name)
	return r != nil && (name != Plugin || t.sample != nil) && (!r.Typed || t.typed != nil) && (!r.Grouped || t.groups != nil) &&
		(r.SymbolBits == 0 || t.Histogram(r.SymbolBits) != nil)
}

// Clone returns an independent trainer with the same counts.
func (t *Trainer) Clone() *Trainer {
	c := &Trainer{blocks: t.blocks}
	for i, h := range t.histograms {
		if h != nil {
			c.histograms[i] = &e2mc.Histogram{}
			c.histograms[i].CopyFrom(h)
		}
	}
	if t.typed != nil {
		c.typed = t.typed.Clone()
	}
	if t.groups != nil {
		c.groups = t.groups.Clone()
	}
	if t.sample != nil {
		c.sample = t.sample.clone()
	}
	return c
}

// Make returns a codec. Its codes are made from the counts, unless o gives a table.
func (t *Trainer) Make(name string, o Options) (Coder, error) {
	r, err := t.ready(name, &o)
	if err != nil {
		return nil, err
	}
	return r.Make(o, t)
}

// Scheme returns how a memory controller stores blocks with a codec.
func (t *Trainer) Scheme(name string, o Options) (codec.Scheme, error) {
	r, err := t.ready(name, &o)
	if err != nil {
		return nil, err
	}
	if r.Scheme != nil {
		return r.Scheme(o, t)
	}
	c, err := r.Make(o, t)
	if err != nil {
		return nil, err
	}
	return codec.NewLossless(c, o.MAGBytes)
}

// ready finds a codec, completes its options and reports missing ones.
func (t *Trainer) ready(name string, o *Options) (*Row, error) {
	r, err := find(name)
	if err != nil {
		return nil, err
	}
	if o.MAGBytes == 0 {
		o.MAGBytes = defaultMAGBytes
	}
	switch {
	case o.Table != nil && r.SymbolBits != 0 && o.Table.SymbolBits() != r.SymbolBits:
		return nil, fmt.Errorf("%s codes symbols of %d bits and the table has symbols of %d: give one of its width", name, r.SymbolBits, o.Table.SymbolBits())
	case name == Plugin && !plugin.Trains(o.Module):
	case !t.Serves(name) && (o.Table == nil || r.Typed || r.Grouped):
		return nil, fmt.Errorf("codecs: %s needs symbol counts: name it when the trainer is made", name)
	}
	return r, nil
}

// e2mcTable is the table of o, or one that E2MC makes from the counts.
func (t *Trainer) e2mcTable(o Options, symbolBits int) (*e2mc.Table, error) {
	if o.Table != nil {
		return o.Table, nil
	}
	return e2mc.Train(t.Histogram(symbolBits), e2mc.TrainParams{Sets: o.LUTSets})
}

// defaultMAGBytes is the burst of GDDR5 (SLC section IV-A).
const defaultMAGBytes = 32
