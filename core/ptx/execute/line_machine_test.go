package execute

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// Straight-line programs of random instructions run on the interpreter, at once
// and with late binding, and beside it on a machine of plain arrays, where each
// instruction is the twin of its family.

const (
	lineThreads = 64
	lineBytes   = 64 // of each thread in each space
	lineSteps   = 48
)

// lineClass is a set of registers of one width.
type lineClass int

const (
	linePred lineClass = iota
	line8
	line16
	line32
	line64
	lineClasses
)

var (
	lineRegisters = [lineClasses]int{3, 3, 5, 8, 6}
	linePrefix    = [lineClasses]string{"%p", "%b", "%h", "%r", "%d"}
	lineTypes     = [lineClasses]string{"pred", "b8", "b16", "b32", "b64"}
)

func lineClassOf(t ptx.Scalar) lineClass {
	switch t.Bits() {
	case 1:
		return linePred
	case 8:
		return line8
	case 16:
		return line16
	case 32:
		return line32
	}
	return line64
}

// lineMachine is the twin: registers and memory of all threads.
type lineMachine struct {
	threads int
	active  [lineThreads]bool // outside of these the program is jumped over
	value   [lineClasses][8][lineThreads]uint64
	memory  [3][lineThreads][lineBytes]byte // shared, global, local
}

// lineStep is one instruction of a program: its text with the guard as @@, and
// what it does in the threads that execute it.
type lineStep struct {
	text string
	run  func(m *lineMachine, on func(thread int) bool)
}

// lineSource hands out the bytes of a program.
type lineSource struct {
	data   []byte
	at     int
	target string
}

func (s *lineSource) more() bool { return s.at < len(s.data) }

func (s *lineSource) next() int {
	if s.at >= len(s.data) {
		return 0
	}
	s.at++
	return int(s.data[s.at-1])
}

// register picks a register of a class.
func (s *lineSource) register(c lineClass) int { return s.next() % lineRegisters[c] }

func lineName(c lineClass, i int) string { return fmt.Sprintf("%s%d", linePrefix[c], i) }

// lineElementwise are the instructions of the families that a target has, in a fixed order.
func lineElementwise(target string) []instructionTest {
	if target == "sm_90" {
		return line90()
	}
	return lineAll()
}

// since100 finds instructions that begin with sm_100: arithmetic on pairs of f32, on f32
// with halves, on three operands, and formats of less than 8 bits.
var since100 = regexp.MustCompile(`f32x2|(add|sub|fma)\.\S*f32\.b?f16|e2m|e3m|(min|max)\.\S*f32 %d, %a, %b, %c`)

var line90 = sync.OnceValue(func() []instructionTest {
	return slices.DeleteFunc(slices.Clone(lineAll()), func(c instructionTest) bool { return since100.MatchString(c.text) })
})

var lineAll = sync.OnceValue(func() []instructionTest {
	var list []instructionTest
	for _, family := range [][]instructionTest{integerTests(), bitTests(), compareTests(), floatTests(), floatModifierTests(), floatOrderTests(),
		convertIntegerTests(), convertFloatTests(), halfTests(), halfOrderTests(), pairTests(), halfCompareTests(), convertHalfTests(),
		mixedTests(), floatPairTests(), smallTests()} {
		for _, c := range family {
			if !strings.ContainsAny(c.text, "{|") && strings.Count(c.text, ";") == 1 {
				list = append(list, c)
			}
		}
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].text < list[k].text })
	return list
})

// elementwise makes a step of one of them. A NaN of f64 becomes the canonical one,
// since any will do.
func (s *lineSource) elementwise(c *instructionTest) lineStep {
	class := lineClassOf(c.result)
	d := s.register(class)
	text := "@@ " + strings.Replace(c.text, "%d", lineName(class, d), 1)
	var classes []lineClass
	var sources []int
	for i, t := range c.sources {
		k := lineClassOf(t)
		r := s.register(k)
		classes, sources = append(classes, k), append(sources, r)
		text = strings.Replace(text, sourceNames[i]+";", lineName(k, r)+";", 1)
		text = strings.Replace(text, sourceNames[i]+",", lineName(k, r)+",", 1)
	}
	canonical := c.same != nil && c.result == ptx.TypeF64
	if canonical {
		text += fmt.Sprintf(" testp.notanumber.f64 %%nan, %[1]s; @%%nan mov.b64 %[1]s, 0x7ff8000000000000;", lineName(class, d))
	}
	return lineStep{text, func(m *lineMachine, on func(int) bool) {
		for i := range m.threads {
			if on(i) {
				v := make([]uint64, len(sources))
				for k := range v {
					v[k] = m.value[classes[k]][sources[k]][i]
				}
				m.value[class][d][i] = c.twin(v)
			}
			// The canonical form is unguarded: it concerns all active threads.
			if canonical && m.active[i] && arith.IsNaN64(m.value[class][d][i]) {
				m.value[class][d][i] = 0x7ff8000000000000
			}
		}
	}}
}

var lineSpaces = []string{"shared", "global", "local"}

// address picks a place in one of the spaces, perhaps by a generic address.
func (s *lineSource) address(bytes int) (space int, suffix, text string, at int) {
	b := s.next()
	space = b % 3
	at = s.next() % (lineBytes / bytes) * bytes
	suffix, base := "."+lineSpaces[space], "%at_"+lineSpaces[space]
	if b&128 != 0 {
		suffix, base = "", "%generic_"+lineSpaces[space]
	}
	return space, suffix, fmt.Sprintf("[%s+%d]", base, at), at
}

// access makes a load or store of one to four elements.
func (s *lineSource) access(store bool) lineStep {
	list := []struct {
		t     ptx.Scalar
		class lineClass
	}{{ptx.TypeU8, line8}, {ptx.TypeU8, line16}, {ptx.TypeS8, line16}, {ptx.TypeS8, line32}, {ptx.TypeU16, line16}, {ptx.TypeS16, line32}, {ptx.TypeB16, line64},
		{ptx.TypeU32, line32}, {ptx.TypeS32, line64}, {ptx.TypeB64, line64}, {ptx.TypeF32, line32}, {ptx.TypeF64, line64}}
	kind := list[s.next()%len(list)]
	count := []int{1, 1, 2, 4}[s.next()%4]
	if count*kind.t.Bytes() > 16 || count > lineRegisters[kind.class] {
		count = 1
	}
	n := kind.t.Bytes()
	space, suffix, address, at := s.address(n * count)
	vector, names := "", ""
	registers := make([]int, count)
	for k := range registers {
		registers[k] = (s.register(kind.class) + k) % lineRegisters[kind.class]
		for !store && k > 0 && contains(registers[:k], registers[k]) { // each destination once
			registers[k] = (registers[k] + 1) % lineRegisters[kind.class]
		}
		names += ", " + lineName(kind.class, registers[k])
	}
	names = names[2:]
	if count > 1 {
		vector, names = fmt.Sprintf(".v%d", count), "{"+names+"}"
	}
	if store {
		return lineStep{fmt.Sprintf("@@ st%s%s.%s %s, %s;", suffix, vector, kind.t, address, names), func(m *lineMachine, on func(int) bool) {
			for i := range m.threads {
				for k := 0; k < count && on(i); k++ {
					writeBytes(m.memory[space][i][at+k*n:], uint8(n), m.value[kind.class][registers[k]][i])
				}
			}
		}}
	}
	width := []int{1, 8, 16, 32, 64}[kind.class]
	return lineStep{fmt.Sprintf("@@ ld%s%s.%s %s, %s;", suffix, vector, kind.t, names, address), func(m *lineMachine, on func(int) bool) {
		for i := range m.threads {
			for k := 0; k < count && on(i); k++ {
				v := readBytes(m.memory[space][i][at+k*n:], uint8(n))
				if kind.t.IsSigned() {
					v = uint64(int64(v<<(64-8*n)) >> (64 - 8*n))
				}
				m.value[kind.class][registers[k]][i] = v & (uint64(1)<<width - 1)
			}
		}
	}}
}

func contains(list []int, x int) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}

// atomic makes an atomic operation on a word of the thread's own.
func (s *lineSource) atomic() lineStep {
	type operation struct {
		text string
		t    ptx.Scalar
		f    func(old, b, c uint64) uint64
	}
	pick := func(b bool, x, y uint64) uint64 {
		if b {
			return x
		}
		return y
	}
	list := []operation{
		{"add.u32", ptx.TypeU32, func(o, b, _ uint64) uint64 { return uint64(uint32(o + b)) }},
		{"add.u64", ptx.TypeU64, func(o, b, _ uint64) uint64 { return o + b }},
		{"min.s32", ptx.TypeU32, func(o, b, _ uint64) uint64 { return pick(int32(o) < int32(b), o, b) }},
		{"max.u64", ptx.TypeU64, func(o, b, _ uint64) uint64 { return pick(o > b, o, b) }},
		{"and.b32", ptx.TypeU32, func(o, b, _ uint64) uint64 { return o & b }},
		{"xor.b64", ptx.TypeU64, func(o, b, _ uint64) uint64 { return o ^ b }},
		{"exch.b32", ptx.TypeU32, func(_, b, _ uint64) uint64 { return b }},
		{"inc.u32", ptx.TypeU32, func(o, b, _ uint64) uint64 { return pick(o >= b, 0, o+1) }},
		{"dec.u32", ptx.TypeU32, func(o, b, _ uint64) uint64 { return pick(o == 0 || o > b, b, o-1) }},
		{"cas.b32", ptx.TypeU32, func(o, b, c uint64) uint64 { return pick(o == b, c, o) }},
		{"cas.b64", ptx.TypeU64, func(o, b, c uint64) uint64 { return pick(o == b, c, o) }},
	}
	o := list[s.next()%len(list)]
	n := o.t.Bytes()
	class := lineClassOf(o.t)
	space, suffix, address, at := s.address(n)
	if space == 2 { // there are no atomics on local memory
		space, suffix, address = 0, ".shared", strings.Replace(strings.Replace(address, "%at_local", "%at_shared", 1), "%generic_local", "%at_shared", 1)
	}
	d, b, c := s.register(class), s.register(class), s.register(class)
	operands := lineName(class, b)
	if strings.HasPrefix(o.text, "cas") {
		operands += ", " + lineName(class, c)
	}
	return lineStep{fmt.Sprintf("@@ atom%s.%s %s, %s, %s;", suffix, o.text, lineName(class, d), address, operands), func(m *lineMachine, on func(int) bool) {
		for i := range m.threads {
			if on(i) {
				p := m.memory[space][i][at:]
				old := readBytes(p, uint8(n))
				writeBytes(p, uint8(n), o.f(old, m.value[class][b][i], m.value[class][c][i]))
				m.value[class][d][i] = old
			}
		}
	}}
}

// warps calls f for each warp with the lanes that execute.
func (m *lineMachine) warps(on func(int) bool, f func(first int, mask uint32)) {
	for first := 0; first < m.threads; first += ptx.MaxLanes {
		mask := uint32(0)
		for lane := 0; lane < ptx.MaxLanes && first+lane < m.threads; lane++ {
			if on(first + lane) {
				mask |= 1 << lane
			}
		}
		if mask != 0 {
			f(first, mask)
		}
	}
}

// warpLevel makes a vote, match or reduction of the lanes that execute.
func (s *lineSource) warpLevel() lineStep {
	const members = "@@ activemask.b32 %am; @@ "
	each := func(mask uint32, f func(lane int)) {
		for ; mask != 0; mask &= mask - 1 {
			f(bits.TrailingZeros32(mask))
		}
	}
	kind := s.next() % 12
	switch {
	case kind < 4: // votes
		d, p, r := s.register(linePred), s.register(linePred), s.register(line32)
		negated := s.next()&1 != 0
		name := lineName(linePred, p)
		if negated {
			name = "!" + name
		}
		text := fmt.Sprintf("vote.sync.%s.pred %s, %s, %%am;", []string{"all", "any", "uni", ""}[kind], lineName(linePred, d), name)
		if kind == 3 {
			text = fmt.Sprintf("vote.sync.ballot.b32 %s, %s, %%am;", lineName(line32, r), name)
		}
		return lineStep{members + text, func(m *lineMachine, on func(int) bool) {
			m.warps(on, func(first int, mask uint32) {
				votes := uint32(0)
				each(mask, func(lane int) {
					if (m.value[linePred][p][first+lane] != 0) != negated {
						votes |= 1 << lane
					}
				})
				result := []bool{votes == mask, votes != 0, votes == mask || votes == 0, false}[kind]
				each(mask, func(lane int) {
					if kind == 3 {
						m.value[line32][r][first+lane] = uint64(votes)
					} else {
						m.value[linePred][d][first+lane] = truthOf(result)
					}
				})
			})
		}}
	case kind < 6: // matches
		class := line32 + lineClass(s.next()&1)
		d, p, a := s.register(line32), s.register(linePred), s.register(class)
		text := fmt.Sprintf("match.any.sync.%s %s, %s, %%am;", lineTypes[class], lineName(line32, d), lineName(class, a))
		if kind == 5 {
			text = fmt.Sprintf("match.all.sync.%s %s|%s, %s, %%am;", lineTypes[class], lineName(line32, d), lineName(linePred, p), lineName(class, a))
		}
		return lineStep{members + text, func(m *lineMachine, on func(int) bool) {
			m.warps(on, func(first int, mask uint32) {
				v := m.value[class][a]
				each(mask, func(lane int) {
					same := uint32(0)
					each(mask, func(other int) {
						if v[first+other] == v[first+lane] {
							same |= 1 << other
						}
					})
					if kind == 5 {
						m.value[linePred][p][first+lane] = truthOf(same == mask)
						if same != mask {
							same = 0
						}
					}
					m.value[line32][d][first+lane] = uint64(same)
				})
			})
		}}
	}
	names := []string{"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"}
	fold := []func(a, b uint32) uint32{
		func(a, b uint32) uint32 { return a + b },
		func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
		func(a, b uint32) uint32 { return max(a, b) },
		func(a, b uint32) uint32 { return a & b },
		func(a, b uint32) uint32 { return a | b },
		func(a, b uint32) uint32 { return a ^ b },
	}[kind-6]
	d, a := s.register(line32), s.register(line32)
	return lineStep{members + fmt.Sprintf("redux.sync.%s %s, %s, %%am;", names[kind-6], lineName(line32, d), lineName(line32, a)),
		func(m *lineMachine, on func(int) bool) {
			m.warps(on, func(first int, mask uint32) {
				lowest := bits.TrailingZeros32(mask)
				v := uint32(m.value[line32][a][first+lowest])
				each(mask&(mask-1), func(lane int) { v = fold(v, uint32(m.value[line32][a][first+lane])) })
				each(mask, func(lane int) { m.value[line32][d][first+lane] = uint64(v) })
			})
		}}
}

// shuffle makes a shuffle of all lanes, which takes no guard.
func (s *lineSource) shuffle() lineStep {
	mode := s.next() % 4
	d, p, a := s.register(line32), s.register(linePred), s.register(line32)
	distance, segment := s.next()%32, []int{0, 16, 24, 28, 30, 31}[s.next()%6]
	clamp := 31
	if mode == 0 {
		clamp = 0
	}
	text := fmt.Sprintf("shfl.sync.%s.b32 %s|%s, %s, %d, %d, -1;", []string{"up", "down", "bfly", "idx"}[mode],
		lineName(line32, d), lineName(linePred, p), lineName(line32, a), distance, segment<<8|clamp)
	return lineStep{text, func(m *lineMachine, _ func(int) bool) {
		m.warps(func(int) bool { return true }, func(first int, _ uint32) {
			v := m.value[line32][a]
			for lane := range ptx.MaxLanes {
				start := lane & segment // of the segment the lane is in
				end := start + (31 &^ segment)
				from := []int{lane - distance, lane + distance, lane ^ distance, start + distance&^segment}[mode]
				ok := from >= start && from <= end
				if mode == 2 {
					ok = from <= end
				}
				if !ok {
					from = lane
				}
				m.value[line32][d][first+lane] = v[first+from]
				m.value[linePred][p][first+lane] = truthOf(ok)
			}
		})
	}}
}

// move makes a move between widths, selections and carry chains.
func (s *lineSource) move() lineStep {
	h, r, d := s.register(line16), s.register(line32), s.register(line64)
	h2, r2, d2 := (h+1)%lineRegisters[line16], (r+1)%lineRegisters[line32], (d+1)%lineRegisters[line64]
	name := func(c lineClass, i int) string { return lineName(c, i) }
	type change func(m *lineMachine, i int)
	list := []struct {
		text string
		f    change
	}{
		{fmt.Sprintf("@@ mov.b32 %s, {%s, %s};", name(line32, r), name(line16, h), name(line16, h2)), func(m *lineMachine, i int) {
			m.value[line32][r][i] = m.value[line16][h][i] | m.value[line16][h2][i]<<16
		}},
		{fmt.Sprintf("@@ mov.b64 {%s, %s}, %s;", name(line32, r), name(line32, r2), name(line64, d)), func(m *lineMachine, i int) {
			v := m.value[line64][d][i]
			m.value[line32][r][i], m.value[line32][r2][i] = v&0xffffffff, v>>32
		}},
		{fmt.Sprintf("@@ mov.b32 {_, %s}, %s;", name(line16, h), name(line32, r)), func(m *lineMachine, i int) {
			m.value[line16][h][i] = m.value[line32][r][i] >> 16
		}},
		{fmt.Sprintf("@@ add.cc.u32 %[1]s, %[1]s, %[2]s; @@ addc.u32 %[2]s, %[2]s, 0;", name(line32, r), name(line32, r2)), func(m *lineMachine, i int) {
			sum := m.value[line32][r][i] + m.value[line32][r2][i]
			m.value[line32][r][i] = sum & 0xffffffff
			m.value[line32][r2][i] = (m.value[line32][r2][i] + sum>>32) & 0xffffffff
		}},
		{fmt.Sprintf("@@ sub.cc.u64 %[1]s, %[1]s, %[2]s; @@ subc.u64 %[2]s, %[2]s, 0;", name(line64, d), name(line64, d2)), func(m *lineMachine, i int) {
			x, y := m.value[line64][d][i], m.value[line64][d2][i]
			m.value[line64][d][i] = x - y
			m.value[line64][d2][i] = y - truthOf(x < y)
		}},
		{fmt.Sprintf("@@ lop3.or.b32 %[1]s|%%p0, %[1]s, %[2]s, %[1]s, 0x6a, %%p1;", name(line32, r), name(line32, r2)), func(m *lineMachine, i int) {
			x, y := m.value[line32][r][i], m.value[line32][r2][i]
			v := (x&y ^ x) & 0xffffffff // 0x6a: (a & b) ^ c
			m.value[line32][r][i] = v
			m.value[linePred][0][i] = truthOf(v != 0) | m.value[linePred][1][i]
		}},
		{fmt.Sprintf("@@ mov.v2.b32 {%[1]s, %[2]s}, {%[2]s, %[1]s};", name(line32, r), name(line32, r2)), func(m *lineMachine, i int) {
			m.value[line32][r][i], m.value[line32][r2][i] = m.value[line32][r2][i], m.value[line32][r][i]
		}},
		{fmt.Sprintf("@@ set.ne.u32.u64 %s, %s, %s;", name(line32, r), name(line64, d), name(line64, d2)), func(m *lineMachine, i int) {
			m.value[line32][r][i] = -truthOf(m.value[line64][d][i] != m.value[line64][d2][i]) & 0xffffffff
		}},
		{fmt.Sprintf("@@ mov.u32 %s, %%laneid;", name(line32, r)), func(m *lineMachine, i int) { m.value[line32][r][i] = uint64(i % ptx.MaxLanes) }},
		{fmt.Sprintf("@@ mov.u32 %s, %d;", name(line32, r), d*1000003), func(m *lineMachine, i int) { m.value[line32][r][i] = uint64(d * 1000003) }},
	}
	c := list[s.next()%len(list)]
	return lineStep{c.text, func(m *lineMachine, on func(int) bool) {
		for i := range m.threads {
			if on(i) {
				c.f(m, i)
			}
		}
	}}
}

// step reads one instruction.
func (s *lineSource) step(whole bool) lineStep {
	kind, sub := s.next(), s.next()
	switch {
	case kind < 150:
		list := lineElementwise(s.target)
		return s.elementwise(&list[(kind*256+sub)%len(list)])
	case kind < 175:
		return s.access(false)
	case kind < 200:
		return s.access(true)
	case kind < 215:
		return s.atomic()
	case kind < 230:
		return s.warpLevel()
	case kind < 240 && whole:
		return s.shuffle()
	}
	return s.move()
}
