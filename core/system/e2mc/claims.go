package e2mc

import (
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{Constants: []system.Constant{
		{Name: "e2mc.ptr_bits", Read: func(*parameter.GPU) any { return e2mc.PointerBits }},
		{Name: "e2mc.clut_ways", Read: func(*parameter.GPU) any { return e2mc.LUTWays }},
		{Name: "e2mc.pdw", Read: func(*parameter.GPU) any { return e2mc.DefaultWays }},
		{Name: "e2mc.max_cl", Read: byWidth(func(w int) any { return e2mc.DefaultMaxLengthBits(w) })},
		{Name: "e2mc.comp_bw", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Compressor.GBPerSecond })},
		{Name: "e2mc.decomp_bw", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Decompressor.GBPerSecond })},
		{Name: "e2mc.comp_ghz", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Compressor.GHz })},
		{Name: "e2mc.decomp_ghz", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Decompressor.GHz })},
		{Name: "e2mc16.comp_lat", Read: func(*parameter.GPU) any { c, _ := e2mc.LatencyCycles(16, 1); return c }},
		{Name: "e2mc16.decomp_lat", Read: func(*parameter.GPU) any { _, d := e2mc.LatencyCycles(16, 1); return d }},
		{Name: "e2mc16.decomp_lat_4pdw", Read: func(*parameter.GPU) any {
			_, d := e2mc.LatencyCycles(16, 4)
			return d
		}},
	}}
}

// byWidth is a value for each width of symbols.
func byWidth(value func(width int) any) func(*parameter.GPU) any {
	return func(*parameter.GPU) any {
		var list system.Pairs
		for _, w := range []int{4, 8, 16, 32} {
			list = append(list, [2]any{w, value(w)})
		}
		return list
	}
}
