// Package approximate finds the loads of a kernel that may get predicted values, and
// refuses loads whose values can do more than change a result: those that reach an address,
// a loop bound or a branch that cannot be turned into selections (RFVP, ACM TACO 12(4),
// section 3.2 and figure 4).
package approximate

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// Unsafe is a use of an approximate value.
type Unsafe struct {
	Load int32 // the load from which the value comes
	PC   int32 // the instruction that uses it
	What string
	Path []int32 // from the load to the use
}

// Describe names the lines of the PTX, and of the source where they are known.
func (u *Unsafe) Describe(k *ptx.Kernel) string {
	var path []string
	for _, pc := range u.Path {
		path = append(path, fmt.Sprint(k.Code[pc].Line))
	}
	return fmt.Sprintf("the value of the load at %s reaches %s at %s, by lines %s", place(k, u.Load), u.What, place(k, u.PC), strings.Join(path, ", "))
}

// place names the line of an instruction.
func place(k *ptx.Kernel, pc int32) string {
	if p := k.Source[pc]; p.File != "" {
		return fmt.Sprintf("line %d (%s:%d)", p.Line, p.File, p.FileLine)
	}
	return fmt.Sprintf("line %d", k.Code[pc].Line)
}

// taint says how a name got an approximate value.
type taint struct {
	pc   int32  // the instruction that wrote it
	from string // the approximate name that it read; empty for a load
}

// flow follows approximate values through one kernel. It takes the instructions in any
// order, so it may find more than what can happen, and nothing less. It does not follow
// values through global memory.
type flow struct {
	kernel *ptx.Kernel
	list   []statement
	load   int32
	taints map[string]taint
	arms   []arms // of each branch, when known
}

// Check returns the first unsafe use of each of the loads.
func Check(k *ptx.Kernel, loads []int32) (found []Unsafe) {
	list, branches := statements(k), make([]arms, len(k.Code))
	for _, pc := range loads { // one after the other, so that each has its own paths
		f := flow{kernel: k, list: list, load: pc, taints: map[string]taint{}, arms: branches}
		f.spread()
		if u, ok := f.unsafe(); ok {
			found = append(found, u)
		}
	}
	return found
}

// spread finds all approximate names.
func (f *flow) spread() {
	for changed := true; changed; {
		changed = false
		for pc := range f.list {
			s, in := &f.list[pc], &f.kernel.Code[pc]
			from, reads := f.first(s.reads, s.guard)
			if !reads && f.load != int32(pc) {
				continue
			}
			changed = f.mark(s.writes, int32(pc), from) || changed
			if in.IsBranch && reads {
				for _, i := range f.armsOf(int32(pc)).list { // what the arms compute depends on the condition
					changed = f.mark(f.list[i].writes, i, from) || changed
				}
			}
		}
	}
}

// first returns the first approximate name of a list and a guard.
func (f *flow) first(reads []string, guard string) (string, bool) {
	for _, n := range reads {
		if _, ok := f.taints[n]; ok {
			return n, true
		}
	}
	_, ok := f.taints[guard]
	return guard, ok
}

func (f *flow) mark(names []string, pc int32, from string) (changed bool) {
	for _, n := range names {
		if _, ok := f.taints[n]; !ok {
			f.taints[n] = taint{pc, from}
			changed = true
		}
	}
	return changed
}

// unsafe returns the first use that is not safe.
func (f *flow) unsafe() (Unsafe, bool) {
	for i := range f.list {
		pc := int32(i)
		s, in := &f.list[i], &f.kernel.Code[i]
		if from, ok := f.first(s.address, ""); ok {
			return f.use(pc, from, "an address"), true
		}
		from, ok := f.first(s.reads, s.guard)
		if !ok {
			continue
		}
		switch operation, _, _ := strings.Cut(s.opcode, "."); {
		case in.IsBranch:
			if what := f.branch(pc); what != "" {
				return f.use(pc, from, what), true
			}
		case operation == "call":
			return f.use(pc, from, "a call, which is not followed,"), true
		case in.IsBarrier, operation == "ret", operation == "exit", operation == "trap":
			return f.use(pc, from, "a condition of "+operation), true
		}
	}
	return Unsafe{}, false
}

// use makes the path to a use.
func (f *flow) use(pc int32, name, what string) Unsafe {
	u := Unsafe{Load: f.load, PC: pc, What: what, Path: []int32{pc}}
	for range len(f.taints) {
		t := f.taints[name]
		if u.Path[0] != t.pc {
			u.Path = append([]int32{t.pc}, u.Path...)
		}
		if t.from == "" || t.from == name {
			break
		}
		name = t.from
	}
	return u
}
