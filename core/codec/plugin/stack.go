package plugin

// A call takes stack of the engine, and engines end at different depths: some after 100 kB, some after megabytes. So the rewriting counts
// the bytes that the calls in progress need at most, and stops the module before any engine does, at the same call everywhere.
const (
	// stackBytes is the stack of a module [ours]: half of the 512 kB that macOS gives a thread, which are the least of the systems that
	// run the page.
	stackBytes = 256 << 10
	// frameBytes is what a call takes beside what it holds: its place of return, the frame below, registers that are kept [ours].
	frameBytes = 128
	// slotBytes is the place of a local or an operand: 16 bytes in the interpreter of JavaScriptCore, 8 in compiled code.
	slotBytes = 16
	// valueBytes is the place of what an instruction computes, which an optimizing compiler may keep for longer than the module says.
	valueBytes = 8
)

// block is an open block of a function.
type block struct {
	loop                       bool
	below, parameters, results int // operands: those outside the block, and those it takes and gives
}

// frame counts what a call of a function keeps at most.
type frame struct {
	parser  *parser
	locals  int
	height  int // operands now
	highest int
	values  int
	opened  block // by the last instruction
}

func (f *frame) bytes() int64 {
	return int64(frameBytes + slotBytes*(f.locals+f.highest) + valueBytes*f.values)
}

// add counts an instruction, whose bytes are given. Behind a jump the height may be too small until the block ends; nothing
// runs there.
func (f *frame) add(op byte, bytes []byte, nesting []block) {
	inner := &nesting[len(nesting)-1]
	r := reader{b: bytes[1:]}
	switch op {
	case opBlock, opLoop, opIf:
		if op == opIf {
			f.height--
		}
		of := f.parser.blockType(&r)
		f.opened = block{op == opLoop, f.height - len(of.parameters), len(of.parameters), len(of.results)}
	case opElse:
		f.height = inner.below + inner.parameters
	case opEnd:
		f.height = inner.below + inner.results
	case opCall:
		f.call(f.parser.types[f.parser.functions[r.number()]])
	case opCallIndirect:
		f.height--
		if t := r.number(); t < len(f.parser.types) {
			f.call(f.parser.types[t])
		}
	default:
		f.height += int(heights[op])
	}
	f.highest = max(f.highest, f.height)
	if op == opSelect || op == opCall || op == opCallIndirect || op >= 0x28 && op <= 0x35 || op == 0x3f || op == opMemoryGrow || op >= 0x45 {
		f.values++
	}
}

func (f *frame) call(of signature) { f.height += len(of.results) - len(of.parameters) }

// blockType reads what a block takes and gives.
func (p *parser) blockType(r *reader) signature {
	switch r.b[0] {
	case typeI32, typeI64:
		return signature{"", "i"}
	case noResult:
		return signature{}
	}
	if t := r.signed(33); t >= 0 && t < int64(len(p.types)) {
		return p.types[t]
	}
	return signature{} // the engine refuses it
}

// heights are the operands that instructions add or take; those of blocks and calls depend on types.
var heights = func() (t [256]int8) {
	set := func(first, last int, n int8) {
		for op := first; op <= last; op++ {
			t[op] = n
		}
	}
	set(opBrIf, opBrTable, -1)
	set(opDrop, opDrop, -1)
	set(opSelect, opSelect, -2)
	set(opLocalGet, opLocalGet, 1)
	set(opLocalSet, opLocalSet, -1)
	set(opGlobalGet, opGlobalGet, 1)
	set(opGlobalSet, opGlobalSet, -1)
	set(0x36, 0x3e, -2) // stores
	set(0x3f, 0x3f, 1)  // memory.size
	set(opI32Const, opI64Const, 1)
	set(0x46, 0x4f, -1) // comparisons; eqz stands before each group
	set(0x51, 0x5a, -1)
	set(0x6a, 0x78, -1) // arithmetic with two operands
	set(0x7c, 0x8a, -1)
	return t
}()

// globalOf is a global that may change: its number among those, among all, and its type.
type globalOf struct {
	number, index int
	of            byte
}

// What the rewriting adds stands after what the module has: globals, of which those after the first four keep the values of the
// module's own; and functions after the entries.
const (
	ownGlobals   = 4
	ownFunctions = 3 // save, restore, grow
)

func (p *parser) fuel() int  { return p.globals }     // i64, the work left to a call
func (p *parser) stack() int { return p.globals + 1 } // i32, the bytes left to it
func (p *parser) all() int   { return p.globals + 2 } // i64, the work left to all calls
func (p *parser) fixed() int { return p.globals + 3 } // i32, whether the memory may no longer grow

func (p *parser) own(i int) int { return len(p.functions) + len(p.entries) + i }

// stop ends the module for a reason.
func (p *parser) stop(w *code, why int64) {
	w.bytes(opIf, noResult)
	w.signed(opI64Const, why)
	w.number(opGlobalSet, p.fuel())
	w.bytes(opUnreachable, opEnd)
}

// enter takes the stack of a call. A function that calls no other need not give it back.
func (p *parser) enter(w *code, bytes int64, calls bool) {
	w.number(opGlobalGet, p.stack())
	w.signed(opI32Const, bytes)
	w.bytes(opI32Sub)
	if calls {
		w.number(opGlobalSet, p.stack())
		w.number(opGlobalGet, p.stack())
	}
	w.signed(opI32Const, 0)
	w.bytes(opI32LtS)
	p.stop(w, tooDeep)
}

func (p *parser) leave(w *code, bytes int64) {
	w.number(opGlobalGet, p.stack())
	w.signed(opI32Const, bytes)
	w.bytes(opI32Add)
	w.number(opGlobalSet, p.stack())
}

// account takes the work of a call from that of all calls, to which each block adds its part.
func (p *parser) account(w *code, of Function) {
	w.number(opGlobalGet, p.all())
	w.number(opGlobalGet, p.fuel())
	w.bytes(opI64Add)
	w.signed(opI64Const, FuelOf(of))
	w.bytes(opI64Sub)
	w.signed(opI64Const, blockFuel)
	if of == Sizes {
		w.number(opLocalGet, 0)
		w.bytes(opI64ExtendU, opI64Mul)
	}
	w.bytes(opI64Add)
	w.number(opGlobalSet, p.all())
	w.number(opGlobalGet, p.all())
	w.signed(opI64Const, 0)
	w.bytes(opI64LtS)
	p.stop(w, spentAll)
}

// saveCode copies the values of the module's globals to where they are kept, or back. A module that has begun to
// code blocks has the memory that it has: its size would be a place to remember something.
func (p *parser) saveCode(back bool) []byte {
	w := code{b: []byte{0}}
	for _, g := range p.changing {
		from, to := g.index, p.globals+ownGlobals+g.number
		if back {
			from, to = to, from
		}
		w.number(opGlobalGet, from)
		w.number(opGlobalSet, to)
	}
	if !back {
		w.signed(opI32Const, 1)
		w.number(opGlobalSet, p.fixed())
	}
	w.bytes(opEnd)
	return w.b
}

// growCode is memory.grow until the memory is fixed; then there is no more.
func (p *parser) growCode() []byte {
	w := code{b: []byte{0}}
	w.number(opGlobalGet, p.fixed())
	w.bytes(opIf, typeI32)
	w.signed(opI32Const, -1)
	w.bytes(opElse)
	w.number(opLocalGet, 0)
	w.bytes(opMemoryGrow, 0, opEnd, opEnd)
	return w.b
}
