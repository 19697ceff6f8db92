package memctrl

import (
	"math"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// never is the DRAM cycle of what will not happen by itself.
const never = math.MaxUint64

// channel is one DRAM channel with its queues.
type channel struct {
	c      *Controller
	number int // within the controller
	in     *sim.Link[Request]
	out    *sim.Link[Reply]
	watch  dram.Watcher // nil = nobody watches

	blocks  blocks
	encoded encoded // paranoid only
	pool    pool
	events  timeline[event]
	answers timeline[Reply]
	channelState
}

// channelState is everything about a channel that can be copied by assignment.
type channelState struct {
	dram dram.Channel
	plainState
}

// plainState is what of it has no pointers.
type plainState struct {
	bank     [dram.MaxBanks]bank
	waiting  [2]uint32             // banks with reads, with writes that may be scheduled
	started  uint32                // banks whose current entry has had a command
	planned  uint32                // banks whose next command is known
	need     [4]uint32             // banks by their next command
	age      [dram.MaxBanks]uint64 // of their entries
	byAge    [dram.MaxBanks]uint8  // banks that need a column command, oldest entry first
	columns  int                   // how many
	frontier uint64                // DRAM cycle up to which everything is decided
	seq      uint64

	ready       [2]int // reads, writes that may be scheduled
	reads       int    // block reads waiting for DRAM
	writes      int    // block writes
	metaReads   int
	metaWrites  int
	serving     int // 0 reads, 1 writes
	draining    bool
	refreshDue  uint64
	refreshBank int // whose turn it is, when banks are refreshed in turn
	rests       [dram.MaxBanks]rest
	settled     uint64 // DRAM cycles counted

	closing    uint32                // banks whose row is to be closed by policy
	closeAt    [dram.MaxBanks]uint64 // not before this cycle
	rowTimeout [dram.MaxBanks]uint32 // cycles after the last burst

	openSince            uint64 // cycle from which a row has been open, and counted
	workSince            uint64 // cycle from which there has been a block to schedule
	busEnd               uint64 // cycle up to which the data bus is accounted for
	busPending, busAhead uint64 // as last shown
	blocked              blockedBy
	decided              bool
	choice               choice
	writeFilter          [256]uint8 // pending writes by a hash of their address
}

// bank is the schedule of one bank.
type bank struct {
	list    [2]list // reads, writes in order of acceptance
	current int16   // entry being served
	passed  int     // blocks that passed the oldest since it became that
	opened  bool    // row opened and not yet used

	closedRow      uint32 // last row closed by policy
	closedByPolicy bool   // and nothing opened since
}

// choice is the next command.
type choice struct {
	at    uint64
	entry int16 // none for what no block asked for
	bank  uint8
	cmd   dram.Command
}

func (ch *channel) init(c *Controller, number int) {
	cfg := &c.cfg
	ch.c, ch.number = c, number
	n := cfg.ReadQueue + cfg.WriteQueue + 2*cfg.MetadataQueue
	ch.pool = newPool(n)
	// An entry has one event at a time; a metadata line that is read has one after
	// its entry is gone, at most one for each column command in CL + burst cycles.
	ch.events = newTimeline[event](n + int(c.timing.CL+c.timing.BurstCycles))
	ch.answers = newTimeline[Reply](cfg.ReadQueue + cfg.ReturnQueue)
	ch.dram = dram.NewChannel(&c.timing)
	ch.refreshDue = never
	if c.timing.REFI > 0 {
		ch.refreshDue = c.timing.REFI
	}
	for i := range ch.bank {
		ch.bank[i] = bank{list: [2]list{{none, none}, {none, none}}, current: none}
		ch.rowTimeout[i] = uint32(cfg.RowTimeoutCycles)
	}
}

func (ch *channel) stats() *stat.Set { return ch.c.env.Stats }
func (ch *channel) tap() *probe.Tap  { return ch.c.env.Tap }

// unit is the channel's number among all channels.
func (ch *channel) unit() uint16 { return uint16(ch.c.cfg.FirstChannel + ch.number) }

func (ch *channel) base(local uint64) sim.Cycle { return ch.c.cfg.Clock.Base(local) }

// run does everything up to and including DRAM cycle now.
func (ch *channel) run(now uint64) {
	for {
		if !ch.decided {
			ch.decide()
		}
		at := ch.events.dueAt()
		if min(at, ch.choice.at) > now {
			return
		}
		if at <= ch.choice.at {
			ch.frontier = max(ch.frontier, at)
			v := *ch.events.first()
			ch.events.drop()
			ch.happen(v)
		} else {
			ch.frontier = ch.choice.at
			ch.issue(ch.choice)
		}
		ch.decided = false
	}
}

// next returns the base cycle by which the channel must be ticked. What happens
// in DRAM is seen outside only by its replies, so commands need not be given at
// their cycle but before their data could be sent; unless a request waits for
// room, which a command makes (exact).
func (ch *channel) next(now sim.Cycle, exact bool) sim.Cycle {
	if !ch.decided {
		ch.decide()
	}
	next := sim.Never
	at := ch.events.dueAt()
	// A row closed by policy can wait until somebody looks.
	if ch.planned != 0 || exact {
		at = min(at, ch.choice.at)
	}
	if at != never {
		if exact {
			next = ch.base(at)
		} else {
			t := &ch.c.timing
			next = ch.base(at+t.CL+t.BurstCycles) + sim.Cycle(ch.c.cfg.FixedLatencyCycles)
		}
	}
	// What is due already waits for room in a link, which wakes us.
	if a := sim.Cycle(ch.answers.dueAt()); a > now {
		next = sim.Min(next, a)
	}
	if a := ch.in.NextReady(); a > now {
		next = sim.Min(next, a)
	}
	return max(next, now+1)
}

func (ch *channel) happen(v event) {
	switch v.kind {
	case eventReady:
		ch.pool.entry[v.index].ready = ch.frontier
		ch.enqueue(v.index)
	case eventFill:
		l := &ch.c.metadata.line[v.index]
		l.pending = false
		for i := l.waiters; i != none; {
			e := &ch.pool.entry[i]
			e.ready = ch.frontier
			ch.enqueue(i)
			i = e.waitNext
		}
		l.waiters = none
	}
}

// after puts off an event until DRAM cycle at.
func (ch *channel) after(at uint64, kind eventKind, index int16) {
	ch.events.add(at, event{kind: kind, index: index})
}

// enqueue makes an entry a candidate for scheduling.
func (ch *channel) enqueue(i int16) {
	e := &ch.pool.entry[i]
	b := &ch.bank[e.bank]
	w := e.class.writes()
	if ch.ready[0]+ch.ready[1] == 0 {
		ch.workSince = ch.frontier
	}
	if ch.closing>>e.bank&1 != 0 {
		if row, _ := ch.dram.OpenRow(int(e.bank)); row == e.row {
			ch.closing &^= 1 << e.bank
		}
	}
	ch.pool.append(&b.list[w], i)
	ch.waiting[w] |= 1 << e.bank
	ch.ready[w]++
	// A choice that has not cost a command yet is made anew.
	if ch.started>>e.bank&1 == 0 {
		b.current = none
		ch.unplan(1 << e.bank)
	}
}

// issue gives the chosen command.
func (ch *channel) issue(v choice) {
	n := int(v.bank)
	b := &ch.bank[n]
	s := ch.stats()
	if v.entry == none {
		ch.issueUnasked(v)
		return
	}
	e := &ch.pool.entry[v.entry]
	ch.started |= 1 << n
	if e.first == 0 {
		e.first = v.at
	}
	switch v.cmd {
	case dram.Activate:
		ch.give(dram.Activate, n, e.row, v.at)
		b.opened = true
		ch.unplan(1 << n)
		if b.closedByPolicy {
			b.closedByPolicy = false
			if b.closedRow == e.row {
				ch.adapt(n, true)
			}
		}
		s[stat.Activates]++
		ch.emitRow(probe.KindActivate, e, v.at, e.row)
	case dram.Precharge:
		row, _ := ch.dram.OpenRow(n)
		ch.give(dram.Precharge, n, row, v.at)
		ch.unplan(1 << n)
		ch.closing &^= 1 << n
		ch.adapt(n, false)
		s[stat.Precharges]++
		ch.emitRow(probe.KindPrecharge, e, v.at, row)
	default:
		ch.countBus(v.cmd, n, v.at)
		end := ch.give(v.cmd, n, e.row, v.at)
		if !b.opened {
			s[stat.RowHits]++
		}
		b.opened = false
		ch.countBurst(e)
		ch.emitBurst(v.cmd, e, v.at)
		if !e.begun {
			e.begun, e.column = true, v.at
		}
		e.bursts &= e.bursts - 1
		if e.bursts == 0 {
			ch.finish(v.entry, v.at, end)
		}
	}
}

// give gives the device a command.
func (ch *channel) give(cmd dram.Command, bank int, row uint32, at uint64) (dataEnd uint64) {
	if ch.watch != nil {
		ch.watch.Command(cmd, bank, row, at)
	}
	if cmd >= dram.Read {
		return ch.dram.Issue(cmd, bank, row, at)
	}
	before := ch.dram.OpenBanks()
	ch.dram.Issue(cmd, bank, row, at)
	if after := ch.dram.OpenBanks(); before == 0 {
		ch.openSince = at
	} else if after == 0 {
		ch.stats()[stat.RowsOpenCycles] += at - ch.openSince
	}
	return at
}

func (ch *channel) countBurst(e *entry) {
	s, mag := ch.stats(), uint64(ch.c.timing.BurstBytes)
	switch e.class {
	case readBlock:
		s[stat.BurstsRead]++
		s[stat.DRAMReadBytes] += mag
	case writeBlock:
		s[stat.BurstsWritten]++
		s[stat.DRAMWriteBytes] += mag
	case readMetadata:
		s[stat.BurstsMetadata]++
		s[stat.DRAMReadBytes] += mag
	case writeMetadata:
		s[stat.BurstsMetadata]++
		s[stat.DRAMWriteBytes] += mag
	}
}

// finish takes an entry whose last burst was commanded at cycle at off its bank.
// Its data have passed at cycle end.
func (ch *channel) finish(i int16, at, end uint64) {
	e := &ch.pool.entry[i]
	b := &ch.bank[e.bank]
	w := e.class.writes()
	if b.list[w].head == i {
		b.passed = 0
	} else {
		b.passed++
	}
	ch.pool.remove(&b.list[w], i)
	b.current = none
	ch.unplan(1 << e.bank)
	ch.started &^= 1 << e.bank
	if b.list[w].head == none {
		ch.waiting[w] &^= 1 << e.bank
	}
	ch.ready[w]--
	switch e.class {
	case readBlock:
		ch.reads--
		ch.stats()[stat.ReadQueueOccupancy] += uint64(ch.base(at) - e.arrived)
		ch.countLatency(e, end)
		ch.answer(e, end)
	case writeBlock:
		ch.writes--
		ch.writeFilter[filterSlot(e.addr)]--
	case readMetadata:
		ch.metaReads--
		ch.after(end, eventFill, e.line)
	case writeMetadata:
		ch.metaWrites--
	}
	ch.pool.release(i)
	if ch.c.cfg.RowPolicy != RowOpen {
		ch.closeLater(int(e.bank), at)
	}
}
