// Package peephole makes the code of a WebAssembly module of Go's linker shorter: it
// replaces a few instructions that follow each other by fewer that do the same.
//
// Go's compiler translates each operation on its own. An address on the stack is computed with
// 64 bits and cut to 32, a field of 64 bits is loaded whole before it is cut, a condition
// becomes a number and a condition again, and the stack pointer moves twice at a function's end.
// The rules (rules.go) see only instructions without a jump among them, and leave what they do not know.
// Steps of the stack pointer that nothing sees go too (repeated.go).
package peephole

import (
	"slices"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// Shorten returns the module with its functions shortened.
func Shorten(module []byte) ([]byte, error) {
	return code.Rewrite(module, func(_ int, f *code.Function) []byte {
		var out []byte
		for _, in := range shorten(f.Content) {
			out = append(out, in.Raw...)
		}
		return out
	})
}

// Local variable 1 of a function that uses the stack holds the stack pointer, global
// variable 0 that of the goroutine (cmd/internal/obj/wasm).
const (
	localSP  = 1
	globalSP = 0
)

// writer holds the instructions written so far. Rules look at the last ones.
type writer struct {
	out []code.Instruction
	// stack says that local variable 1 is nothing but the stack pointer in the whole function, so that
	// addresses a little above it are within the memory.
	stack bool
}

func shorten(content []code.Instruction) []code.Instruction {
	w := &writer{out: make([]code.Instruction, 0, len(content)), stack: hasStack(content)}
	for _, in := range content {
		w.out = append(w.out, in)
		for len(w.out) > 0 && w.rule() {
		}
	}
	if !w.stack {
		return w.out
	}
	return once(w.out)
}

// hasStack reports whether each value of local variable 1 is one that the global stack pointer has or gets.
func hasStack(content []code.Instruction) bool {
	found := false
	for i, in := range content {
		switch {
		case in.Op == code.OpLocalSet && in.Imm == localSP:
			if i == 0 || content[i-1].Op != code.OpGlobalGet || content[i-1].Imm != globalSP {
				return false
			}
			found = true
		case in.Op == code.OpLocalTee && in.Imm == localSP:
			if i+1 == len(content) || content[i+1].Op != code.OpGlobalSet || content[i+1].Imm != globalSP {
				return false
			}
		}
	}
	return found
}

// ends reports whether the last instructions are these, and none of them is missing.
func (w *writer) ends(ops ...byte) bool {
	n := len(w.out) - len(ops)
	return n >= 0 && slices.EqualFunc(w.out[n:], ops, func(in code.Instruction, op byte) bool { return in.Op == op })
}

// last is the n-th instruction from the end; the last one has number 1.
func (w *writer) last(n int) *code.Instruction { return &w.out[len(w.out)-n] }

// replace puts instructions in the place of the last n.
func (w *writer) replace(n int, list ...code.Instruction) bool {
	w.out = append(w.out[:len(w.out)-n], list...)
	return true
}

func plain(op byte) code.Instruction { return code.Instruction{Op: op, Raw: []byte{op}} }

// constant is one of 32 or 64 bits.
func constant(op byte, v int64) code.Instruction {
	return code.Instruction{Op: op, Imm: v, Raw: code.AppendSigned([]byte{op}, v)}
}

// index is an instruction with one operand that is not negative.
func index(op byte, n int64) code.Instruction {
	return code.Instruction{Op: op, Imm: n, Raw: code.AppendUnsigned([]byte{op}, int(n))}
}

// access is a load or a store.
func access(op byte, align int, offset int64) code.Instruction {
	return code.Instruction{Op: op, Imm: offset, Raw: code.AppendUnsigned(code.AppendUnsigned([]byte{op}, align), int(offset))}
}
