package memctrl

import (
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// never is the DRAM cycle of an event that is not due at any time.
const never = math.MaxUint64

// channel is the front of one memory channel: it accepts the requests of an L2 slice,
// looks up metadata, has each backing move its part of a block, and answers.
type channel struct {
	in       *sim.Link[Request]
	answers  timeline[Reply]
	schedule schedule
	c        *Controller
	number   int // within the controller
	out      *sim.Link[Reply]
	link     Backing // nil = no link

	part Transfer // reused for each call of a backing

	compressors   units
	decompressors units

	pool pool
	channelState
}

// channelState is the part of a channel that changes while running, without the pending
// transfers, events and answers.
type channelState struct {
	reads       int // blocks that are being read
	writes      int // blocks that are being written
	metaReads   int
	metaWrites  int
	acks        int // writes that are being written and want an answer
	empty       int // blocks in progress whose metadata say all of them
	blocked     blockedBy
	accesses    Accesses
	writeFilter [256]uint8 // pending writes by a hash of their address
}

// Accesses are the blocks that controllers have accepted, and how many of them have a part behind a link.
type Accesses struct{ All, Linked uint64 }

func (ch *channel) init(c *Controller, number int) {
	ch.c, ch.number = c, number
	if c.cfg.Schedule == ScheduleJoint {
		ch.schedule = newJointSchedule(ch)
	} else {
		ch.schedule = newDrainSchedule(ch)
	}
	c.schedules = append(c.schedules, ch.schedule)
	if c.env.Link != nil {
		ch.link = c.env.Link(number, ch, c.env.Stats)
	}
}

func (ch *channel) stats() *stat.Set { return ch.c.env.Stats }
func (ch *channel) tap() *probe.Tap  { return ch.c.env.Tap }

// unit is the channel's number among all channels.
func (ch *channel) unit() uint16 { return uint16(ch.c.cfg.FirstChannel + ch.number) }

func (ch *channel) base(local uint64) sim.Cycle { return ch.c.cfg.Clock.Base(local) }

// take has the backings queue the parts of p, which is number i and lies at an address
// within the channel, from a DRAM cycle on.
func (ch *channel) take(i int16, p *pending, local, from uint64) {
	parts := &p.placed.Parts
	t := &ch.part
	*t = Transfer{
		Addr: p.addr, Local: local, Cause: p.cause, Class: p.class, Mode: p.placed.Mode,
		Bursts: parts[InDevice], Count: uint8(bits.OnesCount8(parts[InDevice] | parts[InLink])),
	}
	switch {
	case parts[InDevice] != 0:
		p.parts = 1 << InDevice
	case parts[InLink] == 0:
		p.parts = 1 << inMetadata
		ch.empty++
	}
	if parts[InLink] != 0 {
		p.split = p.parts != 0
		p.parts |= 1 << InLink
		ch.pool.last[i] = Moved{}
	}
	ch.schedule.take(i, p, t, from)
}

// ready starts a waiting transfer at a DRAM cycle.
func (ch *channel) ready(i int16, at uint64) {
	p := &ch.pool.pending[i]
	p.ready = max(p.ready, at)
	ch.schedule.start(i, p, p.ready)
}

// fill ends the reading of a metadata line at a DRAM cycle. Another channel, which may have done its work of the
// present cycle, knows of it in the next one.
func (ch *channel) fill(line int32, at uint64) {
	l := &ch.c.metadata.line[line]
	l.pending = false
	for w := l.waiters; w != noWaiter; {
		of, i := &ch.c.channels[w.channel()], w.entry()
		w = of.pool.pending[i].waitNext
		if of == ch {
			ch.ready(i, at)
		} else {
			of.schedule.startLater(i, max(at, ch.c.clock)+1)
		}
	}
	l.waiters = noWaiter
}

// Moved records that a backing has moved its part. The block is complete when all
// backings have. The backings stop at a metadata line, because other transfers may then
// begin.
func (ch *channel) Moved(backing int, i int16, m Moved) (stop bool) {
	p := &ch.pool.pending[i]
	p.parts &^= 1 << backing
	switch backing {
	case InLink:
		ch.emitLink(p, m)
	case inMetadata:
		ch.empty--
	}
	if p.split {
		last := &ch.pool.last[i]
		if m.End > last.End {
			*last = m
		}
		if p.parts != 0 {
			return false
		}
		m.First, m.Column, m.End = last.First, last.Column, last.End
	}
	switch p.class {
	case ReadBlock:
		ch.reads--
		ch.countQueue(p, ch.base(m.Last))
		end := ch.decompressed(p, m.End)
		ch.countLatency(p, m, end)
		ch.answer(p, end)
	case WriteBlock:
		ch.writes--
		ch.writeFilter[filterSlot(p.addr)]--
		if p.ack {
			ch.acks--
			ch.acknowledge(p, m.End)
		}
	case ReadMetadata:
		ch.metaReads--
		stop = ch.schedule.filled(p.line, m.End)
	case WriteMetadata:
		ch.metaWrites--
	}
	ch.pool.release(i)
	return stop
}
