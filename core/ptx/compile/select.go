package compile

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// layout says where variables are. The check in Load runs without one.
type layout struct {
	globalAddr func(name string) uint64
	offsets    map[*syntax.Variable]uint64 // shared, local, const, kernel parameters
	recursive  map[*syntax.Function]bool
	scalar     bool // loads of vectors from global memory are one load for each element
	constBytes uint64
}

// address returns where a variable is within its space.
func (l *layout) address(v *syntax.Variable) uint64 {
	if l == nil {
		return 0
	}
	if v.Space == ptx.SpaceGlobal {
		return l.globalAddr(loaderName(v))
	}
	return l.offsets[v]
}

// loaderName is the name the loader knows a variable by.
func loaderName(v *syntax.Variable) string {
	if v.Scoped != "" {
		return v.Scoped
	}
	return v.Name
}

// functionAddress is the value of a pointer to a function. Zero stays the null
// pointer.
func functionAddress(f *syntax.Function) uint64 { return uint64(f.Index+1) * 16 }

// selector is the third pass: it turns the statements of one function into nodes and
// reports unsupported ones.
//
// Helpers with dozens of callers are marked noinline, here and in the other passes.
// They run once per instruction of a program, and their inlined copies took 5 % of
// the page's engine.
type selector struct {
	rep    *syntax.Reporter
	module *Module
	fn     *syntax.Function
	layout *layout
	values *values
	nodes  nodeList
	starts []int32 // node index of each statement
	st     *syntax.Statement
	guard  uint32 // value, or noValue
	flip   uint32
	mods   []syntax.Modifier
	failed bool
	is128  bool // the access is of one register of 128 bits
	hidden []hiddenRegister
	phase  phase
}

// hiddenRegister is a register whose lanes hold a part each of what one lane copies: of the copies of a function, those
// with the same number and size are one register.
type hiddenRegister struct {
	number, words int
	value         uint32
}

// mapWord is the number of the register with a tensor map; the others have parts of what is copied.
const mapWord = -1

// hiddenWord returns such a register. Lanes that do not execute the copy are written too, so it shares its place with
// no other value (allocate).
func (s *selector) hiddenWord(number, words int) uint32 {
	for _, h := range s.hidden {
		if h.number == number && h.words == words {
			return h.value
		}
	}
	v := s.mbarrierTemporary(words)
	s.hidden = append(s.hidden, hiddenRegister{number, words, v})
	return v
}

// selectFunction runs the pass over one function.
func selectFunction(rep *syntax.Reporter, m *Module, fn *syntax.Function, l *layout) *selector {
	s := &selector{rep: rep, module: m, fn: fn, layout: l, values: newValues(), phase: m.phase}
	s.phase.enter(phaseSelect)
	s.copyAddressed()
	for _, st := range fn.Code {
		if rep.Full() {
			break
		}
		s.starts = append(s.starts, int32(s.nodes.length))
		s.statement(st)
	}
	s.starts = append(s.starts, int32(s.nodes.length))
	// Falling off the end returns.
	s.st = &syntax.Statement{At: fn.End, Opcode: "ret", Scope: fn.Scope}
	s.guard, s.flip, s.failed, s.mods = noValue, 0, false, nil
	selectReturn(s)
	return s
}

func (s *selector) statement(st *syntax.Statement) {
	if s.layout == nil { // a check: nobody reads the nodes
		s.nodes.clear()
	}
	s.st, s.failed, s.is128 = st, false, false
	s.mods = append(s.mods[:0], st.Mods...)
	s.guard, s.flip = noValue, 0
	if g := st.Guard; g != nil {
		if g.Sym == nil {
			return // reported by resolve
		}
		if g.Sym.Kind != syntax.SymbolRegister || g.Sym.Register.Type != ptx.TypePred {
			s.fail(g.At, "guard %s is not a predicate register", g.Name)
			return
		}
		s.guard = s.values.register(g.Sym.Register)
		if g.Negate {
			s.flip = ptx.FullMask
		}
	}
	if s.refused(); s.failed {
		return
	}
	sel := selectorOf(st.Opcode)
	if sel == nil {
		s.fail(st.At, "unsupported instruction %s", s.text())
		return
	}
	if s.later(); s.failed {
		return
	}
	sel(s)
	if !s.failed && len(s.mods) > 0 {
		s.fail(s.mods[0].At, "unsupported modifier .%s in %s", s.mods[0].Text, s.text())
	}
}

// text returns the instruction's name with its modifiers.
func (s *selector) text() string {
	var b strings.Builder
	b.WriteString(s.st.Opcode)
	for _, m := range s.st.Mods {
		b.WriteByte('.')
		b.WriteString(m.Text)
	}
	return b.String()
}

// fail reports the first fault of a statement.
//
//go:noinline
func (s *selector) fail(at syntax.Position, format string, args ...any) {
	if !s.failed {
		s.failed = true
		s.rep.Errorf(at, format, args...)
	}
}

// unsupported reports that the instruction, as it stands, is not supported.
func (s *selector) unsupported() { s.fail(s.st.At, "unsupported instruction %s", s.text()) }

// has takes a modifier, at whatever place, and reports whether the statement has it.
//
//go:noinline
func (s *selector) has(word string) bool {
	for i, m := range s.mods {
		if m.Text == word {
			s.mods = append(s.mods[:i], s.mods[i+1:]...)
			return true
		}
	}
	return false
}

// oneOf takes the first of the words that is a modifier of the statement, and
// returns "" if none is.
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
func (s *selector) typed() ptx.Scalar {
	for i, m := range s.mods {
		if t := ptx.ScalarByName(m.Text); t != ptx.TypeNone {
			s.mods = append(s.mods[:i], s.mods[i+1:]...)
			return t
		}
	}
	s.fail(s.st.At, "%s: a type is missing", s.text())
	return ptx.TypeB32
}

// typedAs takes the next type and reports the instruction if it is not allowed.
func (s *selector) typedAs(allowed ...ptx.Scalar) ptx.Scalar {
	t := s.typed()
	for _, a := range allowed {
		if t == a {
			return t
		}
	}
	s.unsupported()
	return ptx.TypeB32
}

// count checks the number of operands.
func (s *selector) count(least, most int) bool {
	if n := len(s.st.Operands); n < least || n > most {
		if least == most {
			s.fail(s.st.At, "%s takes %d operands, found %d", s.text(), least, n)
		} else {
			s.fail(s.st.At, "%s takes %d to %d operands, found %d", s.text(), least, most, n)
		}
	}
	return !s.failed
}

// emit adds a node for the current statement.
//
//go:noinline
func (s *selector) emit(n node) *node {
	n.loc = s.st.Loc
	n.Guard, n.GuardFlip = s.guard, s.flip
	n.Line, n.Column = s.st.At.Line, s.st.At.Column
	if s.guard != noValue {
		n.reads = append(n.reads, s.guard)
	}
	if n.Mem != nil && n.Mem.Hints.Policy {
		n.read(n.Mem.Hints.PolicyAt)
	}
	return s.nodes.add(n)
}

// instruction starts a node: operation, family and class.
//
//go:noinline
func instruction(f ptx.Family, o ptx.Op, c ptx.Class) node {
	return node{Instr: ptx.Instr{Family: f, Op: o, Class: c, D: noValue, A: noValue, B: noValue, C: noValue, E: noValue, Join: ptx.NoJoin}}
}

// Setting an operand also notes it for liveness and the scoreboard.
//
//go:noinline
func (n *node) dst(v uint32) *node { n.D = v; return n.write(v) }

//go:noinline
func (n *node) srcA(v uint32) *node {
	n.A = v
	return n.read(v)
}

//go:noinline
func (n *node) srcB(v uint32) *node {
	n.B = v
	return n.read(v)
}

//go:noinline
func (n *node) srcC(v uint32) *node {
	n.C = v
	return n.read(v)
}

func (n *node) srcE(v uint32) *node {
	n.E = v
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
