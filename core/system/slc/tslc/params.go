// Package tslc is the tree-based selective lossy compression of SLC (Lal, Lucas,
// Juurlink: "SLC: Memory Access Granularity Aware Selective Lossy Compression
// for GPUs", DATE 2019) on top of E2MC with 16-bit symbols. A block that ends a
// few bytes above a multiple of the memory access granularity (MAG) loses a few
// neighbouring symbols so that it fits the lower multiple.
package tslc

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// Variant is one of the three forms of section III.
type Variant uint8

const (
	SIMP Variant = iota // truncated symbols become zero
	PRED                // truncated symbols are predicted from one that was kept
	OPT                 // PRED with nodes between the tree's levels
)

// Name returns the name of the variant's scheme.
func (v Variant) Name() string {
	switch v {
	case SIMP:
		return "tslc-simp"
	case PRED:
		return "tslc-pred"
	}
	return "tslc-opt"
}

// Header says how the header of figure 6 (m, ss, len, way pointers) counts
// against the budget. The paper does not say.
type Header uint8

const (
	// HeaderFixed gives every compressed block the full header, 32 bits with four
	// ways, and counts it.
	HeaderFixed Header = iota
	// HeaderVariable leaves ss and len out of lossless blocks (22 bits with four
	// ways) and counts the bits that are present.
	HeaderVariable
	// HeaderLiteral follows the paper's wording: the size of a block is the sum of its
	// code lengths. Header and alignment exist but are not counted, so most lossy
	// blocks would exceed their budget in hardware.
	HeaderLiteral
)

// ParseHeader returns the accounting of a name: fixed32, variable or literal.
func ParseHeader(name string) (Header, error) {
	switch name {
	case "fixed32":
		return HeaderFixed, nil
	case "variable":
		return HeaderVariable, nil
	case "literal":
		return HeaderLiteral, nil
	}
	return 0, fmt.Errorf("tslc: header accounting %q: want fixed32, variable or literal", name)
}

// Prediction says which kept symbol replaces the truncated ones in PRED and OPT.
type Prediction uint8

const (
	// PredictParity takes the first kept symbol of the same half of a 32-bit word,
	// so that the sign and exponent of a float come from a sign and exponent.
	PredictParity Prediction = iota
	// PredictFirst takes the first kept symbol, as section III-E is worded.
	PredictFirst
)

// ParsePrediction returns the prediction of a name: parity or literal.
func ParsePrediction(name string) (Prediction, error) {
	switch name {
	case "parity":
		return PredictParity, nil
	case "literal":
		return PredictFirst, nil
	}
	return 0, fmt.Errorf("tslc: prediction %q: want parity or literal", name)
}

// Params of a Scheme.
type Params struct {
	Variant        Variant
	Ways           int // parallel decoding ways; 0 = e2mc.DefaultWays
	MAGBytes       int // 16, 32 or 64
	ThresholdBytes int // of regions without their own; 0 = half of the MAG (section V-C)
	Header         Header
	Prediction     Prediction
}

// selectCycles are 12 to read 64 code lengths and 2 to add and select (SLC section
// IV-A), at 1002 MHz.
const selectCycles = 12 + 2

// CompressLatencyCycles is 46 of E2MC and the selection.
const CompressLatencyCycles = 46 + selectCycles

const (
	symbols    = mem.LineBytes / 2 // of 16 bits
	modeBits   = 1                 // m
	extentBits = 6 + 4             // ss and len
	// MaxTruncated is the largest number of symbols a block may lose: len has four
	// bits and holds one less.
	MaxTruncated = 16
)

// Scheme decides, encodes and decodes. It is immutable.
type Scheme struct {
	table    *e2mc.Table
	p        Params
	lossless int        // header bits of a lossless block as written
	lossy    int        // header bits of a lossy block as written
	cost     codec.Cost // of E2MC
}

var _ codec.Scheme = (*Scheme)(nil)

// NewScheme returns the scheme of a table of 16-bit symbols.
func NewScheme(p Params, t *e2mc.Table) (*Scheme, error) {
	if p.Ways == 0 {
		p.Ways = e2mc.DefaultWays
	}
	if t == nil || t.SymbolBits() != 16 {
		return nil, fmt.Errorf("tslc: want an E2MC table trained on symbols of 16 bits")
	}
	if err := e2mc.CheckWays(p.Ways); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Scheme{table: t, p: p}
	pointers := e2mc.PointerBits * (p.Ways - 1)
	s.lossy = modeBits + extentBits + pointers
	s.lossless = s.lossy
	if p.Header == HeaderVariable {
		s.lossless = modeBits + pointers
	}
	s.cost = e2mc.UnitCost(16)
	return s, nil
}

// Params returns the parameters in use, defaults filled in.
func (s *Scheme) Params() Params { return s.p }

// Table returns the code in use.
func (s *Scheme) Table() *e2mc.Table { return s.table }

func (s *Scheme) Name() string     { return s.p.Variant.Name() }
func (s *Scheme) MAGBytes() int    { return s.p.MAGBytes }
func (s *Scheme) Compressed() bool { return true }
func (s *Scheme) Timing() codec.Timing {
	t := e2mc.Timing(16, s.p.Ways)
	t.CompressCycles += selectCycles // in a stage of its own: the compressor is busy as before
	return t
}

// check fills in the default threshold and reports values that do not fit together. It
// holds for every codec below.
func (p *Params) check() error {
	if err := e2mc.CheckMAG(p.MAGBytes); err != nil {
		return err
	}
	if p.ThresholdBytes == 0 {
		p.ThresholdBytes = p.MAGBytes / 2
	}
	if p.ThresholdBytes < 0 || p.ThresholdBytes > mem.LineBytes {
		return fmt.Errorf("tslc: lossy threshold of %d bytes: want 1 to %d", p.ThresholdBytes, mem.LineBytes)
	}
	if p.Variant > OPT || p.Header > HeaderLiteral || p.Prediction > PredictFirst {
		return fmt.Errorf("tslc: variant %d, header %d, prediction %d: want named ones", p.Variant, p.Header, p.Prediction)
	}
	return nil
}
