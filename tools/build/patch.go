package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// knownLinker is the Go version whose linker output this file can read. A test compares it
// with go.mod, and merges the output of this linker.
const knownLinker = "Go 1.26"

// errLinker is the error for a module in an unknown form.
var errLinker = errors.New("unknown output of the linker")

func unknownAt(at int, what string) error {
	return fmt.Errorf("%w: byte %d: %s", errLinker, at, what)
}

// patchFile makes a module in place smaller after compression: it merges the data segments
// (segments.go) and clears files and lines in the table of functions (lines.go).
func patchFile(file string) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	patched, err := mergeSegments(module)
	if err == nil {
		err = dropLines(patched)
	}
	if err != nil {
		return fmt.Errorf("%s, from the linker of %s: %w: build with %s, whose output is known, or with -patch=false, which makes the page 550 kB larger after brotli",
			filepath.Base(file), runtime.Version(), err, knownLinker)
	}
	return os.WriteFile(file, patched, 0o755)
}
