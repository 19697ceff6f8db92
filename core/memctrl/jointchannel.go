package memctrl

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// The front of a channel with the joint schedule (l2cache.cc of GPGPU-Sim 3.2.1,
// memory_partition_unit::dram_cycle). In each DRAM clock, in this order, one answer
// goes from the return queue to L2, the device makes a step, and one request is taken
// from L2. That request enters the queue of the device after the fixed latency. While
// the queue is full, no request is taken.
//
// Under compression a request is at the controller after the fixed latency: its
// metadata are then looked up, and a write is then compressed. A compressed block keeps its
// place in the return queue while it is decompressed [ours].

// delayed returns the number of requests that may be on their way to the queue: one for
// each clock of the fixed latency and one more, as one is taken in a clock. It is
// reached only under compression.
func (c *Config) delayed() int { return int(c.Clock.Local(sim.Cycle(c.FixedLatencyCycles))) + 2 }

// jointTransfers returns the number of transfers that may be in progress in a channel.
func (c *Config) jointTransfers() int {
	return c.delayed() + c.Queue + c.DRAM.Banks + c.DRAM.CL + 2 + 2*c.MetadataQueue
}

func (ch *channel) initJoint() {
	cfg := &ch.c.cfg
	n := cfg.jointTransfers()
	ch.pool = newPool(n)
	ch.events = newTimeline[event](1)
	ch.answers = newTimeline[Reply](cfg.ReturnQueue)
	ch.joint = newJoint(ch, &ch.answers, cfg, &ch.c.timing, &ch.c.env, cfg.FirstChannel+ch.number, n)
}

// commanded ends the time of a block in the queue.
func (ch *channel) commanded(i int16, clock uint64) {
	if p := &ch.pool.pending[i]; p.class == ReadBlock {
		ch.countQueue(p, ch.base(clock))
		p.arrived = sim.Never
	}
}

// firstClock returns the first DRAM clock that begins in base cycle now or later.
func (c *Controller) firstClock(now sim.Cycle) uint64 {
	if now == 0 {
		return 0
	}
	return c.cfg.Clock.Local(now-1) + 1
}

// tickJoint does the clocks up to and including local, which has begun in base cycle now.
// Links are used in the clocks of this cycle only: next makes sure that no clock before
// needed one.
func (c *Controller) tickJoint(now sim.Cycle, local uint64) sim.Cycle {
	first := c.firstClock(now)
	if c.independent() {
		return c.tickEachJoint(now, first, local)
	}
	for i := range c.channels {
		ch := &c.channels[i]
		ch.joint.runBefore(first)
		ch.refused = false
	}
	if now >= c.coding.switchAt {
		c.switchScheme()
	}
	for clock := first; clock <= local; clock++ {
		// All channels run before any accepts, because they share the metadata cache.
		for i := range c.channels {
			ch := &c.channels[i]
			ch.deliverJoint(now, clock)
			ch.joint.run(clock)
		}
		for i := range c.channels {
			c.channels[i].acceptJoint(now, clock)
		}
	}
	// Somebody sees every event at its time, or a channel may make room for a request of another.
	exact := c.env.Tap.On()
	if c.coding.compressed && !c.metadata.perfect {
		for i := range c.channels {
			exact = exact || c.channels[i].in.NextReady() <= now
		}
	}
	next := sim.Never
	for i := range c.channels {
		next = sim.Min(next, c.channels[i].nextJoint(now, local, exact))
	}
	return next
}

// tickEachJoint is tickJoint for independent channels.
func (c *Controller) tickEachJoint(now sim.Cycle, first, local uint64) sim.Cycle {
	next := sim.Never
	for i := range c.channels {
		ch := &c.channels[i]
		ch.joint.runBefore(first)
		ch.refused = false
		for clock := first; clock <= local; clock++ {
			ch.deliverJoint(now, clock)
			ch.joint.run(clock)
			ch.acceptJoint(now, clock)
		}
		next = min(next, ch.nextJoint(now, local, false))
	}
	return next
}

// deliverJoint sends one answer to L2.
func (ch *channel) deliverJoint(now sim.Cycle, clock uint64) {
	if ch.answers.dueAt() > clock {
		return
	}
	if ch.refused = !ch.out.CanSend(now); ch.refused {
		return
	}
	ch.joint.returned(clock)
	*ch.out.Put(now, 0) = *ch.answers.first()
	ch.answers.drop()
}

// acceptJoint takes one request from L2 in a DRAM clock, if there is room for it.
func (ch *channel) acceptJoint(now sim.Cycle, clock uint64) {
	ch.blocked = notBlocked
	r, ok := ch.in.Peek(now)
	if !ok {
		return
	}
	if !ch.joint.hasRoom() {
		ch.blocked = jointQueueFull
		return
	}
	if ch.joint.delayed >= ch.c.cfg.delayed() {
		ch.blocked = delayFull
		return
	}
	at := max(clock, ch.c.firstClock(now+sim.Cycle(ch.c.cfg.FixedLatencyCycles)))
	if r.Write {
		ch.blocked = ch.acceptWrite(r, now, at)
	} else {
		ch.blocked = ch.acceptRead(r, now, at)
	}
	if ch.blocked == notBlocked {
		ch.in.Drop(now)
	}
}

// nextJoint returns the base cycle by which the channel must be ticked. As with the drain
// schedule, steps may run late unless exact, but before an answer could be sent, and while a
// request waits not after a step that may make room for it. A block without a part in DRAM is answered by
// the step in which it enters, so then no step runs late.
func (ch *channel) nextJoint(now sim.Cycle, local uint64, exact bool) sim.Cycle {
	j := ch.joint
	at, exact := j.next, exact || ch.empty > 0
	waits := ch.in.NextReady() <= now
	if waits && ch.blocked == notBlocked {
		at = local + 1
	} else if !exact && (!waits || ch.blocked == jointQueueFull) {
		if at != never {
			// A command needs at least the shorter latency until its data leave the pipe.
			at = min(at+min(j.timing.CL, max(j.timing.WL, 1)), j.endOfMoving()) + 1
		}
		if waits {
			at = min(at, j.roomFrom())
		}
	}
	if !ch.refused { // a link with room again wakes us
		at = min(at, ch.answers.dueAt())
	}
	next := sim.Never
	if at != never {
		next = ch.base(max(at, local+1))
	}
	if a := ch.in.NextReady(); a > now {
		next = sim.Min(next, a)
	}
	return next
}

// settleBefore does all clocks before one, and brings statistics up to cycle now. Later
// clocks up to now may belong to a base cycle that is yet to come.
func (j *joint) settleBefore(clock, now uint64) {
	j.runBefore(clock)
	idleEnd := now
	if j.queued|j.busy != 0 {
		idleEnd = min(now, j.workSince)
	} else {
		j.refreshBefore(clock)
		from := j.entering.dueAt()
		if j.cfg.FixedLatencyCycles == 0 {
			from = min(from, clock+1)
		}
		idleEnd = min(now, from)
	}
	j.settle(now, idleEnd, min(now, clock))
}

// state lists the device and the queues.
func (j *joint) state(t *tape.Tape) {
	j.dramPort.state(t)
	tape.Values(t, j.entry)
	tape.Value(t, &j.jointState)
	j.entering.state(t)
	j.moving.state(t)
}
