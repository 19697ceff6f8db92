package experiment

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/workload"
)

// loaded is a program in device memory, ready to launch. Running a launch does not
// change it, and images share unwritten pages, so copy is a cheap start for another run.
type loaded struct {
	image    *mem.Image
	launches []*ptx.Launch
	buffers  []mem.Addr // of Program.Buffers
	textures []ptx.Texture
}

// load places a program's buffers, in order, and its module variables. It compiles the
// kernels.
func load(p *workload.Program, base mem.Addr, limitBytes uint64) (*loaded, error) {
	if base == 0 {
		base = mem.DefaultBase
	}
	image, err := mem.NewImage(base, limitBytes)
	if err != nil {
		return nil, err
	}
	l := &loaded{image: image}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		a, err := image.Alloc(b.Name, b.Bytes)
		if err != nil {
			return nil, err
		}
		a.Safe, a.ThresholdBytes = b.Safe, b.ThresholdBytes
		l.buffers = append(l.buffers, a.Base)
		image.Write(a.Base, b.Init)
	}
	module, err := compile.Load(p.File, p.PTX)
	if err != nil {
		return nil, err
	}
	variables := map[string]uint64{}
	globals := module.Globals()
	for _, v := range globals {
		a, err := image.Alloc(v.Name, v.Bytes)
		if err != nil {
			return nil, err
		}
		variables[v.Name] = a.Base
	}
	if err := l.bind(p, module, variables); err != nil {
		return nil, err
	}
	address := func(name string) uint64 { return variables[name] }
	// A variable may be initialised with the address of any other.
	for _, v := range globals {
		image.Write(variables[v.Name], module.InitialData(v, address))
	}
	kernels := map[string]*ptx.Kernel{}
	for i := range p.Launches {
		s := &p.Launches[i]
		k := kernels[s.Entry]
		if k == nil {
			if k, err = compile.Kernel(module, s.Entry, address); err != nil {
				return nil, err
			}
			for _, name := range k.Textures {
				if variables[name] == 0 {
					return nil, fmt.Errorf("kernel %s reads the texture %s, which is not bound: add it to the textures of the program", s.Entry, name)
				}
			}
			if p.RoundProducts {
				k.RoundProducts()
			}
			kernels[s.Entry] = k
		}
		launch, err := l.launch(k, s)
		if err != nil {
			return nil, fmt.Errorf("launch %d of %s: %w", i, s.Entry, err)
		}
		l.launches = append(l.launches, launch)
	}
	return l, nil
}

// bind gives the program's textures their memory, and the .texref variables their handles. A
// texture without a variable must be passed by an argument.
func (l *loaded) bind(p *workload.Program, module *compile.Module, handles map[string]uint64) error {
	declared := module.Textures()
	for i := range p.Textures {
		t := p.Textures[i].Texture
		t.Base = l.buffers[p.Textures[i].Buffer]
		l.textures = append(l.textures, t)
		if slices.Contains(declared, t.Name) {
			handles[t.Name] = ptx.TextureHandle(i)
		} else if !passes(p, workload.TextureArg(i)) {
			return fmt.Errorf("the program has no .texref %s, and no argument passes tex:%s: correct the texture's name, or remove it", t.Name, t.Name)
		}
	}
	return nil
}

// passes reports whether a launch has an argument.
func passes(p *workload.Program, a workload.Arg) bool {
	return slices.ContainsFunc(p.Launches, func(l workload.Launch) bool { return slices.Contains(l.Args, a) })
}

// copy returns the program as loaded, with its own image.
func (l *loaded) copy() *loaded {
	c := *l
	c.image = new(mem.Image)
	c.image.CopyFrom(l.image)
	return &c
}

// observeCopies shows o every block that the host copies into the program's buffers
// before the first launch, in order. The rest of a block's bytes are as in memory: zeros.
func (l *loaded) observeCopies(p *workload.Program, o memctrl.Observer) {
	var line mem.Line
	for i := range p.Buffers {
		first := l.buffers[i] / mem.LineBytes * mem.LineBytes
		for a := first; a < l.buffers[i]+mem.Addr(len(p.Buffers[i].Init)); a += mem.LineBytes {
			l.image.ReadLine(a, &line)
			o.Observe(&line)
		}
	}
}

// launch packs the arguments of one launch in the types of the kernel's parameters.
func (l *loaded) launch(k *ptx.Kernel, s *workload.Launch) (*ptx.Launch, error) {
	if len(s.Args) != len(k.Params) {
		return nil, fmt.Errorf("%d arguments for %d parameters", len(s.Args), len(k.Params))
	}
	params := make([]byte, k.ParamBytes)
	for i, a := range s.Args {
		p := &k.Params[i]
		v, n := a.Bits, a.Bytes
		if a.Buffer >= 0 {
			v, n = l.buffers[a.Buffer], p.Bytes
			if n != 4 && n != 8 {
				return nil, fmt.Errorf("parameter %d (%s) has %d bytes: a buffer's address needs 4 or 8", i, p.Name, n)
			}
		}
		if n != p.Bytes {
			return nil, fmt.Errorf("parameter %d (%s, %s) has %d bytes, the argument %d: use a SPEC of the parameter's type", i, p.Name, p.Type, p.Bytes, n)
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], v)
		copy(params[p.Offset:p.Offset+n], word[:])
	}
	launch := &ptx.Launch{Kernel: k, Grid: s.Grid, Block: s.Block, DynamicSharedBytes: s.DynamicSharedBytes, Params: params, Textures: l.textures}
	return launch, launch.Validate()
}

// outputs copies the program's output buffers with the given reader.
func (l *loaded) outputs(p *workload.Program, read func(a mem.Addr, dst []byte)) [][]byte {
	var out [][]byte
	for _, i := range p.Outputs() {
		b := make([]byte, p.Buffers[i].Bytes)
		read(l.buffers[i], b)
		out = append(out, b)
	}
	return out
}
