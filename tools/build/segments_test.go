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

// memoryOf copies segments as an engine does when it starts a module.
func memoryOf(t *testing.T, module []byte, size int) (memory []byte, segments int) {
	t.Helper()
	at := bytes.LastIndexByte(module[:wasmHeaderBytes+4], sectionData)
	if at < wasmHeaderBytes {
		t.Fatal("no data section")
	}
	body := module[at+1:]
	for body[0] >= 0x80 { // the section's size
		body = body[1:]
	}
	list, err := readSegments(module, len(module)-len(body)+1)
	if err != nil {
		t.Fatal(err)
	}
	memory = make([]byte, size)
	for _, s := range list {
		copy(memory[s.address:], s.data)
	}
	return memory, len(list)
}

func moduleOf(segments ...segment) []byte {
	body := appendSegments(nil, segments)
	head := append([]byte("\x00asm\x01\x00\x00\x00"), sectionData)
	for n := len(body); ; n >>= 7 {
		if n < 0x80 {
			return append(append(head, byte(n)), body...)
		}
		head = append(head, byte(n)|0x80)
	}
}

func TestMergedSegmentsFillMemoryAlike(t *testing.T) {
	for name, c := range map[string]struct {
		segments []segment
		want     int
	}{
		"near":        {[]segment{{64, []byte{1, 2}}, {84, []byte{3, 4}}, {104, []byte{5}}}, 1},
		"adjacent":    {[]segment{{0, []byte{1}}, {1, []byte{2}}}, 1},
		"far":         {[]segment{{0, []byte{1}}, {2 + mergeGapBytes, []byte{2}}}, 2},
		"widest gap":  {[]segment{{0, []byte{1}}, {1 + mergeGapBytes, []byte{2}}}, 1},
		"overlapping": {[]segment{{8, []byte{1, 2, 3}}, {9, []byte{9}}, {8, []byte{7}}}, 3},
		"descending":  {[]segment{{900, []byte{1}}, {100, []byte{2}}}, 2},
		"long":        {[]segment{{0, bytes.Repeat([]byte{7}, 300)}, {310, []byte{1}}}, 1},
		"none":        {nil, 0},
	} {
		module := moduleOf(c.segments...)
		want, _ := memoryOf(t, module, 1024)
		merged, err := mergeSegments(module)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, n := memoryOf(t, merged, 1024)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: memory differs", name)
		}
		if n != c.want {
			t.Errorf("%s: %d segments, want %d", name, n, c.want)
		}
	}
}

func TestMergeRefusesWhatItDoesNotKnow(t *testing.T) {
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
	} {
		file := filepath.Join(t.TempDir(), "engine.wasm")
		if err := os.WriteFile(file, []byte(module), 0o644); err != nil {
			t.Fatal(err)
		}
		err := mergeSegmentsFile(file)
		if !errors.Is(err, errLinker) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, words := range []string{"engine.wasm", runtime.Version(), ": byte ", "build with " + knownLinker, "-merge=false"} {
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
		t.Errorf("go.mod asks for another version than %s: look whether its linker's output is merged, and change the name", knownLinker)
	}
}

// The installed linker writes the known form, merging makes files smaller, and the merged
// program runs and holds the same data.
func TestMergesWhatTheLinkerWrites(t *testing.T) {
	dir := t.TempDir()
	source, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	const text = "package main\n\nvar table = [...]uint64{1, 0, 0, 0, 2, 3, 0, 0, 5}\n\nfunc main() {\n\tsum := uint64(0)\n\tfor _, v := range table {\n\t\tsum += v\n\t}\n\tprintln(\"sum\", sum)\n}\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "build", "-o", file, source)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := mergeSegmentsFile(file); err != nil {
		t.Fatal(err)
	}
	merged, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(gzipped(before)), len(gzipped(merged)); b >= a {
		t.Errorf("%d bytes after gzip, and %d when merged: merging has no use any more", a, b)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"), file).CombinedOutput()
	if err != nil || string(said) != "sum 11\n" {
		t.Errorf("the merged program: %v %s", err, said)
	}
}

func TestSignedNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1<<31 - 1, -1, -64, -65, -1 << 31} {
		b := appendSigned(nil, v)
		if got, n := signed(b); got != v || n != len(b) {
			t.Errorf("%d: read %d of %d bytes, wrote %d", v, got, n, len(b))
		}
	}
}
