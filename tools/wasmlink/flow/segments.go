package flow

import (
	"slices"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// localPC holds the resume point at which a function begins, and between a jump and the table
// the one it leads to (cmd/internal/obj/wasm).
const localPC = 0

// localSP holds the stack pointer in a function that uses the stack.
const localSP = 1

// segments is a function in its parts.
type segments struct {
	head   []code.Instruction // before the loop
	list   [][]code.Instruction
	tail   []code.Instruction // from the end of the loop on
	leaves bool               // head opens a block, whose end leaves the function
	table  []int              // of each resume point its segment; the last is for all others too
	// resumed says of each segment that the function may go on there after it has been left.
	resumed []bool
}

// segmentsOf takes a function apart, or returns nil if it is not in the known form.
func segmentsOf(content []code.Instruction) *segments {
	at := slices.IndexFunc(content, func(in code.Instruction) bool { return in.Op == code.OpBrTable })
	if at < 2 || content[at-1].Op != code.OpLocalGet || content[at-1].Imm != localPC || content[at+1].Op != code.OpEnd {
		return nil
	}
	loop := at - 2
	for loop >= 0 && content[loop].Op == code.OpBlock {
		loop--
	}
	n := at - 2 - loop
	if loop < 0 || content[loop].Op != code.OpLoop || n == 0 {
		return nil
	}
	s := &segments{head: content[:loop], table: content[at].Targets()}
	for _, in := range s.head {
		if in.Op == code.OpBlock && !s.leaves {
			s.leaves = true
		} else if in.Op >= code.OpBlock && in.Op <= code.OpIf {
			return nil
		}
	}
	// The table must rise, and the first resume point must be that of the first segment.
	if s.table[0] != 0 || !slices.IsSorted(s.table) || s.table[len(s.table)-1] >= n {
		return nil
	}
	depth, begin := 0, at+2
	for i := begin; i < len(content) && len(s.list) < n; i++ {
		switch content[i].Op {
		case code.OpBlock, code.OpLoop, code.OpIf:
			depth++
		case code.OpBrTable:
			return nil
		case code.OpEnd:
			if depth--; depth < 0 {
				s.list = append(s.list, content[begin:i])
				depth, begin = 0, i+1
			}
		}
	}
	if len(s.list) < n {
		return nil
	}
	s.tail = content[begin:]
	return s
}

// jump leads from a segment to another.
type jump struct{ from, to int }

// jumpAt reports whether a jump begins at instruction i of a segment, and to which resume point
// it leads.
func jumpAt(segment []code.Instruction, i int) (pc int64, ok bool) {
	if i < 0 || i+2 >= len(segment) || segment[i].Op != code.OpI32Const || segment[i].Imm < 0 ||
		segment[i+1].Op != code.OpLocalSet || segment[i+1].Imm != localPC || segment[i+2].Op != code.OpBr {
		return 0, false
	}
	return segment[i].Imm, true
}

// target is the segment of a resume point.
func (s *segments) target(pc int64) int { return s.table[min(pc, int64(len(s.table)-1))] }

// jumps lists the jumps. It is not ok if a branch leads elsewhere than to the loop, out of
// the function, or out of a block of its segment.
func (s *segments) jumps() (list []jump, ok bool) {
	for k, segment := range s.list {
		depth := 0
		for i := range segment {
			switch in := &segment[i]; in.Op {
			case code.OpBlock, code.OpLoop, code.OpIf:
				depth++
			case code.OpEnd:
				depth--
			case code.OpBr, code.OpBrIf:
				switch int(in.Imm) - depth - (len(s.list) - 1 - k) {
				case 0:
					pc, known := jumpAt(segment, i-2)
					if !known || in.Op != code.OpBr {
						return nil, false
					}
					list = append(list, jump{k, s.target(pc)})
				case 1:
					if !s.leaves {
						return nil, false
					}
				default:
					if int(in.Imm) >= depth {
						return nil, false
					}
				}
			}
		}
	}
	return list, true
}
