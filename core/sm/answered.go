package sm

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// nobody waits for a line that only trains the load policy.
const nobody = ^uint32(0)

// answered asks the load policy about a miss. If the policy has values, the load takes
// them after the time of a hit. A line that had to wait for an MSHR is not asked about
// again: a second draw would drop more requests than the rate says.
func (u *loadStore) answered(now sim.Cycle, i uint16, o *op, k int, addr mem.Addr, want mem.ByteMask, found cache.Found) bool {
	l := u.loads
	if found.Outcome == cache.Hit {
		if g := &l.guessed[found.Entry()]; g.addr == addr {
			u.stats[stat.InexactHitLanes] += wrongLanes(g.wrong, o.lanes[k], &o.offset, int(o.bytes))
		}
		return false
	}
	if found.Outcome != cache.Miss || l.asked {
		return false
	}
	m := l.about(u.core.launch, o, k, addr, want)
	m.CanFetch = u.l1.CanMiss()
	answer := l.policy.Miss(now, m, &l.line)
	l.asked = answer != Waits
	if answer == Fetched || answer == Waits {
		return false
	}
	if answer != Answered {
		if entry := u.l1.Insert(now, found, &l.line, u.stats); entry >= 0 {
			l.guessed[entry] = guess{m.Addr, m.Wrong}
		}
		u.writeBack(now)
	}
	cause, pc := o.cause, o.pc
	if answer == Trained {
		u.train(now, m, cause)
	}
	u.advance(o)
	o.doneAt = max(o.doneAt, now+sim.Cycle(u.config.L1.LatencyCycles))
	u.stats[stat.L1Accesses]++
	u.stats[stat.L1Answered]++
	u.bind(now, i, k, &l.line)
	u.emitL1(now, addr, cause, probe.ResultAnswered, pc)
	return true
}

// train fetches a line that was answered, for the policy only. The end of the warp waits
// for it, as for a store.
func (u *loadStore) train(now sim.Cycle, m *LoadMiss, cause uint32) {
	index := u.l1.Ask(now, nobody)
	u.loads.training[index] = *m
	w := &u.warps[m.Slot]
	if w.stores++; w.exited {
		u.core.drain(int(m.Slot))
	}
	u.stats[stat.ApproximateTrainings]++
	u.counts.counts[m.PC].Bytes += uint64(m.Want.SectorBytes())
	u.port.send(now, mem.Packet{Kind: mem.PacketLoad, Addr: m.Addr, Mask: m.Want, Tag: uint32(index), Cause: cause}, 0, u.config.L1.PassCycles)
}

// fetched shows the load policy a line, under the load of the first waiter. It reports
// whether nobody waits for the line.
func (u *loadStore) fetched(now sim.Cycle, index int, waiter uint32, addr mem.Addr, line *mem.Line) bool {
	l := u.loads
	if waiter == nobody {
		m := &l.training[index]
		l.policy.Fetched(now, m, line)
		u.core.stored(now, int(m.Slot))
		return true
	}
	u.known(addr)
	o, k := &u.ops[waiter>>5], int(waiter&31)
	if !o.bypass && !o.pieces {
		l.policy.Fetched(now, l.about(u.core.launch, o, k, addr, u.wanted(o, k)), line)
	}
	return false
}

// known notes that L1 has the bytes of a line from L2, whatever the policy put there before.
func (u *loadStore) known(addr mem.Addr) {
	if e := u.l1.Find(addr, 0).Entry(); e >= 0 {
		u.loads.guessed[e] = guess{}
	}
}
