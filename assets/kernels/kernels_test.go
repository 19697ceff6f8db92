package kernels

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/golden"
)

// compiler is the clang that made the committed PTX; another version words the
// same program differently.
const compiler = "clang++-19"

// compile returns the PTX of one source in this folder. Line directives give the
// CUDA source view; the compilation folder is named "." so that no path of the
// machine gets into the output.
func compile(t *testing.T, source string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.ptx")
	cuda, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	device, version := "sm_70", "ptx64"
	if m := target.FindSubmatch(cuda); m != nil {
		device, version = string(m[1]), string(m[2])
	}
	cmd := exec.Command(compiler, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch="+device, "-nocudainc", "-nocudalib",
		"-O3", "-S", "-std=c++17", "-Xclang", "-target-feature", "-Xclang", "+"+version,
		"-gline-directives-only", "-fdebug-compilation-dir=.", "-Wall", "-Wextra", "-Werror", source, "-o", out)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", source, err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	marked, err := mark(string(cuda), string(comments.ReplaceAll(b, nil)))
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return []byte(marked)
}

// target is what a source asks for whose instructions the usual device does not have.
var target = regexp.MustCompile(`(?m)^TARGET\((\w+), (\w+)\)$`)

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
		golden.File(t, name+".ptx", ptx)
	}
}

func TestKernelsNameNoMachine(t *testing.T) {
	for _, source := range sources(t) {
		name := strings.TrimSuffix(source, ".cu")
		ptx, cuda, err := Text(name)
		if err != nil || ptx == "" || cuda == "" {
			t.Fatalf("%s: source or PTX is not embedded: %v", name, err)
		}
		if !strings.Contains(ptx, ".file\t1 \"./"+source+"\"") {
			t.Errorf("%s.ptx does not name its source as ./%s", name, source)
		}
		for _, line := range strings.Split(ptx, "\n") {
			if strings.Contains(line, ".file") && strings.Contains(line, "\"/") {
				t.Errorf("%s.ptx holds an absolute path: %s", name, line)
			}
		}
	}
}

// TestEveryKernelShips compares what the program carries with the folder.
func TestEveryKernelShips(t *testing.T) {
	var inFolder []string
	for _, source := range sources(t) {
		name := strings.TrimSuffix(source, ".cu")
		inFolder = append(inFolder, name)
		ptx, cuda, err := Text(name)
		if err != nil {
			t.Fatal(err)
		}
		for file, got := range map[string]string{source: cuda, name + ".ptx": ptx} {
			want, err := os.ReadFile(file)
			if err != nil || got != string(want) {
				t.Errorf("%s is not what ships: %v", file, err)
			}
		}
	}
	if names := Names(); !slices.Equal(names, inFolder) {
		t.Errorf("names %v, in the folder %v", names, inFolder)
	}
	if _, _, err := Text("nothing"); err == nil {
		t.Error("a kernel that does not exist was found")
	}
}

// TestFetch: a function that fetches takes the place of the embedded texts, with its errors.
func TestFetch(t *testing.T) {
	defer func() { Fetch = nil }()
	refused := errors.New("no network")
	Fetch = func(name string) (ptx, cuda string, err error) {
		if name == "dct" {
			return "P", "C", nil
		}
		return "", "", refused
	}
	if ptx, cuda, err := Text("dct"); ptx != "P" || cuda != "C" || err != nil {
		t.Errorf("dct: %q, %q, %v", ptx, cuda, err)
	}
	if _, _, err := Text("bfs"); err != refused {
		t.Errorf("bfs: %v", err)
	}
}
