// Package standin builds a stand-in for the driver's library, for tests without a GPU.
package standin

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

//go:embed testdata/driver.c
var source []byte

// Library is a stand-in that was built for one test.
type Library struct {
	Path string
	log  string
}

// Build builds a stand-in with a behaviour that testdata/driver.c names ("" for none), and
// with macros. It skips the test where there is no C compiler.
func Build(t testing.TB, behaviour string, macros ...string) *Library {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the stand-in for the driver is built on Linux for amd64 and arm64 only")
	}
	compiler := ""
	for _, name := range []string{"clang-19", "clang", "cc", "gcc"} {
		if path, err := exec.LookPath(name); err == nil {
			compiler = path
			break
		}
	}
	if compiler == "" {
		t.Skip("no C compiler for the stand-in: install clang-19")
	}
	dir := t.TempDir()
	l := &Library{Path: filepath.Join(dir, "libcuda.so.1"), log: filepath.Join(dir, "calls")}
	file := filepath.Join(dir, "driver.c")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-std=c11", "-shared", "-fPIC", "-O0", `-DBEHAVIOUR="` + behaviour + `"`, `-DLOG="` + l.log + `"`, "-o", l.Path, file}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return l
}

// Calls returns the calls so far, each with what the stand-in notes of it. A line that
// begins with "fault" is a call that the driver would not forgive.
func (l *Library) Calls(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(l.log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
