package tslc

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Rule names the line of the mode rule (section III-B, figure 4) that decided.
type Rule uint8

const (
	RuleBelowMAG       Rule = iota // fits one MAG: lossless
	RuleIncompressible             // not below 128 bytes: raw
	RuleExact                      // ends on a multiple of the MAG: lossless
	RuleTruncate                   // a few bytes above: lossy
	RuleThreshold                  // too far above: lossless or raw
	RuleUnsafe                     // may not be approximated: lossless or raw
	RuleNoNode                     // no node of at most 16 symbols frees enough
)

var ruleText = [...]string{
	RuleBelowMAG:       "fits one burst: lossless",
	RuleIncompressible: "not smaller than the block: raw",
	RuleExact:          "ends on a burst: lossless",
	RuleTruncate:       "a few bytes above a burst: truncated",
	RuleThreshold:      "above a burst by more than the threshold: kept",
	RuleUnsafe:         "the region may not be approximated: kept",
	RuleNoNode:         "no node of at most 16 symbols frees enough: kept",
}

func (r Rule) String() string { return ruleText[r] }

// decision is the outcome for one block, in bits.
type decision struct {
	comp, budget, extra int
	rule                Rule
	mode                probe.Mode
	bits                int
	node                node
	cut                 int // bits of the truncated symbols
}

// node is a range of symbols that can be truncated together.
type node struct{ first, count int }

// CompBits returns the size the mode rule looks at: the whole block in its
// lossless form, or under HeaderLiteral the sum of its code lengths. It can
// exceed the raw size.
func (s *Scheme) CompBits(line *mem.Line) int {
	var sums [e2mc.Eighths]int
	s.table.Sums(line, &sums)
	return s.compBits(&sums)
}

func (s *Scheme) compBits(sums *[e2mc.Eighths]int) int {
	if s.p.Header == HeaderLiteral {
		total := 0
		for _, sum := range sums {
			total += sum
		}
		return total
	}
	return e2mc.TotalBits(sums, s.p.Ways, s.lossless)
}

func (p *Params) thresholdBits(r codec.Region) int {
	if r.ThresholdBytes > 0 {
		return r.ThresholdBytes * 8
	}
	return p.ThresholdBytes * 8
}

// begin applies the mode rule of SLC sections III-B and III-C, read as core/codec/README.md says, to a block of comp
// bits. If search is true, the block loses symbols if a node saves enough, and is otherwise stored losslessly.
func (p *Params) begin(comp int, region codec.Region) (d decision, search bool) {
	mag := p.MAGBytes * 8
	d = decision{comp: comp, bits: comp, mode: probe.ModeLossless}
	switch {
	case comp <= mag:
		d.rule, d.budget = RuleBelowMAG, mag
		return d, false
	case comp >= codec.RawBits:
		d.rule, d.budget = RuleIncompressible, codec.RawBits
		d.mode, d.bits = probe.ModeRaw, codec.RawBits
		return d, false
	}
	d.budget = comp / mag * mag
	d.extra = comp - d.budget
	switch {
	case d.extra == 0:
		d.rule = RuleExact
	case !region.Safe:
		d.losslessly(RuleUnsafe, mag)
	case d.extra > p.thresholdBits(region):
		d.losslessly(RuleThreshold, mag)
	default:
		return d, true
	}
	return d, false
}

// losslessly stores all symbols: raw if their code takes as many bursts, because raw blocks need no decompressor.
func (d *decision) losslessly(rule Rule, mag int) {
	d.rule = rule
	if d.comp > codec.RawBits-mag {
		d.mode, d.bits = probe.ModeRaw, codec.RawBits
	}
}

func (s *Scheme) decide(line *mem.Line, region codec.Region) decision {
	var sums [e2mc.Eighths]int
	s.table.Sums(line, &sums)
	d, search := s.p.begin(s.compBits(&sums), region)
	if !search {
		return d
	}
	var t tree
	t.read(s, line, &sums, &d)
	if !t.find(s.p.Variant == OPT, &d) {
		d.losslessly(RuleNoNode, s.p.MAGBytes*8)
		return d
	}
	d.rule, d.mode = RuleTruncate, probe.ModeLossy
	d.bits = t.lossyBits(d.node, d.cut)
	return d
}

// stored is the part of a decision that the memory system sees. An empty code still takes
// one burst.
func (d *decision) stored(magBytes int) codec.Stored {
	mag := magBytes * 8
	st := codec.Stored{Bits: uint16(d.bits), LosslessBits: uint16(min(d.comp, codec.RawBits)), Bursts: uint8(max(1, (d.bits+mag-1)/mag)), Mode: d.mode}
	if d.mode == probe.ModeLossy {
		st.FirstSymbol, st.TruncatedSymbols = uint8(d.node.first), uint8(d.node.count)
		st.ExcessBits = uint16(max(0, d.cut-d.extra))
	}
	return st
}

// Store answers how line is stored. It overwrites truncated symbols with the values that
// the decompressor will put there. It does not encode.
func (s *Scheme) Store(line *mem.Line, region codec.Region) codec.Stored {
	d := s.decide(line, region)
	if d.mode == probe.ModeLossy {
		s.reconstruct(line, d.node)
	}
	return d.stored(s.p.MAGBytes)
}
