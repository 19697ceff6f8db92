// Package convert turns settings of other simulators into values of a machine, and says of every setting what became
// of it.
package convert

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
)

// Value is a value of the machine, and the setting that it comes from.
type Value struct {
	Path string `json:"path"`
	Text string `json:"value"`
	From string `json:"from"`
	// Note says how far it differs from the setting; empty if it does not.
	Note string `json:"note,omitempty"`
}

// Left is a setting without a counterpart, or of a value that no machine here can have.
type Left struct {
	Setting string `json:"setting"`
	Why     string `json:"why"`
}

// Machine is what became of a file.
type Machine struct {
	Kind   string  `json:"kind"`
	Preset string  `json:"preset"` // has every value that the file does not give
	Values []Value `json:"overrides"`
	Left   []Left  `json:"withoutCounterpart"`
	// Quiet are settings that change no result there either: of statistics, debugging and power.
	Quiet []string `json:"withoutEffect"`

	gpu *parameter.GPU
}

// File converts a file of a kind that its name or its text tells. base is a preset; "" chooses the nearest one.
func File(name string, text []byte, base string) (*Machine, error) {
	kind := KindOf(name, text)
	for _, k := range kinds {
		if k.name == kind {
			m, err := k.read(name, text, base)
			if err != nil {
				return nil, err
			}
			return m, m.check(name)
		}
	}
	return nil, fmt.Errorf("%s: it is none of %s: give a file of one of them", name, strings.Join(Kinds(), ", "))
}

// kinds are the readers of files.
var kinds = []struct {
	name string
	read func(name string, text []byte, base string) (*Machine, error)
}{
	{"gpgpusim.config", readGPGPUSim},
	{"DRAMsim3 ini", readDRAMsim3},
	{"Ramulator 2 YAML", readRamulator},
	{"Ramulator 2.1 YAML", readRamulator21},
}

// Kinds lists what File reads.
func Kinds() (list []string) {
	for _, k := range kinds {
		list = append(list, k.name)
	}
	return list
}

// KindOf tells the kind of a file, or "".
func KindOf(name string, text []byte) string {
	switch {
	case strings.Contains(string(text), "-gpgpu_"):
		return "gpgpusim.config"
	case strings.Contains(string(text), "[dram_structure]"):
		return "DRAMsim3 ini"
	case strings.Contains(string(text), "MemorySystem:"):
		return "Ramulator 2 YAML"
	case strings.Contains(string(text), "memory_system:"):
		return "Ramulator 2.1 YAML"
	}
	switch path.Ext(name) {
	case ".config":
		return "gpgpusim.config"
	case ".ini":
		return "DRAMsim3 ini"
	}
	return ""
}

// start makes a machine with the values of a preset.
func start(kind, base string) (*Machine, error) {
	gpu, err := preset.GPU(base)
	if err != nil {
		return nil, err
	}
	return &Machine{Kind: kind, Preset: base, gpu: gpu}, nil
}

// set gives a value to the machine. One that is out of the bounds of its parameter is left, with the reason.
func (m *Machine) set(where, text, from, note string) {
	e := m.gpu.Values().Find(where)
	if e == nil {
		panic("convert: no value has the path " + where)
	}
	before := e.Text()
	if f := e.Set(text); f != nil {
		m.leave(from, fmt.Sprintf("%s: %s", where, f.Message))
		return
	}
	if e.Text() == before && note == "" {
		note = "as in the preset"
	}
	i := slices.IndexFunc(m.Values, func(v Value) bool { return v.Path == where })
	v := Value{where, e.Text(), from, note}
	if i >= 0 {
		m.Values[i] = v
		return
	}
	m.Values = append(m.Values, v)
}

func (m *Machine) number(where string, n int, from, note string) {
	m.set(where, strconv.Itoa(n), from, note)
}

func (m *Machine) leave(setting, why string) { m.Left = append(m.Left, Left{setting, why}) }

// check holds all values together against the rules of a machine.
func (m *Machine) check(name string) error {
	var all fault.Errors
	for _, f := range m.gpu.Check(mem.SectorBytes) {
		all.Add(name+": machine.overrides."+f.Path, f.Message, f.Mend)
	}
	if len(all.List) > 0 {
		return &all
	}
	return nil
}

// Overrides are the values that differ from the preset.
func (m *Machine) Overrides() []Value {
	own, err := preset.GPU(m.Preset)
	if err != nil {
		return nil
	}
	var list []Value
	for _, v := range m.Values {
		if own.Values().Find(v.Path).Text() != v.Text {
			list = append(list, v)
		}
	}
	return list
}

// divided rounds up.
func divided(a, b int) int { return (a + b - 1) / b }
