package approximate

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// Access says what a kernel may do with the memory that a parameter points to.
type Access struct {
	Loads  bool
	Stores bool // atomics and reductions too
}

// Bits of origin.params that are of no parameter of their own.
const (
	fromMemory = 1 << 62 // what a load from global memory returned: it may be an address
	lastParam  = 61      // the bit of this parameter and all after it
)

// AccessesOf says for each parameter of a kernel what may happen at addresses that are computed from it. An address
// that comes out of memory may be any parameter's. What a kernel passes to functions or keeps in local or shared memory
// is followed there as a whole: a store through it may be to any address that was put there.
func AccessesOf(k *ptx.Kernel) []Access {
	o := &pointers{origin: origin{kernel: k, list: statements(k), params: map[string]uint64{}}}
	o.spread()
	list := make([]Access, len(k.Params))
	for pc := range k.Code {
		loads, stores := o.accesses(&k.Code[pc], o.list[pc].opcode)
		if !loads && !stores {
			continue
		}
		from := o.from(o.list[pc].address)
		for i := range list {
			if from&fromMemory != 0 && from&(fromMemory-1) == 0 || from>>min(i, lastParam)&1 != 0 {
				list[i].Loads = list[i].Loads || loads
				list[i].Stores = list[i].Stores || stores
			}
		}
	}
	return list
}

// pointers follows addresses, also through what a kernel keeps and passes.
type pointers struct {
	origin
	kept    uint64 // what lies in local and shared memory and in parameters of functions
	calls   bool
	written map[string]bool
}

// spread goes through the statements until nothing changes.
func (o *pointers) spread() {
	o.written = map[string]bool{}
	for pc := range o.list {
		o.calls = o.calls || strings.HasPrefix(o.list[pc].opcode, "call")
		for _, n := range o.list[pc].writes {
			o.written[n] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for pc := range o.list {
			s := &o.list[pc]
			from, keeps := o.effect(&o.kernel.Code[pc], s)
			if keeps && o.kept|from != o.kept {
				o.kept |= from
				changed = true
			}
			for _, n := range s.writes {
				if o.params[n]|from != o.params[n] {
					o.params[n] |= from
					changed = true
				}
			}
		}
	}
}

// effect returns what the results of an instruction come from, and whether it keeps what it reads somewhere.
func (o *pointers) effect(in *ptx.Instr, s *statement) (from uint64, keeps bool) {
	from = o.from(s.reads)
	operation, space, _ := strings.Cut(s.opcode, ".")
	switch {
	case operation == "call":
		return from | o.kept, true
	case strings.HasPrefix(space, "param"):
		named := o.paramsBelow(s.address)
		if named == 0 && operation == "ld" {
			named = o.kept
		}
		return from | named, operation == "st"
	case in.Mem == nil || !in.IsMemory:
		return from | o.from(s.address), false
	case in.Mem.Kind == ptx.AccessStore:
		return from, true
	case in.Mem.Space == ptx.SpaceShared || in.Mem.Space == ptx.SpaceLocal:
		return o.kept, false
	}
	return o.kept | fromMemory, in.Mem.Kind == ptx.AccessAtomic
}

// from is what some names come from. A name that nothing writes may be a parameter of a function.
func (o *pointers) from(names []string) (from uint64) {
	for _, n := range names {
		from |= o.params[n]
		if o.calls && !o.written[n] {
			from |= o.kept
		}
	}
	return from | o.paramsBelow(names)
}

// paramsBelow is paramsOf with room for fromMemory.
func (o *pointers) paramsBelow(names []string) uint64 {
	from := o.paramsOf(names)
	if high := from >> lastParam; high != 0 {
		from = from&(1<<lastParam-1) | 1<<lastParam
	}
	return from
}

// accesses tells whether an instruction loads from global memory or stores to it. A generic address counts.
func (o *pointers) accesses(in *ptx.Instr, opcode string) (loads, stores bool) {
	if strings.HasPrefix(opcode, "cp.") || strings.HasPrefix(opcode, "wmma.") || strings.HasPrefix(opcode, "st.bulk") {
		return copies(opcode)
	}
	if in.Mem == nil || !in.IsMemory || in.Mem.Space != ptx.SpaceGlobal && in.Mem.Space != ptx.SpaceGeneric {
		return false, false
	}
	switch in.Mem.Kind {
	case ptx.AccessLoad:
		return true, false
	case ptx.AccessStore:
		return false, true
	case ptx.AccessAtomic, ptx.AccessReduction:
		return true, true
	}
	return false, false
}

// copies is accesses of instructions that move many bytes. One that names two spaces goes to the first of them.
func copies(opcode string) (loads, stores bool) {
	global, shared := strings.Index(opcode, ".global"), strings.Index(opcode, ".shared")
	switch {
	case strings.HasPrefix(opcode, "wmma.store"):
		return false, shared < 0
	case strings.HasPrefix(opcode, "wmma.load"):
		return shared < 0, false
	case strings.HasPrefix(opcode, "cp.reduce"):
		return true, global >= 0 && (shared < 0 || global < shared)
	case global < 0:
		return false, false
	}
	toGlobal := shared < 0 || global < shared
	return !toGlobal, toGlobal
}
