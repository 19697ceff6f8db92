package scheme

import (
	"maps"
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/jsontext"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/system/slc"
)

// Memory is the part of the memory group, with a method for each value that other packages read.
type Memory system.Part

// memoryGroup is the group.
var memoryGroup = system.Group{
	Name: "memory", Key: "codec", Title: "Memory", About: "How blocks lie in memory.",
	Settings: memorySettings, Listed: codecEntries, Named: codecEntry,
}

// memorySettings are the settings that every codec has. Their defaults are a memory without compression at the MAG of the
// SLC paper's machine (GDDR5, 32-byte bursts; section V). Threshold and decoding ways are that paper's too: half the MAG,
// four ways.
var memorySettings = []system.Setting{
	{
		Name: "module", Title: "module", Optional: true, Binary: true, Check: checkModule,
		Needs: []setting.Need{{Of: "codec", Is: words(codecs.Plugin)}},
		Mend: "give a module that keeps the rules of tools/plugin/README.md, " +
			"as bin in msgpack and as base64 elsewhere",
		About: "The WebAssembly module of the codec plugin; only with it.",
	},
	{
		Name: "approximation", Title: "approximation", Listed: Approximations, Term: "approximation",
		About: "What may be cut from a block's code to save a burst.",
	},
	{
		Name: "mag", Title: "MAG", Unit: "bytes", Numbers: mags, Default: 32,
		Wrong: "no memory access granularity of %d bytes",
		Short: "bytes fetched at a time (MAG)", Term: "MAG", Label: "MAG {} B",
		About: "The memory access granularity: bytes that a burst moves.",
	},
	with(slc.Threshold, approximates),
	with(e2mc.DecodingWays, setting.Need{Of: "codec", Is: codecsWithWays}),
	with(e2mc.Probability, trained),
	{
		Name: "latency", Title: "latencies", Optional: true, Check: checkLatencies,
		Needs: []setting.Need{{Of: "codec", Not: []string{system.None}}},
		Mend:  "write cycles of the compressor/decompressor, such as 1/1", Pattern: latencyPattern,
		Short: "latency", Term: "latency", Label: "latencies {}", Without: "its own latencies",
		Offer: []string{"1/1", "23/10", "46/20", "92/40"},
		About: "Cycles of the compressor and the decompressor as C/D, in the clock of the codec's paper; " +
			"the codec's own if it is not given.",
	},
	with(slc.Header, approximates),
	with(slc.Prediction, setting.Need{Of: "approximation", Is: slc.Predicting}),
	with(e2mc.LUT, setting.Need{Of: "codec", Is: words("e2mc16", "e2mc32")}), // the tables of the others hold all values
	with(e2mc.Sample, trained, setting.Need{Of: "probabilities", Is: onlineProbabilities}),
}

var (
	approximates = setting.Need{Of: "approximation", Not: []string{system.None}}
	// trained holds if the codes of the codec are made from what memory holds. A module says so itself.
	trained = setting.Need{
		Of: "codec", Is: trainedCodecs, If: func(values map[string]any) bool { return Memory(values).Trained() },
	}
)

// with returns a setting of a paper with the conditions that other settings of the group make for it.
func with(f system.Setting, needs ...setting.Need) system.Setting {
	f.Needs = needs
	return f
}

func words(list ...string) func() []string { return func() []string { return list } }

func codecsWithWays() []string { return codecs.Where((*codecs.Row).HasWays) }

func trainedCodecs() []string { return append(codecs.Where((*codecs.Row).Trained), codecs.Plugin) }

func onlineProbabilities() []string {
	return slices.DeleteFunc(Probabilities(), func(word string) bool { return !e2mc.Online(word) })
}

// codecEntries are the rows of the table of codecs as entries of the memory group.
func codecEntries() []system.Entry {
	var list []system.Entry
	for _, name := range append(Codecs(), codecs.Plugin) {
		list = append(list, *codecEntry(name))
	}
	return list
}

// noCodec is the entry without a row.
var noCodec = system.Entry{Name: system.None, Title: "none", About: "Blocks are stored as they are."}

func codecEntry(name string) *system.Entry {
	if name == system.None {
		return &noCodec
	}
	row := codecs.Find(name)
	if row == nil || row.Over != "" {
		return nil
	}
	return &system.Entry{Name: name, Title: row.Title, Settings: row.Settings, Unlisted: name == codecs.Plugin}
}

// DefaultMemory is a memory without compression, with every setting at its default.
func DefaultMemory() Memory {
	var p system.Part
	p.Complete(&memoryGroup)
	return Memory(p)
}

// Put changes values by name: name, value, name, value ... (system.Part.Put).
func (m *Memory) Put(pairs ...any) { (*system.Part)(m).Put(&memoryGroup, pairs...) }

// With returns m with other values, as Put gives them.
func (m Memory) With(pairs ...any) Memory {
	m.Put(pairs...)
	return m
}

// Equal reports whether two memories have the same values.
func (m Memory) Equal(other Memory) bool { return maps.Equal(m, other) }

// Effective returns m with what has no effect set to its default.
func (m Memory) Effective() Memory { return Memory(system.Part(m).Effective(&memoryGroup)) }

// Codec is the name of the entry.
func (m Memory) Codec() string { return system.Part(m).Word("codec") }

// Module is the WebAssembly module of the codec plugin.
func (m Memory) Module() setting.Binary { return system.Part(m).Bytes("module") }

// MAG is the memory access granularity in bytes.
func (m Memory) MAG() int { return system.Part(m).Int("mag") }

// Approximation names the lossy codec, or none.
func (m Memory) Approximation() string { return system.Part(m).Word("approximation") }

// Threshold is the most that an approximation may cut, in bytes.
func (m Memory) Threshold() int { return system.Part(m).Int("threshold") }

// DecodingWays are the parts of a block that decode at once.
func (m Memory) DecodingWays() int { return system.Part(m).Int("decodingWays") }

// Probabilities says where a code table comes from.
func (m Memory) Probabilities() string { return system.Part(m).Word("probabilities") }

// Latency is empty for the latencies the codec's paper gives, or C/D: cycles of
// the compressor and the decompressor in the clock of that paper, for studies of
// what they cost. They are times, whatever the clock of the machine's DRAM.
// Their units never let a block wait.
func (m Memory) Latency() string { return system.Part(m).Word("latency") }

// Header says how an approximation's header counts against the budget, which SLC
// leaves open: empty or fixed32, variable, literal (see codecs.ParseHeader).
func (m Memory) Header() string { return system.Part(m).Word("header") }

// Sample is how long online probabilities are sampled, in 1/400 of the program's
// thread instructions: E2MC's millions of its nominal 400. 0 is its best, 20.
func (m Memory) Sample() int { return system.Part(m).Int("sample") }

// OwnSettings are those that only m's codec has, as far as they differ from their defaults, in words.
func (m Memory) OwnSettings() []string {
	if e := memoryGroup.Entry(m.Codec()); e != nil {
		return system.Part(m).Differences(e)
	}
	return nil
}

// Options are those with which the codec is made. A header is not in them: an approximation parses it.
func (m Memory) Options() codecs.Options {
	return codecs.Options{
		LUTSets: system.Part(m).Word("clut") == e2mc.LUT.Words[1],
		Ways:    m.DecodingWays(), MAGBytes: m.MAG(), ThresholdBytes: m.Threshold(), Module: string(m.Module()), Settings: m,
		Prediction: slc.PredictionOf(system.Part(m).Word("prediction")),
	}
}

// Trained reports whether the codes of m's codec are made from what memory holds.
func (m Memory) Trained() bool {
	return Trained(m.Codec()) || codecs.TrainedModule(m.Codec(), string(m.Module()))
}

// Online reports whether code tables are made from a sample at the start of the run.
func (m Memory) Online() bool { return e2mc.Online(m.Probabilities()) }

// CountsCopies reports whether such a sample begins with the copies of the host (see e2mc.CountsCopies).
func (m Memory) CountsCopies() bool { return e2mc.CountsCopies(m.Probabilities()) }

// written is the order in which scenarios have had these values in YAML and JSON since version 1. Others follow by
// name.
var written = []string{
	"codec", "module", "probabilities", "decodingWays", "mag", "approximation", "threshold", "latency", "header", "sample",
	"prediction", "clut",
}

// Keys are the names of m's values in the order in which scenarios are written.
func (m Memory) Keys() []string {
	var keys []string
	for _, key := range written {
		if _, given := m[key]; given {
			keys = append(keys, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// MarshalJSON writes the values in their order. encoding/json would be a tenth of the page's engine, which has no use
// for it, so this does without.
func (m Memory) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, key := range m.Keys() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuote(b, key), ':')
		switch v := m[key].(type) {
		case int64:
			b = strconv.AppendInt(b, v, 10)
		case string:
			b = jsontext.AppendQuote(b, v)
		case setting.Binary:
			b = jsontext.AppendQuote(b, v.Base64())
		}
	}
	return append(b, '}'), nil
}
