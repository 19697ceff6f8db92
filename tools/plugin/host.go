// Package plugin runs codecs that come as WebAssembly modules, with wazero. A program that imports it
// can load them.
package plugin

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/burstscope/burstscope/core/codec/plugin"
)

func init() { plugin.Host = start }

// compilations keeps what wazero makes of modules, because every point of a sweep starts its own.
var compilations = wazero.NewCompilationCache()

// start starts a module in a runtime of its own, which the garbage collector ends with it.
func start(m *plugin.Module) (plugin.Instance, error) {
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(plugin.MaxPages).WithCompilationCache(compilations))
	compiled, err := runtime.CompileModule(ctx, m.Binary)
	if err != nil {
		return nil, fmt.Errorf("it is not valid WebAssembly: %s", firstLine(err))
	}
	// The empty list of start functions leaves _initialize to plugin.New.
	started, err := runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("it does not start: %s", firstLine(err))
	}
	i := &instance{ctx: ctx, memory: started.Memory(), fuel: started.ExportedGlobal(plugin.FuelExport)}
	for f := range plugin.NumCalls {
		i.functions[f] = started.ExportedFunction(f.String())
	}
	return i, nil
}

type instance struct {
	ctx       context.Context
	memory    api.Memory
	fuel      api.Global
	functions [plugin.NumCalls]api.Function
	stack     [1]uint64
	saved     []byte
}

func (i *instance) Call(f plugin.Function, argument uint32) (uint32, error) {
	i.stack[0] = uint64(argument)
	if err := i.functions[f].CallWithStack(i.ctx, i.stack[:]); err != nil {
		if err := plugin.Stopped(f, int64(i.fuel.Get())); err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("it trapped: %s", firstLine(err))
	}
	return uint32(i.stack[0]), nil
}

func (i *instance) CallOn(f plugin.Function, argument, at uint32, from []byte) (uint32, error) {
	i.memory.Write(at, from)
	return i.Call(f, argument)
}

func (i *instance) Read(at uint32, to []byte) bool {
	b, ok := i.memory.Read(at, uint32(len(to)))
	copy(to, b)
	return ok
}

func (i *instance) Write(at uint32, from []byte) bool { return i.memory.Write(at, from) }

// Save keeps the memory, which cannot grow after it.
func (i *instance) Save() error {
	_, err := i.Call(plugin.Save, 0)
	all, _ := i.memory.Read(0, i.memory.Size())
	i.saved = bytes.Clone(all)
	return err
}

func (i *instance) Restore() error {
	_, err := i.Call(plugin.Restore, 0)
	i.memory.Write(0, i.saved)
	return err
}

// firstLine leaves out the trace of an error.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimPrefix(text, "wasm error: ")
}
