package kernels

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the PTX anew from the CUDA sources")

// compiler is the clang that made the committed PTX; another version words the
// same program differently.
const compiler = "clang++-19"

// compile returns the PTX of one source in this folder. Line directives give the
// CUDA source view; the compilation folder is named "." so that no path of the
// machine gets into the output.
func compile(t *testing.T, source string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.ptx")
	cmd := exec.Command(compiler, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
		"-O3", "-S", "-std=c++17", "-Xclang", "-target-feature", "-Xclang", "+ptx64",
		"-gline-directives-only", "-fdebug-compilation-dir=.", "-Wall", "-Wextra", "-Werror", source, "-o", out)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", source, err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	cuda, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	marked, err := mark(string(cuda), string(comments.ReplaceAll(b, nil)))
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return []byte(marked)
}

// comments of the compiler repeat the directives before them. Without them the texts are
// 11 kB smaller after brotli, and lines keep their numbers.
var comments = regexp.MustCompile(`(?m)[ \t]*//.*$`)

func sources(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.cu")
	if err != nil || len(names) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	return names
}

// TestKernelsMatchTheirSources keeps the committed PTX equal to what the compiler
// makes of the sources.
func TestKernelsMatchTheirSources(t *testing.T) {
	if _, err := exec.LookPath(compiler); errors.Is(err, exec.ErrNotFound) {
		t.Skipf("%s is not installed: the committed PTX is taken as it is", compiler)
	}
	for _, source := range sources(t) {
		name := strings.TrimSuffix(source, ".cu")
		ptx := compile(t, source)
		if *update {
			if err := os.WriteFile(name+".ptx", ptx, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(ptx, PTX(name)) {
			t.Errorf("%s.ptx is not what %s makes of %s: run go test ./assets/kernels -run Kernels -update", name, compiler, source)
		}
	}
}

func TestKernelsNameNoMachine(t *testing.T) {
	for _, source := range sources(t) {
		name := strings.TrimSuffix(source, ".cu")
		ptx := PTX(name)
		if len(ptx) == 0 || len(CUDA(name)) == 0 {
			t.Fatalf("%s: source or PTX is not embedded", name)
		}
		if !bytes.Contains(ptx, []byte(".file\t1 \"./"+source+"\"")) {
			t.Errorf("%s.ptx does not name its source as ./%s", name, source)
		}
		for _, line := range strings.Split(string(ptx), "\n") {
			if strings.Contains(line, ".file") && strings.Contains(line, "\"/") {
				t.Errorf("%s.ptx holds an absolute path: %s", name, line)
			}
		}
	}
}

func TestUnknownKernel(t *testing.T) {
	if PTX("nothing") != nil || CUDA("nothing") != nil {
		t.Error("an unknown name must give nil")
	}
}

// TestEveryKernelShips compares what the program carries with the folder.
func TestEveryKernelShips(t *testing.T) {
	for _, source := range sources(t) {
		name := strings.TrimSuffix(source, ".cu")
		for file, got := range map[string][]byte{source: CUDA(name), name + ".ptx": PTX(name)} {
			want, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what ships: %v", file, err)
			}
		}
	}
	if PTX("nothing") != nil || CUDA("nothing") != nil {
		t.Error("a kernel that does not exist was found")
	}
}
