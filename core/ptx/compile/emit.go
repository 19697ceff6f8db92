package compile

import (
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// generate runs the remaining passes over every function and joins the results.
func (c *compiler) generate() {
	k := c.kernel
	for _, fn := range c.functions {
		k.Marked = append(k.Marked, fn.Marked...)
	}
	parts := make([]*selector, len(c.functions))
	frames := make([]frame, len(c.functions))
	for i, fn := range c.functions {
		s := selectFunction(c.rep, c.module, fn, c.layout)
		if len(c.rep.List) > 0 {
			return
		}
		// Formal parameters have places whether or not the body uses them.
		for _, list := range [][]*syntax.Symbol{fn.Params, fn.Returns} {
			for _, p := range list {
				if !fn.Entry {
					s.touch(s.formal(p), 0)
				}
			}
		}
		g := s.flow()
		s.uniformity()
		s.schedule(g, c.schedule, len(c.functions) == 1)
		f, ok := s.allocate(g)
		if !ok {
			return
		}
		parts[i], frames[i] = s, f
	}
	e := &emitter{compiler: c, constants: map[constantKey]uint32{}, specials: map[ptx.SpecialRegister]uint32{}}
	e.constantSlots(parts)
	slot, predicate, unit := e.slots, ptx.FirstPred, 0
	for i, fn := range c.functions {
		f := &frames[i]
		slot = (slot + 1) &^ 1
		k.Functions = append(k.Functions, ptx.Callee{
			Address: functionAddress(fn), Entry: int32(e.size), Recursive: c.layout.recursive[fn],
			Slot: slot, Slots: f.slots, LongSlots: f.longSlots, Predicate: predicate, Predicates: f.predicates,
		})
		e.base = append(e.base, base{slot, predicate, unit, f.units, e.size})
		slot, predicate, unit = slot+f.slots, predicate+f.predicates, unit+f.units
		e.size += parts[i].nodes.length
	}
	if e.size > 1<<20 || unit > 1<<16 || slot > 1<<14 {
		c.rep.Errorf(c.entry.At, "kernel %s is too large: %d instructions, %d registers", k.Name, e.size, slot)
		return
	}
	k.RegisterSlots, k.Predicates, k.ScoreIDs = slot, predicate, unit
	k.Code = make([]ptx.Instr, 0, e.size)
	k.Source, k.Text = make([]ptx.SourcePos, 0, e.size), make([]string, 0, e.size)
	e.shapedSlots(parts)
	for i, s := range parts {
		e.function(i, s)
	}
	gather(k.Code)
	pressure := make([]int, len(c.graph.calls))
	for i := range frames {
		pressure[i] = frames[i].pressure
	}
	k.RegistersPerThread = c.graph.deepest(pressure)
}

// gather puts the lists of offsets of all instructions into one, so that they take few lines of the host's caches.
func gather(code []ptx.Instr) {
	n := 0
	for i := range code {
		n += len(code[i].ShapedReads) + len(code[i].ShapedWrites)
	}
	all := make([]uint32, 0, n)
	add := func(list *[]uint32) {
		first := len(all)
		all = append(all, *list...)
		*list = all[first:len(all):len(all)]
	}
	for i := range code {
		add(&code[i].ShapedReads)
		add(&code[i].ShapedWrites)
	}
}

// formal returns the value that stands for a formal parameter.
func (s *selector) formal(p *syntax.Symbol) uint32 {
	if p.Register != nil {
		return s.values.register(p.Register)
	}
	return s.values.block(p.Variable)
}

// base is where a function's slots, predicates, score ids and code begin.
type base struct{ slot, predicate, unit, units, code int }

type emitter struct {
	*compiler
	base      []base
	constants map[constantKey]uint32
	specials  map[ptx.SpecialRegister]uint32
	slots     int
	size      int
	current   base
	values    []value
	shaped    []bool // of each slot: it may have a shape
	recursive []uint16
	touched   []uint32 // by the node under way
	list      []uint16 // the score ids under way
	lastRead  int32    // after the last instruction so far that may read what other threads write
}

// constantSlots lays out constants and fixed special registers, which all
// functions share.
func (e *emitter) constantSlots(parts []*selector) {
	k := e.kernel
	e.slots = ptx.FirstSlot
	for _, s := range parts {
		for i := range s.values.list {
			v := &s.values.list[i]
			switch v.kind {
			case valueConstant:
				key := constantKey{v.words, v.constant}
				if _, done := e.constants[key]; done {
					continue
				}
				at := uint32(e.slots) * ptx.SlotBytes
				e.constants[key] = at
				e.slots += v.words
				c := ptx.ConstantSlot{Offset: at, Wide: v.words == 2, Value: v.constant}
				if !c.Wide {
					c.Value &= math.MaxUint32
				}
				k.Constants = append(k.Constants, c)
			case valueFixed:
				if _, done := e.specials[v.special]; done {
					continue
				}
				at := uint32(e.slots) * ptx.SlotBytes
				e.specials[v.special] = at
				k.Fixed = append(k.Fixed, ptx.FixedSlot{Special: v.special, Offset: at})
				e.slots++
			}
		}
	}
}

// shapedSlots finds the slots that may hold a shape. Values share slots, so one value
// with a shape is enough.
func (e *emitter) shapedSlots(parts []*selector) {
	k := e.kernel
	k.FirstVariable = e.slots
	e.shaped = make([]bool, k.RegisterSlots)
	shapely := make([]bool, k.RegisterSlots) // the second slots of wide registers are among them
	for i, s := range parts {
		e.current, e.values = e.base[i], s.values.list
		for id := range s.values.list {
			v := &s.values.list[id]
			if v.predicate || v.spread == spreadAny || v.kind != valueFixed && (v.kind != valueRegister || v.first < 0) {
				continue
			}
			offset := e.place(uint32(id), 0)
			slot := int(offset / ptx.SlotBytes)
			if slot >= k.FirstVariable && !e.shaped[slot] {
				// Wide registers share their slots with one another alone.
				k.Shaped = append(k.Shaped, ptx.ShapedSlot{Offset: offset, Wide: v.words == 2})
				shapely[slot], shapely[slot+v.words-1] = true, true
			}
			e.shaped[slot] = true
		}
	}
	for slot := k.FirstVariable; slot < k.RegisterSlots; slot++ {
		switch last := len(k.Cleared) - 1; {
		case shapely[slot]:
		case last >= 0 && k.Cleared[last][1] == slot:
			k.Cleared[last][1]++
		default:
			k.Cleared = append(k.Cleared, [2]int{slot, slot + 1})
		}
	}
}

// shapedOnes returns the registers among values that may have a shape.
func (e *emitter) shapedOnes(ids []uint32) []uint32 {
	var list []uint32
	for _, id := range ids {
		if id >= alwaysTrue || e.values[id].predicate {
			continue
		}
		v, at := &e.values[id], e.place(id, ptx.DumpSlot*ptx.SlotBytes)
		n := uint32(1)
		if v.kind == valueStorage {
			n = uint32(v.words)
		}
		for ; n > 0; n, at = n-1, at+ptx.SlotBytes {
			if e.shaped[at/ptx.SlotBytes] && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
	}
	return list
}

// place returns the byte offset of a value, or its index if it is a predicate.
//
//go:noinline
func (e *emitter) place(id uint32, absent uint32) uint32 {
	switch id {
	case noValue:
		return absent
	case alwaysTrue:
		return ptx.TruePred
	}
	v := &e.values[id]
	switch {
	case v.kind == valueConstant:
		return e.constants[constantKey{v.words, v.constant}]
	case v.kind == valueFixed:
		return e.specials[v.special]
	case v.first < 0: // nobody reads it
		if v.predicate {
			return ptx.DumpPred
		}
		return ptx.DumpSlot * ptx.SlotBytes
	case v.predicate:
		return v.place + uint32(e.current.predicate)
	}
	return (v.place + uint32(e.current.slot)) * ptx.SlotBytes
}

func (e *emitter) transfer(id uint32) ptx.Transfer {
	v := &e.values[id]
	t := ptx.Transfer{Offset: e.place(id, ptx.DumpSlot*ptx.SlotBytes), Words: v.words}
	t.Long = v.kind != valueStorage && v.words == 2
	t.Predicate = v.predicate
	return t
}

func (e *emitter) function(i int, s *selector) {
	s.phase.enter(phaseEmit)
	k := e.kernel
	e.current, e.values = e.base[i], s.values.list
	fn := e.functions[i]
	if !fn.Entry {
		f := &k.Functions[i]
		for _, p := range fn.Params {
			f.Params = append(f.Params, e.transfer(s.formal(p)))
		}
		for _, p := range fn.Returns {
			f.Results = append(f.Results, e.transfer(s.formal(p)))
		}
	}
	for n := range int32(s.nodes.length) {
		e.node(s.nodes.at(n), i)
		if n%chunkNodes == chunkNodes-1 {
			s.nodes.chunks[n/chunkNodes] = nil
		}
	}
}

func (e *emitter) node(n *node, caller int) {
	k := e.kernel
	in := n.Instr
	in.Guard = e.place(n.Guard, ptx.TruePred)
	// The operation decides which operands are predicates. A flag marks an absent
	// predicate destination, so its index does not matter.
	in.D = e.place(n.D, ptx.DumpSlot*ptx.SlotBytes)
	in.A, in.B = e.place(n.A, ptx.ZeroSlot), e.place(n.B, ptx.ZeroSlot)
	in.C, in.E = e.place(n.C, ptx.ZeroSlot), e.place(n.E, ptx.ZeroSlot)
	if n.Mem != nil {
		m := *n.Mem
		for i := range int(m.Count) {
			m.Regs[i] = e.place(n.Mem.Regs[i], ptx.DumpSlot*ptx.SlotBytes)
			m.Shaped[i] = e.shaped[m.Regs[i]/ptx.SlotBytes]
		}
		if m.Hints.Policy {
			m.Hints.PolicyAt = e.place(n.Mem.Hints.PolicyAt, ptx.ZeroSlot)
		}
		m.Words = m.Count == 1 && m.Bytes == 4 && !m.Wide[0] && !m.Absent[0] && (m.Kind == ptx.AccessStore || m.Keep[0] == math.MaxUint32)
		m.Constant = m.Kind == ptx.AccessLoad && (m.Space == ptx.SpaceParam || m.Space == ptx.SpaceConst) && m.Count == 1 && !m.Absent[0]
		in.Mem = &m
	}
	if n.Vector != nil {
		v := *n.Vector
		v.Regs = make([]uint32, len(n.Vector.Regs))
		for i, id := range n.Vector.Regs {
			v.Regs[i] = e.place(id, ptx.DumpSlot*ptx.SlotBytes)
		}
		if v.Group != nil {
			v.Held = e.scores(n.Vector.Regs[v.Group.Sums():])
		}
		in.Vector = &v
	}
	if n.Join >= 0 {
		in.Join = n.Join + int32(e.current.code)
	}
	in.Targets = make([]int32, len(n.branch))
	for i, t := range n.branch {
		in.Targets[i] = t + int32(e.current.code)
	}
	if len(in.Targets) == 1 {
		in.Target = in.Targets[0]
	}
	if n.site != nil {
		in.Call = e.call(n.site)
	}
	if e.module.lanesRunApart() {
		e.turns(&in)
	}
	in.ShapedReads, in.ShapedWrites = e.shapedOnes(n.reads), e.shapedOnes(n.writes)
	if in.Mem != nil && in.Family == ptx.FamilyMemory && in.Op == ptx.MemoryAccess && addressMayKeepShape(&in) {
		in.ShapedReads = slices.DeleteFunc(in.ShapedReads, func(offset uint32) bool { return offset == in.A })
	}
	if len(in.ShapedReads)+len(in.ShapedWrites) > 0 {
		in.Flags |= ptx.FlagShaped
	}
	in.Writes = e.scores(n.writes)
	e.touched = append(append(e.touched[:0], n.reads...), n.writes...)
	in.Deps = e.scores(e.touched)
	if (n.site != nil || n.Op == ptx.ControlReturn && n.Family == ptx.FamilyControl) && e.layout.recursive[e.functions[caller]] {
		in.Deps = e.recursiveScores() // its own are among them
	}
	k.Code = append(k.Code, in)
	pos := ptx.SourcePos{Line: in.Line, Column: in.Column, FileLine: n.loc.Line}
	if n.loc.Line > 0 {
		pos.File = e.module.FileName(n.loc.File)
	}
	k.Source = append(k.Source, pos)
	k.Text = append(k.Text, e.module.text(in.Line))
}

// turns marks a branch back over an instruction that may read what other threads write: the loop may be a wait.
func (e *emitter) turns(in *ptx.Instr) {
	at := int32(len(e.kernel.Code))
	if in.ReadsShared() || in.Call != nil {
		e.lastRead = at + 1
	}
	if in.IsBranch && len(in.Targets) > 0 && slices.Min(in.Targets) < e.lastRead {
		in.Flags |= ptx.FlagTurns
	}
}

// addressMayKeepShape reports whether a memory instruction reads its address register for its
// addresses alone, which it takes from a shape too.
func addressMayKeepShape(in *ptx.Instr) bool {
	o := in.Mem
	if o.Hints.Policy && o.Hints.PolicyAt == in.A {
		return false
	}
	return o.Kind == ptx.AccessLoad || o.Kind == ptx.AccessStore && !slices.Contains(o.Regs[:o.Count], in.A)
}

// recursiveScores returns the score ids of all recursive functions. A call or
// return in one of them waits for all: their registers are saved by calls and
// restored by returns, so none may be on its way. All such instructions share the
// list: one list each would take memory in the square of the number of functions.
func (e *emitter) recursiveScores() []uint16 {
	if e.recursive == nil {
		for i, fn := range e.functions {
			if e.layout.recursive[fn] {
				for u := range e.base[i].units {
					e.recursive = append(e.recursive, uint16(e.base[i].unit+u))
				}
			}
		}
	}
	return e.recursive
}

func (e *emitter) call(site *callSite) *ptx.CallOp {
	c := &ptx.CallOp{Function: -1}
	if site.function != nil {
		c.Function = int32(e.index[site.function])
	}
	for _, id := range site.args {
		c.Args = append(c.Args, e.transfer(id))
	}
	for _, id := range site.results {
		c.Results = append(c.Results, e.transfer(id))
	}
	return c
}

// scores returns the score ids of values, ascending, each once.
func (e *emitter) scores(ids []uint32) []uint16 {
	list := e.list[:0]
	for _, id := range ids {
		if id >= alwaysTrue || !e.values[id].lives() || e.values[id].first < 0 {
			continue
		}
		// Lists are short: each id is inserted at its place.
		score := uint16(int(e.values[id].unit) + e.current.unit)
		at := len(list)
		for at > 0 && list[at-1] >= score {
			at--
		}
		if at < len(list) && list[at] == score {
			continue
		}
		list = append(list, 0)
		copy(list[at+1:], list[at:])
		list[at] = score
	}
	e.list = list
	return append([]uint16(nil), list...)
}

// text returns a line of the text, without blanks around it.
func (m *Module) text(number int32) string {
	line := m.Lines[number-1]
	from, to := 0, len(line)
	for from < to && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	for to > from && (line[to-1] == ' ' || line[to-1] == '\t' || line[to-1] == '\r') {
		to--
	}
	return line[from:to]
}
