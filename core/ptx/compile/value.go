package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

type valueKind uint8

const (
	valueRegister valueKind = iota
	valueConstant           // the same in all lanes and for all time
	valueFixed              // a special register that never changes
	valueStorage            // a .param block of a call
)

// value is anything instructions read or write that lives in the register file
// or in the predicate file.
type value struct {
	kind      valueKind
	predicate bool
	words     int // 32-bit slots
	constant  uint64
	special   ptx.SpecialRegister
	// whole says that a write under a guard counts as a write of all lanes: the old
	// value of the other lanes is not needed.
	whole  bool
	spread spread // by uniformity

	// By liveness.
	first, last int32 // interval of nodes, -1 if never live
	unit        int32 // score id within its function's share
	place       uint32
}

const noValue = ^uint32(0)

// node is an instruction between selection and emission: its operand fields
// hold indices of values.
type node struct {
	ptx.Instr
	loc    syntax.Loc
	reads  []uint32
	writes []uint32
	// branch targets as statement indices until flow turns them into nodes
	branch []int32
	leaves bool // exit, ret or trap without a guard: nothing follows
	site   *callSite
}

// nodeList is the nodes of a function. They lie in chunks, which can be dropped one
// after the other.
type nodeList struct {
	chunks [][]node
	length int
}

const chunkNodes = 256

func (l *nodeList) at(i int32) *node { return &l.chunks[i/chunkNodes][i%chunkNodes] }

// add returns a pointer to the new node, which holds until the next is added.
//
//go:noinline
func (l *nodeList) add(n node) *node {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) == chunkNodes {
		var chunk []node // the first grows: most functions are short
		if last >= 0 {
			chunk = make([]node, 0, chunkNodes)
		}
		l.chunks = append(l.chunks, chunk)
		last++
	}
	l.chunks[last] = append(l.chunks[last], n)
	l.length++
	return &l.chunks[last][len(l.chunks[last])-1]
}

// clear drops all nodes.
func (l *nodeList) clear() {
	if l.length > 0 {
		l.chunks[0] = l.chunks[0][:0]
		l.chunks, l.length = l.chunks[:1], 0
	}
}

type callSite struct {
	function *syntax.Function
	pointer  uint32
	args     []uint32
	results  []uint32
}

type constantKey struct {
	words int
	value uint64
}

// values is the table of a function's values.
type values struct {
	list      []value
	registers map[*syntax.Register]uint32
	storage   map[*syntax.Variable]uint32
	constants map[constantKey]uint32
	specials  map[ptx.SpecialRegister]uint32
	carry     uint32
}

func newValues() *values {
	return &values{
		registers: map[*syntax.Register]uint32{}, storage: map[*syntax.Variable]uint32{},
		constants: map[constantKey]uint32{}, specials: map[ptx.SpecialRegister]uint32{}, carry: noValue,
	}
}

//go:noinline
func (v *values) add(x value) uint32 {
	x.first, x.last = -1, -1
	v.list = append(v.list, x)
	return uint32(len(v.list) - 1)
}

func wordsOf(bits int) int { return (bits + 31) / 32 }

func (v *values) register(r *syntax.Register) uint32 {
	id, ok := v.registers[r]
	if !ok {
		id = v.add(value{predicate: r.Type == ptx.TypePred, words: wordsOf(r.Type.Bits())})
		v.registers[r] = id
	}
	return id
}

// temporary returns a new register of the given size.
func (v *values) temporary(words int) uint32 { return v.add(value{words: words}) }

//go:noinline
func (v *values) constant(words int, c uint64) uint32 {
	k := constantKey{words, c}
	id, ok := v.constants[k]
	if !ok {
		id = v.add(value{kind: valueConstant, words: words, constant: c})
		v.constants[k] = id
	}
	return id
}

func (v *values) fixed(s ptx.SpecialRegister) uint32 {
	id, ok := v.specials[s]
	if !ok {
		id = v.add(value{kind: valueFixed, words: 1, special: s})
		v.specials[s] = id
	}
	return id
}

// block returns the storage of a .param variable of a call.
func (v *values) block(p *syntax.Variable) uint32 {
	id, ok := v.storage[p]
	if !ok {
		id = v.add(value{kind: valueStorage, words: max(1, int(p.Bytes+3)/4)})
		v.storage[p] = id
	}
	return id
}

// condition returns the carry flag of the function.
func (v *values) condition() uint32 {
	if v.carry == noValue {
		v.carry = v.add(value{predicate: true, words: 1})
	}
	return v.carry
}
