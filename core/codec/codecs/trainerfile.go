package codecs

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec/bytegroup"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
)

// AppendBinary appends the counts to b: the number of blocks, a bit for each kind of counts
// that there is, and these.
func (t *Trainer) AppendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, t.blocks)
	kinds := byte(0)
	for i, h := range t.histograms {
		if h != nil {
			kinds |= 1 << i
		}
	}
	if t.typed != nil {
		kinds |= typedCounts
	}
	if t.sample != nil {
		kinds |= sampledBlocks
	}
	if t.groups != nil {
		kinds |= groupedCounts
	}
	b = append(b, kinds)
	for _, h := range t.histograms {
		if h != nil {
			b = h.AppendBinary(b)
		}
	}
	if t.typed != nil {
		b = t.typed.AppendBinary(b)
	}
	if t.groups != nil {
		b = t.groups.AppendBinary(b)
	}
	if t.sample != nil {
		b = t.sample.appendBinary(b)
	}
	return b
}

// typedCounts is the bit of the counts of HyComp, sampledBlocks that of the sample for modules, groupedCounts that of
// the counts of byte groups.
const (
	typedCounts   = 1 << len(widths)
	sampledBlocks = 2 * typedCounts
	groupedCounts = 4 * typedCounts
)

// ParseTrainer reads counts that AppendBinary wrote. Other input is an error.
func ParseTrainer(b []byte) (*Trainer, error) {
	t := &Trainer{}
	var n int
	if t.blocks, n = binary.Uvarint(b); n <= 0 || n == len(b) {
		return nil, fmt.Errorf("codecs: stored counts end too early: the file is cut off")
	}
	kinds := b[n]
	b = b[n+1:]
	var err error
	for i, width := range widths {
		if kinds>>i&1 == 0 {
			continue
		}
		if t.histograms[i], b, err = e2mc.ParseHistogram(b); err != nil {
			return nil, err
		}
		if got := t.histograms[i].SymbolBits(); got != width {
			return nil, fmt.Errorf("codecs: stored counts of %d-bit symbols in the place of %d bits", got, width)
		}
	}
	if kinds&typedCounts != 0 {
		if t.typed, b, err = hycomp.ParseCounts(b); err != nil {
			return nil, err
		}
	}
	if kinds&groupedCounts != 0 {
		if t.groups, b, err = bytegroup.ParseCounts(b); err != nil {
			return nil, err
		}
	}
	if kinds&sampledBlocks != 0 {
		var err error
		t.sample, err = parseSample(b)
		return t, err
	}
	if len(b) != 0 {
		return nil, fmt.Errorf("codecs: %d bytes after the stored counts", len(b))
	}
	return t, nil
}
