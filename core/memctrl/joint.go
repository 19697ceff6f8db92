package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
)

// joint is the schedule of GPGPU-Sim 3.2.1 (dram.cc, dram_sched.cc): reads and writes wait
// in one queue. In each clock, in this order,
//
//	the oldest transfer under way ends, if the return queue has room,
//	a request enters the queue, if it has room,
//	a bank without a request takes one from the queue,
//	one command is given.
//
// Banks are looked through from one that rotates. Only clocks in which something can happen
// are stepped through.
type joint struct {
	dramPort
	front jointFront
	// answers is the return queue, which the front owns.
	answers *timeline[Reply]

	entry    entries
	entering timeline[int16] // requests on their way to the queue, by the clock in which they may enter
	moving   timeline[int16] // requests whose last burst is under way, by shift of the pipe
	pipe     uint64          // places of the pipe after the first
	jointState
}

// jointFront is the owner of a joint schedule.
type jointFront interface {
	Front
	// commanded is called when the last burst of a transfer has been commanded.
	commanded(i int16, clock uint64)
}

// jointState is the part of a joint schedule that changes while running, without entries,
// timelines and device.
type jointState struct {
	bank    [dram.MaxBanks]jointBank
	queued  uint32    // banks with requests in the queue
	busy    uint32    // banks that serve a request
	need    [4]uint32 // busy banks by their next command
	length  int       // requests in the queue
	delayed int       // blocks that are not yet in the queue
	first   int       // bank that is looked at first

	done      uint64 // clocks before this one are done
	next      uint64 // no step is possible before this clock
	commandAt uint64 // no command is possible before this clock
	blocked   bool   // column commands wait until the pipe moves

	// Data are in a pipe between their command and the return queue. It moves in every
	// clock in which the return queue has room, so that it can only be full after a clock in which it did not move.
	stalls    uint64 // clocks before pipeAt in which the pipe did not move
	pipeAt    uint64
	lastShift uint64 // shift in which the last burst leaves the pipe

	// closeAt is the first clock in which a bank of a group may be precharged after a
	// read of the group.
	closeAt [dram.MaxGroups]uint64
}

// jointBank is one bank.
type jointBank struct {
	list    list         // requests in the queue, in order of entering
	current int16        // request being served
	opened  bool         // row opened and not yet used
	need    dram.Command // next command, if it serves a request
}

func newJoint(front jointFront, answers *timeline[Reply], cfg *Config, timing *dram.Timing, env *Env, unit, transfers int) joint {
	j := joint{
		dramPort: newDRAMPort(cfg, timing, env, unit), front: front, answers: answers, entry: make(entries, transfers),
		entering: newTimeline[int16](transfers),
		// At most one burst leaves the pipe in a clock.
		moving: newTimeline[int16](cfg.pipeClocks() + 2), pipe: uint64(cfg.pipeClocks()),
	}
	j.next, j.commandAt = never, never
	for i := range j.bank {
		j.bank[i] = jointBank{list: list{none, none}, current: none}
	}
	return j
}

// Take records a transfer with its place in DRAM.
func (j *joint) Take(i int16, t *Transfer) {
	e := &j.entry[i]
	e.Transfer = *t
	e.bank, e.row = j.cfg.Map.RowOf(t.Local)
	e.begun, e.first, e.column = false, 0, 0
	if t.Class <= WriteBlock {
		j.delayed++
	}
}

// Start lets a transfer enter the queue from a clock on. Transfers enter in the order of
// these clocks.
func (j *joint) Start(i int16, from uint64) {
	j.entering.add(from, i)
	if j.hasRoom() {
		j.next = min(j.next, max(j.done, from))
	}
}

// hasRoom reports whether the queue has room.
func (j *joint) hasRoom() bool { return j.length < j.cfg.Queue }

// mayEnter reports whether the first request on its way may enter the queue: there is room, or room for the answer of a
// block without a part in DRAM.
func (j *joint) mayEnter() bool {
	if !j.hasRoom() {
		return false
	}
	return !j.returnFull() || j.entering.len() == 0 || j.entry[*j.entering.first()].Bursts != 0
}

// roomFrom returns a clock before which a full queue stays full: a request leaves it when its bank has
// none, which is in the clock after the last burst of the request that the bank serves.
func (j *joint) roomFrom() uint64 {
	if j.blocked || j.queued&^j.busy != 0 {
		return j.next
	}
	bursts := mem.LineBytes / j.timing.BurstBytes
	for m := j.queued; m != 0; m &= m - 1 {
		e := &j.entry[j.bank[bits.TrailingZeros32(m)].current]
		bursts = min(bursts, bits.OnesCount8(e.Bursts))
	}
	return max(j.next, j.commandAt+uint64(bursts-1)*j.timing.CCDS+1)
}

// runBefore does all clocks before one.
func (j *joint) runBefore(clock uint64) {
	for j.next < clock {
		j.step(j.next)
	}
	j.done = max(j.done, clock)
}

// run does one clock. All clocks before it are done.
func (j *joint) run(clock uint64) {
	if j.next <= clock {
		j.step(clock)
	}
	j.done = clock + 1
}

func (j *joint) step(clock uint64) {
	j.done = clock
	j.settlePipe(clock)
	j.pipeAt = clock + 1
	if j.returnFull() {
		j.stalls++
	} else {
		j.complete(clock)
	}
	if j.entering.dueAt() <= clock && j.mayEnter() {
		j.enter(clock)
	}
	if j.queued&^j.busy != 0 {
		j.serve(clock)
	}
	if j.commandAt <= clock && j.busy != 0 {
		j.command(clock)
	}
	// The clock of the next step:
	next := uint64(never)
	if j.busy != 0 {
		next = j.commandAt
	}
	if j.queued&^j.busy != 0 {
		next = clock + 1
	}
	if j.mayEnter() {
		next = min(next, j.entering.dueAt())
	}
	j.next = max(min(next, j.endOfMoving()), clock+1)
}

// returnFull reports whether the return queue has no room.
func (j *joint) returnFull() bool { return j.answers.len() >= j.cfg.ReturnQueue }

// endOfMoving returns the clock in which the first request under way ends.
func (j *joint) endOfMoving() uint64 {
	if j.moving.len() == 0 || j.returnFull() {
		return never
	}
	return j.moving.dueAt() + j.stalls
}

// settlePipe counts the clocks before one in which the pipe did not move. It is called
// before the return queue changes.
func (j *joint) settlePipe(clock uint64) {
	if clock <= j.pipeAt {
		return
	}
	if j.returnFull() {
		j.stalls += clock - j.pipeAt
	}
	j.pipeAt = clock
}

// returned is called before an entry leaves the return queue in a clock whose step is yet to
// come.
func (j *joint) returned(clock uint64) {
	j.settlePipe(clock)
	if j.returnFull() {
		j.next = clock
	}
}

// complete moves the pipe. What leaves it is complete.
func (j *joint) complete(clock uint64) {
	if j.blocked {
		j.blocked, j.commandAt, j.workSince = false, clock, max(j.workSince, clock)
	}
	if j.moving.dueAt() == clock-j.stalls {
		i := *j.moving.first()
		j.moving.drop()
		e := &j.entry[i]
		j.front.Moved(InDevice, i, Moved{First: e.first, Column: e.column, Last: clock, End: clock})
	}
}

// enter puts a request into the queue of its bank.
func (j *joint) enter(clock uint64) {
	i := *j.entering.first()
	j.entering.drop()
	e := &j.entry[i]
	if e.Class <= WriteBlock {
		j.delayed--
	}
	if e.Bursts == 0 {
		j.front.Moved(inMetadata, i, Moved{First: clock, Column: clock, Last: clock, End: clock})
		return
	}
	if j.queued|j.busy == 0 {
		j.refreshBefore(clock)
		j.workSince = clock
	}
	j.length++
	j.entry.append(&j.bank[e.bank].list, i)
	j.queued |= 1 << e.bank
}

// serve gives a request to a bank that has none and requests in the queue: the oldest of the row that is or was open,
// else the oldest.
func (j *joint) serve(clock uint64) {
	n := firstBank(j.queued&^j.busy, j.first)
	b := &j.bank[n]
	row, open := j.dram.OpenRow(n)
	i := b.list.head
	for i != none && j.entry[i].row != row {
		i = j.entry[i].next
	}
	if i == none {
		i = b.list.head
	}
	j.entry.remove(&b.list, i)
	if b.list.head == none {
		j.queued &^= 1 << n
	}
	j.length--
	j.first = (j.first + 1) & (j.timing.Banks - 1)
	b.current = i
	j.busy |= 1 << n
	e := &j.entry[i]
	need := dram.Read + dram.Command(e.Class.writes())
	if !open {
		need = dram.Activate
	} else if row != e.row {
		need = dram.Precharge
	}
	j.must(need, need, n)
	j.asked(need, n, clock)
}

// asked finds the clock of the next command when a bank needs one.
func (j *joint) asked(cmd dram.Command, n int, clock uint64) {
	if j.commandAt <= clock || clock >= j.refreshDue || j.pipeFull(clock) {
		j.commandAt = clock // command looks at all banks
		return
	}
	// Nothing has changed for the other banks.
	at := j.floor(cmd)
	if at <= clock {
		at = j.earliest(cmd, n)
	}
	j.commandAt = max(clock, min(j.commandAt, at))
}

// pipeFull reports whether all places of the pipe are taken.
func (j *joint) pipeFull(clock uint64) bool { return j.lastShift > clock-j.stalls+j.pipe }

// firstBank returns the first bank of a set that is not empty, beginning at one.
func firstBank(set uint32, first int) int {
	if later := set &^ (1<<(first&(dram.MaxBanks-1)) - 1); later != 0 {
		set = later
	}
	return bits.TrailingZeros32(set)
}

// command gives the command of the first bank that can have it, or finds the clock before
// which none can.
func (j *joint) command(clock uint64) {
	may, next, held := uint32(0), j.refreshDue, uint32(0)
	if clock >= j.refreshDue {
		v := j.refreshStep(clock)
		if v.at <= clock {
			j.refresh(v)
			j.commandAt = clock + 1
			return
		}
		next, held = v.at, ^uint32(0)
		if j.timing.RefreshPerBank {
			held = 1 << j.refreshBank
		}
	}
	if reads, writes := j.need[dram.Read], j.need[dram.Write]; reads|writes != 0 {
		if j.pipeFull(clock) {
			j.blocked = true
		} else {
			if reads &^= held; reads != 0 {
				may, next = consider(may, next, reads, j.dram.ColumnFloor(dram.Read), clock)
			}
			if writes &^= held; writes != 0 {
				may, next = consider(may, next, writes, j.dram.ColumnFloor(dram.Write), clock)
			}
		}
	}
	if banks := j.need[dram.Activate] &^ held; banks != 0 {
		may, next = consider(may, next, banks, j.dram.ActivateFloor(), clock)
	}
	if banks := j.need[dram.Precharge] &^ held; banks != 0 {
		may, next = consider(may, next, banks, j.dram.RowFloor(), clock)
	}
	for may != 0 {
		n := firstBank(may, j.first)
		may &^= 1 << n
		cmd := j.bank[n].need
		at := j.earliest(cmd, n)
		if at <= clock {
			j.issue(cmd, n, clock)
			j.commandAt = j.after(clock)
			return
		}
		next = min(next, at)
	}
	j.commandAt = next
}

// consider adds banks to those that may have their command, or a floor of theirs to the next clock.
func consider(may uint32, next uint64, banks uint32, floor, clock uint64) (uint32, uint64) {
	if floor <= clock {
		return may | banks, next
	}
	return may, min(next, floor)
}

// after returns the clock in which command must be asked again after a command. It is the next one,
// or what command would find in the next one.
func (j *joint) after(clock uint64) uint64 {
	clock++
	if j.blocked || clock >= j.refreshDue || j.returnFull() {
		return clock // a pipe that does not move may be full in the next clock
	}
	next := j.refreshDue
	if j.need[dram.Read] != 0 {
		next = min(next, j.dram.ColumnFloor(dram.Read))
	}
	if j.need[dram.Write] != 0 {
		next = min(next, j.dram.ColumnFloor(dram.Write))
	}
	if next <= clock {
		return clock
	}
	if banks := j.need[dram.Activate]; banks != 0 {
		next = min(next, j.afterRow(dram.Activate, banks, clock))
	}
	if banks := j.need[dram.Precharge]; banks != 0 {
		next = min(next, j.afterRow(dram.Precharge, banks, clock))
	}
	return max(next, clock)
}

// afterRow is after for banks that need a command of their row.
func (j *joint) afterRow(cmd dram.Command, banks uint32, clock uint64) uint64 {
	if floor := j.floor(cmd); floor > clock {
		return floor
	}
	next := uint64(never)
	for ; banks != 0; banks &= banks - 1 {
		next = min(next, j.earliest(cmd, bits.TrailingZeros32(banks)))
	}
	return next
}

// floor is a clock before which no bank can have a command.
func (j *joint) floor(cmd dram.Command) uint64 {
	switch cmd {
	case dram.Activate:
		return j.dram.ActivateFloor()
	case dram.Precharge:
		return j.dram.RowFloor()
	}
	return j.dram.ColumnFloor(cmd)
}

// must makes a command the next one of a bank, in place of the bank's earlier next command.
func (j *joint) must(cmd, before dram.Command, n int) {
	j.need[before] &^= 1 << n
	j.need[cmd] |= 1 << n
	j.bank[n].need = cmd
}

// earliest returns the first clock in which a bank may have its next command.
func (j *joint) earliest(cmd dram.Command, n int) uint64 {
	switch cmd {
	case dram.Activate:
		return j.dram.EarliestRow(cmd, n)
	case dram.Precharge:
		return max(j.dram.EarliestRow(cmd, n), j.closeAt[j.timing.GroupOf(n)])
	}
	return j.dram.EarliestColumn(cmd, n)
}

// issue gives the next command of a bank.
func (j *joint) issue(cmd dram.Command, n int, clock uint64) {
	b := &j.bank[n]
	s := j.stats()
	e := &j.entry[b.current]
	if e.first == 0 {
		e.first = clock
	}
	switch cmd {
	case dram.Activate:
		j.give(cmd, n, e.row, clock)
		b.opened = true
		j.must(dram.Read+dram.Command(e.Class.writes()), dram.Activate, n)
		j.first = (n + 1) & (j.timing.Banks - 1)
		s[stat.Activates]++
		j.emitRow(probe.KindActivate, e, clock, e.row)
	case dram.Precharge:
		row, _ := j.dram.OpenRow(n)
		j.give(cmd, n, row, clock)
		j.must(dram.Activate, dram.Precharge, n)
		j.first = (n + 1) & (j.timing.Banks - 1)
		s[stat.Precharges]++
		j.emitRow(probe.KindPrecharge, e, clock, row)
	default:
		j.column(cmd, n, clock)
	}
}

// column gives a column command for the request that a bank serves.
func (j *joint) column(cmd dram.Command, n int, clock uint64) {
	b := &j.bank[n]
	e := &j.entry[b.current]
	if !b.opened {
		j.stats()[stat.RowHits]++
	}
	b.opened = false
	j.burst(cmd, e, clock)
	latency := j.timing.WL
	if cmd == dram.Read {
		latency = j.timing.CL
		j.closeAt[j.timing.GroupOf(n)] = clock + j.timing.RTPL
	}
	// The pipe has moved in this clock already, so that data without latency leave it in the next one.
	j.lastShift = max(clock-j.stalls+max(latency, 1), j.lastShift+1)
	if e.Bursts &= e.Bursts - 1; e.Bursts == 0 {
		j.front.commanded(b.current, clock)
		j.moving.add(j.lastShift, b.current)
		b.current = none
		j.busy &^= 1 << n
		j.need[cmd] &^= 1 << n
	}
}

// refresh gives a command of a refresh.
func (j *joint) refresh(v choice) {
	n := int(v.bank)
	row, _ := j.dram.OpenRow(n)
	j.give(v.cmd, n, row, v.at)
	if v.cmd != dram.Precharge {
		j.refreshed(v)
		return
	}
	j.bank[n].opened = false
	if j.busy>>n&1 != 0 {
		j.must(dram.Activate, j.bank[n].need, n)
	}
	j.stats()[stat.Precharges]++
	j.emitClose(n, v.at, row)
}

// refreshBefore gives the commands of refreshes that fell due before a clock while there was
// no request. Refreshes do not keep the engine awake.
func (j *joint) refreshBefore(clock uint64) {
	for j.refreshDue < clock {
		v := j.refreshStep(0)
		if v.at >= clock {
			return
		}
		j.refresh(v)
	}
}
