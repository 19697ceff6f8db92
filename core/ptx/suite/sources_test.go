package suite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/golden"
)

// compiler is the clang that made the committed PTX; another version words the
// same program differently.
const compiler = "clang++-19"

// TestSources keeps the committed PTX equal to what the compiler makes of the
// sources.
func TestSources(t *testing.T) {
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is not here: the committed PTX is taken as it is", compiler)
	}
	if testing.Short() {
		t.Skip("compiling takes seconds: not in short mode")
	}
	sources, err := filepath.Glob("testdata/kernels/*.cu")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, v := range variants {
		for _, source := range sources {
			name := strings.TrimSuffix(filepath.Base(source), ".cu")
			if !v.has(name) {
				continue
			}
			out := filepath.Join(t.TempDir(), "out.ptx")
			args := []string{"-x", "cuda", "--cuda-device-only", fmt.Sprintf("--cuda-gpu-arch=sm_%d", v.arch),
				"-nocudainc", "-nocudalib", "-S", "-std=c++17", "-I../../../assets/kernels", "-Wall", "-Werror", source, "-o", out}
			if msg, err := exec.Command(compiler, append(args, v.flags...)...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", source, err, msg)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "kernels", v.folder, name+".ptx")
			golden.File(t, path, got)
		}
	}
}
