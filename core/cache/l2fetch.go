package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// WriteMiss is how L2 treats a store whose line it does not hold.
type WriteMiss uint8

const (
	// WriteAllocate takes a line without reading it; the other bytes are read when a request
	// needs them (GPGPU-Sim 4: lazy fetch on read).
	WriteAllocate WriteMiss = iota
	// WriteFetch sends the store to DRAM and reads the whole line as well (GPGPU-Sim 3: fetch
	// on write).
	WriteFetch
	NumWriteMisses
)

// WriteMissNames are the names of the treatments, in their order.
var WriteMissNames = [NumWriteMisses]string{"allocate", "fetch"}

// A slice of GPGPU-Sim 3 (gpu-cache.cc, data_cache; l2cache.cc, memory_partition_unit): a
// store that misses goes to DRAM at its own size, and the whole line is read too. The line
// is then clean. DRAM acknowledges such a store; L2 acknowledges one that hits. In one cycle
// a slice answers one request that waited for its line, takes one reply of DRAM, sends
// one request to DRAM and looks up one new request.
//
// Two things differ. Under compression a store of a part of a line cannot be
// written to a compressed block: it waits for its line, which is dirty afterwards. And a
// line stays until the requests that waited for it are answered, because it holds their
// bytes.

// missQueue is a ring of requests to DRAM.
type missQueue struct {
	ring []mem.BlockRequest
	missQueueState
}

type missQueueState struct{ head, n int }

func (q *missQueue) init(size int) { q.ring = make([]mem.BlockRequest, max(size, 1)) }

func (q *missQueue) add(r mem.BlockRequest) {
	q.ring[(q.head+q.n)%len(q.ring)] = r
	q.n++
}

// room returns the number of requests that can still enter.
func (q *missQueue) room() int { return len(q.ring) - q.n }

func (q *missQueue) state(t *tape.Tape) {
	tape.Value(t, &q.missQueueState)
	for i := range q.n {
		tape.Value(t, &q.ring[(q.head+i)%len(q.ring)])
	}
}

// A read that misses may need room for a write-back besides its own, a write that misses
// for both. One place more stays empty, as miss_queue_full of GPGPU-Sim 3 compares.
const (
	roomForRead  = 2
	roomForWrite = 3
)

// MissQueueMin is the smallest miss queue that a store can enter.
const MissQueueMin = roomForWrite

// gone marks a store that has gone to DRAM. It waits for its turn to change the line, after
// the requests that came before it, and gets no answer from L2.
const gone = mem.PacketAck

func (l *L2) tickFetch(now sim.Cycle) sim.Cycle {
	l.Settle(now)
	l.sleeps.on = false
	if l.ready.head >= 0 {
		l.serveReady(now)
	}
	if r, ok := l.fromDRAM.Peek(now); ok {
		l.arrive(now, r)
	}
	if q := &l.sends; q.n > 0 && l.toDRAM.CanSend(now) {
		*l.toDRAM.Put(now, 0) = q.ring[q.head]
		q.head, q.n = (q.head+1)%len(q.ring), q.n-1
	}
	if p, ok := l.in.Peek(now); ok {
		if !l.stuck && l.toDRAM.CanSend(now) && l.out.CanSend(now) && l.takeFetch(now, p) {
			l.in.Drop(now)
		} else {
			l.Stats[stat.L2Blocked]++
		}
	}
	if l.ready.head >= 0 || l.sends.n > 0 {
		return now + 1
	}
	if l.stuck && !l.awake {
		l.sleeps = sleep{on: true, counted: now}
		return max(l.fromDRAM.NextReady(), now+1)
	}
	return max(sim.Min(l.fromDRAM.NextReady(), l.in.NextReady()), now+1)
}

// sleep is the time in which a slice waits for DRAM alone and is not ticked, although its oldest request is
// refused in every cycle.
type sleep struct {
	on      bool
	counted sim.Cycle // last cycle whose refusal is counted
}

// Settle counts the refusals before a cycle. It changes nothing else.
func (l *L2) Settle(now sim.Cycle) {
	if s := &l.sleeps; s.on && s.counted+1 < now {
		l.Stats[stat.L2Blocked] += uint64(now - 1 - s.counted)
		s.counted = now - 1
	}
}

// StayAwake makes the slice ask for a tick in every cycle in which its oldest request is refused: for one that
// is not ticked in every cycle.
func (l *L2) StayAwake() { l.awake = true }

// arrive takes a line from DRAM, or passes on the acknowledgement of a store.
func (l *L2) arrive(now sim.Cycle, r *mem.BlockReply) {
	if r.Ack {
		if !l.out.CanSend(now) {
			return
		}
		*l.out.Put(now, 0) = mem.Packet{
			Kind: mem.PacketAck, Addr: r.Addr, Cause: r.Cause, Slice: l.slice,
			SM: uint16(r.Tag >> 16), Tag: r.Tag & 0xffff, Flits: mem.Flits(0, l.config.FlitBytes),
		}
	} else {
		l.fill(r)
	}
	l.fromDRAM.Drop(now)
}

// wouldStick notes that the oldest request cannot be taken before a line arrives or a request that waited
// for one is answered.
func (l *L2) wouldStick() bool {
	l.stuck = true
	return false
}

// takeFetch performs a request and reports whether it was taken.
func (l *L2) takeFetch(now sim.Cycle, p *mem.Packet) bool {
	if p.Kind >= mem.PacketPrefetch {
		return l.hintFetch(now, p)
	}
	return l.acceptFetch(now, p)
}

// acceptFetch looks up a request and reports whether it was taken.
func (l *L2) acceptFetch(now sim.Cycle, p *mem.Packet) bool {
	w := l.tags.Find(p.Addr)
	if w >= 0 && l.uses[w].pending == 0 {
		switch {
		case l.uses[w].pins == 0:
			l.serve(now, p, w)
		case l.crowded():
			return l.wouldStick()
		default: // after the requests that already wait for the line
			l.put(&l.ready, p, int32(w))
			l.uses[w].pins++
		}
		l.tags.Use(w, p.Priority)
		l.count(now, p, probe.ResultHit)
		if p.Kind == mem.PacketStore {
			l.Stats[stat.L2WriteHits]++
		}
		return true
	}
	through := p.Kind == mem.PacketStore && (!l.config.WholeBlocks || p.Mask.Full())
	need := roomForRead
	if through {
		need = roomForWrite
	}
	if l.crowded() {
		return l.wouldStick()
	}
	if l.sends.room() < need {
		return false
	}
	result := uint32(probe.ResultMerged)
	if w >= 0 {
		if int(l.mshr[l.uses[w].pending-1].n) == l.config.Merges {
			return l.wouldStick()
		}
	} else {
		if len(l.free) == 0 {
			return l.wouldStick()
		}
		if w = l.victim(p.Addr); w < 0 {
			return l.wouldStick()
		}
		result = probe.ResultMiss
	}
	if through {
		line := *l.arena.Line(p.Data)
		l.sends.add(mem.BlockRequest{
			Addr: p.Addr, Data: l.copyOf(&line), Mask: p.Mask, Cause: p.Cause, Write: true, Ack: p.Tag != mem.NoAnswer, Tag: uint32(p.SM)<<16 | p.Tag&0xffff,
		})
	}
	if result == probe.ResultMiss {
		l.fetchInto(w, p)
	}
	m := &l.mshr[l.uses[w].pending-1]
	if result != probe.ResultMiss {
		l.tags.Use(w, p.Priority)
	}
	l.count(now, p, result)
	if p.Kind == mem.PacketStore {
		l.Stats[stat.L2WriteMisses]++
	}
	waits := *p
	if through {
		waits.Kind = gone
	}
	l.wait(&waits, m)
	return true
}

// fetchInto empties a way and begins to read the line of p into it. A dirty line goes
// to DRAM after the read.
func (l *L2) fetchInto(w int, p *mem.Packet) {
	old, dirty := l.tags.Addr[w], l.ways[w].dirty
	var data mem.Handle
	if !dirty.Empty() {
		data = l.copyOf(l.lines.read(w))
	}
	if old != NoLine {
		l.Stats[stat.L2Evictions]++
	}
	l.install(w, p)
	m := l.claim(w)
	m.asked, m.reads = mem.FullMask, 1
	l.sends.add(mem.BlockRequest{Addr: p.Addr, Mask: mem.FullMask, Tag: uint32(l.uses[w].pending) - 1, Cause: p.Cause})
	if !dirty.Empty() {
		l.sends.add(mem.BlockRequest{Addr: old, Data: data, Mask: mem.FullMask, Write: true})
		l.Stats[stat.L2Writebacks]++
	}
}
