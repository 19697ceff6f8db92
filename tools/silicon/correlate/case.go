// Package correlate compares the simulator with a GPU: it lists the cases (microbenchmarks and
// shipped programs), records them on a device, and holds recordings against the simulator.
package correlate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/silicon/correlate/microbench"
)

// Kind says what a case is.
type Kind string

const (
	Microbenchmark Kind = "microbenchmark"
	Program        Kind = "program"
	// Suite is a program of core/ptx/suite, which its tests record and simulate. Data is the
	// variant of the compiler.
	Suite Kind = "suite"
)

// Case is one thing that is measured.
type Case struct {
	Kind Kind
	Name string
	Size int
	Data string
}

// Key names a case: what --only looks at.
func (c Case) Key() string { return fmt.Sprintf("%s/%s/%d/%s", c.Kind, c.Name, c.Size, c.Data) }

// Describe says what a case measures, in which unit.
func (c Case) Describe() string {
	if b, err := c.benchmark(); err == nil && b != nil {
		return b.Unit + ": " + b.Doc
	}
	return "ns: all launches of the program"
}

// benchmark is the microbenchmark of a case, nil for a program.
func (c Case) benchmark() (*microbench.Benchmark, error) {
	if c.Kind != Microbenchmark {
		return nil, nil
	}
	if b := microbench.Find(c.Name, c.Size, c.Data); b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("no microbenchmark %s of size %d with %q: record anew with this version", c.Name, c.Size, c.Data)
}

// Build makes the program of a case.
func (c Case) Build() (*workload.Program, error) {
	switch c.Kind {
	case Microbenchmark:
		b, err := c.benchmark()
		if err != nil {
			return nil, err
		}
		return b.Program(), nil
	case Program:
		return programs.Build(c.Name, programs.Params{Size: c.Size, Data: c.Data})
	}
	return nil, fmt.Errorf("kind %q: use %s or %s; programs of the suite run in the tests of core/ptx/suite", c.Kind, Microbenchmark, Program)
}

// Cases lists all cases: the microbenchmarks, then the programs by name and size.
func Cases() []Case {
	var list []Case
	for _, b := range microbench.All() {
		list = append(list, Case{Microbenchmark, b.Name, b.Size, b.Data})
	}
	for _, name := range programs.Names() {
		info, err := programs.Describe(name)
		if err != nil {
			panic(err) // a name of the table
		}
		modes := info.DataModes[:1]
		switch {
		case kernelsByData[name]:
			modes = info.DataModes
		case slices.Contains(info.DataModes, programs.Suite):
			modes = []string{programs.Suite}
		}
		sizes := slices.Clone(sizes[name])
		if len(sizes) == 0 {
			sizes = []int{info.DefaultSize}
		}
		if later := laterSizes[name]; later > 0 {
			sizes = append(sizes, later)
		}
		slices.SortFunc(sizes, cmp.Compare[int])
		for _, size := range sizes {
			for _, data := range modes {
				list = append(list, Case{Program, info.Name, size, data})
			}
		}
	}
	return list
}

// sizes of the programs; one without a row has its default size. They go from one that a page
// offers up to one that fills 132 SMs, or the largest that one core simulates in some 30
// seconds.
var sizes = map[string][]int{
	"vecadd":        {16384, 262144, 1 << 20, 1 << 22, 1 << 24},
	"transpose":     {256, 1024, 2048},
	"dct":           {256, 1024, 2048},
	"blackscholes":  {40000, 160000, 1000000, 4000000},
	"matmul":        {64, 128, 256, 512},
	"nn":            {60000, 600000, 6000000},
	"fwt":           {1 << 14, 1 << 17, 1 << 20},
	"srad1":         {128, 320, 512, 1024},
	"srad2":         {128, 320, 512, 1024},
	"backprop":      {4096, 16384, 65536, 262144},
	"jmeint":        {12000, 100000, 400000},
	"scan":          {1 << 14, 1 << 18, 1 << 20, 1 << 22},
	"convolution":   {128, 512, 1024, 2048},
	"spmv":          {1024, 8192, 32768},
	"hotspot":       {64, 256, 512, 1024},
	"pathfinder":    {4096, 32768, 100000},
	"kmeans":        {2048, 12288, 49152},
	"bfs1":          {4096, 32768, 131072},
	"bfs2":          {1024, 16384, 65536},
	"sssp":          {32, 128},
	"pageviewcount": {4096, 16384, 65536},
	"pageviewrank":  {4096, 16384, 65536},
	"binomial":      {8, 64, 256},
	"libor":         {1024, 4096, 16384},
	"heartwall":     {4, 12, 51},
	"mummer":        {1024, 8192, 32768},

	"particlefilter": {1000, 2000},
	"similarity":     {160, 512},
	"mapmatmul":      {160, 320},
	"floydwarshall":  {128, 256},
	"betweenness":    {4, 16},
	"independentset": {128, 512},
	"colouring":      {128, 512},
	"pagerank":       {16384, 65536},
	"dijkstra":       {128, 256},
	"needleman":      {512, 1024},
	"streamcluster":  {4096, 65536},
	"bplustree":      {65536, 1000000},
	"wordcount":      {24, 86},
	"stringmatch":    {512, 4096},
	"gaussian":       {256, 512},
	"sradreduce":     {256, 512},
	"sreduce":        {128, 512},
	"sradupdate":     {128, 512},

	"hpcproxy": {4},
	"dlproxy":  {4},

	"embedding":       {1024, 4096, 16384},
	"softmax":         {256, 1024, 4096},
	"layernorm":       {256, 1024, 4096},
	"sgd":             {1 << 14, 1 << 18, 1 << 20},
	"adam":            {1 << 14, 1 << 18, 1 << 20},
	"gemm":            {128, 256, 512},
	"gemmfp8":         {128, 256, 512},
	"hoppergemm":      {128, 256, 512},
	"hopperattention": {256, 512, 1024},
	"hopperdecode":    {64, 256, 1024},
	"hopperrows":      {16, 64, 256},
	"hoppermoe":       {256, 1024, 4096},
	"attention":       {128, 256, 512},
	"pageddecode":     {64, 256, 1024},
}

// kernelsByData are programs with another kernel for each kind of data. The others run on one kind.
var kernelsByData = map[string]bool{"gemm": true, "pageddecode": true, "hoppergemm": true, "hopperattention": true,
	"hopperrows": true}

// laterSizes have one size of each program more. They were recorded when the values of the presets
// stood, and nobody looked at them before.
var laterSizes = map[string]int{
	"vecadd":         1 << 23,
	"transpose":      512,
	"dct":            512,
	"blackscholes":   640000,
	"matmul":         384,
	"nn":             2000000,
	"fwt":            1 << 16,
	"srad1":          768,
	"srad2":          768,
	"backprop":       32768,
	"jmeint":         50000,
	"scan":           1 << 19,
	"convolution":    768,
	"spmv":           16384,
	"hotspot":        768,
	"pathfinder":     65536,
	"kmeans":         24576,
	"bfs1":           65536,
	"bfs2":           32768,
	"sssp":           64,
	"pageviewcount":  32768,
	"pageviewrank":   32768,
	"binomial":       128,
	"libor":          8192,
	"heartwall":      24,
	"mummer":         16384,
	"particlefilter": 1500,
	"similarity":     320,
	"mapmatmul":      224,
	"floydwarshall":  192,
	"betweenness":    8,
	"independentset": 256,
	"colouring":      256,
	"pagerank":       32768,
	"dijkstra":       192,
	"needleman":      768,
	"streamcluster":  16384,
	"bplustree":      262144,
	"wordcount":      48,
	"stringmatch":    1024,
	"gaussian":       384,
	"sradreduce":     384,
	"sreduce":        1024,
	"sradupdate":     256,
	"hpcproxy":       8,
	"dlproxy":        8,
}
