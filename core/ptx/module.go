package ptx

import (
	"fmt"
	"sort"
)

// Parse reads a PTX module. The error is of type Errors and lists every fault
// and every instruction that is not supported, with line and column.
func Parse(file string, src []byte) (*Module, error) {
	rep := &reporter{file: file}
	m := parseModule(rep, file, src)
	if !rep.broken {
		m.resolve(rep)
		for _, fn := range m.functions {
			if fn.defined && !rep.full() {
				selectFunction(rep, m, fn, nil)
			}
		}
	}
	if len(rep.list) == 0 {
		return m, nil
	}
	sort.SliceStable(rep.list, func(i, k int) bool {
		a, b := rep.list[i], rep.list[k]
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return nil, rep.list
}

// Entries returns the names of the kernels, in the order of the text.
func (m *Module) Entries() []string {
	var names []string
	for _, fn := range m.functions {
		if fn.entry && fn.defined {
			names = append(names, fn.name)
		}
	}
	return names
}

// Globals returns the .global variables the loader must place in device memory.
func (m *Module) Globals() []Variable {
	var list []Variable
	for _, v := range m.variables {
		if v.space == SpaceGlobal && v.bytes > 0 {
			list = append(list, Variable{Name: v.loaderName(), Space: v.space, Bytes: v.bytes, Align: v.align,
				Init: v.data(nil), variable: v})
		}
	}
	return list
}

// InitialData returns the initial value of a variable with the addresses in it
// filled in; it may be shorter than the variable, the rest is zero.
func (m *Module) InitialData(v Variable, globalAddr func(name string) uint64) []byte {
	l := m.constLayout(globalAddr)
	return v.variable.data(func(p *initPiece) uint64 { return m.initAddress(l, p) })
}

// data builds the initial value.
func (v *variable) data(address func(p *initPiece) uint64) []byte {
	b := append([]byte(nil), v.plain...)
	for i := range v.init {
		p := &v.init[i]
		if address == nil {
			continue
		}
		value := p.value + address(p)
		if p.masked {
			value = value >> p.shift & 0xff
		}
		for len(b) < int(p.offset)+p.bytes {
			b = append(b, 0)
		}
		for k := range p.bytes {
			b[int(p.offset)+k] = byte(value >> (8 * k))
		}
	}
	return b
}

func (m *Module) initAddress(l *layout, p *initPiece) uint64 {
	sym := m.root.names[p.name]
	if sym.kind == symbolFunction {
		return functionAddress(sym.function)
	}
	a := l.address(sym.variable)
	if p.generic {
		switch sym.variable.space {
		case SpaceShared:
			a += SharedWindow
		case SpaceConst:
			a += ConstWindow
		}
	}
	return a
}

func align(n, a uint64) uint64 { return (n + a - 1) &^ (a - 1) }

// constLayout starts a layout with the constant bank.
func (m *Module) constLayout(globalAddr func(name string) uint64) *layout {
	l := &layout{globalAddr: globalAddr, offsets: map[*variable]uint64{}, recursive: map[*function]bool{}}
	var at uint64
	for _, v := range m.variables {
		if v.space == SpaceConst {
			at = align(at, v.align)
			l.offsets[v] = at
			at += v.bytes
		}
	}
	l.constBytes = at
	return l
}

// Compile prepares a kernel of the module. globalAddr says where the loader has
// placed the variables Globals lists.
func Compile(m *Module, entry string, globalAddr func(name string) uint64) (*Kernel, error) {
	sym := m.root.names[entry]
	if sym == nil || sym.kind != symbolFunction || !sym.function.entry || !sym.function.defined {
		return nil, fmt.Errorf("ptx: %s has no kernel %q; it has %v", m.File, entry, m.Entries())
	}
	rep := &reporter{file: m.File}
	c := &compiler{module: m, rep: rep, entry: sym.function, kernel: &Kernel{Name: entry}, index: map[*function]int{}}
	c.layout = m.constLayout(globalAddr)
	if c.layout.constBytes > WindowBytes {
		return nil, fmt.Errorf("ptx: %s: constants take %d bytes; at most %d are possible", m.File, c.layout.constBytes, WindowBytes)
	}
	c.collect()
	c.placeVariables()
	if len(rep.list) == 0 {
		c.generate()
	}
	if len(rep.list) > 0 {
		return nil, rep.list
	}
	return c.kernel, nil
}
