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
	return c.delayed() + c.Queue + c.DRAM.Banks + c.pipeClocks() + 2 + 2*c.MetadataQueue
}

// pipeClocks returns the longest time of data in the pipe: CL of every device of a data sheet. Version 3.2.1 gives its
// pipe CL + 1 places and ends itself when WL is longer; here the pipe is then as long as a write needs [ours].
func (c *Config) pipeClocks() int { return max(c.DRAM.CL, c.DRAM.WL) }

// jointSchedule serves a channel as a memory partition of that simulator.
type jointSchedule struct {
	*channel
	refused bool // the link to L2 had no room in this cycle
	device  joint
}

func newJointSchedule(ch *channel) *jointSchedule {
	cfg := &ch.c.cfg
	n := cfg.jointTransfers()
	ch.pool = newPool(n)
	ch.answers = newTimeline[Reply](cfg.ReturnQueue)
	return &jointSchedule{channel: ch, device: newJoint(ch, &ch.answers, cfg, &ch.c.timing, &ch.c.env,
		cfg.FirstChannel+ch.number, n)}
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

// tick does the clocks up to and including local, which has begun in base cycle now. Links are used in the clocks of
// this cycle only: next makes sure that no clock before needed one.
func (s *jointSchedule) tick(now sim.Cycle, first, local uint64) sim.Cycle {
	s.begin(now, first, local)
	for clock := first; clock <= local; clock++ {
		s.step(now, clock)
		s.accept(now, clock)
	}
	return s.next(now, local, false)
}

func (s *jointSchedule) begin(_ sim.Cycle, first, _ uint64) {
	s.device.runBefore(first)
	s.refused = false
}

// step sends one answer to L2, and does one clock of the device.
func (s *jointSchedule) step(now sim.Cycle, clock uint64) {
	if s.answers.dueAt() <= clock {
		if s.refused = !s.out.CanSend(now); !s.refused {
			s.device.returned(clock)
			*s.out.Put(now, 0) = *s.answers.first()
			s.answers.drop()
		}
	}
	s.device.run(clock)
}

// accept takes one request from L2 in a DRAM clock, if there is room for it.
func (s *jointSchedule) accept(now sim.Cycle, clock uint64) {
	s.blocked = notBlocked
	r, ok := s.in.Peek(now)
	if !ok {
		return
	}
	if !s.device.hasRoom() {
		s.blocked = jointQueueFull
		return
	}
	if s.device.delayed >= s.c.cfg.delayed() {
		s.blocked = delayFull
		return
	}
	at := max(clock, s.c.firstClock(now+sim.Cycle(s.c.cfg.FixedLatencyCycles)))
	if r.Write {
		s.blocked = s.acceptWrite(r, now, at)
	} else if p, why := s.acceptRead(r, now, at); p != nil {
		p.arrived = s.base(at) // time in the queue begins when the block has reached it
	} else {
		s.blocked = why
	}
	if s.blocked == notBlocked {
		s.in.Drop(now)
	}
}

// next returns the base cycle by which the channel must be ticked. As with the drain
// schedule, steps may run late unless exact, but before an answer could be sent, and while a
// request waits not after a step that may make room for it. A block without a part in DRAM is answered by
// the step in which it enters, so then no step runs late.
func (s *jointSchedule) next(now sim.Cycle, local uint64, exact bool) sim.Cycle {
	j := &s.device
	at, exact := j.next, exact || s.empty > 0
	waits := s.in.NextReady() <= now
	if waits && s.blocked == notBlocked {
		at = local + 1
	} else if !exact && (!waits || s.blocked == jointQueueFull) {
		if at != never {
			// A command needs at least the shorter latency until its data leave the pipe.
			at = min(at+min(j.timing.CL, max(j.timing.WL, 1)), j.endOfMoving()) + 1
		}
		if waits {
			at = min(at, j.roomFrom())
		}
	}
	if !s.refused { // a link with room again wakes us
		at = min(at, s.answers.dueAt())
	}
	next := sim.Never
	if at != never {
		next = s.base(max(at, local+1))
	}
	if a := s.in.NextReady(); a > now {
		next = sim.Min(next, a)
	}
	return next
}

// take lets blocks without a part in device memory wait in line with the others.
func (s *jointSchedule) take(i int16, _ *pending, t *Transfer, _ uint64) { s.device.Take(i, t) }

func (s *jointSchedule) start(i int16, _ *pending, at uint64) { s.device.Start(i, at) }

// startLater starts a transfer at once: the queue keeps the order of these clocks.
func (s *jointSchedule) startLater(i int16, at uint64) { s.ready(i, at) }

func (s *jointSchedule) filled(line int32, at uint64) (stop bool) {
	s.fill(line, at+1)
	return false
}

func (s *jointSchedule) answerAt(at uint64) uint64 { return at + 1 }

// catchUp does nothing: the device does its clocks in any case.
func (s *jointSchedule) catchUp(uint64) {}

func (s *jointSchedule) settle(now sim.Cycle, local uint64) {
	s.device.settleBefore(s.c.firstClock(now), local)
}

func (s *jointSchedule) explain(w *Waiting, _ sim.Cycle) {
	j := &s.device
	w.ReplyBlocked = s.answers.dueAt() < j.done
	if j.busy != 0 && j.commandAt != never {
		w.NextCommandCycle = s.base(j.commandAt)
	}
}

func (s *jointSchedule) idle() bool { return true }

func (s *jointSchedule) port() *dramPort { return &s.device.dramPort }

func (s *jointSchedule) state(t *tape.Tape) { s.device.state(t) }

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
