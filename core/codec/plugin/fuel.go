package plugin

import "fmt"

// ErrNoEnd is the fault of a call that has spent its work.
var ErrNoEnd = fmt.Errorf("it did not end within %d instructions", CallFuel)

const (
	// CallFuel is the work of one call, in instructions, and of all that happens before the first
	// [ours]: the slowest codec of this program takes some 20,000 for a block.
	CallFuel = 10_000_000
	// callCost is the work of a call beside its instructions [ours]. It bounds the depth of
	// recursion, at which engines overflow at different depths, to some thousand.
	callCost = 1000
	// bulkCost is the work of memory.copy and memory.fill, which may move a megabyte [ours].
	bulkCost = 10_000
)

// codeSection puts the counting into every function and every loop: there, and only there, a
// program can do more work than it has instructions. The cost of a loop's round, or of a call, is
// the number of instructions up to the end of the loop or the function. So it is at
// least the work done until the next count.
func (p *parser) codeSection(r *reader) {
	out := []byte(nil)
	n := r.count("functions")
	out = appendNumber(out, n)
	for range n {
		size := r.number()
		body := reader{at: r.at, b: r.take(size)}
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
	p.put(sectionCode, out)
}

// mark is where the count of a loop or a function belongs, and what it costs.
type mark struct{ at, cost int }

func (p *parser) function(r *reader) []byte {
	begin := r.b
	locals := 0
	for range r.count("groups of locals") {
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
	head := begin[:len(begin)-len(r.b)]
	code := r.b
	marks := []mark{{0, callCost}}
	open := []int{0} // the marks that are open: the function's and the loops'
	nesting := []bool{false}
	for len(nesting) > 0 {
		if r.err != nil {
			return nil
		}
		if len(r.b) == 0 {
			r.fail("a function ends without its end")
			return nil
		}
		op := r.byte()
		cost := 1
		switch {
		case op == opBulk:
			cost = bulkCost
			p.bulk(r)
		case opcodes[op] == refused:
			r.at--
			r.fail("the instruction %#02x is not one of a codec: use integers, without SIMD, threads, exceptions and tail calls", op)
		default:
			r.skip(opcodes[op])
		}
		for _, m := range open {
			marks[m].cost += cost
		}
		switch op {
		case opBlock, opIf:
			nesting = append(nesting, false)
		case opLoop:
			nesting = append(nesting, true)
			open = append(open, len(marks))
			marks = append(marks, mark{at: len(code) - len(r.b)})
		case opEnd:
			if nesting[len(nesting)-1] {
				open = open[:len(open)-1]
			}
			nesting = nesting[:len(nesting)-1]
		}
		if len(nesting) > maxNesting {
			r.fail("blocks are nested more than %d deep", maxNesting)
		}
	}
	if len(r.b) > 0 {
		r.fail("a function goes on behind its end")
		return nil
	}
	out := append([]byte(nil), head...)
	from := 0
	for _, m := range marks {
		out = append(out, code[from:m.at]...)
		out = p.appendCount(out, m.cost)
		from = m.at
	}
	return append(out, code[from:]...)
}

const maxNesting = 200 // [ours]: compilers stay below 50

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

// appendCount appends: fuel = fuel - cost; if fuel < 0, trap.
func (p *parser) appendCount(b []byte, cost int) []byte {
	b = appendNumber(append(b, opGlobalGet), p.globals)
	b = appendSigned(append(b, opI64Const), int64(cost))
	b = appendNumber(append(b, opI64Sub, opGlobalSet), p.globals)
	b = appendNumber(append(b, opGlobalGet), p.globals)
	b = appendSigned(append(b, opI64Const), 0)
	return append(b, opI64LtS, opIf, noResult, opUnreachable, opEnd)
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
	case index:
		r.number()
	case twoIndexes, memoryArg:
		r.number()
		r.number()
	case labels:
		for range r.count("labels") {
			r.number()
		}
		r.number()
	case zeroByte:
		r.byte()
	case number32:
		r.signed(32)
	case number64:
		r.signed(64)
	}
}
