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
	// wake is the cycle by which the channel must be run, as it was when it last ran. It lies beside what
	// else every tick of the controller reads.
	wake    sim.Cycle
	in      *sim.Link[Request]
	answers timeline[Reply]
	c       *Controller
	events  timeline[event]
	refused bool // the link to L2 had no room in this cycle
	number  int  // within the controller
	out     *sim.Link[Reply]
	joint   *joint  // of the joint schedule; nil = drain
	link    Backing // nil = no link

	part Transfer // reused for each call of a backing

	compressors   units
	decompressors units

	pool pool
	channelState
	device scheduler // of the drain schedule
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

// Accesses are blocks that controllers have accepted, and those of them with a part behind a link.
type Accesses struct{ All, Linked uint64 }

func (ch *channel) init(c *Controller, number int) {
	cfg := &c.cfg
	ch.c, ch.number = c, number
	if cfg.Schedule == ScheduleJoint {
		ch.initJoint()
		return
	}
	n := cfg.transfers()
	ch.pool = newPool(n)
	// What is pending has one event at a time; a metadata line that is read has one
	// afterwards, at most one for each column command in CL + burst cycles.
	ch.events = newTimeline[event](n + int(c.timing.CL+c.timing.BurstCycles))
	ch.answers = newTimeline[Reply](cfg.ReadQueue + cfg.ReturnQueue + cfg.WriteQueue)
	ch.device.init(ch, cfg, &c.timing, &c.env, cfg.FirstChannel+number, n)
	if c.env.Link != nil {
		ch.link = c.env.Link(number, ch, c.env.Stats)
	}
}

// port returns the DRAM of the channel.
func (ch *channel) port() *dramPort {
	if ch.joint != nil {
		return &ch.joint.dramPort
	}
	return &ch.device.dramPort
}

func (ch *channel) stats() *stat.Set { return ch.c.env.Stats }
func (ch *channel) tap() *probe.Tap  { return ch.c.env.Tap }

// unit is the channel's number among all channels.
func (ch *channel) unit() uint16 { return uint16(ch.c.cfg.FirstChannel + ch.number) }

func (ch *channel) base(local uint64) sim.Cycle { return ch.c.cfg.Clock.Base(local) }

// run does all work up to and including DRAM cycle now.
func (ch *channel) run(now uint64) {
	for {
		at := ch.events.dueAt()
		before := min(at, now+1)
		switch {
		case ch.link == nil:
			if ch.device.Run(before) {
				continue
			}
		case ch.moveBoth(before):
			continue
		}
		if at > now {
			return
		}
		v := *ch.events.first()
		ch.events.drop()
		ch.happen(v, at)
	}
}

// moveBoth runs the steps of both backings before a cycle, in the order of their cycles,
// until one is stopped. It reports whether one was stopped.
func (ch *channel) moveBoth(before uint64) bool {
	for {
		limit, due := before, ch.link.Due(true)
		if due < before {
			limit = due + 1
		}
		if ch.device.Run(limit) {
			return true
		}
		if due >= before {
			return false
		}
		if ch.link.Run(limit) {
			return true
		}
	}
}

// stepBy returns the base cycle by which the channel must be run. Only the replies of a
// backing are visible outside, so a step may run late, as long as it runs before its data
// could be sent. If a request waits for room, steps run at their cycles (exact), because a
// step may make room.
func (ch *channel) stepBy(now sim.Cycle, exact bool) sim.Cycle {
	at, lead := min(ch.events.dueAt(), ch.device.Due(exact)), ch.device.LeadCycles()
	if ch.empty > 0 {
		lead = 0 // an event may complete a block, and no data have to move before its answer
	}
	if ch.acks > 0 {
		lead = min(lead, ch.c.timing.WL+ch.c.timing.BurstCycles)
	}
	if ch.link != nil {
		at, lead = min(at, ch.link.Due(exact)), min(lead, ch.link.LeadCycles())
	}
	switch {
	case at == never:
		return sim.Never
	case exact:
		return max(ch.base(at), now+1)
	}
	return max(ch.base(at+lead)+sim.Cycle(ch.c.cfg.FixedLatencyCycles), now+1)
}

// next returns the base cycle by which the channel must be ticked again after its tick of cycle now.
func (ch *channel) next(now sim.Cycle) sim.Cycle {
	next := ch.wake
	// An answer that is already due waits for room in a link, and the link wakes us.
	if a := sim.Cycle(ch.answers.dueAt()); a > now {
		next = min(next, a)
	}
	if a := ch.in.NextReady(); a > now {
		next = min(next, a)
	}
	return next
}

// happen handles an event that is due at DRAM cycle at.
func (ch *channel) happen(v event, at uint64) {
	switch v.kind {
	case eventReady:
		ch.ready(v.index, at)
	case eventFill:
		l := &ch.c.metadata.line[v.index]
		l.pending = false
		for i := l.waiters; i != none; i = ch.pool.pending[i].waitNext {
			ch.ready(i, at)
		}
		l.waiters = none
	}
}

// after schedules an event for DRAM cycle at.
func (ch *channel) after(at uint64, kind eventKind, index int16) {
	ch.events.add(at, event{kind: kind, index: index})
}

// catchUp does the work that fell due in the backings while they had no transfers.
func (ch *channel) catchUp(now uint64) {
	if ch.joint != nil {
		return
	}
	ch.device.CatchUp(now)
	if ch.link != nil {
		ch.link.CatchUp(now)
	}
}

// take has the backings queue the parts of p, which is number i and lies at an address
// within the channel, from a DRAM cycle on.
func (ch *channel) take(i int16, p *pending, local, from uint64) {
	parts := &p.placed.Parts
	t := &ch.part
	*t = Transfer{
		Addr: p.addr, Local: local, Cause: p.cause, Class: p.class, Mode: p.placed.Mode,
		Bursts: parts[InDevice], Count: uint8(bits.OnesCount8(parts[InDevice] | parts[InLink])),
	}
	if parts[InDevice] != 0 {
		p.parts = 1 << InDevice
		if ch.joint != nil {
			ch.joint.Take(i, t)
		} else {
			ch.device.Take(i, t, from)
		}
	}
	if parts[InDevice]|parts[InLink] == 0 {
		p.parts = 1 << inMetadata
		ch.empty++
		if ch.joint != nil {
			ch.joint.Take(i, t) // it waits in line with the others
		}
	}
	if parts[InLink] != 0 {
		p.split = p.parts != 0
		p.parts |= 1 << InLink
		ch.pool.last[i] = Moved{}
		t.Bursts = parts[InLink]
		ch.link.Take(i, t, from)
	}
}

// ready starts a waiting transfer at a DRAM cycle.
func (ch *channel) ready(i int16, at uint64) {
	p := &ch.pool.pending[i]
	p.ready = max(p.ready, at)
	ch.start(i, p, p.ready)
}

// readyAt starts a transfer at a later DRAM cycle.
func (ch *channel) readyAt(i int16, at uint64) {
	if ch.joint != nil {
		ch.ready(i, at) // its queue keeps the order of these cycles
	} else {
		ch.after(at, eventReady, i)
	}
}

// start lets the backings begin with their parts of p at a DRAM cycle.
func (ch *channel) start(i int16, p *pending, at uint64) {
	if ch.joint != nil {
		ch.joint.Start(i, at)
		return
	}
	if p.parts>>InDevice&1 != 0 {
		ch.device.Start(i, at)
	}
	if p.parts>>InLink&1 != 0 {
		ch.link.Start(i, at)
	}
	if p.parts>>inMetadata&1 != 0 {
		ch.Moved(inMetadata, i, Moved{First: at, Column: at, Last: at, End: at})
	}
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
		if ch.joint != nil {
			ch.happen(event{kind: eventFill, index: p.line}, m.End+1)
			break
		}
		ch.after(m.End, eventFill, p.line)
		stop = true
	case WriteMetadata:
		ch.metaWrites--
	}
	ch.pool.release(i)
	return stop
}
