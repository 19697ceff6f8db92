package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink"
)

// known is a toolchain whose form is known.
var known = wasmlink.Go{Version: "go" + wasmlink.Known[0]}

func TestPatchLeavesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	const header = "\x00asm\x01\x00\x00\x00"
	good := header + "\x0b\x0b\x01\x00\x41\x80\x80\xc0\x00\x0b\x03\x01\x02\x03"
	for name, module := range map[string]string{
		"passive segment":   header + "\x0b\x05\x01\x01\x02\x03\x04",
		"memory 1":          header + "\x0b\x08\x01\x02\x01\x41\x00\x0b\x01\x07",
		"computed address":  header + "\x0b\x08\x01\x00\x23\x00\x0b\x01\x07\x00",
		"count of segments": header + "\x0c\x01\x01" + good[len(header):],
		"more data":         header + "\x0b\x08\x01\x00\x41\x00\x0b\x01\x07\x00",
		"other version":     "\x00asm\x02\x00\x00\x00" + good[len(header):],
		"JavaScript":        "console.log(1)",
		"no functions":      good,
	} {
		file := filepath.Join(t.TempDir(), "engine.wasm")
		if err := os.WriteFile(file, []byte(module), 0o644); err != nil {
			t.Fatal(err)
		}
		p, said := quietPatcher(known, true)
		if err := p.file(file, true, true); err != nil || !p.left || len(*said) != 1 {
			t.Errorf("%s: %v, left %v, %q", name, err, p.left, *said)
			continue
		}
		for _, words := range []string{"NOT PATCHED: engine.wasm: from the linker of " + known.Version, ": byte ", "reported, not enforced"} {
			if line := (*said)[0]; !strings.Contains(line, words) || strings.Contains(line, "\n") {
				t.Errorf("%s: %q is not in one line: %s", name, words, line)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != module {
			t.Errorf("%s: the file was changed: %v", name, err)
		}
	}
}

// quietPatcher is a patcher whose lines are kept.
func quietPatcher(compiler wasmlink.Go, on bool) (p *patcher, said *[]string) {
	said = new([]string)
	return newPatcher(compiler, on, func(line string) { *said = append(*said, line) }), said
}

// What a Go that nobody knows yet has linked stays as it is, whatever it looks like, and one line says so for all programs.
func TestUnknownGoIsNotPatched(t *testing.T) {
	t.Parallel()
	for version, on := range map[string]bool{"go1.99": true, "devel go1.28-0123456789": true, known.Version: false} {
		p, said := quietPatcher(wasmlink.Go{Version: version}, on)
		for _, name := range []string{"engine.wasm", "view.wasm"} {
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, []byte("as linked"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := p.file(file, true, name == "engine.wasm"); err != nil {
				t.Error(err)
			}
			if kept, err := os.ReadFile(file); err != nil || string(kept) != "as linked" {
				t.Errorf("%s: the file was changed: %v", version, err)
			}
		}
		why := version
		if !on {
			why = "-patch=false"
		}
		if len(*said) != 1 || !strings.Contains((*said)[0], why) || !p.left {
			t.Errorf("%s: %q", version, *said)
		}
	}
}

// Functions of a run's cycles get direct jumps.
func TestRarelyCalledPackages(t *testing.T) {
	t.Parallel()
	for pkg, want := range map[string]bool{
		"github.com/burstscope/burstscope/core/sm": false, "github.com/burstscope/burstscope/core/sim": false, "main": false,
		"runtime": true, "internal/poll": true, "fmt": true, "github.com/burstscope/burstscope/core/experiment": true,
	} {
		if got := rare(pkg); got != want {
			t.Errorf("%s: rarely called %v", pkg, got)
		}
	}
}
