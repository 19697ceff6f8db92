package flow

import (
	"slices"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// noResult is the type of a block without a value.
const noResult = 0x40

// fewNumbers is how many entries a table may have before its first resume point. Otherwise
// it is shorter to subtract that.
const fewNumbers = 16

// writer writes a function again.
type writer struct {
	*segments
	out  []byte
	open []label
}

// label is an open block. That in front of a part ends where the part begins; that of
// a loop leads to the loop's begin.
type label struct {
	kind labelKind
	part *part
}

type labelKind uint8

const (
	labelInside labelKind = iota // of a segment
	labelLeave                   // at its end the function is left
	labelBefore                  // in front of part
	labelLoop                    // the loop part
)

func (w *writer) function(whole *part) {
	w.write(w.head)
	if w.leaves {
		w.open = append(w.open, label{kind: labelLeave})
	}
	w.blocks(whole)
	w.dispatch(whole)
	w.parts(whole)
	w.write(w.tail) // of which control reaches only what is after the block that leaves the function
}

func (w *writer) write(list []code.Instruction) {
	for i := range list {
		w.out = append(w.out, list[i].Raw...)
	}
}

func (w *writer) begin(op byte, l label) {
	w.out = append(w.out, op, noResult)
	w.open = append(w.open, l)
}

func (w *writer) end() {
	w.out = append(w.out, code.OpEnd)
	w.open = w.open[:len(w.open)-1]
}

// setPC notes where a table is to lead; 0 is the begin of a loop.
func (w *writer) setPC(pc int64) {
	w.out = append(w.out, code.OpI32Const)
	w.out = append(code.AppendSigned(w.out, pc), code.OpLocalSet, localPC)
}

// loop writes a loop.
func (w *writer) loop(p *part) {
	w.begin(code.OpLoop, label{labelLoop, p})
	w.blocks(p)
	if p.entered {
		w.out = append(w.out, code.OpLocalGet, localPC, code.OpI32Eqz, code.OpBrIf, 0) // to the first segment
		w.dispatch(p)
	}
	w.parts(p)
	w.end()
}

// blocks opens a block in front of each part of a loop or of the function. The first part's is the
// innermost.
func (w *writer) blocks(p *part) {
	for _, inner := range slices.Backward(p.parts) {
		w.begin(code.OpBlock, label{labelBefore, inner})
	}
}

// dispatch writes the table that leads to the part with the resume point of local 0. Segments at which nothing
// goes on have no entries, so that the values of variables do not come together there.
func (w *writer) dispatch(p *part) {
	first := slices.Index(w.table, p.first)
	last := first
	for last+1 < len(w.table) && w.table[last+1] <= p.last {
		last++
	}
	w.out = append(w.out, code.OpLocalGet, localPC)
	if first > fewNumbers {
		w.out = append(code.AppendSigned(append(w.out, code.OpI32Const), int64(first)), code.OpI32Sub)
	} else {
		first = 0
	}
	w.out = code.AppendUnsigned(append(w.out, code.OpBrTable), last-first)
	at := 0
	for _, segment := range w.table[first : last+1] {
		for segment > p.first && !w.resumed[segment] {
			segment--
		}
		for segment > p.parts[at].last {
			at++
		}
		w.out = code.AppendUnsigned(w.out, at)
	}
}

func (w *writer) parts(p *part) {
	for i, inner := range p.parts {
		if inner.entered && i > 0 && fallsThrough(w.list[inner.first-1]) {
			w.setPC(0)
		}
		w.end()
		if inner.parts == nil {
			w.segment(inner.first)
		} else {
			w.loop(inner)
		}
	}
}

// fallsThrough reports whether control may go on after a segment.
func fallsThrough(segment []code.Instruction) bool {
	if len(segment) == 0 {
		return true
	}
	switch segment[len(segment)-1].Op {
	case code.OpBr, code.OpReturn, code.OpUnreachable:
		return false
	}
	return true
}

func (w *writer) segment(k int) {
	segment := w.list[k]
	inside := 0 // open blocks of the segment
	for i := 0; i < len(segment); i++ {
		in := &segment[i]
		switch in.Op {
		case code.OpBlock, code.OpLoop, code.OpIf:
			inside++
			w.open = append(w.open, label{})
		case code.OpEnd:
			inside--
			w.open = w.open[:len(w.open)-1]
		case code.OpBr, code.OpBrIf:
			if int(in.Imm) >= inside {
				w.out = code.AppendUnsigned(append(w.out, in.Op), len(w.open)-1) // out of the function
				continue
			}
		case code.OpI32Const:
			if pc, ok := jumpAt(segment, i); ok {
				w.jump(pc)
				i += 2
				continue
			}
		}
		w.out = append(w.out, in.Raw...)
	}
}

// jump writes a jump to a resume point. Blocks in front of parts that have begun are not open any more,
// so the innermost label that leads there is that of a later part, or of a loop around the jump.
func (w *writer) jump(pc int64) {
	to := w.target(pc)
	at := len(w.open) - 1
	for ; !w.open[at].leadsTo(to); at-- {
	}
	if p := w.open[at].part; p.entered {
		if to == p.first {
			pc = 0
		}
		w.setPC(pc)
	}
	w.out = code.AppendUnsigned(append(w.out, code.OpBr), len(w.open)-1-at)
}

// leadsTo reports whether a branch to a label comes to a segment.
func (l label) leadsTo(segment int) bool {
	switch l.kind {
	case labelBefore:
		return l.part.first <= segment && segment <= l.part.last
	case labelLoop:
		return l.part.first == segment
	}
	return false
}
