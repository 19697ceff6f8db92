package peephole

import (
	"slices"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// ending is how a function ends that can be left after a call: the end of the block that is left
// cannot be reached otherwise.
var ending = []byte{code.OpUnreachable, code.OpEnd, code.OpI32Const, code.OpEnd}

// levelLeave is the level of the block whose end leaves a function, counted from the function.
const levelLeave = 1

// once drops steps of the global stack pointer that nothing sees: only other functions see it, and
// the usual call and return set it right before. A function in which this is not so stays as it is,
// for example because it calls the garbage collector's write barrier.
func once(content []code.Instruction) []code.Instruction {
	seen, ok := seenSteps(content)
	if !ok {
		return content
	}
	var out []code.Instruction
	for i, in := range content {
		if i > 0 && isStep(in) && !seen[i] && content[i-1].Op == code.OpLocalTee {
			out[len(out)-1] = index(code.OpLocalSet, content[i-1].Imm)
			continue
		}
		out = append(out, in)
	}
	return out
}

func isStep(in code.Instruction) bool { return in.Op == code.OpGlobalSet && in.Imm == globalSP }

func isCall(in code.Instruction) bool {
	return in.Op == code.OpCall || in.Op == code.OpCallIndirect
}

// seenSteps are the steps that other functions see. It is not ok if somebody may see a step that is not in front
// of him, with no jump and no call between.
func seenSteps(content []code.Instruction) (seen map[int]bool, ok bool) {
	n := len(content) - len(ending)
	if n < 0 || !slices.EqualFunc(content[n:], ending, func(in code.Instruction, op byte) bool { return in.Op == op }) {
		return nil, false
	}
	seen = map[int]bool{}
	level := 0
	for i, in := range content {
		switch in.Op {
		case code.OpBlock, code.OpLoop, code.OpIf:
			level++
		case code.OpEnd:
			if level--; level == levelLeave-1 && i != n+1 {
				return nil, false // another block than the one that leaves the function
			}
		case code.OpCall, code.OpCallIndirect, code.OpReturn:
			step := i - 1
			for step >= 0 && !isStep(content[step]) {
				if _, gives := code.Effect(content[step].Op); gives < 0 && !stores(content[step].Op) {
					return nil, false
				}
				step--
			}
			if step < 0 {
				return nil, false
			}
			seen[step] = true
		case code.OpGlobalGet:
			if in.Imm == globalSP && i > 0 && !isCall(content[i-1]) {
				return nil, false
			}
		case code.OpBr, code.OpBrIf:
			if level-int(in.Imm) <= levelLeave && (in.Op != code.OpBrIf || i < 3 || !isCall(content[i-3]) || content[i-2].Op != code.OpGlobalGet || content[i-1].Op != code.OpLocalSet) {
				return nil, false
			}
		case code.OpBrTable:
			for _, to := range in.Targets() {
				if level-to <= levelLeave {
					return nil, false
				}
			}
		}
	}
	return seen, true
}

// stores reports whether an instruction only writes to memory or to a variable.
func stores(op byte) bool {
	return op >= code.OpFirstStore && op <= code.OpLastStore || op == code.OpLocalSet
}
