package peephole

import (
	"math"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// rule shortens the last instructions, if it can. It is called until it cannot.
func (w *writer) rule() bool {
	switch w.last(1).Op {
	case code.OpI32Wrap:
		return w.wrap()
	case code.OpI64Extend:
		return false
	case code.OpI32Eqz, code.OpI64Eqz:
		return w.isZero()
	case code.OpI64And:
		return w.mask()
	case code.OpIf, code.OpBrIf:
		return w.condition()
	case code.OpEnd:
		return w.end()
	case code.OpGlobalSet:
		return w.stackPointer()
	case code.OpReturn:
		return w.leave()
	case code.OpLocalGet, code.OpLocalSet:
		return w.local()
	case code.OpNop:
		return w.replace(1)
	}
	if op := w.last(1).Op; op >= code.OpFirstLoad && op <= code.OpLastStore {
		return w.narrowStore() || w.stackAddress()
	}
	return false
}

// narrow are loads of 32 bits that give the lower half of what those of 64 bits give.
var narrow = map[byte]byte{
	code.OpI64Load: code.OpI32Load, code.OpI64Load8S: code.OpI32Load8S, code.OpI64Load8U: code.OpI32Load8U,
	code.OpI64Load16S: code.OpI32Load16S, code.OpI64Load16U: code.OpI32Load16U,
	code.OpI64Load32S: code.OpI32Load, code.OpI64Load32U: code.OpI32Load,
}

// wrap: the lower half of a 64-bit number that was made of 32 bits, or is loaded, or is a constant.
func (w *writer) wrap() bool {
	n := len(w.out)
	if n < 2 {
		return false
	}
	before := w.last(2)
	if op, ok := narrow[before.Op]; ok {
		align := min(int(before.Raw[1]), 2)
		return w.replace(2, access(op, align, before.Imm))
	}
	switch before.Op {
	case code.OpI64Extend, code.OpI64ExtendSigned:
		return w.replace(2)
	case code.OpI64Const:
		return w.replace(2, constant(code.OpI32Const, int64(int32(before.Imm))))
	case code.OpI64And:
		if n >= 3 && w.last(3).Op == code.OpI64Const && w.last(3).Imm == math.MaxUint32 {
			return w.replace(3, plain(code.OpI32Wrap))
		}
	case code.OpI64Add:
		// The sum of two numbers of 32 bits has the same lower half with 32 bits.
		if w.ends(code.OpI64Extend, code.OpI64Const, code.OpI64Add, code.OpI32Wrap) {
			return w.replace(4, constant(code.OpI32Const, int64(int32(w.last(3).Imm))), plain(code.OpI32Add))
		}
	}
	return false
}

// opposite are the comparisons of whole numbers with the opposite result.
var opposite = map[byte]byte{}

func init() {
	for _, first := range []byte{code.OpI32Eq, code.OpI64Eq} {
		for i, other := range []byte{1, 0, 8, 9, 6, 7, 4, 5, 2, 3} { // eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u
			opposite[first+byte(i)] = first + other
		}
	}
}

// isZero: a comparison of a condition with 0.
func (w *writer) isZero() bool {
	if len(w.out) < 2 {
		return false
	}
	before := w.last(2).Op
	if w.last(1).Op == code.OpI64Eqz {
		if before == code.OpI64Extend || before == code.OpI64ExtendSigned {
			return w.replace(2, plain(code.OpI32Eqz))
		}
		return false
	}
	if op, ok := opposite[before]; ok {
		return w.replace(2, plain(op))
	}
	if w.ends(code.OpI32Eqz, code.OpI32Eqz, code.OpI32Eqz) || w.ends(code.OpI64Eqz, code.OpI32Eqz, code.OpI32Eqz) {
		return w.replace(2)
	}
	return false
}

// condition: a jump asks only whether its number is 0.
func (w *writer) condition() bool {
	n := len(w.out)
	if n >= 3 && w.last(2).Op == code.OpI32Eqz && w.last(3).Op == code.OpI32Eqz {
		return w.replace(3, *w.last(1))
	}
	return false
}

// mask: the bits of a value that has no others.
func (w *writer) mask() bool {
	if len(w.out) < 3 || w.last(2).Op != code.OpI64Const {
		return false
	}
	bits := uint64(0)
	switch before := w.last(3); before.Op {
	case code.OpI64Load8U:
		bits = math.MaxUint8
	case code.OpI64Load16U:
		bits = math.MaxUint16
	case code.OpI64Load32U:
		bits = math.MaxUint32
	case code.OpI64Extend:
		bits = math.MaxUint32
		if len(w.out) >= 4 {
			if _, ok := opposite[w.last(4).Op]; ok || w.last(4).Op == code.OpI32Eqz || w.last(4).Op == code.OpI64Eqz {
				bits = 1
			}
		}
	case code.OpI64And:
		if len(w.out) >= 4 && w.last(4).Op == code.OpI64Const {
			bits = uint64(w.last(4).Imm)
		}
	default:
		return false
	}
	if mask := uint64(w.last(2).Imm); bits != 0 && bits&^mask == 0 {
		return w.replace(2)
	}
	return false
}

// end: a jump under a condition alone.
func (w *writer) end() bool {
	if w.ends(code.OpIf, code.OpBr, code.OpEnd) && w.last(3).Imm == noResult && w.last(2).Imm > 0 {
		jump := index(code.OpBrIf, w.last(2).Imm-1)
		return w.replace(3, jump)
	}
	return false
}

// noResult is the type of a block without a value.
const noResult = 0x40

// stackPointer: two steps become one.
func (w *writer) stackPointer() bool {
	if !w.ends(code.OpLocalGet, code.OpI32Const, code.OpI32Add, code.OpLocalTee, code.OpGlobalSet, code.OpLocalGet, code.OpI32Const, code.OpI32Add, code.OpLocalTee, code.OpGlobalSet) {
		return false
	}
	for _, k := range []int{10, 7, 5, 2} {
		if w.last(k).Imm != localSP {
			return false
		}
	}
	if w.last(6).Imm != globalSP || w.last(1).Imm != globalSP {
		return false
	}
	sum := constant(code.OpI32Const, int64(int32(w.last(9).Imm+w.last(4).Imm)))
	return w.replace(9, sum, *w.last(3), *w.last(2), *w.last(1))
}

// leave: a variable that nothing reads any more.
func (w *writer) leave() bool {
	if w.ends(code.OpLocalTee, code.OpGlobalSet, code.OpI32Const, code.OpReturn) {
		return w.replace(4, *w.last(3), *w.last(2), *w.last(1))
	}
	return false
}

// local: a variable that is read and written without anything between.
func (w *writer) local() bool {
	if len(w.out) < 2 || w.last(1).Imm != w.last(2).Imm {
		return false
	}
	if w.ends(code.OpLocalGet, code.OpLocalSet) {
		return w.replace(2)
	}
	return false
}

// narrowStore: a store of the lower bits of a number of 32 bits.
func (w *writer) narrowStore() bool {
	if len(w.out) < 2 || w.last(2).Op != code.OpI64Extend && w.last(2).Op != code.OpI64ExtendSigned {
		return false
	}
	op, ok := map[byte]byte{code.OpI64Store8: code.OpI32Store8, code.OpI64Store16: code.OpI32Store16, code.OpI64Store32: code.OpI32Store}[w.last(1).Op]
	return ok && w.replace(2, access(op, int(w.last(1).Raw[1]), w.last(1).Imm))
}

// stackAddress: an access a little above the stack pointer takes the distance as its offset. The sum
// does not wrap around, since the stack is below the end of the memory.
func (w *writer) stackAddress() bool {
	in := w.last(1)
	if !w.stack {
		return false
	}
	at := len(w.out) - 1
	if in.Op >= code.OpFirstStore {
		if at = code.ValueBegin(w.out, at); at < 0 {
			return false
		}
	}
	if at < 3 || w.out[at-1].Op != code.OpI32Add || w.out[at-2].Op != code.OpI32Const || w.out[at-3].Op != code.OpLocalGet || w.out[at-3].Imm != localSP {
		return false
	}
	offset := w.out[at-2].Imm + in.Imm
	if w.out[at-2].Imm < 0 || offset > math.MaxInt32 {
		return false
	}
	*in = access(in.Op, int(in.Raw[1]), offset)
	w.out = append(w.out[:at-2], w.out[at:]...)
	return true
}
