package sm

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// op is one memory instruction of a warp, or one 4-byte piece of an instruction
// on local memory. It lives from issue until its last value has arrived or its
// last packet has left.
type op struct {
	coalesced
	data   [ptx.MaxLanes]mem.Handle // stores: line contents; atomics: batches
	mask   [ptx.MaxLanes]mem.ByteMask
	doneAt sim.Cycle // when the values that hit L1 are usable
	cause  uint32
	leader uint16 // the op whose instruction this is a piece of; itself if whole
	left   int16  // lines, and pieces, that have not arrived
	pc     int32
	next   uint8 // line the load/store unit handles next
	slot   uint8
	kind   opKind
	bypass bool
	pieces bool // bytes [start, start+bytes) of each lane's value only
	start  uint8
	bytes  uint8
	cycles uint16 // shared memory: occupancy
}

type opKind uint8

const (
	opShared opKind = iota
	opLoad
	opStore
	opAtomic
	opConstant
)

// lsu is the load/store unit: a queue of ops handled in order, one line a cycle.
type lsu struct {
	ops     []op
	spare   []uint16
	queue   []uint16 // ring
	head    int
	length  int
	depth   int
	lsuFree sim.Cycle
	// l1Full says that L1 cannot take the line at the head of the queue before a
	// reply has come.
	l1Full bool
}

// piecesMax is how many ops one instruction can need: a 16-byte local access.
const piecesMax = 4

func (u *lsu) init(c *Config) {
	// A warp has at most a few loads in flight (the scoreboard limits it, the
	// MSHRs more so); the pool grows if a kernel has more.
	n := c.Warps*2 + c.QueueDepth + piecesMax
	u.ops = make([]op, n)
	for i := n - 1; i >= 0; i-- {
		u.spare = append(u.spare, uint16(i))
	}
	u.queue = make([]uint16, c.QueueDepth+piecesMax)
	u.depth = c.QueueDepth
}

func (u *lsu) lsuFull() bool    { return u.length >= u.depth }
func (u *lsu) lsuPending() bool { return u.length > 0 }

func (u *lsu) newOp() uint16 {
	if n := len(u.spare); n > 0 {
		i := u.spare[n-1]
		u.spare = u.spare[:n-1]
		return i
	}
	if len(u.ops) == 1<<11 {
		panic("sm: more memory operations in flight than their numbers allow")
	}
	u.ops = append(u.ops, op{})
	return uint16(len(u.ops) - 1)
}

func (u *lsu) freeOp(i uint16) { u.spare = append(u.spare, i) }

func (u *lsu) push(i uint16) {
	u.queue[(u.head+u.length)%len(u.queue)] = i
	u.length++
}

func (u *lsu) pop() {
	u.head = (u.head + 1) % len(u.queue)
	u.length--
}
