package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Requests that ask L2 for no bytes: prefetch, applypriority and discard (PTX ISA, the instructions of these names). A
// prefetch waits for a way, an MSHR and DRAM as a load does [ours]: no source says whether a GPU drops it then.

// acceptHint performs such a request. It reports whether to try again in the next cycle.
func (l *L2) acceptHint(now sim.Cycle, p *mem.Packet) (again bool) {
	w := l.tags.Find(p.Addr)
	switch {
	case p.Kind == mem.PacketPriority:
		l.apply(w, p.Priority)
	case p.Kind == mem.PacketDiscard:
		if w >= 0 && l.uses[w].pending != 0 {
			m := &l.mshr[l.uses[w].pending-1]
			if int(m.n) == l.config.Merges || l.crowded() {
				l.Stats[stat.L2Blocked]++
				return false
			}
			l.wait(p, m)
		} else if !l.serve(now, p, w) {
			return false
		}
	case w < 0:
		w = l.victim(p.Addr)
		if w < 0 {
			return l.repair(now, p.Addr)
		}
		if l.tags.Addr[w] != NoLine {
			return l.evict(now, w) // the prefetch takes the way at the next cycle
		}
		if !l.canMiss(now) {
			l.Stats[stat.L2Blocked]++
			return false
		}
		l.install(w, p)
		l.request(now, w, mem.FullMask, p.Cause)
		l.countPrefetch(now, p, probe.ResultMiss)
	case !l.complete(now, p, w):
		return false
	}
	l.Stats[stat.L2Hints]++
	l.in.Drop(now)
	return true
}

// complete makes a prefetch of a line that is here bring the sectors that are not. It reports whether that was
// possible.
func (l *L2) complete(now sim.Cycle, p *mem.Packet, w int) bool {
	l.tags.Use(w, p.Priority)
	known := l.ways[w].valid
	pending := l.uses[w].pending
	if pending != 0 {
		known = known.Or(l.mshr[pending-1].asked)
	}
	if known.Full() {
		l.countPrefetch(now, p, probe.ResultHit)
		return true
	}
	if !l.toDRAM.CanSend(now) || pending == 0 && !l.canMiss(now) {
		l.Stats[stat.L2Blocked]++
		return false
	}
	if pending != 0 {
		l.read(now, &l.mshr[pending-1], mem.FullMask, p.Cause)
	} else {
		l.request(now, w, mem.FullMask, p.Cause)
	}
	l.countPrefetch(now, p, probe.ResultMiss)
	return true
}

func (l *L2) countPrefetch(now sim.Cycle, p *mem.Packet, result uint32) {
	if result == probe.ResultMiss {
		l.Stats[stat.L2PrefetchFills]++
	}
	if l.tap.On() {
		l.tap.Emit(probe.Event{Cycle: now, Addr: p.Addr, Req: p.Cause, A: result, Unit: l.slice, Kind: probe.KindL2})
	}
}

// apply gives the line of a way another class. The line does not become the most recently used one.
func (l *L2) apply(w int, p mem.Priority) {
	if w >= 0 && p == mem.EvictNormal {
		l.tags.Used[w] = l.tags.Used[w]&^classBits | classNormal
	}
}

// forget loses the bytes of a line. A load that follows gets the bytes of DRAM, because a discarded line may have any
// bytes. A line whose request waits for its turn stays, without news for DRAM.
func (l *L2) forget(w int) {
	l.Stats[stat.L2Discards]++
	if w < 0 {
		return
	}
	if !l.ways[w].dirty.Empty() {
		l.Stats[stat.L2DirtyDiscards]++
	}
	l.ways[w].dirty = mem.ByteMask{}
	l.endCopy(w)
	if l.uses[w] == (l2Use{}) {
		l.tags.Addr[w] = NoLine
	}
}

// ahead returns the bytes that a request reads at least if it misses (PTX ISA, ld, .level::prefetch_size).
func ahead(p *mem.Packet) mem.ByteMask {
	switch {
	case p.Ahead == 0:
		return p.Mask
	case p.Ahead == 1:
		s := p.Mask.Sectors()
		return mem.SectorMask(s | s&0b0101<<1 | s&0b1010>>1)
	}
	return mem.FullMask
}

// readNext reads the other line of an aligned pair after a miss, if this slice has it and has room for it at once.
func (l *L2) readNext(now sim.Cycle, p *mem.Packet) {
	next := mem.Packet{Addr: p.Addr ^ mem.LineBytes, Priority: p.Priority}
	if !l.holds(next.Addr) || l.image.Find(next.Addr) < 0 || l.tags.Find(next.Addr) >= 0 || !l.canMiss(now) {
		return
	}
	w := l.victim(next.Addr)
	if w < 0 {
		return
	}
	if l.tags.Addr[w] != NoLine {
		if !l.ways[w].dirty.Empty() {
			return
		}
		l.evict(now, w)
	}
	l.install(w, &next)
	l.request(now, w, mem.FullMask, p.Cause)
	l.Stats[stat.L2PrefetchFills]++
}

// hintFetch is acceptHint of a slice that reads whole lines (WriteFetch). It reports whether the request was taken.
func (l *L2) hintFetch(now sim.Cycle, p *mem.Packet) bool {
	w := l.tags.Find(p.Addr)
	switch {
	case p.Kind == mem.PacketPriority:
		l.apply(w, p.Priority)
	case p.Kind == mem.PacketDiscard:
		if w >= 0 && l.uses[w] != (l2Use{}) {
			pending := l.uses[w].pending
			if l.crowded() || pending != 0 && int(l.mshr[pending-1].n) == l.config.Merges {
				return l.wouldStick()
			}
			if pending != 0 {
				l.wait(p, &l.mshr[pending-1])
			} else { // after the requests that already wait for the line
				l.put(&l.ready, p, int32(w))
				l.uses[w].pins++
			}
		} else {
			l.serve(now, p, w)
		}
	case w >= 0:
		l.tags.Use(w, p.Priority)
		l.countPrefetch(now, p, probe.ResultHit)
	default:
		if l.sends.room() < roomForRead {
			return false
		}
		if len(l.free) == 0 {
			return l.wouldStick()
		}
		if w = l.victim(p.Addr); w < 0 {
			return l.wouldStick()
		}
		l.fetchInto(w, p)
		l.countPrefetch(now, p, probe.ResultMiss)
	}
	l.Stats[stat.L2Hints]++
	return true
}
