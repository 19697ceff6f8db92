package sm

import (
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// The copy unit of an SM (TMA) carries out copies in bulk and with tensor maps, and reports their bytes, while the
// warps that issued them continue. A copy has a place with the registers that its warp had and a scoreboard. Its
// reads and writes take the load/store unit's lines like any other, past L1.
//
//   - An SM begins a copy every 33 cycles at best (FlashGPU-Sim, elect and cp.async.bulk on an H100).
//   - A copy takes 170 cycles more than an ordinary load (Luo et al., arXiv 2501.12084). Of these, 118 lie before the
//     first address here, with the map's own fetch; the write to shared memory and the report to the mbarrier, which a
//     load has not, are the others.
//   - FlashGPU-Sim has at most 384 requests of 128 bytes under way. Here a copy has ptx.CopyDepth parts of 512 bytes.
const (
	copyIntervalCycles = 33
	copyStartCycles    = 118
	// A warp waits with a copy while copyQueue are under way [ours: the length of the unit's queue has not been
	// published]. Warps that have been chosen to issue may still add theirs.
	copyQueue  = 64
	copyPlaces = copyQueue + MaxWarps
)

// copyUnit is the copy unit of an SM. Its places follow the warps of the SM.
type copyUnit struct {
	places []copyPlace // nil without a kernel that copies
	maps   []keptMap   // the one used last is the last
	copyUnitState
}

type copyUnitState struct {
	live    int
	free    sim.Cycle // from when on the unit can begin another copy
	begun   uint32    // copies so far
	waiting uint64    // warps that wait with a copy
	groups  uint64    // warps that wait for their groups
	// Of the warp in each slot: the groups that it has closed, and how many may be open where it waits.
	closed, open [MaxWarps]uint32
	read         uint64 // the wait of the warp is for reads alone
	ofCTA        [MaxWarps]int32
}

// copyPlace is a copy under way.
type copyPlace struct {
	at      sim.Cycle // when it may continue; never while it waits for memory
	begin   int32     // its first instruction
	end     int32     // after its last instruction
	number  uint32
	group   uint32 // of its warp
	owner   uint8  // slot of its warp
	grouped bool
	live    bool
	read    bool // its last instruction has been executed
	fetches bool // its map is under way
}

// copyOf returns the number of instructions of the copy that begins with one, 0 if it does not begin a copy.
func copyOf(in *ptx.Instr) int32 {
	if in.Vector == nil {
		return 0
	}
	return in.Vector.Copy
}

// equipCopies makes places for copies if the kernel has some.
func (m *SM) equipCopies() {
	if m.copies.places != nil || !slices.ContainsFunc(m.steps, func(s step) bool { return s.kind&stepCopy != 0 }) {
		return
	}
	m.copies.places = make([]copyPlace, copyPlaces)
	m.others = true
	m.warps = append(m.warps, make([]warpSlot, copyPlaces)...)
	m.lsu.warps = m.warps
}

// copyWaits holds a warp whose next instruction is a copy while the unit has enough.
func (m *SM) copyWaits(slot int) bool {
	if m.copies.live < copyQueue {
		return false
	}
	m.copies.waiting |= 1 << slot
	m.schedulers.hold(slot, reasonQueue)
	return true
}

// copy gives a copy of a warp to the unit. It returns how many lanes copy.
func (m *SM) copy(now sim.Cycle, slot int, pc int32) uint64 {
	u, w := &m.copies, &m.warps[slot]
	in := m.lsu.warpInstr(pc)
	i := slices.IndexFunc(u.places, func(p copyPlace) bool { return !p.live })
	at := m.config.Warps + i
	m.fillWarps(at, 1, w.warp.Kernel())
	x := &m.warps[at]
	lanes := w.warp.HandOver(x.warp, in.Vector.Copy)
	if lanes == 0 {
		return 0
	}
	clear(x.ready)
	x.warpState = warpState{cta: w.cta, live: true}
	begin := max(now, u.free)
	u.free = begin + copyIntervalCycles
	u.places[i] = copyPlace{at: begin + copyStartCycles, begin: pc, end: pc + in.Vector.Copy, number: u.begun,
		group: u.closed[slot], owner: uint8(slot), grouped: in.Vector.Grouped, live: true}
	u.live++
	u.begun++
	u.ofCTA[w.cta]++
	return uint64(lanes)
}

// stepCopies executes an instruction of the oldest copy that can continue, and returns when one next can.
func (m *SM) stepCopies(now sim.Cycle) (next sim.Cycle) {
	u := &m.copies
	best := -1
	next = never
	for i := range u.places {
		p := &u.places[i]
		if !p.live || p.at == never {
			continue
		}
		if p.at > now {
			next = min(next, p.at)
		} else if best < 0 || p.number < u.places[best].number {
			best = i
		}
	}
	if best < 0 || m.lsu.full() {
		return next // the load/store unit wakes the SM
	}
	m.stepCopy(now, best)
	return now + 1
}

func (m *SM) stepCopy(now sim.Cycle, i int) {
	slot := m.config.Warps + i
	w, p := &m.warps[slot], &m.copies.places[i]
	pc := w.warp.PC
	m.exec.Clock, m.exec.SMID, m.exec.WarpSlot = uint64(now), uint32(m.port.sm), uint32(p.owner)
	effect := w.warp.Execute(m.exec)
	m.Stats[stat.CopyParts]++
	switch effect {
	case execute.EffectMemory:
		in := m.lsu.warpInstr(pc)
		if in.Op == ptx.MemoryTensorMap {
			if m.copies.mapKept(p, w.warp, in, m.exec.Access.Addr[0]) {
				break
			}
			p.fetches = true
		}
		fault := w.warp.OutOfTensor(&m.exec.Access, m.env.Image)
		if fault == nil {
			fault = m.lsu.access(now, slot, in, &m.exec.Access)
		}
		if fault != nil {
			m.stop(fault)
			return
		}
	case execute.EffectFault:
		m.stop(w.warp.Fault())
		return
	}
	m.planCopy(now, slot)
}

// planCopy finds out when a copy can continue, and ends it.
func (m *SM) planCopy(now sim.Cycle, slot int) {
	p, w := &m.copies.places[slot-m.config.Warps], &m.warps[slot]
	pc := w.warp.PC
	if p.fetches && w.loads == 0 {
		p.fetches = false
		m.copies.keepMap(p, w.warp, m.lsu.warpInstr(p.begin))
	}
	if pc == p.end {
		p.at = never
		if !p.read {
			p.read = true
			m.groupsEnded(now)
		}
		if w.loads == 0 && w.stores == 0 {
			m.endCopy(now, p, w)
		}
		return
	}
	p.at = now + 1
	for _, id := range m.depsOf(&m.steps[pc], pc) {
		p.at = max(p.at, w.ready[id])
	}
}

func (m *SM) endCopy(now sim.Cycle, p *copyPlace, w *warpSlot) {
	u := &m.copies
	p.live, w.live = false, false
	u.live--
	u.ofCTA[w.cta]--
	for x := u.waiting; x != 0; x &= x - 1 {
		slot := bits.TrailingZeros64(x)
		u.waiting &^= 1 << slot
		m.plan(slot, now+1)
	}
	m.groupsEnded(now)
	m.account.blames = false
	m.retire(now, &m.ctas[w.cta])
}

// groupsEnded lets warps continue whose groups of copies have ended.
func (m *SM) groupsEnded(now sim.Cycle) {
	for x := m.copies.groups; x != 0; x &= x - 1 {
		if slot := bits.TrailingZeros64(x); !m.groupsOpen(slot) {
			m.copies.groups &^= 1 << slot
			m.plan(slot, now+1)
		}
	}
}

// groupsOpen reports whether a warp waits for groups of copies. The groups of a warp's threads count as one list.
func (m *SM) groupsOpen(slot int) bool {
	u := &m.copies
	return slices.ContainsFunc(u.places, func(p copyPlace) bool {
		return p.live && p.grouped && int(p.owner) == slot && p.group+u.open[slot] < u.closed[slot] &&
			!(p.read && u.read>>slot&1 != 0)
	})
}

// copyGroup is cp.async.bulk.commit_group or wait_group. It reports whether the warp has to wait.
func (m *SM) copyGroup(slot int, in *ptx.Instr) bool {
	u := &m.copies
	if in.Target == ptx.BulkCommit {
		u.closed[slot]++
		return false
	}
	if in.Target != ptx.BulkWait && in.Target != ptx.BulkWaitRead {
		return false
	}
	u.open[slot] = uint32(min(in.Imm, 1<<31-1))
	u.read &^= 1 << slot
	if in.Target == ptx.BulkWaitRead {
		u.read |= 1 << slot
	}
	if !m.groupsOpen(slot) {
		return false
	}
	u.groups |= 1 << slot
	m.schedulers.hold(slot, reasonLong)
	return true
}

// eventSlot is the slot of the warp to which a memory instruction belongs.
func (m *SM) eventSlot(slot int) int {
	if slot >= m.config.Warps {
		return int(m.copies.places[slot-m.config.Warps].owner)
	}
	return slot
}

// copyHolds reports whether a warp waits for the copy unit, which alone lets it continue.
func (m *SM) copyHolds(slot int) bool { return (m.copies.groups|m.copies.waiting)>>slot&1 != 0 }

// copyState lists the copies under way.
func (m *SM) copyState(t *tape.Tape) {
	u := &m.copies
	has := u.places != nil
	tape.Value(t, &has)
	if !has {
		if t.Loading() { // a state of before the first kernel that copies
			clear(u.places)
			u.copyUnitState, u.maps = copyUnitState{}, nil
		}
		return
	}
	tape.Value(t, &u.copyUnitState)
	tape.List(t, &u.maps)
	tape.Values(t, u.places)
	for i := range u.places {
		if !u.places[i].live {
			continue
		}
		w := &m.warps[m.config.Warps+i]
		tape.Value(t, &w.warpState)
		m.fillWarps(m.config.Warps+i, 1, m.env.Launches[m.launch].Kernel)
		w.warp.State(t, m.env.Launches[m.launch], m.ctas[w.cta].cta)
		tape.Values(t, w.ready)
	}
}
