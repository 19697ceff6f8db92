package compile

import (
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// What instructions say to the caches (PTX ISA, Cache Operators, Cache Eviction Priority Hints, ld, st, prefetch,
// createpolicy, applypriority, discard). core/ptx/HINTS.md lists each word with its effect.

// priorityWord is a modifier that names a priority.
type priorityWord struct {
	word     string
	priority mem.Priority
}

var (
	levelOneWords = []priorityWord{{"L1::evict_normal", mem.EvictDefault}, {"L1::evict_unchanged", mem.EvictUnchanged},
		{"L1::evict_first", mem.EvictFirst}, {"L1::evict_last", mem.EvictLast}, {"L1::no_allocate", mem.NoAllocate}}
	levelTwoWords = []priorityWord{{"L2::evict_normal", mem.EvictDefault}, {"L2::evict_first", mem.EvictFirst},
		{"L2::evict_last", mem.EvictLast}}
	policyWords = []priorityWord{{"L2::evict_last", mem.EvictLast}, {"L2::evict_normal", mem.EvictNormal},
		{"L2::evict_first", mem.EvictFirst}, {"L2::evict_unchanged", mem.EvictDefault}}
)

// priority takes the word of a level, if there is one.
func (s *selector) priority(words []priorityWord, p *mem.Priority) bool {
	for _, x := range words {
		if s.has(x.word) {
			*p = x.priority
			return true
		}
	}
	return false
}

// cacheOperator takes what ld or st says to the caches: an operator, or priorities.
func (s *selector) cacheOperator(m *memoryMode, operators []string) {
	store := &operators[0] == &storeWords[0]
	if !store {
		s.nonCoherent(m)
	}
	operator := s.oneOf(operators...)
	one, two := s.priority(levelOneWords, &m.hints.L1), s.priority(levelTwoWords, &m.hints.L2)
	ahead := !store && s.aheadSize(m)
	if (one || two) && operator != "" {
		s.fail(s.st.At, "%s: an eviction priority and .%s exclude each other: leave one of them out", s.text(),
			operator)
	}
	if (one || two || ahead) && m.space != ptx.SpaceGlobal && m.space != ptx.SpaceGeneric {
		s.fail(s.st.At, "%s: eviction priorities and prefetch sizes are legal on .global only", s.text())
	}
	switch operator {
	case "cg":
		m.operator = max(m.operator, ptx.CacheL2)
	case "cs", "lu": // ld.lu does what ld.cs does, and both take lines that leave first, as st.cs does
		m.hints.L1, m.hints.L2, m.hints.Streaming = mem.EvictFirst, mem.EvictFirst, true
	case "wt":
		m.hints.Through = true
	case "cv":
		m.operator = ptx.CacheBypass
	}
}

// nonCoherent takes .nc.
func (s *selector) nonCoherent(m *memoryMode) {
	if !s.has("nc") {
		return
	}
	if m.space != ptx.SpaceGlobal {
		s.fail(s.st.At, "%s: .nc is legal on .global only", s.text())
	}
	m.operator = ptx.CacheReadOnly
}

// aheadSize takes a prefetch size.
func (s *selector) aheadSize(m *memoryMode) bool {
	switch s.oneOf("L2::64B", "L2::128B", "L2::256B") {
	case "L2::64B":
		m.hints.Ahead = 1
	case "L2::128B":
		m.hints.Ahead = 2
	case "L2::256B":
		m.hints.Ahead = 4
	default:
		return false
	}
	return true
}

// cacheHint is the modifier that comes with an operand: a cache policy.
const cacheHint = "L2::cache_hint"

// cacheHint takes the policy, operand n, and returns how many operands there are.
func (s *selector) cacheHint(n int, m *memoryMode) int {
	if !s.has(cacheHint) {
		return n
	}
	if m.space != ptx.SpaceGlobal && m.space != ptx.SpaceGeneric {
		s.fail(s.st.At, "%s: .%s is legal on .global only", s.text(), cacheHint)
	}
	if len(s.st.Operands) == n+1 {
		s.policyOperand(n, m)
	}
	return n + 1
}

func (s *selector) policyOperand(i int, m *memoryMode) {
	m.hints.Policy, m.policy = true, s.source(i, ptx.TypeB64)
}

// hint emits an instruction that moves no values. Its address is operand 0.
func (s *selector) hint(kind ptx.AccessKind, m memoryMode) {
	n := s.access(kind, ptx.TypeB8, 1, m)
	n.Mem.Space, n.Mem.Absent[0] = s.address(&n, 0, m.space), true
	s.emit(n)
}

func selectPrefetch(s *selector) {
	m := memoryMode{space: s.space()}
	if s.has("tensormap") {
		s.tensorMapHint(m)
		return
	}
	uniform := s.st.Opcode == "prefetchu"
	level := s.oneOf("L1", "L2", "L2::evict_last", "L2::evict_normal")
	switch {
	case level == "" || uniform && level != "L1":
		s.fail(s.st.At, "%s: want the level of cache: .L1, or .L2 without u", s.text())
	case len(level) > 2 && m.space != ptx.SpaceGlobal:
		s.fail(s.st.At, "%s: a priority is legal on .global only", s.text())
	case level == "L2::evict_last":
		m.hints.L2 = mem.EvictLast
	case level == "L2::evict_normal":
		m.hints.L2 = mem.EvictNormal
	}
	m.hints.ToL1 = level == "L1"
	if s.failed || !s.count(1, 1) {
		return
	}
	s.hint(ptx.AccessPrefetch, m)
}

// selectLineHint is discard and applypriority on a line of L2.
func selectLineHint(s *selector) {
	kind, m := ptx.AccessDiscard, memoryMode{space: ptx.SpaceGeneric}
	if s.has("global") {
		m.space = ptx.SpaceGlobal
	}
	level := "L2"
	if s.st.Opcode == "applypriority" {
		kind, level, m.hints.L2 = ptx.AccessPriority, "L2::evict_normal", mem.EvictNormal
	}
	if !s.has(level) {
		s.fail(s.st.At, "%s: want .%s", s.text(), level)
		return
	}
	if !s.count(2, 2) {
		return
	}
	if o := &s.st.Operands[1]; o.Kind != syntax.OperandInteger || o.Value != mem.LineBytes {
		s.fail(o.At, "%s: the size must be 128 bytes", s.text())
		return
	}
	s.hint(kind, m)
}

// selectCreatePolicy makes a cache policy. What the CUDA API calls an access property has the same bits.
func selectCreatePolicy(s *selector) {
	kind := s.oneOf("fractional", "range", "cvt")
	switch kind {
	case "fractional":
		primary, secondary := s.policyPriorities()
		s.typedAs(ptx.TypeB64)
		s.fractionalPolicy(primary, secondary)
	case "range":
		s.has("global")
		primary, secondary := s.policyPriorities()
		s.typedAs(ptx.TypeB64)
		s.rangePolicy(primary, secondary)
	case "cvt":
		if s.typedAs(ptx.TypeB64); !s.has("L2") {
			s.unsupported()
		}
		if !s.failed && s.count(2, 2) {
			s.move(s.dest(0, ptx.TypeB64), s.source(1, ptx.TypeB64))
		}
	default:
		s.unsupported()
	}
}

// policyPriorities takes the primary priority and the secondary one, whose default is L2::evict_unchanged.
func (s *selector) policyPriorities() (primary, secondary mem.Priority) {
	var found []mem.Priority
	s.mods = slices.DeleteFunc(s.mods, func(m syntax.Modifier) bool {
		for _, x := range policyWords {
			if m.Text == x.word && len(found) < 2 {
				found = append(found, x.priority)
				return true
			}
		}
		return false
	})
	switch {
	case len(found) == 0:
		s.fail(s.st.At,
			"%s: want a priority: .L2::evict_last, .L2::evict_normal, .L2::evict_first or .L2::evict_unchanged", s.text())
		return 0, 0
	case len(found) == 1:
		return found[0], mem.EvictDefault
	case found[1] != mem.EvictFirst && found[1] != mem.EvictDefault:
		s.fail(s.st.At, "%s: the secondary priority must be .L2::evict_first or .L2::evict_unchanged", s.text())
	}
	return found[0], found[1]
}

func (s *selector) fractionalPolicy(primary, secondary mem.Priority) {
	if s.failed || !s.count(1, 2) {
		return
	}
	fraction := s.values.constant(1, uint64(math.Float32bits(1)))
	if len(s.st.Operands) == 2 {
		fraction = s.source(1, ptx.TypeF32)
	}
	n := laneNode(ptx.ClassMove, func(a, _, _, _ uint64) uint64 {
		return ptx.FractionalPolicy(primary, secondary, math.Float32frombits(uint32(a)))
	}).wide(ptx.TypeB64, ptx.TypeF32, ptx.TypeB32, ptx.TypeB32, ptx.TypeB32)
	s.emit(*n.srcA(fraction).dst(s.dest(0, ptx.TypeB64)))
}

func (s *selector) rangePolicy(primary, secondary mem.Priority) {
	if s.failed || !s.count(4, 4) {
		return
	}
	at := instruction(ptx.FamilyMemory, ptx.MemoryAccess, ptx.ClassMemory)
	s.address(&at, 1, ptx.SpaceGlobal)
	base, offset, t := at.A, at.Imm, ptx.TypeB32
	if base == noValue {
		base, offset, t = s.values.constant(2, at.Imm), 0, ptx.TypeB64
	} else if at.Flags&ptx.FlagAddress64 != 0 {
		t = ptx.TypeB64
	}
	primaryBytes, totalBytes := s.source(2, ptx.TypeU32), s.source(3, ptx.TypeU32)
	n := laneNode(ptx.ClassMove, func(a, b, c, _ uint64) uint64 {
		return ptx.RangePolicy(primary, secondary, a+offset, uint32(b), uint32(c))
	}).wide(ptx.TypeB64, t, ptx.TypeB32, ptx.TypeB32, ptx.TypeB32)
	s.emit(*n.srcA(base).srcB(primaryBytes).srcC(totalBytes).dst(s.dest(0, ptx.TypeB64)))
}

// tensorMapHint is prefetch.tensormap, a copy that reads its map alone, so that the copy unit has it.
func (s *selector) tensorMapHint(m memoryMode) {
	switch m.space {
	case ptx.SpaceGeneric, ptx.SpaceConst, ptx.SpaceParam:
	default:
		s.unsupported()
	}
	if s.failed || !s.count(1, 1) {
		return
	}
	begin := s.nodes.length
	s.emit(s.mapRead(0, m.space, s.hiddenWord(mapWord, 1)))
	s.wholeCopy(begin, false)
}
