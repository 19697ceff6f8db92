package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// cold are the packages whose functions are called rarely in the page: for
// messages, at the start, once per image or run. Without inlining them the engine is 30
// kB smaller after brotli. The list has no package that the cycles of a run call, nor one that codecs call for each
// word of a block: with encoding/binary in it they took twice as long (go test ./core/codec/codecs -bench SizeBits).
var cold = []string{
	"fmt", "internal/fmtsort", "reflect", "internal/reflectlite", "strconv", "internal/strconv", "encoding/base64",
	"os", "io/fs", "internal/poll", "syscall", "time", "internal/bisect", "internal/godebug",
	"compress/flate", "compress/zlib", "bufio", "hash/crc32", "archive/zip",
	"path", "path/filepath", "internal/filepathlite", "encoding/hex", "strings", "unicode", "syscall/js",
	"github.com/burstscope/burstscope/core/scenario", "github.com/burstscope/burstscope/core/codec/explain", "github.com/burstscope/burstscope/core/codec/datafile",
	"github.com/burstscope/burstscope/core/experiment", "github.com/burstscope/burstscope/core/workload", "github.com/burstscope/burstscope/core/energy",
	"github.com/burstscope/burstscope/core/jsontext", "github.com/burstscope/burstscope/core/probe/perfetto", "github.com/burstscope/burstscope/core/probe/series", "github.com/burstscope/burstscope/core/fault", "github.com/burstscope/burstscope/core/scheme", "github.com/burstscope/burstscope/core/system",
	"github.com/burstscope/burstscope/core/system/buddy", "github.com/burstscope/burstscope/core/system/buddy/profile",
	"github.com/burstscope/burstscope/core/ptx/approximate", "github.com/burstscope/burstscope/core/catalog",
	"github.com/burstscope/burstscope/core/metric", "github.com/burstscope/burstscope/core/arithmetic",
	"github.com/burstscope/burstscope/core/lesson/steps", "github.com/burstscope/burstscope/core/workload/programs", "github.com/burstscope/burstscope/core/workload/argument", "github.com/burstscope/burstscope/core/machine",
	"github.com/burstscope/burstscope/core/machine/parameter", "github.com/burstscope/burstscope/core/machine/preset", "github.com/burstscope/burstscope/core/machine/account", "github.com/burstscope/burstscope/core/ptx/syntax", "github.com/burstscope/burstscope/core/ptx/compile",
	"github.com/burstscope/burstscope/core/codec/survey", "github.com/burstscope/burstscope/core/codec/codecs",
	"github.com/burstscope/burstscope/core/codec/plugin", "github.com/burstscope/burstscope/core/setting",
	"github.com/burstscope/burstscope/core/estimate", "github.com/burstscope/burstscope/core/system/buddy/fit",
	"github.com/burstscope/burstscope/core/system/slc", "github.com/burstscope/burstscope/core/system/e2mc",
	"github.com/burstscope/burstscope/core/system/rfvp/study", "github.com/burstscope/burstscope/wasm/engine/modules",
	"github.com/burstscope/burstscope/wasm/engine/budget", "hash/adler32", "unicode/utf16",
	"bytes", "errors", "io", "sort", "runtime/debug", "internal/sync",
	"github.com/burstscope/burstscope/wasm/engine",
}

// rare reports whether no function of a package is called in the cycles of a run. The runtime's are,
// but seldom: hot loops allocate nothing.
func rare(pkg string) bool {
	return slices.Contains(cold, pkg) || pkg == "runtime" || strings.HasPrefix(pkg, "internal/")
}

// profile is that of the command line tool, which runs the same loops
// (core/BENCHMARKS.md says how it is made). It changes speed, never results.
const profile = "tools/burstscope/default.pgo"

// compileFlags are those with which every WebAssembly program is compiled.
func compileFlags() []string {
	flags := []string{"-trimpath"}
	for _, pkg := range cold {
		flags = append(flags, "-gcflags="+pkg+"=-l")
	}
	return flags
}

// compileWasm compiles wasm/NAME to NAME.wasm. The go command's cache makes a
// build without changes cost about a second. The program is patched
// (tools/wasmlink), and the engine packed.
func compileWasm(root, dist, name string, p *patcher) error {
	file, err := filepath.Abs(filepath.Join(dist, name+".wasm"))
	if err != nil {
		return err
	}
	// Without the commit in it, a program depends on the code alone, and so does its size.
	args, link := append([]string{"build", "-buildvcs=false"}, compileFlags()...), "-s -w"
	if name == "engine" {
		sums, err := kernelSums()
		if err != nil {
			return err
		}
		args = append(args, "-tags=fetched", "-pgo="+profile)
		link += " -X main.sums=" + sums
	}
	cmd := exec.Command("go", append(args, "-ldflags="+link, "-o", file, "./wasm/"+name)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if err := output(cmd); err != nil {
		return err
	}
	return p.file(file, name != "engine", name == "engine")
}

// output runs a command and shows its messages only if it fails.
func output(cmd *exec.Cmd) error {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.Bytes())
	}
	return nil
}

// copyGlue copies the JavaScript that a Go program in a page needs; it belongs to
// the compiler that built the program and to no other.
func (p *patcher) copyGlue(dist string) error {
	data, err := os.ReadFile(p.compiler.Wasm("wasm_exec.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "wasm_exec.js"), data, 0o644)
}
