package main

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// simulator runs kernels of shipped programs on numbers of a host, without a machine.
type simulator struct {
	kernels map[string]*ptx.Kernel
	decoded [1 << 16]float32 // numbers of f16
	warps   uint64           // warp instructions of all launches
}

func newSimulator() (*simulator, error) {
	s := &simulator{kernels: map[string]*ptx.Kernel{}}
	half := workload.Buffer{Element: workload.ElementF16}
	for i := range s.decoded {
		s.decoded[i] = float32(half.Value([]byte{byte(i), byte(i >> 8)}, 0))
	}
	for _, k := range [][2]string{{"gemm", "gemm_f16"}, {"softmax", "softmax"}} {
		p, err := programs.Build(k[0], programs.Params{Size: 64})
		if err != nil {
			return nil, err
		}
		m, err := compile.Load(p.File, p.PTX)
		if err != nil {
			return nil, err
		}
		if s.kernels[k[1]], err = compile.Kernel(m, k[1], func(string) uint64 { return 0 }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// launch runs a kernel on buffers, of which the last one is the result, and numbers that follow them.
func (s *simulator) launch(entry string, grid, block [3]uint32, buffers [][]byte, numbers ...uint32) error {
	image, err := mem.NewImage(mem.DefaultBase, 1<<30)
	if err != nil {
		return err
	}
	k := s.kernels[entry]
	if len(k.Params) != len(buffers)+len(numbers) {
		return fmt.Errorf("%s has %d parameters", entry, len(k.Params))
	}
	params := make([]byte, k.ParamBytes)
	var last mem.Addr
	for i, b := range buffers {
		a, err := image.Alloc(fmt.Sprint(i), uint64(len(b)))
		if err != nil {
			return err
		}
		if i < len(buffers)-1 {
			image.Write(a.Base, b)
		}
		last = a.Base
		binary.LittleEndian.PutUint64(params[k.Params[i].Offset:], a.Base)
	}
	for i, n := range numbers {
		binary.LittleEndian.PutUint32(params[k.Params[len(buffers)+i].Offset:], n)
	}
	l := &ptx.Launch{Kernel: k, Grid: grid, Block: block, Params: params}
	if err := l.Validate(); err != nil {
		return err
	}
	r, err := execute.RunFunctional(l, image, execute.FunctionalOptions{})
	if err != nil {
		return err
	}
	s.warps += r.WarpInstructions
	image.Read(last, buffers[len(buffers)-1])
	return nil
}

// The kernels' sizes: a tile of gemm, and how many numbers of a row it takes at a time.
const (
	gemmTile = 64
	gemmDeep = 32
)

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// halves rounds rows of numbers to f16, and pads them and their number with zeros.
func halves(v []float32, width, rows, wide int) []byte {
	b := make([]byte, 2*rows*wide)
	for i, x := range v {
		at := i/width*wide + i%width
		binary.LittleEndian.PutUint16(b[2*at:], uint16(arith.FormatF16.Nearest(float64(x))))
	}
	return b
}

// numbers takes the first numbers of padded rows.
func (s *simulator) numbers(b []byte, rows, width, wide int) []float32 {
	v := make([]float32, rows*width)
	for i := range v {
		v[i] = s.decoded[binary.LittleEndian.Uint16(b[2*(i/width*wide+i%width):])]
	}
	return v
}

// product multiplies rows of x with rows of w, both of a depth, by gemm's kernel in f16.
func (s *simulator) product(x, w []float32, depth int) ([]float32, error) {
	rows, columns, deep := len(x)/depth, len(w)/depth, roundUp(depth, gemmDeep)
	high, wide := roundUp(rows, gemmTile), roundUp(columns, gemmTile)
	out := make([]byte, 2*high*wide)
	err := s.launch("gemm_f16", [3]uint32{uint32(wide / gemmTile), uint32(high / gemmTile), 1}, [3]uint32{128, 1, 1},
		[][]byte{halves(x, depth, high, deep), halves(w, depth, wide, deep), out}, uint32(deep/8), uint32(wide))
	return s.numbers(out, rows, columns, wide), err
}

// softmax makes shares of rows of an even width, by the kernel of that name in f16.
func (s *simulator) softmax(x []float32, width int) ([]float32, error) {
	rows, out := len(x)/width, make([]byte, 2*len(x))
	err := s.launch("softmax", [3]uint32{uint32((32*rows + 127) / 128), 1, 1}, [3]uint32{128, 1, 1},
		[][]byte{halves(x, width, rows, width), out}, uint32(rows), uint32(width/2))
	return s.numbers(out, rows, width, width), err
}
