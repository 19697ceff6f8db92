// Package scenario is the schema of a run: which machine, which program on which
// data, how memory is compressed. Scenarios are authored as YAML (or JSON, which
// is YAML), shipped as canonical msgpack and identified by a hash of what changes
// results. Package authoring below this one holds what people and tools write;
// this one what every run needs, without libraries for formats.
//
// Input is hostile until proven otherwise. Every reader builds a bounded tree of
// values that know where they stood, one binder turns the tree into a Scenario,
// and Validate checks what the types cannot say. Every fault is reported, not the
// first. The msgpack library's own decoder is not used on input: it allocates what
// a length field says, recurses without limit and stops at the first fault.
package scenario

import (
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Version is the schema version this package reads and writes.
const Version = 1

// Scenario describes one run. Its zero value is not valid: start from Default or
// one of the Parse functions.
type Scenario struct {
	Version  int      `msgpack:"version" yaml:"version" json:"version"`
	Title    string   `msgpack:"title,omitempty" yaml:"title,omitempty" json:"title,omitempty"`
	Notes    string   `msgpack:"notes,omitempty" yaml:"notes,omitempty" json:"notes,omitempty"`
	Machine  Machine  `msgpack:"machine" yaml:"machine" json:"machine"`
	Workload Workload `msgpack:"workload" yaml:"workload" json:"workload"`
	Memory   Memory   `msgpack:"memory" yaml:"memory" json:"memory"`
	Compare  *Compare `msgpack:"compare,omitempty" yaml:"compare,omitempty" json:"compare,omitempty"`
	Seed     uint64   `msgpack:"seed" yaml:"seed" json:"seed"`
	View     *View    `msgpack:"view,omitempty" yaml:"view,omitempty" json:"view,omitempty"`
	Lesson   *Lesson  `msgpack:"lesson,omitempty" yaml:"lesson,omitempty" json:"lesson,omitempty"`
}

// Machine names the machine and what of it is different.
type Machine struct {
	Preset    string    `msgpack:"preset" yaml:"preset" json:"preset"`
	Overrides Overrides `msgpack:"overrides,omitempty" yaml:"overrides,omitempty" json:"overrides,omitempty"`
}

// Workload names a shipped program and its input, or carries a program.
type Workload struct {
	Name string `msgpack:"name,omitempty" yaml:"name,omitempty" json:"name,omitempty"`
	Size int    `msgpack:"size,omitempty" yaml:"size,omitempty" json:"size,omitempty"`
	Data string `msgpack:"data,omitempty" yaml:"data,omitempty" json:"data,omitempty"`
	// Image is a PNG that takes the place of the generated input.
	Image Blob `msgpack:"image,omitempty" yaml:"image,omitempty" json:"image,omitempty"`
	// PTX is a program of the user's; Name, Size, Data and Image are then empty.
	PTX *PTX `msgpack:"ptx,omitempty" yaml:"ptx,omitempty" json:"ptx,omitempty"`
}

// PTX is a program with its launch.
type PTX struct {
	File   string `msgpack:"file,omitempty" yaml:"file,omitempty" json:"file,omitempty"`
	Source string `msgpack:"source" yaml:"source" json:"source"`
	Entry  string `msgpack:"entry" yaml:"entry" json:"entry"`
	Grid   []int  `msgpack:"grid,omitempty" yaml:"grid,omitempty,flow" json:"grid,omitempty"`
	Block  []int  `msgpack:"block,omitempty" yaml:"block,omitempty,flow" json:"block,omitempty"`
	Shared int    `msgpack:"shared,omitempty" yaml:"shared,omitempty" json:"shared,omitempty"`
	Repeat int    `msgpack:"repeat,omitempty" yaml:"repeat,omitempty" json:"repeat,omitempty"`
	// FMA is empty for one rounding, as PTX defines it, or "rounded-product" to
	// compute fma as GPGPU-Sim does, for comparisons with its outputs.
	FMA string `msgpack:"fma,omitempty" yaml:"fma,omitempty" json:"fma,omitempty"`
	// Base is where device memory starts; it decides which bank holds what.
	Base uint64 `msgpack:"base,omitempty" yaml:"base,omitempty" json:"base,omitempty"`
	Args []Arg  `msgpack:"args,omitempty" yaml:"args,omitempty" json:"args,omitempty"`
}

// Arg is one kernel argument: a SPEC (see argument.Parse) and, for buffers that start
// with contents, those.
type Arg struct {
	Spec string `msgpack:"spec" yaml:"spec" json:"spec"`
	Data Blob   `msgpack:"data,omitempty" yaml:"data,omitempty" json:"data,omitempty"`
}

// Memory says how blocks are stored in DRAM.
type Memory struct {
	Codec         string `msgpack:"codec" yaml:"codec" json:"codec"`
	Probabilities string `msgpack:"probabilities" yaml:"probabilities" json:"probabilities"`
	DecodingWays  int    `msgpack:"decodingWays" yaml:"decodingWays" json:"decodingWays"`
	MAG           int    `msgpack:"mag" yaml:"mag" json:"mag"`
	Approximation string `msgpack:"approximation" yaml:"approximation" json:"approximation"`
	Threshold     int    `msgpack:"threshold" yaml:"threshold" json:"threshold"`
	// Latency is empty for the latencies the codec's paper gives, or C/D: cycles of
	// the compressor and the decompressor, for studies of what they cost.
	Latency string `msgpack:"latency,omitempty" yaml:"latency,omitempty" json:"latency,omitempty"`
	// Header says how an approximation's header counts against the budget, which SLC
	// leaves open: empty or fixed32, variable, literal (see tslc.Header).
	Header string `msgpack:"header,omitempty" yaml:"header,omitempty" json:"header,omitempty"`
	// Sample is how long online probabilities are sampled, in 1/400 of the program's
	// thread instructions: E2MC's millions of its nominal 400. Empty is its best, 20.
	Sample int `msgpack:"sample,omitempty" yaml:"sample,omitempty" json:"sample,omitempty"`
}

// Compare names the scheme that the page sets beside the scenario's own.
type Compare struct {
	Memory Memory `msgpack:"memory" yaml:"memory" json:"memory"`
}

// Blob is binary data: bin in msgpack, base64 in YAML and JSON.
type Blob []byte

// DefaultMemory is a memory without compression at the MAG of the SLC paper's
// machine (GDDR5, 32-byte bursts; section V). Threshold and decoding ways are that
// paper's too: half the MAG, four ways.
func DefaultMemory() Memory {
	return Memory{Codec: "none", Probabilities: "offline", DecodingWays: 4, MAG: 32, Approximation: "none", Threshold: 16}
}

// Default returns the scenario of a workload with everything else as it is when
// nothing is said.
func Default(name string) *Scenario {
	s := &Scenario{
		Version:  Version,
		Machine:  Machine{Preset: "gtx580"},
		Workload: Workload{Name: name},
		Memory:   DefaultMemory(),
		Seed:     1,
	}
	s.fillWorkload()
	return s
}

// fillWorkload gives a shipped workload its full name, and its size and data
// their defaults.
func (s *Scenario) fillWorkload() {
	w := &s.Workload
	if w.PTX != nil {
		return
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		return // Validate says so
	}
	w.Name = info.Name
	if w.Size == 0 {
		w.Size = info.DefaultSize
	}
	if w.Data == "" {
		w.Data = info.DataModes[0]
	}
}
