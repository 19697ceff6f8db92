package ptx

// resolve is the second pass: it ties every name in every function to what it
// stands for.
func (m *Module) resolve(rep *reporter) {
	m.phase.enter(phaseResolve)
	for _, fn := range m.functions {
		for _, st := range fn.code {
			if rep.full() {
				return
			}
			if selectors[st.opcode] == nil {
				continue // select reports it, whatever its operands are
			}
			r := resolver{rep, st.scope}
			if st.guard != nil {
				r.operand(st.guard)
			}
			for i := range st.operands {
				r.operand(&st.operands[i])
			}
		}
		fn.findAddressed()
	}
	for _, v := range m.variables {
		m.resolveInit(rep, v)
	}
}

func (m *Module) resolveInit(rep *reporter, v *variable) {
	for i := range v.init {
		p := &v.init[i]
		sym := m.root.names[p.name]
		switch {
		case sym == nil:
			rep.errorf(p.at, "%s is not declared", p.name)
		case sym.kind == symbolFunction && !sym.function.defined:
			rep.errorf(p.at, "unsupported: address of external function %s", p.name)
		case sym.kind == symbolVariable && sym.variable.space == SpaceLocal:
			rep.errorf(p.at, "%s: the address of a .local variable is not a constant", p.name)
		}
	}
}

type resolver struct {
	rep   *reporter
	scope *scope
}

func (r *resolver) operand(o *operand) {
	for i := range o.list {
		r.operand(&o.list[i])
	}
	if o.pair != nil {
		r.operand(o.pair)
	}
	if o.name == "" || o.kind == operandSink {
		return
	}
	sym := r.scope.lookup(o.name)
	if sym == nil {
		if o.special = findSpecial(o.name, o.element); o.special == specialNone && o.element == "" && expandSpecial(o) {
			return
		}
		if o.special == specialNone {
			name := o.name
			if o.element != "" {
				name += "." + o.element
			}
			r.rep.errorf(o.at, "%s is not declared", name)
		}
		return
	}
	o.sym = sym
	if o.index != 0 {
		if sym.kind != symbolVariable {
			r.rep.errorf(o.at, "%s is not an array", o.name)
			o.sym = nil
			return
		}
		o.value += o.index * uint64(sym.variable.typ.bytes()*max(1, sym.variable.vector))
	}
	switch {
	case o.element == "":
		if sym.kind == symbolRegister && len(sym.register.vector) > 0 && o.kind == operandName {
			expandVector(o, sym.register)
		}
	case sym.kind != symbolRegister || len(sym.register.vector) == 0 || sym.register.typ == typeB128:
		r.rep.errorf(o.at, "%s has no elements", o.name)
		o.sym = nil
	default:
		i := elementIndex(o.element)
		if i < 0 || i >= len(sym.register.vector) {
			r.rep.errorf(o.at, "%s has no element .%s", o.name, o.element)
			o.sym = nil
			return
		}
		o.sym = &symbol{kind: symbolRegister, at: sym.at, register: sym.register.vector[i]}
	}
}

// expandSpecial turns a special register such as %tid, if o is one, into the list
// of its elements.
func expandSpecial(o *operand) bool {
	if o.kind != operandName || findSpecial(o.name, "x") == specialNone {
		return false
	}
	for _, element := range vectorElements {
		o.list = append(o.list, operand{kind: operandName, at: o.at, name: o.name, element: element[0],
			special: findSpecial(o.name, element[0])})
	}
	o.kind, o.name = operandVector, ""
	return true
}

// expandVector turns a vector register into the list of its elements, and a
// register of 128 bits into its halves.
func expandVector(o *operand, r *register) {
	o.kind, o.whole = operandVector, r.typ == typeB128
	for _, e := range r.vector {
		o.list = append(o.list, operand{kind: operandName, at: o.at, name: e.name,
			sym: &symbol{kind: symbolRegister, at: o.at, register: e}})
	}
	o.name, o.sym = "", nil
}
