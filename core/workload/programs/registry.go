// Package programs is the table of the shipped programs: their kernels and
// the seeded generators of their inputs. Inputs follow the published benchmarks. If a
// generator was tuned to a published property of its data, its Info says so.
package programs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/assets/kernels"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// Params chooses a variant of a workload. The zero value is the default one.
type Params struct {
	Size  int    // 0 = Info.DefaultSize
	Data  string // one of Info.DataModes, "" = the first
	Seed  uint64 // 0 gives the published figures
	Image *Image // replaces the generated input where Info.AcceptsImage
	// Threads is how many threads may work on the input; 0 and 1 are the caller's alone. It changes no bytes.
	Threads int
}

// Info describes a workload to a user.
type Info struct {
	Name, Title  string
	Doc          string
	Sizes        []int // that a page offers; Build takes every size that fits the kernel
	DefaultSize  int
	FullSize     int      // of the published runs, or the largest that Build takes
	StudySize    int      // of the runs for claims and figures; DefaultSize if it is not set
	SizeLabel    string   // unit of the size
	DataModes    []string // the first is the default
	TunedData    []string // those that were tuned to a published property of the data
	AcceptsImage bool
	Metric       string // as Metric.String
}

// definition is one row of the table of workloads.
type definition struct {
	info    Info
	aliases []string // other names, lower case
	// number seeds the input. It never changes; programs of ours have numbers above 100.
	number uint64
	file   string // kernels in assets/kernels
	suite  string // the mode that Suite stands for; "" if it has inputs of its own, or none
	size   sizeRule
	metric workload.Metric
	loss   func(r *request) workload.Loss // of RFVP's table I; nil if it is the metric
	build  func(r *request) (buffers []workload.Buffer, launches []workload.Launch)
}

// sizeRule says which sizes fit a kernel.
type sizeRule struct {
	min, max, step int
	powerOfTwo     bool
}

func (s sizeRule) check(name string, size int) error {
	if size < s.min || size > s.max || size%s.step != 0 || s.powerOfTwo && size&(size-1) != 0 {
		kind := "number"
		switch {
		case s.powerOfTwo:
			kind = "power of two"
		case s.step > 1:
			kind = fmt.Sprintf("multiple of %d", s.step)
		}
		return fmt.Errorf("size %d: %s takes a %s from %d to %d", size, name, kind, s.min, s.max)
	}
	return nil
}

// request is a checked Params.
type request struct {
	number uint64
	size   int
	data   string
	seed   uint64
	image  *Image

	threads int
}

// baseSeed is where the seeds of all inputs start [ours].
const baseSeed = 0x5EED0000

// userSeedStride keeps the seeds of a user apart from those of other workloads. It is odd,
// so two user seeds never give the same stream. (2^64 over the golden ratio.)
const userSeedStride = 0x9E3779B97F4A7C15

// rand returns the generator of one array: a stream of the workload's seed.
func (r *request) rand(array int) sim.Rand {
	return sim.NewRand(baseSeed+r.number+r.seed*userSeedStride, uint64(array))
}

// table lists all workloads in the order a user sees them.
var table = []*definition{
	&vecadd, &transpose, &dct, &blackScholes, &matmul,
	&nearest, &walsh, &srad1, &srad2, &backprop, &jmeint,
	&scan, &convolution, &spmv, &hotspot, &pathfinder, &kmeans,
	&bfs1, &bfs2, &sssp, &pageViewCount, &pageViewRank, &binomial, &libor, &heartwall, &mummer,
	&particleFilter, &similarity, &mapMatmul, &floydWarshall, &betweenness, &independentSet, &colouring, &pageRank, &dijkstra,
	&needleman, &streamcluster, &bplusTree, &wordCount, &stringMatch, &gaussian, &sradReduce, &sradSums, &sradUpdate,
	&hpcProxy, &dlProxy,
	&embedding, &softmax, &layerNorm, &sgd, &adam, &gemm, &gemmFP8, &hopperGemm, &attention, &pagedDecode,
	&hopperAttention, &hopperDecode, &hopperRows, &hopperMoE,
	&gridBarrier, &streamK, &workQueue, &radixSort, &lockTable,
}

// Names returns the names of all workloads.
func Names() []string {
	names := make([]string, len(table))
	for i, d := range table {
		names[i] = d.info.Name
	}
	return names
}

// Aliases returns the other names of workloads, as papers write them.
func Aliases() (names []string) {
	for _, d := range table {
		for _, name := range d.aliases {
			names = append(names, strings.ToUpper(name))
		}
	}
	return names
}

func find(name string) (*definition, error) {
	lower := strings.ToLower(name)
	for _, d := range table {
		if d.info.Name == lower || slices.Contains(d.aliases, lower) {
			return d, nil
		}
	}
	return nil, fmt.Errorf("workload: name %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Describe returns the choices that a user has. It takes the names that Build takes.
func Describe(name string) (Info, error) {
	d, err := find(name)
	if err != nil {
		return Info{}, err
	}
	info := d.info
	info.Metric = d.metric.String()
	if info.StudySize == 0 {
		info.StudySize = info.DefaultSize
	}
	info.Sizes = slices.Clone(info.Sizes)
	info.DataModes = slices.Clone(info.DataModes)
	info.TunedData = slices.Clone(info.TunedData)
	return info, nil
}

// Check reports all faults of p at once. If there are none, Build succeeds where the texts are
// embedded.
func Check(name string, p Params) error {
	d, err := find(name)
	if err != nil {
		return err
	}
	_, err = d.check(p)
	return err
}

// Build makes a program: the same Params always give the same bytes. Names are
// those of Names, in any case, and the short ones of the papers.
func Build(name string, p Params) (*workload.Program, error) {
	d, err := find(name)
	if err != nil {
		return nil, err
	}
	r, err := d.check(p)
	if err != nil {
		return nil, err
	}
	ptx, cuda, err := kernels.Text(d.file)
	if err != nil {
		return nil, err
	}
	buffers, launches := d.build(r)
	program := &workload.Program{
		Name: d.info.Name, Title: d.info.Title, File: d.file + ".ptx",
		PTX: []byte(ptx), CUDA: []byte(cuda),
		Buffers: buffers, Launches: launches, Metric: d.metric,
	}
	if d.loss != nil {
		program.Loss = d.loss(r)
	}
	if err := program.Validate(); err != nil {
		panic(err) // the generator is wrong
	}
	return program, nil
}

// check fills in the defaults of p, or reports every fault.
func (d *definition) check(p Params) (*request, error) {
	r := &request{number: d.number, size: p.Size, data: p.Data, seed: p.Seed, image: p.Image, threads: p.Threads}
	if r.size == 0 {
		r.size = d.info.DefaultSize
	}
	if r.data == "" {
		r.data = d.info.DataModes[0]
	}
	var faults []error
	faults = append(faults, d.size.check(d.info.Name, r.size))
	if !slices.Contains(d.info.DataModes, r.data) {
		faults = append(faults, fmt.Errorf("data %q: %s takes %s", r.data, d.info.Name, strings.Join(d.info.DataModes, ", ")))
	}
	if r.data == Suite && d.suite != "" {
		r.data = d.suite
	}
	if p.Image != nil {
		if d.info.AcceptsImage {
			faults = append(faults, p.Image.validate())
		} else {
			faults = append(faults, fmt.Errorf("image: %s does not work on an image", d.info.Name))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("workload: %w", err)
	}
	return r, nil
}
