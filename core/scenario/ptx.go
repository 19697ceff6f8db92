package scenario

import (
	"cmp"
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

// LaunchProgrammatic is the value of PTX.Launch for grids that may begin before those in front of them have ended, and
// then wait for them (programmatic dependent launch; PTX ISA, griddepcontrol).
const LaunchProgrammatic = "programmatic"

// LaunchNonPortable is the value of PTX.Launch for clusters of more than eight CTAs, which not every GPU has.
const LaunchNonPortable = "nonPortable"

// maxRepeat bounds the launches of one program.
const maxRepeat = 1 << 16

// maxArgs bounds a kernel's arguments: PTX allows 4352 bytes of parameters.
const maxArgs = 512

// maxBuffers bounds the buffers that no argument passes [ours].
const maxBuffers = 512

// maxBase leaves room above the base in 48-bit addresses. Integers of JavaScript and the
// GPUs of the presets hold such addresses.
const maxBase = 1 << 40

func (p *PTX) validate(e *fault.Errors) {
	const path = "workload.ptx"
	if p.Source == "" {
		e.Add(path+".source", "the program is missing", "give the text of a PTX file")
	}
	switch {
	case p.Entry == "" && len(p.Launches) == 0:
		e.Add(path+".entry", "the kernel's name is missing", "name a .entry of the program, or give a list of launches")
	case p.Entry != "" && len(p.Launches) > 0:
		e.Add(path+".entry", "the program has a kernel and a list of launches", "keep one of them")
	}
	p.validateModules(e, path+".modules")
	checkExtent(e, path+".grid", p.Grid)
	checkExtent(e, path+".block", p.Block)
	checkExtent(e, path+".cluster", p.Cluster)
	e.Range(path+".shared", p.Shared, 0, workload.MaxDynamicSharedBytes, " bytes")
	if p.FMA != "" {
		e.Word(path+".fma", p.FMA, []string{FMARoundedProduct})
	}
	if p.Launch != "" {
		e.Word(path+".launch", p.Launch, []string{LaunchCooperative, LaunchProgrammatic, LaunchNonPortable})
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
	if len(p.Buffers) > maxBuffers {
		e.Add(path+".buffers", fmt.Sprintf("%d buffers", len(p.Buffers)), fmt.Sprintf("use at most %d", maxBuffers))
		return
	}
	for i := range p.Buffers {
		at := fmt.Sprintf("%s.buffers[%d]", path, i)
		p.Buffers[i].validate(e, at)
		if spec, err := argument.Parse(p.Buffers[i].Spec); err == nil && !spec.IsBuffer() {
			e.Add(at+".spec", fault.Quote(p.Buffers[i].Spec)+" is not a buffer",
				"write in:NAME, out:NAME:BYTES, inout:NAME:NAME or scratch:NAME:BYTES")
		}
	}
	p.validateTextures(e, path+".textures")
	for k, i := range p.Safe {
		at := fmt.Sprintf("%s.safe[%d]", path, k)
		if !p.numbersBuffer(i) {
			e.Add(at, fmt.Sprintf("argument %d is not a buffer", i), "number buffers among the arguments, from 0")
		} else if slices.Contains(p.Safe[:k], i) {
			e.Add(at, fmt.Sprintf("argument %d is named twice", i), "name it once")
		}
	}
	if len(e.List) == 0 && p.hasHost() {
		p.build(e, new(workload.Program))
		if len(e.List) == 0 && p.name() == "" {
			e.Add(path+".launches", "no step launches a kernel", "add a step with entry: NAME")
		}
	}
}

// numbersBuffer reports whether number i belongs to a buffer, among arguments and then buffers.
func (p *PTX) numbersBuffer(i int) bool {
	return i >= 0 && (i < len(p.Args) && p.Args[i].isBuffer() || i >= len(p.Args) && i-len(p.Args) < len(p.Buffers))
}

// hasHost reports whether the program has more than launches of one kernel with the same arguments, so that it must
// be written out to be checked.
func (p *PTX) hasHost() bool {
	return len(p.Launches) > 0 || slices.ContainsFunc(p.Args, func(a Arg) bool {
		spec, err := argument.Parse(a.Spec)
		return err == nil && (spec.Kind == argument.Formula || spec.Kind == argument.Pointer ||
			spec.Kind == argument.Bytes || spec.Kind == argument.Value || spec.Kind == argument.TensorMap)
	})
}

func (p *PTX) validateModules(e *fault.Errors, path string) {
	if len(p.Modules) > maxModules {
		e.Add(path, fmt.Sprintf("%d modules", len(p.Modules)), fmt.Sprintf("use at most %d", maxModules))
	}
	for i := range p.Modules {
		m, at := &p.Modules[i], fmt.Sprintf("%s[%d]", path, i)
		same := func(other Module) bool { return other.Name == m.Name }
		switch {
		case m.Name == "":
			e.Add(at+".name", "the module has no name", "give one; a launch names it with module")
		case slices.ContainsFunc(p.Modules[:i], same):
			e.Add(at+".name", "two modules have the name "+fault.Quote(m.Name), "give each a name of its own")
		}
		if m.Source == "" {
			e.Add(at+".source", "the module is empty", "give the text of a PTX file")
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
	reads := spec.Reads()
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
		e.Add(path+".element", fmt.Sprintf("%d bytes are not a multiple of %s", b.Bytes, a.Element), "use another type or size")
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

// name is the name of the kernel, or of the first one that the host launches.
func (p *PTX) name() string {
	if p.Entry != "" {
		return p.Entry
	}
	return firstEntry(p.Launches)
}

func firstEntry(steps []HostStep) string {
	for i := range steps {
		name := steps[i].Entry
		if name == "" && steps[i].Loop != nil {
			name = firstEntry(steps[i].Loop.Steps)
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// program returns a user program in the form that runs: buffers in the order of the
// arguments, and all launches in one context. Loading it checks that the arguments fit
// the kernel's parameters.
func (p *PTX) program() (*workload.Program, error) {
	name := cmp.Or(p.name(), "ptx") // validate reports a program without a kernel
	program := &workload.Program{
		Name: name, Title: name, File: p.File, PTX: []byte(p.Source),
		Metric: workload.MetricMissRate, RoundProducts: p.FMA == FMARoundedProduct,
	}
	if p.Metric != "" {
		var err error
		if program.Metric, err = workload.ParseMetric(p.Metric); err != nil {
			return nil, err
		}
	}
	for i := range p.Modules {
		m := &p.Modules[i]
		program.Modules = append(program.Modules, workload.Module{Name: m.Name, File: m.File, PTX: []byte(m.Source)})
	}
	var e fault.Errors
	p.build(&e, program)
	if err := e.OrNil(); err != nil {
		return nil, err
	}
	return program, program.Validate()
}

// build gives a program its buffers, textures and launches.
func (p *PTX) build(e *fault.Errors, program *workload.Program) {
	b := newHostBuilder(p, e, program)
	for k, list := range [][]Arg{p.Args, p.Buffers} {
		for i := range list {
			path := fmt.Sprintf("workload.ptx.%s[%d]", [...]string{"args", "buffers"}[k], i)
			if spec, err := argument.Parse(list[i].Spec); err != nil {
				e.Add(path+".spec", err.Error(), "")
			} else if spec.IsBuffer() {
				b.buffer(&spec, &list[i], i, slices.Contains(p.Safe, k*len(p.Args)+i), path)
			}
		}
	}
	b.run()
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
