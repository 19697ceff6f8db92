package compile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// Variable is a module-scope variable that the loader places in memory.
type Variable struct {
	Name  string
	Space ptx.Space
	Bytes uint64
	Align uint64
	// Init is the start of the initial value; the rest is zero. Addresses in it
	// are left out: Module.InitialData fills them in.
	Init []byte
	// Provided says that the variable is of the library (syntax/library.ptx). The modules of a program have it
	// together, and little of it may be used.
	Provided bool

	variable *syntax.Variable
}

// Module is a PTX translation unit whose instructions are all supported.
type Module struct {
	syntax.Module
	phase phase
}

// Load reads a PTX module and checks all of it. The error is of type syntax.Errors.
// It lists every fault and every unsupported instruction with line and column.
func Load(file string, src []byte) (*Module, error) {
	rep := &syntax.Reporter{File: file}
	m := &Module{Module: *syntax.Parse(rep, file, src)}
	if !rep.Broken {
		m.resolve(rep)
		for _, fn := range m.Functions {
			if fn.Defined && !rep.Full() {
				selectFunction(rep, m, fn, nil)
			}
		}
	}
	if len(rep.List) == 0 {
		return m, nil
	}
	slices.SortStableFunc(rep.List, func(a, b *syntax.Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return nil, rep.List
}

// Entries returns the names of the kernels, in the order of the text.
func (m *Module) Entries() []string {
	var names []string
	for _, fn := range m.Functions {
		if fn.Entry && fn.Defined {
			names = append(names, fn.Name)
		}
	}
	return names
}

// Globals returns the .global variables the loader must place in device memory.
func (m *Module) Globals() []Variable {
	var list []Variable
	for _, v := range m.Variables {
		if v.Space == ptx.SpaceGlobal && v.Bytes > 0 && !v.Texture {
			list = append(list, Variable{Name: loaderName(v), Space: v.Space, Bytes: v.Bytes, Align: v.Align,
				Init: initialData(v, nil), Provided: v.Provided, variable: v})
		}
	}
	return list
}

// Textures returns the names of the .texref variables, which need no memory.
func (m *Module) Textures() []string {
	var names []string
	for _, v := range m.Variables {
		if v.Texture {
			names = append(names, v.Name)
		}
	}
	return names
}

// InitialData returns the initial value of a variable, with the addresses in it
// filled in. If it is shorter than the variable, the rest is zero.
func (m *Module) InitialData(v Variable, globalAddr func(name string) uint64) []byte {
	l := m.constLayout(globalAddr)
	return initialData(v.variable, func(p *syntax.InitPiece) uint64 { return m.initAddress(l, p) })
}

// initialData builds the initial value of a variable.
func initialData(v *syntax.Variable, address func(p *syntax.InitPiece) uint64) []byte {
	b := append([]byte(nil), v.Plain...)
	for i := range v.Init {
		p := &v.Init[i]
		if address == nil {
			continue
		}
		value := p.Value + address(p)
		if p.Masked {
			value = value >> p.Shift & 0xff
		}
		for len(b) < int(p.Offset)+p.Bytes {
			b = append(b, 0)
		}
		for k := range p.Bytes {
			b[int(p.Offset)+k] = byte(value >> (8 * k))
		}
	}
	return b
}

func (m *Module) initAddress(l *layout, p *syntax.InitPiece) uint64 {
	sym := m.Root.Names[p.Name]
	if sym.Kind == syntax.SymbolFunction {
		return functionAddress(sym.Function)
	}
	a := l.address(sym.Variable)
	if p.Generic {
		switch sym.Variable.Space {
		case ptx.SpaceShared:
			a += ptx.SharedWindow
		case ptx.SpaceConst:
			a += ptx.ConstWindow
		}
	}
	return a
}

func align(n, a uint64) uint64 { return (n + a - 1) &^ (a - 1) }

// constLayout starts a layout with the constant bank.
func (m *Module) constLayout(globalAddr func(name string) uint64) *layout {
	l := &layout{globalAddr: globalAddr, offsets: map[*syntax.Variable]uint64{}, recursive: map[*syntax.Function]bool{}}
	var at uint64
	for _, v := range m.Variables {
		if v.Space == ptx.SpaceConst {
			at = align(at, v.Align)
			l.offsets[v] = at
			at += v.Bytes
		}
	}
	l.constBytes = at
	return l
}

// Kernel compiles a kernel of the module. globalAddr returns where the loader has
// placed a variable of Globals, and the handle of a variable of Textures.
func Kernel(m *Module, entry string, globalAddr func(name string) uint64) (*ptx.Kernel, error) {
	return Scheduled(m, entry, globalAddr, nil)
}

// Scheduled is Kernel with instructions in another order, or with scalar loads; nil is as written. The kernel computes
// the same values. In a kernel with calls no function takes more registers than as written.
func Scheduled(m *Module, entry string, globalAddr func(name string) uint64, o *Schedule) (*ptx.Kernel, error) {
	sym := m.Root.Names[entry]
	if sym == nil || sym.Kind != syntax.SymbolFunction || !sym.Function.Entry || !sym.Function.Defined {
		file := m.File
		if file == "" {
			file = "the text"
		}
		return nil, fmt.Errorf("ptx: %s has no kernel %q: its kernels are %v", file, entry, m.Entries())
	}
	rep := &syntax.Reporter{File: m.File}
	kernel := &ptx.Kernel{Name: entry, LanesRunApart: m.lanesRunApart()}
	c := &compiler{module: m, rep: rep, entry: sym.Function, kernel: kernel, index: map[*syntax.Function]int{}, schedule: o}
	c.layout = m.constLayout(globalAddr)
	c.layout.scalar = o != nil && o.ScalarLoads
	if c.layout.constBytes > ptx.WindowBytes {
		return nil, fmt.Errorf("ptx: %s: constants take %d bytes; at most %d are possible", m.File, c.layout.constBytes, ptx.WindowBytes)
	}
	c.collect()
	c.placeVariables()
	if len(rep.List) == 0 {
		c.generate()
	}
	if len(rep.List) > 0 {
		return nil, rep.List
	}
	return c.kernel, nil
}
