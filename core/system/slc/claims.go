package slc

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{Measures: []system.Measure{{Name: "excess bits", Value: excessBits}}, Constants: []system.Constant{
		{Name: "slc.comp_lat", Read: func(*parameter.GPU) any { return tslc.CompressLatencyCycles }},
		// TSLC decodes with E2MC's decompressor.
		{Name: "slc.decomp_lat", Read: func(*parameter.GPU) any {
			_, d := e2mc.LatencyCycles(16, e2mc.DefaultWays)
			return d
		}},
		{Name: "slc.header_bits", Read: func(*parameter.GPU) any { return tslc.HeaderBits(e2mc.DefaultWays) }},
		{Name: "slc.meta_bits_mag32", Read: func(*parameter.GPU) any { return memctrl.MetadataBits(32) }},
		{Name: "slc.opt_extra_nodes", Read: func(*parameter.GPU) any { return tslc.ExtraNodes() }},
		{Name: "slc.comp_area_mm2", Read: func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Compressor.AreaMM2 }},
		{Name: "slc.comp_power_mw", Read: func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Compressor.PowerMW }},
		{Name: "slc.decomp_area_mm2", Read: func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Decompressor.AreaMM2 }},
		{Name: "slc.decomp_power_mw", Read: func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Decompressor.PowerMW }},
	}}
}

// excessBits are those of a level of SLC's tree, from 1 on.
func excessBits(runs []system.Measured, args []any) (float64, error) {
	level, _ := args[0].(int)
	bits := runs[0].ExcessBits()
	if level < 1 || level > len(bits) {
		return 0, system.Lack(fmt.Sprintf("level %d of %d does not exist", level, len(bits)))
	}
	return float64(bits[level-1]), nil
}
