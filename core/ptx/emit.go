package ptx

import (
	"math"
	"slices"
	"sort"
)

// generate runs the remaining passes over every function and joins the results.
func (c *compiler) generate() {
	k := c.kernel
	parts := make([]*selector, len(c.functions))
	frames := make([]frame, len(c.functions))
	for i, fn := range c.functions {
		s := selectFunction(c.rep, c.module, fn, c.layout)
		if len(c.rep.list) > 0 {
			return
		}
		// Formal parameters have places whether or not the body uses them.
		for _, list := range [][]*symbol{fn.params, fn.returns} {
			for _, p := range list {
				if !fn.entry {
					s.touch(s.formal(p), 0)
				}
			}
		}
		g := s.flow()
		s.uniformity()
		f, ok := s.allocate(g)
		if !ok {
			return
		}
		parts[i], frames[i] = s, f
	}
	e := &emitter{compiler: c, constants: map[constantKey]uint32{}, specials: map[specialRegister]uint32{}}
	e.constantSlots(parts)
	slot, predicate, unit := e.slots, firstPred, 0
	for i, fn := range c.functions {
		f := &frames[i]
		slot = (slot + 1) &^ 1
		k.functions = append(k.functions, callee{
			address: functionAddress(fn), entry: int32(e.size), recursive: c.layout.recursive[fn],
			slot: slot, slots: f.slots, longSlots: f.longSlots, predicate: predicate, predicates: f.predicates,
		})
		e.base = append(e.base, base{slot, predicate, unit, f.units, e.size})
		slot, predicate, unit = slot+f.slots, predicate+f.predicates, unit+f.units
		e.size += len(parts[i].nodes)
	}
	if e.size > 1<<20 || unit > 1<<16 || slot > 1<<14 {
		c.rep.errorf(c.entry.at, "kernel %s is too large: %d instructions, %d registers", k.Name, e.size, slot)
		return
	}
	k.RegisterSlots, k.predicates, k.ScoreIDs = slot, predicate, unit
	k.Code = make([]Instr, 0, e.size)
	e.shapedSlots(parts)
	for i, s := range parts {
		e.function(i, s)
	}
	k.RegistersPerThread = c.pressure(frames, 0, make([]bool, len(frames)))
}

// formal returns the value of a formal parameter.
func (s *selector) formal(p *symbol) uint32 {
	if p.register != nil {
		return s.values.register(p.register)
	}
	return s.values.block(p.variable)
}

// pressure adds up registers along the deepest chain of calls.
func (c *compiler) pressure(frames []frame, i int, active []bool) int {
	if active[i] {
		return 0
	}
	active[i] = true
	deepest := 0
	for _, t := range c.calls[i] {
		deepest = max(deepest, c.pressure(frames, t, active))
	}
	active[i] = false
	return frames[i].pressure + deepest
}

// base is where a function's share of everything begins.
type base struct{ slot, predicate, unit, units, code int }

type emitter struct {
	*compiler
	base      []base
	constants map[constantKey]uint32
	specials  map[specialRegister]uint32
	slots     int
	size      int
	current   base
	values    []value
	shaped    []bool // of each slot: it may have a shape
}

// constantSlots lays out constants and fixed special registers, which all
// functions share, and builds the template of a register file.
func (e *emitter) constantSlots(parts []*selector) {
	k := e.kernel
	e.slots = firstSlot
	k.template = make([]uint32, firstSlot*MaxLanes)
	k.shapes = make([]shape, firstSlot)
	for i := range k.shapes {
		k.shapes[i].form = formBoth
	}
	for _, s := range parts {
		for i := range s.values.list {
			v := &s.values.list[i]
			switch v.kind {
			case valueConstant:
				key := constantKey{v.words, v.constant}
				if _, done := e.constants[key]; done {
					continue
				}
				e.constants[key] = uint32(e.slots) * slotBytes
				e.slots += v.words
				c := shape{base: v.constant, form: formBoth}
				if v.words == 1 {
					c.base &= math.MaxUint32
				}
				k.shapes = append(k.shapes, c)
				k.shapes = append(k.shapes, make([]shape, v.words-1)...)
				for lane := 0; lane < MaxLanes; lane++ {
					k.template = append(k.template, uint32(v.constant))
					if v.words == 2 {
						k.template = append(k.template, uint32(v.constant>>32))
					}
				}
			case valueFixed:
				if _, done := e.specials[v.special]; done {
					continue
				}
				at := uint32(e.slots) * slotBytes
				e.specials[v.special] = at
				k.fixed = append(k.fixed, fixedSlot{v.special, at})
				k.template = append(k.template, make([]uint32, MaxLanes)...)
				k.shapes = append(k.shapes, shape{})
				e.slots++
			}
		}
	}
}

// shapedSlots finds the slots that may hold a shape: values share slots, so all
// who use such a slot have to look.
func (e *emitter) shapedSlots(parts []*selector) {
	k := e.kernel
	k.firstVariable = e.slots
	e.shaped = make([]bool, k.RegisterSlots)
	for i, s := range parts {
		e.current, e.values = e.base[i], s.values.list
		for id := range s.values.list {
			v := &s.values.list[id]
			if v.predicate || v.spread == spreadAny || v.kind != valueFixed && (v.kind != valueRegister || v.first < 0) {
				continue
			}
			e.shaped[e.place(uint32(id), 0)/slotBytes] = true
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
		v, at := &e.values[id], e.place(id, dumpSlot*slotBytes)
		n := uint32(1)
		if v.kind == valueStorage {
			n = uint32(v.words)
		}
		for ; n > 0; n, at = n-1, at+slotBytes {
			if e.shaped[at/slotBytes] && !slices.Contains(list, at) {
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
		return truePred
	}
	v := &e.values[id]
	switch {
	case v.kind == valueConstant:
		return e.constants[constantKey{v.words, v.constant}]
	case v.kind == valueFixed:
		return e.specials[v.special]
	case v.first < 0: // nobody reads it
		if v.predicate {
			return dumpPred
		}
		return dumpSlot * slotBytes
	case v.predicate:
		return v.place + uint32(e.current.predicate)
	}
	return (v.place + uint32(e.current.slot)) * slotBytes
}

func (e *emitter) transfer(id uint32) transfer {
	v := &e.values[id]
	t := transfer{offset: e.place(id, dumpSlot*slotBytes), words: v.words}
	t.long = v.kind != valueStorage && v.words == 2
	return t
}

func (e *emitter) function(i int, s *selector) {
	s.phase.enter(phaseEmit)
	k := e.kernel
	e.current, e.values = e.base[i], s.values.list
	fn := e.functions[i]
	if !fn.entry {
		f := &k.functions[i]
		for _, p := range fn.params {
			f.params = append(f.params, e.transfer(s.formal(p)))
		}
		for _, p := range fn.returns {
			f.results = append(f.results, e.transfer(s.formal(p)))
		}
	}
	for n := range s.nodes {
		e.node(&s.nodes[n], i)
	}
}

func (e *emitter) node(n *node, caller int) {
	k := e.kernel
	in := n.Instr
	in.guard = e.place(n.guard, truePred)
	// Which operands are predicates is the operation's business; an absent
	// predicate destination is flagged, so any index will do for it.
	in.d = e.place(n.d, dumpSlot*slotBytes)
	in.a, in.b = e.place(n.a, zeroSlot), e.place(n.b, zeroSlot)
	in.c, in.e = e.place(n.c, zeroSlot), e.place(n.e, zeroSlot)
	if n.mem != nil {
		m := *n.mem
		for i := range int(m.count) {
			m.regs[i] = e.place(n.mem.regs[i], dumpSlot*slotBytes)
			m.shaped[i] = e.shaped[m.regs[i]/slotBytes]
		}
		m.words = m.count == 1 && m.bytes == 4 && !m.wide[0] && !m.absent[0] && (m.kind == AccessStore || m.keep[0] == math.MaxUint32)
		in.mem = &m
	}
	if n.vector != nil {
		v := *n.vector
		v.regs = make([]uint32, len(n.vector.regs))
		for i, id := range n.vector.regs {
			v.regs[i] = e.place(id, dumpSlot*slotBytes)
		}
		in.vector = &v
	}
	if n.join >= 0 {
		in.join = n.join + int32(e.current.code)
	}
	in.targets = make([]int32, len(n.branch))
	for i, t := range n.branch {
		in.targets[i] = t + int32(e.current.code)
	}
	if len(in.targets) == 1 {
		in.target = in.targets[0]
	}
	if n.site != nil {
		in.call = e.call(n.site)
	}
	in.shapedReads, in.shapedWrites = e.shapedOnes(n.reads), e.shapedOnes(n.writes)
	if len(in.shapedReads)+len(in.shapedWrites) > 0 {
		in.flags |= flagShaped
	}
	in.Writes = e.scores(n.writes)
	in.Deps = e.scores(append(append([]uint32(nil), n.reads...), n.writes...))
	if (n.site != nil || n.op == controlReturn && n.family == familyControl) && e.layout.recursive[e.functions[caller]] {
		in.Deps = e.recursiveScores(in.Deps)
	}
	k.Code = append(k.Code, in)
	pos := SourcePos{Line: in.Line, Column: in.Column, FileLine: n.st.line}
	if n.st.line > 0 {
		pos.File = e.module.fileName(n.st.file)
	}
	k.Source = append(k.Source, pos)
	k.text = append(k.text, e.module.text(n.st))
}

// recursiveScores adds all score ids of recursive functions: their registers are
// saved by calls and restored by returns, so none may be on its way.
func (e *emitter) recursiveScores(ids []uint16) []uint16 {
	var list []uint16
	for _, id := range ids {
		if !e.isRecursiveScore(int(id)) {
			list = append(list, id)
		}
	}
	for i, fn := range e.functions {
		if e.layout.recursive[fn] {
			for u := range e.base[i].units {
				list = append(list, uint16(e.base[i].unit+u))
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return list
}

func (e *emitter) isRecursiveScore(id int) bool {
	for i, fn := range e.functions {
		if b := e.base[i]; e.layout.recursive[fn] && id >= b.unit && id < b.unit+b.units {
			return true
		}
	}
	return false
}

func (e *emitter) call(site *callSite) *callOp {
	c := &callOp{function: -1}
	if site.function != nil {
		c.function = int32(e.index[site.function])
	}
	for _, id := range site.args {
		c.args = append(c.args, e.transfer(id))
	}
	for _, id := range site.results {
		c.results = append(c.results, e.transfer(id))
	}
	return c
}

// scores returns the score ids of values, ascending, each once.
func (e *emitter) scores(ids []uint32) []uint16 {
	var list []uint16
	for _, id := range ids {
		if id >= alwaysTrue || !e.values[id].lives() || e.values[id].first < 0 {
			continue
		}
		list = append(list, uint16(int(e.values[id].unit)+e.current.unit))
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	n := 0
	for i, x := range list {
		if i == 0 || x != list[n-1] {
			list[n] = x
			n++
		}
	}
	return list[:n:n]
}

// text returns the source line of a statement, without blanks around it.
func (m *Module) text(st *statement) string {
	line := m.lines[st.at.line-1]
	from, to := 0, len(line)
	for from < to && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	for to > from && (line[to-1] == ' ' || line[to-1] == '\t' || line[to-1] == '\r') {
		to--
	}
	return line[from:to]
}
