//go:build js

package main

import (
	"errors"
	"syscall/js"

	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// compileText answers with the kernels of a program, their parameters and to which of these they may store, or with
// every fault of its text.
func compileText(msg js.Value) {
	kernels := []any{}
	m, err := compile.Load(text(msg, "file"), []byte(text(msg, "source")))
	if err == nil {
		for _, name := range m.Entries() {
			k, wrong := compile.Kernel(m, name, func(string) uint64 { return 0 })
			if wrong != nil {
				err = wrong
				continue
			}
			var stores []any
			for _, a := range approximate.AccessesOf(k) {
				stores = append(stores, a.Stores)
			}
			kernels = append(kernels, object{"name": name, "params": toJS(k.Params), "stores": stores})
		}
	}
	reply := object{"type": "compiled", "id": msg.Get("id"), "kernels": kernels, "marks": marksOf(err), "what": "",
		"help": compile.Help}
	if err != nil {
		reply["what"], _, _ = wordsOf(err)
	}
	post(reply)
}

// marksOf lists the places of an error in the text of a program.
func marksOf(err error) []any {
	mark := func(line, column int, message string) object {
		return object{"line": line, "column": column, "message": message}
	}
	marks := []any{}
	var illegal syntax.Errors
	var fault *execute.Fault
	switch {
	case errors.As(err, &illegal):
		for _, f := range illegal {
			marks = append(marks, mark(f.Line, f.Column, f.Message))
		}
	case errors.As(err, &fault):
		marks = append(marks, mark(fault.Line, fault.Column, fault.Message))
	}
	return marks
}
