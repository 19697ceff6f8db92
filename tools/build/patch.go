package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/burstscope/burstscope/tools/wasmlink"
)

// installed is the toolchain that compiles the programs.
func installed() (wasmlink.Go, error) { return wasmlink.Installed() }

// patcher patches the programs of one build. A program in a form that is not known stays as the linker wrote
// it: it is larger and slower, and has the same results.
type patcher struct {
	compiler wasmlink.Go
	off      bool         // no program is patched
	left     bool         // a program stays as it was linked, so sizes mean little
	say      func(string) // says in one line what stays
}

func newPatcher(compiler wasmlink.Go, on bool, say func(string)) *patcher {
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
	p.say(fmt.Sprintf("NOT PATCHED: %s: %s; the page becomes up to 1,600 kB larger after brotli, its sizes are reported, not enforced", what, why))
}

// file patches a program in place. all is whether jumps are direct in functions that are called rarely too, packed
// whether the program is packed too.
func (p *patcher) file(file string, all, packed bool) error {
	if p.off {
		return nil
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	o := wasmlink.Options{Rare: rare, Packed: packed}
	if all {
		o.Rare = nil
	}
	made, err := wasmlink.Patch(module, o)
	if err != nil {
		p.leave(filepath.Base(file), fmt.Sprintf("from the linker of %s: %v", p.compiler.Version, err))
		return nil
	}
	return os.WriteFile(file, made, 0o755)
}
