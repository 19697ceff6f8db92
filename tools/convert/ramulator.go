package convert

import (
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/burstscope/burstscope/core/fault"
)

// ramulatorTimings are times of Ramulator 2 (src/dram/impl/GDDR6.cpp and HBM2.cpp), in clocks; org presets are banks
// and columns.
var ramulatorTimings = map[string]map[string]int{
	"HBM2_2Gbps": {
		"nCL": 7, "nRCDRD": 7, "nRCDWR": 7, "nRP": 7, "nRAS": 17, "nRC": 19, "nWR": 8, "nRTPS": 2, "nRTPL": 3, "nCWL": 2,
		"nCCDS": 1, "nCCDL": 2, "nRRDS": 2, "nRRDL": 3, "nWTRS": 3, "nWTRL": 4, "nFAW": 15, "nREFI": 3900, "nRREFD": 8,
		"nRFCSB": 160, "tCK_ps": 1000,
	},
	"GDDR6_2000_1350mV_double": gddr6Times(26, 16, 53, 79, 7, 28, 14),
	"GDDR6_2000_1350mV_quad":   gddr6Times(26, 16, 53, 79, 7, 28, 14),
	"GDDR6_2000_1250mV_double": gddr6Times(30, 19, 60, 89, 11, 42, 21),
	"GDDR6_2000_1250mV_quad":   gddr6Times(30, 19, 60, 89, 11, 42, 21),
}

func gddr6Times(rcd, rcdwr, ras, rc, rrd, faw, rrefd int) map[string]int {
	return map[string]int{
		"nCL": 24, "nRCDRD": rcd, "nRCDWD": rcdwr, "nRP": rcd, "nRAS": ras, "nRC": rc, "nWR": rcd, "nRTP": 4, "nCWL": 6,
		"nCCDS": 4, "nCCDL": 6, "nRRDS": rrd, "nRRDL": rrd, "nWTRS": 9, "nWTRL": 11, "nFAW": faw, "nRFC": 210, "nRFCpb": 105,
		"nRREFD": rrefd, "nREFI": 3333, "tCK_ps": 570,
	}
}

// ramulatorOrgs are pins of a device, bank groups, banks of a group and columns.
var ramulatorOrgs = map[string]struct{ dq, groups, banks, columns int }{
	"HBM2_2Gb": {128, 4, 2, 1 << 6}, "HBM2_4Gb": {128, 4, 4, 1 << 6}, "HBM2_8Gb": {128, 4, 4, 1 << 6},
	"GDDR6_8Gb_x8": {8, 4, 4, 1 << 11}, "GDDR6_8Gb_x16": {16, 4, 4, 1 << 10}, "GDDR6_16Gb_x8": {8, 4, 4, 1 << 11},
	"GDDR6_16Gb_x16": {16, 4, 4, 1 << 11}, "GDDR6_32Gb_x8": {8, 4, 4, 1 << 11}, "GDDR6_32Gb_x16": {16, 4, 4, 1 << 11},
}

// ramulatorFile is what is read of a file; other keys are left.
type ramulatorFile struct {
	MemorySystem struct {
		DRAM struct {
			Impl   string
			Org    map[string]any
			Timing map[string]any
		} `yaml:"DRAM"`
		Rest map[string]any `yaml:",inline"`
	} `yaml:"MemorySystem"`
	Rest map[string]any `yaml:",inline"`
}

const restOfRamulator = "Ramulator's front end, controller and map: those here have values of their own"

func readRamulator(name string, text []byte, base string) (*Machine, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes, and at most %d are read: give a file of Ramulator 2", name, len(text), maxBytes)
	}
	var file ramulatorFile
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := file.MemorySystem.DRAM
	s, ok := standards[strings.ToUpper(d.Impl)]
	if !ok || d.Impl == "HBM3" && d.Timing["preset"] != nil {
		return nil, fmt.Errorf("%s: MemorySystem.DRAM.impl is %s, whose settings this converter does not know: use "+
			"GDDR6 or HBM2, "+
			"or HBM3 with its times in the file", name, fault.Quote(d.Impl))
	}
	if base == "" {
		base = s.preset
	}
	m, err := start("Ramulator 2 YAML", base)
	if err != nil {
		return nil, err
	}
	f := &dramFile{Machine: m, name: name, settings: map[string]setting{}, used: map[string]bool{}}
	if err := f.ramulatorSettings(d.Org, d.Timing); err != nil {
		return nil, err
	}
	f.set("dram.standard", s.standard, "DRAM.impl "+d.Impl, "")
	perColumn := 1 // widths of a channel
	if d.Impl == "HBM2" || d.Impl == "HBM3" {
		perColumn = 2 // a column is a prefetch of two widths
	}
	f.ramulator(d.Impl, s.beats, perColumn)
	for _, key := range append(sorted(file.MemorySystem.Rest), sorted(file.Rest)...) {
		f.leave(key, restOfRamulator)
	}
	return f.finish([]string{"timing.rate", "org.density", "org.row"}, map[string]string{
		"org.rank": "ranks are not modelled", "timing.nBL": "dram.burstBytes has the burst",
		"timing.nRTW": "it follows from CL, WL and the burst",
	})
}

// ramulatorSettings joins presets and the values that replace them.
func (f *dramFile) ramulatorSettings(org, timing map[string]any) error {
	if p, ok := org["preset"]; ok {
		o, known := ramulatorOrgs[fmt.Sprint(p)]
		if !known {
			return fmt.Errorf("%s: org.preset %s is not known: use one of %s, or give dq, bankgroup, bank and column", f.name,
				fault.Quote(fmt.Sprint(p)), strings.Join(sorted(ramulatorOrgs), ", "))
		}
		for key, n := range map[string]int{"dq": o.dq, "bankgroup": o.groups, "bank": o.banks, "column": o.columns} {
			f.settings["org."+key] = setting{fmt.Sprint(n), 0}
		}
	}
	if p, ok := timing["preset"]; ok {
		list, known := ramulatorTimings[fmt.Sprint(p)]
		if !known {
			return fmt.Errorf("%s: timing.preset %s is not known: use one of %s, or give the times in the file", f.name,
				fault.Quote(fmt.Sprint(p)), strings.Join(sorted(ramulatorTimings), ", "))
		}
		for key, n := range list {
			f.settings["timing."+key] = setting{fmt.Sprint(n), 0}
		}
	}
	for part, given := range map[string]map[string]any{"org.": org, "timing.": timing} {
		for key, v := range given {
			if key != "preset" {
				f.settings[part+key] = setting{fmt.Sprint(v), 0}
			}
		}
	}
	if rate, ok := f.real("timing.rate"); ok && rate > 0 && f.settings["timing.tCK_ps"].value == "" {
		f.settings["timing.tCK_ps"] = setting{fmt.Sprint(1e6 / (rate / 2)), 0}
	}
	return f.fault
}

func (f *dramFile) ramulator(impl string, beats, perColumn int) {
	groups, banks := f.whole("org.bankgroup", 4), f.whole("org.bank", 4)
	bus := f.whole("org.channel_width", f.whole("org.dq", 16))
	columns := f.whole("org.column", 1<<6)
	if f.fault != nil {
		return
	}
	if bus < 8 || bus > 4096 || columns > 1<<16 || groups*banks > 1024 {
		f.fault = fmt.Errorf("%s: a channel of %d bits, %d columns, %d banks: correct org", f.name, bus, columns,
			groups*banks)
		return
	}
	f.geometry(columns*perColumn*bus/8, groups, groups*banks, "DRAM.org")
	f.number("dram.bytesPerCommandClock", bus/8*beats, "DRAM.org", fmt.Sprintf("%d beats in a clock of %s", beats, impl))
	if ps, ok := f.real("timing.tCK_ps"); ok && ps > 0 {
		f.number("dramMHz", int(math.Round(1e6/ps)), "timing.tCK_ps", "rounded to whole MHz")
	}
	if n := f.whole("org.channel", 0); n > 0 {
		(&gpgpusim{Machine: f.Machine}).channels(n, "org.channel")
	}
	for _, t := range []struct{ path, key string }{
		{"cl", "nCL"}, {"wl", "nCWL"}, {"rcd", "nRCD"}, {"rcd", "nRCDRD"}, {"rcdwr", "nRCDWR"}, {"rcdwr", "nRCDWD"}, {"rp",
			"nRP"},
		{"ras", "nRAS"}, {"rc", "nRC"}, {"wr", "nWR"}, {"rtp", "nRTP"}, {"rtp", "nRTPS"}, {"rtpl", "nRTPL"}, {"ccd", "nCCDS"},
		{"ccdl", "nCCDL"}, {"rrd", "nRRDS"}, {"rrdl", "nRRDL"}, {"cdlr", "nWTRS"}, {"cdlrl", "nWTRL"}, {"faw", "nFAW"},
		{"rfc", "nRFC"}, {"rfc", "nRFCab"}, {"rfcpb", "nRFCpb"}, {"rfcpb", "nRFCSB"}, {"rrefd", "nRREFD"}, {"refi", "nREFI"},
	} {
		f.time(t.path, "timing."+t.key)
	}
}
