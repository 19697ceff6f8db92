//go:build js

package main

import (
	"encoding/base64"
	"fmt"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/workload"
)

// open finds the data that a message of the lab requests: a file, the inputs of a
// scenario, or the memory after a finished run.
func (e *engine) open(l *labSurvey, msg js.Value) (err error) {
	module, err := base64.StdEncoding.DecodeString(text(msg, "module"))
	if err != nil {
		return fmt.Errorf("the module is not base64")
	}
	l.module = string(module)
	switch {
	case msg.Get("scenario").Type() == js.TypeObject:
		l.file, err = inputsOf(msg.Get("scenario"))
	case text(msg, "side") != "":
		l.file, err = e.memoryOf(text(msg, "side"), text(msg, "allocation"))
	default:
		var o datafile.Options
		if o, err = labOptions(msg); err != nil {
			return err
		}
		if l.blob, err = newBlobReader(msg.Get("blob"), func() bool { return l.cancelled }); err != nil {
			return err
		}
		o.Name, o.Beside = l.blob.name(), beside(msg.Get("beside"), l.blob.gone)
		if l.file, err = datafile.Open(l.blob, l.blob.size, o); err == nil && l.file.Format == datafile.Index {
			l.blob = nil // the tensors are hashed, which lie in other files
		}
	}
	return err
}

func labOptions(msg js.Value) (o datafile.Options, err error) {
	o.Format, o.Array = text(msg, "format"), text(msg, "array")
	if name := text(msg, "elements"); name != "" {
		if o.Type, err = datafile.ParseType(name); err != nil {
			return o, err
		}
	}
	if v := msg.Get("offset"); v.Type() == js.TypeNumber {
		o.Offset = int64(v.Float())
	}
	return o, nil
}

// inputsOf returns the bytes that the host of a scenario copies into device memory.
func inputsOf(v js.Value) (*datafile.File, error) {
	s, err := parseScenario(v, nil)
	if err != nil {
		return nil, err
	}
	p, err := s.Program()
	if err != nil {
		return nil, err
	}
	var arrays []datafile.Array
	for i := range p.Buffers {
		b := &p.Buffers[i]
		arrays = append(arrays, datafile.InMemory(b.Name, elementsOf(b.Element), b.Init))
	}
	return datafile.OfArrays(arrays)
}

// memoryOf copies one allocation or all allocations after a finished run.
func (e *engine) memoryOf(name, allocation string) (*datafile.File, error) {
	s := e.side(name)
	if s == nil || !s.done || s.run.Machine() == nil {
		return nil, fmt.Errorf("no run of side %s has finished: run a scenario first", name)
	}
	image, buffers := s.run.Machine().Image(), s.plan.Program.Buffers
	var arrays []datafile.Array
	for i, a := range image.Allocations() {
		if allocation != "" && a.Name != allocation {
			continue
		}
		t := datafile.U8
		if i < len(buffers) {
			t = elementsOf(buffers[i].Element)
		}
		data := make([]byte, 0, a.Bytes+mem.LineBytes)
		var line mem.Line
		for at := a.Base; at < a.End(); at += mem.LineBytes {
			image.ReadLine(at, &line)
			data = append(data, line[:]...)
		}
		arrays = append(arrays, datafile.InMemory(a.Name, t, data[:a.Bytes]))
	}
	if len(arrays) == 0 {
		return nil, fmt.Errorf("the run of side %s has no allocation %q", name, allocation)
	}
	return datafile.OfArrays(arrays)
}

// elementsOf names the element type of a buffer as in files.
func elementsOf(e workload.Element) datafile.Type {
	return [...]datafile.Type{
		workload.ElementU8: datafile.U8, workload.ElementS8: datafile.I8, workload.ElementU16: datafile.U16, workload.ElementS16: datafile.I16,
		workload.ElementU32: datafile.U32, workload.ElementS32: datafile.I32, workload.ElementF32: datafile.F32,
		workload.ElementU64: datafile.U64, workload.ElementS64: datafile.I64, workload.ElementF64: datafile.F64,
		workload.ElementF16: datafile.F16, workload.ElementBF16: datafile.BF16, workload.ElementE4M3: datafile.F8,
	}[e]
}
