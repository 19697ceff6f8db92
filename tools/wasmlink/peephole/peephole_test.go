package peephole

import (
	"bytes"
	"errors"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// long is a constant of 64 bits, short one of 32.
func long(v int64) code.Instruction  { return constant(code.OpI64Const, v) }
func short(v int64) code.Instruction { return constant(code.OpI32Const, v) }
func get(n int64) code.Instruction   { return index(code.OpLocalGet, n) }
func set(n int64) code.Instruction   { return index(code.OpLocalSet, n) }
func tee(n int64) code.Instruction   { return index(code.OpLocalTee, n) }
func global(n int64) code.Instruction {
	return index(code.OpGlobalSet, n)
}

type list = []code.Instruction

var (
	wrap   = plain(code.OpI32Wrap)
	extend = plain(code.OpI64Extend)
	add    = plain(code.OpI64Add)
	add32  = plain(code.OpI32Add)
	and    = plain(code.OpI64And)
	eqz    = plain(code.OpI32Eqz)
	eqz64  = plain(code.OpI64Eqz)
	end    = plain(code.OpEnd)
	ret    = plain(code.OpReturn)
	branch = code.Instruction{Op: code.OpIf, Imm: noResult, Raw: []byte{code.OpIf, noResult}}
	ifLong = code.Instruction{Op: code.OpIf, Imm: 0x7e, Raw: []byte{code.OpIf, 0x7e}}
	block  = code.Instruction{Op: code.OpBlock, Raw: []byte{code.OpBlock, noResult}}
	// stack begins a function that uses the stack.
	stack = list{index(code.OpGlobalGet, 0), set(1)}
)

func on(lists ...list) (all list) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func raw(l list) (b []byte) {
	for _, in := range l {
		b = append(b, in.Raw...)
	}
	return b
}

// Each rule shortens what it knows, and leaves what only looks like it.
func TestRules(t *testing.T) {
	t.Parallel()
	sub := plain(code.OpI32Sub)
	frame := list{get(1), short(16), sub, tee(1), global(0)}
	call := list{get(1), short(8), sub, tee(1), global(0), get(1), long(5), access(code.OpI64Store, 3, 0), short(0), index(code.OpCall, 7), index(code.OpGlobalGet, 0), set(1), index(code.OpBrIf, 0)}
	tail := list{plain(code.OpUnreachable), end, short(1), end}
	store := access(code.OpI64Store, 3, 0)
	address := list{get(1), extend, long(16), add, wrap}
	for name, c := range map[string]struct{ in, want list }{
		"a store to the stack":         {on(stack, address, list{get(2), store}), on(stack, list{get(1), get(2), access(code.OpI64Store, 3, 16)})},
		"of a value with operations":   {on(stack, address, list{get(2), get(3), add, access(code.OpI64Store, 3, 8)}), on(stack, list{get(1), get(2), get(3), add, access(code.OpI64Store, 3, 24)})},
		"a load from the stack":        {on(stack, address, list{access(code.OpI64Load, 3, 4)}), on(stack, list{get(1), access(code.OpI64Load, 3, 20)})},
		"below the stack pointer":      {on(stack, list{get(1), extend, long(-8), add, wrap, get(2), store}), on(stack, list{get(1), short(-8), add32, get(2), store})},
		"of a call's result":           {on(stack, address, list{index(code.OpCall, 7), store}), on(stack, list{get(1), short(16), add32, index(code.OpCall, 7), store})},
		"of another variable":          {on(stack, list{get(4), extend, long(16), add, wrap, get(2), store}), on(stack, list{get(4), short(16), add32, get(2), store})},
		"without a stack pointer":      {on(address, list{get(2), store}), list{get(1), short(16), add32, get(2), store}},
		"of a stack pointer of others": {on(stack, list{get(4), set(1)}, address, list{get(2), store}), on(stack, list{get(4), set(1), get(1), short(16), add32, get(2), store})},
		"an address as the value":      {on(stack, list{get(5)}, address, list{access(code.OpI32Store, 2, 0)}), on(stack, list{get(5), get(1), short(16), add32, access(code.OpI32Store, 2, 0)})},
		"a distance without an end":    {on(stack, list{get(1), extend, long(1<<31 - 1), add, wrap, get(2), access(code.OpI64Store, 3, 8)}), on(stack, list{get(1), short(1<<31 - 1), add32, get(2), access(code.OpI64Store, 3, 8)})},

		"half of a load":           {list{get(5), access(code.OpI64Load, 3, 300), wrap}, list{get(5), access(code.OpI32Load, 2, 300)}},
		"a signed byte":            {list{get(5), access(code.OpI64Load8S, 0, 3), wrap}, list{get(5), access(code.OpI32Load8S, 0, 3)}},
		"a constant":               {list{long(1<<32 + 5), wrap}, list{short(5)}},
		"a negative constant":      {list{long(1<<32 - 1), wrap}, list{short(-1)}},
		"there and back":           {list{get(5), extend, wrap}, list{get(5)}},
		"a mask before a cut":      {list{get(2), long(1<<32 - 1), and, wrap}, list{get(2), wrap}},
		"a smaller mask":           {list{get(2), long(1<<31 - 1), and, wrap}, list{get(2), long(1<<31 - 1), and, wrap}},
		"a store of a condition":   {list{get(5), get(2), eqz64, extend, access(code.OpI64Store8, 0, 9)}, list{get(5), get(2), eqz64, access(code.OpI32Store8, 0, 9)}},
		"a whole store":            {list{get(5), get(6), extend, store}, list{get(5), get(6), extend, store}},
		"a condition as a number":  {list{get(5), extend, eqz64}, list{get(5), eqz}},
		"the opposite":             {list{get(2), get(3), plain(code.OpI64Eq + 2), eqz}, list{get(2), get(3), plain(code.OpI64Eq + 8)}},
		"the opposite of a float":  {list{plain(0x63), eqz}, list{plain(0x63), eqz}},
		"three zeros":              {list{get(5), eqz, eqz, eqz}, list{get(5), eqz}},
		"two zeros":                {list{get(5), eqz, eqz, set(6)}, list{get(5), eqz, eqz, set(6)}},
		"two zeros before a jump":  {list{get(5), eqz, eqz, index(code.OpBrIf, 3)}, list{get(5), index(code.OpBrIf, 3)}},
		"a byte's bits":            {list{get(5), access(code.OpI64Load8U, 0, 0), long(255), and}, list{get(5), access(code.OpI64Load8U, 0, 0)}},
		"fewer bits":               {list{get(5), access(code.OpI64Load8U, 0, 0), long(127), and}, list{get(5), access(code.OpI64Load8U, 0, 0), long(127), and}},
		"bits of a signed byte":    {list{get(5), access(code.OpI64Load8S, 0, 0), long(255), and}, list{get(5), access(code.OpI64Load8S, 0, 0), long(255), and}},
		"a condition's bits":       {list{get(2), eqz64, extend, long(255), and}, list{get(2), eqz64, extend}},
		"bits of bits":             {list{get(2), long(3), and, long(255), and}, list{get(2), long(3), and}},
		"a jump under a condition": {list{get(5), branch, index(code.OpBr, 4), end}, list{get(5), index(code.OpBrIf, 3)}},
		"a jump to the end":        {list{get(5), branch, index(code.OpBr, 0), end}, list{get(5), branch, index(code.OpBr, 0), end}},
		"a jump with a result":     {list{get(5), ifLong, index(code.OpBr, 4), end}, list{get(5), ifLong, index(code.OpBr, 4), end}},
		"two steps of the stack": {
			list{get(1), short(64), add32, tee(1), global(0), get(1), short(8), add32, tee(1), global(0), short(0), ret},
			list{get(1), short(72), add32, global(0), short(0), ret},
		},
		"two steps of two variables": {
			list{get(1), short(64), add32, tee(1), global(0), get(2), short(8), add32, tee(2), global(0)},
			list{get(1), short(64), add32, tee(1), global(0), get(2), short(8), add32, tee(2), global(0)},
		},
		"a variable onto itself":      {list{get(4), set(4)}, nil},
		"a variable onto another one": {list{get(4), set(5)}, list{get(4), set(5)}},
		"nothing":                     {list{plain(code.OpNop), get(4)}, list{get(4)}},

		"a step of the stack before others": {
			on(stack, list{block}, frame, call, list{get(1), short(24), add32, tee(1), global(0), short(0), ret}, tail),
			on(stack, list{block, get(1), short(16), sub, set(1)}, call, list{get(1), short(24), add32, global(0), short(0), ret}, tail),
		},
		"a step that a call sees": {
			on(stack, list{block}, frame, list{index(code.OpCall, 4)}, tail),
			on(stack, list{block}, frame, list{index(code.OpCall, 4)}, tail),
		},
		"a step that a call may see": {
			on(stack, list{block}, frame, list{get(5), branch, index(code.OpCall, 4), end}, call, tail),
			on(stack, list{block}, frame, list{get(5), branch, index(code.OpCall, 4), end}, call, tail),
		},
		"a step that is seen after a jump": {
			on(stack, list{block}, frame, list{get(5), index(code.OpBrIf, 0)}, call, tail),
			on(stack, list{block}, frame, list{get(5), index(code.OpBrIf, 0)}, call, tail),
		},
		"a step that this function sees": {
			on(stack, list{block}, frame, list{index(code.OpGlobalGet, 0), set(5)}, call, tail),
			on(stack, list{block}, frame, list{index(code.OpGlobalGet, 0), set(5)}, call, tail),
		},
		"a step at a function's end": {
			on(stack, list{block}, frame, call, list{end, short(1), end}),
			on(stack, list{block}, frame, call, list{end, short(1), end}),
		},
	} {
		if got := raw(shorten(c.in)); !bytes.Equal(got, raw(c.want)) {
			t.Errorf("%s: % x becomes % x, not % x", name, raw(c.in), got, raw(c.want))
		}
	}
}

func TestRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	for _, m := range []string{"", "nonsense", code.Header + "\x0a\x05\x01\x02\x00\xff\x0b"} {
		if _, err := Shorten([]byte(m)); !errors.Is(err, code.ErrForm) {
			t.Errorf("%q: %v", m, err)
		}
	}
}
