package latte

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// ratios measures what each codec of LATTE-CC's figure 2 makes of the lines that enter L1.
// SC counts apart, because it has no codes at the beginning.
type ratios struct {
	coders   []coder
	counters []stat.Counter
}

func newRatios() *ratios {
	r := &ratios{}
	for _, row := range []struct {
		codec   string
		counter stat.Counter
	}{
		{"bdi10", L1RatioBitsBDI}, {"fpc", L1RatioBitsFPC}, {"cpackz", L1RatioBitsCPACKZ}, {"bpc", L1RatioBitsBPC},
	} {
		c, err := codecs.ByName(row.codec, nil)
		if err != nil {
			panic(err) // the table of codecs has it
		}
		r.coders, r.counters = append(r.coders, c), append(r.counters, row.counter)
	}
	return r
}

func (r *ratios) measure(line *mem.Line, c *codes, s *stat.Set) {
	s[L1RatioLines]++
	for i, coder := range r.coders {
		s[r.counters[i]] += uint64(coder.SizeBits(line))
	}
	if c.codec != nil {
		s[L1RatioLinesSC]++
		s[L1RatioBitsSC] += uint64(c.codec.SizeBits(line))
	}
}
