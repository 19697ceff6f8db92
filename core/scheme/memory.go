package scheme

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/system/slc"
)

// Memory says how blocks are stored in DRAM.
type Memory struct {
	Codec string `msgpack:"codec" yaml:"codec" json:"codec"`
	// Module is the WebAssembly module of the codec plugin.
	Module        Module `msgpack:"module,omitempty" yaml:"module,omitempty" json:"module,omitempty"`
	Probabilities string `msgpack:"probabilities" yaml:"probabilities" json:"probabilities"`
	DecodingWays  int    `msgpack:"decodingWays" yaml:"decodingWays" json:"decodingWays"`
	MAG           int    `msgpack:"mag" yaml:"mag" json:"mag"`
	Approximation string `msgpack:"approximation" yaml:"approximation" json:"approximation"`
	Threshold     int    `msgpack:"threshold" yaml:"threshold" json:"threshold"`
	// Latency is empty for the latencies the codec's paper gives, or C/D: cycles of
	// the compressor and the decompressor in the clock of that paper, for studies of
	// what they cost. They are times, whatever the clock of the machine's DRAM.
	// Their units never let a block wait.
	Latency string `msgpack:"latency,omitempty" yaml:"latency,omitempty" json:"latency,omitempty"`
	// Header says how an approximation's header counts against the budget, which SLC
	// leaves open: empty or fixed32, variable, literal (see tslc.Header).
	Header string `msgpack:"header,omitempty" yaml:"header,omitempty" json:"header,omitempty"`
	// Sample is how long online probabilities are sampled, in 1/400 of the program's
	// thread instructions: E2MC's millions of its nominal 400. Empty is its best, 20.
	Sample int `msgpack:"sample,omitempty" yaml:"sample,omitempty" json:"sample,omitempty"`
}

// DefaultMemory is a memory without compression at the MAG of the SLC paper's
// machine (GDDR5, 32-byte bursts; section V). Threshold and decoding ways are that
// paper's too: half the MAG, four ways.
func DefaultMemory() Memory {
	return Memory{Codec: "none", Probabilities: "offline", DecodingWays: 4, MAG: 32, Approximation: "none", Threshold: 16}
}

// Effective returns m with what has no effect set to its default.
func (m Memory) Effective() Memory {
	d := DefaultMemory()
	if !m.Trained() {
		m.Probabilities = d.Probabilities
	}
	if !HasWays(m.Codec) {
		m.DecodingWays = d.DecodingWays
	}
	if m.Approximation == "none" {
		m.Threshold = d.Threshold
	}
	if m.Approximation == "none" || m.Header == slc.Headers[0] {
		m.Header = ""
	}
	if !m.Trained() || !m.Online() || m.Sample == e2mc.DefaultSample {
		m.Sample = 0
	}
	if m.Codec == "none" {
		m.Latency = ""
	}
	if m.Codec != codecs.Plugin {
		m.Module = ""
	}
	return m
}

// Trained reports whether the codes of m's codec are made from what memory holds.
func (m *Memory) Trained() bool {
	return Trained(m.Codec) || codecs.TrainedModule(m.Codec, string(m.Module))
}

// Online reports whether code tables are made from a sample at the start of the run.
func (m *Memory) Online() bool { return e2mc.Online(m.Probabilities) }

// CountsCopies reports whether such a sample begins with the copies of the host (see e2mc.CountsCopies).
func (m *Memory) CountsCopies() bool { return e2mc.CountsCopies(m.Probabilities) }

// memorySettings describes every value of Memory except the codec, which names the
// entry of the group.
var memorySettings = []system.Setting{
	{Name: "module", Title: "module", Optional: true, Check: checkModule, Mend: "give a module that keeps the rules of tools/plugin/README.md, as bin in msgpack and as base64 elsewhere", About: "The WebAssembly module of the codec plugin; only with it."},
	{Name: "approximation", Title: "approximation", Listed: Approximations, About: "What may be cut from a block's code to save a burst."},
	{Name: "mag", Title: "MAG", Unit: "bytes", Numbers: mags, Default: 32, Wrong: "no memory access granularity of %d bytes", About: "The memory access granularity: bytes that a burst moves."},
	slc.Threshold,
	e2mc.DecodingWays,
	e2mc.Probability,
	{Name: "latency", Title: "latencies", Optional: true, Check: checkLatencies, Mend: "write cycles of the compressor/decompressor, such as 1/1", About: "Cycles of the compressor and the decompressor as C/D, in the clock of the codec's paper; the codec's own if it is not given."},
	slc.Header,
	e2mc.Sample,
}

func checkLatencies(text string) error {
	_, _, err := (&Memory{Latency: text}).Latencies()
	return err
}

// codecEntries are the rows of the table of codecs as entries of the memory group.
func codecEntries() []system.Entry {
	list := []system.Entry{{Name: system.None, Title: "none", About: "Blocks are stored as they are."}}
	for _, name := range Codecs()[1:] {
		list = append(list, system.Entry{Name: name, Title: codecs.Find(name).Title})
	}
	return list
}

// value returns a value of m by its name, as a Part holds it.
func (m *Memory) value(name string) any {
	v := m.field(name)
	if v.Kind() == reflect.String {
		return v.String()
	}
	return v.Int()
}

func (m *Memory) field(name string) reflect.Value {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		if key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("msgpack"), ","); key == name {
			return v.Field(i)
		}
	}
	panic("scheme: memory has no value " + name)
}

// set changes a value of m by its name.
func (m *Memory) set(name, text string) error {
	v := m.field(name)
	if v.Kind() == reflect.String {
		v.SetString(text)
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	v.SetInt(n)
	return err
}

// Validate adds the faults of every value of m alone; Rules has those of values together.
func (m *Memory) Validate(e *fault.Errors, path string) {
	if m.Codec != codecs.Plugin {
		e.Word(path+".codec", m.Codec, Codecs())
	}
	for i := range memorySettings {
		if f := &memorySettings[i]; f.Name != "threshold" {
			f.Validate(e, path+"."+f.Name, m.value(f.Name)) // a rule checks the threshold against the MAG
		}
	}
}
