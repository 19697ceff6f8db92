package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// compiler builds one kernel from a module: which functions belong to it, where
// its variables are, and the code.
type compiler struct {
	module    *Module
	rep       *syntax.Reporter
	entry     *syntax.Function
	kernel    *ptx.Kernel
	layout    *layout
	functions []*syntax.Function // the entry first
	index     map[*syntax.Function]int
	calls     [][]int // of each function, the functions it may call
}

// collect finds the functions that can be reached, and which are recursive.
func (c *compiler) collect() {
	c.add(c.entry)
	var pointed []int // functions whose address is taken
	indirect := make(map[int]bool)
	initsSeen := false
	for i := 0; i < len(c.functions); i++ {
		c.calls = append(c.calls, nil)
		for _, st := range c.functions[i].Code {
			for k := range st.Operands {
				o := &st.Operands[k]
				if o.Sym == nil || o.Sym.Kind != syntax.SymbolFunction || !o.Sym.Function.Defined {
					continue
				}
				t := c.add(o.Sym.Function)
				if st.Opcode == "call" {
					c.calls[i] = append(c.calls[i], t)
				} else {
					pointed = append(pointed, t)
				}
			}
			if st.Opcode == "call" && isIndirect(st) {
				indirect[i] = true
				if !initsSeen {
					initsSeen = true
					pointed = append(pointed, c.addInitialized()...)
				}
			}
		}
	}
	for i := range c.functions {
		if indirect[i] {
			c.calls[i] = append(c.calls[i], pointed...)
		}
	}
	for i, fn := range c.functions {
		if c.reaches(i) {
			c.layout.recursive[fn] = true
		}
	}
}

func isIndirect(st *syntax.Statement) bool {
	for i := range st.Operands {
		if o := &st.Operands[i]; o.Kind == syntax.OperandName && o.Sym != nil && o.Sym.Kind == syntax.SymbolRegister {
			return true
		}
	}
	return false
}

func (c *compiler) add(fn *syntax.Function) int {
	i, ok := c.index[fn]
	if !ok {
		i = len(c.functions)
		c.index[fn] = i
		c.functions = append(c.functions, fn)
	}
	return i
}

// addInitialized adds the functions that initial values of variables point to.
func (c *compiler) addInitialized() []int {
	var list []int
	for _, v := range c.module.Variables {
		for i := range v.Init {
			if sym := c.module.Root.Names[v.Init[i].Name]; sym != nil && sym.Kind == syntax.SymbolFunction && !sym.Function.Entry {
				list = append(list, c.add(sym.Function))
			}
		}
	}
	return list
}

// reaches reports whether function i can call itself, directly or through others.
func (c *compiler) reaches(i int) bool {
	seen := make([]bool, len(c.functions))
	work := append([]int(nil), c.calls[i]...)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if t == i {
			return true
		}
		if !seen[t] {
			seen[t] = true
			work = append(work, c.calls[t]...)
		}
	}
	return false
}

// localStack is the memory for recursion, as CUDA's default stack.
const localStack = 1024

// placeVariables lays out parameters, shared and local memory.
func (c *compiler) placeVariables() {
	k, l := c.kernel, c.layout
	var at uint64
	for _, p := range c.entry.Params {
		v := p.Variable
		if v == nil {
			c.rep.Errorf(c.entry.At, "kernel %s has a register parameter", c.entry.Name)
			return
		}
		at = align(at, v.Align)
		l.offsets[v] = at
		k.Params = append(k.Params, ptx.Param{Name: v.Name, Type: v.Type.String(), Offset: int(at), Bytes: int(v.Bytes), Align: int(v.Align)})
		at += v.Bytes
	}
	k.ParamBytes = int(at)
	k.ReqNTID, k.MaxNTID = c.entry.ReqNTID, c.entry.MaxNTID

	var shared, local, frame uint64
	var dynamic []*syntax.Variable
	place := func(v *syntax.Variable, counter *uint64) {
		if _, done := l.offsets[v]; done {
			return
		}
		*counter = align(*counter, v.Align)
		l.offsets[v] = *counter
		*counter += v.Bytes
	}
	visit := func(v *syntax.Variable) {
		switch {
		case v.Space == ptx.SpaceShared && v.Flexible && v.Extern:
			dynamic = append(dynamic, v)
		case v.Space == ptx.SpaceShared:
			place(v, &shared)
		case v.Space == ptx.SpaceLocal && l.recursive[v.Owner]:
			place(v, &frame)
		case v.Space == ptx.SpaceLocal:
			place(v, &local)
		}
	}
	for _, fn := range c.functions {
		for _, v := range fn.Variables {
			visit(v)
		}
		for _, st := range fn.Code { // of the module's, only what is used
			for i := range st.Operands {
				if sym := st.Operands[i].Sym; sym != nil && sym.Kind == syntax.SymbolVariable {
					visit(sym.Variable)
				}
			}
		}
	}
	for _, v := range dynamic { // all of them begin where the static ones end
		shared = align(shared, v.Align)
	}
	for _, v := range dynamic {
		l.offsets[v] = shared
	}
	local = align(local, 16)
	for _, fn := range c.functions { // activations follow the static part
		for _, v := range fn.Variables {
			if v.Space == ptx.SpaceLocal && l.recursive[fn] {
				l.offsets[v] += local
			}
		}
	}
	k.FrameBytes = uint32(align(frame, 16))
	if frame > 0 {
		stack := max(localStack, 16*align(frame, 16))
		k.StackBytes = uint32(stack)
		local += stack
	}
	if shared > ptx.WindowBytes || local > ptx.MaxLocalBytes {
		c.rep.Errorf(c.entry.At, "kernel %s needs %d bytes of shared and %d of local memory; at most %d and %d are possible",
			c.entry.Name, shared, local, ptx.WindowBytes, ptx.MaxLocalBytes)
		return
	}
	k.StaticSharedBytes, k.LocalBytes = int(shared), int(local)
	k.Const = make([]byte, l.constBytes)
	for _, v := range c.module.Variables {
		if v.Space == ptx.SpaceConst {
			copy(k.Const[l.offsets[v]:], initialData(v, func(p *syntax.InitPiece) uint64 { return c.module.initAddress(l, p) }))
		}
	}
}
