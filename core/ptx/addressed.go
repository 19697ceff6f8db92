package ptx

// Parameters of functions are in registers here. Where a function uses the
// address of one (a structure by value, indexed), it starts with a copy to local
// memory, which ld.param through a register then reads. clang -O0 takes the
// address of every structure and leaves it; those stay in registers.

// findAddressed gives copies to the parameters whose address is used.
func (f *function) findAddressed() {
	if f.entry {
		return
	}
	var mentions map[*register]int
	for _, st := range f.code {
		v := f.takesAddress(st)
		if v == nil || f.copies[v] != nil {
			continue
		}
		if mentions == nil {
			mentions = f.mentions()
		}
		if dst := &st.operands[0]; dst.sym == nil || dst.sym.kind != symbolRegister || mentions[dst.sym.register] < 2 {
			continue
		}
		if f.copies == nil {
			f.copies = map[*variable]*variable{}
		}
		c := &variable{name: v.name, at: v.at, space: SpaceLocal, typ: v.typ, align: max(8, v.align), bytes: v.bytes, owner: f}
		f.copies[v] = c
		f.variables = append(f.variables, c)
	}
}

// takesAddress returns the parameter of the function that a mov names, or nil.
func (f *function) takesAddress(st *statement) *variable {
	if st.opcode != "mov" || len(st.operands) != 2 {
		return nil
	}
	o := &st.operands[1]
	if o.kind != operandName || o.sym == nil || o.sym.kind != symbolVariable || o.sym.variable.space != SpaceParam {
		return nil
	}
	for _, p := range f.params {
		if p.variable == o.sym.variable {
			return o.sym.variable
		}
	}
	return nil
}

// mentions counts how often each register is named.
func (f *function) mentions() map[*register]int {
	count := map[*register]int{}
	var visit func(o *operand)
	visit = func(o *operand) {
		if o.sym != nil && o.sym.kind == symbolRegister {
			count[o.sym.register]++
		}
		for i := range o.list {
			visit(&o.list[i])
		}
		if o.pair != nil {
			visit(o.pair)
		}
	}
	for _, st := range f.code {
		if st.guard != nil {
			visit(st.guard)
		}
		for i := range st.operands {
			visit(&st.operands[i])
		}
	}
	return count
}

// unusedParamAddress is true for a mov of an address that nothing reads.
func (s *selector) unusedParamAddress(src *operand) bool {
	if s.fn.entry {
		return false
	}
	v := s.fn.takesAddress(s.st)
	return v != nil && src.value == 0 && s.fn.copies[v] == nil && s.st.operands[0].kind == operandName
}

// copyAddressed selects the copies at the start of the function.
func (s *selector) copyAddressed() {
	for _, p := range s.fn.params {
		if c := s.fn.copies[p.variable]; c != nil {
			at := uint64(0)
			for ; at+4 <= c.bytes; at += 4 {
				s.copyPiece(p.variable, c, at, "b32")
			}
			for ; at < c.bytes; at++ {
				s.copyPiece(p.variable, c, at, "b8")
			}
		}
	}
}

func (s *selector) copyPiece(from, to *variable, at uint64, word string) {
	r := operand{kind: operandName, name: "copy", at: s.fn.at,
		sym: &symbol{kind: symbolRegister, register: &register{name: "copy", typ: typeB32}}}
	place := func(v *variable) operand {
		return operand{kind: operandAddress, name: v.name, at: s.fn.at, value: at, sym: &symbol{kind: symbolVariable, variable: v}}
	}
	mods := func(space string) []modifier {
		return []modifier{{text: space, at: s.fn.at}, {text: word, at: s.fn.at}}
	}
	s.statement(&statement{at: s.fn.at, opcode: "ld", mods: mods("param"), operands: []operand{r, place(from)}, scope: s.fn.scope})
	s.statement(&statement{at: s.fn.at, opcode: "st", mods: mods("local"), operands: []operand{place(to), r}, scope: s.fn.scope})
}
