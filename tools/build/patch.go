package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/burstscope/burstscope/tools/build/flow"
	"github.com/burstscope/burstscope/tools/build/peephole"
)

// knownLinker is the Go version whose linker output this file can read. A test compares it
// with go.mod, and merges the output of this linker.
const knownLinker = "Go 1.26"

// errLinker is the error for a module in an unknown form.
var errLinker = errors.New("unknown output of the linker")

func unknownAt(at int, what string) error {
	return fmt.Errorf("%w: byte %d: %s", errLinker, at, what)
}

// patchFile makes a module in place smaller after compression, and faster: it merges the data segments
// (segments.go), clears what only traces need in the table of functions (inlined.go, lines.go), lets jumps go where
// they lead (flow), and replaces instructions by fewer ones (peephole).
// all is whether they do in functions that are called rarely too (slow.go).
func patchFile(file string, all bool) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	patched, err := mergeSegments(module)
	if err == nil {
		err = dropInlined(patched)
	}
	if err == nil {
		err = dropLines(patched)
	}
	if err == nil {
		patched, err = direct(patched, all)
	}
	if err == nil {
		patched, err = peephole.Shorten(patched)
	}
	if err != nil {
		return fmt.Errorf("%s, from the linker of %s: %w: build with %s, whose output is known, or with -patch=false, which makes the page 1,000 kB larger after brotli",
			filepath.Base(file), runtime.Version(), err, knownLinker)
	}
	return os.WriteFile(file, patched, 0o755)
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
