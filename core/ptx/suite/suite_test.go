// Package suite runs programs as people write them: CUDA C++ in kernels/*.cu,
// compiled by clang for several targets and levels of optimisation, whose outputs
// are compared with the same computation in Go. Each runs without timing
// (execute.RunFunctional) and on a whole machine, where loaded values arrive late.
//
// A program is an entry of a table in one of programs_*_test.go: it fills
// buffers, launches kernels and says what the buffers hold afterwards. To
// compile anew: ./build.sh update.
package suite

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// variant is a way to compile all sources; its PTX lies in a folder of its name. testdata/README.md says which faults
// each finds that the others do not.
type variant struct {
	folder string
	arch   int
	flags  []string
	// contracts is true if the compiler makes fma of products and sums: floats
	// then differ from the host's in the last places.
	contracts bool
	// timed is true if it runs on the machine too.
	timed bool
	// flushes is true if subnormal f32 count as zero; files are then only those
	// with floats in them.
	flushes bool
	files   []string // nil: all
}

var variants = []variant{
	{folder: "sm70_O3", arch: 70, contracts: true, timed: true,
		flags: []string{"-O3", "-Xclang", "-target-feature", "-Xclang", "+ptx64"}},
	{folder: "sm50_O0", arch: 50, timed: true,
		flags: []string{"-O0", "-ffp-contract=off", "-Xclang", "-target-feature", "-Xclang", "+ptx64"}},
	{folder: "sm70_O2_ftz", arch: 70, flushes: true, files: []string{"reduce", "linear", "numeric", "half"},
		flags: []string{"-O2", "-ffp-contract=off", "-fgpu-flush-denormals-to-zero", "-Xclang", "-target-feature", "-Xclang", "+ptx64"}},
	{folder: "sm90_O3", arch: 90, timed: true,
		flags: []string{"-O3", "-ffp-contract=off", "-Xclang", "-target-feature", "-Xclang", "+ptx80"}},
}

// firstTargets are the first targets that have the instructions of a file.
var firstTargets = map[string]int{"tensor": 80}

func (v variant) has(file string) bool {
	return v.arch >= firstTargets[file] && (v.files == nil || slices.Contains(v.files, file))
}

// program is one entry of the tables.
type program struct {
	file, name string
	arch       int // the first target that has its instructions; 0: all
	build      func(p *plan)
}

func programs() []program {
	var all []program
	for _, list := range [][]program{reductions, scans, sorts, graphs, bytePrograms, linear, numeric, language, halves, tensors} {
		all = append(all, list...)
	}
	return all
}

// allPrograms are those of programs, and those with textures, of which there is no recording of a
// GPU.
func allPrograms() []program { return slices.Concat(programs(), texturePrograms) }

// buffer is an allocation with what the host puts there.
type buffer struct {
	data []byte
	at   uint64
}

// texture is a texture over a buffer.
type texture struct {
	ptx.Texture
	buffer *buffer
}

type launch struct {
	kernel      string
	grid, block [3]uint32
	shared      int
	args        []any // *buffer, or a number, or bytes of a structure
}

// plan is what a program does: buffers, launches, and checks of the outcome.
type plan struct {
	*rand.Rand
	exact    bool // no contraction: floats as on the host
	flushes  bool // subnormal f32 are zeros
	buffers  []*buffer
	launches []launch
	textures []texture
	checks   []func(read func(*buffer) []byte) error
}

// plan builds what a program does in this variant.
func (v variant) plan(c program) *plan {
	p := &plan{Rand: rand.New(rand.NewSource(3)), exact: !v.contracts, flushes: v.flushes}
	c.build(p)
	return p
}

func x(n uint32) [3]uint32     { return [3]uint32{n, 1, 1} }
func xy(a, b uint32) [3]uint32 { return [3]uint32{a, b, 1} }

func encode(v any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}

// put allocates a buffer and copies a slice of numbers to it.
func (p *plan) put(values any) *buffer {
	b := &buffer{data: encode(values)}
	p.buffers = append(p.buffers, b)
	return b
}

// zeros allocates a buffer of zeros.
func (p *plan) zeros(bytes int) *buffer { return p.put(make([]byte, bytes)) }

func (p *plan) run(kernel string, grid, block [3]uint32, args ...any) {
	p.launches = append(p.launches, launch{kernel: kernel, grid: grid, block: block, args: args})
}

// runShared is run with dynamic shared memory.
func (p *plan) runShared(kernel string, grid, block [3]uint32, shared int, args ...any) {
	p.run(kernel, grid, block, args...)
	p.launches[len(p.launches)-1].shared = shared
}

// want checks that a buffer begins with the values: whole numbers always, floats
// bit by bit unless the compiler contracts.
func (p *plan) want(b *buffer, values any) {
	tolerance := 0.0
	if !p.exact {
		tolerance = 2e-5
		if _, ok := values.([]float64); ok {
			tolerance = 1e-11
		}
	}
	p.wantNear(b, values, tolerance)
}

// wantNear is want with a tolerance, of the value or of 1 where that is larger.
func (p *plan) wantNear(b *buffer, values any, tolerance float64) {
	want := encode(values)
	var float func(b []byte) float64
	size := 1
	switch values.(type) {
	case []float32:
		float, size = func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }, 4
	case []float64:
		float, size = func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }, 8
	case []int32, []uint32:
		size = 4
	case []uint64, []int64:
		size = 8
	case []uint16:
		size = 2
	}
	p.checks = append(p.checks, func(read func(*buffer) []byte) error {
		got := read(b)
		for i := 0; i < len(want); i += size {
			g, w := got[i:i+size], want[i:i+size]
			if string(g) == string(w) {
				continue
			}
			if float == nil {
				return fmt.Errorf("element %d is %x, want %x (least significant byte first)", i/size, g, w)
			}
			a, b := float(g), float(w)
			if !(math.Abs(a-b) <= tolerance*max(1, math.Abs(b))) || tolerance == 0 {
				return fmt.Errorf("element %d is %g, want %g", i/size, a, b)
			}
		}
		return nil
	})
}

// wantMost is want, but a share of the elements may be anything where the
// compiler contracts: a decision that hangs on the last place.
func (p *plan) wantMost(b *buffer, values []int32, share float64) {
	if p.exact {
		p.want(b, values)
		return
	}
	p.checks = append(p.checks, func(read func(*buffer) []byte) error {
		differ := 0
		for i, v := range int32s(read(b)) {
			if v != values[i] {
				differ++
			}
		}
		if float64(differ) > share*float64(len(values)) {
			return fmt.Errorf("%d of %d elements differ", differ, len(values))
		}
		return nil
	})
}

func int32s(b []byte) []int32 {
	out := make([]int32, len(b)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// ints returns n numbers from low up to high, exclusive.
func (p *plan) ints(n int, low, high int32) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = low + p.Int31n(high-low)
	}
	return out
}

func (p *plan) words(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = p.Uint32()
	}
	return out
}

func (p *plan) longs(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = p.Uint64() >> p.Intn(50)
	}
	return out
}

func (p *plan) bytes(n, bound int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(p.Intn(bound))
	}
	return out
}

func (p *plan) floats(n int, low, high float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = low + float32((high-low)*p.Float32())
	}
	return out
}

func (p *plan) doubles(n int, low, high float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + float64((high-low)*p.Float64())
	}
	return out
}

// loader builds a plan's launches on a memory image.
type loader struct {
	module *compile.Module
	image  *mem.Image
	bytes  uint64 // of device memory, at least 16 MB
}

func parse(t testing.TB, v variant, file string) *compile.Module {
	t.Helper()
	path := filepath.Join("testdata", "kernels", v.folder, file+".ptx")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	module, err := compile.Load(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

func (l *loader) load(p *plan) ([]*ptx.Launch, error) {
	var err error
	if l.image, err = mem.NewImage(mem.DefaultBase, max(l.bytes, 1<<24)); err != nil {
		return nil, err
	}
	at := map[string]uint64{}
	for _, v := range l.module.Globals() {
		a, err := l.image.Alloc(v.Name, v.Bytes)
		if err != nil {
			return nil, err
		}
		at[v.Name] = a.Base
	}
	address := func(name string) uint64 { return at[name] }
	for _, v := range l.module.Globals() {
		l.image.Write(at[v.Name], l.module.InitialData(v, address))
	}
	for i, b := range p.buffers {
		a, err := l.image.Alloc(fmt.Sprintf("buffer %d", i), uint64(len(b.data)))
		if err != nil {
			return nil, err
		}
		b.at = a.Base
		l.image.Write(b.at, b.data)
	}
	var textures []ptx.Texture
	for _, t := range p.textures {
		t.Base = t.buffer.at
		textures = append(textures, t.Texture)
	}
	var launches []*ptx.Launch
	for _, one := range p.launches {
		k, err := compile.Kernel(l.module, one.kernel, address)
		if err != nil {
			return nil, err
		}
		if len(one.args) != len(k.Params) {
			return nil, fmt.Errorf("%s: %d arguments for %d parameters", one.kernel, len(one.args), len(k.Params))
		}
		params := make([]byte, k.ParamBytes)
		for i, arg := range one.args {
			data, ok := []byte(nil), false
			if b, isBuffer := arg.(*buffer); isBuffer {
				data = encode(b.at)
			} else if data, ok = arg.([]byte); !ok {
				data = encode(arg)
			}
			if len(data) != k.Params[i].Bytes {
				return nil, fmt.Errorf("%s: argument %d has %d bytes, not %d", one.kernel, i, len(data), k.Params[i].Bytes)
			}
			copy(params[k.Params[i].Offset:], data)
		}
		launches = append(launches, &ptx.Launch{Kernel: k, Grid: one.grid, Block: one.block, DynamicSharedBytes: one.shared, Params: params, Textures: textures})
	}
	return launches, nil
}

// functional runs a plan without timing.
func (l *loader) functional(p *plan) error {
	launches, err := l.load(p)
	if err != nil {
		return err
	}
	for _, one := range launches {
		if _, err := execute.RunFunctional(one, l.image, execute.FunctionalOptions{MaxInstructions: 5e6}); err != nil {
			return err
		}
	}
	return p.judge(l.image.Read)
}

// timed runs a plan on the small machine.
func (l *loader) timed(p *plan) error {
	launches, err := l.load(p)
	if err != nil {
		return err
	}
	spec, err := preset.GPU("mini")
	if err != nil {
		return err
	}
	m, err := machine.New(spec, machine.Job{Launches: launches, Image: l.image, Scheme: codec.NewRaw(32), CycleLimit: 20e6})
	if err != nil {
		return err
	}
	if err := m.Run(); err != nil {
		return err
	}
	if err := m.Leaks(); err != nil {
		return err
	}
	return p.judge(m.Read)
}

func (p *plan) judge(readAt func(mem.Addr, []byte)) error {
	for i, check := range p.checks {
		err := check(func(b *buffer) []byte {
			data := make([]byte, len(b.data))
			readAt(b.at, data)
			return data
		})
		if err != nil {
			return fmt.Errorf("check %d: %w", i, err)
		}
	}
	return nil
}

// TestPrograms runs everything in every variant; -short keeps one variant
// without timing.
func TestPrograms(t *testing.T) {
	for _, v := range variants {
		t.Run(v.folder, func(t *testing.T) {
			modules := map[string]*compile.Module{}
			for _, c := range allPrograms() {
				if c.arch > v.arch || !v.has(c.file) || testing.Short() && v.folder != "sm90_O3" {
					continue
				}
				if modules[c.file] == nil {
					modules[c.file] = parse(t, v, c.file)
				}
				p := v.plan(c)
				if len(p.checks) == 0 {
					t.Errorf("%s checks nothing", c.name)
				}
				l := &loader{module: modules[c.file]}
				if err := l.functional(p); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
				if !v.timed || testing.Short() {
					continue
				}
				if err := l.timed(p); err != nil {
					t.Errorf("%s on the machine: %v", c.name, err)
				}
			}
		})
	}
}

var entry = regexp.MustCompile(`\.entry (\w+)\(`)

// TestEveryKernelRuns finds kernels that no program launches.
func TestEveryKernelRuns(t *testing.T) {
	launched := map[string]bool{}
	for _, c := range allPrograms() {
		p := &plan{Rand: rand.New(rand.NewSource(3))}
		c.build(p)
		for _, l := range p.launches {
			launched[l.kernel] = true
		}
	}
	paths, err := filepath.Glob("testdata/kernels/*/*.ptx")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	count := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range entry.FindAllSubmatch(text, -1) {
			count[string(m[1])] = true
			if !launched[string(m[1])] {
				t.Errorf("%s: nothing launches %s", path, m[1])
			}
		}
	}
	t.Logf("%d kernels in %d programs, %d variants", len(count), len(allPrograms()), len(variants))
}
