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
	// Natural inputs are made by rule and resemble real data; version 0.3.0 used them.
	Natural Data = "natural"
)

// settings of a point by keyword, as the predicates write them.
type settings struct {
	mag, thr, pdw, mfv int
	prob               string
	machine            string // a preset, "" = the reading's
	bw                 int    // factor on the bandwidth of DRAM
	channels           int    // factor on its channels
	clock              int    // share of it, in percent
	// lat is "real" or "one"; comp and decomp are cycles, -1 = the codec's.
	lat          string
	comp, decomp int
	sample       int     // of online probabilities, in 1/400 of the program
	header       string  // how the header of an approximation counts
	loss         float64 // the share of a search is the highest whose loss is at most this; 0 = none is searched
	instead      string  // the system that a word of predicates puts in the place of another
	own          string  // settings that words of papers give: word, path and value, with tabs, a line each
}

// probabilities are the words of the setting prob.
var probabilities = map[string]string{"off": "offline", "on": "online", "copies": "online-copies"}

// defaultSettings are the settings without any word: MAG 32 bytes, threshold 16, four
// ways, offline probabilities.
func defaultSettings() settings {
	return settings{mag: 32, thr: 16, prob: "off", bw: 1, channels: 1, clock: 100, lat: "real", comp: -1, decomp: -1, sample: e2mc.DefaultSample}
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
	compress, decompress := scheme.StatedLatencies(m)
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
	words        []string // those of the call that its systems take
}

// pointOf returns the scenario of a system on a program. A system of the folder is the one without compression, with
// its settings after those of the words. The Paper may be nil.
func (p *Paper) pointOf(r Reading, name, id string, w scenario.Workload, set settings) (*point, error) {
	var own pairs
	if y := p.system(name); y != nil && systemOf(name) == nil {
		name, own = "NONE", y.Settings
	}
	if set.prob == "on" && r.Word("online") == string(OnlineCopies) {
		set.prob = "copies"
	}
	systems, err := p.partsOf(either(set.instead, name))
	if err != nil {
		return nil, err
	}
	m, words, err := memoryOf(systems, set)
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
	if len(overrides) > 0 {
		s.Machine.Overrides = overrides
	}
	for _, y := range systems {
		if !y.codes() {
			if err := y.apply(s, spec, id); err != nil {
				return nil, err
			}
		}
	}
	applied, err := set.applyWords(s, spec, systems)
	if err != nil {
		return nil, err
	}
	for _, one := range own {
		if err := p.set(s, one[0], one[1]); err != nil {
			return nil, err
		}
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("the settings are not allowed: %w", err)
	}
	return &point{NewJob(s, false), NewJob(s, true), &s.Memory, set, slices.Concat(words, applied)}, nil
}

// memoryOf returns the memory scheme of some systems, with the settings of a predicate, and the words of settings that
// it takes. Every machine takes the words about the machine, and every search its target.
func memoryOf(systems []*System, set settings) (m scheme.Memory, words []string, err error) {
	m, words = scheme.DefaultMemory(), []string{"bw", "channels", "clock", "machine", "q"}
	for _, y := range systems {
		if !y.codes() {
			continue
		}
		for _, one := range y.Settings {
			switch one[0] {
			case "memory.codec":
				m.Put("codec", one[1])
			case "memory.approximation":
				m.Put("approximation", one[1])
			}
		}
	}
	if !slices.ContainsFunc(systems, (*System).codes) {
		return m, words, nil
	}
	m.Put("mag", set.mag)
	words = append(words, "mag")
	if m.Approximation() != "none" {
		m.Put("threshold", set.thr, "header", set.header)
		words = append(words, "thr", "header")
	}
	if scheme.Trained(m.Codec()) {
		m.Put("probabilities", probabilities[set.prob])
		words = append(words, "prob", "mfv")
		if m.Online() {
			words = append(words, "sample")
			if set.sample != e2mc.DefaultSample {
				m.Put("sample", set.sample)
			}
		}
	}
	if scheme.HasWays(m.Codec()) {
		words = append(words, "pdw")
		if set.pdw != 0 {
			m.Put("decodingWays", set.pdw)
		}
	}
	if m.Codec() != "none" {
		m.Put("latency", latencyOf(&m, set))
		words = append(words, "lat", "comp", "decomp")
	}
	return m, words, nil
}

// lossless reports whether the point's ratios follow from its program's traffic.
func (p *point) lossless() bool {
	return p.memory.Approximation() == "none" && !p.memory.Online() && p.memory.Codec() != "none"
}

// set gives a setting its value, from a predicate's keyword argument.
func (s *settings) set(key string, value any) error {
	n, whole := value.(int)
	share, _ := value.(float64)
	word, isWord := value.(string)
	numbers := map[string]*int{
		"mag": &s.mag, "thr": &s.thr, "pdw": &s.pdw, "mfv": &s.mfv, "bw": &s.bw, "channels": &s.channels,
		"clock": &s.clock, "sample": &s.sample, "comp": &s.comp, "decomp": &s.decomp,
	}
	latency := key == "comp" || key == "decomp"
	switch dst := numbers[key]; {
	case dst != nil && whole && (n > 0 || n == 0 && latency):
		if *dst = n; latency {
			s.give(key, value)
		}
	case key == "bw" && share == 0.5:
		s.clock = 50
	case key == "q" && share > 0 && share <= 1:
		s.loss = share
	case key == "machine":
		if word := fmt.Sprint(value); !isWord || !slices.Contains(preset.Names(), word) {
			what := fmt.Sprintf("machine %q does not exist here: use one of %s", word, strings.Join(preset.Names(), ", "))
			return unknown{what, "correct the name"}
		}
		s.machine = word
	case key == "header" && slices.Contains(scheme.Headers(), word):
		s.header = word
	case key == "prob" && probabilities[word] != "":
		s.prob = word
	case key == "lat" && (word == "real" || word == "one"):
		s.lat = word
	case s.give(key, value):
	default:
		key = strings.TrimPrefix(key, "over_")
		what := fmt.Sprintf("setting %s=%v does not exist here", key, value)
		if isWord {
			what = fmt.Sprintf("setting %s='%s' does not exist here", key, word)
		}
		return unknown{what, valuesOf(key)}
	}
	return nil
}
