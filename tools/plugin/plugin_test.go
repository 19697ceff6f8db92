package plugin

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/tools/golden"
)

func load(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

type module struct {
	file string
	own  codec.Sizer
}

// modules are codecs that are built in too.
var modules = []module{
	{"bdi.wasm", bdi.New(bdi.Params{})}, // C
	{"zvc.wasm", zvc.Codec{}},           // AssemblyScript
	{"fpc.wasm", fpc.Codec{}},           // Go
}

// started returns a module of testdata; if it makes a code table, it has counted the blocks.
func started(t testing.TB, name string, blocks []mem.Line) *plugin.Codec {
	t.Helper()
	c, err := plugin.Load(load(t, name))
	if err == nil && c.Trains() {
		err = c.Train(blocks)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestModulesEqualTheBuiltIn: a codec as a module passes the checks of every codec, and has the sizes of the built-in one.
func TestModulesEqualTheBuiltIn(t *testing.T) {
	for _, m := range modules {
		m.check(t, started(t, m.file, nil))
	}
}

func (m module) check(t *testing.T, c *plugin.Codec) {
	t.Helper()
	codectest.Check(t, c)
	lines := codectest.Corpus(400)
	bits := make([]int, len(lines))
	c.SizesBits(lines, bits)
	for i, line := range lines {
		if got, want := c.SizeBits(&line), m.own.SizeBits(&line); got != want || bits[i] != want {
			t.Fatalf("%s: block %d has %d bits, %d among many, built in %d: % x", m.file, i, got, bits[i], want, line)
		}
	}
	if err := c.Err(); err != nil {
		t.Errorf("%s: %v", m.file, err)
	}
}

// TestTrainedModule: a module with a code table passes the checks of every codec, and its codes are at most a bit a byte longer
// than the entropy of what it has counted, as Huffman's are.
func TestTrainedModule(t *testing.T) {
	lines := codectest.Corpus(100)
	c := started(t, "huffman.wasm", lines)
	codectest.Check(t, c)
	var counts [256]float64
	for i := range lines {
		for _, b := range lines[i] {
			counts[b]++
		}
	}
	all, bits, entropy := float64(len(lines)*mem.LineBytes), 0, 0.0
	for i := range lines {
		bits += c.SizeBits(&lines[i]) // raw blocks count as 8 bits a byte
	}
	for _, n := range counts {
		if n > 0 {
			entropy += n / all * math.Log2(all/n)
		}
	}
	mean := float64(bits) / all
	t.Logf("%.3f bits a byte, entropy %.3f", mean, entropy)
	if mean > entropy+1 || mean > 7.5 {
		t.Errorf("%.3f bits a byte; the entropy is %.3f", mean, entropy)
	}
	// Its units are E2MC's: a block keeps one busy for the latency of its table.
	if own, want := c.Info().Timing, e2mc.Timing(8, 1); own.Compressors != want.Compressors || own.Decompressors.Count != want.Decompressors.Count || own.CompressCycles != want.CompressCycles || own.DecompressCycles != want.DecompressCycles {
		t.Errorf("%+v; those of E2MC are %+v", own, want)
	}
	other := started(t, "huffman.wasm", lines[:1])
	if a, b := c.SizeBits(&lines[0]), other.SizeBits(&lines[0]); a <= b {
		t.Errorf("%d bits of a block with the codes of many, %d with its own", a, b)
	}
}

// TestLossyModule: under the scheme of a lossy module memory holds what decode gives, if the block may be
// approximated and that saves a burst. Any other block keeps its bytes.
func TestLossyModule(t *testing.T) {
	c := started(t, "half.wasm", nil)
	s, err := plugin.NewScheme(c, 32)
	if err != nil {
		t.Fatal(err)
	}
	modes := map[probe.Mode]int{}
	lines := codectest.Corpus(100)
	for i := range lines {
		if i%5 == 0 { // with an exact code
			for k := 0; k < mem.LineBytes; k += 4 {
				lines[i][k], lines[i][k+1] = 0, 0
			}
		}
	}
	for _, line := range lines {
		exact := true
		var rounded mem.Line
		for k := 0; k < mem.LineBytes; k += 4 {
			w := binary.LittleEndian.Uint32(line[k:])
			exact = exact && w<<16 == 0
			up := w + 0x8000
			if (up^w)&0x7f800000 != 0 {
				up = w
			}
			binary.LittleEndian.PutUint32(rounded[k:], up&0xffff0000)
		}
		for _, safe := range []bool{false, true} {
			want, mode := line, probe.ModeRaw
			switch {
			case exact:
				mode = probe.ModeLossless
			case safe:
				want, mode = rounded, probe.ModeLossy
			}
			got := line
			st := s.Store(&got, codec.Region{Safe: safe})
			if st.Mode != mode || got != want || mode != probe.ModeRaw && (st.Bits != 512 || st.Bursts != 2) {
				t.Fatalf("safe %v, exact %v: %+v\n% x\n% x, want\n% x", safe, exact, st, line, got, want)
			}
			var code codec.Block
			var back mem.Line
			if again := s.Encode(&code, &line, codec.Region{Safe: safe}); again != st {
				t.Fatalf("stored as %+v, encoded as %+v", st, again)
			}
			if st.Mode != probe.ModeRaw {
				if err := s.Decode(&back, &code, int(st.Bits)); err != nil || back != want {
					t.Fatalf("the code does not decode: %v", err)
				}
			}
			modes[st.Mode]++
		}
	}
	if len(modes) != 3 || c.Err() != nil {
		t.Errorf("%v blocks of each mode, %v", modes, c.Err())
	}
}

// TestModulesMatchTheirSources keeps the committed modules equal to what the compiler makes of the
// sources (./build.sh update).
func TestModulesMatchTheirSources(t *testing.T) {
	for _, name := range []string{"clang-19", "wasm-ld-19"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: the committed modules are taken as they are", name)
		}
	}
	for _, name := range []string{"bdi", "huffman", "half"} {
		object, out := filepath.Join(t.TempDir(), name+".o"), filepath.Join(t.TempDir(), name+".wasm")
		// In two steps, because clang as a linker also runs wasm-opt where that is installed.
		for _, command := range [][]string{
			{"clang-19", "--target=wasm32", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", object, name + ".c"},
			{"wasm-ld-19", "--no-entry", "-z", "stack-size=8192", "--strip-all", "-o", out, object},
		} {
			c := exec.Command(command[0], command[1:]...)
			c.Dir = "c"
			if msg, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, msg)
			}
		}
		compare(t, name+".wasm", out)
	}
}

// compare compares a committed module with what a compiler made of its source, or replaces it.
func compare(t *testing.T, name, made string) {
	t.Helper()
	b, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join("testdata", name), b)
}

// asc is the version of AssemblyScript that made the committed modules.
const asc = "Version 0.28.20"

// TestAssemblyScriptMatchesItsSource does the same where that compiler is.
func TestAssemblyScriptMatchesItsSource(t *testing.T) {
	t.Parallel()
	compiler, err := filepath.Abs("../../site/e2e/node_modules/.bin/asc") // where build.sh installs it
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(compiler); err != nil {
		compiler = "asc"
	}
	said, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		t.Skip("asc is not installed (npm ci --prefix site/e2e --ignore-scripts): the committed module is taken as it is")
	}
	if version := strings.TrimSpace(string(said)); version != asc {
		t.Skipf("asc is %s; the committed module is of %s", version, asc)
	}
	out := filepath.Join(t.TempDir(), "zvc.wasm")
	c := exec.Command(compiler, "zvc.ts", "-O3", "--runtime", "stub", "--use", "abort=", "--initialMemory", "1", "--maximumMemory", "16", "-o", out)
	c.Dir = "assemblyscript"
	if msg, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	compare(t, "zvc.wasm", out)
}

// TestCountedCode: functions with loops do what they did before their work was counted: they return from inside a loop, leave it by a
// branch to the function's end, and call others, whose work counts too.
func TestCountedCode(t *testing.T) {
	join := func(parts ...[]byte) (b []byte) {
		for _, p := range parts {
			b = append(b, p...)
		}
		return b
	}
	n := plugintest.Const
	for name, size := range map[string][]byte{
		"return":       join([]byte{0x03, 0x40}, n(1024), []byte{0x0f, 0x0b, 0x00}),
		"branch":       join([]byte{0x03, 0x40}, n(1024), []byte{0x0c, 1, 0x0b, 0x00}),
		"branch table": join([]byte{0x03, 0x40}, n(1024), n(7), []byte{0x0e, 1, 1, 1, 0x0b, 0x00}),
		"call":         join([]byte{0x03, 0x7f, 0x10, 4, 0x0b}), // of encode
		"nested":       join([]byte{0x03, 0x40, 0x02, 0x40}, n(1), []byte{0x04, 0x40}, n(1024), []byte{0x0f, 0x0b, 0x0b, 0x0b, 0x00}),
	} {
		m := plugintest.New()
		m.Code["size"] = size
		c, err := plugin.Load(m.Binary())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var line mem.Line
		if bits := c.SizeBits(&line); bits != 1024 || c.Err() != nil {
			t.Errorf("%s: %d bits, %v", name, bits, c.Err())
		}
	}
}

// BenchmarkCall is what a policy as a module would cost beside its own work: a call with a number, and one with
// 64 bytes that describe an access or a miss.
func BenchmarkCall(b *testing.B) {
	m, err := plugin.Parse(plugintest.New().Binary())
	if err != nil {
		b.Fatal(err)
	}
	i, err := plugin.Host(m)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("number", func(b *testing.B) {
		for range b.N {
			i.Call(plugin.Decode, 1)
		}
	})
	var about [64]byte
	b.Run("64 bytes", func(b *testing.B) {
		for range b.N {
			i.CallOn(plugin.Decode, 1, 0, about[:])
		}
	})
}

// TestGoTemplate compiles the template in Go where its compiler is: the module is the codec of the committed one. Its bytes
// depend on the versions of three programs.
func TestGoTemplate(t *testing.T) {
	for _, name := range []string{"tinygo", "wasm-metadce"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: the committed module is taken as it is", name)
		}
	}
	whole, out := filepath.Join(t.TempDir(), "whole.wasm"), filepath.Join(t.TempDir(), "fpc.wasm")
	for _, command := range [][]string{
		{"tinygo", "build", "-target", "wasm-unknown", "-gc", "none", "-scheduler", "none", "-panic", "trap", "-no-debug", "-opt", "2", "-o", whole, "."},
		{"wasm-metadce", "-f", "exports.json", "-O2", whole, "-o", out},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = "go"
		if msg, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	c, err := plugin.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	module{"a new fpc.wasm", fpc.Codec{}}.check(t, c)
	if golden.Updating() {
		golden.File(t, "testdata/fpc.wasm", b)
	}
}

// BenchmarkSize compares modules with built-in codecs of the same kind: one call for each block, as in a run, and one
// for many, as in a survey.
func BenchmarkSize(b *testing.B) {
	lines := codectest.Corpus(40)
	bits := make([]int, len(lines))
	huffman, err := codecs.ByName("e2mc8", lines)
	if err != nil {
		b.Fatal(err)
	}
	all := append(slices.Clone(modules), module{"huffman.wasm", huffman})
	for _, m := range all {
		name := strings.TrimSuffix(m.file, ".wasm")
		c := started(b, m.file, lines)
		for i := range 2 { // beyond the blocks that are all checked
			c.SizesBits(lines[:len(lines)-i], bits)
		}
		each := func(s codec.Sizer) func(b *testing.B) {
			return func(b *testing.B) {
				b.SetBytes(mem.LineBytes)
				for i := range b.N {
					s.SizeBits(&lines[i%len(lines)])
				}
			}
		}
		b.Run(name+"/builtin", each(m.own))
		b.Run(name+"/plugin", each(c))
		b.Run(name+"/plugin-many", func(b *testing.B) {
			b.SetBytes(mem.LineBytes)
			for i := 0; i < b.N; i += len(lines) {
				c.SizesBits(lines, bits)
			}
		})
		if err := c.Err(); err != nil {
			b.Error(err)
		}
	}
}

// TestHostileModules: each is refused at once, by name of what it did, and no later block brings it
// back.
func TestHostileModules(t *testing.T) {
	slowest, slow := time.Duration(0), ""
	for _, h := range plugintest.List() {
		begin := time.Now()
		c, err := plugin.Load(h.Binary)
		if err == nil && c.Trains() {
			err = c.Train(codectest.Corpus(1))
		}
		if err == nil {
			line := codectest.Corpus(1)[0]
			for i := range line {
				line[i] = byte(i)
			}
			if c.Lossy() {
				c.ExactBits(&line)
				c.Approximate(&line, &mem.Line{})
			}
			for range 3 {
				if got := c.SizeBits(&line); got != codec.RawBits {
					t.Errorf("%s: %d bits after its fault", h.Name, got)
				}
			}
			var bits [1]int
			for range 2 {
				if c.SizesBits([]mem.Line{line}, bits[:]); bits[0] != codec.RawBits {
					t.Errorf("%s: %d bits among many", h.Name, bits[0])
				}
			}
			err = c.Err()
		}
		if err == nil || !strings.Contains(err.Error(), h.Want) {
			t.Errorf("%s: %v, want %q", h.Name, err, h.Want)
		}
		if took := time.Since(begin); took > slowest {
			slowest, slow = took, h.Name
		}
	}
	t.Logf("the slowest took %v: %s", slowest, slow)
	if slowest > 5*time.Second { // of work for a second, beside other tests
		t.Errorf("%s was refused after %v", slow, slowest)
	}
	if _, err := plugin.Load(plugintest.New().Binary()); err != nil {
		t.Errorf("a good module: %v", err)
	}
}

// FuzzLoad: a module that Parse accepts compiles or is refused; neither it nor its first blocks end
// the program. One that passes all checks says the same of a block whatever came before.
func FuzzLoad(f *testing.F) {
	f.Add(plugintest.New().Binary())
	f.Add(plugintest.Growing())
	f.Add(plugintest.Counting(1))
	f.Add(plugintest.Recursion(3, 3))
	for _, name := range []string{"bdi.wasm", "huffman.wasm", "half.wasm"} {
		f.Add(load(f, name))
	}
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
		if c.Trains() && c.Train([]mem.Line{line}) != nil {
			return
		}
		c.CheckAll()
		var bits [4]int
		if _, err := c.Check([]mem.Line{line, {}, {9, 8, 7}, line}, bits[:]); err != nil {
			return
		}
		if again := c.SizeBits(&mem.Line{}); c.Err() == nil && (bits[0] != bits[3] || again != bits[1]) {
			t.Errorf("sizes %v, then %d", bits, again)
		}
	})
}
