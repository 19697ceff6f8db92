package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// Parameters of functions are kept in registers. If a function uses the address of a
// parameter (to index a structure passed by value), the function starts with a copy
// of it to local memory, and ld.param through a register reads the copy. clang -O0
// takes the address of every structure without using it; such a parameter stays in
// registers.

// findAddressed gives copies to the parameters whose address is used.
func findAddressed(f *syntax.Function) {
	if f.Entry {
		return
	}
	var mentions map[*syntax.Register]int
	for _, st := range f.Code {
		v := takesAddress(f, st)
		if v == nil || f.Copies[v] != nil {
			continue
		}
		if mentions == nil {
			mentions = countMentions(f)
		}
		if dst := &st.Operands[0]; dst.Sym == nil || dst.Sym.Kind != syntax.SymbolRegister || mentions[dst.Sym.Register] < 2 {
			continue
		}
		if f.Copies == nil {
			f.Copies = map[*syntax.Variable]*syntax.Variable{}
		}
		c := &syntax.Variable{Name: v.Name, At: v.At, Space: ptx.SpaceLocal, Type: v.Type, Align: max(8, v.Align), Bytes: v.Bytes, Owner: f}
		f.Copies[v] = c
		f.Variables = append(f.Variables, c)
	}
}

// takesAddress returns the parameter of the function that a mov names, or nil.
func takesAddress(f *syntax.Function, st *syntax.Statement) *syntax.Variable {
	if st.Opcode != "mov" || len(st.Operands) != 2 {
		return nil
	}
	o := &st.Operands[1]
	if o.Kind != syntax.OperandName || o.Sym == nil || o.Sym.Kind != syntax.SymbolVariable || o.Sym.Variable.Space != ptx.SpaceParam {
		return nil
	}
	for _, p := range f.Params {
		if p.Variable == o.Sym.Variable {
			return o.Sym.Variable
		}
	}
	return nil
}

// countMentions counts how often each register is named.
func countMentions(f *syntax.Function) map[*syntax.Register]int {
	count := map[*syntax.Register]int{}
	var visit func(o *syntax.Operand)
	visit = func(o *syntax.Operand) {
		if o.Sym != nil && o.Sym.Kind == syntax.SymbolRegister {
			count[o.Sym.Register]++
		}
		for i := range o.List() {
			visit(&o.List()[i])
		}
		if o.Pair() != nil {
			visit(o.Pair())
		}
	}
	for _, st := range f.Code {
		if st.Guard != nil {
			visit(st.Guard)
		}
		for i := range st.Operands {
			visit(&st.Operands[i])
		}
	}
	return count
}

// unusedParamAddress is true for a mov of an address that nothing reads.
func (s *selector) unusedParamAddress(src *syntax.Operand) bool {
	if s.fn.Entry {
		return false
	}
	v := takesAddress(s.fn, s.st)
	return v != nil && src.Value == 0 && s.fn.Copies[v] == nil && s.st.Operands[0].Kind == syntax.OperandName
}

// copyAddressed selects the copies at the start of the function.
func (s *selector) copyAddressed() {
	for _, p := range s.fn.Params {
		if c := s.fn.Copies[p.Variable]; c != nil {
			at := uint64(0)
			for ; at+4 <= c.Bytes; at += 4 {
				s.copyPiece(p.Variable, c, at, "b32")
			}
			for ; at < c.Bytes; at++ {
				s.copyPiece(p.Variable, c, at, "b8")
			}
		}
	}
}

func (s *selector) copyPiece(from, to *syntax.Variable, at uint64, word string) {
	r := syntax.Operand{Kind: syntax.OperandName, Name: "copy", At: s.fn.At,
		Sym: &syntax.Symbol{Kind: syntax.SymbolRegister, Register: &syntax.Register{Name: "copy", Type: ptx.TypeB32}}}
	place := func(v *syntax.Variable) syntax.Operand {
		return syntax.Operand{Kind: syntax.OperandAddress, Name: v.Name, At: s.fn.At, Value: at, Sym: &syntax.Symbol{Kind: syntax.SymbolVariable, Variable: v}}
	}
	mods := func(space string) []syntax.Modifier {
		return []syntax.Modifier{{Text: space, At: s.fn.At}, {Text: word, At: s.fn.At}}
	}
	s.statement(&syntax.Statement{At: s.fn.At, Opcode: "ld", Mods: mods("param"), Operands: []syntax.Operand{r, place(from)}, Scope: s.fn.Scope})
	s.statement(&syntax.Statement{At: s.fn.At, Opcode: "st", Mods: mods("local"), Operands: []syntax.Operand{place(to), r}, Scope: s.fn.Scope})
}
