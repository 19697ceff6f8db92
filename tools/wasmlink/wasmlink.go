// Package wasmlink works on what Go's linker writes for WebAssembly: the same program, smaller after compression and
// faster. Patch is all of it, Shorten the part that makes a program faster. The folders below hold its steps.
package wasmlink

import (
	"errors"
	"fmt"

	"github.com/burstscope/burstscope/tools/wasmlink/flow"
	"github.com/burstscope/burstscope/tools/wasmlink/peephole"
)

// ErrUnknown is the error for a module in an unknown form.
var ErrUnknown = errors.New("unknown output of the linker")

func unknownAt(at int, what string) error {
	return fmt.Errorf("%w: byte %d: %s", ErrUnknown, at, what)
}

// Options say how a program is patched.
type Options struct {
	// Rare reports whether the functions of a package are called rarely: they keep their jumps (slow.go). nil = none is.
	Rare func(pkg string) bool
	// Packed is set if the program is packed too (pack.go).
	Packed bool
}

// Shorten lets jumps go where they lead, and does with fewer instructions what more did.
func Shorten(module []byte) ([]byte, error) {
	module, err := flow.Direct(module, nil)
	if err != nil {
		return nil, err
	}
	return peephole.Shorten(module)
}

// Patch returns a module made smaller after compression, and faster: its data segments are merged
// (segments.go), what only traces need in the table of functions is cleared (inlined.go, lines.go), jumps go where
// they lead (flow), fewer instructions do what more did (peephole), and it is packed (pack.go).
// A form that the readers do not know is an error, also one that they stumble over.
func Patch(module []byte, o Options) (made []byte, err error) {
	defer func() {
		if stumbled := recover(); stumbled != nil {
			made, err = nil, fmt.Errorf("%w: %v", ErrUnknown, stumbled)
		}
	}()
	if made, err = mergeSegments(module); err != nil {
		return nil, err
	}
	if err := dropInlined(made); err != nil {
		return nil, err
	}
	if err := dropLines(made); err != nil {
		return nil, err
	}
	if made, err = direct(made, o.Rare); err != nil {
		return nil, err
	}
	if made, err = peephole.Shorten(made); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	if o.Packed {
		return packedModule(made)
	}
	return made, nil
}

func direct(module []byte, rare func(pkg string) bool) ([]byte, error) {
	var left func(int) bool
	if rare != nil {
		list, err := slow(module, rare)
		if err != nil {
			return nil, err
		}
		left = func(function int) bool { return list[function] }
	}
	module, err := flow.Direct(module, left)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return module, nil
}
