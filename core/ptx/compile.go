package ptx

// compiler builds one kernel from a module: which functions belong to it, where
// its variables are, and the code.
type compiler struct {
	module    *Module
	rep       *reporter
	entry     *function
	kernel    *Kernel
	layout    *layout
	functions []*function // the entry first
	index     map[*function]int
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
		for _, st := range c.functions[i].code {
			for k := range st.operands {
				o := &st.operands[k]
				if o.sym == nil || o.sym.kind != symbolFunction || !o.sym.function.defined {
					continue
				}
				t := c.add(o.sym.function)
				if st.opcode == "call" {
					c.calls[i] = append(c.calls[i], t)
				} else {
					pointed = append(pointed, t)
				}
			}
			if st.opcode == "call" && isIndirect(st) {
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

func isIndirect(st *statement) bool {
	for i := range st.operands {
		if o := &st.operands[i]; o.kind == operandName && o.sym != nil && o.sym.kind == symbolRegister {
			return true
		}
	}
	return false
}

func (c *compiler) add(fn *function) int {
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
	for _, v := range c.module.variables {
		for i := range v.init {
			if sym := c.module.root.names[v.init[i].name]; sym != nil && sym.kind == symbolFunction && !sym.function.entry {
				list = append(list, c.add(sym.function))
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

// placeVariables lays out parameters, shared and local memory.
func (c *compiler) placeVariables() {
	k, l := c.kernel, c.layout
	var at uint64
	for _, p := range c.entry.params {
		v := p.variable
		if v == nil {
			c.rep.errorf(c.entry.at, "kernel %s has a register parameter", c.entry.name)
			return
		}
		at = align(at, v.align)
		l.offsets[v] = at
		k.Params = append(k.Params, Param{Name: v.name, Type: v.typ.String(), Offset: int(at), Bytes: int(v.bytes), Align: int(v.align)})
		at += v.bytes
	}
	k.ParamBytes = int(at)
	k.ReqNTID, k.MaxNTID = c.entry.reqNTID, c.entry.maxNTID

	var shared, local, frame uint64
	var dynamic []*variable
	place := func(v *variable, counter *uint64) {
		if _, done := l.offsets[v]; done {
			return
		}
		*counter = align(*counter, v.align)
		l.offsets[v] = *counter
		*counter += v.bytes
	}
	visit := func(v *variable) {
		switch {
		case v.space == SpaceShared && v.flexible && v.extern:
			dynamic = append(dynamic, v)
		case v.space == SpaceShared:
			place(v, &shared)
		case v.space == SpaceLocal && l.recursive[v.owner]:
			place(v, &frame)
		case v.space == SpaceLocal:
			place(v, &local)
		}
	}
	for _, fn := range c.functions {
		for _, v := range fn.variables {
			visit(v)
		}
		for _, st := range fn.code { // of the module's, only what is used
			for i := range st.operands {
				if sym := st.operands[i].sym; sym != nil && sym.kind == symbolVariable {
					visit(sym.variable)
				}
			}
		}
	}
	for _, v := range dynamic { // all of them begin where the static ones end
		shared = align(shared, v.align)
	}
	for _, v := range dynamic {
		l.offsets[v] = shared
	}
	local = align(local, 16)
	for _, fn := range c.functions { // activations follow the static part
		for _, v := range fn.variables {
			if v.space == SpaceLocal && l.recursive[fn] {
				l.offsets[v] += local
			}
		}
	}
	k.frameBytes = uint32(align(frame, 16))
	if frame > 0 {
		stack := max(localStack, 16*align(frame, 16))
		k.stackBytes = uint32(stack)
		local += stack
	}
	if shared > WindowBytes || local > maxLocalBytes {
		c.rep.errorf(c.entry.at, "kernel %s needs %d bytes of shared and %d of local memory; at most %d and %d are possible",
			c.entry.name, shared, local, WindowBytes, maxLocalBytes)
		return
	}
	k.StaticSharedBytes, k.LocalBytes = int(shared), int(local)
	k.Const = make([]byte, l.constBytes)
	for _, v := range c.module.variables {
		if v.space == SpaceConst {
			copy(k.Const[l.offsets[v]:], v.data(func(p *initPiece) uint64 { return c.module.initAddress(l, p) }))
		}
	}
}
