package memctrl

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
)

// lookup is the result of looking up a block's burst count. Nothing has changed yet: a
// request is accepted only if all its resources are free.
type lookup struct {
	key   uint64
	line  int32 // of the cache; noLine if no lookup is needed
	found bool
	plain bool // the page is not compressed
}

// lookup finds a block in the metadata cache, or returns why it must wait.
func (ch *channel) lookup(a mem.Addr, block uint64) (lookup, blockedBy) {
	m := &ch.c.metadata
	if p := ch.c.paged; p != nil && !p.Compressed(a) {
		return lookup{line: noLine, plain: true}, notBlocked
	}
	if !ch.c.coding.compressed || m.perfect {
		return lookup{line: noLine}, notBlocked
	}
	key := m.key(a, ch.number, block)
	i, found := m.find(key)
	if found {
		return lookup{key: key, line: int32(i), found: true}, notBlocked
	}
	if i < 0 {
		return lookup{}, metadataSetBusy
	}
	if home, _ := m.owner(key); ch.c.channels[home].metaReads >= ch.c.cfg.MetadataQueue {
		return lookup{}, metadataQueueFull
	}
	if n, owner := m.dirty(i, key); n > 0 && ch.c.channels[owner].metaWrites+n > ch.c.cfg.MetadataQueue {
		return lookup{}, metadataQueueFull
	}
	return lookup{key: key, line: int32(i)}, notBlocked
}

// resolve carries out a lookup for request i. A read may be scheduled once its count is
// known: then wait is false. A write makes the line dirty and never waits.
func (ch *channel) resolve(k lookup, i int16, at uint64) (wait bool) {
	if !ch.c.coding.compressed || k.plain {
		return false
	}
	p, m, s := &ch.pool.pending[i], &ch.c.metadata, ch.stats()
	s[stat.MetadataAccesses]++
	if k.line == noLine {
		s[stat.MetadataHits]++
		ch.emitMetadata(p, probe.ResultHit)
		return false
	}
	l := &m.line[k.line]
	result := uint32(probe.ResultHit)
	if !k.found {
		result = probe.ResultMiss
		ch.fetchMetadata(k, p, at)
	} else if l.pending {
		result = probe.ResultMerged
	}
	m.touch(int(k.line))
	if result == probe.ResultHit {
		s[stat.MetadataHits]++
	} else {
		s[stat.MetadataMisses]++
	}
	ch.emitMetadata(p, result)
	if p.class == WriteBlock {
		l.dirty = true
		return false
	}
	if result == probe.ResultHit {
		return false
	}
	last := &l.waiters
	for *last != noWaiter {
		last = &ch.c.channels[last.channel()].pool.pending[last.entry()].waitNext
	}
	*last = waiterOf(ch.number, i)
	return true
}

// fetchMetadata replaces the line found by a lookup at a DRAM cycle: it writes the old
// line back if it is dirty, and reads the new line from its own channel.
func (ch *channel) fetchMetadata(k lookup, cause *pending, at uint64) {
	m, s := &ch.c.metadata, ch.stats()
	from, to := m.replaced(int(k.line), k.key)
	for i := from; i < to; i++ {
		l := &m.line[i]
		if l.dirty {
			n, local := m.owner(l.key)
			owner := &ch.c.channels[n]
			owner.schedule.catchUp(at)
			owner.metaWrites++
			s[stat.MetadataWritebacks]++
			owner.addMetadata(WriteMetadata, local, cause, noLine, at)
		}
		*l = metadataLine{waiters: noWaiter}
	}
	n, local := m.owner(k.key)
	m.line[k.line] = metadataLine{key: k.key, waiters: noWaiter, pending: true}
	s[stat.MetadataReads]++
	home := &ch.c.channels[n]
	if home != ch {
		home.schedule.catchUp(at)
	}
	home.metaReads++
	home.addMetadata(ReadMetadata, local, cause, k.line, at)
}

// addMetadata queues the transfer of one metadata line, in whole bursts.
func (ch *channel) addMetadata(what Class, local uint64, cause *pending, line int32, at uint64) {
	mag := uint64(ch.c.timing.BurstBytes)
	n := max(1, metadataLineBytes/mag)
	i, p := ch.pool.take()
	p.addr, p.arrived, p.cause, p.class, p.line = cause.addr, cause.arrived, cause.cause, what, line
	p.placed.Parts[InDevice] = uint8(1<<n - 1)
	ch.take(i, p, local&^(mag-1), at+1)
	ch.schedule.start(i, p, at+1)
}
