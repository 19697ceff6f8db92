package scenario

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/argument"
)

// FMARoundedProduct is the value of PTX.FMA that rounds products before adding.
const FMARoundedProduct = "rounded-product"

// LaunchCooperative is the value of PTX.Launch for a grid whose CTAs must all be resident together.
const LaunchCooperative = "cooperative"

// maxRepeat bounds the launches of one program.
const maxRepeat = 1 << 16

// maxArgs bounds a kernel's arguments: PTX allows 4352 bytes of parameters.
const maxArgs = 512

// maxBase leaves room above the base in 48-bit addresses. Integers of JavaScript and the
// GPUs of the presets hold such addresses.
const maxBase = 1 << 40

func (p *PTX) validate(e *fault.Errors) {
	const path = "workload.ptx"
	if p.Source == "" {
		e.Add(path+".source", "the program is missing", "give the text of a PTX file")
	}
	if p.Entry == "" {
		e.Add(path+".entry", "the kernel's name is missing", "name a .entry of the program")
	}
	checkExtent(e, path+".grid", p.Grid)
	checkExtent(e, path+".block", p.Block)
	e.Range(path+".shared", p.Shared, 0, 96<<10, " bytes")
	if p.FMA != "" {
		e.Word(path+".fma", p.FMA, []string{FMARoundedProduct})
	}
	if p.Launch != "" {
		e.Word(path+".launch", p.Launch, []string{LaunchCooperative})
	}
	e.Range(path+".repeat", p.Repeat, 0, maxRepeat, " launches")
	if p.Base != 0 && (p.Base < mem.MinBase || p.Base > maxBase || p.Base%mem.AllocationAlign != 0) {
		e.Add(path+".base", fmt.Sprintf("device memory cannot start at %#x", p.Base),
			fmt.Sprintf("use a multiple of %d from %#x to %#x", mem.AllocationAlign, mem.MinBase, uint64(maxBase)))
	}
	if p.Metric != "" {
		e.Word(path+".metric", p.Metric, workload.Metrics())
	}
	if len(p.Args) > maxArgs {
		e.Add(path+".args", fmt.Sprintf("%d arguments", len(p.Args)), fmt.Sprintf("use at most %d", maxArgs))
		return
	}
	for i := range p.Args {
		p.Args[i].validate(e, fmt.Sprintf("%s.args[%d]", path, i))
	}
	p.validateTextures(e, path+".textures")
	for k, i := range p.Safe {
		at := fmt.Sprintf("%s.safe[%d]", path, k)
		if i < 0 || i >= len(p.Args) || !p.Args[i].isBuffer() {
			e.Add(at, fmt.Sprintf("argument %d is no buffer", i), "number buffers among the arguments, from 0")
		} else if slices.Contains(p.Safe[:k], i) {
			e.Add(at, fmt.Sprintf("argument %d is named twice", i), "name it once")
		}
	}
}

func (a *Arg) isBuffer() bool {
	spec, err := argument.Parse(a.Spec)
	return err == nil && spec.IsBuffer()
}

func (a *Arg) validate(e *fault.Errors, path string) {
	spec, err := argument.Parse(a.Spec)
	if err != nil {
		e.Add(path+".spec", err.Error(), "")
		return
	}
	reads := spec.Kind == argument.In || spec.Kind == argument.InOut
	if reads && len(a.Data) == 0 {
		e.Add(path+".data", "the buffer "+fault.Quote(spec.In)+" is empty", "give its contents")
	}
	if !reads && len(a.Data) > 0 {
		e.Add(path+".data", "the argument takes no contents", "remove them or use in: or inout:")
	}
	if a.Element == "" {
		return
	}
	b := spec.Buffer(0, a.Data)
	if element, err := workload.ParseElement(a.Element); err != nil {
		e.Word(path+".element", a.Element, workload.ElementNames())
	} else if !spec.IsBuffer() {
		e.Add(path+".element", "the argument has no elements", "remove it or use a buffer")
	} else if b.Bytes%uint64(element.Bytes()) != 0 {
		e.Add(path+".element", fmt.Sprintf("%d bytes are no whole number of %s", b.Bytes, a.Element), "use another type or size")
	}
}

// checkExtent checks a grid or block. The workload checks the limits of the machine.
func checkExtent(e *fault.Errors, path string, extent []int) {
	if len(extent) > 3 {
		e.Add(path, fmt.Sprintf("%d numbers", len(extent)), "give x, x,y or x,y,z")
		return
	}
	for i, n := range extent {
		if n < 1 {
			e.Add(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%d is below 1", n), "use 1 or more")
		}
	}
}

// program returns a user program in the form that runs: buffers in the order of the
// arguments, and all launches in one context. Loading it checks that the arguments fit
// the kernel's parameters.
func (p *PTX) program() (*workload.Program, error) {
	program := &workload.Program{
		Name: p.Entry, Title: p.Entry, File: p.File, PTX: []byte(p.Source),
		Metric: workload.MetricMissRate, RoundProducts: p.FMA == FMARoundedProduct,
	}
	if p.Metric != "" {
		var err error
		if program.Metric, err = workload.ParseMetric(p.Metric); err != nil {
			return nil, err
		}
	}
	args := make([]workload.Arg, len(p.Args))
	var numbered []int // arguments that hold the launch number
	for i, a := range p.Args {
		spec, err := argument.Parse(a.Spec)
		if err != nil {
			return nil, err
		}
		switch spec.Kind {
		case argument.Launch:
			numbered = append(numbered, i)
			fallthrough
		case argument.Scalar:
			args[i] = workload.Arg{Buffer: -1, Bits: spec.Bits, Bytes: spec.Bytes}
		case argument.Texture:
			args[i] = workload.TextureArg(p.textureIndex(spec.In))
		default:
			args[i] = workload.BufferArg(len(program.Buffers))
			b := spec.Buffer(i, a.Data)
			b.Safe = slices.Contains(p.Safe, i)
			if a.Element != "" {
				if b.Element, err = workload.ParseElement(a.Element); err != nil {
					return nil, err
				}
			}
			program.Buffers = append(program.Buffers, b)
		}
	}
	p.bindTextures(program)
	for n := range max(p.Repeat, 1) {
		launch := workload.Launch{
			Entry: p.Entry, Grid: extent(p.Grid), Block: extent(p.Block),
			DynamicSharedBytes: p.Shared, Args: append([]workload.Arg(nil), args...), Cooperative: p.Launch == LaunchCooperative,
		}
		for _, i := range numbered {
			a := &launch.Args[i]
			a.Bits = uint64(n) & (^uint64(0) >> (64 - 8*a.Bytes))
		}
		program.Launches = append(program.Launches, launch)
	}
	return program, program.Validate()
}

// extent completes a grid or block with ones.
func extent(given []int) [3]uint32 {
	full := [3]uint32{1, 1, 1}
	for i, n := range given {
		if i < len(full) {
			full[i] = uint32(n)
		}
	}
	return full
}
