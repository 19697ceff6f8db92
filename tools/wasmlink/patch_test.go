package wasmlink

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A module that is cut anywhere is refused.
func TestCutModulesAreUnknown(t *testing.T) {
	t.Parallel()
	good := moduleOf(segment{1 << 20, []byte{1, 2, 3}})
	for i := range good {
		if _, err := mergeSegments(good[:i]); !errors.Is(err, ErrUnknown) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
}

// The package of a function is found whatever its name looks like.
func TestPackageOf(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]string{
		"example.org/core/sm.(*SM).cycle":                              "example.org/core/sm",
		"example.org/core/sim.(*Link[go.shape.struct { a/b.C }]).Send": "example.org/core/sim",
		"main.main":                 "main",
		"internal/poll.(*FD).Write": "internal/poll",
		"fmt.(*pp).printArg":        "fmt",
	} {
		if got := packageOf(function); got != want {
			t.Errorf("%s: package %s, want %s", function, got, want)
		}
	}
}

// program is what linkedProgram compiles.
const program = `package main

import "runtime"

var table = [...]uint64{1, 0, 0, 0, 2, 3, 0, 0, 5}

func deep(n int, p *int) int {
	if n == 0 {
		runtime.GC()
		pc, file, line, _ := runtime.Caller(0)
		println(runtime.FuncForPC(pc).Name(), file, line)
		panic("the deepest call")
	}
	x := *p + 1
	return deep(n-1, &x) + x
}

func inlined(n int, p *int) { deep(n, p) }

func recovered() (text string) {
	defer func() { text = recover().(string) }()
	zero := 0
	inlined(5000, &zero)
	return "no panic"
}

func main() {
	sum := uint64(0)
	for _, v := range table {
		sum += v
	}
	println("sum", sum)
	println(recovered())
	panic("the end")
}
`

// linkedProgram is the file of a small program as the linker writes it.
func linkedProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, source)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return file
}

// patchedProgram is the program of linkedProgram after the patch. With a Go that is not known there is nothing to test.
func patchedProgram(t *testing.T, packed bool) (linked, made []byte) {
	t.Helper()
	compiler, err := Installed()
	if err != nil {
		t.Fatal(err)
	}
	if !compiler.Known() {
		t.Skipf("SKIPPED: programs are not patched: %s", compiler.Unknown())
	}
	if linked, err = os.ReadFile(linkedProgram(t)); err != nil {
		t.Fatal(err)
	}
	if made, err = Patch(linked, Options{Packed: packed}); err != nil {
		t.Fatal(err)
	}
	return linked, made
}

// The installed linker writes the known form, the patch makes files smaller, and the patched
// program runs: its data are the same, its stack grows and is collected, and a trace names
// functions without lines.
func TestPatchesWhatTheLinkerWrites(t *testing.T) {
	linked, made := patchedProgram(t, false)
	merged, err := mergeSegments(linked)
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := len(brotliedFast(linked)), len(brotliedFast(merged)), len(brotliedFast(made)); b >= a || c >= b {
		t.Errorf("%d bytes after brotli, %d when merged, %d without lines: a part of the patch has no use any more", a, b, c)
	}
	said := runWasm(t, made)
	if !strings.HasPrefix(said, "sum 11\nmain.deep ? 0\nthe deepest call\npanic: the end") || !strings.Contains(said, "main.main()") || strings.Contains(said, "main.go:") {
		t.Errorf("the patched program says:\n%s", said)
	}

	// Names of functions without code of their own are gone, others stay.
	for name, want := range map[string][2]bool{"main.inlined": {true, false}, "main.recovered": {true, true}} {
		if a, b := bytes.Contains(merged, []byte(name)), bytes.Contains(made, []byte(name)); a != want[0] || b != want[1] {
			t.Errorf("%s: named by the linker %v, by the patch %v", name, a, b)
		}
	}
}

// runWasm is what a program says under node.
func runWasm(t *testing.T, module []byte) string {
	t.Helper()
	compiler, err := Installed()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(file, module, 0o755); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(compiler.Wasm("go_js_wasm_exec"), file).CombinedOutput()
	return string(out)
}

// A table in another form is an error, and nothing else happens. Every word by which the runtime finds
// the table, and which describes it, counts.
func TestOtherTablesAreUnknown(t *testing.T) {
	linked, _ := patchedProgram(t, false)
	merged, err := mergeSegments(linked)
	if err != nil {
		t.Fatal(err)
	}
	drops := []func([]byte) error{dropInlined, dropLines}
	at := bytes.Index(merged, []byte(tableMagic))
	for _, cut := range []int{1, headBytes - 1, headBytes, 100_000} {
		for _, drop := range drops {
			if err := drop(bytes.Clone(merged[:at+cut])); !errors.Is(err, ErrUnknown) {
				t.Errorf("cut after %d bytes of the table: %v", cut, err)
			}
		}
	}
	for _, place := range []int{headFunctions, headUnits, headFiles, headTables, headRecords} {
		strange := bytes.Clone(merged)
		copy(strange[at+place:], "\xff\xff\xff\xff\xff\xff\xff\xff")
		for _, drop := range drops {
			if err := drop(bytes.Clone(strange)); !errors.Is(err, ErrUnknown) {
				t.Errorf("a strange number at %d: %v", place, err)
			}
		}
	}
	for i := range tableMagic { // a later version numbers its table differently
		strange := bytes.Clone(merged)
		strange[at+i] ^= 0x0f
		if _, err := Patch(strange, Options{}); !errors.Is(err, ErrUnknown) {
			t.Errorf("byte %d of the magic number: %v", i, err)
		}
	}
	description := describedAt(t, merged)
	for word := wordNames; word <= wordList+2; word++ {
		strange := bytes.Clone(merged)
		strange[description+8*(word-wordNames)] ^= 0x55
		if err := dropInlined(strange); !errors.Is(err, ErrUnknown) {
			t.Errorf("word %d of the description: %v", word, err)
		}
	}
	// A field that a later version inserts moves what follows.
	for insert := wordList + 3; insert <= wordsToData[0]; insert++ {
		strange := bytes.Clone(merged)
		from := strange[description+8*(insert-wordNames):][:8*40]
		copy(from[8:], bytes.Clone(from))
		if err := dropInlined(strange); !errors.Is(err, ErrUnknown) {
			t.Errorf("a word more in front of word %d: %v", insert, err)
		}
	}
}

// describedAt is where the runtime's description of a program names the table's names.
func describedAt(t *testing.T, merged []byte) int {
	t.Helper()
	table, err := readTable(merged)
	if err != nil {
		t.Fatal(err)
	}
	segments, err := dataOf(merged)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range segments {
		if from := bytes.Index(s.data, []byte(tableMagic)); from >= 0 {
			return bytes.Index(merged, binary.LittleEndian.AppendUint64(nil, uint64(s.address)+uint64(from+table.names)))
		}
	}
	t.Fatal("no segment holds the table")
	return 0
}
