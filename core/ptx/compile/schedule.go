package compile

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
)

// Schedule asks for other instructions than the written ones: for the order of a list scheduler, or for scalar loads.
type Schedule struct {
	// Latency is the time from an instruction to the use of its results on an idle machine, in cycles.
	Latency func(*ptx.Instr) int
	// AccessInterval is the time between two accesses to memory of one warp while those of all schedulers make them.
	AccessInterval int
	// Warps is how many warps of the kernel a scheduler of an SM holds.
	Warps int
	// Registers is how many 32-bit registers a thread may take for an order that is not the written one.
	Registers int
	// ScalarLoads keeps the written order, and makes a load of a vector from global memory one load for each element.
	ScalarLoads bool
}

// runNodes bounds the instructions that are ordered together, since the work grows with their square [ours].
const runNodes = 512

// schedule is the sixth pass: within each block it orders instructions as an in-order processor likes them, by the list
// scheduling of Gibbons and Muchnick (Efficient Instruction Scheduling for a Pipelined Architecture, 1986): of the
// instructions whose operands are there, the one with the longest way to the end of the block goes first. Loads rise so
// above the uses of other loads. What orders others (isFixed) stays where it is.
func (s *selector) schedule(g *graph, o *Schedule, alone bool) {
	s.phase.enter(phaseSchedule)
	if o == nil || o.ScalarLoads || s.tooLarge(g) {
		return
	}
	_, liveOut := s.liveness(g)
	limit := 0 // the pressure as written
	for b := range g.blocks {
		w := s.walkFrom(liveOut[b])
		for i := g.blocks[b].last; i >= g.blocks[b].first; i-- {
			w.back(s.nodes.at(i))
		}
		limit = max(limit, w.most)
	}
	if alone {
		limit = max(limit, o.Registers)
	}
	l := &lister{selector: s, latency: o.Latency, interval: o.AccessInterval, limit: limit, others: max(0, o.Warps-1),
		fixed: s.fixed()}
	l.versionOf = make([]int32, len(s.values.list))
	for b := range g.blocks {
		l.block(&g.blocks[b], liveOut[b])
	}
}

// block orders a block from its end on.
func (l *lister) block(b *block, liveOut bitset) {
	live := l.walkFrom(liveOut)
	for last := b.last; last >= b.first; {
		first := last + 1
		for first > b.first && last-first+1 < runNodes && !l.fixed.has(uint32(first-1)) {
			first--
		}
		if last-first > 0 {
			l.run(first, last, live)
		}
		for first = min(first, last); last >= first; last-- { // a fixed one is a run of its own
			live.back(l.nodes.at(last))
		}
	}
}

// fixed returns the nodes that nothing may pass: what isFixed says, and the parts of a copy in bulk, which the copy
// unit takes as they stand.
func (s *selector) fixed() bitset {
	set := make(bitset, (s.nodes.length+63)/64)
	for i := range s.nodes.length {
		n := s.nodes.at(int32(i))
		if isFixed(n) {
			set.set(uint32(i))
		}
		if n.Vector != nil {
			for k := range int(n.Vector.Copy) {
				set.set(uint32(i + k))
			}
		}
	}
	return set
}

// isFixed reports whether nothing may pass an instruction: it steers the warp or orders memory, reads a clock, or takes
// part in an asynchronous operation.
func isFixed(n *node) bool {
	switch n.Family {
	case ptx.FamilyControl:
		return true
	case ptx.FamilyMove:
		return n.Op == ptx.MoveSpecial
	case ptx.FamilyMemory:
		return n.Op != ptx.MemoryAccess
	case ptx.FamilyMatrix:
		return n.Op != ptx.MatrixMultiply && n.Op != ptx.MatrixRows && n.Op != ptx.MatrixTranspose
	}
	return n.ends() || n.IsBarrier
}

// lister orders runs of instructions of one function.
type lister struct {
	*selector
	latency  func(*ptx.Instr) int
	interval int // between accesses to memory
	limit    int // registers
	others   int // warps of the same scheduler
	fixed    bitset

	items    []item
	versions []version
	// versionOf has the present version of each value, an index of versions; 0 is none.
	versionOf []int32
	known     []uint32 // the values with a version
	memory    []int32  // the items that access memory
	order     []int32
}

// item is an instruction of a run.
type item struct {
	next          []edge
	height        int   // cycles to the end of the run
	waits         int   // edges from items that have no place yet
	ready         int   // the cycle in which its operands are there
	base          int32 // the version of the address register
	reads, writes []int32
	access        bool // to memory
	placed        bool
}

// edge says that an item comes at least so many cycles after another one.
type edge struct {
	to     int32
	cycles int
}

// version is a value between two writes that replace it.
type version struct {
	registers int
	reads     int  // that have no place yet
	stays     bool // it is used after the run
	written   int32
	readers   []int32
	// writers are those that write under a guard, so that the value is the old one in some lanes.
	writers []int32
}

// run orders the instructions from first to last, if that is shorter by more than the other warps of the scheduler are
// busy with the same instructions: so it is, however they take turns. If a free order takes too many registers,
// instructions may pass fewer others, at last none.
func (l *lister) run(first, last int32, after *liveWalk) {
	n := last - first + 1
	old := make([]node, n)
	for i := range n {
		old[i] = *l.nodes.at(first + i)
	}
	written := l.list(l.prepare(old, after), 1)
	busy := l.others * max(int(n), len(l.memory)*l.interval)
	for ahead := n; ahead > 1; ahead /= 2 {
		if written-l.list(l.prepare(old, after), ahead) <= busy {
			break
		}
		w := after.copy()
		for k := n - 1; k >= 0; k-- {
			*l.nodes.at(first + k) = old[l.order[k]]
			w.back(&old[l.order[k]])
		}
		if w.most <= l.limit {
			return
		}
	}
	for i := range n {
		*l.nodes.at(first + i) = old[i]
	}
}

// prepare makes the items of a run and their edges. It returns the registers that are live before it.
func (l *lister) prepare(run []node, after *liveWalk) (registers int) {
	front := after.copy()
	for i := len(run) - 1; i >= 0; i-- {
		front.back(&run[i])
	}
	l.items, l.versions, l.memory = make([]item, len(run)), append(l.versions[:0], version{}), l.memory[:0]
	for i := range run {
		l.dependences(run, int32(i))
	}
	for _, v := range l.known {
		l.versions[l.versionOf[v]].stays = after.live.has(v)
		l.versionOf[v] = 0
	}
	l.known = l.known[:0]
	for i := len(run) - 1; i >= 0; i-- {
		x := &l.items[i]
		x.height = 1
		if len(run[i].writes) > 0 {
			x.height = l.latency(&run[i].Instr)
		}
		for _, e := range x.next {
			x.height = max(x.height, e.cycles+l.items[e.to].height)
		}
	}
	return front.registers
}

// version returns the present version of a value.
func (l *lister) version(v uint32) int32 {
	if l.versionOf[v] == 0 {
		l.known = append(l.known, v)
		l.renew(v, -1)
	}
	return l.versionOf[v]
}

func (l *lister) renew(v uint32, by int32) {
	l.versionOf[v] = int32(len(l.versions))
	l.versions = append(l.versions, version{registers: l.weight(v), written: by})
}

// dependences adds the edges to item i, and its reads and writes.
func (l *lister) dependences(run []node, i int32) {
	n, x := &run[i], &l.items[i]
	if x.access = n.IsMemory; n.IsMemory {
		if n.A < alwaysTrue {
			x.base = l.version(n.A)
		}
		for _, k := range l.memory {
			if l.ordered(run, k, i) {
				l.edge(k, i, 1)
			}
		}
		l.memory = append(l.memory, i)
	}
	if n.Family == ptx.FamilyWarp { // lanes of other paths may wait in the written order
		for k := i - 1; k >= 0; k-- {
			if run[k].Family == ptx.FamilyWarp {
				l.edge(k, i, 1)
				break
			}
		}
	}
	for _, v := range n.reads {
		at := l.version(v)
		u := &l.versions[at]
		u.reads++
		u.readers = append(u.readers, i)
		x.reads = append(x.reads, at)
		l.results(run, u, i)
	}
	for _, v := range n.writes {
		at := l.version(v)
		u := &l.versions[at]
		l.results(run, u, i)
		for _, k := range u.readers {
			l.edge(k, i, 0)
		}
		if !l.replaces(n, v) {
			u.writers = append(u.writers, i)
			continue
		}
		l.renew(v, i)
		x.writes = append(x.writes, l.versionOf[v])
	}
}

// results adds the edges from those that have written a version.
func (l *lister) results(run []node, u *version, to int32) {
	if u.written >= 0 {
		l.edge(u.written, to, l.latency(&run[u.written].Instr))
	}
	for _, k := range u.writers {
		l.edge(k, to, l.latency(&run[k].Instr))
	}
}

func (l *lister) edge(from, to int32, cycles int) {
	if from != to {
		l.items[from].next = append(l.items[from].next, edge{to, cycles})
		l.items[to].waits++
	}
}

// ordered reports whether two accesses to memory keep their order (PTX ISA, Memory Consistency Model). Weak loads pass
// each other, and what cannot meet in one place; stores, strong accesses and atomics keep their order.
func (l *lister) ordered(run []node, first, second int32) bool {
	a, b := &run[first], &run[second]
	if orders(a) || orders(b) {
		return true
	}
	loadA, loadB := a.IsLoad, b.IsLoad
	if loadA == loadB {
		return !loadA
	}
	if a.Mem == nil || b.Mem == nil { // a texture
		return true
	}
	if loadA && a.Mem.Operator == ptx.CacheReadOnly || loadB && b.Mem.Operator == ptx.CacheReadOnly {
		return false // nobody writes there (PTX ISA, ld.global.nc)
	}
	if a.Mem.Space != b.Mem.Space {
		return a.Mem.Space == ptx.SpaceGeneric || b.Mem.Space == ptx.SpaceGeneric
	}
	// A thread's own accesses to one address with different offsets do not meet. Before sm_70 programs count on the
	// order of lanes too.
	sameBase := a.A == b.A && l.items[first].base == l.items[second].base
	if !l.module.lanesRunApart() || !sameBase || !plain(a) || !plain(b) {
		return true
	}
	return int64(a.Imm)+bytesOf(a) > int64(b.Imm) && int64(b.Imm)+bytesOf(b) > int64(a.Imm)
}

// orders reports whether other accesses may not pass an access: it is strong, an atomic, or a hint to the caches.
func orders(n *node) bool {
	m := n.Mem
	return m != nil && (m.Kind > ptx.AccessStore || m.Operator == ptx.CacheBypass)
}

// plain reports whether each lane accesses the bytes at its address alone.
func plain(n *node) bool { return n.Family == ptx.FamilyMemory }

func bytesOf(n *node) int64 { return int64(n.Mem.Bytes) * int64(n.Mem.Count) }

// list chooses an order, and returns the cycles until its last instruction. No instruction passes ahead or more others
// that are written before it.
func (l *lister) list(registers int, ahead int32) (cycles int) {
	l.order = l.order[:0]
	oldest := int32(0) // the first item without a place
	free := 0          // when memory takes the next access
	for now := 0; int(oldest) < len(l.items); now++ {
		best, soonest := int32(-1), int32(-1)
		for i := oldest; int(i) < min(len(l.items), int(oldest+ahead)); i++ {
			x := &l.items[i]
			if x.placed || x.waits > 0 {
				continue
			}
			if grows := l.growth(x); grows > 0 && registers+grows > l.limit {
				continue
			}
			if x.access {
				x.ready = max(x.ready, free)
			}
			if soonest < 0 || x.ready < l.items[soonest].ready {
				soonest = i
			}
			if x.ready <= now && (best < 0 || x.height > l.items[best].height) {
				best = i
			}
		}
		switch {
		case best >= 0:
		case soonest >= 0:
			best, now = soonest, max(now, l.items[soonest].ready)
		default:
			best = oldest // all before it have places
			now = max(now, l.items[best].ready)
		}
		if l.items[best].access {
			now = max(now, free)
			free = now + l.interval
		}
		cycles = now + 1
		registers += l.take(best, now)
		for int(oldest) < len(l.items) && l.items[oldest].placed {
			oldest++
		}
	}
	return cycles
}

// growth is how many registers more are live after an item than before it.
func (l *lister) growth(x *item) (n int) {
	for k, at := range x.reads {
		u := &l.versions[at]
		if !u.stays && u.reads == times(x.reads, at) && !slices.Contains(x.reads[:k], at) {
			n -= u.registers
		}
	}
	for _, at := range x.writes {
		n += l.versions[at].registers
	}
	return n
}

func times(list []int32, what int32) (n int) {
	for _, x := range list {
		if x == what {
			n++
		}
	}
	return n
}

// take gives an item the next place, and returns by how much the live registers grow.
func (l *lister) take(i int32, now int) (grows int) {
	x := &l.items[i]
	grows = l.growth(x)
	x.placed = true
	l.order = append(l.order, i)
	for _, at := range x.reads {
		l.versions[at].reads--
	}
	for _, at := range x.writes { // written for nobody
		if u := &l.versions[at]; u.reads == 0 && !u.stays {
			grows -= u.registers
		}
	}
	for _, e := range x.next {
		to := &l.items[e.to]
		to.waits--
		to.ready = max(to.ready, now+e.cycles)
	}
	return grows
}
