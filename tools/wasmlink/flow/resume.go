package flow

import "github.com/burstscope/burstscope/tools/wasmlink/code"

// The address at which a function goes on is its number times 65,536 plus a resume point (cmd/internal/obj/wasm).
// The first function that is not imported has number firstPC (cmd/link/internal/wasm, funcValueOffset).
const (
	firstPC   = 0x1000
	pointBits = 16
)

// addressBytes is what a call puts on the stack: the address after it.
const addressBytes = 8

// goesOn says at which segments the function of this number begins or goes on after it has been left: at its begin,
// after a call, and after a panic at its call of runtime.deferreturn. Other addresses in a function are
// never jumped to: in WebAssembly no signal stops a program.
//
// The address after a call is a constant of the function. Inside a block the compiler writes calls only after
// which no function goes on, or, at the begin, the one for a larger stack, which goes on at the begin. It gives
// the call of deferreturn a segment of its own (cmd/compile/internal/wasm); here each call that begins a
// segment counts.
func (s *segments) goesOn(number int64) []bool {
	list := make([]bool, len(s.list))
	list[0] = true
	address := (firstPC + number) << pointBits
	for k, segment := range s.list {
		list[k] = list[k] || beginsCall(segment)
		depth := 0
		for i, in := range segment {
			switch {
			case in.Op >= code.OpBlock && in.Op <= code.OpIf:
				depth++
			case in.Op == code.OpEnd:
				depth--
			case in.Op == code.OpI64Const && in.Imm>>pointBits == address>>pointBits:
				if depth == 0 {
					list[s.target(in.Imm-address)] = true
				}
			case isAddress(segment[:i+1]): // of a function of another number: this one is not what it seems
				for k := range list {
					list[k] = true
				}
				return list
			}
		}
	}
	return list
}

// beginsCall reports whether instructions begin with room on the stack for a return address.
func beginsCall(list []code.Instruction) bool {
	for len(list) > 0 && list[0].Op == code.OpNop {
		list = list[1:]
	}
	return len(list) > 2 && list[0].Op == code.OpLocalGet && list[0].Imm == localSP &&
		list[1].Op == code.OpI32Const && list[1].Imm == addressBytes && list[2].Op == code.OpI32Sub
}

// isAddress reports whether instructions end with the return address of a call.
func isAddress(list []code.Instruction) bool {
	n := len(list) - 1
	if n < 5 || list[n].Op != code.OpI64Const || list[n-1].Op != code.OpLocalGet || list[n-1].Imm != localSP {
		return false
	}
	for k := n - 2; k >= n-6 && k >= 0; k-- {
		if beginsCall(list[k:]) {
			return true
		}
	}
	return false
}
