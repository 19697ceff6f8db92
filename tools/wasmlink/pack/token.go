package pack

import (
	"bytes"
	"slices"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// item is what a symbol stands for: bytes, and then an action.
type item struct {
	text string
	act  byte
	arg  byte
}

// Actions. Those that say so take operands from streams.
const (
	actNone    = iota
	actNumber  // copy a LEB128 number from stream arg
	actBytes   // copy arg bytes from streamBytes
	actRaw     // copy from streamRaw as many bytes as its next one says
	actOpen    // a block begins
	actClose   // a block ends, the last one with the function
	actLevel   // a branch to the block of level arg, counted from the function
	actAddress // a constant of three bytes from the streams of addresses
	actCall    // a function's number of two bytes from the streams of calls
	actReturn  // the address to go on at after a call, from streamReturn
	actTarget  // the address of a resume point, from streamTarget
	actTable   // a table of resume points, from streamTable
	actFrame   // the size of the frame, from streamFrame
	actAgain   // the size of the frame again, arg bytes more
)

// Streams.
const (
	streamSymbols = iota
	streamOffset  // of loads
	streamStack   // of loads from the stack
	streamStore   // of stores
	streamSmall   // constants of one byte
	streamLong    // other 64-bit constants
	streamInt     // other 32-bit constants
	streamFrame
	streamHigh // the bytes of addresses
	streamMiddle
	streamLow
	streamCallHigh
	streamCallLow
	streamReturn
	streamTarget
	streamDepth // of branches
	streamTable
	streamLocals // declarations of locals, with their lengths
	streamRaw
	streamBytes
	streamKept // of stores to the stack
	numStreams
)

// operand is bytes for a stream.
type operand struct {
	stream int
	bytes  []byte
}

type token struct {
	item
	operands []operand
}

// hasState tells whether the decoder has to know of the token: it cannot be written as bytes.
func (t *item) hasState() bool { return t.act != actNone && t.act != actNumber && t.act != actBytes }

// pcBits is the width of the resume point in an address of Go's code; the function is above.
const pcBits = 16

// A local variable holds the stack pointer, another the resume point at which a function
// begins (cmd/internal/obj/wasm).
const (
	localPC = 0
	localSP = 1
)

// addressBytes is the size of the address above a frame to go on at, which a function's end
// takes off the stack with the frame.
const addressBytes = 8

// highestLevel is the highest level of a block that branches name by level. A function's first
// block is the one whose end leaves it, to which a branch leads after every call.
const highestLevel = 2

// tokenizer turns the instructions of one function into tokens.
type tokenizer struct {
	pc      int64 // address of the function without a resume point
	depth   int
	base    int   // depth at the first table of resume points, 0 before it
	ends    []int // for each target of that table the last address that leads to it
	back    int64 // the last address to go on at after a call, at first that of the function
	frame   int64 // its size in bytes, 0 before it is known
	content []code.Instruction
}

func newTokenizer(pc int64, content []code.Instruction) tokenizer {
	return tokenizer{pc: pc, back: pc, content: content}
}

func (t *tokenizer) tokens() []token {
	out := make([]token, 0, len(t.content))
	for i := range t.content {
		in := &t.content[i]
		out = append(out, t.token(i, in))
		switch {
		case in.Op >= code.OpBlock && in.Op <= code.OpIf:
			t.depth++
		case in.Op == code.OpEnd:
			t.depth--
		}
	}
	return out
}

// plain is an instruction as it stands.
func plain(in *code.Instruction) token { return token{item: item{text: string(in.Raw)}} }

// number is an instruction whose last operand takes the bytes of raw from at on.
func number(in *code.Instruction, at, stream int) token {
	return token{item{string(in.Raw[:at]), actNumber, byte(stream)}, []operand{{stream, in.Raw[at:]}}}
}

func (t *tokenizer) token(i int, in *code.Instruction) token {
	switch op := in.Op; {
	case op >= code.OpBlock && op <= code.OpIf:
		return token{item: item{string(in.Raw), actOpen, 0}}
	case op == code.OpEnd:
		return token{item: item{string(in.Raw), actClose, 0}}
	case op == code.OpBr || op == code.OpBrIf:
		level := int64(t.depth) - in.Imm
		if level >= 0 && level <= highestLevel && bytes.Equal(in.Raw[1:], code.AppendUnsigned(nil, int(in.Imm))) {
			return token{item: item{string(in.Raw[:1]), actLevel, byte(level)}}
		}
		return number(in, 1, streamDepth)
	case op == code.OpBrTable:
		return t.table(in)
	case op == code.OpCall:
		if in.Imm >= 0 && in.Imm < 1<<16 && bytes.Equal(in.Raw[1:], code.AppendSigned(nil, in.Imm)) {
			return token{item{string(in.Raw[:1]), actCall, 0}, []operand{{streamCallHigh, []byte{byte(in.Imm >> 8)}}, {streamCallLow, []byte{byte(in.Imm)}}}}
		}
	case op == code.OpCallIndirect:
		return plain(in)
	case op >= code.OpFirstLoad && op <= code.OpLastStore:
		if in.Imm == 0 {
			return plain(in)
		}
		stream := streamOffset
		if op >= code.OpFirstStore {
			stream = streamStore
			if begin := code.ValueBegin(t.content, i); begin > 0 && t.content[begin-1].Op == code.OpLocalGet && t.content[begin-1].Imm == localSP {
				stream = streamKept
			}
		} else if i > 0 && t.content[i-1].Op == code.OpLocalGet && t.content[i-1].Imm == localSP {
			stream = streamStack
		}
		return number(in, 2, stream)
	case op == code.OpI32Const:
		return t.int(i, in)
	case op == code.OpI64Const:
		return t.long(i, in)
	case op == code.OpF32Const || op == code.OpF64Const:
		return token{item{string(in.Raw[:1]), actBytes, byte(len(in.Raw) - 1)}, []operand{{streamBytes, in.Raw[1:]}}}
	}
	return plain(in)
}

// table is a table of resume points: entries that begin with 0 and rise by one.
func (t *tokenizer) table(in *code.Instruction) token {
	targets := in.Targets()
	var ends []int
	for at, target := range targets {
		switch {
		case target == len(ends):
		case target == len(ends)+1 && at > 0:
			ends = append(ends, at-1)
		default:
			return plain(in)
		}
	}
	ends = append(ends, len(targets)-1)
	list := code.AppendUnsigned(nil, len(ends))
	for i, end := range ends {
		length := end + 1
		if i > 0 {
			length = end - ends[i-1]
		}
		list = code.AppendUnsigned(list, length)
	}
	raw := code.AppendUnsigned([]byte{code.OpBrTable}, len(targets)-1)
	for _, target := range targets {
		raw = code.AppendUnsigned(raw, target)
	}
	if !bytes.Equal(raw, in.Raw) {
		return plain(in)
	}
	if t.base == 0 {
		t.base, t.ends = t.depth, ends
	}
	return token{item{string(in.Raw[:1]), actTable, 0}, []operand{{streamTable, list}}}
}

// here is the target of the first table that the current instruction follows.
func (t *tokenizer) here() int { return min(max(t.base-t.depth-1, 0), len(t.ends)-1) }

func (t *tokenizer) int(i int, in *code.Instruction) token {
	follows := func(n int, op byte, imm int64) bool {
		return i+n < len(t.content) && t.content[i+n].Op == op && t.content[i+n].Imm == imm
	}
	switch {
	case t.frame > 0 && (in.Imm == t.frame || in.Imm == t.frame+addressBytes) && bytes.Equal(in.Raw[1:], code.AppendSigned(nil, in.Imm)):
		return token{item: item{string(in.Raw[:1]), actAgain, byte(in.Imm - t.frame)}}
	case in.Imm == 0 || in.Imm == 1 || in.Imm == 8:
		return plain(in)
	case len(t.ends) > 0 && follows(1, code.OpLocalSet, localPC) && i+2 < len(t.content) && t.content[i+2].Op == code.OpBr:
		point, _ := slices.BinarySearch(t.ends, int(in.Imm)-1)
		if point < len(t.ends) && int64(t.ends[point])+1 == in.Imm && bytes.Equal(in.Raw[1:], code.AppendSigned(nil, in.Imm)) {
			return token{item{string(in.Raw[:1]), actTarget, 0}, []operand{{streamTarget, code.AppendSigned(nil, int64(point-t.here()))}}}
		}
	case t.frame == 0 && in.Imm > 0 && i > 0 && t.content[i-1].Op == code.OpLocalGet && bytes.Equal(in.Raw[1:], code.AppendSigned(nil, in.Imm)):
		t.frame = in.Imm
		return token{item{string(in.Raw[:1]), actFrame, 0}, []operand{{streamFrame, in.Raw[1:]}}}
	}
	return number(in, 1, streamInt)
}

func (t *tokenizer) long(i int, in *code.Instruction) token {
	switch {
	case in.Imm>>pcBits == t.pc>>pcBits && i+1 < len(t.content) && t.content[i+1].Op == code.OpLastStore-7 &&
		bytes.Equal(in.Raw[1:], code.AppendSigned(nil, in.Imm)):
		from := t.back
		if len(t.ends) > 0 {
			from = max(from, t.pc+int64(t.ends[t.here()])+1) // addresses mostly rise
		}
		t.back = in.Imm
		return token{item{string(in.Raw[:1]), actReturn, 0}, []operand{{streamReturn, code.AppendSigned(nil, in.Imm-from)}}}
	case len(in.Raw) == 2:
		return number(in, 1, streamSmall)
	case in.Imm >= 1<<16 && in.Imm < 1<<24 && bytes.Equal(in.Raw[1:], code.AppendSigned(nil, in.Imm)):
		return token{item{string(in.Raw[:1]), actAddress, 0}, []operand{
			{streamHigh, []byte{byte(in.Imm >> 16)}}, {streamMiddle, []byte{byte(in.Imm >> 8)}}, {streamLow, []byte{byte(in.Imm)}},
		}}
	}
	return number(in, 1, streamLong)
}
