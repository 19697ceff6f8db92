package convert

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/burstscope/burstscope/core/fault"
)

// exported is a standard in the files that `python -m ramulator export` of Ramulator 2.1 writes: numbers without
// names, in the order of python/ramulator/dram/*.py.
type exported struct {
	levels, timing string // timing_params, and levels below Channel
	prefetch       int    // beats of a burst: internal_prefetch_size
	ticks          int    // of a clock: tick_multiplier
}

var exportedStandards = map[string]exported{
	"GDDR6": {
		levels: "bankgroup bank row column", prefetch: 16, ticks: 1,
		timing: "rate nBL nCL nRCDRD nRCDWR nRP nRAS nRC nWR nRTP nCWL nCCDS nCCDL nRRDS nRRDL nWTRS nWTRL nFAW " +
			"nRFCpb nRREFD nREFI tCK_ps nRFCab nPPD",
	},
	"HBM1": {levels: "bankgroup bank row column", prefetch: 2, ticks: 1, timing: hbm12Timing},
	"HBM2": {levels: "pseudochannel bankgroup bank row column", prefetch: 4, ticks: 1, timing: hbm12Timing},
	"HBM3": {
		levels: "pseudochannel sid bankgroup bank row column", prefetch: 8, ticks: 2,
		timing: "rate nBL nCL nRCDRD nRCDWR nRP nRAS nRC nWR nRTP nCWL nCCDS nCCDL nCCDR nRRDS nRRDL nWTRS nWTRL " +
			"nRTW nFAW nPPD nRFC nRFCpb nRFMab nRFMpb nRREFD nREFI nREFIpb tCK_ps",
	},
}

const hbm12Timing = "rate nBL nCL nRCDRD nRCDWR nRP nRAS nRC nWR nRTPL nCWL nCCDS nCCDL nRRDS nRRDL nWTRS nWTRL nFAW " +
	"nRFC nRFCpb nRREFD nREFI nREFIpb tCK_ps"

// exportedDRAM is the DRAM of a controller; its constraints follow from the times.
type exportedDRAM struct {
	Impl string
	Org  struct {
		DQ    int `yaml:"dq"`
		Count []int
	}
	Timing []int
	Width  int            `yaml:"channel_width"`
	Rest   map[string]any `yaml:",inline"`
}

type exportedFile struct {
	MemorySystem struct {
		Controllers []struct {
			DRAM exportedDRAM   `yaml:"dram"`
			Rest map[string]any `yaml:",inline"`
		}
		Rest map[string]any `yaml:",inline"`
	} `yaml:"memory_system"`
	Rest map[string]any `yaml:",inline"`
}

// maxControllers are more than a system of Ramulator 2.1 has [ours].
const maxControllers = 256

func readRamulator21(name string, text []byte, base string) (*Machine, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes, and at most %d are read: give a file of Ramulator 2.1", name, len(text),
			maxBytes)
	}
	var file exportedFile
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	list := file.MemorySystem.Controllers
	if len(list) == 0 || len(list) > maxControllers {
		return nil, fmt.Errorf("%s: memory_system.controllers has %d controllers, and 1 to %d are read: give a file "+
			"of `python -m ramulator export`", name, len(list), maxControllers)
	}
	d := list[0].DRAM
	e, ok := exportedStandards[d.Impl]
	if !ok {
		return nil, fmt.Errorf("%s: memory_system.controllers.dram.impl is %s, and no machine here has it: use one "+
			"of %s", name, fault.Quote(d.Impl), strings.Join(sorted(exportedStandards), ", "))
	}
	for i, c := range list[1:] {
		if o := c.DRAM; o.Impl != d.Impl || o.Width != d.Width || !slices.Equal(o.Org.Count, d.Org.Count) ||
			!slices.Equal(o.Timing, d.Timing) {
			return nil, fmt.Errorf("%s: memory_system.controllers[%d] has another DRAM than the first: a machine here "+
				"has one kind", name, i+1)
		}
	}
	s := standards[strings.TrimSuffix(d.Impl, "1")] // HBM1 is HBM elsewhere
	if base == "" {
		base = s.preset
	}
	m, err := start("Ramulator 2.1 YAML", base)
	if err != nil {
		return nil, err
	}
	f := &dramFile{Machine: m, name: name, settings: map[string]setting{}, used: map[string]bool{}}
	if err := f.exportedSettings(e, d, len(list)); err != nil {
		return nil, err
	}
	f.set("dram.standard", s.standard, "dram.impl "+d.Impl, "")
	f.ramulator(d.Impl, s.beats, 1)
	if f.fault == nil {
		f.number("dram.burstBytes", d.Width/8*e.prefetch, "dram.channel_width",
			fmt.Sprintf("bursts of %d beats", e.prefetch))
	}
	for _, key := range sorted(d.Rest) {
		f.leave(key, "it follows from the times")
	}
	for _, rest := range []map[string]any{list[0].Rest, file.MemorySystem.Rest, file.Rest} {
		for _, key := range sorted(rest) {
			f.leave(key, restOfRamulator)
		}
	}
	return f.finish([]string{"timing.rate", "org.row"}, map[string]string{
		"org.sid":      "ranks are not modelled: a channel has the banks of one stack",
		"timing.nBL":   "dram.burstBytes has the burst",
		"timing.nRTW":  "it follows from CL, WL and the burst",
		"timing.nPPD":  "precharges may follow each other at once",
		"timing.nCCDR": "ranks are not modelled", "timing.nRFM": "refresh management is not modelled",
		"timing.nREFIpb": "refreshes of one bank come every tREFI / banks", "org.pseudochannel": "see channels",
	})
}

// exportedSettings gives the numbers their names, in clocks.
func (f *dramFile) exportedSettings(e exported, d exportedDRAM, controllers int) error {
	levels, times := strings.Fields("channel "+e.levels), strings.Fields(e.timing)
	if len(d.Org.Count) != len(levels) || len(d.Timing) != len(times) {
		return fmt.Errorf("%s: dram.org.count has %d numbers and dram.timing %d, and those of %s are %d (%s) and %d "+
			"(%s): export the file with Ramulator 2.1", f.name, len(d.Org.Count), len(d.Timing), d.Impl,
			len(levels), strings.Join(levels, " "), len(times), e.timing)
	}
	for i, key := range levels {
		f.settings["org."+key] = setting{value: fmt.Sprint(d.Org.Count[i])}
	}
	f.settings["org.channel_width"] = setting{value: fmt.Sprint(d.Width)}
	channels := controllers
	if pseudo := slices.Index(levels, "pseudochannel"); pseudo >= 0 {
		if n := d.Org.Count[pseudo]; n < 1 || n > 16 {
			return fmt.Errorf("%s: dram.org.count has %d pseudo channels: give 1 to 16", f.name, n)
		}
		channels *= d.Org.Count[pseudo]
	}
	f.settings["org.channel"] = setting{value: fmt.Sprint(channels)}
	for i, key := range times {
		n := d.Timing[i]
		switch key {
		case "rate":
		case "tCK_ps":
			n *= e.ticks
		default:
			n = divided(n, e.ticks)
		}
		f.settings["timing."+key] = setting{value: fmt.Sprint(n)}
	}
	return nil
}
