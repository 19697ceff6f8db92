package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

func selectBra(s *selector) {
	s.has("uni")
	if !s.count(1, 1) {
		return
	}
	o := &s.st.Operands[0]
	if o.Sym == nil || o.Sym.Kind != syntax.SymbolLabel || o.Kind != syntax.OperandName {
		if o.Kind != syntax.OperandName || o.Sym != nil {
			s.fail(o.At, "want a label")
		}
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlBranch, ptx.ClassBranch)
	n.branch = []int32{int32(o.Sym.Label)}
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
	o := &s.st.Operands[1]
	if o.Sym == nil || o.Sym.Kind != syntax.SymbolTargets {
		s.fail(o.At, "want a list of branch targets")
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlBranchIndexed, ptx.ClassBranch)
	n.srcA(s.source(0, ptx.TypeU32))
	for i := range o.Sym.Targets {
		t := &o.Sym.Targets[i]
		sym := s.st.Scope.Lookup(t.Name)
		if sym == nil || sym.Kind != syntax.SymbolLabel {
			s.fail(t.At, "%s is not a label", t.Name)
			return
		}
		n.branch = append(n.branch, int32(sym.Label))
	}
	n.IsBranch = true
	s.emit(n)
}

func selectReturn(s *selector) {
	s.has("uni")
	// Old compilers write ret 0.
	if ops := s.st.Operands; len(ops) == 1 && (ops[0].Kind != syntax.OperandInteger || ops[0].Value != 0) || !s.count(0, 1) {
		s.fail(s.st.At, "%s takes no operands: results are in .param variables", s.text())
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlReturn, ptx.ClassBranch)
	if s.fn.Entry {
		n.Op = ptx.ControlExit
	}
	n.leaves = s.guard == noValue
	for _, r := range s.fn.Returns { // the caller reads them
		if r.Register != nil {
			n.read(s.values.register(r.Register))
		} else if r.Variable != nil {
			n.read(s.values.block(r.Variable))
		}
	}
	s.emit(n)
}

func selectExit(s *selector) {
	if !s.count(0, 0) {
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlExit, ptx.ClassBranch)
	n.leaves = s.guard == noValue
	s.emit(n)
}

func selectTrap(s *selector) {
	if !s.count(0, 0) {
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlTrap, ptx.ClassBranch)
	n.leaves = s.guard == noValue
	s.emit(n)
}

// withoutEffect lists the instructions that do nothing here: they concern a debugger,
// performance counters or waiting time.
var withoutEffect = map[string]struct {
	least, most int
	words       []string // the statement has one of them; empty: no word is needed
	typ         ptx.Scalar
}{
	"brkpt":          {},
	"pmevent":        {least: 1, most: 1},
	"nanosleep":      {least: 1, most: 1, typ: ptx.TypeU32},
	"griddepcontrol": {words: []string{"launch_dependents", "wait"}},
}

func selectNothing(s *selector) {
	w := withoutEffect[s.st.Opcode]
	word := s.oneOf(w.words...)
	if len(w.words) > 0 && word == "" {
		s.unsupported()
		return
	}
	s.has("mask") // of pmevent
	if w.typ != ptx.TypeNone {
		s.typedAs(w.typ)
	}
	if s.failed || !s.count(w.least, w.most) {
		return
	}
	for i := range s.st.Operands {
		s.source(i, ptx.TypeU32)
	}
	n := instruction(ptx.FamilyControl, ptx.ControlNothing, ptx.ClassBranch)
	if word == "wait" {
		n.Op, n.Target = ptx.ControlBulkGroup, ptx.GridWait
	}
	s.emit(n)
}

// selectRegisters is setmaxnreg.
func selectRegisters(s *selector) {
	word := s.oneOf("inc", "dec")
	if word == "" || !s.has("sync") || !s.has("aligned") {
		s.unsupported()
	}
	s.typedAs(ptx.TypeU32)
	if s.failed || !s.count(1, 1) {
		return
	}
	if o := &s.st.Operands[0]; o.Kind != syntax.OperandInteger || o.Value < 24 || o.Value > 256 || o.Value%8 != 0 {
		s.fail(o.At, "%s: want a number of registers from 24 to 256 that 8 divides", s.text())
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlRegisters, ptx.ClassBarrier)
	n.Imm, n.IsBarrier, n.Target = s.st.Operands[0].Value, true, ptx.BarrierRegistersLess
	if word == "inc" {
		n.Target = ptx.BarrierRegistersMore
	}
	s.emit(n)
}

func selectBar(s *selector) {
	if s.has("warp") {
		if !s.has("sync") {
			s.unsupported()
		}
		if s.failed || !s.count(1, 1) {
			return
		}
		n := instruction(ptx.FamilyControl, ptx.ControlNothing, ptx.ClassBranch)
		if members := s.source(0, ptx.TypeB32); s.module.lanesRunApart() {
			n.Op = ptx.ControlWarpSync
			n.srcA(members)
			s.meets(&n)
		}
		s.emit(n)
		return
	}
	if s.has("cluster") {
		s.clusterBarrier()
		return
	}
	s.has("cta")
	aligned := s.aligned()
	switch s.oneOf("sync", "arrive", "red") {
	case "sync":
		if !s.count(1, 2) {
			return
		}
		s.barrier(ptx.BarrierSync, 0, aligned)
	case "arrive":
		if !s.count(2, 2) {
			return
		}
		s.barrier(ptx.BarrierArrive, 0, aligned)
	case "red":
		s.barrierReduce(aligned)
	default:
		s.unsupported()
	}
}

// clusterBarrier is barrier.cluster. An arrival releases and a wait acquires if nothing else is said.
func (s *selector) clusterBarrier() {
	aligned := s.aligned()
	word := s.oneOf("arrive", "wait")
	order := s.oneOf("release", "relaxed", "acquire")
	switch {
	case word == "", word == "arrive" && order == "acquire", word == "wait" && order != "acquire" && order != "":
		s.unsupported()
	}
	if s.failed || !s.count(0, 0) {
		return
	}
	if word == "arrive" {
		if order != "relaxed" {
			s.ordered(memoryMode{scope: "cluster", release: true})
		}
		n := instruction(ptx.FamilyControl, ptx.ControlClusterArrive, ptx.ClassBarrier)
		n.Flags |= aligned
		s.emit(n)
		return
	}
	defer s.ordered(memoryMode{scope: "cluster", acquire: true})
	n := instruction(ptx.FamilyControl, ptx.ControlBarrier, ptx.ClassBarrier)
	n.Target, n.IsBarrier = ptx.BarrierClusterWait, true
	n.Flags |= aligned
	n.Imm = ptx.ClusterBarrierID + 1
	s.emit(*n.srcA(s.values.constant(1, ptx.ClusterBarrierID)))
}

// aligned is .aligned of a barrier, which bar has without the word (PTX ISA, barrier).
func (s *selector) aligned() ptx.Flags {
	if s.has("aligned") || s.st.Opcode == "bar" {
		return ptx.FlagAligned
	}
	return 0
}

// barrier emits the node; operands from first on are the barrier and the count.
func (s *selector) barrier(kind int32, first int, aligned ptx.Flags) *node {
	n := instruction(ptx.FamilyControl, ptx.ControlBarrier, ptx.ClassBarrier)
	n.Flags |= aligned
	n.Target = kind
	n.Imm = ptx.MaxBarriersPerCTA
	n.IsBarrier = true
	n.srcA(s.source(first, ptx.TypeU32))
	s.checkBarrier(first)
	operands := len(s.st.Operands)
	if kind >= ptx.BarrierPopc {
		operands-- // the predicate
	}
	if operands > first+1 {
		n.srcB(s.source(first+1, ptx.TypeU32))
		if o := &s.st.Operands[first+1]; o.Kind == syntax.OperandInteger && (o.Value == 0 || o.Value%ptx.MaxLanes != 0 || o.Value > ptx.MaxThreadsPerCTA) {
			s.fail(o.At, "a barrier cannot wait for %d threads: give a multiple of %d up to %d", int64(o.Value), ptx.MaxLanes, ptx.MaxThreadsPerCTA)
		}
		n.Flags |= ptx.FlagHasE // a thread count
	}
	return s.emit(n)
}

func (s *selector) checkBarrier(i int) {
	if o := &s.st.Operands[i]; o.Kind == syntax.OperandInteger && o.Value >= ptx.MaxBarriersPerCTA {
		s.fail(o.At, "barrier %d does not exist: a CTA has barriers 0 to %d", int64(o.Value), ptx.MaxBarriersPerCTA-1)
	}
}

func (s *selector) barrierReduce(aligned ptx.Flags) {
	kind := map[string]int32{"popc": ptx.BarrierPopc, "and": ptx.BarrierAnd, "or": ptx.BarrierOr}[s.oneOf("popc", "and", "or")]
	t := s.typed()
	if kind == 0 || kind == ptx.BarrierPopc != (t == ptx.TypeU32) || kind != ptx.BarrierPopc && t != ptx.TypePred {
		s.unsupported()
		return
	}
	if !s.count(3, 4) {
		return
	}
	p, negate := s.predicate(&s.st.Operands[len(s.st.Operands)-1])
	d := s.dest(0, t)
	n := s.barrier(kind, 1, aligned)
	n.srcC(p)
	if negate {
		n.Flags |= ptx.FlagNegateC
	}
	n.dst(d)
}

func selectCall(s *selector) {
	s.has("uni")
	ops := s.st.Operands
	site := &callSite{pointer: noValue}
	var results, args []syntax.Operand
	if len(ops) > 0 && ops[0].Kind == syntax.OperandList {
		results, ops = ops[0].List(), ops[1:]
	}
	if len(ops) == 0 || ops[0].Kind != syntax.OperandName {
		s.fail(s.st.At, "call: want a function")
		return
	}
	target := &ops[0]
	ops = ops[1:]
	if len(ops) > 0 && ops[0].Kind == syntax.OperandList {
		args, ops = ops[0].List(), ops[1:]
	}
	if target.Sym == nil {
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlCall, ptx.ClassBranch)
	n.site = site
	var formals *syntax.Function
	switch target.Sym.Kind {
	case syntax.SymbolFunction:
		formals = target.Sym.Function
		site.function = formals
		switch {
		case !formals.Defined && formals.Name == syntax.AssertFunction:
			n.Op, n.site = ptx.ControlTrap, nil
			n.Imm = ptx.TrapAssert
			s.emit(n)
			return
		case !formals.Defined:
			s.fail(target.At, "unsupported: call of external function %s", formals.Name)
		case formals.Entry:
			s.fail(target.At, "unsupported: call of kernel %s", formals.Name)
		}
	case syntax.SymbolRegister:
		if len(ops) != 1 || ops[0].Sym == nil || ops[0].Sym.Kind != syntax.SymbolPrototype && ops[0].Sym.Kind != syntax.SymbolTargets {
			s.fail(target.At, "an indirect call needs a prototype")
			return
		}
		if ops[0].Sym.Kind == syntax.SymbolPrototype {
			formals = ops[0].Sym.Proto
		} else if formals = s.calledThrough(ops[0].Sym); formals == nil {
			s.fail(ops[0].At, "the list of call targets names no function")
			return
		}
		t := ptx.TypeU32
		if target.Sym.Register.Type.Bits() == 64 {
			t = ptx.TypeU64
			n.Flags |= ptx.FlagWideA
		}
		site.pointer = s.sourceOf(target, t, false)
		n.srcA(site.pointer)
	default:
		s.fail(target.At, "%s is not a function", target.Name)
	}
	if s.failed {
		return
	}
	results, args = elementwise(results), elementwise(args)
	if len(results) != len(formals.Returns) || len(args) != len(formals.Params) {
		s.fail(s.st.At, "call of %s: %d results and %d arguments, but it has %d and %d", target.Name,
			len(results), len(args), len(formals.Returns), len(formals.Params))
		return
	}
	for i := range args {
		v := s.transferValue(&args[i], formals.Params[i], false)
		site.args = append(site.args, v)
		n.read(v)
	}
	for i := range results {
		v := s.transferValue(&results[i], formals.Returns[i], true)
		site.results = append(site.results, v)
		n.write(v)
	}
	s.emit(n)
}

// elementwise replaces vector registers by their elements.
func elementwise(list []syntax.Operand) []syntax.Operand {
	var flat []syntax.Operand
	for i := range list {
		if o := &list[i]; o.Kind == syntax.OperandVector && !o.Whole {
			flat = append(flat, o.List()...)
		} else {
			flat = append(flat, *o)
		}
	}
	return flat
}

// calledThrough returns a function of a .calltargets list.
func (s *selector) calledThrough(list *syntax.Symbol) *syntax.Function {
	for i := range list.Targets {
		if sym := s.module.Root.Names[list.Targets[i].Name]; sym != nil && sym.Kind == syntax.SymbolFunction {
			return sym.Function
		}
	}
	return nil
}

// transferValue returns the value that is an argument or takes a result.
func (s *selector) transferValue(o *syntax.Operand, formal *syntax.Symbol, result bool) uint32 {
	t, bytes := ptx.TypeB32, uint64(4)
	if formal.Register != nil {
		t = formal.Register.Type
		bytes = uint64(t.Bytes())
	} else if v := formal.Variable; v != nil {
		bytes = v.Bytes
		if v.Bytes == uint64(v.Type.Bytes()) {
			t = v.Type
		}
	}
	if o.Kind == syntax.OperandSink && result {
		if t == ptx.TypePred {
			return s.values.add(value{predicate: true, words: 1})
		}
		return s.values.add(value{kind: valueStorage, words: max(1, int(bytes+3)/4)})
	}
	if o.Sym != nil && o.Sym.Kind == syntax.SymbolVariable && o.Sym.Variable.Space == ptx.SpaceParam && o.Kind == syntax.OperandName {
		v := o.Sym.Variable
		if s.fn.Entry && s.isFormal(v) || (v.Bytes+3)/4 != (bytes+3)/4 {
			s.fail(o.At, "%s does not fit the parameter: %d bytes, want %d", v.Name, v.Bytes, bytes)
		}
		return s.values.block(v)
	}
	if result {
		return s.destOf(o, t, false)
	}
	if t == ptx.TypePred && (o.Sym == nil || o.Negate) {
		s.fail(o.At, "want a predicate register")
		return 0
	}
	return s.sourceOf(o, t, false)
}
