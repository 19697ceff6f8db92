// Package scenario is the schema of a run: the machine, the program with its data, and
// the scheme. People write scenarios as YAML or JSON; they are shipped as canonical
// msgpack, and a hash of the parts that change results identifies them. Package authoring
// below this one reads and writes files with libraries. This package has the parts that
// every run needs, without libraries for formats.
//
// Any input may be hostile. Every reader builds a bounded tree of values that know their
// places, one binder turns the tree into a Scenario, and Validate checks the rest. All
// faults are reported, not only the first. Input does not go through the msgpack library's
// decoder, which allocates what a length field says, recurses without limit and stops at
// the first fault.
package scenario

import (
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Version is the newest schema version that this package reads. A scenario is written
// in the oldest version that can hold it, so that older programs read every scenario that
// they can run, and scenarios of version 1 keep their hashes. Version 1 has no groups l1,
// loads and backing. In version 3 the name gtx580 means another machine (presets.go), and nothing
// else differs from version 2.
const Version = 3

// Scenario describes one run. Its zero value is not valid: start from Default or
// one of the Parse functions.
type Scenario struct {
	Version  int      `msgpack:"version" yaml:"version" json:"version"`
	Title    string   `msgpack:"title,omitempty" yaml:"title,omitempty" json:"title,omitempty"`
	Notes    string   `msgpack:"notes,omitempty" yaml:"notes,omitempty" json:"notes,omitempty"`
	Machine  Machine  `msgpack:"machine" yaml:"machine" json:"machine"`
	Workload Workload `msgpack:"workload" yaml:"workload" json:"workload"`
	// The scheme's groups stand beside the other parts: l1, loads, memory and backing.
	scheme.Scheme `msgpack:",inline" yaml:",inline"`
	Compare       *Compare `msgpack:"compare,omitempty" yaml:"compare,omitempty" json:"compare,omitempty"`
	Seed          uint64   `msgpack:"seed" yaml:"seed" json:"seed"`
	View          *View    `msgpack:"view,omitempty" yaml:"view,omitempty" json:"view,omitempty"`
	Lesson        *Lesson  `msgpack:"lesson,omitempty" yaml:"lesson,omitempty" json:"lesson,omitempty"`
}

// Machine names a preset and the values that differ from it.
type Machine struct {
	Preset    string    `msgpack:"preset" yaml:"preset" json:"preset"`
	Overrides Overrides `msgpack:"overrides,omitempty" yaml:"overrides,omitempty" json:"overrides,omitempty"`
}

// Workload names a shipped program and its input, or carries a program.
type Workload struct {
	Name string `msgpack:"name,omitempty" yaml:"name,omitempty" json:"name,omitempty"`
	Size int    `msgpack:"size,omitempty" yaml:"size,omitempty" json:"size,omitempty"`
	Data string `msgpack:"data,omitempty" yaml:"data,omitempty" json:"data,omitempty"`
	// Image is a PNG that replaces the generated input.
	Image Blob `msgpack:"image,omitempty" yaml:"image,omitempty" json:"image,omitempty"`
	// PTX is a program of the user; Name, Size, Data and Image are then empty.
	PTX *PTX `msgpack:"ptx,omitempty" yaml:"ptx,omitempty" json:"ptx,omitempty"`
}

// PTX is a program with its launch.
type PTX struct {
	File   string `msgpack:"file,omitempty" yaml:"file,omitempty" json:"file,omitempty"`
	Source string `msgpack:"source" yaml:"source" json:"source"`
	Entry  string `msgpack:"entry,omitempty" yaml:"entry,omitempty" json:"entry,omitempty"`
	Grid   []int  `msgpack:"grid,omitempty" yaml:"grid,omitempty,flow" json:"grid,omitempty"`
	Block  []int  `msgpack:"block,omitempty" yaml:"block,omitempty,flow" json:"block,omitempty"`
	// Cluster holds the CTAs of a cluster; without it the kernel decides (.reqnctapercluster).
	Cluster []int `msgpack:"cluster,omitempty" yaml:"cluster,omitempty,flow" json:"cluster,omitempty"`
	Shared  int   `msgpack:"shared,omitempty" yaml:"shared,omitempty" json:"shared,omitempty"`
	Repeat  int   `msgpack:"repeat,omitempty" yaml:"repeat,omitempty" json:"repeat,omitempty"`
	// Launch is empty or an attribute: "cooperative" refuses a grid whose CTAs do not all fit on the machine at once,
	// "programmatic" lets grids begin before those in front of them have ended, "nonPortable" allows clusters of more
	// than eight CTAs.
	Launch string `msgpack:"launch,omitempty" yaml:"launch,omitempty" json:"launch,omitempty"`
	// FMA is empty for one rounding, as PTX defines it, or "rounded-product" to
	// compute fma as GPGPU-Sim does, for comparisons with its outputs.
	FMA string `msgpack:"fma,omitempty" yaml:"fma,omitempty" json:"fma,omitempty"`
	// Base is the first address of device memory; it decides which bank holds each block.
	Base uint64 `msgpack:"base,omitempty" yaml:"base,omitempty" json:"base,omitempty"`
	// Safe numbers the arguments, from 0, whose buffers may be approximated. Buffers are numbered after them.
	Safe []int `msgpack:"safe,omitempty" yaml:"safe,omitempty,flow" json:"safe,omitempty"`
	// Metric measures the outputs (workload.ParseMetric); empty for the share of elements that differ.
	Metric string `msgpack:"metric,omitempty" yaml:"metric,omitempty" json:"metric,omitempty"`
	Args   []Arg  `msgpack:"args,omitempty" yaml:"args,omitempty" json:"args,omitempty"`
	// Buffers are memory that no launch gets as an argument by itself. Specs name it.
	Buffers []Arg `msgpack:"buffers,omitempty" yaml:"buffers,omitempty" json:"buffers,omitempty"`
	// Modules are further texts of PTX.
	Modules []Module `msgpack:"modules,omitempty" yaml:"modules,omitempty" json:"modules,omitempty"`
	// Launches is what the host does, in place of one launch of Entry.
	Launches []HostStep `msgpack:"launches,omitempty" yaml:"launches,omitempty" json:"launches,omitempty"`
	// Textures are what the program reads with tex.
	Textures []Texture `msgpack:"textures,omitempty" yaml:"textures,omitempty" json:"textures,omitempty"`
}

// Arg is one kernel argument: a SPEC (see argument.Parse) and the initial contents of a
// buffer, if it has any.
type Arg struct {
	Spec string `msgpack:"spec" yaml:"spec" json:"spec"`
	Data Blob   `msgpack:"data,omitempty" yaml:"data,omitempty" json:"data,omitempty"`
	// Element is the type of a buffer's elements, such as f32; empty for words of 4 bytes, or for bytes.
	Element string `msgpack:"element,omitempty" yaml:"element,omitempty" json:"element,omitempty"`
}

// Compare holds the scheme that the page runs beside the scenario's own.
type Compare struct {
	scheme.Scheme `msgpack:",inline" yaml:",inline"`
}

// Blob is binary data. It is bin in msgpack, and base64 in YAML and JSON.
type Blob []byte

// Default returns the scenario of a workload with every other value at its default.
func Default(name string) *Scenario {
	s := &Scenario{
		Version:  1,
		Machine:  Machine{Preset: presetOf(defaultPreset, Version)},
		Workload: Workload{Name: name},
		Scheme:   scheme.Default(),
		Seed:     1,
	}
	s.fillWorkload()
	return s
}

// fillWorkload sets the full name of a shipped workload, and the defaults of its size and
// data.
func (s *Scenario) fillWorkload() {
	w := &s.Workload
	if w.PTX != nil {
		return
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		return // Validate reports it
	}
	w.Name = info.Name
	if w.Size == 0 {
		w.Size = info.DefaultSize
	}
	if w.Data == "" {
		w.Data = info.DataModes[0]
	}
}
