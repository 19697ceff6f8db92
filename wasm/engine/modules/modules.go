//go:build js

// Package modules runs codecs that are WebAssembly modules in the browser's own WebAssembly.
package modules

import (
	"errors"
	"runtime"
	"strings"
	"unsafe"

	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/fault"
)

// The worker has the other half of these calls (site/src/engine/modules.ts). They are imports of the program rather than calls through syscall/js,
// which take some ten times as long: a run sizes millions of blocks.

//go:wasmimport burstscope.modules start
func moduleStart(code unsafe.Pointer, bytes int32, names unsafe.Pointer, namesBytes int32) int32

//go:wasmimport burstscope.modules call
func moduleCall(id, function int32, argument uint32) float64

//go:wasmimport burstscope.modules callOn
func moduleCallOn(id, function int32, argument, at uint32, from unsafe.Pointer, bytes int32) float64

//go:wasmimport burstscope.modules read
func moduleRead(id int32, at uint32, to unsafe.Pointer, bytes int32) int32

//go:wasmimport burstscope.modules write
func moduleWrite(id int32, at uint32, from unsafe.Pointer, bytes int32) int32

//go:wasmimport burstscope.modules save
func moduleSave(id int32)

//go:wasmimport burstscope.modules restore
func moduleRestore(id int32)

//go:wasmimport burstscope.modules fault
func moduleFault(to unsafe.Pointer, most int32) int32

//go:wasmimport burstscope.modules end
func moduleEnd(id int32)

// start answers with the number of an instance, call with a result. These negative answers say instead
// that there is none.
const (
	moduleNoRoom   = -3 // of start
	moduleNotValid = -2
	moduleNoEnd    = -1
	moduleTrapped  = -2
	// Those below are the marks of plugin.Stopped.
)

// moduleInstance is a running module: a number by which the worker knows it.
type moduleInstance struct{ id int32 }

var functionNames = func() []byte {
	var names []string
	for f := range plugin.NumCalls {
		names = append(names, f.String())
	}
	return []byte(strings.Join(append(names, plugin.FuelExport), " "))
}()

// startsAtOnce is after how many starts the instances that nobody uses any more are given back [ours]. A browser reserves 8 GB of
// addresses for the memory of each, and has no room for a thousand; but they are little to Go, whose collector may not run for long.
const startsAtOnce = 32

var starts int

// Start starts a module in an instance of its own. That there is no room for one is a fault of memory, and not of the
// module.
func Start(m *plugin.Module) (plugin.Instance, error) {
	starts++
	id := int32(moduleNoRoom)
	for try := range 2 {
		if try > 0 || starts%startsAtOnce == 0 {
			runtime.GC()
			runtime.Gosched() // the cleanups run
		}
		id = moduleStart(unsafe.Pointer(&m.Binary[0]), int32(len(m.Binary)), unsafe.Pointer(&functionNames[0]), int32(len(functionNames)))
		if id != moduleNoRoom {
			break
		}
	}
	switch {
	case id == moduleNoRoom:
		return nil, fault.At("memory", "the browser has no room for one more module", "close other tabs, then run again")
	case id == moduleNotValid:
		return nil, errors.New("it is not valid WebAssembly: " + faultOfModule())
	case id < 0:
		return nil, errors.New("it does not start: " + faultOfModule())
	}
	i := &moduleInstance{id}
	runtime.AddCleanup(i, moduleEnd, id)
	return i, nil
}

func (i *moduleInstance) Call(f plugin.Function, argument uint32) (uint32, error) {
	return answered(f, moduleCall(i.id, int32(f), argument))
}

func (i *moduleInstance) CallOn(f plugin.Function, argument, at uint32, from []byte) (uint32, error) {
	return answered(f, moduleCallOn(i.id, int32(f), argument, at, unsafe.Pointer(&from[0]), int32(len(from))))
}

func answered(f plugin.Function, result float64) (uint32, error) {
	switch {
	case result >= 0:
		return uint32(result), nil
	case result == moduleNoEnd:
		return 0, plugin.Stopped(f, -1)
	case result < moduleTrapped:
		return 0, plugin.Stopped(f, plugin.Mark(int(moduleTrapped-1-result)))
	}
	return 0, errors.New("it trapped: " + faultOfModule())
}

func (i *moduleInstance) Read(at uint32, to []byte) bool {
	return moduleRead(i.id, at, unsafe.Pointer(&to[0]), int32(len(to))) != 0
}

func (i *moduleInstance) Write(at uint32, from []byte) bool {
	return moduleWrite(i.id, at, unsafe.Pointer(&from[0]), int32(len(from))) != 0
}

// Save keeps the memory, which cannot grow after it.
func (i *moduleInstance) Save() error {
	_, err := i.Call(plugin.Save, 0)
	moduleSave(i.id)
	return err
}

func (i *moduleInstance) Restore() error {
	_, err := i.Call(plugin.Restore, 0)
	moduleRestore(i.id)
	return err
}

// faultOfModule is what the browser said of the last fault, at most so many bytes.
func faultOfModule() string {
	var text [200]byte
	return fault.Visible(string(text[:moduleFault(unsafe.Pointer(&text[0]), int32(len(text)))]))
}
