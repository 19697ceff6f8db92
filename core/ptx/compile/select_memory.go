package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

var memoryTypes = []ptx.Scalar{ptx.TypeB8, ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU8, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64,
	ptx.TypeS8, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64, ptx.TypeB128}

// memoryMode is what the modifiers of a memory instruction say beside its type.
type memoryMode struct {
	space    ptx.Space
	operator ptx.CacheOperator
	release  bool   // earlier accesses come first
	acquire  bool   // later accesses come afterwards
	scope    string // whom that concerns
	hints    ptx.Hints
	policy   uint32 // value of the cache policy, if hints.Policy
}

var spaceWords = []string{"global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func"}

func (s *selector) space() ptx.Space {
	switch s.oneOf(spaceWords...) {
	case "global":
		return ptx.SpaceGlobal
	case "shared", "shared::cta", "shared::cluster": // a CTA is its own cluster
		return ptx.SpaceShared
	case "local":
		return ptx.SpaceLocal
	case "const":
		return ptx.SpaceConst
	case "param", "param::entry", "param::func":
		return ptx.SpaceParam
	}
	return ptx.SpaceGeneric
}

// loadWords and storeWords are the orders and the cache operators of ld and st.
var (
	loadOrders, loadWords   = []string{"weak", "relaxed", "acquire", "volatile"}, []string{"ca", "cg", "cs", "lu", "cv"}
	storeOrders, storeWords = []string{"weak", "relaxed", "release", "volatile"}, []string{"wb", "cg", "cs", "wt"}
)

func (s *selector) memoryMode(orders, operators []string) memoryMode {
	m := memoryMode{space: s.space()}
	if s.has("mmio") {
		m.operator = ptx.CacheBypass
		if !s.modifier("relaxed") || !s.modifier("sys") {
			s.fail(s.st.At, "%s: .mmio goes with .relaxed.sys", s.text())
		}
	}
	order := s.oneOf(orders...)
	switch order {
	case "release", "relaxed", "acquire", "volatile":
		m.operator, m.release, m.acquire = ptx.CacheBypass, order == "release", order == "acquire"
	}
	m.scope = s.scopeWord()
	if strong := order == "relaxed" || order == "acquire" || order == "release"; strong != (m.scope != "") {
		s.fail(s.st.At, "%s: .relaxed, .acquire and .release need a scope (.cta, .cluster, .gpu or .sys); other accesses take none", s.text())
	}
	s.cacheOperator(&m, operators)
	s.has("unified")
	return m
}

func (s *selector) scopeWord() string { return s.oneOf("cta", "cluster", "gpu", "sys", "gl") }

// shape takes the vector and the type of an access. A value of 128 bits is two of
// 64, in one register.
func (s *selector) shape() (t ptx.Scalar, count int) {
	count = s.vectorCount()
	t = s.typedAs(memoryTypes...)
	if t == ptx.TypeB128 {
		if count != 1 {
			s.unsupported()
		}
		s.is128 = true
		return ptx.TypeB64, 2
	}
	return t, count
}

func (s *selector) vectorCount() int {
	switch s.oneOf("v2", "v4", "v8") {
	case "v2":
		return 2
	case "v4":
		return 4
	case "v8":
		return 8
	}
	return 1
}

// address sets the base and offset of a node from operand i and fixes the space
// of a generic access whose variable is known.
func (s *selector) address(n *node, i int, space ptx.Space) ptx.Space {
	o := &s.st.Operands[i]
	if o.Kind != syntax.OperandAddress && !o.Indexed() {
		s.fail(o.At, "want an address in brackets")
		return space
	}
	if len(o.List()) > 0 {
		s.fail(o.At, "want an address without coordinates")
		return space
	}
	n.Imm = o.Value
	if o.Name == "" {
		return space
	}
	if o.Sym == nil {
		s.failed = true
		return space
	}
	switch o.Sym.Kind {
	case syntax.SymbolRegister:
		r := o.Sym.Register
		switch {
		case r.Type.IsFloat() || r.Type.IsHalf() || r.Type.Bits() < 32 || r.Type.Bits() > 64 || len(r.Vector) > 0:
			s.fail(o.At, "%s cannot hold an address", r.Name)
			return space
		case r.Type.Bits() == 64:
			n.Flags |= ptx.FlagAddress64
		}
		n.srcA(s.values.register(r))
		if space == ptx.SpaceParam && !s.fn.Entry {
			return ptx.SpaceLocal // a copy: see addressed.go
		}
		return space
	case syntax.SymbolVariable:
		v := o.Sym.Variable
		if v.Texture && v.Space == ptx.SpaceGlobal {
			s.fail(o.At, "%s is a texture: read it with tex", v.Name)
		}
		if space == ptx.SpaceGeneric {
			space = v.Space
		}
		if v.Space != space {
			s.fail(o.At, "%s is in another state space than %s accesses", v.Name, s.text())
			return space
		}
		if o.By() != nil {
			n.srcA(s.elementAddress(o, 2))
			n.Imm = 0
			n.Flags |= ptx.FlagAddress64
			return space
		}
		if v.Space == ptx.SpaceLocal && s.layout != nil && s.layout.recursive[v.Owner] {
			n.srcA(s.frameAddress(s.layout.address(v), 2))
			n.Flags |= ptx.FlagAddress64
			return space
		}
		n.Imm += s.layout.address(v)
		return space
	}
	s.fail(o.At, "%s is not an address", o.Name)
	return space
}

// elements returns the value operands of a load or store.
func (s *selector) elements(i, count int) []syntax.Operand {
	o := &s.st.Operands[i]
	if count == 1 && o.Kind != syntax.OperandVector {
		return s.st.Operands[i : i+1]
	}
	if count == 1 && (len(o.List()) != 1 || o.Whole) {
		s.fail(o.At, "%s: want one register; for a vector say .v2, .v4 or .v8", s.text())
		return nil
	}
	if o.Kind != syntax.OperandVector || len(o.List()) != count {
		s.fail(o.At, "%s: want a vector of %d elements", s.text(), count)
		return nil
	}
	if o.Whole != s.is128 && s.st.Opcode != "mov" {
		s.fail(o.At, "%s: a 128-bit register needs the type .b128", s.text())
		return nil
	}
	return o.List()
}

// access is what ld, st, atom and red have in common.
func (s *selector) access(kind ptx.AccessKind, t ptx.Scalar, count int, m memoryMode) node {
	n := instruction(ptx.FamilyMemory, ptx.MemoryAccess, ptx.ClassMemory)
	if t.Bytes()*count > 16 {
		s.unsupported()
	}
	n.Mem = &ptx.MemoryOp{Kind: kind, Space: m.space, Operator: m.operator,
		Bytes: uint8(t.Bytes()), Count: uint8(count), Signed: t.IsSigned(), Hints: m.hints}
	n.Mem.Hints.PolicyAt = m.policy
	n.IsMemory = true
	return n
}

func selectLd(s *selector) {
	m := s.memoryMode(loadOrders, loadWords)
	t, count := s.shape()
	operands := s.cacheHint(2, &m)
	if s.st.Opcode == "ldu" && m.space != ptx.SpaceGlobal && m.space != ptx.SpaceGeneric {
		s.fail(s.st.At, "%s: ldu can only read .global", s.text())
	}
	if s.failed || !s.count(operands, operands) {
		return
	}
	if t.Bytes()*count > 16 {
		s.wideAccess(ptx.AccessLoad, m, t, count, 1, 0)
		s.acquired(m)
		return
	}
	if s.layout != nil && s.layout.scalar && count > 1 && !s.is128 && m.space == ptx.SpaceGlobal {
		s.accessParts(ptx.AccessLoad, m, t, count, count, 1, 0)
		s.acquired(m)
		return
	}
	n := s.access(ptx.AccessLoad, t, count, m)
	if s.paramBlock(1, &n) {
		s.blockAccess(n, t, 0, count, false)
		return
	}
	n.Mem.Space = s.address(&n, 1, m.space)
	s.loadInto(&n, s.elements(0, count), t)
	if n.Mem.Space == ptx.SpaceConst || n.Mem.Space == ptx.SpaceParam {
		n.Class, n.IsMemory, n.IsLoad, n.IsConstant = ptx.ClassMove, false, false, true
	}
	s.emit(n)
	s.acquired(m)
}

// loadInto sets what a load writes.
func (s *selector) loadInto(n *node, list []syntax.Operand, t ptx.Scalar) {
	for i := range list {
		v := s.destOf(&list[i], t, true)
		n.Mem.Regs[i] = v
		n.Mem.Absent[i] = v == noValue
		n.Mem.Wide[i] = v != noValue && s.values.list[v].words == 2
		n.Mem.Keep[i] = s.keepMask(&list[i])
		n.write(v)
	}
	n.IsLoad = true
}

// storeFrom sets what a store reads.
func (s *selector) storeFrom(n *node, list []syntax.Operand, t ptx.Scalar) {
	for i := range list {
		v := s.stored(&list[i], t)
		n.Mem.Regs[i] = v
		n.Mem.Wide[i] = s.values.list[v].words == 2
		n.read(v)
	}
}

// stored returns the value that a store writes: an operand, or the sum of an integer register
// and a constant.
func (s *selector) stored(o *syntax.Operand, t ptx.Scalar) uint32 {
	if o.Value == 0 || o.Kind != syntax.OperandName || o.Sym == nil || o.Sym.Kind != syntax.SymbolRegister {
		return s.sourceOf(o, t, true)
	}
	r := *o
	r.Value = 0
	v := s.sourceOf(&r, t, true)
	if have := o.Sym.Register.Type; have.IsFloat() || have.IsHalf() || t.IsFloat() || t.IsHalf() {
		s.fail(o.At, "%s plus a constant: only integers can be stored so; use add.%s", o.Name, t)
	}
	words := s.values.list[v].words
	n := instruction(ptx.FamilyWord, ptx.WordAdd, ptx.ClassIntAdd)
	if words == 2 {
		n.Family, n.Op = ptx.FamilyLong, ptx.LongAdd
	}
	sum := s.values.temporary(words)
	s.emit(*n.srcA(v).srcB(s.values.constant(words, o.Value)).dst(sum))
	return sum
}

// keepMask returns the bits the register of an operand holds in a 32-bit slot.
func (s *selector) keepMask(o *syntax.Operand) uint32 {
	if o.Sym != nil && o.Sym.Kind == syntax.SymbolRegister {
		return uint32(o.Sym.Register.Type.Mask())
	}
	return ptx.FullMask
}

// refusedAsync refuses st.bulk.
func (s *selector) refusedAsync() bool {
	if !s.has("bulk") {
		return false
	}
	s.unsupported()
	return true
}

func selectSt(s *selector) {
	if s.modifier("async") {
		s.storeAsync()
		return
	}
	if s.refusedAsync() {
		return
	}
	m := s.memoryMode(storeOrders, storeWords)
	t, count := s.shape()
	operands := s.cacheHint(2, &m)
	if s.failed || !s.count(operands, operands) {
		return
	}
	if t.Bytes()*count > 16 {
		s.released(m)
		s.wideAccess(ptx.AccessStore, m, t, count, 0, 1)
		return
	}
	n := s.access(ptx.AccessStore, t, count, m)
	if s.paramBlock(0, &n) {
		s.blockAccess(n, t, 1, count, true)
		return
	}
	s.released(m)
	n.Mem.Space = s.address(&n, 0, m.space)
	switch n.Mem.Space {
	case ptx.SpaceConst, ptx.SpaceParam:
		s.fail(s.st.At, "%s: this state space cannot be written", s.text())
		return
	}
	s.storeFrom(&n, s.elements(1, count), t)
	s.emit(n)
}

// paramBlock reports whether operand i is a .param variable of a call sequence
// (not a parameter of the kernel) and names it in the node.
func (s *selector) paramBlock(i int, n *node) bool {
	o := &s.st.Operands[i]
	if o.Kind != syntax.OperandAddress || o.Sym == nil || o.Sym.Kind != syntax.SymbolVariable {
		return false
	}
	v := o.Sym.Variable
	if v.Space != ptx.SpaceParam || s.fn.Entry && s.isFormal(v) {
		return false
	}
	n.A, n.Imm = s.values.block(v), o.Value
	if o.Value > v.Bytes || uint64(n.Mem.Bytes)*uint64(n.Mem.Count) > v.Bytes-o.Value {
		s.fail(o.At, "%s is outside of parameter %s", s.text(), v.Name)
	}
	if o.Value%uint64(n.Mem.Bytes) != 0 {
		s.fail(o.At, "%s is not aligned", s.text())
	}
	return true
}

// blockAccess moves between registers and a .param block.
func (s *selector) blockAccess(n node, t ptx.Scalar, values, count int, store bool) {
	block := n.A
	n.Family, n.Op, n.Class = ptx.FamilyMove, ptx.MoveFromBlock, ptx.ClassMove
	n.IsMemory = false
	list := s.elements(values, count)
	for i := range list {
		var v uint32
		if store {
			v = s.stored(&list[i], t)
			n.read(v)
		} else {
			v = s.destOf(&list[i], t, true)
			n.write(v)
		}
		n.Mem.Regs[i] = v
		n.Mem.Absent[i] = v == noValue
		n.Mem.Keep[i] = s.keepMask(&list[i])
		n.Mem.Wide[i] = v < alwaysTrue && s.values.list[v].words == 2
	}
	if store {
		n.Op = ptx.MoveToBlock
		n.A, n.D = noValue, block
		// Other bytes of the block stay as they are.
		n.read(block)
		n.write(block)
	} else {
		n.read(block)
	}
	s.emit(n)
}
