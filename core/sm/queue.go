package sm

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
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
	leader uint16 // the first op of the same instruction; itself if the op is the whole instruction
	left   int16  // lines, and pieces, that have not arrived
	pc     int32
	next   uint8 // line the load/store unit handles next
	slot   uint8
	kind   opKind
	bypass bool
	pieces bool // the op has only bytes [start, start+bytes) of each lane's value
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

// opQueue holds the ops of the load/store unit: the queue that it handles in order, one
// line a cycle, and the ops that wait for values or acknowledgements.
type opQueue struct {
	ops   []op
	spare []uint16
	queue []uint16 // ring
	depth int
	queueState
}

type queueState struct {
	head   int
	length int
}

// piecesMax is how many ops one instruction can need: a 16-byte local access.
const piecesMax = 4

// opsMax bounds the outstanding memory instructions of an SM. The scoreboard and the
// MSHRs bound loads; opsMax bounds reductions, because no instruction waits for them. It is
// far above the number of loads that MSHRs allow [ours].
const opsMax = 2048

func (u *opQueue) init(c *Config) {
	// The pool grows with the ops that a kernel has in flight.
	n := c.QueueDepth + piecesMax
	u.ops = make([]op, n)
	for i := n - 1; i >= 0; i-- {
		u.spare = append(u.spare, uint16(i))
	}
	u.queue = make([]uint16, c.QueueDepth+piecesMax)
	u.depth = c.QueueDepth
}

// full reports whether no memory instruction can enter: the queue is full, or too many
// instructions are under way.
func (u *opQueue) full() bool { return u.length >= u.depth || u.exhausted() }

// exhausted reports whether the next instruction may find no op.
func (u *opQueue) exhausted() bool {
	return len(u.spare) < piecesMax && len(u.ops)-len(u.spare) > opsMax-piecesMax
}

func (u *opQueue) pending() bool { return u.length > 0 }

func (u *opQueue) newOp() uint16 {
	if n := len(u.spare); n > 0 {
		i := u.spare[n-1]
		u.spare = u.spare[:n-1]
		return i
	}
	if len(u.ops) == opsMax {
		panic("sm: a memory instruction was issued without room in the load/store unit")
	}
	u.ops = append(u.ops, op{})
	return uint16(len(u.ops) - 1)
}

func (u *opQueue) freeOp(i uint16) { u.spare = append(u.spare, i) }

func (u *opQueue) push(i uint16) {
	u.queue[(u.head+u.length)%len(u.queue)] = i
	u.length++
}

func (u *opQueue) pop() {
	u.head = (u.head + 1) % len(u.queue)
	u.length--
}

// state lists the queue. It leaves out the contents of free ops, because the next user
// overwrites them.
func (u *opQueue) state(t *tape.Tape) {
	tape.List(t, &u.spare)
	tape.Values(t, u.queue)
	tape.Value(t, &u.queueState)
	n := len(u.ops)
	tape.Value(t, &n)
	for len(u.ops) < n {
		u.ops = append(u.ops, op{})
	}
	u.ops = u.ops[:n]
	spare := make([]bool, n)
	for _, i := range u.spare {
		spare[i] = true
	}
	for i := range u.ops {
		if spare[i] {
			continue
		}
		if t.Summing() {
			u.ops[i].sum(t)
		} else {
			tape.Value(t, &u.ops[i])
		}
	}
}

// sum lists the fields of an op that are in use: its arrays keep values of earlier ops.
func (o *op) sum(t *tape.Tape) {
	tape.Value(t, &o.kind)
	tape.Value(t, &o.slot)
	tape.Value(t, &o.pc)
	tape.Value(t, &o.left)
	tape.Value(t, &o.leader)
	if o.kind == opShared || o.kind == opConstant {
		return
	}
	tape.Value(t, &o.next)
	tape.Value(t, &o.doneAt)
	tape.Value(t, &o.cause)
	for k := range o.n {
		tape.Value(t, &o.addr[k])
		tape.Value(t, &o.lanes[k])
	}
}
