package claim

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/slc/tslc"

	"go.starlark.net/starlark"
)

// constants are the simulator's own, each read from the package that uses it. Machine
// values come from the machine of the reading.
var constants = []struct {
	key  string
	read func(m *parameter.GPU) any
}{
	// A GDDR5 data bus moves four words in a command clock.
	{"mem.bus_bits", func(m *parameter.GPU) any { return m.DRAM.BytesPerCommandClock * 8 / 4 }},
	{"mem.burst_len", func(m *parameter.GPU) any { return m.DRAM.BurstBytes * 4 / m.DRAM.BytesPerCommandClock }},
	{"e2mc.base", func(m *parameter.GPU) any {
		return []int{m.SMs, int(m.CoreMHz), m.SM.Warps * 32, m.SM.L1.Bytes(), m.L2Bytes(), m.SM.SharedBytes, m.SM.Registers, int(m.DRAMMHz)}
	}},
	{"e2mc.mdc_bytes", func(m *parameter.GPU) any { return m.Controller.MetadataBytes }},
	{"e2mc.mdc_ways", func(m *parameter.GPU) any { return m.Controller.MetadataWays }},
	{"e2mc.symbol_bits", func(*parameter.GPU) any { return width("tslc-opt") }},
	{"e2mc.ptr_bits", func(*parameter.GPU) any { return e2mc.PointerBits }},
	{"e2mc.pdw", func(*parameter.GPU) any { return e2mc.DefaultWays }},
	{"e2mc.max_cl", func(*parameter.GPU) any { return byWidth(func(w int) any { return e2mc.DefaultMaxLengthBits(w) }) }},
	{"e2mc.comp_bw", func(*parameter.GPU) any {
		return byWidth(func(w int) any { return e2mc.UnitCost(w).Compressor.GBPerSecond })
	}},
	{"e2mc.decomp_bw", func(*parameter.GPU) any {
		return byWidth(func(w int) any { return e2mc.UnitCost(w).Decompressor.GBPerSecond })
	}},
	{"e2mc.comp_ghz", func(*parameter.GPU) any { return byWidth(func(w int) any { return e2mc.UnitCost(w).Compressor.GHz }) }},
	{"e2mc.decomp_ghz", func(*parameter.GPU) any { return byWidth(func(w int) any { return e2mc.UnitCost(w).Decompressor.GHz }) }},
	// Die area and board power of a GTX 580 as NVIDIA published them (GF110, 2010). The
	// shares in E2MC's table IV imply 534 mm2 and 233 W.
	{"gtx580.area_mm2", func(*parameter.GPU) any { return 520 }},
	{"gtx580.power_w", func(*parameter.GPU) any { return 244 }},
	{"e2mc.lat_bdi", func(*parameter.GPU) any { return latencies("bdi") }},
	{"e2mc.lat_fpc", func(*parameter.GPU) any { return latencies("fpc") }},
	{"e2mc16.comp_lat", func(*parameter.GPU) any { c, _ := e2mc.LatencyCycles(16, 1); return c }},
	{"e2mc16.decomp_lat", func(*parameter.GPU) any { _, d := e2mc.LatencyCycles(16, 1); return d }},
	{"e2mc16.decomp_lat_4pdw", func(*parameter.GPU) any { _, d := e2mc.LatencyCycles(16, 4); return d }},
	{"slc.comp_lat", func(*parameter.GPU) any { return tslc.CompressLatencyCycles }},
	// TSLC decodes with E2MC's decompressor.
	{"slc.decomp_lat", func(*parameter.GPU) any { _, d := e2mc.LatencyCycles(width("tslc-opt"), e2mc.DefaultWays); return d }},
	{"slc.header_bits", func(*parameter.GPU) any { return tslc.HeaderBits(e2mc.DefaultWays) }},
	{"slc.meta_bits_mag32", func(*parameter.GPU) any { return memctrl.MetadataBits(32) }},
	{"slc.opt_extra_nodes", func(*parameter.GPU) any { return tslc.ExtraNodes() }},
	{"slc.comp_area_mm2", func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Compressor.AreaMM2 }},
	{"slc.comp_power_mw", func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Compressor.PowerMW }},
	{"slc.decomp_area_mm2", func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Decompressor.AreaMM2 }},
	{"slc.decomp_power_mw", func(*parameter.GPU) any { return tslc.Cost(codec.Cost{}).Decompressor.PowerMW }},
	{"latte.decomp", func(*parameter.GPU) any {
		d := starlark.NewDict(5)
		for _, name := range []string{"BDI", "FPC", "CPACKZ", "BPC", "SC"} {
			put(d, starlark.String(name), info(name).Cost.L1DecompressCycles)
		}
		return d
	}},
	{"latte.bdi", func(*parameter.GPU) any { return insideL1("bdi") }},
	{"latte.sc", func(*parameter.GPU) any { return insideL1("sc") }},
	{"rfvp.entries", func(*parameter.GPU) any { return settingOf("loads", "rfvp", "entries") }},
	{"rfvp.ways", func(*parameter.GPU) any { return settingOf("loads", "rfvp", "ways") }},
	{"rfvp.groups", func(*parameter.GPU) any { return settingOf("loads", "rfvp", "groups") }},
	{"rfvp.search_start", func(*parameter.GPU) any { return experiment.DropStart / 1000. }},
	{"latte.sms", func(m *parameter.GPU) any { return m.SMs }},
	{"latte.l1", func(m *parameter.GPU) any { return []int{m.SM.L1.Bytes(), mem.LineBytes, m.SM.L1.Ways} }},
	{"latte.l2", func(m *parameter.GPU) any {
		if m.Slices() != 12 { // the banks of table II
			return otherMachine(fmt.Sprintf("%s has an L2 of %d slices with %d ways, not of 12 banks; the preset gtx480 has 12", m.Name, m.Slices(), m.L2.Ways))
		}
		return []int{m.L2Bytes(), mem.LineBytes, m.L2.Ways, m.Slices()}
	}},
	// The latency in front of L2, and with the one behind it that of a DRAM access before any
	// DRAM timing.
	{"latte.min_lat", func(m *parameter.GPU) any {
		return []int{m.L2LatencyCycles, m.L2LatencyCycles + m.Controller.FixedLatencyCycles}
	}},
	{"latte.tag_factor", func(*parameter.GPU) any { return settingOf("l1", "latte", "tags") }},
	{"latte.ep", func(*parameter.GPU) any { return settingOf("l1", "latte", "phase") }},
	{"latte.period_eps", func(*parameter.GPU) any { return settingOf("l1", "latte", "period") }},
	{"latte.ded_sets", func(*parameter.GPU) any { return settingOf("l1", "latte", "dedicated") }},
	{"buddy.carveout_x", func(*parameter.GPU) any { return layout.CarveOut }},
	{"buddy.meta_bits", func(*parameter.GPU) any { return layout.MetadataBits }},
	{"buddy.mdc_total", func(*parameter.GPU) any { return settingOf("backing", "buddy", "metadataKB") << 10 }},
	{"buddy.mdc_ways", func(*parameter.GPU) any { return buddy.MetadataWays }},
	{"buddy.energy", func(*parameter.GPU) any {
		p100, err := preset.GPU("p100")
		if err != nil {
			panic(err) // it is in the table
		}
		e, perBit := &p100.Energy, 8*1000.
		return starlark.Tuple{
			starlark.Float(float64(e.DRAMActivateFemtojoules) / 1000), starlark.Float(float64(e.DRAMReadFemtojoules) / perBit), starlark.Float(float64(e.DRAMIOFemtojoules) / perBit),
			starlark.MakeInt(account.LinkPicojoules), starlark.MakeInt(account.LinkPasses), starlark.MakeInt(settingOf("backing", "buddy", "header")),
		}
	}},
	{"buddy.lat_factor", func(*parameter.GPU) any { return settingOf("backing", "buddy", "latency") }},
	{"buddy.bt", func(*parameter.GPU) any { return settingOf("backing", "buddy", "threshold") }},
	{"buddy.codec_lat", func(*parameter.GPU) any { return info("bpc").Timing.DecompressCycles }},
}

// settingOf returns the default of a setting of an entry of a scheme's group.
func settingOf(group, entry, name string) int {
	g := scheme.Find(group)
	p := system.Part{}
	if err := p.Set(g, g.Key, entry); err != nil {
		panic("claim: " + err.Error()) // the entry is in the table
	}
	return p.Int(name)
}

// otherMachine says why a machine has no such constant.
type otherMachine string

// info describes a codec; one that needs a code gets a code of no samples.
func info(name string) codec.Info {
	for _, n := range codecs.Names() {
		if equalFold(n, name) {
			c, err := codecs.ByName(n, nil)
			if err != nil {
				panic(err) // it is in the table
			}
			return c.Info()
		}
	}
	panic("claim: no codec " + name)
}

func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i]|0x20 != b[i]|0x20 {
			return false
		}
	}
	return true
}

func width(name string) int {
	bits, err := codecs.SymbolBits(name)
	if err != nil {
		panic(err) // it is in the table
	}
	return bits
}

func latencies(name string) []int {
	i := info(name)
	return []int{i.Timing.CompressCycles, i.Timing.DecompressCycles}
}

// codecLatencies are the latencies that a codec's paper states.
func codecLatencies(m *scheme.Memory) (compress, decompress int) {
	switch {
	case m.Approximation() != "none":
		_, decompress = e2mc.LatencyCycles(width("tslc-opt"), m.DecodingWays())
		return tslc.CompressLatencyCycles, decompress
	case scheme.HasWays(m.Codec()):
		return e2mc.LatencyCycles(width(m.Codec()), m.DecodingWays())
	}
	i := info(m.Codec())
	return i.Timing.CompressCycles, i.Timing.DecompressCycles
}

// insideL1 is a codec's latencies in an L1, and its energies in nanojoules.
func insideL1(name string) starlark.Tuple {
	c := info(name).Cost
	return starlark.Tuple{starlark.MakeInt(c.L1CompressCycles), starlark.MakeInt(c.L1DecompressCycles), starlark.Float(c.CompressPJ / 1000), starlark.Float(c.DecompressPJ / 1000)}
}

func byWidth(value func(int) any) *starlark.Dict {
	d := starlark.NewDict(4)
	for _, w := range []int{4, 8, 16, 32} {
		put(d, starlark.MakeInt(w), value(w))
	}
	return d
}

func put(d *starlark.Dict, key starlark.Value, value any) {
	if err := d.SetKey(key, valueOf(value)); err != nil {
		panic(err) // keys are words and numbers
	}
}

func valueOf(v any) starlark.Value {
	switch v := v.(type) {
	case int:
		return starlark.MakeInt(v)
	case float64:
		return starlark.Float(v)
	case []int:
		var t starlark.Tuple
		for _, n := range v {
			t = append(t, starlark.MakeInt(n))
		}
		return t
	case starlark.Value:
		return v
	}
	panic(fmt.Sprintf("claim: a constant of type %T", v))
}

func (s *session) constant(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want the name of a constant", b.Name())
	}
	key, _ := starlark.AsString(args[0])
	for _, c := range constants {
		if c.key == key {
			spec, err := preset.GPU(s.reading.Of(s.paper).Word("machine"))
			if err != nil {
				return nil, err
			}
			value := c.read(spec)
			if why, other := value.(otherMachine); other {
				s.lack(string(why))
				return nothing, nil
			}
			return valueOf(value), nil
		}
	}
	s.lack("the simulator has no constant " + key)
	return nothing, nil
}
