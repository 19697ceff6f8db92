package compile

import (
	"slices"

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
	graph     callGraph
	schedule  *Schedule // nil = the written order
}

// collect finds the functions that can be reached, and which are recursive.
func (c *compiler) collect() {
	c.add(c.entry)
	var pointed []int // functions whose address is taken
	var indirect []int
	for i := 0; i < len(c.functions); i++ {
		var calls []int
		for _, st := range c.functions[i].Code {
			for k := range st.Operands {
				o := &st.Operands[k]
				if o.Sym == nil || o.Sym.Kind != syntax.SymbolFunction || !o.Sym.Function.Defined {
					continue
				}
				t := c.add(o.Sym.Function)
				if st.Opcode == "call" {
					calls = append(calls, t)
				} else {
					pointed = append(pointed, t)
				}
			}
			if st.Opcode == "call" && isIndirect(st) && (len(indirect) == 0 || indirect[len(indirect)-1] != i) {
				if len(indirect) == 0 {
					pointed = append(pointed, c.addInitialized()...)
				}
				indirect = append(indirect, i)
			}
		}
		c.graph.calls = append(c.graph.calls, calls)
	}
	if len(indirect) > 0 { // one more member, which calls whatever has an address
		for _, i := range indirect {
			c.graph.calls[i] = append(c.graph.calls[i], len(c.functions))
		}
		c.graph.calls = append(c.graph.calls, pointed)
	}
	c.graph.findComponents()
	recursive := c.graph.recursive()
	for i, fn := range c.functions {
		c.layout.recursive[fn] = recursive[i]
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
	k.MaxRegisters, k.MinCTAs = c.entry.MaxRegisters, c.entry.MinCTAs
	k.ReqCluster, k.MaxClusterRank, k.ExplicitCluster = c.entry.ReqCluster, c.entry.MaxClusterRank, c.entry.ExplicitCluster

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
		case v.Texture && v.Space == ptx.SpaceGlobal:
			if !slices.Contains(k.Textures, v.Name) {
				k.Textures = append(k.Textures, v.Name)
			}
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
