package ptx

func selectBra(s *selector) {
	s.has("uni")
	if !s.count(1, 1) {
		return
	}
	o := &s.st.operands[0]
	if o.sym == nil || o.sym.kind != symbolLabel || o.kind != operandName {
		if o.kind != operandName || o.sym != nil {
			s.fail(o.at, "want a label")
		}
		return
	}
	n := instruction(familyControl, controlBranch, ClassBranch)
	n.branch = []int32{int32(o.sym.label)}
	n.IsBranch = true
	s.emit(n)
}

func selectBrx(s *selector) {
	if !s.has("idx") {
		s.unsupported()
		return
	}
	s.has("uni")
	if !s.count(2, 2) {
		return
	}
	o := &s.st.operands[1]
	if o.sym == nil || o.sym.kind != symbolTargets {
		s.fail(o.at, "want a list of branch targets")
		return
	}
	n := instruction(familyControl, controlBranchIndexed, ClassBranch)
	n.srcA(s.source(0, typeU32))
	for i := range o.sym.targets {
		t := &o.sym.targets[i]
		sym := s.st.scope.lookup(t.name)
		if sym == nil || sym.kind != symbolLabel {
			s.fail(t.at, "%s is not a label", t.name)
			return
		}
		n.branch = append(n.branch, int32(sym.label))
	}
	n.IsBranch = true
	s.emit(n)
}

func selectReturn(s *selector) {
	s.has("uni")
	// Old compilers write ret 0.
	if ops := s.st.operands; len(ops) == 1 && (ops[0].kind != operandInteger || ops[0].value != 0) || !s.count(0, 1) {
		s.fail(s.st.at, "%s takes no operands: results are in .param variables", s.text())
		return
	}
	n := instruction(familyControl, controlReturn, ClassBranch)
	if s.fn.entry {
		n.op = controlExit
	}
	n.leaves = s.guard == noValue
	for _, r := range s.fn.returns { // the caller reads them
		if r.register != nil {
			n.read(s.values.register(r.register))
		} else if r.variable != nil {
			n.read(s.values.block(r.variable))
		}
	}
	s.emit(n)
}

func selectExit(s *selector) {
	if !s.count(0, 0) {
		return
	}
	n := instruction(familyControl, controlExit, ClassBranch)
	n.leaves = s.guard == noValue
	s.emit(n)
}

func selectTrap(s *selector) {
	if !s.count(0, 0) {
		return
	}
	n := instruction(familyControl, controlTrap, ClassBranch)
	n.leaves = s.guard == noValue
	s.emit(n)
}

// withoutEffect lists the instructions that do nothing here: a debugger, counters,
// waiting and registers are somebody else's.
var withoutEffect = map[string]struct {
	least, most int
	words       []string // one of which it has, unless there are none
	typ         scalar
}{
	"brkpt":          {},
	"pmevent":        {least: 1, most: 1},
	"nanosleep":      {least: 1, most: 1, typ: typeU32},
	"griddepcontrol": {words: []string{"launch_dependents", "wait"}},
	"setmaxnreg":     {least: 1, most: 1, words: []string{"inc", "dec"}, typ: typeU32},
}

func selectNothing(s *selector) {
	w := withoutEffect[s.st.opcode]
	if len(w.words) > 0 && s.oneOf(w.words...) == "" {
		s.unsupported()
		return
	}
	if s.st.opcode == "setmaxnreg" && !(s.has("sync") && s.has("aligned")) {
		s.unsupported()
	}
	s.has("mask") // of pmevent
	if w.typ != typeNone {
		s.typedAs(w.typ)
	}
	if s.failed || !s.count(w.least, w.most) {
		return
	}
	for i := range s.st.operands {
		s.source(i, typeU32)
	}
	s.emit(instruction(familyControl, controlNothing, ClassBranch))
}

func selectBar(s *selector) {
	if s.has("warp") { // the lanes of a warp run in step
		if !s.has("sync") {
			s.unsupported()
		}
		if s.failed || !s.count(1, 1) {
			return
		}
		s.source(0, typeB32)
		s.emit(instruction(familyControl, controlNothing, ClassBranch))
		return
	}
	if s.has("cluster") {
		s.clusterBarrier()
		return
	}
	s.has("cta")
	s.has("aligned")
	switch s.oneOf("sync", "arrive", "red") {
	case "sync":
		if !s.count(1, 2) {
			return
		}
		s.barrier(barrierSync, 0)
	case "arrive":
		if !s.count(2, 2) {
			return
		}
		s.barrier(barrierArrive, 0)
	case "red":
		s.barrierReduce()
	default:
		s.unsupported()
	}
}

// clusterBarrier is barrier.cluster of a cluster that is one CTA. Nothing is
// waited for at the arrival, and the wait is a barrier of its own.
func (s *selector) clusterBarrier() {
	s.has("aligned")
	s.oneOf("release", "relaxed", "acquire")
	word := s.oneOf("arrive", "wait")
	if word == "" {
		s.unsupported()
	}
	if s.failed || !s.count(0, 0) {
		return
	}
	if word == "arrive" {
		s.emit(instruction(familyControl, controlNothing, ClassBranch))
		return
	}
	n := instruction(familyControl, controlBarrier, ClassBarrier)
	n.target, n.IsBarrier = barrierSync, true
	n.imm = clusterBarrierID + 1
	s.emit(*n.srcA(s.values.constant(1, clusterBarrierID)))
}

// Kinds of barrier operations; in target of the instruction.
const (
	barrierSync int32 = iota
	barrierArrive
	barrierPopc
	barrierAnd
	barrierOr
)

// barrier emits the node; operands from first on are the barrier and the count.
func (s *selector) barrier(kind int32, first int) *node {
	n := instruction(familyControl, controlBarrier, ClassBarrier)
	n.target = kind
	n.imm = MaxBarriersPerCTA
	n.IsBarrier = true
	n.srcA(s.source(first, typeU32))
	s.checkBarrier(first)
	operands := len(s.st.operands)
	if kind >= barrierPopc {
		operands-- // the predicate
	}
	if operands > first+1 {
		n.srcB(s.source(first+1, typeU32))
		if o := &s.st.operands[first+1]; o.kind == operandInteger && (o.value == 0 || o.value%MaxLanes != 0) {
			s.fail(o.at, "a barrier is for whole warps: want a multiple of %d threads", MaxLanes)
		}
		n.flags |= flagHasE // a thread count
	}
	return s.emit(n)
}

func (s *selector) checkBarrier(i int) {
	if o := &s.st.operands[i]; o.kind == operandInteger && o.value >= MaxBarriersPerCTA {
		s.fail(o.at, "barrier %d does not exist; a CTA has %d", o.value, MaxBarriersPerCTA)
	}
}

func (s *selector) barrierReduce() {
	kind := map[string]int32{"popc": barrierPopc, "and": barrierAnd, "or": barrierOr}[s.oneOf("popc", "and", "or")]
	t := s.typed()
	if kind == 0 || kind == barrierPopc != (t == typeU32) || kind != barrierPopc && t != typePred {
		s.unsupported()
		return
	}
	if !s.count(3, 4) {
		return
	}
	p, negate := s.predicate(&s.st.operands[len(s.st.operands)-1])
	d := s.dest(0, t)
	n := s.barrier(kind, 1)
	n.srcC(p)
	if negate {
		n.flags |= flagNegateC
	}
	n.dst(d)
}

// assertFunction is what a failed assert of CUDA C++ calls; it does not return.
const assertFunction = "__assertfail"

func selectCall(s *selector) {
	s.has("uni")
	ops := s.st.operands
	site := &callSite{pointer: noValue}
	var results, args []operand
	if len(ops) > 0 && ops[0].kind == operandList {
		results, ops = ops[0].list, ops[1:]
	}
	if len(ops) == 0 || ops[0].kind != operandName {
		s.fail(s.st.at, "call: want a function")
		return
	}
	target := &ops[0]
	ops = ops[1:]
	if len(ops) > 0 && ops[0].kind == operandList {
		args, ops = ops[0].list, ops[1:]
	}
	if target.sym == nil {
		return
	}
	n := instruction(familyControl, controlCall, ClassBranch)
	n.site = site
	var formals *function
	switch target.sym.kind {
	case symbolFunction:
		formals = target.sym.function
		site.function = formals
		switch {
		case !formals.defined && formals.name == assertFunction:
			n.op, n.site = controlTrap, nil
			n.imm = 1
			s.emit(n)
			return
		case !formals.defined:
			s.fail(target.at, "unsupported: call of external function %s", formals.name)
		case formals.entry:
			s.fail(target.at, "unsupported: call of kernel %s", formals.name)
		}
	case symbolRegister:
		if len(ops) != 1 || ops[0].sym == nil || ops[0].sym.kind != symbolPrototype && ops[0].sym.kind != symbolTargets {
			s.fail(target.at, "an indirect call needs a prototype")
			return
		}
		if ops[0].sym.kind == symbolPrototype {
			formals = ops[0].sym.proto
		} else if formals = s.calledThrough(ops[0].sym); formals == nil {
			s.fail(ops[0].at, "the list of call targets names no function")
			return
		}
		t := typeU32
		if target.sym.register.typ.bits() == 64 {
			t = typeU64
			n.flags |= flagWideA
		}
		site.pointer = s.sourceOf(target, t, false)
		n.srcA(site.pointer)
	default:
		s.fail(target.at, "%s is not a function", target.name)
	}
	if s.failed {
		return
	}
	if len(results) != len(formals.returns) || len(args) != len(formals.params) {
		s.fail(s.st.at, "call of %s: %d results and %d arguments, but it has %d and %d", target.name,
			len(results), len(args), len(formals.returns), len(formals.params))
		return
	}
	for i := range args {
		v := s.transferValue(&args[i], formals.params[i], false)
		site.args = append(site.args, v)
		n.read(v)
	}
	for i := range results {
		v := s.transferValue(&results[i], formals.returns[i], true)
		site.results = append(site.results, v)
		n.write(v)
	}
	s.emit(n)
}

// calledThrough returns a function of a .calltargets list.
func (s *selector) calledThrough(list *symbol) *function {
	for i := range list.targets {
		if sym := s.module.root.names[list.targets[i].name]; sym != nil && sym.kind == symbolFunction {
			return sym.function
		}
	}
	return nil
}

// transferValue returns the value that is an argument or takes a result.
func (s *selector) transferValue(o *operand, formal *symbol, result bool) uint32 {
	t, bytes := typeB32, uint64(4)
	if formal.register != nil {
		t = formal.register.typ
		bytes = uint64(t.bytes())
	} else if v := formal.variable; v != nil {
		bytes = v.bytes
		if v.bytes == uint64(v.typ.bytes()) {
			t = v.typ
		}
	}
	if o.kind == operandSink && result {
		return s.values.add(value{kind: valueStorage, words: max(1, int(bytes+3)/4)})
	}
	if o.sym != nil && o.sym.kind == symbolVariable && o.sym.variable.space == SpaceParam && o.kind == operandName {
		v := o.sym.variable
		if s.fn.entry && s.isFormal(v) || (v.bytes+3)/4 != (bytes+3)/4 {
			s.fail(o.at, "%s does not fit the parameter: %d bytes, want %d", v.name, v.bytes, bytes)
		}
		return s.values.block(v)
	}
	if t == typePred {
		s.fail(o.at, "unsupported: predicate as an argument")
		return 0
	}
	if result {
		return s.destOf(o, t, false)
	}
	return s.sourceOf(o, t, false)
}
