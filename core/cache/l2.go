package cache

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// WaitingPerMSHR bounds the requests that wait in a slice, for each of its MSHRs [ours]: a single
// block may have more. The machines with more merges would take memory for requests that their SMs
// cannot have under way.
const WaitingPerMSHR = 8

// WaitingAtFirst is how many requests can wait in a slice before it takes more memory for them: the
// slices of GPUs before Volta have room for no more [ours].
const WaitingAtFirst = 256

// L2Config sizes one L2 slice.
type L2Config struct {
	Geometry
	Index     Index
	MSHRs     int // blocks that can be outstanding
	Merges    int // requests that can wait for one outstanding block; a slice has room for WaitingPerMSHR in the mean
	FlitBytes int // flit size of the reply crossbar
	// WholeBlocks says that DRAM stores whole blocks only (compression): a partly
	// written line is completed from DRAM before it leaves. Otherwise only the written
	// bytes leave, under a byte mask.
	WholeBlocks bool
	// SectorFill reads only the sectors a request needs from DRAM, not the line.
	SectorFill bool
	// SectorAcks says that L2 acknowledges every sector of a store with a separate
	// packet, as in GPGPU-Sim, whose L2 performs a line's sectors one by one.
	SectorAcks bool
	// WriteMiss is what a store does whose line is not here.
	WriteMiss WriteMiss
	// FarCycles is how much longer a reply to an SM of the other part takes (core cycles); 0 = L2 has one part. Only
	// under WriteAllocate.
	FarCycles int
	// MissQueueBlocks is the number of requests to DRAM that wait inside the slice under
	// WriteFetch. DRAMQueueBlocks, RequestQueuePackets and ReplyQueuePackets size the links
	// of the slice.
	MissQueueBlocks     int
	DRAMQueueBlocks     int
	RequestQueuePackets int
	ReplyQueuePackets   int
}

// L2 is one slice of the L2 cache, in front of one memory channel. It serves one
// request a cycle. Requests to one line are performed in the order of their
// arrival, also while the line is being read.
type L2 struct {
	// What every tick reads lies together.
	in       *sim.Link[mem.Packet]
	fromDRAM *sim.Link[mem.BlockReply]
	ready    list // requests whose block has arrived
	stuck    bool // the oldest request must wait for fill or serveReady, under WriteFetch
	awake    bool // see StayAwake
	slice    uint16
	holds    func(mem.Addr) bool
	out      *sim.Link[mem.Packet]
	toDRAM   *sim.Link[mem.BlockRequest]
	image    *mem.Image
	tap      *probe.Tap

	tags  Tags
	ways  []l2Way
	uses  []l2Use
	lines lineStore

	arena   *mem.Arena
	atomics *mem.Pool[arith.AtomicBatch]
	mshr    []l2MSHR
	free    []uint16
	nodes   []waiting // requests that wait, in lists; as many as have waited at once
	room    int       // most nodes
	spare   int32     // first node that was used and is not, -1 if none
	config  L2Config
	sends   missQueue // requests to DRAM that have not left the slice, under WriteFetch
	sleeps  sleep
	away    away

	Stats stat.Set
}

// l2Way is what a slice knows of the bytes of a way.
type l2Way struct{ valid, dirty mem.ByteMask }

// l2Use is what keeps a way from being emptied.
type l2Use struct {
	pending uint16 // MSHR index + 1 of the fill under way
	pins    uint16 // requests whose data have arrived and that wait for their turn
}

type l2MSHR struct {
	addr  mem.Addr
	asked mem.ByteMask // of DRAM
	reads int32        // reads under way: one, or more if further sectors were requested
	way   int32
	n     int32
	wait  list
	live  bool
}

type waiting struct {
	packet mem.Packet
	way    int32
	next   int32
}

type list struct{ head, tail int32 }

var emptyList = list{-1, -1}

// L2Env holds the parts that a slice shares with the machine.
type L2Env struct {
	Arena   *mem.Arena
	Atomics *mem.Pool[arith.AtomicBatch]
	Image   *mem.Image // whose lines the slice asks DRAM for
	Tap     *probe.Tap
	// LineOf numbers the lines of this slice's channel.
	LineOf func(mem.Addr) uint64
	// Holds reports whether a line belongs to this slice; nil if the other line of its pair never does.
	Holds func(mem.Addr) bool
	// Far reports whether an SM is next to the other part of L2; called only if there are two.
	Far func(sm uint16) bool
}

// NewL2 returns an empty slice without links.
func NewL2(c L2Config, slice int, e L2Env) *L2 {
	n := c.Sets * c.Ways
	l := &L2{
		config: c, slice: uint16(slice), arena: e.Arena, atomics: e.Atomics, image: e.Image, tap: e.Tap,
		tags: newTags(c.Geometry, func(a mem.Addr) int { return c.Index.set(e.LineOf(a), c.Sets) }), lines: newLineStore(n),
		ways: make([]l2Way, n), uses: make([]l2Use, n),
		mshr: make([]l2MSHR, c.MSHRs), room: c.MSHRs * min(c.Merges, WaitingPerMSHR), spare: -1, ready: emptyList,
	}
	for i := c.MSHRs - 1; i >= 0; i-- {
		l.free = append(l.free, uint16(i))
	}
	if l.holds = e.Holds; l.holds == nil {
		l.holds = func(mem.Addr) bool { return false }
	}
	l.nodes = make([]waiting, 0, min(l.room, WaitingAtFirst))
	l.sends.init(c.MissQueueBlocks)
	if c.FarCycles > 0 {
		l.away = away{far: e.Far, copied: make([]sim.Cycle, n)}
	}
	return l
}

// Attach connects the slice: requests and replies of the crossbars, and the
// memory channel.
func (l *L2) Attach(in, out *sim.Link[mem.Packet], toDRAM *sim.Link[mem.BlockRequest], fromDRAM *sim.Link[mem.BlockReply]) {
	l.in, l.out, l.toDRAM, l.fromDRAM = in, out, toDRAM, fromDRAM
}

// Use gives the slice other places for lines and batches in flight, of the same pools.
func (l *L2) Use(a *mem.Arena, atomics *mem.Pool[arith.AtomicBatch]) { l.arena, l.atomics = a, atomics }

// ForEachDirty calls f with every line that holds bytes newer than DRAM's. The host
// reads results through it.
func (l *L2) ForEachDirty(f func(a mem.Addr, line *mem.Line, dirty mem.ByteMask)) {
	for w, a := range l.tags.Addr {
		if a != NoLine && !l.ways[w].dirty.Empty() {
			f(a, l.lines.read(w), l.ways[w].dirty)
		}
	}
}

// Newest puts the valid bytes of a line over the bytes of DRAM.
func (l *L2) Newest(a mem.Addr, line *mem.Line) {
	if w := l.tags.Find(a); w >= 0 {
		line.Merge(l.lines.read(w), l.ways[w].valid)
	}
}

// Outstanding returns the number of block reads under way.
func (l *L2) Outstanding() int { return l.config.MSHRs - len(l.free) }

// Rest gives back the memory of the MSHRs and of the requests that wait, if there are none. No request
// may come afterwards.
func (l *L2) Rest() {
	if l.Outstanding() == 0 && l.ready.head < 0 && len(l.away.late) == 0 {
		l.mshr, l.nodes, l.spare = nil, nil, -1
	}
}

// MostReplies is how many packets a slice sends in a tick at most: for a request whose block has come, for one that
// finds its line, and, under WriteFetch, the acknowledgement of a store by DRAM. Under WriteAllocate, it is one for a
// request and one that has crossed the bridge.
const MostReplies = 3

// Tick takes one block from DRAM and serves one request.
func (l *L2) Tick(now sim.Cycle) sim.Cycle {
	if l.config.WriteMiss == WriteFetch {
		return l.tickFetch(now)
	}
	if len(l.away.late) > 0 {
		l.sendLate(now)
	}
	if r, ok := l.fromDRAM.Peek(now); ok {
		l.fill(r)
		l.fromDRAM.Drop(now)
	}
	var again bool
	if l.ready.head >= 0 {
		again = l.serveReady(now)
	} else if p, ok := l.in.Peek(now); ok {
		if p.Kind >= mem.PacketPrefetch {
			again = l.acceptHint(now, p)
		} else {
			again = l.accept(now, p)
		}
	}
	if l.ready.head >= 0 && (again || l.out.CanSend(now)) {
		return now + 1
	}
	next := l.fromDRAM.NextReady() // one block a cycle: another may have arrived at the same time
	if at := l.away.next(); at > now || l.out.CanSend(now) {
		next = sim.Min(next, at)
	}
	if at := l.in.NextReady(); again || at > now {
		next = sim.Min(next, at)
	} // else the request could not be served: it waits for a link or a fill, which wake us
	if next <= now {
		next = now + 1
	}
	return next
}

// fill merges a block from DRAM into its line and lets the requests waiting for
// it proceed.
func (l *L2) fill(r *mem.BlockReply) {
	m := &l.mshr[r.Tag]
	if !m.live || m.addr != r.Addr {
		panic("cache: a block arrived that was not requested")
	}
	l.stuck = false
	w := m.way
	// Bytes stored since the miss are newer than DRAM's.
	way := &l.ways[w]
	l.lines.write(int(w)).Merge(l.arena.Line(r.Data), mem.ByteMask{Lo: r.Mask.Lo &^ way.valid.Lo, Hi: r.Mask.Hi &^ way.valid.Hi})
	l.arena.Free(r.Data)
	way.valid = way.valid.Or(r.Mask)
	l.endCopy(int(w))
	l.Stats[stat.L2Fills]++
	if m.reads--; m.reads > 0 {
		return // further sectors are under way
	}
	l.uses[w] = l2Use{pins: uint16(m.n)}
	if m.n > 0 {
		if l.ready.head < 0 {
			l.ready = m.wait
		} else {
			l.nodes[l.ready.tail].next = m.wait.head
			l.ready.tail = m.wait.tail
		}
	}
	m.live = false
	l.free = append(l.free, uint16(r.Tag))
}

func (l *L2) serveReady(now sim.Cycle) (again bool) {
	l.stuck = false
	i := l.ready.head
	n := &l.nodes[i]
	if p := &n.packet; p.Kind == gone {
		l.lines.write(int(n.way)).Merge(l.arena.Line(p.Data), p.Mask)
		l.arena.Free(p.Data)
	} else if !l.serve(now, p, int(n.way)) {
		return false
	}
	l.uses[n.way].pins--
	l.ready.head = n.next
	n.next, l.spare = l.spare, i
	return true
}

// accept looks up a new request. It reports whether to try again in the next cycle.
func (l *L2) accept(now sim.Cycle, p *mem.Packet) (again bool) {
	w := l.tags.Find(p.Addr)
	if w >= 0 {
		l.tags.Use(w, p.Priority)
		switch {
		case l.uses[w].pending != 0:
			return l.join(now, p, &l.mshr[l.uses[w].pending-1])
		case p.Kind != mem.PacketStore && !l.ways[w].valid.Covers(p.Mask):
			return l.miss(now, p, w)
		}
		if !l.serve(now, p, w) {
			return false
		}
		l.count(now, p, probe.ResultHit)
		if p.Kind == mem.PacketStore {
			l.Stats[stat.L2WriteHits]++
		}
		l.in.Drop(now)
		return true
	}

	w = l.victim(p.Addr)
	if w < 0 {
		return l.repair(now, p.Addr)
	}
	if l.tags.Addr[w] != NoLine {
		if !l.evict(now, w) {
			return false
		}
		return true // the way is free now; the request takes it at the next cycle
	}
	if p.Kind != mem.PacketStore {
		if !l.canMiss(now) {
			l.Stats[stat.L2Blocked]++
			return false
		}
		l.install(w, p)
		return l.miss(now, p, w)
	}
	if !l.out.CanSend(now) {
		l.Stats[stat.L2Blocked]++
		return false
	}
	// A store allocates without reading: the other bytes of the line are read when a
	// request needs them.
	l.install(w, p)
	l.serve(now, p, w)
	l.count(now, p, probe.ResultHit)
	l.Stats[stat.L2WriteMisses]++
	l.in.Drop(now)
	return true
}

// install gives an empty way to the line of a request.
func (l *L2) install(w int, p *mem.Packet) {
	l.tags.Put(w, p.Addr)
	l.tags.Use(w, p.Priority)
	l.ways[w], l.uses[w] = l2Way{}, l2Use{}
	l.endCopy(w)
}

// victim returns the least recently used way of a line's set that may leave at once, empty ways first, or -1.
func (l *L2) victim(a mem.Addr) int {
	first, end := l.tags.Set(a)
	addr := l.tags.Addr[first:end]
	used := l.tags.Used[first:][:len(addr)]
	best, oldest := -1, ^uint64(0)
	for i, x := range addr {
		if x == NoLine {
			return first + i
		}
		if used[i] < oldest && l.leaves(first+i) {
			best, oldest = first+i, used[i]
		}
	}
	return best
}

// leaves reports whether a way may be emptied at once: no request needs its line, and DRAM can store it as it is.
func (l *L2) leaves(w int) bool {
	return l.uses[w] == (l2Use{}) && (!l.config.WholeBlocks || l.ways[w].dirty.Empty() || l.ways[w].valid.Full())
}

// repair is called if no line of the set may leave. If partly written lines are the
// reason, it starts to complete the least recently used one from DRAM.
func (l *L2) repair(now sim.Cycle, a mem.Addr) (again bool) {
	l.Stats[stat.L2Blocked]++
	first, end := l.tags.Set(a)
	best := -1
	for w := first; w < end; w++ {
		if l.uses[w] != (l2Use{}) {
			return false // an outstanding reply will change it
		}
		if best < 0 || l.tags.Used[w] < l.tags.Used[best] {
			best = w
		}
	}
	if len(l.free) == 0 || !l.toDRAM.CanSend(now) {
		return false
	}
	l.request(now, best, mem.FullMask, 0)
	l.Stats[stat.L2RepairFills]++
	return false
}

// evict writes a line back if it is dirty and empties the way.
func (l *L2) evict(now sim.Cycle, w int) bool {
	if !l.ways[w].dirty.Empty() {
		if !l.toDRAM.CanSend(now) {
			l.Stats[stat.L2Blocked]++
			return false
		}
		mask := l.ways[w].dirty
		if l.config.WholeBlocks {
			mask = mem.FullMask
		}
		l.image.Prefetch(l.tags.Addr[w])
		*l.toDRAM.Put(now, 0) = mem.BlockRequest{Addr: l.tags.Addr[w], Data: l.copyOf(l.lines.read(w)), Mask: mask, Write: true}
		l.Stats[stat.L2Writebacks]++
	}
	l.tags.Addr[w] = NoLine
	l.Stats[stat.L2Evictions]++
	return true
}

// request starts to read the missing bytes of a line and returns its MSHR.
func (l *L2) request(now sim.Cycle, w int, want mem.ByteMask, cause uint32) *l2MSHR {
	m := l.claim(w)
	if !l.config.SectorFill {
		want = mem.FullMask
	}
	l.read(now, m, want, cause)
	return m
}

// claim takes a free MSHR for the line of a way.
func (l *L2) claim(w int) *l2MSHR {
	i := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	m := &l.mshr[i]
	*m = l2MSHR{addr: l.tags.Addr[w], way: int32(w), wait: emptyList, live: true}
	l.uses[w].pending = i + 1
	return m
}

// copyOf returns a line of the arena with the bytes of a line that is not in the arena.
func (l *L2) copyOf(line *mem.Line) mem.Handle {
	h := l.arena.New()
	l.arena.Line(h).Set(line)
	return h
}

// read requests the missing sectors of want from DRAM.
func (l *L2) read(now sim.Cycle, m *l2MSHR, want mem.ByteMask, cause uint32) {
	valid := l.ways[m.way].valid
	if l.config.SectorFill {
		want = mem.SectorMask(mem.ByteMask{Lo: want.Lo &^ valid.Lo, Hi: want.Hi &^ valid.Hi}.Sectors())
	}
	m.asked = m.asked.Or(want)
	m.reads++
	tag := uint32(l.uses[m.way].pending) - 1
	l.image.Prefetch(m.addr)
	*l.toDRAM.Put(now, 0) = mem.BlockRequest{Addr: m.addr, Mask: want, Tag: tag, Cause: cause}
}

// canMiss reports whether L2 has room to read a block for a request and let it wait.
func (l *L2) canMiss(now sim.Cycle) bool {
	return len(l.free) > 0 && !l.crowded() && l.toDRAM.CanSend(now)
}

func (l *L2) miss(now sim.Cycle, p *mem.Packet, w int) (again bool) {
	if !l.canMiss(now) {
		l.Stats[stat.L2Blocked]++
		return false
	}
	m := l.request(now, w, ahead(p), p.Cause)
	l.count(now, p, probe.ResultMiss)
	if p.Ahead > mem.LineBytes/mem.AheadBytes {
		l.readNext(now, p)
	}
	l.enqueue(now, p, m)
	return true
}

func (l *L2) join(now sim.Cycle, p *mem.Packet, m *l2MSHR) (again bool) {
	if int(m.n) == l.config.Merges || l.crowded() {
		l.Stats[stat.L2Blocked]++
		return false
	}
	result := uint32(probe.ResultMerged)
	if known := l.ways[m.way].valid.Or(m.asked); p.Kind != mem.PacketStore && !known.Covers(p.Mask) {
		// The sector was not requested yet.
		if !l.toDRAM.CanSend(now) {
			l.Stats[stat.L2Blocked]++
			return false
		}
		l.read(now, m, ahead(p), p.Cause)
		result = probe.ResultMiss
	}
	l.count(now, p, result)
	l.enqueue(now, p, m)
	return true
}

// enqueue moves the request at the head of the input to the list of an MSHR.
func (l *L2) enqueue(now sim.Cycle, p *mem.Packet, m *l2MSHR) {
	l.wait(p, m)
	l.in.Drop(now)
}

// wait adds a request to the list of an MSHR.
func (l *L2) wait(p *mem.Packet, m *l2MSHR) {
	l.put(&m.wait, p, m.way)
	m.n++
}

// crowded reports whether no further request can wait.
func (l *L2) crowded() bool { return l.spare < 0 && len(l.nodes) == l.room }

// put appends a request for the line of a way to a list, if the slice is not crowded.
func (l *L2) put(q *list, p *mem.Packet, way int32) {
	i := l.spare
	if i < 0 {
		i = int32(len(l.nodes))
		l.nodes = append(l.nodes, waiting{next: -1})
	}
	n := &l.nodes[i]
	l.spare = n.next
	n.packet, n.way, n.next = *p, way, -1
	if q.head < 0 {
		q.head = i
	} else {
		l.nodes[q.tail].next = i
	}
	q.tail = i
}

// Counters of the outcomes of accesses and of reads.
var (
	l2Outcomes     = [...]stat.Counter{probe.ResultHit: stat.L2Hits, probe.ResultMiss: stat.L2Misses, probe.ResultMerged: stat.L2Merged}
	l2ReadOutcomes = [...]stat.Counter{probe.ResultHit: stat.L2ReadHits, probe.ResultMiss: stat.L2ReadMisses, probe.ResultMerged: stat.L2ReadMerged}
)

func (l *L2) count(now sim.Cycle, p *mem.Packet, result uint32) {
	s := &l.Stats
	s[stat.L2Accesses]++
	s[l2Outcomes[result]]++
	switch p.Kind {
	case mem.PacketLoad:
		s[stat.L2ReadAccesses]++
		s[l2ReadOutcomes[result]]++
	case mem.PacketStore:
		s[stat.L2WriteAccesses]++
		result |= probe.ResultWrite << 8
	case mem.PacketAtomic:
		s[stat.L2Atomics]++
	}
	if l.tap.On() {
		l.tap.Emit(probe.Event{Cycle: now, Addr: p.Addr, Req: p.Cause, A: result, Unit: l.slice, Kind: probe.KindL2})
	}
}

// serve performs a request on a line that holds the bytes it needs, and answers
// it. If the reply cannot leave yet, it changes nothing and returns false.
func (l *L2) serve(now sim.Cycle, p *mem.Packet, w int) bool {
	if !l.out.CanSend(now) {
		l.Stats[stat.L2Blocked]++
		return false
	}
	reply := mem.Packet{Addr: p.Addr, Tag: p.Tag, Cause: p.Cause, SM: p.SM, Slice: p.Slice}
	payload := 0
	switch p.Kind {
	case mem.PacketLoad:
		reply.Kind = mem.PacketData
		reply.Data = l.copyOf(l.lines.read(w))
		reply.Mask = p.Mask
		payload = p.Mask.SectorBytes()
	case mem.PacketStore:
		reply.Kind = mem.PacketAck
		l.write(w, l.arena.Line(p.Data), p.Mask)
		l.arena.Free(p.Data)
		if p.Tag == mem.NoAnswer {
			return true
		}
	case mem.PacketAtomic:
		b := l.atomics.At(p.Atomic)
		b.Apply(l.lines.write(w))
		l.endCopy(w)
		l.ways[w].dirty = l.ways[w].dirty.Or(p.Mask)
		reply.Kind, reply.Atomic = mem.PacketOld, p.Atomic
		if b.Returns {
			payload = p.Mask.SectorBytes()
		}
	case mem.PacketDiscard:
		reply.Kind = mem.PacketAck
		l.forget(w)
	}
	reply.Flits = mem.Flits(payload, l.config.FlitBytes)
	if p.Kind == mem.PacketStore && l.config.SectorAcks {
		reply.Flits *= uint8(bits.OnesCount8(p.Mask.Sectors()))
	}
	l.reply(now, &reply, w)
	return true
}

func (l *L2) write(w int, data *mem.Line, mask mem.ByteMask) {
	l.lines.write(w).Merge(data, mask)
	way := &l.ways[w]
	way.valid, way.dirty = way.valid.Or(mask), way.dirty.Or(mask)
	l.endCopy(w)
}
