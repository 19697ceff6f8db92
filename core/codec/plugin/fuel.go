package plugin

import "fmt"

// Stopped is the fault of a call that the counting has stopped, nil if it has not: left is the value of FuelExport.
func Stopped(f Function, left int64) error {
	switch {
	case left >= 0:
		return nil
	case left == tooDeep:
		return fmt.Errorf("its calls are nested so deep that they need more than %d bytes of stack, of which a call takes %d, %d for each of its locals and operands and %d for each instruction that computes: use less recursion, or fewer locals",
			stackBytes, frameBytes, slotBytes, valueBytes)
	case left == spentAll:
		return fmt.Errorf("all its calls together took more than %d instructions, and %d for each block: the slowest built-in codec takes some 20000 for a block", firstFuel, blockFuel)
	}
	return fmt.Errorf("it did not end within %d instructions", FuelOf(f))
}

const (
	// CallFuel is the work of one call, in instructions, and of all that happens before the first
	// [ours]: the slowest codec of this program takes some 20,000 for a block.
	CallFuel = 10_000_000
	// trainFuel is the fuel of train, which is called for up to 8,192 blocks: together a second or so [ours].
	trainFuel = 100_000
	// trainedFuel is the fuel of trained, which sorts the counts of up to 65,536 values [ours].
	trainedFuel = 50_000_000
	// firstFuel and blockFuel bound the work of all calls that code blocks together, in each instance [ours]: five times that of
	// the slowest codec for each block, and a second or so beside that.
	firstFuel = 1_000_000_000
	blockFuel = 100_000
	// callCost is the work of a call beside its instructions and its locals, which an engine sets to zero [ours].
	callCost = 20
	// bulkCost is the work of memory.copy and memory.fill, for which engines leave the code of the module, and bulkShift says how many
	// bytes they move in the time of an instruction: 16 [ours].
	bulkCost  = 100
	bulkShift = 4
	// growCost is the work of memory.grow, for which an engine asks the system [ours].
	growCost = 10_000

	// Values of FuelExport that say why a call was stopped; any other below zero says that it has spent its work.
	tooDeep  = -1 << 62
	spentAll = tooDeep - 1
)

// Mark returns the value of FuelExport that stands for a reason: 0 is the first.
func Mark(reason int) int64 { return int64(tooDeep) - int64(reason) }

// FuelOf returns the work of a call of a function.
func FuelOf(f Function) int64 {
	switch f {
	case Train:
		return trainFuel
	case Trained:
		return trainedFuel
	}
	return CallFuel
}

// codeSection puts the counting into every function and every loop: there, and only there, a
// program can do more work than it has instructions. The cost of a loop's round, or of a call, is
// the number of instructions up to the end of the loop or the function. So it is at
// least the work done until the next count. Behind the functions of the module stand the entries.
func (p *parser) codeSection(r *reader) {
	out := []byte(nil)
	n := r.count("functions")
	out = appendNumber(out, n+len(p.entries)+ownFunctions)
	for range n {
		size := r.number()
		body := r.part(size)
		if r.err == nil && p.bodies == len(p.functions) {
			r.fail("the module has %d functions and %d bodies", len(p.functions), n)
		}
		if r.err != nil {
			return
		}
		code := p.function(&body)
		if r.err = body.err; r.err != nil {
			return
		}
		out = append(appendNumber(out, len(code)), code...)
		p.bodies++
	}
	for _, e := range p.entries {
		code := p.entryCode(e)
		out = append(appendNumber(out, len(code)), code...)
	}
	for _, code := range [ownFunctions][]byte{p.saveCode(false), p.saveCode(true), p.growCode()} {
		out = append(appendNumber(out, len(code)), code...)
	}
	p.put(sectionCode, out)
}

// entry is a function that the host calls in place of one of the contract. It gives the call its work, so
// that the host need not: in a browser, setting the global takes as long as sizing a block.
type entry struct {
	of       Function
	function int
}

func (p *parser) entryCode(e entry) []byte {
	w := code{b: []byte{0}}
	w.signed(opI64Const, FuelOf(e.of))
	w.number(opGlobalSet, p.fuel())
	w.signed(opI32Const, stackBytes)
	w.number(opGlobalSet, p.stack())
	for i := range exports[e.of].of.parameters {
		w.number(opLocalGet, i)
	}
	w.number(opCall, e.function)
	switch e.of {
	case Size, Encode, Decode, Exact, Sizes:
		p.account(&w, e.of)
	}
	w.bytes(opEnd)
	return w.b
}

// code is a body that is written. Its methods are calls: inlined, they would make this file the largest of the engine's.
type code struct{ b []byte }

//go:noinline
func (w *code) bytes(b ...byte) { w.b = append(w.b, b...) }

//go:noinline
func (w *code) number(op byte, v int) { w.b = appendNumber(append(w.b, op), v) }

//go:noinline
func (w *code) signed(op byte, v int64) { w.b = appendSigned(append(w.b, op), v) }

// change is a place of a function where code is put in, or takes the place of an instruction.
type change struct {
	at, skip int // bytes of the code
	cost     int // of a round of a loop or of the function; 0 = another change
	label    int // of a return: the label of the whole function
	op       byte
}

// function returns a function that counts its work. It keeps the count in a local, because a global in each round of a
// short loop takes longer than the round: the global has it at calls and at the end, where all ways lead through the end of
// one block around the code.
func (p *parser) function(r *reader) []byte {
	of := p.types[p.functions[p.bodies]]
	locals := len(of.parameters)
	groups := r.count("groups of locals")
	declared := r.b
	for range groups {
		n := r.number()
		if locals += n; locals > maxLocals {
			r.fail("a function has more than %d locals", maxLocals)
		}
		if t := r.byte(); t != typeI32 && t != typeI64 {
			r.fail("a local has the type %#x; a codec uses i32 and i64", t)
		}
		if r.err != nil {
			return nil
		}
	}
	if locals > maxLocals {
		r.fail("a function has more than %d locals and parameters", maxLocals)
	}
	declared = declared[:len(declared)-len(r.b)]
	// Added locals and globals get the next free numbers. The module must not name them, or it could refill its fuel.
	limits := [...]int{local: locals, global: p.globals, function: len(p.functions)}
	branches := 0
	body := r.b
	changes := []change{{cost: callCost + locals}}
	open := []int{0} // the changes that count what is open: the function's and the loops'
	nesting := []block{{results: len(of.results)}}
	frame := frame{parser: p, locals: locals + 2}
	moves, calls := false, false
	for len(nesting) > 0 {
		if r.err != nil {
			return nil
		}
		if len(r.b) == 0 {
			r.fail("a function ends without its end")
			return nil
		}
		at := len(body) - len(r.b)
		op := r.byte()
		cost := 1
		switch {
		case op == opBulk:
			cost = bulkCost
			frame.height -= 3
			p.bulk(r)
		case opcodes[op] == refused:
			r.at--
			r.fail("the instruction %#02x is not one of a codec: use integers, without SIMD, threads, exceptions and tail calls", op)
		case opcodes[op] == labels:
			for range r.count("labels") + 1 {
				r.below("label", len(nesting))
				branches++
			}
		case opcodes[op] == label:
			r.below("label", len(nesting))
		case opcodes[op] >= local && opcodes[op] <= function:
			r.below(numbered[opcodes[op]], limits[opcodes[op]])
		default:
			r.skip(opcodes[op])
		}
		if r.err != nil {
			return nil
		}
		frame.add(op, body[at:len(body)-len(r.b)], nesting)
		switch {
		case op == opMemoryGrow:
			cost = growCost
		case op >= opBlock && op <= opElse || op == opBr || op == opBrIf || op == opCall || op == opCallIndirect:
			branches++
		}
		for _, m := range open {
			changes[m].cost += cost
		}
		switch op {
		case opBlock, opIf:
			nesting = append(nesting, frame.opened)
		case opLoop:
			nesting = append(nesting, frame.opened)
			open = append(open, len(changes))
			changes = append(changes, change{at: len(body) - len(r.b), op: op})
		case opCall, opCallIndirect, opReturn, opBulk, opMemoryGrow:
			calls = calls || op == opCall || op == opCallIndirect
			moves = moves || op == opBulk
			changes = append(changes, change{at: at, skip: len(body) - len(r.b) - at, label: len(nesting) - 1, op: op})
		case opEnd:
			if nesting[len(nesting)-1].loop {
				open = open[:len(open)-1]
			}
			nesting = nesting[:len(nesting)-1]
		}
		if len(nesting) > maxNesting {
			r.fail("blocks are nested more than %d deep", maxNesting)
		}
	}
	if len(r.b) > 0 {
		r.fail("a function has code after its end")
	}
	if p.joins += (locals + branches/16 + 1) * (branches + 1); p.joins > maxJoins {
		r.fail("function %d has too many branches and calls for its %d locals: make it smaller", p.bodies, locals)
	}
	if r.err != nil {
		return nil
	}
	added := []byte{1, typeI64}
	if moves {
		added = append(added, 1, typeI32) // how many bytes
	}
	w := code{b: appendNumber(nil, groups+len(added)/2)}
	w.bytes(declared...)
	w.bytes(added...)
	load := func() { w.number(opGlobalGet, p.fuel()); w.number(opLocalSet, locals) }
	store := func() { w.number(opLocalGet, locals); w.number(opGlobalSet, p.fuel()) }
	spend := func() { // what lies on the stack
		w.bytes(opI64Sub)
		w.number(opLocalTee, locals)
		w.signed(opI64Const, 0)
		w.bytes(opI64LtS, opIf, noResult)
		store()
		w.bytes(opUnreachable, opEnd)
	}
	p.enter(&w, frame.bytes(), calls)
	load()
	from := 0
	for i, c := range changes {
		w.bytes(body[from:c.at]...)
		from = c.at + c.skip
		switch {
		case c.cost > 0: // count = count - cost; if count < 0, trap
			w.number(opLocalGet, locals)
			w.signed(opI64Const, int64(c.cost))
			spend()
		case c.op == opReturn:
			w.number(opBr, c.label)
		case c.op == opBulk:
			w.number(opLocalSet, locals+1)
			w.number(opLocalGet, locals)
			w.number(opLocalGet, locals+1)
			w.bytes(opI64ExtendU)
			w.signed(opI64Const, bulkShift)
			w.bytes(opI64ShrU)
			spend()
			w.number(opLocalGet, locals+1)
			w.bytes(body[c.at:from]...)
		case c.op == opMemoryGrow:
			w.number(opCall, p.own(2))
		default:
			store()
			w.bytes(body[c.at:from]...)
			load()
		}
		if i == 0 {
			w.bytes(opBlock, blockOf(of.results))
		}
	}
	w.bytes(body[from:]...)
	store()
	if calls {
		p.leave(&w, frame.bytes())
	}
	w.bytes(opEnd)
	return w.b
}

// blockOf is the type of a block with the results of a function.
func blockOf(results string) byte {
	switch results {
	case "i":
		return typeI32
	case "l":
		return typeI64
	}
	return noResult
}

const (
	maxNesting = 200 // [ours]: compilers stay below 50
	// maxJoins bounds the time that an engine takes to compile a module to half a second [ours]: at every branch it
	// joins all locals, and what wazero does for a branch grows with their number. The examples of tools/plugin stay below 3,400.
	maxJoins = 1 << 17
)

// bulk reads the instructions with two bytes.
func (p *parser) bulk(r *reader) {
	switch n := r.number(); n {
	case bulkCopy:
		r.byte()
		r.byte()
	case bulkFill:
		r.byte()
	default:
		r.fail("the instruction 0xfc %d is not one of a codec: use integers, memory.copy and memory.fill", n)
	}
}

// skip reads what follows an opcode.
func (r *reader) skip(im immediates) {
	switch im {
	case blockType:
		if len(r.b) > 0 && (r.b[0] == noResult || r.b[0] == typeI32 || r.b[0] == typeI64) {
			r.byte()
		} else {
			r.signed(33) // a type of several values; the engine checks it
		}
	case twoIndexes, memoryArg:
		r.number()
		r.number()
	case zeroByte:
		r.byte()
	case number32:
		r.signed(32)
	case number64:
		r.signed(64)
	}
}
