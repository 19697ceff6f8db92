package experiment

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
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
	timed    []*ptx.Launch // those of the machine: launches, or the same with their instructions in another order
	buffers  []mem.Addr    // of Program.Buffers
	textures []ptx.Texture
	bound    []bool     // textures that the program can reach
	checks   *ptx.Order // of the host; nil = one launch follows the other
}

// load places a program's buffers, in order, and its module variables. It compiles the
// kernels. A placement other than 0 leaves gaps between buffers.
func load(p *workload.Program, base mem.Addr, spec *parameter.GPU) (*loaded, error) {
	if base == 0 {
		base = mem.DefaultBase
	}
	image, err := mem.NewImage(base, spec.MemoryBytes)
	if err != nil {
		return nil, err
	}
	l := &loaded{image: image, launches: make([]*ptx.Launch, len(p.Launches))}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if err := image.Skip(gapBytes(spec.Placement, i)); err != nil {
			return nil, err
		}
		a, err := image.Alloc(b.Name, b.Bytes)
		if err != nil {
			return nil, err
		}
		a.Safe, a.ThresholdBytes = b.Safe, b.ThresholdBytes
		l.buffers = append(l.buffers, a.Base)
		image.Write(a.Base, b.Init)
	}
	var modules []*module
	for i := range len(p.Modules) + 1 {
		m, err := l.loadModule(p, i)
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	for i := range p.Textures {
		if !l.bound[i] {
			t := &p.Textures[i]
			return nil, fmt.Errorf("the program has no .texref %s, and no argument passes tex:%s: correct the "+
				"texture's name, or remove it", t.Name, t.Name)
		}
	}
	for i, m := range modules {
		if err := l.compile(p, i, m); err != nil {
			return nil, err
		}
	}
	l.order(p, modules)
	if l.timed = l.launches; spec.Compile != ptx.CompileAsWritten {
		err = l.schedule(p, modules, spec)
	}
	return l, err
}

// gapBytes is the gap before a buffer: 0 to 255 units of an allocation [ours], so that buffers meet in other channels,
// banks, rows and sets of caches, whatever their sizes.
func gapBytes(placement, buffer int) uint64 {
	if placement == 0 {
		return 0
	}
	return mix(uint64(placement)<<32|uint64(buffer)) % 256 * mem.AllocationAlign
}

// mix spreads a number over all bits (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// module is a module of a program in device memory.
type module struct {
	*compile.Module
	file      string
	variables map[string]uint64 // addresses, and the handles of textures
}

func (m *module) address(name string) uint64 { return m.variables[name] }

// loadModule places the variables of a module.
func (l *loaded) loadModule(p *workload.Program, number int) (*module, error) {
	text := p.ModuleOf(number)
	compiled, err := compile.Load(text.File, text.PTX)
	if err != nil {
		return nil, err
	}
	m := &module{Module: compiled, file: text.File, variables: map[string]uint64{}}
	globals := m.Globals()
	for _, v := range globals {
		a, err := l.place(&v)
		if err != nil {
			return nil, err
		}
		m.variables[v.Name] = a.Base
	}
	l.bind(p, m)
	// A variable may be initialised with the address of any other.
	for _, v := range globals {
		l.image.Write(m.variables[v.Name], m.InitialData(v, m.address))
	}
	return m, nil
}

// place gives a variable its memory. The heap of malloc is one for all modules.
func (l *loaded) place(v *compile.Variable) (*mem.Allocation, error) {
	if !v.Provided {
		return l.image.Alloc(v.Name, v.Bytes)
	}
	all := l.image.Allocations()
	if i := slices.IndexFunc(all, func(a mem.Allocation) bool { return a.Sparse && a.Name == v.Name }); i >= 0 {
		return &all[i], nil
	}
	return l.image.AllocSparse(v.Name, v.Bytes)
}

// compile compiles the kernels that a module's launches name.
func (l *loaded) compile(p *workload.Program, number int, m *module) error {
	kernels := map[string]*ptx.Kernel{}
	for i := range p.Launches {
		s := &p.Launches[i]
		if s.Module != number {
			continue
		}
		k := kernels[s.Entry]
		if k == nil {
			var err error
			if k, err = compile.Kernel(m.Module, s.Entry, m.address); err != nil {
				return at(s, err, "")
			}
			for _, name := range k.Textures {
				if m.variables[name] == 0 {
					return fmt.Errorf("kernel %s reads the texture %s, which is not bound: add it to the "+
						"textures of the program", s.Entry, name)
				}
			}
			if k.Module = number; p.RoundProducts {
				k.RoundProducts()
			}
			kernels[s.Entry] = k
		}
		launch, err := l.launch(k, s, m)
		if err != nil {
			return err
		}
		launch.Streamed = p.Streams
		l.launches[i] = launch
	}
	return nil
}

// at gives an error the path of the launch in its scenario.
func at(s *workload.Launch, err error, part string) error {
	if s.Path == "" || err == nil {
		return err
	}
	return fault.At(s.Path+part, err.Error(), "")
}

// bind gives the program's textures their memory, and the .texref variables their handles. A
// texture without a variable must be passed by an argument.
func (l *loaded) bind(p *workload.Program, m *module) {
	if l.textures == nil {
		for i := range p.Textures {
			t := p.Textures[i].Texture
			t.Base = l.buffers[p.Textures[i].Buffer]
			l.textures = append(l.textures, t)
			l.bound = append(l.bound, passes(p, workload.TextureArg(i)))
		}
	}
	declared := m.Textures()
	for i := range l.textures {
		if name := l.textures[i].Name; slices.Contains(declared, name) {
			m.variables[name] = ptx.TextureHandle(i)
			l.bound[i] = true
		}
	}
}

// passes reports whether a launch has an argument, or a structure with its handle.
func passes(p *workload.Program, a workload.Arg) bool {
	return slices.ContainsFunc(p.Launches, func(l workload.Launch) bool {
		return slices.ContainsFunc(l.Args, func(b workload.Arg) bool {
			return a == b || b.Value != nil && slices.Contains(b.Value.Handles, a.Bits)
		})
	})
}

// order gives the checks of the host their addresses.
func (l *loaded) order(p *workload.Program, modules []*module) {
	if len(p.Checks) == 0 {
		return
	}
	l.checks = new(ptx.Order)
	for i := range p.Checks {
		given := &p.Checks[i]
		c := given.Check
		if given.Message == "" {
			c.Address = l.buffers[given.Buffer] + given.Offset
		} else {
			message := given.Message
			if c.Before > 0 {
				last := &p.Launches[c.Before-1]
				message += ", last after " + kernelPlace(modules[last.Module], last.Entry)
			}
			c.Fault = fault.At(given.Path, message, "allow more rounds, or correct the program")
		}
		l.checks.Checks = append(l.checks.Checks, c)
	}
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
func (l *loaded) launch(k *ptx.Kernel, s *workload.Launch, m *module) (*ptx.Launch, error) {
	where := kernelPlace(m, s.Entry)
	if len(s.Args) != len(k.Params) {
		return nil, at(s, fmt.Errorf("%s: %d arguments for %d parameters", where, len(s.Args), len(k.Params)), ".args")
	}
	params := make([]byte, k.ParamBytes)
	for i := range s.Args {
		data, err := l.pack(&s.Args[i], i, &k.Params[i])
		if err != nil {
			return nil, at(s, fmt.Errorf("%s: %w", where, err), fmt.Sprintf(".args[%d]", i))
		}
		copy(params[k.Params[i].Offset:], data)
	}
	launch := &ptx.Launch{Kernel: k, Grid: s.Grid, Block: s.BlockOn(k.ReqNTID, k.MaxNTID),
		DynamicSharedBytes: s.DynamicSharedBytes,
		Cluster:            s.Cluster, NonPortable: s.NonPortable, Params: params,
		Textures: l.textures, After: s.After, LinkBytes: s.LinkBytes}
	return launch, at(s, launch.Validate(), "")
}

// kernelPlace names a kernel with the line of its text.
func kernelPlace(m *module, entry string) string {
	for _, f := range m.Functions {
		if f.Name == entry && m.file != "" {
			return fmt.Sprintf("kernel %s (%s:%d)", entry, m.file, f.At.Line)
		} else if f.Name == entry {
			return fmt.Sprintf("kernel %s (line %d of the PTX)", entry, f.At.Line)
		}
	}
	return "kernel " + entry
}

// pack returns the bytes of argument i for its parameter.
func (l *loaded) pack(a *workload.Arg, i int, p *ptx.Param) ([]byte, error) {
	v, n := a.Bits, a.Bytes
	switch {
	case a.Value != nil:
		return l.packValue(a.Value, i, p)
	case a.Buffer >= 0:
		v, n = l.buffers[a.Buffer]+a.Bits, p.Bytes
		if n != 4 && n != 8 {
			return nil, fmt.Errorf("parameter %d (%s) has %d bytes: a buffer's address needs 4 or 8%s", i, p.Name, n,
				structMend(p))
		}
	case n != p.Bytes:
		return nil, fmt.Errorf("parameter %d (%s, %s) has %d bytes, the argument %d: use a SPEC of the "+
			"parameter's type%s", i, p.Name, p.Type, p.Bytes, n, structMend(p))
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], v)
	return word[:n], nil
}

// structMend says how a parameter of many bytes gets its value.
func structMend(p *ptx.Param) string {
	if p.Bytes <= 8 {
		return ""
	}
	return fmt.Sprintf(". The kernel takes %d bytes by value: pass struct:{...}, hex:... or bytes:FILE", p.Bytes)
}

func (l *loaded) packValue(v *workload.ByValue, i int, p *ptx.Param) ([]byte, error) {
	data := v.Pack(l.buffers)
	if full := (len(data) + p.Align - 1) / p.Align * p.Align; len(data) == p.Bytes || !v.Exact && full == p.Bytes {
		return data, nil
	}
	return nil, fmt.Errorf("parameter %d (%s) takes %d bytes by value, aligned to %d, but the argument has %d: "+
		"give all of them; zeros:N are N bytes of padding", i, p.Name, p.Bytes, p.Align, len(data))
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
