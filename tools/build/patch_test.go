package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestPatchRefusesWhatItDoesNotKnow(t *testing.T) {
	good := moduleOf(segment{1 << 20, []byte{1, 2, 3}})
	for i := range good {
		if _, err := mergeSegments(good[:i]); !errors.Is(err, errLinker) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	header := string(good[:wasmHeaderBytes])
	for name, module := range map[string]string{
		"passive segment":   header + "\x0b\x05\x01\x01\x02\x03\x04",
		"memory 1":          header + "\x0b\x08\x01\x02\x01\x41\x00\x0b\x01\x07",
		"computed address":  header + "\x0b\x08\x01\x00\x23\x00\x0b\x01\x07\x00",
		"count of segments": header + "\x0c\x01\x01" + string(good[wasmHeaderBytes:]),
		"more data":         header + "\x0b\x08\x01\x00\x41\x00\x0b\x01\x07\x00",
		"other version":     "\x00asm\x02\x00\x00\x00" + string(good[wasmHeaderBytes:]),
		"JavaScript":        "console.log(1)",
		"no functions":      string(good),
	} {
		file := filepath.Join(t.TempDir(), "engine.wasm")
		if err := os.WriteFile(file, []byte(module), 0o644); err != nil {
			t.Fatal(err)
		}
		err := patchFile(file, false)
		if !errors.Is(err, errLinker) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, words := range []string{"engine.wasm", runtime.Version(), ": byte ", "build with " + knownLinker, "-patch=false"} {
			if !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %q is not in one line: %v", name, words, err)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != module {
			t.Errorf("%s: the file was changed: %v", name, err)
		}
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\ngo " + strings.TrimPrefix(knownLinker, "Go "); !strings.Contains(string(mod), want+"\n") && !strings.Contains(string(mod), want+".") {
		t.Errorf("go.mod asks for another version than %s: look whether its linker's output is patched, and change the name", knownLinker)
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

// The installed linker writes the known form, the patch makes files smaller, and the patched
// program runs: its data are the same, its stack grows and is collected, and a trace names
// functions without lines.
func TestPatchesWhatTheLinkerWrites(t *testing.T) {
	file := linkedProgram(t)
	linked, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := mergeSegments(linked)
	if err != nil {
		t.Fatal(err)
	}
	if err := patchFile(file, false); err != nil {
		t.Fatal(err)
	}
	patched, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := len(gzipped(linked)), len(gzipped(merged)), len(gzipped(patched)); b >= a || c >= b {
		t.Errorf("%d bytes after gzip, %d when merged, %d without lines: a part of the patch has no use any more", a, b, c)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"), file).CombinedOutput()
	said := string(out)
	if !strings.HasPrefix(said, "sum 11\nmain.deep ? 0\nthe deepest call\npanic: the end") || !strings.Contains(said, "main.main()") || strings.Contains(said, "main.go:") {
		t.Errorf("the patched program says:\n%s", said)
	}

	// Names of functions without code of their own are gone, others stay.
	for name, want := range map[string][2]bool{"main.inlined": {true, false}, "main.recovered": {true, true}} {
		if a, b := bytes.Contains(merged, []byte(name)), bytes.Contains(patched, []byte(name)); a != want[0] || b != want[1] {
			t.Errorf("%s: named by the linker %v, by the patch %v", name, a, b)
		}
	}

	// A table in another form is an error, and nothing else happens.
	at := bytes.Index(merged, []byte(functionTable))
	for _, cut := range []int{1, headBytes - 1, headBytes, 100_000} {
		for _, drop := range []func([]byte) error{dropInlined, dropLines} {
			if err := drop(bytes.Clone(merged[:at+cut])); !errors.Is(err, errLinker) {
				t.Errorf("cut after %d bytes of the table: %v", cut, err)
			}
		}
	}
	for _, place := range []int{headFunctions, headUnits, headTables, headRecords} {
		strange := bytes.Clone(merged)
		copy(strange[at+place:], "\xff\xff\xff\xff\xff\xff\xff\xff")
		for _, drop := range []func([]byte) error{dropInlined, dropLines} {
			if err := drop(bytes.Clone(strange)); !errors.Is(err, errLinker) {
				t.Errorf("a strange number at %d: %v", place, err)
			}
		}
	}
}
