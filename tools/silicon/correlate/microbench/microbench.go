// Package microbench is the table of microbenchmarks: small programs whose results are single
// numbers of a GPU, such as the latency of a load or the rate of an instruction. Each is a
// workload.Program, so it runs on a GPU and on the simulator alike.
//
// Chains of dependent instructions cannot be folded by the driver's optimiser: their operands
// and loop counts are parameters of the kernel, and their results are stored.
package microbench

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/workload"
)

// Benchmark is one microbenchmark of one size.
type Benchmark struct {
	Name string // several sizes and data have one name
	Size int
	Data string // the variant
	Unit string // of the figure
	Doc  string

	program func() *workload.Program
	figure  func(Observation) Figure
}

// Observation is what a run of a benchmark gives.
type Observation struct {
	Outputs     [][]byte // of the output buffers
	Nanoseconds float64  // of the whole program
	ClockMHz    float64  // of the SMs
}

// Figure is the result of a benchmark. Least and Greatest are 0 if there is one value only.
type Figure struct{ Value, Least, Greatest float64 }

// Key names the benchmark.
func (b *Benchmark) Key() string { return fmt.Sprintf("%s/%d/%s", b.Name, b.Size, b.Data) }

// Program builds the program.
func (b *Benchmark) Program() *workload.Program {
	p := b.program()
	p.Name, p.Title, p.File = b.Name, b.Doc, b.Name+".ptx"
	if err := p.Validate(); err != nil {
		panic(err) // the table is wrong
	}
	return p
}

// Figure reads the result of a run. An error says that the outputs are not those of the
// benchmark.
func (b *Benchmark) Figure(o Observation) (Figure, error) {
	p := b.program()
	outputs := p.Outputs()
	if len(o.Outputs) != len(outputs) {
		return Figure{}, fmt.Errorf("%s: %d output buffers, want %d", b.Key(), len(o.Outputs), len(outputs))
	}
	for i, k := range outputs {
		if uint64(len(o.Outputs[i])) != p.Buffers[k].Bytes {
			return Figure{}, fmt.Errorf("%s: output %s has %d bytes, want %d", b.Key(), p.Buffers[k].Name, len(o.Outputs[i]), p.Buffers[k].Bytes)
		}
	}
	f := b.figure(o)
	if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) || f.Value <= 0 {
		return f, fmt.Errorf("%s: the clocks that the kernel stored give %v %s", b.Key(), f.Value, b.Unit)
	}
	return f, nil
}

// All returns the table.
func All() []*Benchmark {
	var list []*Benchmark
	for _, part := range [][]*Benchmark{launches(), sharedMemory(), chases(), lines(), spreads(), storedLines(), locals(), bandwidths(), atomics(), instructions()} {
		list = append(list, part...)
	}
	return list
}

// Find returns the benchmark of a name, size and variant, nil if there is none.
func Find(name string, size int, data string) *Benchmark {
	for _, b := range All() {
		if b.Name == name && b.Size == size && b.Data == data {
			return b
		}
	}
	return nil
}
