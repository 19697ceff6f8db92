package programs

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/workload"
)

// runUntimed runs a program without timing. It returns all buffers and the number of warp
// instructions.
func runUntimed(t *testing.T, p *workload.Program) (after [][]byte, warpInstructions uint64) {
	t.Helper()
	return runScheduled(t, p, nil)
}

// runScheduled is runUntimed in another order of instructions.
func runScheduled(t *testing.T, p *workload.Program, o *compile.Schedule) (after [][]byte, warpInstructions uint64) {
	t.Helper()
	image, err := mem.NewImage(mem.DefaultBase, 256<<20)
	if err != nil {
		t.Fatal(err)
	}
	allocate := func(name string, size uint64, init []byte) mem.Addr {
		a, err := image.Alloc(name, size)
		if err != nil {
			t.Fatal(err)
		}
		image.Write(a.Base, init)
		return a.Base
	}
	var address []mem.Addr
	for _, b := range p.Buffers {
		address = append(address, allocate(b.Name, b.Bytes, b.Init))
	}
	module, err := compile.Load(p.File, p.PTX)
	if err != nil {
		t.Fatal(err)
	}
	variable := map[string]uint64{}
	for _, v := range module.Globals() {
		variable[v.Name] = allocate(v.Name, v.Bytes, v.Init)
	}
	for _, l := range p.Launches {
		kernel, err := compile.Scheduled(module, l.Entry, func(name string) uint64 { return variable[name] }, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(kernel.Params) != len(l.Args) {
			t.Fatalf("%s: %d arguments for %d parameters", l.Entry, len(l.Args), len(kernel.Params))
		}
		params := make([]byte, kernel.ParamBytes)
		for i, a := range l.Args {
			bits := a.Bits
			if a.Buffer >= 0 {
				bits += address[a.Buffer]
			}
			if kernel.Params[i].Bytes != a.Bytes {
				t.Fatalf("%s: argument %d has %d bytes, its parameter %d", l.Entry, i, a.Bytes, kernel.Params[i].Bytes)
			}
			value := binary.LittleEndian.AppendUint64(nil, bits)
			if a.Value != nil {
				value = slices.Clone(a.Value.Data)
				for _, at := range a.Value.Places {
					binary.LittleEndian.PutUint64(value[at.At:], address[at.Buffer]+at.Offset)
				}
			}
			copy(params[kernel.Params[i].Offset:][:a.Bytes], value)
		}
		launch := &ptx.Launch{Kernel: kernel, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, DynamicSharedBytes: l.DynamicSharedBytes, Params: params}
		if err := launch.Validate(); err != nil {
			t.Fatal(err)
		}
		r, err := execute.RunFunctional(launch, image, execute.FunctionalOptions{MaxInstructions: 100_000_000,
			Sanitize: true})
		if err != nil {
			t.Fatal(err)
		}
		warpInstructions += r.WarpInstructions
	}
	for i, b := range p.Buffers {
		out := make([]byte, b.Bytes)
		image.Read(address[i], out)
		after = append(after, out)
	}
	return after, warpInstructions
}

// small are sizes at which a program takes little time.
var small = map[string]int{
	"vecadd": 1000, "transpose": 96, "dct": 72, "blackscholes": 1000, "matmul": 48, "nn": 1000, "fwt": 1 << 13,
	"srad1": 48, "srad2": 48, "backprop": 512, "jmeint": 3000,
	"scan": 5000, "convolution": 128, "spmv": 300, "hotspot": 50, "pathfinder": 500, "kmeans": 300,
	"bfs1": 700, "bfs2": 512, "sssp": 64, "pageviewcount": 1024, "pageviewrank": 512, "binomial": 3, "libor": 100,
	"heartwall": 3, "mummer": 300,
	"particlefilter": 300, "similarity": 30, "mapmatmul": 40, "floydwarshall": 40, "betweenness": 2,
	"independentset": 40, "colouring": 40,
	"pagerank": 700, "dijkstra": 64,
	"needleman": 64, "streamcluster": 700, "bplustree": 3000, "wordcount": 5, "stringmatch": 20, "gaussian": 48,
	"sradreduce": 48, "sreduce": 48, "sradupdate": 48, "hpcproxy": 1, "dlproxy": 1,
	"embedding": 100, "softmax": 100, "layernorm": 5, "sgd": 3000, "adam": 3000, "gemm": 128, "gemmfp8": 128,
	"hoppergemm":      256,
	"hopperattention": 256, "hopperdecode": 144, "hopperrows": 3, "hoppermoe": 200, "attention": 128, "pageddecode": 48,
	"gridbarrier": 1000, "streamk": 48, "workqueue": 100, "radixsort": 3000, "locktable": 700,
}

// TestKernelsDoWhatTheReferencesSay compares every kernel in every data mode with its
// reference, at a small size. In WebAssembly one mode of each stands for all: other tests hold its results against
// those of a native program.
func TestKernelsDoWhatTheReferencesSay(t *testing.T) {
	for _, name := range Names() {
		info, err := Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		modes := info.DataModes
		if testing.Short() {
			modes = modes[:1]
		}
		for _, data := range modes {
			p := mustBuild(t, name, Params{Size: small[name], Data: data})
			if name == "backprop" && len(p.Launches) == 3 {
				centreWeights(p)
			}
			before := initial(p)
			after, _ := runUntimed(t, p)
			if err := references[name](p, before, after); err != nil {
				t.Errorf("%s %s: %v", name, data, err)
			}
		}
	}
}

// TestScheduledKernels runs every kernel in the order of a list scheduler that sees long loads and has many registers:
// it executes as many instructions and leaves the same bytes as in the written order, and the sanitizer finds nothing.
func TestScheduledKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	order := &compile.Schedule{Registers: ptx.MaxRegistersPerThread, Latency: func(in *ptx.Instr) int {
		if in.IsLoad {
			return 300
		}
		return 5
	}}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			info, err := Describe(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, data := range info.DataModes {
				p := mustBuild(t, name, Params{Size: small[name], Data: data})
				want, instructions := runUntimed(t, p)
				got, n := runScheduled(t, p, order)
				// Lanes of betweenness race for who sees a node first: each writes the same depth.
				if n != instructions && name != "betweenness" {
					t.Errorf("%s: %d warp instructions, as written %d", data, n, instructions)
				}
				for i := range got {
					if !bytes.Equal(got[i], want[i]) {
						t.Errorf("%s: buffer %s differs", data, p.Buffers[i].Name)
					}
				}
			}
		})
	}
}

// centreWeights moves the weights close to 0. Rodinia's weights are all above 0, so every
// hidden unit saturates and all propagated errors are 0.
func centreWeights(p *workload.Program) {
	const weights = 2
	v := readFloats(p.Buffers[weights].Init)
	p.Buffers[weights].Init = floats(generate(len(v), func(i int) float32 { return (float32(v[i]) - 0.5) / 32 }))
}

type oddShape struct {
	name string
	p    Params
}

// TestOddShapes: sizes with partly empty CTAs, and a picture that is not square.
func TestOddShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	picture := &Image{Width: 75, Height: 20, Pixels: make([]uint8, 75*20)}
	for i := range picture.Pixels {
		picture.Pixels[i] = uint8(i * 7)
	}
	cases := []oddShape{
		{"vecadd", Params{Size: 33}},
		{"nn", Params{Size: 257}},
		{"blackscholes", Params{Size: 129}},
		{"jmeint", Params{Size: 300}},
		{"fwt", Params{Size: 1 << 10}},
		{"fwt", Params{Size: 1 << 12}},
		{"matmul", Params{Size: 16}},
		{"dct", Params{Size: 8}},
		{"dct", Params{Size: 128, Image: picture}},
		{"dct", Params{Size: 128, Image: picture, Data: "sdk"}},
		{"transpose", Params{Size: 128, Image: picture}},
		{"srad1", Params{Size: 128, Image: picture}},
		{"srad2", Params{Size: 128, Image: picture}},
		{"scan", Params{Size: 4}},
		{"scan", Params{Size: 1<<20 + 1028}}, // three levels
		{"convolution", Params{Size: 256, Image: picture}},
		{"convolution", Params{Size: 256}},
		{"spmv", Params{Size: 33}},
		{"spmv", Params{Size: 3000}},
		{"hotspot", Params{Size: 16}},
		{"hotspot", Params{Size: 73}},
		{"pathfinder", Params{Size: 32}},
		{"pathfinder", Params{Size: 216}},
		{"pathfinder", Params{Size: 217}},
		{"kmeans", Params{Size: 257}},
		{"bfs1", Params{Size: 32}},
		{"bfs1", Params{Size: 513}},
		{"bfs2", Params{Size: 32}},
		{"sssp", Params{Size: 32}},
		{"pageviewcount", Params{Size: 32}},
		{"pageviewrank", Params{Size: 32}},
		{"binomial", Params{Size: 1}},
		{"libor", Params{Size: 33}},
		{"heartwall", Params{Size: 1}},
		{"mummer", Params{Size: 33}},
		{"particlefilter", Params{Size: 1}},
		{"particlefilter", Params{Size: 513}},
		{"similarity", Params{Size: 2}},
		{"mapmatmul", Params{Size: 4}},
		{"floydwarshall", Params{Size: 4}},
		{"independentset", Params{Size: 2}},
		{"colouring", Params{Size: 2}},
		{"pagerank", Params{Size: 65}},
		{"dijkstra", Params{Size: 32}},
		{"needleman", Params{Size: 16}},
		{"streamcluster", Params{Size: 33}},
		{"bplustree", Params{Size: 1000}},
		{"bplustree", Params{Size: 40000}}, // three levels
		{"wordcount", Params{Size: 1}},
		{"stringmatch", Params{Size: 1}},
		{"gaussian", Params{Size: 16}},
		{"sradreduce", Params{Size: 128, Image: picture}},
		{"sreduce", Params{Size: 16}},
		{"sreduce", Params{Size: 528}}, // three launches
		{"sradupdate", Params{Size: 128, Image: picture}},
		{"softmax", Params{Size: 34}},
		{"layernorm", Params{Size: 1}},
		{"attention", Params{Size: 64}},
		{"pageddecode", Params{Size: 16}},
	}
	for _, c := range append(cases, oddHopperShapes...) {
		p := mustBuild(t, c.name, c.p)
		before := initial(p)
		after, _ := runUntimed(t, p)
		if err := references[c.name](p, before, after); err != nil {
			t.Errorf("%s of %d: %v", c.name, c.p.Size, err)
		}
	}
}
