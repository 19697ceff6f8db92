// Package flow rewrites the jumps of a WebAssembly module of Go's linker, so that most of
// them go where they lead.
//
// Go's compiler writes a function as a loop around a table of its resume points. The segments
// of code between two resume points are in the order of the function:
//
//	loop                           ;; every jump: const PC, set local 0, branch to here
//	  block ... block block
//	    get local 0, table         ;; to the end of one of the blocks
//	  end  segment 0
//	  end  segment 1 ...
//
// So a jump is an indirect one, and each is followed by a table that joins the values of all
// variables from all jumps of the function. Flow keeps the table for what it is needed: a
// function that goes on after it has been left, which can happen after every call (resume.go). A jump
// forward becomes a branch to the end of the block before its segment. For jumps backward the
// segments that they span become a loop of their own, with blocks for its segments. If the loop
// can be entered elsewhere than at its first segment, by a jump or by going on after a call, it
// has a table of its own after its begin. Local 0 is 0 where a loop is entered at its first
// segment, so that going round takes one comparison.
//
// Resume points keep their numbers, and segments their order. No instruction but jumps changes.
package flow

import (
	"fmt"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// Direct returns the module with its jumps rewritten. It is an error if it finds no function
// with jumps in the known form. Other functions keep their jumps, and so do functions for which
// left, if it is not nil, returns true. Functions have numbers from 0 on, without imported ones.
func Direct(module []byte, left func(function int) bool) ([]byte, error) {
	rewritten := 0
	out, err := code.Rewrite(module, func(i int, f *code.Function) (content []byte) {
		if left == nil || !left(i) {
			content = directed(f.Content, i)
		}
		if content != nil {
			rewritten++
		}
		return content
	})
	if err != nil {
		return nil, err
	}
	if rewritten == 0 {
		return nil, fmt.Errorf("%w: no function has jumps as Go's compiler writes them", code.ErrForm)
	}
	return out, nil
}

// directed is the function of this number with its jumps rewritten, nil if it has none in the known form.
func directed(content []code.Instruction, number int) []byte {
	s := segmentsOf(content)
	if s == nil {
		return nil
	}
	jumps, ok := s.jumps()
	if !ok {
		return nil
	}
	s.resumed = s.goesOn(int64(number))
	w := &writer{segments: s}
	w.function(s.arrange(jumps))
	return w.out
}
