package memctrl

import (
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
)

// scheduler moves the bursts in device memory: the queues of a DRAM channel's banks,
// the choice of the next command, refresh, row policy and the account of the data
// bus. Package dram knows which command is legal when.
type scheduler struct {
	schedulerState
	front Front
	entry entries // by number of transfer
	dramPort
}

// schedulerState is the part of a scheduler that changes while running, without the
// entries and the device.
type schedulerState struct {
	choice   choice
	frontier uint64    // DRAM cycle up to which everything is decided
	waiting  [2]uint32 // banks with reads, with writes that may be scheduled
	started  uint32    // banks whose current entry has had a command
	planned  uint32    // banks whose next command is known
	need     [4]uint32 // banks by their next command
	closing  uint32    // banks whose row the policy will close
	columns  int       // banks in byAge
	seq      uint64
	decided  bool
	draining bool
	serving  int    // 0 reads, 1 writes
	ready    [2]int // reads, writes that may be scheduled
	taken    [4]int // transfers by class, started or not

	byAge      [dram.MaxBanks]uint8  // banks that need a column command, oldest entry first
	age        [dram.MaxBanks]uint64 // of their entries
	bank       [dram.MaxBanks]bank
	closeAt    [dram.MaxBanks]uint64 // not before this cycle
	rowTimeout [dram.MaxBanks]uint32 // cycles after the last burst
}

// bank is the schedule of one bank.
type bank struct {
	list    [2]list // reads, writes in order of acceptance
	current int16   // entry being served
	passed  int     // blocks that passed the oldest block since it became the oldest
	opened  bool    // row opened and not yet used

	closedRow      uint32 // last row closed by policy
	closedByPolicy bool   // and nothing opened since
}

// choice is the next command.
type choice struct {
	at    uint64
	entry int16 // none if the command is for no transfer
	bank  uint8
	cmd   dram.Command
}

func (sc *scheduler) init(front Front, cfg *Config, timing *dram.Timing, env *Env, unit, transfers int) {
	sc.dramPort = newDRAMPort(cfg, timing, env, unit)
	sc.front, sc.entry = front, make(entries, transfers)
	for i := range sc.bank {
		sc.bank[i] = bank{list: [2]list{{none, none}, {none, none}}, current: none}
		sc.rowTimeout[i] = uint32(cfg.RowTimeoutCycles)
	}
}

// LeadCycles is the time from the command of a read to the end of its data.
func (sc *scheduler) LeadCycles() uint64 { return sc.timing.CL + sc.timing.BurstCycles }

// Due returns the cycle of the next command. Closing a row by policy can wait until the
// next call.
func (sc *scheduler) Due(exact bool) uint64 {
	if !sc.decided {
		sc.decide()
	}
	if sc.planned == 0 && (!exact || sc.taken == [4]int{}) {
		return never // closing rows by policy does not keep the engine awake, whoever watches
	}
	return sc.choice.at
}

// Run issues the commands that are due before a cycle.
func (sc *scheduler) Run(before uint64) (stopped bool) {
	for {
		if !sc.decided {
			sc.decide()
		}
		v := sc.choice
		if v.at >= before {
			return false
		}
		sc.decided = false
		switch {
		case v.entry == none:
			sc.frontier = v.at
			sc.issueUnasked(v)
		case v.cmd < dram.Read:
			sc.frontier = v.at
			sc.issueRow(v)
		default:
			if sc.bursts(v, before) {
				return true
			}
		}
	}
}

// Take queues a transfer with its place in DRAM.
func (sc *scheduler) Take(i int16, t *Transfer, from uint64) {
	if t.Class.writes() != 0 || sc.choice.at < from {
		sc.decided = false
	}
	sc.seq++
	sc.taken[t.Class]++
	e := &sc.entry[i]
	e.Transfer, e.seq = *t, sc.seq
	e.bank, e.row = sc.cfg.Map.RowOf(t.Local)
	e.begun, e.first, e.column = false, 0, 0
	sc.frontier = max(sc.frontier, from)
}

// Start makes an entry a candidate for scheduling.
func (sc *scheduler) Start(i int16, from uint64) {
	e := &sc.entry[i]
	b := &sc.bank[e.bank]
	w := e.Class.writes()
	sc.frontier = max(sc.frontier, from)
	known := sc.decided && sc.remains(b, e, from)
	sc.decided = known
	if sc.ready[0]+sc.ready[1] == 0 {
		sc.workSince = sc.frontier
	}
	if sc.closing>>e.bank&1 != 0 {
		if row, _ := sc.dram.OpenRow(int(e.bank)); row == e.row {
			sc.closing &^= 1 << e.bank
		}
	}
	sc.entry.append(&b.list[w], i)
	sc.waiting[w] |= 1 << e.bank
	sc.ready[w]++
	// A choice without an issued command is made again.
	if sc.started>>e.bank&1 == 0 && !known {
		b.current = none
		sc.unplan(e.bank)
	}
}

// remains reports whether the next command stays the same although an entry becomes a candidate
// from a cycle on: it does not change what is served, and its bank has an entry to serve that goes
// before it.
func (sc *scheduler) remains(b *bank, e *entry, from uint64) bool {
	if e.Class.writes() != 0 || sc.choice.at < from || sc.ready[0] == 0 || sc.closing != 0 {
		return false
	}
	if sc.started>>e.bank&1 != 0 || sc.serving != 0 && sc.waiting[sc.serving]>>e.bank&1 == 0 {
		return true
	}
	if b.current == none || sc.planned>>e.bank&1 == 0 {
		return false
	}
	// Choosing again must find the same entry, as choose does: a refresh may have closed its row. That counts for writes too:
	// a read that starts while they are served makes the bank choose again.
	if row, open := sc.dram.OpenRow(int(e.bank)); open && b.passed < sc.cfg.RowHitCap {
		if sc.entry[b.current].row == row {
			return true
		}
		if sc.serving == 0 && e.row == row {
			return false
		}
	}
	return b.current == b.list[sc.serving].head
}

// issueRow issues the row command chosen for an entry.
func (sc *scheduler) issueRow(v choice) {
	n := int(v.bank)
	b := &sc.bank[n]
	s := sc.stats()
	e := &sc.entry[v.entry]
	sc.started |= 1 << n
	if e.first == 0 {
		e.first = v.at
	}
	sc.unplan(uint8(n))
	if v.cmd == dram.Activate {
		sc.give(dram.Activate, n, e.row, v.at)
		b.opened = true
		if b.closedByPolicy {
			b.closedByPolicy = false
			if b.closedRow == e.row {
				sc.adapt(n, true)
			}
		}
		s[stat.Activates]++
		sc.emitRow(probe.KindActivate, e, v.at, e.row)
		return
	}
	row, _ := sc.dram.OpenRow(n)
	sc.give(dram.Precharge, n, row, v.at)
	sc.closing &^= 1 << n
	sc.adapt(n, false)
	s[stat.Precharges]++
	sc.emitRow(probe.KindPrecharge, e, v.at, row)
}

// bursts issues the column command chosen for an entry, and those that follow before a cycle while the next
// one is known without a decision. It reports whether this completes a transfer at which the front stops the
// scheduler.
func (sc *scheduler) bursts(v choice, before uint64) (stop bool) {
	follows := sc.follows(v.cmd)
	for {
		b := &sc.bank[v.bank&(dram.MaxBanks-1)]
		e := &sc.entry[v.entry]
		sc.started |= 1 << (v.bank & (dram.MaxBanks - 1))
		if e.first == 0 {
			e.first = v.at
		}
		end := sc.burst(v.cmd, e, v.at)
		if !b.opened {
			sc.stats()[stat.RowHits]++
		}
		b.opened = false
		if e.Bursts &= e.Bursts - 1; e.Bursts == 0 {
			sc.frontier = v.at
			sc.finish(v.entry, v.at)
			return sc.front.Moved(InDevice, v.entry, Moved{First: e.first, Column: e.column, Last: v.at, End: end})
		}
		i, at := 0, uint64(never)
		if follows {
			i, at = sc.dram.FirstColumn(v.cmd, sc.byAge[:sc.columns], v.at)
		}
		if at >= sc.refreshDue {
			sc.frontier = v.at
			return false
		}
		last := v.at
		v.at, v.bank = at, sc.byAge[i]
		v.entry = sc.bank[v.bank&(dram.MaxBanks-1)].current
		if at >= before {
			sc.frontier, sc.choice, sc.decided = last, v, true
			return false
		}
	}
}

// finish removes an entry from its bank. Its last burst was commanded at cycle at.
func (sc *scheduler) finish(i int16, at uint64) {
	e := &sc.entry[i]
	b := &sc.bank[e.bank]
	w := e.Class.writes()
	if b.list[w].head == i {
		b.passed = 0
	} else {
		b.passed++
	}
	sc.entry.remove(&b.list[w], i)
	b.current = none
	sc.unplan(e.bank)
	sc.started &^= 1 << e.bank
	if b.list[w].head == none {
		sc.waiting[w] &^= 1 << e.bank
	}
	sc.ready[w]--
	sc.taken[e.Class]--
	if sc.cfg.RowPolicy != RowOpen {
		sc.closeLater(int(e.bank), at)
	}
}
