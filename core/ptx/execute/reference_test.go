package execute

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// recorded returns a file of the runs that GPGPU-Sim made, which the tests of the
// machine compare with too.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root(t), "core", "machine", "testdata", "gpgpusim", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// root is the folder of the repository.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the tests")
		}
	}
}

type referenceArg struct {
	Kind, Name, Type string
	Bytes            uint64
	Init             string
	Value            any
}

// referenceLaunch is a kernel run that GPGPU-Sim has recorded.
type referenceLaunch struct {
	PTX, Entry   string
	Grid, Block  [3]uint32
	Args         []referenceArg
	ExtraBuffers []referenceArg `json:"extra_buffers"`
	StrideBytes  uint64         `json:"stride_bytes"`
	Elements     uint64
	SmemStatic   int `json:"smem_static"`
	Outputs      []struct {
		DeviceAddr string `json:"device_addr"`
		Bytes      int
		Hash       string `json:"fnv1a64_of_bytes"`
	}
}

// referenceHash and u01 are defined in launch.json.
func referenceHash(i, seed uint32) uint32 {
	x := i*2654435761 + seed
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}

func (a *referenceArg) data(t *testing.T, base, stride, elements uint64) []byte {
	b := make([]byte, a.Bytes)
	var seed uint32
	switch {
	case a.Init == "":
	case strings.HasPrefix(a.Init, "0, except word"): // a ring of pointers
		for k := range elements {
			binary.LittleEndian.PutUint64(b[k*stride:], base+(k+1)%elements*stride)
		}
	default:
		if _, err := fmt.Sscanf(a.Init, "u01(i,%d)", &seed); err != nil {
			t.Fatalf("unknown initial value %q", a.Init)
		}
		for i := range len(b) / 4 {
			v := float32(referenceHash(uint32(i), seed)>>8) * (1.0 / (1 << 24))
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
		}
	}
	return b
}

// launch loads the kernel and its inputs as the reference had them.
func (r *referenceLaunch) launch(t *testing.T, unfused bool) (*ptx.Launch, *mem.Image) {
	text := string(recorded(t, r.PTX))
	m, err := compile.Load(r.PTX, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	place := func(a *referenceArg) uint64 {
		alloc, err := image.Alloc(a.Name, a.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		image.Write(alloc.Base, a.data(t, alloc.Base, r.StrideBytes, r.Elements))
		return alloc.Base
	}
	for i := range r.ExtraBuffers {
		place(&r.ExtraBuffers[i])
	}
	k := loadKernel(t, m, r.Entry, image)
	params := make([]byte, k.ParamBytes)
	for i, p := range k.Params {
		a := &r.Args[i]
		var v uint64
		switch x := a.Value.(type) {
		case nil:
			v = place(a)
		case string: // the address of the first buffer, or the number of the launch
			if a.Type == "u64" {
				v = mem.DefaultBase
			}
		case float64:
			v = uint64(int64(x))
			if a.Type == "f32" {
				v = uint64(math.Float32bits(float32(x)))
			}
		}
		for b := range p.Bytes {
			params[p.Offset+b] = byte(v >> (8 * b))
		}
	}
	if unfused {
		k.RoundProducts()
	}
	return &ptx.Launch{Kernel: k, Grid: r.Grid, Block: r.Block, Params: params}, image
}

// smemchaseClocks are the clock differences the timing model of GPGPU-Sim wrote
// into the first word of the output; the rest of the output does not depend on
// time.
var smemchaseClocks = map[string]uint32{"smemchase_i0": 42, "smemchase_i256": 8234}

// TestReferenceKernels reproduces the outputs GPGPU-Sim has recorded, to the
// bit. GPGPU-Sim rounds the product of an fma before it adds, which no GPU does,
// so for this comparison the kernels' products are rounded too.
func TestReferenceKernels(t *testing.T) {
	var file struct{ Kernels map[string]*referenceLaunch }
	if err := json.Unmarshal(recorded(t, "launch.json"), &file); err != nil {
		t.Fatal(err)
	}
	for name, r := range file.Kernels {
		t.Run(name, func(t *testing.T) {
			l, image := r.launch(t, true)
			if l.Kernel.StaticSharedBytes != r.SmemStatic {
				t.Errorf("static shared memory %d, want %d", l.Kernel.StaticSharedBytes, r.SmemStatic)
			}
			if _, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e8}); err != nil {
				t.Fatal(err)
			}
			for _, o := range r.Outputs {
				addr, _ := strconv.ParseUint(o.DeviceAddr, 0, 64)
				b := make([]byte, o.Bytes)
				image.Read(addr, b)
				if clock, ok := smemchaseClocks[name]; ok {
					binary.LittleEndian.PutUint32(b, clock)
				}
				h := fnv.New64a()
				h.Write(b)
				if got := fmt.Sprintf("%016x", h.Sum64()); got != o.Hash {
					t.Errorf("output hash %s, want %s", got, o.Hash)
				}
			}
		})
	}
}

// TestReferenceCounts compares the numbers of warp and thread instructions with
// those GPGPU-Sim counted.
func TestReferenceCounts(t *testing.T) {
	var file struct{ Kernels map[string]*referenceLaunch }
	if err := json.Unmarshal(recorded(t, "launch.json"), &file); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(recorded(t, "runs.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	compared := 0
	for _, row := range rows[1:] {
		r := file.Kernels[row[column["kernel"]]]
		if row[column["variant"]] != "a32" || row[column["launches"]] != "1" || r == nil {
			continue
		}
		t.Run(row[0], func(t *testing.T) {
			l, image := r.launch(t, false)
			got, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e8})
			if err != nil {
				t.Fatal(err)
			}
			if w := row[column["warpInstructions"]]; fmt.Sprint(got.WarpInstructions) != w {
				t.Errorf("%d warp instructions, want %s", got.WarpInstructions, w)
			}
			if w := row[column["threadInstructions"]]; fmt.Sprint(got.ThreadInstructions) != w {
				t.Errorf("%d thread instructions, want %s", got.ThreadInstructions, w)
			}
		})
		compared++
	}
	if compared < 16 {
		t.Errorf("%d kernels compared", compared)
	}
}
