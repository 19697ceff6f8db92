package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/burstscope/burstscope/tools/build/flow"
	"github.com/burstscope/burstscope/tools/build/peephole"
	"github.com/burstscope/burstscope/tools/build/toolchain"
)

// errLinker is the error for a module in an unknown form.
var errLinker = errors.New("unknown output of the linker")

func unknownAt(at int, what string) error {
	return fmt.Errorf("%w: byte %d: %s", errLinker, at, what)
}

// patcher patches the programs of one build. A program in a form that is not known stays as the linker wrote
// it: it is larger and slower, and has the same results.
type patcher struct {
	compiler toolchain.Go
	off      bool         // no program is patched
	left     bool         // a program stays as it was linked, so sizes mean little
	say      func(string) // says in one line what stays
}

func newPatcher(compiler toolchain.Go, on bool, say func(string)) *patcher {
	p := &patcher{compiler: compiler, say: say}
	switch {
	case !on:
		p.off = true
		p.leave("all programs", "-patch=false")
	case !compiler.Known():
		p.off = true
		p.leave("all programs", compiler.Unknown())
	}
	return p
}

func (p *patcher) leave(what, why string) {
	p.left = true
	p.say(fmt.Sprintf("NOT PATCHED: %s: %s; the page becomes up to 1,000 kB larger after brotli, its sizes are reported, not enforced", what, why))
}

// file patches a program in place. all is whether jumps are direct in functions that are called rarely too (slow.go),
// packed whether the program is packed too (pack.go).
func (p *patcher) file(file string, all, packed bool) error {
	if p.off {
		return nil
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	made, err := patched(module, all, packed)
	if err != nil {
		p.leave(filepath.Base(file), fmt.Sprintf("from the linker of %s: %v", p.compiler.Version, err))
		return nil
	}
	return os.WriteFile(file, made, 0o755)
}

// patched is a module made smaller after compression, and faster: its data segments are merged
// (segments.go), what only traces need in the table of functions is cleared (inlined.go, lines.go), jumps go where
// they lead (flow), fewer instructions do what more did (peephole), and it is packed (pack.go).
// A form that the readers do not know is an error, also one that they stumble over.
func patched(module []byte, all, packed bool) (made []byte, err error) {
	defer func() {
		if stumbled := recover(); stumbled != nil {
			made, err = nil, fmt.Errorf("%w: %v", errLinker, stumbled)
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
	if made, err = direct(made, all); err != nil {
		return nil, err
	}
	if made, err = peephole.Shorten(made); err != nil {
		return nil, fmt.Errorf("%w: %w", errLinker, err)
	}
	if packed {
		return packedModule(made)
	}
	return made, nil
}

func direct(module []byte, all bool) ([]byte, error) {
	var left func(int) bool
	if !all {
		list, err := slow(module)
		if err != nil {
			return nil, err
		}
		left = func(function int) bool { return list[function] }
	}
	module, err := flow.Direct(module, left)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLinker, err)
	}
	return module, nil
}
