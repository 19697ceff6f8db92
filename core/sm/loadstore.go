package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// loadStore is the load/store unit of an SM: the queue of memory instructions, shared
// memory's time, L1 and the constant cache. It moves one line a cycle.
type loadStore struct {
	config    *Config
	env       *Env
	core      *SM // told when loads complete and stores are acknowledged
	port      *port
	l1        *cache.L1
	constants *cache.ReadOnly
	loads     *loadsAsked
	warps     []warpSlot  // of the SM
	code      []ptx.Instr // of the present launch, as parameters is
	counts    *account
	stats     *stat.Set
	lastAlloc mem.Allocation // allocation of the last address

	parameters mem.Addr // address of the kernel's parameters

	opQueue
	loadStoreState
}

type loadStoreState struct {
	freeAt sim.Cycle // when it takes the next line
	// stuck says that neither L1 nor the constant cache can take the line at the head of the queue before the
	// next reply.
	stuck bool
	begun bool // the parameters of the launch are there, or on their way
	// refused says that the crossbar did not take the packet of the line at the head of the queue
	// when it was last tried, in cycle triedAt. The link wakes the SM when it may take it.
	refused bool
	triedAt sim.Cycle
	causes  uint32 // requests numbered so far, for the probe
	link    uint64 // thousandth of a cycle from which its link to the SMs of a cluster is free
}

func (u *loadStore) state(t *tape.Tape) {
	u.l1.State(t)
	u.constants.State(t)
	u.loads.state(t)
	u.opQueue.state(t)
	tape.Value(t, &u.loadStoreState)
}

// step handles one line of the op at the head of the queue, which L1 may take.
// It answers when it can next do something by itself.
func (u *loadStore) step(now sim.Cycle) sim.Cycle {
	if now < u.freeAt {
		return u.freeAt
	}
	if u.refused {
		u.refused = false
		u.stats[stat.L1Blocked] += u.refusedSince(now)
	}
	i := u.queue[u.head]
	o := &u.ops[i]
	switch o.kind {
	case opShared:
		latency := sim.Cycle(u.config.SharedLatency)
		if o.remote != 0 {
			free, sent := u.sendRemote(now, o)
			if !sent {
				u.freeAt = free
				return free
			}
			latency = networkLatencyCycles - 1 // issue is one
		}
		u.freeAt = now + sim.Cycle(o.cycles)
		o.doneAt = u.freeAt - 1 + latency
		u.pop()
		u.complete(now, i)
		return u.freeAt
	case opLoad:
		if !u.loadLine(now, i, o) {
			return never
		}
	case opStore:
		if !u.sendStore(now, o) {
			return never
		}
	case opAtomic:
		if !u.sendAtomic(now, i, o) {
			return never
		}
	case opConstant:
		if !u.begun && u.begin(now) {
			return u.freeAt
		}
		if !u.readConstant(now, i) {
			u.stuck = true
			return never
		}
	default:
		if !u.hintLine(now, o) {
			return never
		}
	}
	u.freeAt = now + 1
	return now + 1
}

// refuse notes that the crossbar takes no packet in cycle now.
func (u *loadStore) refuse(now sim.Cycle) bool {
	u.stats[stat.L1Blocked]++
	u.refused, u.triedAt = true, now
	return false
}

// refusedSince returns the cycles since the last try and before end. The unit would have been
// refused in each of them.
func (u *loadStore) refusedSince(end sim.Cycle) uint64 { return uint64(end - u.triedAt - 1) }

// waits reports whether only an event that wakes the SM lets the unit continue.
func (u *loadStore) waits() bool { return u.length == 0 || u.stuck || u.refused }

// loadLine looks one line of a load up in L1. On a miss the load policy may answer;
// otherwise L2 is asked. It returns false when that is not possible now.
func (u *loadStore) loadLine(now sim.Cycle, i uint16, o *op) bool {
	if !u.port.canSend(now, 1) || u.l1.Keeps() && !u.port.canSend(now, 2) {
		return u.refuse(now)
	}
	q, k := &u.queued[u.head], int(o.next)
	waiter := uint32(i)<<5 | uint32(k)
	want, pass := mem.FullMask, u.config.L1.PassCycles
	if o.bypass || u.config.L1.Sectored {
		want = u.wanted(o, k)
	}
	var outcome cache.Outcome
	var index int
	if o.bypass {
		pass = 0
		outcome, index = u.l1.Bypass(now, q.addr[k], waiter, u.stats)
	} else {
		found := u.l1.Find(q.addr[k], want.Sectors())
		found.Priority = o.priority
		if u.loads.policy != nil && !o.pieces && u.answered(now, i, o, k, q.addr[k], want, found) {
			return true
		}
		outcome, index = u.l1.Take(now, found, waiter, u.stats)
	}
	if outcome == cache.Blocked {
		u.stuck = true
		return false
	}
	result := uint32(probe.ResultMerged)
	addr, cause := q.addr[k], o.cause
	u.advance(o)
	switch outcome {
	case cache.Hit:
		result = probe.ResultHit
		line, ready := u.l1.Read(now, index)
		o.doneAt = max(o.doneAt, ready)
		u.bind(now, i, k, line)
	case cache.Miss:
		result = probe.ResultMiss
		u.counts.countLine(o, want)
		p := mem.Packet{Kind: mem.PacketLoad, Addr: addr, Mask: want, Tag: uint32(index), Cause: cause}
		if o.hinted {
			q.tell(&p, k)
		}
		u.port.send(now, p, 0, pass)
		if u.config.L1.Local == cache.LocalBack {
			u.writeBack(now)
		}
	}
	u.emitL1(now, addr, cause, result, o.pc)
	return true
}

// emitL1 emits the outcome of an L1 lookup.
func (u *loadStore) emitL1(now sim.Cycle, addr mem.Addr, cause, result uint32, pc int32) {
	if u.env.Tap.On() {
		u.env.Tap.Emit(probe.Event{Cycle: now, Addr: addr, Req: cause, A: result, B: uint32(pc), Unit: u.port.sm, Kind: probe.KindL1})
	}
}

// wanted returns the sectors with the bytes that the lanes of a line load.
func (u *loadStore) wanted(o *op, k int) mem.ByteMask {
	// An access is aligned to its size, up to 16, and a piece lies in a word: both stay in a sector.
	const all = 1<<mem.LineSectors - 1
	sectors := uint8(0)
	for x := o.lanes[k]; x != 0 && sectors != all; x &= x - 1 {
		sectors |= 1 << (o.offset[bits.TrailingZeros32(x)&31] / mem.SectorBytes & 7)
	}
	return mem.SectorMask(sectors)
}

// advance moves an op to its next line and, after the last line, out of the queue.
func (u *loadStore) advance(o *op) {
	o.next++
	u.loads.asked = false
	if int(o.next) >= o.n {
		u.pop()
	}
}

// writeBack sends the line of local memory that had to leave L1 for a miss, if any, after the
// miss. Nobody waits for an answer.
func (u *loadStore) writeBack(now sim.Cycle) {
	a, line, ok := u.l1.Victim()
	if !ok {
		return
	}
	u.stats[stat.L1Writebacks]++
	h := u.env.Arena.New()
	u.env.Arena.Line(h).Set(line)
	u.port.send(now, mem.Packet{Kind: mem.PacketStore, Addr: a, Mask: mem.FullMask, Data: h, Tag: mem.NoAnswer}, mem.LineBytes, u.config.L1.PassCycles)
}

// keep lets L1 keep a line of a store to local memory, if it can.
func (u *loadStore) keep(now sim.Cycle, o *op) bool {
	q, k := &u.queued[u.head], int(o.next)
	if !u.l1.Keep(now, q.addr[k], u.env.Arena.Line(q.data[k]), q.mask[k]) {
		return false
	}
	u.env.Arena.Free(q.data[k])
	u.stats[stat.L1Writes]++
	u.stats[stat.L1WritesKept]++
	u.emitL1(now, q.addr[k], o.cause, probe.ResultWrite, o.pc)
	slot := int(o.slot)
	u.storeAdvance(o)
	u.core.stored(now, slot)
	return true
}

// storeAdvance moves an op of a store to its next line and frees it after the last one.
func (u *loadStore) storeAdvance(o *op) {
	last := int(o.next) == o.n-1
	i := u.queue[u.head]
	u.advance(o)
	if last {
		u.freeOp(i)
	}
}

func (u *loadStore) sendStore(now sim.Cycle, o *op) bool {
	if u.config.L1.Local == cache.LocalBack && o.pieces && u.keep(now, o) {
		return true
	}
	if !u.port.canSend(now, 1) {
		return u.refuse(now)
	}
	q, k := &u.queued[u.head], int(o.next)
	if o.around {
		u.l1.Atomic(q.addr[k], u.stats)
	} else {
		u.l1.Store(now, q.addr[k], u.env.Arena.Line(q.data[k]), q.mask[k], o.priority, u.stats)
	}
	u.stats[stat.L1Writes]++
	u.counts.counts[o.pc].Bytes += uint64(q.mask[k].SectorBytes())
	p := mem.Packet{Kind: mem.PacketStore, Addr: q.addr[k], Mask: q.mask[k], Data: q.data[k], Tag: uint32(o.slot),
		Cause: o.cause}
	if o.hinted {
		q.tell(&p, k)
	}
	u.port.send(now, p, u.payloadBytes(q.mask[k]), u.config.L1.PassCycles)
	u.emitL1(now, q.addr[k], o.cause, probe.ResultWrite, o.pc)
	u.storeAdvance(o)
	return true
}

// payloadBytes returns the bytes that a store or an atomic moves for the bytes of a mask.
func (u *loadStore) payloadBytes(mask mem.ByteMask) int {
	sectors := mask.Sectors()
	if !u.config.WholeSegments || sectors&(sectors-1) == 0 {
		return mask.SectorBytes()
	}
	if sectors&^3 == 0 || sectors&^12 == 0 {
		return 2 * mem.SectorBytes
	}
	return mem.LineBytes
}

func (u *loadStore) sendAtomic(now sim.Cycle, i uint16, o *op) bool {
	if !u.port.canSend(now, 1) {
		return u.refuse(now)
	}
	q, k := &u.queued[u.head], int(o.next)
	u.l1.Atomic(q.addr[k], u.stats)
	u.counts.counts[o.pc].Bytes += uint64(q.mask[k].SectorBytes())
	p := mem.Packet{Kind: mem.PacketAtomic, Addr: q.addr[k], Mask: q.mask[k], Atomic: q.data[k], Tag: uint32(i),
		Cause: o.cause}
	if o.hinted {
		q.tell(&p, k)
	}
	u.port.send(now, p, u.payloadBytes(q.mask[k]), u.config.L1.PassCycles)
	u.advance(o)
	return true
}

// arrivedData takes the line of an L1 miss from L2.
func (u *loadStore) arrivedData(now sim.Cycle, p *mem.Packet) {
	u.stuck = false
	line := u.env.Arena.Line(p.Data)
	waiters := u.l1.Fill(now, int(p.Tag), line, u.stats)
	switch {
	case u.loads.policy == nil:
	case len(waiters) == 0: // a prefetch
		u.known(p.Addr)
	case u.fetched(now, int(p.Tag), waiters[0], p.Addr, line):
		waiters = nil
	}
	for _, waiter := range waiters {
		u.bind(now, uint16(waiter>>5), int(waiter&31), line)
	}
	u.env.Arena.Free(p.Data)
}

// arrivedOld takes the answer to an atomic instruction.
func (u *loadStore) arrivedOld(now sim.Cycle, p *mem.Packet) {
	i := uint16(p.Tag)
	o := &u.ops[i]
	b := u.env.Atomics.At(p.Atomic)
	slot := int(o.slot)
	if b.Returns {
		w := &u.warps[slot]
		for x := b.Lanes; x != 0; x &= x - 1 {
			lane := bits.TrailingZeros32(x)
			w.warp.BindAtomic(b.PC, lane, b.Old[lane])
		}
		u.env.Atomics.Free(p.Atomic)
		u.arrived(now, i)
		return
	}
	u.env.Atomics.Free(p.Atomic)
	if o.left--; o.left == 0 {
		u.freeOp(i)
	}
	u.core.stored(now, slot)
}

// bind puts the values of line k of an op into the registers.
func (u *loadStore) bind(now sim.Cycle, i uint16, k int, line *mem.Line) {
	o := &u.ops[i]
	w := &u.warps[o.slot]
	if o.pieces {
		w.warp.LoadPiece(o.pc, o.lanes[k], int(o.start), int(o.bytes), &o.offset, line)
	} else {
		w.warp.LoadLine(o.pc, o.lanes[k], &o.offset, line)
	}
	u.arrived(now, i)
}

// arrived counts an arrived line or piece of an op.
func (u *loadStore) arrived(now sim.Cycle, i uint16) {
	o := &u.ops[i]
	if o.left--; o.left > 0 {
		return
	}
	if o.leader != i {
		l := o.leader
		u.ops[l].doneAt = max(u.ops[l].doneAt, o.doneAt)
		u.freeOp(i)
		u.arrived(now, l)
		return
	}
	u.complete(now, i)
}

// complete makes the results of an instruction usable and frees its op.
func (u *loadStore) complete(now sim.Cycle, i uint16) {
	o := &u.ops[i]
	slot := int(o.slot)
	w := &u.warps[slot]
	at := max(o.doneAt, now+1)
	for _, id := range u.core.writesOf(&u.core.steps[o.pc], o.pc) {
		if w.ready[id] == never {
			w.ready[id] = at
		}
	}
	u.freeOp(i)
	w.loads--
	u.core.loaded(now, slot)
}

// accessConstant puts a read of .param or .const, whose value the warp has, into
// the load/store unit: the value may be used when the constant cache gives it.
func (u *loadStore) accessConstant(w *warpSlot, slot int, pc int32, writes []uint16) {
	ready := w.ready
	for _, id := range writes {
		ready[id] = never
	}
	i := u.newOp()
	o := &u.ops[i]
	o.kind, o.slot, o.pc, o.left, o.leader, o.doneAt = opConstant, uint8(slot), pc, 0, i, 0
	w.loads++
	w.constants++
	u.push(i)
}

// arrivedConstant takes the line of an MSHR of the constant cache.
func (u *loadStore) arrivedConstant(mshr int) {
	u.constants.Fill(mshr)
	if u.length > 0 && u.ops[u.queue[u.head]].kind == opConstant {
		u.stuck = false
	}
}

// begin brings the parameters of a launch, and reports whether that takes time. It is called once a launch, and would
// only be in the way in step, which is part of each cycle.
//
//go:noinline
func (u *loadStore) begin(now sim.Cycle) bool {
	u.begun, u.freeAt = true, now+sim.Cycle(u.config.Constant.LaunchCycles)
	return u.freeAt > now
}

// readConstant looks the line of a constant up; false means that it is under way.
func (u *loadStore) readConstant(now sim.Cycle, i uint16) bool {
	c := &u.config.Constant
	if c.Cache.Sets > 0 {
		a := u.parameters
		outcome, index := u.constants.Access(a)
		if outcome == cache.Miss {
			u.stats[stat.ConstantMisses]++
			u.port.ask(now, tagConstant|uint32(index), a, c.Cache.LineBytes)
		}
		if outcome != cache.Hit {
			return false
		}
	}
	u.stats[stat.ConstantReads]++
	o := &u.ops[i]
	o.doneAt = now - 1 + sim.Cycle(c.LatencyCycles)
	u.pop()
	u.warps[o.slot].constants--
	u.complete(now, i)
	return true
}
