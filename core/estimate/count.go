package estimate

import "github.com/burstscope/burstscope/core/mem"

// mostCounts bounds the calls of count: a million 16-bit symbols are enough for 4,096
// codewords, and counting 32-bit symbols takes some 0.1 s in WebAssembly [ours].
const mostCounts = 1 << 14

// Count gives the contents of the sample to count, as often as they moved. If there are more than mostCounts
// moves, it takes every second, third ... of them, in their order.
func (p *Profile) Count(count func(line *mem.Line)) {
	all := uint64(0)
	for i := range p.list {
		all += p.list[i].moves()
	}
	every, before := max(1, (all+mostCounts-1)/mostCounts), uint64(0)
	for i := range p.list {
		after := before + p.list[i].moves()
		for range after/every - before/every {
			count(&p.list[i].line)
		}
		before = after
	}
}

// moves of a content without compression.
func (v *version) moves() uint64 {
	return uint64(v.reads[0]) + uint64(v.reads[1]) + uint64(v.writes[0]) + uint64(v.writes[1])
}
