package ptx

import "strings"

// layout says where variables are. The check in Parse runs without one.
type layout struct {
	globalAddr func(name string) uint64
	offsets    map[*variable]uint64 // shared, local, const, kernel parameters
	recursive  map[*function]bool
	constBytes uint64
}

// address returns where a variable is within its space.
func (l *layout) address(v *variable) uint64 {
	if l == nil {
		return 0
	}
	if v.space == SpaceGlobal {
		return l.globalAddr(v.loaderName())
	}
	return l.offsets[v]
}

// loaderName is the name the loader knows a variable by.
func (v *variable) loaderName() string {
	if v.scoped != "" {
		return v.scoped
	}
	return v.name
}

// functionAddress is what a pointer to a function holds. Zero stays a null
// pointer.
func functionAddress(f *function) uint64 { return uint64(f.index+1) * 16 }

// selector is the third pass: it turns the statements of one function into
// nodes, and names what is not supported.
//
// What dozens of instructions call to compile one is not inlined, here and in the
// other passes: it runs once per instruction of a program, and copies of it were a
// twentieth of the page's engine.
type selector struct {
	rep    *reporter
	module *Module
	fn     *function
	layout *layout
	values *values
	nodes  []node
	starts []int32 // node index of each statement
	st     *statement
	guard  uint32 // value, or noValue
	flip   uint32
	mods   []modifier
	failed bool
	is128  bool // the access is of one register of 128 bits
	phase  phase
}

// selectFunction runs the pass over one function.
func selectFunction(rep *reporter, m *Module, fn *function, l *layout) *selector {
	s := &selector{rep: rep, module: m, fn: fn, layout: l, values: newValues(), phase: m.phase}
	s.phase.enter(phaseSelect)
	s.copyAddressed()
	for _, st := range fn.code {
		if rep.full() {
			break
		}
		s.starts = append(s.starts, int32(len(s.nodes)))
		s.statement(st)
	}
	s.starts = append(s.starts, int32(len(s.nodes)))
	// Falling off the end returns.
	s.st = &statement{at: fn.end, opcode: "ret", scope: fn.scope}
	s.guard, s.flip, s.failed, s.mods = noValue, 0, false, nil
	selectReturn(s)
	return s
}

func (s *selector) statement(st *statement) {
	s.st, s.failed, s.is128 = st, false, false
	s.mods = append(s.mods[:0], st.mods...)
	s.guard, s.flip = noValue, 0
	if g := st.guard; g != nil {
		if g.sym == nil {
			return // reported by resolve
		}
		if g.sym.kind != symbolRegister || g.sym.register.typ != typePred {
			s.fail(g.at, "guard %s is not a predicate register", g.name)
			return
		}
		s.guard = s.values.register(g.sym.register)
		if g.negate {
			s.flip = FullMask
		}
	}
	sel := selectors[st.opcode]
	if sel == nil {
		s.fail(st.at, "unsupported instruction %s", s.text())
		return
	}
	sel(s)
	if !s.failed && len(s.mods) > 0 {
		s.fail(s.mods[0].at, "unsupported modifier .%s in %s", s.mods[0].text, s.text())
	}
}

// text returns the instruction's name with its modifiers.
func (s *selector) text() string {
	var b strings.Builder
	b.WriteString(s.st.opcode)
	for _, m := range s.st.mods {
		b.WriteByte('.')
		b.WriteString(m.text)
	}
	return b.String()
}

// fail reports the first fault of a statement.
//
//go:noinline
func (s *selector) fail(at position, format string, args ...any) {
	if !s.failed {
		s.failed = true
		s.rep.errorf(at, format, args...)
	}
}

// unsupported reports that the instruction, as it stands, is not supported.
func (s *selector) unsupported() { s.fail(s.st.at, "unsupported instruction %s", s.text()) }

// has takes a modifier if it is there, wherever it stands.
//
//go:noinline
func (s *selector) has(word string) bool {
	for i, m := range s.mods {
		if m.text == word {
			s.mods = append(s.mods[:i], s.mods[i+1:]...)
			return true
		}
	}
	return false
}

// oneOf takes the first of the words that is there; "" if none is.
//
//go:noinline
func (s *selector) oneOf(words ...string) string {
	for _, w := range words {
		if s.has(w) {
			return w
		}
	}
	return ""
}

// typed takes the next type among the modifiers.
func (s *selector) typed() scalar {
	for i, m := range s.mods {
		if t := scalarByName(m.text); t != typeNone {
			s.mods = append(s.mods[:i], s.mods[i+1:]...)
			return t
		}
	}
	s.fail(s.st.at, "%s: a type is missing", s.text())
	return typeB32
}

// typedAs takes the next type and reports the instruction if it is not allowed.
func (s *selector) typedAs(allowed ...scalar) scalar {
	t := s.typed()
	for _, a := range allowed {
		if t == a {
			return t
		}
	}
	s.unsupported()
	return typeB32
}

// count checks the number of operands.
func (s *selector) count(least, most int) bool {
	if n := len(s.st.operands); n < least || n > most {
		if least == most {
			s.fail(s.st.at, "%s takes %d operands, found %d", s.text(), least, n)
		} else {
			s.fail(s.st.at, "%s takes %d to %d operands, found %d", s.text(), least, most, n)
		}
	}
	return !s.failed
}

// emit adds a node for the current statement.
//
//go:noinline
func (s *selector) emit(n node) *node {
	n.st = s.st
	n.guard, n.guardFlip = s.guard, s.flip
	n.Line, n.Column = s.st.at.line, s.st.at.column
	if s.guard != noValue {
		n.reads = append(n.reads, s.guard)
	}
	s.nodes = append(s.nodes, n)
	return &s.nodes[len(s.nodes)-1]
}

// instruction starts a node: operation, family and class.
//
//go:noinline
func instruction(f family, o op, c Class) node {
	return node{Instr: Instr{family: f, op: o, Class: c, d: noValue, a: noValue, b: noValue, c: noValue, e: noValue, join: noJoin}}
}

// Setting an operand also notes it for liveness and the scoreboard.
//
//go:noinline
func (n *node) dst(v uint32) *node { n.d = v; return n.write(v) }

//go:noinline
func (n *node) srcA(v uint32) *node {
	n.a = v
	return n.read(v)
}

//go:noinline
func (n *node) srcB(v uint32) *node {
	n.b = v
	return n.read(v)
}

//go:noinline
func (n *node) srcC(v uint32) *node {
	n.c = v
	return n.read(v)
}
func (n *node) srcE(v uint32) *node {
	n.e = v
	return n.read(v)
}

func (n *node) read(v uint32) *node {
	if v < alwaysTrue {
		n.reads = append(n.reads, v)
	}
	return n
}

func (n *node) write(v uint32) *node {
	if v != noValue {
		n.writes = append(n.writes, v)
	}
	return n
}
