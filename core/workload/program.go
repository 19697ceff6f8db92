// Package workload describes a program that a machine runs: its kernels, its buffers
// and launches, and the metric that says how far an approximated output is from the
// exact one. Package programs below this one holds the programs that are shipped.
package workload

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Arg is one kernel argument: a buffer's address or a scalar.
type Arg struct {
	Buffer int      // index into Program.Buffers, -1 for a scalar
	Bits   uint64   // the scalar's bits, little end first; the byte of the buffer whose address is passed
	Bytes  int      // size of the parameter: 1, 2, 4 or 8; 8 for a buffer
	Value  *ByValue // passed in place of a scalar; nil = a scalar
}

// BufferArg passes the address of buffer i.
func BufferArg(i int) Arg { return BufferAt(i, 0) }

// BufferAt passes the address of a byte of buffer i.
func BufferAt(i int, offset uint64) Arg { return Arg{Buffer: i, Bits: offset, Bytes: 8} }

// U32, S32, U64, F32 and F64 pass a scalar.
func U32(v uint32) Arg  { return Arg{Buffer: -1, Bits: uint64(v), Bytes: 4} }
func S32(v int32) Arg   { return Arg{Buffer: -1, Bits: uint64(uint32(v)), Bytes: 4} }
func U64(v uint64) Arg  { return Arg{Buffer: -1, Bits: v, Bytes: 8} }
func F32(v float32) Arg { return Arg{Buffer: -1, Bits: uint64(math.Float32bits(v)), Bytes: 4} }
func F64(v float64) Arg { return Arg{Buffer: -1, Bits: math.Float64bits(v), Bytes: 8} }

// Launch starts one kernel. Launches run one after the other.
type Launch struct {
	Entry              string
	Grid, Block        [3]uint32
	DynamicSharedBytes int
	Cluster            [3]uint32 // CTAs of a cluster; zeros leave it to the kernel
	NonPortable        bool      // a cluster may have more than eight CTAs
	Args               []Arg
	Module             int    // of the program (Program.ModuleOf)
	Path               string // in the scenario, for messages; empty for a shipped program
	// Cooperative says that all CTAs must be resident together, as after cudaLaunchCooperativeKernel.
	Cooperative bool
	// After are the launches that must have ended before this one begins, if the program has streams (Program.Streams).
	After []int32
	// LinkBytes of a copy come from the host.
	LinkBytes uint64
	// OpenBlock says that the program names no block: the kernel's directives do (BlockOn).
	OpenBlock bool
	// Programmatic says that it may begin before the launch in front of it has ended. Here it does not.
	Programmatic bool
}

// Element is the type of a buffer's elements.
type Element uint8

const (
	ElementU8 Element = iota
	ElementS8
	ElementU16
	ElementS16
	ElementU32
	ElementS32
	ElementF32
	ElementU64
	ElementS64
	ElementF64
	ElementF16
	ElementBF16
	ElementE4M3 // fp8 without infinities
	numElements
)

var elementTable = [numElements]struct {
	name  string
	bytes int
}{
	{"u8", 1}, {"s8", 1}, {"u16", 2}, {"s16", 2}, {"u32", 4}, {"s32", 4}, {"f32", 4}, {"u64", 8}, {"s64", 8}, {"f64", 8},
	{"f16", 2}, {"bf16", 2}, {"e4m3", 1},
}

// Bytes returns the size of one element.
func (e Element) Bytes() int {
	if e >= numElements {
		return 1
	}
	return elementTable[e].bytes
}

// String returns the PTX name of the type.
func (e Element) String() string {
	if e >= numElements {
		return fmt.Sprintf("Element(%d)", uint8(e))
	}
	return elementTable[e].name
}

// ElementNames returns all names, in order.
func ElementNames() []string {
	names := make([]string, numElements)
	for i := range names {
		names[i] = elementTable[i].name
	}
	return names
}

// ParseElement is the inverse of String.
func ParseElement(s string) (Element, error) {
	for i, name := range ElementNames() {
		if s == name {
			return Element(i), nil
		}
	}
	return 0, fmt.Errorf("workload: element %q: want one of %v", s, ElementNames())
}

// Buffer is one allocation of device memory.
type Buffer struct {
	Name  string
	Bytes uint64
	Init  []byte // the host copies it in; the rest of the buffer is zeros

	Safe           bool // may be approximated (SLC section IV-C: the extended cudaMalloc)
	ThresholdBytes int  // lossy threshold, 0 for the scheme's

	Output  bool   // compared by Quality
	Results int    // elements at its start that are results, if not all of an output are; 0 = all
	File    string // that the host writes an output to, in a user's program
	Element Element

	// An image of Width x Height elements, if both are above 0. The 8-bit pixel of
	// an element v is v*ImageScale + ImageOffset, rounded and clamped.
	Width, Height           int
	ImageOffset, ImageScale float64
}

// IsImage reports whether the buffer can be shown as a picture.
func (b *Buffer) IsImage() bool { return b.Width > 0 && b.Height > 0 }

// AsSafe returns b as a buffer that may be approximated.
func (b Buffer) AsSafe() Buffer { b.Safe = true; return b }

// AsOutput returns b as a buffer that Quality compares.
func (b Buffer) AsOutput() Buffer { b.Output = true; return b }

// AsImage returns b as an image of width x height elements.
func (b Buffer) AsImage(width, height int, offset, scale float64) Buffer {
	b.Width, b.Height, b.ImageOffset, b.ImageScale = width, height, offset, scale
	return b
}

// Program is kernels with their inputs: what a machine runs.
type Program struct {
	Name, Title string
	File        string // name of the PTX, for messages
	PTX         []byte
	CUDA        []byte // its source, if known
	Buffers     []Buffer
	Launches    []Launch
	// Modules are beside PTX, and Checks are what the host reads back between launches.
	Modules []Module
	Checks  []Check
	// Streams says that launches may overlap, by their After.
	Streams  bool
	Textures []Texture
	Metric   Metric
	Loss     Loss // of RFVP
	// RoundProducts computes fma as GPGPU-Sim does (ptx.Kernel.RoundProducts).
	RoundProducts bool
}

// Outputs returns the indices of the output buffers in buffer order.
func (p *Program) Outputs() []int {
	var out []int
	for i := range p.Buffers {
		if p.Buffers[i].Output {
			out = append(out, i)
		}
	}
	return out
}

// results returns the part of each output that holds results.
func (p *Program) results(outputs [][]byte) [][]byte {
	list := slices.Clone(outputs)
	for k, i := range p.Outputs() {
		if b := &p.Buffers[i]; k < len(list) && b.Results > 0 {
			list[k] = list[k][:min(b.Results*b.Element.Bytes(), len(list[k]))]
		}
	}
	return list
}

// FootprintBytes is the device memory the buffers take.
func (p *Program) FootprintBytes() uint64 {
	var n uint64
	for i := range p.Buffers {
		n += p.Buffers[i].Bytes
	}
	return n
}

// MaxFootprintBytes bounds the buffers of one program. A program from outside must not
// ask for more than a page can hold [ours].
const MaxFootprintBytes = 1 << 30

// Validate reports every fault that shows without parsing the PTX.
func (p *Program) Validate() error {
	var faults []error
	fault := func(format string, a ...any) { faults = append(faults, fmt.Errorf("workload: "+format, a...)) }
	if p.Name == "" {
		fault("name is empty")
	}
	if len(p.PTX) == 0 {
		fault("ptx is empty: give the text of a PTX module")
	}
	if p.Metric >= numMetrics {
		fault("metric is %d, want one of %v", p.Metric, Metrics())
	}
	var footprintBytes uint64
	for i := range p.Buffers {
		p.Buffers[i].validate(i, fault)
		if n := p.Buffers[i].Bytes; n > MaxFootprintBytes-footprintBytes {
			fault("buffers[%d]: all buffers together are larger than %d bytes", i, uint64(MaxFootprintBytes))
			break
		}
		footprintBytes += p.Buffers[i].Bytes
	}
	for i := range p.Textures {
		p.Textures[i].validate(i, p, fault)
	}
	if len(p.Launches) == 0 {
		fault("launches is empty: give at least one")
	}
	p.validateHost(fault)
	for i := range p.Launches {
		p.Launches[i].validate(i, len(p.Buffers), fault)
	}
	return errors.Join(faults...)
}

func (b *Buffer) validate(i int, fault func(string, ...any)) {
	if b.Bytes == 0 {
		fault("buffers[%d] %q: bytes is 0", i, b.Name)
	}
	if uint64(len(b.Init)) > b.Bytes {
		fault("buffers[%d] %q: init has %d bytes, but the buffer has %d", i, b.Name, len(b.Init), b.Bytes)
	}
	if b.Element >= numElements {
		fault("buffers[%d] %q: element is %d, want less than %d", i, b.Name, b.Element, numElements)
		return
	}
	if b.Bytes%uint64(b.Element.Bytes()) != 0 {
		fault("buffers[%d] %q: %d bytes must be a whole number of %v elements", i, b.Name, b.Bytes, b.Element)
	}
	if n := b.Bytes / uint64(b.Element.Bytes()); b.Results < 0 || uint64(b.Results) > n {
		fault("buffers[%d] %q: results are %d elements, want 0 to %d", i, b.Name, b.Results, n)
	}
	if b.ThresholdBytes < 0 || b.ThresholdBytes > 128 {
		fault("buffers[%d] %q: threshold is %d bytes, want 0 to 128", i, b.Name, b.ThresholdBytes)
	}
	if b.Width < 0 || b.Height < 0 || (b.Width > 0) != (b.Height > 0) {
		fault("buffers[%d] %q: image of %d x %d, want both above 0 or both 0", i, b.Name, b.Width, b.Height)
		return
	}
	if b.IsImage() && uint64(b.Width) > b.Bytes/uint64(b.Element.Bytes())/uint64(b.Height) {
		fault("buffers[%d] %q: an image of %d x %d %v does not fit into %d bytes", i, b.Name, b.Width, b.Height, b.Element, b.Bytes)
	}
	if badNumber(b.ImageOffset) || badNumber(b.ImageScale) {
		fault("buffers[%d] %q: image offset and scale must be finite", i, b.Name)
	}
}

// MaxThreadsPerCTA and the grid and block limits come from compute capability
// 3.0 and later (CUDA C++ Programming Guide, technical specifications).
const (
	MaxThreadsPerCTA = 1024
	maxBlockZ        = 64
	maxGridX         = 1<<31 - 1
	maxGridYZ        = 65535
	// MaxDynamicSharedBytes is of compute capability 9.0 (CUDA C++ Programming Guide); the machine may have less.
	MaxDynamicSharedBytes = 227 << 10
	maxParameterBytes     = 32764 // of a kernel (PTX ISA 8.1, kernel function parameters)
)

func (l *Launch) validate(i, buffers int, fault func(string, ...any)) {
	if l.Entry == "" {
		fault("launches[%d]: entry is empty: name a kernel of the PTX", i)
	}
	l.Check(func(message string) { fault("launches[%d]: %s", i, message) })
	for j, a := range l.Args {
		switch {
		case a.Buffer < -1 || a.Buffer >= buffers:
			fault("launches[%d].args[%d]: buffer %d, want 0 to %d, or -1 for a scalar", i, j, a.Buffer, buffers-1)
		case a.Value != nil:
			a.Value.validate(buffers, func(message string) { fault("launches[%d].args[%d]: %s", i, j, message) })
		case a.Buffer >= 0 && a.Bytes != 8:
			fault("launches[%d].args[%d]: a buffer's address has 8 bytes, not %d", i, j, a.Bytes)
		case a.Bytes != 1 && a.Bytes != 2 && a.Bytes != 4 && a.Bytes != 8:
			fault("launches[%d].args[%d]: a scalar of %d bytes, want 1, 2, 4 or 8", i, j, a.Bytes)
		case a.Bytes < 8 && a.Bits>>(8*a.Bytes) != 0:
			fault("launches[%d].args[%d]: %#x does not fit into %d bytes", i, j, a.Bits, a.Bytes)
		}
	}
}

// Check reports faults of grid, block and shared memory.
func (l *Launch) Check(report func(message string)) {
	if l.Grid[0] < 1 || l.Grid[0] > maxGridX || l.Grid[1] < 1 || l.Grid[1] > maxGridYZ || l.Grid[2] < 1 ||
		l.Grid[2] > maxGridYZ {
		report(fmt.Sprintf("grid is %v, want 1 to %d, 1 to %d, 1 to %d", l.Grid, maxGridX, maxGridYZ, maxGridYZ))
	}
	if l.Block[0] < 1 || l.Block[0] > MaxThreadsPerCTA || l.Block[1] < 1 || l.Block[1] > MaxThreadsPerCTA ||
		l.Block[2] < 1 || l.Block[2] > maxBlockZ ||
		uint64(l.Block[0])*uint64(l.Block[1])*uint64(l.Block[2]) > MaxThreadsPerCTA {
		report(fmt.Sprintf("block is %v, want at most %d threads, at most %d in z", l.Block, MaxThreadsPerCTA,
			maxBlockZ))
	}
	if l.DynamicSharedBytes < 0 || l.DynamicSharedBytes > MaxDynamicSharedBytes {
		report(fmt.Sprintf("%d bytes of dynamic shared memory, want 0 to %d", l.DynamicSharedBytes,
			MaxDynamicSharedBytes))
	}
}

// BlockOn returns the block of the launch on a kernel with these directives, zeros for none. A launch without a block
// has that of .reqntid, or else of .maxntid, as burstscope exec has it.
func (l *Launch) BlockOn(reqntid, maxntid [3]uint32) [3]uint32 {
	switch {
	case l.OpenBlock && reqntid[0] != 0:
		return reqntid
	case l.OpenBlock && maxntid[0] != 0:
		return maxntid
	}
	return l.Block
}

func badNumber(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
