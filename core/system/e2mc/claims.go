package e2mc

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{Constants: []system.Constant{
		// A GDDR5 data bus moves four words in a command clock.
		{Name: "mem.bus_bits", Read: func(m *parameter.GPU) any { return m.DRAM.BytesPerCommandClock * 8 / 4 }},
		{Name: "mem.burst_len", Read: func(m *parameter.GPU) any {
			return m.DRAM.BurstBytes * 4 / m.DRAM.BytesPerCommandClock
		}},
		{Name: "e2mc.base", Read: func(m *parameter.GPU) any {
			return []any{m.SMs, int(m.CoreMHz), m.SM.Warps * 32, m.SM.L1.Bytes(), m.L2Bytes(), m.SM.SharedBytes,
				m.SM.Registers, int(m.DRAMMHz)}
		}},
		{Name: "e2mc.mdc_bytes", Read: func(m *parameter.GPU) any { return m.Controller.MetadataBytes }},
		{Name: "e2mc.mdc_ways", Read: func(m *parameter.GPU) any { return m.Controller.MetadataWays }},
		{Name: "e2mc.symbol_bits", Read: func(*parameter.GPU) any { return 16 }},
		{Name: "e2mc.ptr_bits", Read: func(*parameter.GPU) any { return e2mc.PointerBits }},
		{Name: "e2mc.pdw", Read: func(*parameter.GPU) any { return e2mc.DefaultWays }},
		{Name: "e2mc.max_cl", Read: byWidth(func(w int) any { return e2mc.DefaultMaxLengthBits(w) })},
		{Name: "e2mc.comp_bw", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Compressor.GBPerSecond })},
		{Name: "e2mc.decomp_bw", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Decompressor.GBPerSecond })},
		{Name: "e2mc.comp_ghz", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Compressor.GHz })},
		{Name: "e2mc.decomp_ghz", Read: byWidth(func(w int) any { return e2mc.UnitCost(w).Decompressor.GHz })},
		// Die area and board power of a GTX 580 as NVIDIA published them (GF110, 2010). The
		// shares in E2MC's table IV imply 534 mm2 and 233 W.
		{Name: "gtx580.area_mm2", Read: func(*parameter.GPU) any { return 520 }},
		{Name: "gtx580.power_w", Read: func(*parameter.GPU) any { return 244 }},
		{Name: "e2mc.lat_bdi", Read: func(*parameter.GPU) any { return latencies("bdi") }},
		{Name: "e2mc.lat_fpc", Read: func(*parameter.GPU) any { return latencies("fpc") }},
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

func latencies(name string) []any {
	t := info(name).Timing
	return []any{t.CompressCycles, t.DecompressCycles}
}

// info describes a codec without a code of its own.
func info(name string) codec.Info {
	c, err := codecs.ByName(name, nil)
	if err != nil {
		panic(err) // it is in the table
	}
	return c.Info()
}
