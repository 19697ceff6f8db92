package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// op is one memory instruction of a warp, or one 4-byte piece of an instruction
// on local memory. It lives from issue until its last value has arrived or its
// last packet has left.
type op struct {
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
	// priority is the priority of its lines in L1; hinted says that queuedOp.hint holds the hint for L2.
	priority mem.Priority
	cycles   uint16 // shared memory: occupancy
	hinted   bool
	toL1     bool  // a prefetch brings its lines to L1
	around   bool  // L1 does not keep what is stored (st.cg)
	lane     uint8 // whose block is moved, of a copy
	// remote is the rank of another CTA of the cluster whose shared memory is accessed, plus one.
	remote      uint8
	remoteBytes uint16
	coalesced
}

// queuedOp is what an op needs only while it is in the queue. It belongs to a place of the queue, so
// that the ops that wait for values, which are many on a large GPU, are small.
type queuedOp struct {
	addr lineAddrs                // of its lines
	data [ptx.MaxLanes]mem.Handle // stores: line contents; atomics: batches
	mask [ptx.MaxLanes]mem.ByteMask
	hint [ptx.MaxLanes]lineHint
}

// tell gives the packet of line k what L2 is told.
func (q *queuedOp) tell(p *mem.Packet, k int) {
	p.Priority, p.Ahead = q.hint[k].priority, q.hint[k].ahead
}

// lineHint is what L2 is told about a line.
type lineHint struct {
	priority mem.Priority
	ahead    uint8
}

type opKind uint8

const (
	opShared opKind = iota
	opLoad
	opStore
	opAtomic
	opConstant
	opPrefetch
	opPriority
	opDiscard
)

// opQueue holds the ops of the load/store unit: the queue that it handles in order, one
// line a cycle, and the ops that wait for values or acknowledgements.
type opQueue struct {
	ops    []op
	spare  []uint16
	queue  []uint16   // ring
	queued []queuedOp // of each place of the ring
	depth  int
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

// opsOfWarp is for how many ops of each warp the pool has room from the start [ours].
const opsOfWarp = 2

func (u *opQueue) init(c *Config) {
	// The pool grows with the ops that a kernel has in flight. It seldom has to be copied: a warp
	// usually has a few.
	n := c.QueueDepth + piecesMax
	u.ops = make([]op, n, max(n, opsOfWarp*c.Warps))
	for i := n - 1; i >= 0; i-- {
		u.spare = append(u.spare, uint16(i))
	}
	u.queue, u.queued = make([]uint16, n), make([]queuedOp, n)
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
	u.grow(len(u.ops) + 1)
	return uint16(len(u.ops) - 1)
}

// grow gives the pool n ops. A new op is not cleared: its user writes what it needs.
func (u *opQueue) grow(n int) {
	if n > cap(u.ops) {
		u.ops = slices.Grow(u.ops, n-len(u.ops))
	}
	u.ops = u.ops[:n]
}

func (u *opQueue) freeOp(i uint16) { u.spare = append(u.spare, i) }

func (u *opQueue) push(i uint16) {
	u.queue[u.tail()] = i
	u.length++
}

// tail is the place of the op that is pushed next.
func (u *opQueue) tail() int {
	i := u.head + u.length
	if i >= len(u.queue) {
		i -= len(u.queue)
	}
	return i
}

func (u *opQueue) pop() {
	if u.head++; u.head == len(u.queue) {
		u.head = 0
	}
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
	u.grow(n)
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
	for k := range u.length {
		place := (u.head + k) % len(u.queue)
		q, o := &u.queued[place], &u.ops[u.queue[place]]
		if o.kind == opShared || o.kind == opConstant {
			continue
		}
		tape.Values(t, q.addr[:o.n])
		if o.hinted {
			tape.Values(t, q.hint[:o.n])
		}
		if (o.kind == opStore || o.kind == opAtomic) && !t.Summing() {
			tape.Values(t, q.data[:o.n])
			tape.Values(t, q.mask[:o.n])
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
		tape.Value(t, &o.lanes[k])
	}
}
