package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// resolve is the second pass: it finds the declaration of every name in every
// function.
func (m *Module) resolve(rep *syntax.Reporter) {
	m.phase.enter(phaseResolve)
	for _, fn := range m.Functions {
		for _, st := range fn.Code {
			if rep.Full() {
				return
			}
			if selectorOf(st.Opcode) == nil {
				continue // select reports it, whatever its operands are
			}
			r := resolver{rep: rep, scope: st.Scope}
			if st.Guard != nil {
				r.operand(st.Guard)
			}
			r.parts = isVideo(st.Opcode)
			for i := range st.Operands {
				r.operand(&st.Operands[i])
			}
		}
		findAddressed(fn)
	}
	for _, v := range m.Variables {
		m.resolveInit(rep, v)
	}
}

func (m *Module) resolveInit(rep *syntax.Reporter, v *syntax.Variable) {
	for i := range v.Init {
		p := &v.Init[i]
		sym := m.Root.Names[p.Name]
		switch {
		case sym == nil:
			rep.Errorf(p.At, "%s is not declared", p.Name)
		case sym.Kind == syntax.SymbolFunction && !sym.Function.Defined:
			rep.Errorf(p.At, "unsupported: address of external function %s", p.Name)
		case sym.Kind == syntax.SymbolVariable && sym.Variable.Space == ptx.SpaceLocal:
			rep.Errorf(p.At, "%s: the address of a .local variable is not a constant", p.Name)
		}
	}
}

type resolver struct {
	rep   *syntax.Reporter
	scope *syntax.Scope
	parts bool // registers may be followed by the part that is meant
}

func (r *resolver) operand(o *syntax.Operand) {
	for i, list := 0, o.List(); i < len(list); i++ {
		r.operand(&list[i])
	}
	if pair := o.Pair(); pair != nil {
		r.operand(pair)
		if o.Kind == syntax.OperandVector {
			r.rep.Errorf(pair.At, "unsupported predicate beside a vector (residency of texels)")
		}
	}
	if o.Name == "" || o.Kind == syntax.OperandSink {
		return
	}
	sym := r.scope.Lookup(o.Name)
	if sym == nil {
		if o.Special = findSpecial(o.Name, o.Element()); o.Special == ptx.SpecialNone && o.Element() == "" && expandSpecial(o) {
			return
		}
		if o.Special == ptx.SpecialNone {
			name := o.Name
			if o.Element() != "" {
				name += "." + o.Element()
			}
			r.rep.Errorf(o.At, "%s is not declared", name)
		}
		return
	}
	o.Sym = sym
	if o.Indexed() {
		if sym.Kind != syntax.SymbolVariable {
			r.rep.Errorf(o.At, "%s is not an array", o.Name)
			o.Sym = nil
			return
		}
		o.Value += o.Index() * sym.Variable.ElementBytes()
		if by := o.By(); by != nil {
			r.operand(by)
		}
	}
	switch {
	case o.Element() == "":
		if sym.Kind == syntax.SymbolRegister && len(sym.Register.Vector) > 0 && o.Kind == syntax.OperandName {
			expandVector(o, sym.Register)
		}
	case r.parts && sym.Kind == syntax.SymbolRegister && len(sym.Register.Vector) == 0:
	case sym.Kind != syntax.SymbolRegister || len(sym.Register.Vector) == 0 || sym.Register.Type == ptx.TypeB128:
		r.rep.Errorf(o.At, "%s has no elements", o.Name)
		o.Sym = nil
	default:
		i := syntax.ElementIndex(o.Element())
		if i < 0 || i >= len(sym.Register.Vector) {
			r.rep.Errorf(o.At, "%s has no element .%s", o.Name, o.Element())
			o.Sym = nil
			return
		}
		o.Sym = &syntax.Symbol{Kind: syntax.SymbolRegister, At: sym.At, Register: sym.Register.Vector[i]}
	}
}

// expandSpecial turns a special register such as %tid, if o is one, into the list
// of its elements.
func expandSpecial(o *syntax.Operand) bool {
	if o.Kind != syntax.OperandName || findSpecial(o.Name, "x") == ptx.SpecialNone {
		return false
	}
	var list []syntax.Operand
	for _, element := range syntax.VectorElements {
		list = append(list, syntax.Operand{Kind: syntax.OperandName, At: o.At, Name: o.Name + "." + element[0],
			Special: findSpecial(o.Name, element[0])})
	}
	o.SetList(list)
	o.Kind, o.Name = syntax.OperandVector, ""
	return true
}

// expandVector turns a vector register into the list of its elements, and a
// register of 128 bits into its halves.
func expandVector(o *syntax.Operand, r *syntax.Register) {
	o.Kind, o.Whole = syntax.OperandVector, r.Type == ptx.TypeB128
	var list []syntax.Operand
	for _, e := range r.Vector {
		list = append(list, syntax.Operand{Kind: syntax.OperandName, At: o.At, Name: e.Name,
			Sym: &syntax.Symbol{Kind: syntax.SymbolRegister, At: o.At, Register: e}})
	}
	o.SetList(list)
	o.Name, o.Sym = "", nil
}
