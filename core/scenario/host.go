package scenario

import (
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/jsontext"
)

// Module is a PTX module beside the program's source.
type Module struct {
	Name   string `msgpack:"name" yaml:"name" json:"name"`
	File   string `msgpack:"file,omitempty" yaml:"file,omitempty" json:"file,omitempty"`
	Source string `msgpack:"source" yaml:"source" json:"source"`
}

// HostStep is one step of a program's host part: a launch (entry), a fill, a copy, a loop, or an event of a stream.
type HostStep struct {
	Entry string `msgpack:"entry,omitempty" yaml:"entry,omitempty" json:"entry,omitempty"`
	// Module names the module of the kernel; empty for the first that has it.
	Module string `msgpack:"module,omitempty" yaml:"module,omitempty" json:"module,omitempty"`
	// Grid, Block, Cluster and Shared are the program's if they are left out, and so are Args.
	Grid    []Number `msgpack:"grid,omitempty" yaml:"grid,omitempty,flow" json:"grid,omitempty"`
	Block   []Number `msgpack:"block,omitempty" yaml:"block,omitempty,flow" json:"block,omitempty"`
	Cluster []Number `msgpack:"cluster,omitempty" yaml:"cluster,omitempty,flow" json:"cluster,omitempty"`
	Shared  Number   `msgpack:"shared,omitempty" yaml:"shared,omitempty" json:"shared,omitempty"`
	Args    []Arg    `msgpack:"args,omitempty" yaml:"args,omitempty" json:"args,omitempty"`
	Fill    *Fill    `msgpack:"fill,omitempty" yaml:"fill,omitempty" json:"fill,omitempty"`
	Copy    *Copy    `msgpack:"copy,omitempty" yaml:"copy,omitempty" json:"copy,omitempty"`
	Loop    *Loop    `msgpack:"loop,omitempty" yaml:"loop,omitempty" json:"loop,omitempty"`
	// Stream names the stream of a launch, a fill or a copy. Without it, the step waits for all before it, and all
	// after it wait for the step.
	Stream string `msgpack:"stream,omitempty" yaml:"stream,omitempty" json:"stream,omitempty"`
	// Record and Wait name an event: Record notes what Stream has to do up to here, and with Wait, Stream waits for it.
	Record string `msgpack:"record,omitempty" yaml:"record,omitempty" json:"record,omitempty"`
	Wait   string `msgpack:"wait,omitempty" yaml:"wait,omitempty" json:"wait,omitempty"`
}

// Fill writes a number, such as u32:0, over a part of a buffer: all after Offset if Bytes is empty.
type Fill struct {
	Buffer string `msgpack:"buffer" yaml:"buffer" json:"buffer"`
	Offset Number `msgpack:"offset,omitempty" yaml:"offset,omitempty" json:"offset,omitempty"`
	Bytes  Number `msgpack:"bytes,omitempty" yaml:"bytes,omitempty" json:"bytes,omitempty"`
	Value  string `msgpack:"value" yaml:"value" json:"value"`
}

// Copy copies from a buffer, or Data of the host, to a buffer.
type Copy struct {
	From       string `msgpack:"from,omitempty" yaml:"from,omitempty" json:"from,omitempty"`
	FromOffset Number `msgpack:"fromOffset,omitempty" yaml:"fromOffset,omitempty" json:"fromOffset,omitempty"`
	Data       Blob   `msgpack:"data,omitempty" yaml:"data,omitempty" json:"data,omitempty"`
	To         string `msgpack:"to" yaml:"to" json:"to"`
	ToOffset   Number `msgpack:"toOffset,omitempty" yaml:"toOffset,omitempty" json:"toOffset,omitempty"`
	// Bytes is empty for all that lies behind the offset of the source.
	Bytes Number `msgpack:"bytes,omitempty" yaml:"bytes,omitempty" json:"bytes,omitempty"`
}

// Loop repeats steps. With While or Until it ends when the host reads back what it waits for, and
// Rounds is the most that it may take.
type Loop struct {
	// Name is the name of the round's number in formulas, beside i.
	Name   string     `msgpack:"name,omitempty" yaml:"name,omitempty" json:"name,omitempty"`
	Rounds Number     `msgpack:"rounds,omitempty" yaml:"rounds,omitempty" json:"rounds,omitempty"`
	Values []Number   `msgpack:"values,omitempty" yaml:"values,omitempty,flow" json:"values,omitempty"`
	While  *Condition `msgpack:"while,omitempty" yaml:"while,omitempty" json:"while,omitempty"`
	Until  *Condition `msgpack:"until,omitempty" yaml:"until,omitempty" json:"until,omitempty"`
	Steps  []HostStep `msgpack:"steps" yaml:"steps" json:"steps"`
}

// Condition compares a number in a buffer with Value, such as u8:0.
type Condition struct {
	Buffer string `msgpack:"buffer" yaml:"buffer" json:"buffer"`
	Offset Number `msgpack:"offset,omitempty" yaml:"offset,omitempty" json:"offset,omitempty"`
	// Is is one of ptx.ComparisonNames; empty for equal.
	Is    string `msgpack:"is,omitempty" yaml:"is,omitempty" json:"is,omitempty"`
	Value string `msgpack:"value" yaml:"value" json:"value"`
}

// Number is a whole number: digits, or @ and a formula. Digits are a number in all formats.
type Number string

// whole returns the number if it is one of digits.
func (n Number) whole() (int64, bool) {
	v, err := strconv.ParseInt(string(n), 10, 64)
	exact := v >= -maxSeed && v <= maxSeed // in JavaScript
	return v, err == nil && exact && strconv.FormatInt(v, 10) == string(n)
}

// Plain returns the number, or the text of a formula, as formats write it.
func (n Number) Plain() any {
	if v, ok := n.whole(); ok {
		return v
	}
	return string(n)
}

// MarshalYAML and MarshalJSON write digits as a number. The page's engine has no library for JSON.
func (n Number) MarshalYAML() (any, error) { return n.Plain(), nil }

func (n Number) MarshalJSON() ([]byte, error) {
	if _, ok := n.whole(); ok {
		return []byte(n), nil
	}
	return jsontext.AppendQuote(nil, string(n)), nil
}

// eachData calls f with the data of all arguments, buffers and copies.
func (p *PTX) eachData(f func(path string, data Blob)) {
	args := func(path string, list []Arg) {
		for i := range list {
			f(fmt.Sprintf("%s[%d].data", path, i), list[i].Data)
		}
	}
	var walk func(path string, steps []HostStep)
	walk = func(path string, steps []HostStep) {
		for i := range steps {
			s, at := &steps[i], fmt.Sprintf("%s[%d]", path, i)
			args(at+".args", s.Args)
			if s.Copy != nil {
				f(at+".copy.data", s.Copy.Data)
			}
			if s.Loop != nil {
				walk(at+".loop.steps", s.Loop.Steps)
			}
		}
	}
	args("workload.ptx.args", p.Args)
	args("workload.ptx.buffers", p.Buffers)
	walk("workload.ptx.launches", p.Launches)
}
