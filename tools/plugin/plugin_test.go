package plugin

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
)

var update = flag.Bool("update", false, "compile the modules of testdata anew")

func load(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// modules are codecs that are built in too.
var modules = []struct {
	file string
	own  codec.Sizer
}{
	{"bdi.wasm", bdi.New(bdi.Params{})}, // C
	{"zvc.wasm", zvc.Codec{}},           // AssemblyScript
}

// TestModulesEqualTheBuiltIn: a codec as a module passes the checks of every codec, and has the sizes of the built-in one.
func TestModulesEqualTheBuiltIn(t *testing.T) {
	for _, m := range modules {
		c, err := plugin.Load(load(t, m.file))
		if err != nil {
			t.Fatal(err)
		}
		codectest.Check(t, c)
		for i, line := range codectest.Corpus(400) {
			if got, want := c.SizeBits(&line), m.own.SizeBits(&line); got != want {
				t.Fatalf("%s: block %d has %d bits, built in %d: % x", m.file, i, got, want, line)
			}
		}
		if err := c.Err(); err != nil {
			t.Errorf("%s: %v", m.file, err)
		}
	}
}

// TestModulesMatchTheirSources keeps the committed modules equal to what the compiler makes of the
// sources (go test ./tools/plugin -update).
func TestModulesMatchTheirSources(t *testing.T) {
	for _, name := range []string{"clang-19", "wasm-ld-19"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: the committed modules are taken as they are", name)
		}
	}
	object, out := filepath.Join(t.TempDir(), "bdi.o"), filepath.Join(t.TempDir(), "bdi.wasm")
	// In two steps, because clang as a linker also runs wasm-opt where that is installed.
	for _, command := range [][]string{
		{"clang-19", "--target=wasm32", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", object, "bdi.c"},
		{"wasm-ld-19", "--no-entry", "-z", "stack-size=8192", "--strip-all", "-o", out, object},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = "c"
		if msg, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
	}
	compare(t, "bdi.wasm", out, "c/bdi.c")
}

// compare compares a committed module with what a compiler made of its source, or replaces it.
func compare(t *testing.T, name, made, source string) {
	t.Helper()
	b, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b, load(t, name)) {
		t.Errorf("testdata/%s is not what %s gives: run go test ./tools/plugin -update", name, source)
	}
}

// asc is the version of AssemblyScript that made the committed modules.
const asc = "Version 0.28.20"

// TestAssemblyScriptMatchesItsSource does the same where that compiler is.
func TestAssemblyScriptMatchesItsSource(t *testing.T) {
	t.Parallel()
	said, err := exec.Command("asc", "--version").Output()
	if err != nil {
		t.Skip("asc is not installed (npm install -g assemblyscript): the committed module is taken as it is")
	}
	if version := strings.TrimSpace(string(said)); version != asc {
		t.Skipf("asc is %s; the committed module is of %s", version, asc)
	}
	out := filepath.Join(t.TempDir(), "zvc.wasm")
	c := exec.Command("asc", "zvc.ts", "-O3", "--runtime", "stub", "--use", "abort=", "--initialMemory", "1", "--maximumMemory", "16", "-o", out)
	c.Dir = "assemblyscript"
	if msg, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	compare(t, "zvc.wasm", out, "assemblyscript/zvc.ts")
}

func BenchmarkSize(b *testing.B) {
	lines := codectest.Corpus(40)
	for _, m := range modules {
		c, err := plugin.Load(load(b, m.file))
		if err != nil {
			b.Fatal(err)
		}
		for name, of := range map[string]codec.Sizer{"plugin": c, "builtin": m.own} {
			b.Run(strings.TrimSuffix(m.file, ".wasm")+"/"+name, func(b *testing.B) {
				b.SetBytes(mem.LineBytes)
				for i := range b.N {
					of.SizeBits(&lines[i%len(lines)])
				}
			})
		}
	}
}

// TestHostileModules: each is refused at once, by name of what it did, and no later block brings it
// back.
func TestHostileModules(t *testing.T) {
	for _, h := range plugintest.List() {
		c, err := plugin.Load(h.Binary)
		if err == nil {
			line := codectest.Corpus(1)[0]
			for i := range line {
				line[i] = byte(i)
			}
			for range 3 {
				if got := c.SizeBits(&line); got != codec.RawBits {
					t.Errorf("%s: %d bits after its fault", h.Name, got)
				}
			}
			err = c.Err()
		}
		if err == nil || !strings.Contains(err.Error(), h.Want) {
			t.Errorf("%s: %v, want %q", h.Name, err, h.Want)
		}
	}
	if _, err := plugin.Load(plugintest.New().Binary()); err != nil {
		t.Errorf("a good module: %v", err)
	}
}

// FuzzLoad: a module that Parse accepts compiles or is refused; neither it nor its first blocks end
// the program.
func FuzzLoad(f *testing.F) {
	f.Add(plugintest.New().Binary())
	for _, h := range plugintest.List() {
		if len(h.Binary) < 4096 {
			f.Add(h.Binary)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := plugin.Load(b)
		if err != nil {
			return
		}
		line := mem.Line{1, 2, 3}
		c.SizeBits(&line)
	})
}
