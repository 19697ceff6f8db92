package execute

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand"
	"os"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// compiledBuffer is an argument: elements of a type, filled at random.
type compiledBuffer struct {
	kind  string // i, u: 32-bit; l: 64-bit; f, d; b: bytes; h: 16-bit; zero: i of zeros; scalar, record
	count int
}

var compiledKernels = []struct {
	name string
	args []compiledBuffer
}{
	{"byValue", []compiledBuffer{{"zero", 64}, {"record", 0}, {"scalar", 2}}},
	{"recursion", []compiledBuffer{{"zero", 64}}},
	{"mutual", []compiledBuffer{{"zero", 64}}},
	{"structures", []compiledBuffer{{"zero", 64}}},
	{"pointers", []compiledBuffer{{"zero", 64}}},
	{"choices", []compiledBuffer{{"zero", 64}, {"u", 64}}},
	{"loops", []compiledBuffer{{"zero", 64}, {"u", 64}}},
	{"doubles", []compiledBuffer{{"d", 64}, {"d", 64}, {"f", 64}}},
	{"bytes", []compiledBuffer{{"b", 64}, {"h", 64}, {"b", 64}, {"h", 64}}},
	{"longs", []compiledBuffer{{"l", 64}, {"l", 64}}},
	{"sharing", []compiledBuffer{{"zero", 64}}},
	{"atomics", []compiledBuffer{{"u", 64}, {"f", 64}, {"u", 64}, {"l", 64}}},
	{"lanes", []compiledBuffer{{"i", 64}, {"f", 64}}},
	{"locals", []compiledBuffer{{"zero", 64}, {"i", 64}, {"scalar", 37}}},
	{"functions", []compiledBuffer{{"f", 64}}},
	{"vectors", []compiledBuffer{{"f", 256}, {"f", 256}, {"f", 128}, {"b", 256}}},
	{"generic", []compiledBuffer{{"i", 192}, {"scalar", 0}}},
	{"generic", []compiledBuffer{{"i", 192}, {"scalar", 1}}},
	{"generic", []compiledBuffer{{"i", 192}, {"scalar", 2}}},
	{"places", []compiledBuffer{{"f", 256}}},
}

func (b compiledBuffer) fill(r *rand.Rand) []byte {
	var out []byte
	for range b.count {
		switch b.kind {
		case "zero":
			out = append(out, 0, 0, 0, 0)
		case "i":
			out = binary.LittleEndian.AppendUint32(out, r.Uint32())
		case "u":
			out = binary.LittleEndian.AppendUint32(out, r.Uint32()>>20)
		case "l":
			out = binary.LittleEndian.AppendUint64(out, r.Uint64())
		case "f":
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(r.Float32()*40))
		case "d":
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(r.Float64()*40))
		case "b":
			out = append(out, byte(r.Uint32()))
		case "h":
			out = append(out, byte(r.Uint32()), byte(r.Uint32()))
		}
	}
	return out
}

// loadCompiled loads one kernel and its arguments.
func loadCompiled(t *testing.T, file, name string, args []compiledBuffer) (*ptx.Launch, *mem.Image, []mem.Allocation) {
	t.Helper()
	src, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := compile.Load(file, src)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(7))
	var params []byte
	var buffers []mem.Allocation
	pad := func(n int) {
		for len(params)%n != 0 {
			params = append(params, 0)
		}
	}
	for _, a := range args {
		switch a.kind {
		case "scalar":
			pad(4)
			params = binary.LittleEndian.AppendUint32(params, uint32(a.count))
		case "record":
			pad(8)
			for i := range uint32(10) {
				params = binary.LittleEndian.AppendUint32(params, 3+i*i)
			}
			params = binary.LittleEndian.AppendUint32(params, math.Float32bits(3.5))
			pad(8)
			params = binary.LittleEndian.AppendUint64(params, math.Float64bits(-17.5))
			params = append(params, 1, 2, 253, 4, 5, 6, 7, 0)
		default:
			data := a.fill(r)
			b, err := image.Alloc("buffer", uint64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			image.Write(b.Base, data)
			buffers = append(buffers, *b)
			pad(8)
			params = binary.LittleEndian.AppendUint64(params, b.Base)
		}
	}
	k := loadKernel(t, m, name, image)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}, Params: params}
	if name == "sharing" {
		l.DynamicSharedBytes = 256
	}
	return l, image, buffers
}

// runCompiled runs one kernel and returns all its buffers.
func runCompiled(t *testing.T, file, name string, args []compiledBuffer) []byte {
	t.Helper()
	l, image, buffers := loadCompiled(t, file, name, args)
	if _, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e6}); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, b := range buffers {
		data := make([]byte, b.Bytes)
		image.Read(b.Base, data)
		out = append(out, data...)
	}
	return out
}

// TestCompiledAgree runs what clang makes of testdata/compiled.cu with and
// without optimisation: very different programs that must do the same.
func TestCompiledAgree(t *testing.T) {
	for _, k := range compiledKernels {
		a := runCompiled(t, "compiled_O0.ptx", k.name, k.args)
		b := runCompiled(t, "compiled_O3.ptx", k.name, k.args)
		if !bytes.Equal(a, b) {
			for i := 0; i < len(a); i += 4 {
				if !bytes.Equal(a[i:i+4], b[i:i+4]) {
					t.Errorf("%s %v: word %d: -O0 gives %x, -O3 gives %x", k.name, k.args, i/4, a[i:i+4], b[i:i+4])
					break
				}
			}
		}
	}
}

func words32(b []byte) []int32 {
	out := make([]int32, len(b)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// TestCompiledAgainstHost computes some of the kernels in Go.
func TestCompiledAgainstHost(t *testing.T) {
	var fibonacci func(n int32) int32
	fibonacci = func(n int32) int32 {
		if n < 2 {
			return n
		}
		return fibonacci(n-1) + fibonacci(n-2)
	}
	parity := func(n int32) int32 { return 1 - n&1 }
	choose := [3]func(x int32) int32{
		func(x int32) int32 { return x + 1 }, func(x int32) int32 { return x * 2 }, func(x int32) int32 { return x - 3 },
	}
	input := func(b []byte) []int32 { return words32(b[256:]) }
	host := map[string]func(i int32, b []byte) int32{
		"recursion":  func(i int32, _ []byte) int32 { return fibonacci(i % 10) },
		"mutual":     func(i int32, _ []byte) int32 { return parity(i%13)*2 + 1 - parity(i%7) },
		"pointers":   func(i int32, _ []byte) int32 { return choose[i%3](i) },
		"structures": func(i int32, _ []byte) int32 { return i*(i%10) + i*2 + i + int32(int8(i-i%7)) },
		"loops": func(tid int32, b []byte) int32 {
			in := input(b)
			sum := int32(0)
			for i := range tid {
				if in[i]%3 == 0 {
					continue
				}
				if in[i]%31 == 7 {
					break
				}
				skip := false
				for k := in[i] & 7; k > 0; k-- {
					sum += k * in[k]
					if sum&64 != 0 {
						skip = true
						break
					}
				}
				if !skip {
					sum ^= 5
				}
				if sum < 0 {
					return 0
				}
			}
			return sum
		},
		"locals": func(tid int32, b []byte) int32 {
			var a [16]int32
			copy(a[:], input(b))
			for i := range int32(37) {
				a[(i*7+tid)&15] += a[i&15]
			}
			s := int32(0)
			for i := range int32(16) {
				s += a[i] * i
			}
			return s
		},
	}
	for _, k := range compiledKernels {
		f := host[k.name]
		if f == nil {
			continue
		}
		b := runCompiled(t, "compiled_O3.ptx", k.name, k.args)
		for i, got := range words32(b[:256]) {
			if want := f(int32(i), b); got != want {
				t.Errorf("%s: thread %d gives %d, want %d", k.name, i, got, want)
				break
			}
		}
	}
}
