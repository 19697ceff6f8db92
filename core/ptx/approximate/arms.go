package approximate

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// arms are the instructions that lanes may execute between a branch and the place where they
// meet again.
type arms struct {
	list  []int32
	known bool
	loops bool // a loop is among them
	again bool // the branch itself is reached again
}

// armsOf walks from a branch to its join. Without a join it walks to the end.
func (f *flow) armsOf(pc int32) *arms {
	a := &f.arms[pc]
	if a.known {
		return a
	}
	a.known = true
	type visit struct {
		pc   int32
		next int
	}
	const (
		onPath  = 1
		visited = 2
	)
	join := f.kernel.Code[pc].Join
	state := make([]uint8, len(f.kernel.Code))
	state[pc] = onPath
	path := []visit{{pc: pc}}
	for len(path) > 0 {
		v := &path[len(path)-1]
		next, ok := f.successor(v.pc, v.next)
		if !ok {
			state[v.pc] = visited
			path = path[:len(path)-1]
			continue
		}
		v.next++
		switch {
		case next == join:
		case next == pc:
			a.again = true
		case state[next] == onPath:
			a.loops = true
		case state[next] == 0:
			state[next] = onPath
			a.list = append(a.list, next)
			path = append(path, visit{pc: next})
		}
	}
	return a
}

// successor returns the n-th instruction that may follow one.
func (f *flow) successor(pc int32, n int) (int32, bool) {
	in, s := &f.kernel.Code[pc], &f.list[pc]
	operation, _, _ := strings.Cut(s.opcode, ".")
	if in.IsBranch && n < len(in.Targets) {
		return in.Targets[n], true
	}
	if in.IsBranch {
		n -= len(in.Targets)
	}
	ends := in.IsBranch || operation == "ret" || operation == "exit" || operation == "trap"
	if n > 0 || ends && s.guard == "" || int(pc)+1 >= len(f.kernel.Code) {
		return 0, false
	}
	return pc + 1, true
}

// branch says what is wrong with an approximate branch, nothing if it can be if-converted:
// its lanes meet again, and on the way are no loop, barrier, call, atomic or end of a
// thread [ours; the paper names if-conversion and no conditions].
func (f *flow) branch(pc int32) string {
	const stays = "a branch that cannot be if-converted"
	in := &f.kernel.Code[pc]
	a := f.armsOf(pc)
	if a.again {
		return "a loop bound"
	}
	if a.loops || len(in.Targets) != 1 || in.Join == ptx.NoJoin {
		return stays
	}
	for _, i := range a.list {
		operation, _, _ := strings.Cut(f.list[i].opcode, ".")
		switch operation {
		case "call", "ret", "exit", "trap", "atom", "red", "brx":
			return stays
		}
		if f.kernel.Code[i].IsBarrier {
			return stays
		}
	}
	return ""
}
