package claim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/e2mc"
)

// Data says on which inputs the papers' programs run.
type Data string

const (
	// Suite inputs follow the generator or the file of each program's suite.
	Suite Data = "suite"
	// Calibrated inputs were tuned to block sizes that SLC states, so they give no
	// evidence for claims about those sizes.
	Calibrated Data = "calibrated"
	// Natural inputs are made by rule and resemble real data; those of version 0.3.0.
	Natural Data = "natural"
)

// sets are the papers' sets of programs, by the papers' names.
var sets = []struct {
	name    string
	members []string
}{
	{"SLC9", []string{"JM", "BS", "DCT", "FWT", "TP", "BP", "NN", "SRAD1", "SRAD2"}},
	{"E2MC15", []string{"CS", "FWT", "LIB", "TP", "SCAN", "PVC", "PVR", "BP", "BFS1", "HW", "KM", "MUM", "BFS2", "SSSP", "SPMV"}},
	{"LSENS", lsens},
	{"LINS", lins},
	{"LALL", slices.Concat(lsens, lins)},
	{"LHIT", []string{"PRK", "CLR", "MIS", "BC", "FW"}}, // those of LATTE-CC's figures 1 and 4
	{"RFVP10", []string{"BP", "FWT", "GS", "HW", "MM", "PF", "SS", "SRED", "SR2K", "STM"}},
	{"HPC10", hpc10},
	{"DL6", dl6},
	{"BUDDY16", slices.Concat(hpc10, dl6)},
	{"UM6", []string{"351.palm", "352.ep", "354.cg", "356.sp", "360.ilbdc", "370.bt"}}, // of figure 14, two of them named in the text, the others inferred
	{"CB", []string{"BO", "HOT", "PTH"}},
}

var (
	lsens = []string{"BFS1", "KM", "PF", "SS", "MM", "BC", "MIS", "CLR", "FW", "PRK", "DJK"}
	lins  = []string{"BO", "PTH", "HOT", "FWT", "BP", "NW", "SRAD1", "HW", "STC", "BT", "WC"}
	hpc10 = []string{"351.palm", "352.ep", "354.cg", "355.seismic", "356.sp", "357.csp", "360.ilbdc", "370.bt", "FF_HPGMG", "FF_Lulesh"}
	dl6   = []string{"AlexNet", "InceptionV2", "SqueezeNet", "VGG16", "ResNet50", "BigLSTM"}
)

// SetOf returns the programs of a set; nil if no set has that name.
func SetOf(name string) []string {
	for _, s := range sets {
		if s.name == name {
			return slices.Clone(s.members)
		}
	}
	return nil
}

// settings of a point by keyword, as the predicates write them.
type settings struct {
	mag, thr, pdw, mfv int
	prob               string
	machine            string // a preset, "" = that of the reading
	bw                 int    // factor on the bandwidth of DRAM
	channels           int    // factor on its channels
	clock              int    // share of it, in percent
	// lat is "real" or "one"; comp and decomp are cycles, -1 = those of the codec.
	lat          string
	comp, decomp int
	sample       int    // of online probabilities, in 1/400 of the program
	header       string // how the header of an approximation counts
	rfvp         rfvpSettings
	l1           l1Settings
	backing      backingSettings
}

// probabilities are those of the setting prob.
var probabilities = map[string]string{"off": "offline", "on": "online", "copies": "online-copies"}

// defaultSettings are those of the vocabulary: MAG 32 bytes, threshold 16, four
// ways, offline probabilities.
func defaultSettings() settings {
	return settings{mag: 32, thr: 16, prob: "off", bw: 1, channels: 1, clock: 100, lat: "real", comp: -1, decomp: -1, sample: e2mc.DefaultSample}
}

// systems are the memory schemes that the vocabulary names.
var systems = []struct{ name, codec, approximation string }{
	{"NONE", "none", "none"},
	{"BDI", "bdi", "none"},
	{"FPC", "fpc", "none"},
	{"CPACK", "cpack", "none"},
	{"BPC", "bpc", "none"},
	{"E2MC4", "e2mc4", "none"},
	{"E2MC8", "e2mc8", "none"},
	{"E2MC16", "e2mc16", "none"},
	{"E2MC32", "e2mc32", "none"},
	{"TSLC-SIMP", "e2mc16", "tslc-simp"},
	{"TSLC-PRED", "e2mc16", "tslc-pred"},
	{"TSLC-OPT", "e2mc16", "tslc-opt"},
}

// latencyOf returns the latencies of the settings; "" stands for the codec's own.
func latencyOf(m *scheme.Memory, set settings) string {
	own := func(n int) bool { return n < 0 }
	switch {
	case set.lat == "one":
		return "1/1"
	case own(set.comp) && own(set.decomp):
		return ""
	}
	compress, decompress := codecLatencies(m)
	if !own(set.comp) {
		compress = set.comp
	}
	if !own(set.decomp) {
		decompress = set.decomp
	}
	return fmt.Sprintf("%d/%d", compress, decompress)
}

// point is one system on one program.
type point struct {
	run, traffic *Job
	memory       *scheme.Memory
	settings     settings
}

// pointOf returns the scenario of a system on a program.
func (r Reading) pointOf(system string, w scenario.Workload, set settings) (*point, error) {
	if set.prob == "on" && r.Word("online") == string(OnlineCopies) {
		set.prob = "copies"
	}
	others, memory := parts(system)
	m, err := memoryOf(memory, set)
	if err != nil {
		return nil, err
	}
	s := scenario.Default(w.Name)
	s.Workload, s.Memory = w, m
	s.Machine.Preset = cmp.Or(set.machine, r.Word("machine"))
	speed, channels := set.bw, set.channels
	if r.Bandwidth == BandwidthChannels {
		speed, channels = 1, channels*set.bw
	}
	spec, err := s.Machine.Spec()
	if err != nil {
		return nil, err
	}
	overrides := scenario.Overrides{}
	if speed != 1 || set.clock != 100 {
		// Only the command clock changes. Timing in clocks stays, so latencies shrink too,
		// as in GPGPU-Sim with a higher DRAM clock.
		overrides["dramMHz"] = int64(spec.DRAMMHz) * int64(speed) * int64(set.clock) / 100
	}
	if channels != 1 {
		// A slice of L2 belongs to each channel, so each gets smaller.
		overrides["channels"] = int64(spec.Channels * channels)
		overrides["l2.sets"] = int64(max(spec.L2.Sets/channels, 1))
	}
	set.rfvp.halved(spec, overrides)
	for _, name := range others {
		if y := rfvpSystemOf(name); y != nil {
			err = y.apply(s, &set.rfvp, overrides)
		} else if y := l1SystemOf(name); y != nil {
			err = y.apply(s, spec, &set, overrides)
		} else if kind, known := backingSystems[name]; known {
			err = applyBacking(s, kind, &set.backing, overrides)
		} else if name != memory {
			err = missing{"system " + name + " does not exist here"}
		}
		if err != nil {
			return nil, err
		}
	}
	if len(overrides) > 0 {
		s.Machine.Overrides = overrides
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("the settings are not allowed: %w", err)
	}
	return &point{NewJob(s, false), NewJob(s, true), &s.Memory, set}, nil
}

func memoryOf(system string, set settings) (scheme.Memory, error) {
	m := scheme.DefaultMemory()
	for _, s := range systems {
		if s.name != system {
			continue
		}
		m.Put("codec", s.codec, "approximation", s.approximation, "mag", set.mag)
		if m.Approximation() != "none" {
			m.Put("threshold", set.thr, "header", set.header)
		}
		if scheme.Trained(m.Codec()) {
			m.Put("probabilities", probabilities[set.prob])
			if m.Online() && set.sample != e2mc.DefaultSample {
				m.Put("sample", set.sample)
			}
		}
		if scheme.HasWays(m.Codec()) && set.pdw != 0 {
			m.Put("decodingWays", set.pdw)
		}
		if m.Codec() != "none" {
			m.Put("latency", latencyOf(&m, set))
		}
		return m, nil
	}
	return m, fmt.Errorf("system %s does not exist here", system)
}

// lossless reports whether the point's ratios follow from its program's traffic.
func (p *point) lossless() bool {
	return p.memory.Approximation() == "none" && !p.memory.Online() && p.memory.Codec() != "none"
}

// set gives a setting its value, from a predicate's keyword argument.
func (s *settings) set(key string, value any) error {
	number := func(dst *int) error {
		n, ok := value.(int)
		if !ok || n < 1 {
			return fmt.Errorf("setting %s=%v does not exist here", key, value)
		}
		*dst = n
		return nil
	}
	switch key {
	case "mag":
		return number(&s.mag)
	case "thr":
		return number(&s.thr)
	case "pdw":
		return number(&s.pdw)
	case "mfv":
		return number(&s.mfv)
	case "bw":
		if s.rfvp.set(key, value) {
			return nil
		}
		return number(&s.bw)
	case "channels":
		return number(&s.channels)
	case "clock":
		return number(&s.clock)
	case "machine":
		word, _ := value.(string)
		if !slices.Contains(preset.Names(), word) {
			return fmt.Errorf("machine %q does not exist here: use one of %s", fmt.Sprint(value), strings.Join(preset.Names(), ", "))
		}
		s.machine = word
		return nil
	case "sample":
		return number(&s.sample)
	case "header":
		if word, _ := value.(string); slices.Contains(scheme.Headers(), word) {
			s.header = word
			return nil
		}
	case "prob":
		if word, _ := value.(string); probabilities[word] != "" {
			s.prob = word
			return nil
		}
	case "lat":
		if value == "real" || value == "one" {
			s.lat = value.(string)
			return nil
		}
	case "comp", "decomp":
		if n, ok := value.(int); ok && n >= 0 {
			if key == "comp" {
				s.comp = n
			} else {
				s.decomp = n
			}
			return nil
		}
	}
	if s.rfvp.set(key, value) || s.l1.set(key, value) || s.backing.set(key, value) {
		return nil
	}
	text := fmt.Sprint(value)
	if word, ok := value.(string); ok {
		text = "'" + word + "'"
	}
	return fmt.Errorf("setting %s=%s does not exist here", strings.TrimPrefix(key, "over_"), text)
}
