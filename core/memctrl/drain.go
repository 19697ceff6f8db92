package memctrl

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// drainSchedule keeps reads and writes in two queues. Reads go first, and writes are drained in batches. A queued write
// answers a read of its bytes. A channel accepts whatever there is room for, once in a base cycle, and its answers
// leave in the base cycle in which they are due.
type drainSchedule struct {
	*channel
	stepAt sim.Cycle // by which the backings must make a step
	events timeline[event]
	device scheduler
}

func newDrainSchedule(ch *channel) *drainSchedule {
	c := ch.c
	cfg := &c.cfg
	n := cfg.transfers()
	d := &drainSchedule{channel: ch}
	ch.pool = newPool(n)
	// What is pending has one event at a time; a metadata line that is read has one
	// afterwards, at most one for each column command in CL + burst cycles.
	d.events = newTimeline[event](n + int(c.timing.CL+c.timing.BurstCycles))
	ch.answers = newTimeline[Reply](cfg.ReadQueue + cfg.ReturnQueue + cfg.WriteQueue)
	d.device.init(ch, cfg, &c.timing, &c.env, cfg.FirstChannel+ch.number, n)
	return d
}

func (d *drainSchedule) tick(now sim.Cycle, _, local uint64) sim.Cycle {
	ch := d.channel
	runs := d.stepAt <= now || ch.in.NextReady() <= now // otherwise there are only answers to send
	if runs {
		d.run(local)
	}
	if ch.answers.dueAt() <= uint64(now) {
		d.deliver(now)
	}
	if runs {
		d.accept(now, local)
		d.stepAt = d.stepBy(now, ch.blocked != notBlocked)
	}
	return d.wakeAt(now)
}

func (d *drainSchedule) begin(now sim.Cycle, _, local uint64) {
	d.run(local)
	d.deliver(now)
}

// step does nothing: begin has made the steps of all clocks.
func (d *drainSchedule) step(sim.Cycle, uint64) {}

// deliver sends the due blocks to L2.
func (d *drainSchedule) deliver(now sim.Cycle) {
	ch := d.channel
	for ch.answers.dueAt() <= uint64(now) {
		if !ch.out.CanSend(now) {
			return
		}
		*ch.out.Put(now, 0) = *ch.answers.first()
		ch.answers.drop()
	}
}

// accept takes requests from the link while there is room. A request that arrives at a DRAM cycle can be scheduled from
// the next cycle on.
func (d *drainSchedule) accept(now sim.Cycle, clock uint64) {
	ch := d.channel
	for {
		r, ok := ch.in.Peek(now)
		if !ok {
			ch.blocked = notBlocked
			return
		}
		if d.stillBlocked(r) {
			return
		}
		d.catchUp(clock)
		if r.Write {
			ch.blocked = d.acceptWrite(r, now, clock)
		} else {
			ch.blocked = d.acceptRead(r, now, clock)
		}
		if ch.blocked != notBlocked {
			return
		}
		ch.in.Drop(now)
	}
}

// stillBlocked reports whether the oldest request certainly waits for the same reason as at the
// last look. While its queue is full, the channel has work, so there is nothing to catch up with; and
// a read that no write answers yet will not be answered by one, because writes come in order.
func (d *drainSchedule) stillBlocked(r *Request) bool {
	if d.link != nil {
		return false
	}
	switch d.blocked {
	case readQueueFull:
		return !r.Write && d.reads >= d.c.cfg.ReadQueue
	case writeQueueFull:
		return r.Write && d.writes >= d.c.cfg.WriteQueue
	}
	return false
}

func (d *drainSchedule) acceptRead(r *Request, now sim.Cycle, clock uint64) blockedBy {
	ch := d.channel
	cfg := &ch.c.cfg
	if ch.reads+ch.answers.len() >= cfg.ReadQueue+cfg.ReturnQueue {
		return returnQueueFull
	}
	if ch.forwards(r) {
		ch.forward(r, now, clock)
		return notBlocked
	}
	if ch.reads >= cfg.ReadQueue {
		return readQueueFull
	}
	_, why := ch.acceptRead(r, now, clock)
	return why
}

func (d *drainSchedule) acceptWrite(r *Request, now sim.Cycle, clock uint64) blockedBy {
	ch := d.channel
	cfg := &ch.c.cfg
	if ch.writes >= cfg.WriteQueue {
		return writeQueueFull
	}
	if r.Ack && ch.answers.len() >= cfg.ReadQueue+cfg.ReturnQueue {
		return returnQueueFull
	}
	return ch.acceptWrite(r, now, clock)
}

// run does all work up to and including DRAM cycle now.
func (d *drainSchedule) run(now uint64) {
	for {
		at := d.events.dueAt()
		before := min(at, now+1)
		switch {
		case d.link == nil:
			if d.device.Run(before) {
				continue
			}
		case d.moveBoth(before):
			continue
		}
		if at > now {
			return
		}
		v := *d.events.first()
		d.events.drop()
		if v.kind == eventReady {
			d.ready(int16(v.index), at)
		} else {
			d.fill(v.index, at)
		}
	}
}

// moveBoth runs the steps of both backings before a cycle, in the order of their cycles,
// until one is stopped. It reports whether one was stopped.
func (d *drainSchedule) moveBoth(before uint64) bool {
	for {
		limit, due := before, d.link.Due(true)
		if due < before {
			limit = due + 1
		}
		if d.device.Run(limit) {
			return true
		}
		if due >= before {
			return false
		}
		if d.link.Run(limit) {
			return true
		}
	}
}

func (d *drainSchedule) next(now sim.Cycle, _ uint64, exact bool) sim.Cycle {
	d.stepAt = d.stepBy(now, exact || d.blocked != notBlocked)
	return d.wakeAt(now)
}

// wakeAt returns the base cycle by which the channel must be ticked again after its tick of cycle now.
func (d *drainSchedule) wakeAt(now sim.Cycle) sim.Cycle {
	ch, next := d.channel, d.stepAt
	// An answer that is already due waits for room in a link, and the link wakes us.
	if a := sim.Cycle(ch.answers.dueAt()); a > now {
		next = min(next, a)
	}
	if a := ch.in.NextReady(); a > now {
		next = min(next, a)
	}
	return next
}

// stepBy returns the base cycle by which the channel must be run. Only the replies of a
// backing are visible outside, so a step may run late, as long as it runs before its data
// could be sent. If a request waits for room, steps run at their cycles (exact), because a
// step may make room.
func (d *drainSchedule) stepBy(now sim.Cycle, exact bool) sim.Cycle {
	at, lead := min(d.events.dueAt(), d.device.Due(exact)), d.device.LeadCycles()
	if d.empty > 0 {
		lead = 0 // an event may complete a block, and no data have to move before its answer
	}
	if d.acks > 0 {
		lead = min(lead, d.c.timing.WL+d.c.timing.BurstCycles)
	}
	if d.link != nil {
		at, lead = min(at, d.link.Due(exact)), min(lead, d.link.LeadCycles())
	}
	switch {
	case at == never:
		return sim.Never
	case exact:
		return max(d.base(at), now+1)
	}
	return max(d.base(at+lead)+sim.Cycle(d.c.cfg.FixedLatencyCycles), now+1)
}

// after schedules an event for DRAM cycle at.
func (d *drainSchedule) after(at uint64, kind eventKind, index int32) {
	d.events.add(at, event{kind: kind, index: index})
}

func (d *drainSchedule) take(i int16, p *pending, t *Transfer, from uint64) {
	if t.Bursts != 0 {
		d.device.Take(i, t, from)
	}
	if t.Bursts = p.placed.Parts[InLink]; t.Bursts != 0 {
		d.link.Take(i, t, from)
	}
}

func (d *drainSchedule) start(i int16, p *pending, at uint64) {
	if p.parts>>InDevice&1 != 0 {
		d.device.Start(i, at)
	}
	if p.parts>>InLink&1 != 0 {
		d.link.Start(i, at)
	}
	if p.parts>>inMetadata&1 != 0 {
		d.Moved(inMetadata, i, Moved{First: at, Column: at, Last: at, End: at})
	}
}

func (d *drainSchedule) startLater(i int16, at uint64) { d.after(at, eventReady, int32(i)) }

// filled stops the device, because blocks that waited for the line may begin.
func (d *drainSchedule) filled(line int32, at uint64) (stop bool) {
	d.after(at, eventFill, line)
	return true
}

func (d *drainSchedule) answerAt(at uint64) uint64 {
	return uint64(d.base(at)) + uint64(d.c.cfg.FixedLatencyCycles)
}

func (d *drainSchedule) catchUp(clock uint64) {
	d.device.CatchUp(clock)
	if d.link != nil {
		d.link.CatchUp(clock)
	}
}

func (d *drainSchedule) settle(_ sim.Cycle, local uint64) {
	d.run(local)
	d.catchUp(local)
	d.device.Settle(local)
}

func (d *drainSchedule) explain(w *Waiting, now sim.Cycle) {
	w.ReplyBlocked = d.answers.dueAt() < uint64(now)
	if sc := &d.device; sc.decided && sc.choice.at != never {
		w.NextCommandCycle = d.base(sc.choice.at)
	}
}

func (d *drainSchedule) idle() bool { return d.events.len() == 0 }

func (d *drainSchedule) port() *dramPort { return &d.device.dramPort }

func (d *drainSchedule) state(t *tape.Tape) {
	if t.Loading() {
		d.stepAt = 0
	}
	d.device.State(t)
	d.events.state(t)
}
