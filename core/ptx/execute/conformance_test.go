package execute

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// conformanceCases are the tests of GPU Ocelot (BSD-3-Clause), which are not part of this
// repository: conformance_cases.json in the folder that BURSTSCOPE_CONFORMANCE names, or in
// a folder shared/conformance/ptx beside the repository. Without them the test is skipped.
func conformanceCases(t *testing.T) []byte {
	t.Helper()
	dir := os.Getenv("BURSTSCOPE_CONFORMANCE")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "conformance", "ptx")
	}
	b, err := os.ReadFile(filepath.Join(dir, "conformance_cases.json"))
	if err != nil {
		t.Skip("no conformance tests: name their folder in BURSTSCOPE_CONFORMANCE")
	}
	return b
}

type conformanceTest struct {
	Name     string
	Threads  uint32
	CTAs     uint32
	EpsLog2  int `json:"eps_log2_ulp"`
	Cases    []struct{ In, Out string }
	OutTypes []string `json:"out_types"`
	PTX      string   `json:"ptx"`
}

// refused are the tests that need what a GPU program cannot do here.
var refused = map[string]string{
	"TestCudaNestedParallelism": "launches kernels from a kernel",
}

// TestConformance runs the PTX tests of GPU Ocelot, if they are there.
func TestConformance(t *testing.T) {
	var file struct{ Tests []conformanceTest }
	if err := json.Unmarshal(conformanceCases(t), &file); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range file.Tests {
		ok := t.Run(c.Name, func(t *testing.T) {
			if why := refused[c.Name]; why != "" {
				if _, err := compile.Load(c.Name, []byte(c.PTX)); err == nil {
					t.Errorf("accepted, although it %s", why)
				}
				return
			}
			c.run(t)
		})
		if ok {
			passed++
		}
	}
	t.Logf("%d of %d", passed, len(file.Tests))
}

func (c *conformanceTest) run(t *testing.T) {
	m, err := compile.Load(c.Name, []byte(c.PTX))
	if err != nil {
		t.Fatalf("%v\n%s", err, c.PTX)
	}
	bad := 0
	for _, cs := range c.Cases {
		in, _ := hex.DecodeString(cs.In)
		want, _ := hex.DecodeString(cs.Out)
		image, err := mem.NewImage(mem.DefaultBase, 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		src, _ := image.Alloc("in", uint64(len(in)))
		dst, _ := image.Alloc("out", uint64(len(want)))
		image.Write(src.Base, in)
		k := loadKernel(t, m, "test", image)
		params := make([]byte, 16)
		binary.LittleEndian.PutUint64(params, dst.Base)
		binary.LittleEndian.PutUint64(params[8:], src.Base)
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{c.CTAs, 1, 1}, Block: [3]uint32{c.Threads, 1, 1}, Params: params}
		if _, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e6}); err != nil {
			t.Fatalf("%v\n%s", err, c.PTX)
		}
		got := make([]byte, len(want))
		image.Read(dst.Base, got)
		if !c.same(got, want) {
			if bad++; bad == 1 {
				t.Errorf("in %s: got %x, want %s\n%s", cs.In, got, cs.Out, c.PTX)
			}
		}
	}
}

// loadKernel places the module's variables and compiles a kernel.
func loadKernel(t testing.TB, m *compile.Module, entry string, image *mem.Image) *ptx.Kernel {
	t.Helper()
	return loadScheduled(t, m, entry, image, nil)
}

// loadScheduled is loadKernel for a kernel in another order.
func loadScheduled(t testing.TB, m *compile.Module, entry string, image *mem.Image, o *compile.Schedule) *ptx.Kernel {
	t.Helper()
	at := map[string]uint64{}
	for _, v := range m.Globals() {
		a, err := image.Alloc(v.Name, v.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		at[v.Name] = a.Base
	}
	addr := func(name string) uint64 { return at[name] }
	for _, v := range m.Globals() {
		image.Write(at[v.Name], m.InitialData(v, addr))
	}
	k, err := compile.Scheduled(m, entry, addr, o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// same compares as the tests say: floats within an error, NaN equal to NaN.
func (c *conformanceTest) same(got, want []byte) bool {
	for _, typ := range c.OutTypes {
		n := map[string]int{"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f32": 4, "f64": 8}[typ]
		if n == 0 || len(got) < n {
			return false
		}
		var a, b, eps float64
		switch typ {
		case "f32":
			a = float64(math.Float32frombits(binary.LittleEndian.Uint32(got)))
			b = float64(math.Float32frombits(binary.LittleEndian.Uint32(want)))
			eps = math.Ldexp(1, c.EpsLog2-23)
		case "f64":
			a = math.Float64frombits(binary.LittleEndian.Uint64(got))
			b = math.Float64frombits(binary.LittleEndian.Uint64(want))
			eps = math.Ldexp(1, c.EpsLog2-52)
		default:
			if string(got[:n]) != string(want[:n]) {
				return false
			}
		}
		if eps != 0 && a != b && !(a != a && b != b) {
			d := math.Abs(a - b)
			if math.Abs(a) >= 1e4 {
				d /= math.Abs(a)
			}
			if !(d <= eps) {
				return false
			}
		}
		got, want = got[n:], want[n:]
	}
	return true
}

func TestEntriesInOrder(t *testing.T) {
	m, err := compile.Load("two.ptx", []byte(".version 7.0\n.target sm_70\n.address_size 64\n.entry b() { ret; }\n.entry a() { ret; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.Entries(), " "); got != "b a" {
		t.Errorf("entries %q", got)
	}
}
