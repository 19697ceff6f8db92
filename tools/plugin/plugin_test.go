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
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
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

// TestBDIAsAPlugin: BDI as a module passes the checks of every codec, and has the sizes of the
// built-in one.
func TestBDIAsAPlugin(t *testing.T) {
	c, err := Load(load(t, "bdi.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	codectest.Check(t, c)
	own := bdi.New(bdi.Params{})
	for i, line := range codectest.Corpus(400) {
		if got, want := c.SizeBits(&line), own.SizeBits(&line); got != want {
			t.Fatalf("block %d has %d bits, built in %d: % x", i, got, want, line)
		}
	}
	if err := c.Err(); err != nil {
		t.Error(err)
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
	out := filepath.Join(t.TempDir(), "bdi.wasm")
	c := exec.Command("clang-19", "--target=wasm32", "-O2", "-nostdlib", "-Wall", "-Wextra", "-Werror",
		"-Wl,--no-entry", "-Wl,-z,stack-size=8192", "-Wl,--strip-all", "-o", out, "bdi.c")
	c.Dir = "c"
	if msg, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/bdi.wasm", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b, load(t, "bdi.wasm")) {
		t.Error("testdata/bdi.wasm is not what c/bdi.c gives: run go test ./tools/plugin -update")
	}
}

func BenchmarkSize(b *testing.B) {
	c, err := Load(load(b, "bdi.wasm"))
	if err != nil {
		b.Fatal(err)
	}
	lines := codectest.Corpus(40)
	own := bdi.New(bdi.Params{})
	b.Run("plugin", func(b *testing.B) {
		b.SetBytes(128)
		for i := range b.N {
			c.SizeBits(&lines[i%len(lines)])
		}
	})
	b.Run("builtin", func(b *testing.B) {
		b.SetBytes(128)
		for i := range b.N {
			own.SizeBits(&lines[i%len(lines)])
		}
	})
}

// TestHostileModules: each is refused at once, by name of what it did, and no later block brings it
// back.
func TestHostileModules(t *testing.T) {
	for _, h := range plugintest.List() {
		c, err := Load(h.Binary)
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
	if _, err := Load(plugintest.New().Binary()); err != nil {
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
		c, err := Load(b)
		if err != nil {
			return
		}
		line := mem.Line{1, 2, 3}
		c.SizeBits(&line)
	})
}
