package ptx

import "strings"

var memoryTypes = []scalar{typeB8, typeB16, typeB32, typeB64, typeU8, typeU16, typeU32, typeU64,
	typeS8, typeS16, typeS32, typeS64, typeF32, typeF64, typeB128}

// memoryMode is what the modifiers of a memory instruction say beside its type.
type memoryMode struct {
	space    Space
	operator CacheOperator
	release  bool   // earlier stores come first
	scope    string // whom that concerns
}

var spaceWords = []string{"global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func"}

func (s *selector) space() Space {
	switch s.oneOf(spaceWords...) {
	case "global":
		return SpaceGlobal
	case "shared", "shared::cta", "shared::cluster": // a CTA is its own cluster
		return SpaceShared
	case "local":
		return SpaceLocal
	case "const":
		return SpaceConst
	case "param", "param::entry", "param::func":
		return SpaceParam
	}
	return SpaceGeneric
}

// loadWords and storeWords are the orders and the cache operators of ld and st.
var (
	loadOrders, loadWords   = []string{"weak", "relaxed", "acquire", "volatile"}, []string{"ca", "cg", "cs", "lu", "cv", "nc"}
	storeOrders, storeWords = []string{"weak", "relaxed", "release", "volatile"}, []string{"wb", "cg", "cs", "wt"}
)

func (s *selector) memoryMode(orders, operators []string) memoryMode {
	m := memoryMode{space: s.space()}
	if s.has("mmio") {
		m.operator = CacheBypass
	}
	order := s.oneOf(orders...)
	switch order {
	case "release":
		m.release = true
		fallthrough
	case "relaxed", "acquire", "volatile":
		m.operator = CacheBypass
	}
	m.scope = s.scopeWord()
	if strong := order == "relaxed" || order == "acquire" || order == "release"; strong != (m.scope != "") {
		s.fail(s.st.at, "%s: .relaxed, .acquire and .release go with a scope, .cta, .cluster, .gpu or .sys, and nothing else does", s.text())
	}
	operator := s.oneOf(operators...)
	if operator == "nc" && m.space != SpaceGlobal {
		s.fail(s.st.at, "%s: .nc is for .global", s.text())
	}
	switch operator {
	case "cg", "cs", "lu":
		m.operator = max(m.operator, CacheL2)
	case "cv", "wt":
		m.operator = CacheBypass
	case "nc":
		m.operator = CacheReadOnly
	}
	s.hints()
	s.has("unified")
	return m
}

// hints takes what is said about eviction and prefetch: it changes no result.
func (s *selector) hints() {
	for i := 0; i < len(s.mods); {
		w := s.mods[i].text
		if w != cacheHint && (strings.HasPrefix(w, "L1::") || strings.HasPrefix(w, "L2::")) {
			s.mods = append(s.mods[:i], s.mods[i+1:]...)
			continue
		}
		i++
	}
}

func (s *selector) scopeWord() string { return s.oneOf("cta", "cluster", "gpu", "sys", "gl") }

// shape takes the vector and the type of an access. A value of 128 bits is two of
// 64, in one register.
func (s *selector) shape() (t scalar, count int) {
	count = s.vectorCount()
	t = s.typedAs(memoryTypes...)
	if t == typeB128 {
		if count != 1 {
			s.unsupported()
		}
		s.is128 = true
		return typeB64, 2
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
func (s *selector) address(n *node, i int, space Space) Space {
	o := &s.st.operands[i]
	if o.kind != operandAddress {
		s.fail(o.at, "want an address in brackets")
		return space
	}
	if len(o.list) > 0 {
		s.fail(o.at, "want an address without coordinates")
		return space
	}
	n.imm = o.value
	if o.name == "" {
		return space
	}
	if o.sym == nil {
		s.failed = true
		return space
	}
	switch o.sym.kind {
	case symbolRegister:
		r := o.sym.register
		switch {
		case r.typ.isFloat() || r.typ.isHalf() || r.typ.bits() < 32 || r.typ.bits() > 64 || len(r.vector) > 0:
			s.fail(o.at, "%s cannot hold an address", r.name)
			return space
		case r.typ.bits() == 64:
			n.flags |= flagAddress64
		}
		n.srcA(s.values.register(r))
		if space == SpaceParam && !s.fn.entry {
			return SpaceLocal // a copy: see addressed.go
		}
		return space
	case symbolVariable:
		v := o.sym.variable
		if space == SpaceGeneric {
			space = v.space
		}
		if v.space != space {
			s.fail(o.at, "%s is in another state space than %s accesses", v.name, s.text())
			return space
		}
		if v.space == SpaceLocal && s.layout != nil && s.layout.recursive[v.owner] {
			n.srcA(s.frameAddress(s.layout.address(v), 2))
			n.flags |= flagAddress64
			return space
		}
		n.imm += s.layout.address(v)
		return space
	}
	s.fail(o.at, "%s is not an address", o.name)
	return space
}

// elements returns the value operands of a load or store.
func (s *selector) elements(i, count int) []operand {
	o := &s.st.operands[i]
	if count == 1 && o.kind != operandVector {
		return s.st.operands[i : i+1]
	}
	if count == 1 && (len(o.list) != 1 || o.whole) {
		s.fail(o.at, "%s: want one register; for a vector say .v2, .v4 or .v8", s.text())
		return nil
	}
	if o.kind != operandVector || len(o.list) != count {
		s.fail(o.at, "%s: want a vector of %d elements", s.text(), count)
		return nil
	}
	if o.whole != s.is128 && s.st.opcode != "mov" {
		s.fail(o.at, "%s: a register of 128 bits goes with .b128", s.text())
		return nil
	}
	return o.list
}

// access is what ld, st, atom and red have in common.
func (s *selector) access(kind AccessKind, t scalar, count int, m memoryMode) node {
	n := instruction(familyMemory, memoryAccess, ClassMemory)
	if t.bytes()*count > 16 {
		s.unsupported()
	}
	n.mem = &memoryOp{kind: kind, space: m.space, operator: m.operator,
		bytes: uint8(t.bytes()), count: uint8(count), signed: t.isSigned()}
	n.IsMemory = true
	return n
}

func selectLd(s *selector) {
	m := s.memoryMode(loadOrders, loadWords)
	t, count := s.shape()
	operands := s.cacheHint(2)
	if s.st.opcode == "ldu" && m.space != SpaceGlobal && m.space != SpaceGeneric {
		s.fail(s.st.at, "%s: ldu reads .global", s.text())
	}
	if s.failed || !s.count(operands, operands) {
		return
	}
	if t.bytes()*count > 16 {
		s.wideAccess(AccessLoad, m, t, count, 1, 0)
		return
	}
	n := s.access(AccessLoad, t, count, m)
	if s.paramBlock(1, &n) {
		s.blockAccess(n, t, 0, count, false)
		return
	}
	n.mem.space = s.address(&n, 1, m.space)
	s.loadInto(&n, s.elements(0, count), t)
	if n.mem.space == SpaceConst || n.mem.space == SpaceParam {
		n.Class, n.IsMemory, n.IsLoad, n.IsConstant = ClassMove, false, false, true
	}
	s.emit(n)
}

// loadInto sets what a load writes.
func (s *selector) loadInto(n *node, list []operand, t scalar) {
	for i := range list {
		v := s.destOf(&list[i], t, true)
		n.mem.regs[i] = v
		n.mem.absent[i] = v == noValue
		n.mem.wide[i] = v != noValue && s.values.list[v].words == 2
		n.mem.keep[i] = s.keepMask(&list[i])
		n.write(v)
	}
	n.IsLoad = true
}

// storeFrom sets what a store reads.
func (s *selector) storeFrom(n *node, list []operand, t scalar) {
	for i := range list {
		v := s.sourceOf(&list[i], t, true)
		n.mem.regs[i] = v
		n.mem.wide[i] = s.values.list[v].words == 2
		n.read(v)
	}
}

// keepMask returns the bits the register of an operand holds in a 32-bit slot.
func (s *selector) keepMask(o *operand) uint32 {
	if o.sym != nil && o.sym.kind == symbolRegister {
		return uint32(o.sym.register.typ.mask())
	}
	return FullMask
}

// refusedAsync refuses what is done behind the warp's back: st.async, red.async,
// st.bulk.
func (s *selector) refusedAsync() bool {
	if s.oneOf("async", "bulk") == "" {
		return false
	}
	s.unsupported()
	return true
}

func selectSt(s *selector) {
	if s.refusedAsync() {
		return
	}
	m := s.memoryMode(storeOrders, storeWords)
	t, count := s.shape()
	operands := s.cacheHint(2)
	if s.failed || !s.count(operands, operands) {
		return
	}
	if t.bytes()*count > 16 {
		if m.release {
			s.fence(m.scope)
		}
		s.wideAccess(AccessStore, m, t, count, 0, 1)
		return
	}
	n := s.access(AccessStore, t, count, m)
	if s.paramBlock(0, &n) {
		s.blockAccess(n, t, 1, count, true)
		return
	}
	if m.release {
		s.fence(m.scope)
	}
	n.mem.space = s.address(&n, 0, m.space)
	switch n.mem.space {
	case SpaceConst, SpaceParam:
		s.fail(s.st.at, "%s: this state space cannot be written", s.text())
		return
	}
	s.storeFrom(&n, s.elements(1, count), t)
	s.emit(n)
}

// paramBlock reports whether operand i is a .param variable of a call sequence
// (not a parameter of the kernel) and names it in the node.
func (s *selector) paramBlock(i int, n *node) bool {
	o := &s.st.operands[i]
	if o.kind != operandAddress || o.sym == nil || o.sym.kind != symbolVariable {
		return false
	}
	v := o.sym.variable
	if v.space != SpaceParam || s.fn.entry && s.isFormal(v) {
		return false
	}
	n.a, n.imm = s.values.block(v), o.value
	if o.value > v.bytes || uint64(n.mem.bytes)*uint64(n.mem.count) > v.bytes-o.value {
		s.fail(o.at, "%s is outside of parameter %s", s.text(), v.name)
	}
	if o.value%uint64(n.mem.bytes) != 0 {
		s.fail(o.at, "%s is not aligned", s.text())
	}
	return true
}

// blockAccess moves between registers and a .param block.
func (s *selector) blockAccess(n node, t scalar, values, count int, store bool) {
	block := n.a
	n.family, n.op, n.Class = familyMove, moveFromBlock, ClassMove
	n.IsMemory = false
	list := s.elements(values, count)
	for i := range list {
		var v uint32
		if store {
			v = s.sourceOf(&list[i], t, true)
			n.read(v)
		} else {
			v = s.destOf(&list[i], t, true)
			n.write(v)
		}
		n.mem.regs[i] = v
		n.mem.absent[i] = v == noValue
		n.mem.keep[i] = s.keepMask(&list[i])
		n.mem.wide[i] = v < alwaysTrue && s.values.list[v].words == 2
	}
	if store {
		n.op = moveToBlock
		n.a, n.d = noValue, block
		// Other bytes of the block stay as they are.
		n.read(block)
		n.write(block)
	} else {
		n.read(block)
	}
	s.emit(n)
}

func selectPrefetch(s *selector) {
	m := memoryMode{space: s.space()}
	if s.has("tensormap") {
		s.unsupported()
		return
	}
	uniform := s.st.opcode == "prefetchu"
	if level := s.oneOf("L1", "L2", "L2::evict_last", "L2::evict_normal"); level == "" || uniform && level != "L1" {
		s.fail(s.st.at, "%s: want the level of cache: .L1, or .L2 without u", s.text())
	}
	if s.failed || !s.count(1, 1) {
		return
	}
	n := s.access(AccessPrefetch, typeB8, 1, m)
	n.mem.space = s.address(&n, 0, m.space)
	n.mem.absent[0] = true
	s.emit(n)
}

// selectLineHint is discard and applypriority on a line of 128 bytes of L2: the
// data stay, and there are no priorities.
func selectLineHint(s *selector) {
	s.has("global")
	if s.oneOf("L2", "L2::evict_normal") == "" {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	if o := &s.st.operands[1]; o.kind != operandInteger || o.value != 128 {
		s.fail(o.at, "%s is for 128 bytes", s.text())
	}
	unused := instruction(familyMemory, memoryAccess, ClassMemory)
	s.address(&unused, 0, SpaceGlobal)
	s.emit(instruction(familyControl, controlNothing, ClassBranch))
}

// selectCreatePolicy makes a cache policy; all of them are zero, since none has
// an effect.
func selectCreatePolicy(s *selector) {
	kind := s.oneOf("fractional", "range", "cvt")
	s.hints()
	s.oneOf("L2", "global")
	s.typedAs(typeB64)
	least, most := 1, 2
	if kind == "range" {
		least, most = 4, 4
	}
	if kind == "" {
		s.unsupported()
	}
	if s.failed || !s.count(least, most) {
		return
	}
	s.move(s.dest(0, typeB64), s.values.constant(2, 0))
}

func selectMembar(s *selector) {
	if s.has("proxy") {
		s.mods = s.mods[:0]
		s.fence("")
		return
	}
	s.scopedFence(s.oneOf("cta", "gl", "sys", "gpu", "cluster"))
}

// scopedFence is a fence that has to say whom it is for.
func (s *selector) scopedFence(scope string) {
	if scope == "" {
		s.fail(s.st.at, "%s: want a scope: .cta, .gpu or .sys", s.text())
		return
	}
	s.fence(scope)
}

func selectFence(s *selector) {
	for _, m := range s.mods {
		if m.text == "proxy" { // there is one path to memory
			s.mods = s.mods[:0]
			s.fence("")
			return
		}
	}
	s.has("mbarrier_init")
	s.oneOf("sc", "acq_rel", "acquire", "release")
	s.scopedFence(s.scopeWord())
}

// fence waits for the stores of the warp. Within a CTA nothing has to be waited
// for: its accesses take one path to each slice of L2, in order.
func (s *selector) fence(scope string) {
	n := instruction(familyControl, controlFence, ClassBarrier)
	if scope == "cta" {
		n.op = controlNothing
	}
	s.emit(n)
}
