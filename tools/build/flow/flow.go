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
// function that goes on after it has been left, which can happen behind every call. A jump
// forward becomes a branch to the end of the block before its segment. For jumps backward the
// segments that they span become a loop of their own, with blocks for its segments. If the loop
// can be entered elsewhere than at its first segment, by a jump or by going on after a call, it
// has a table of its own behind its begin. Local 0 is 0 where a loop is entered at its first
// segment, so that going round takes one comparison.
//
// Resume points keep their numbers, and segments their order. No instruction but jumps changes.
package flow

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/tools/build/code"
)

const sectionCode = 10

// Direct returns the module with its jumps rewritten. It is an error if it finds no function
// with jumps in the known form; others stay as they are, and so do those of which left, if there is
// one, says so. Functions have numbers from 0 on, without imported ones.
func Direct(module []byte, left func(function int) bool) ([]byte, error) {
	if len(module) < len(code.Header) || string(module[:len(code.Header)]) != code.Header {
		return nil, code.Unknown(0, "the file does not begin like a WebAssembly module")
	}
	out := []byte(code.Header)
	rewritten := 0
	for at := len(code.Header); at < len(module); {
		size, n := binary.Uvarint(module[at+1:])
		body := at + 1 + n
		if n <= 0 || size > uint64(len(module)-body) {
			return nil, code.Unknown(at, "a section that is longer than the file")
		}
		end := body + int(size)
		if module[at] != sectionCode {
			out = append(out, module[at:end]...)
			at = end
			continue
		}
		functions, _, err := code.Read(module[:end], body)
		if err != nil {
			return nil, err
		}
		section := code.AppendUnsigned(nil, len(functions))
		for i := range functions {
			f := &functions[i]
			var content []byte
			if left == nil || !left(i) {
				content = directed(f.Content)
			}
			if content != nil {
				rewritten++
			} else {
				for _, in := range f.Content {
					content = append(content, in.Raw...)
				}
			}
			section = code.AppendUnsigned(section, len(f.Locals)+len(content))
			section = append(append(section, f.Locals...), content...)
		}
		out = code.AppendUnsigned(append(out, sectionCode), len(section))
		out = append(out, section...)
		at = end
	}
	if rewritten == 0 {
		return nil, fmt.Errorf("%w: no function has jumps as Go's compiler writes them", code.ErrForm)
	}
	return out, nil
}

// directed is a function with its jumps rewritten, nil if it has none in the known form.
func directed(content []code.Instruction) []byte {
	s := segmentsOf(content)
	if s == nil {
		return nil
	}
	jumps, ok := s.jumps()
	if !ok {
		return nil
	}
	w := &writer{segments: s}
	w.function(s.arrange(jumps))
	return w.out
}
