package flow

import (
	"slices"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

type list = []code.Instruction

func one(op byte, imm int64) code.Instruction {
	return code.Instruction{Op: op, Imm: imm, Raw: code.AppendSigned([]byte{op}, imm)}
}

// call is how the compiler calls a function, after which the function goes on at a resume point.
func call(function, point int64) list {
	return list{
		one(code.OpLocalGet, localSP), one(code.OpI32Const, addressBytes), {Op: code.OpI32Sub, Raw: []byte{code.OpI32Sub}},
		one(code.OpLocalTee, localSP), one(code.OpGlobalSet, 0), one(code.OpLocalGet, localSP),
		one(code.OpI64Const, (firstPC+function)<<pointBits+point), {Op: code.OpI64Store, Raw: []byte{code.OpI64Store, 3, 0}},
		one(code.OpI32Const, 0), one(code.OpCall, 7), one(code.OpBrIf, 9),
	}
}

// A function goes on at its begin, after a call, and at a call that begins a segment.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	work := list{one(code.OpLocalGet, 2), one(code.OpLocalSet, 3)}
	check := func(function int64) list { // a call that never comes back
		out := append(list{one(code.OpLocalGet, 2), {Op: code.OpIf, Imm: noResult, Raw: []byte{code.OpIf, noResult}}}, call(function, 5)...)
		return append(out, code.Instruction{Op: code.OpEnd, Raw: []byte{code.OpEnd}})
	}
	const number = 300
	for name, c := range map[string]struct {
		segments []list
		want     []bool
	}{
		"jumps alone":      {[]list{work, work, work}, []bool{true, false, false}},
		"behind a call":    {[]list{work, slices.Concat(work, call(number, 3)), work, work}, []bool{true, false, true, false}},
		"at a call":        {[]list{work, call(number, 3), work, work}, []bool{true, true, true, false}},
		"a nop and a call": {[]list{work, slices.Concat(list{one(code.OpNop, 0)}, call(number, 3)), work}, []bool{true, true, true}},
		"a check":          {[]list{slices.Concat(check(number), work), work, work, work}, []bool{true, false, false, false}},
		"another function": {[]list{work, slices.Concat(work, call(number+1, 3)), work, work}, []bool{true, true, true, true}},
		"another number":   {[]list{work, list{one(code.OpI64Const, 5)}, work}, []bool{true, false, false}},
	} {
		s := &segments{list: c.segments, table: []int{0, 0, 1, 2, 3, 3}}
		if got := s.goesOn(number); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

// The table of a function leads nowhere else.
func TestTableLeadsToWhereAFunctionGoesOn(t *testing.T) {
	t.Parallel()
	s := &segments{list: make([]list, 4), table: []int{0, 0, 1, 2, 2, 3, 3}, resumed: []bool{true, false, true, false}}
	w := &writer{segments: s}
	w.dispatch(s.arrange(nil))
	table := code.Instruction{Op: code.OpBrTable, Raw: w.out[2:], Next: len(s.table)}
	if got := table.Targets(); !slices.Equal(got, []int{0, 0, 0, 2, 2, 2, 2}) {
		t.Error(got)
	}
}
