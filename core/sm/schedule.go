package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
)

// Policy is how a scheduler chooses among warps that can issue.
type Policy uint8

const (
	// PolicyGreedy: the warp it issued last, otherwise the oldest (greedy then
	// oldest: Rogers et al., MICRO 2012).
	PolicyGreedy Policy = iota
	// PolicyRoundRobin: the next one behind the warp it issued last, leaving out
	// those that cannot (loose round robin).
	PolicyRoundRobin
	// PolicyTwoLevel: round robin among a few active warps. A warp that waits for
	// memory or a barrier makes place for one that does not (Narasiman et al.,
	// MICRO 2011).
	PolicyTwoLevel
	NumPolicies
)

// PolicyNames are the names of the policies, in their order.
var PolicyNames = [NumPolicies]string{"gto", "lrr", "two-level"}

// candidate collects, over the warps a scheduler looks at, when the first can
// issue and why not sooner.
type candidate struct {
	at  sim.Cycle
	why reason
}

// consider looks at one warp whose next instruction has its operands. It reports
// whether it issued.
func (m *SM) consider(now sim.Cycle, s int, slot uint8, c *candidate) bool {
	at := m.unitFree(now, s, m.unit[slot])
	if at <= now {
		m.greedy[s] = int16(slot)
		if m.config.IssueWidth > 1 {
			m.issueAll(now, s, int(slot))
		} else {
			m.issue(now, s, int(slot))
		}
		return true
	}
	why := reasonUnit
	if at == never {
		why = reasonQueue
	}
	c.why = min(c.why, why)
	c.at = sim.Min(c.at, at)
	return false
}

// later notes a warp that cannot issue before cycle at.
func (m *SM) later(slot uint8, at sim.Cycle, c *candidate) {
	c.at = at
	if c.why > reasonQueue {
		c.why = m.holds[slot]
	}
}

// dispatch lets one scheduler issue. It answers when it can next do something by
// itself.
func (m *SM) dispatch(now sim.Cycle, s int) (issued bool, next sim.Cycle) {
	if now < m.sleeps[s] && !m.changed[s] {
		return false, m.sleeps[s]
	}
	c := candidate{at: never, why: reasonIdle}
	switch m.config.Policy {
	case PolicyGreedy:
		issued = m.greedyThenOldest(now, s, &c)
	case PolicyRoundRobin:
		issued = m.roundRobin(now, s, m.residents[s], &c)
	default:
		issued = m.roundRobin(now, s, m.activate(s), &c)
	}
	m.looked = true
	m.changed[s] = true
	if issued {
		m.doing[s] = reasonIssued
		return true, now + 1
	}
	if c.why >= reasonQueue {
		// No warp has its operands, or the queue is full: nothing changes before the
		// first one does, or something happens to a warp or to the queue.
		m.sleeps[s], m.changed[s] = c.at, false
	}
	if c.at == never && c.why == reasonIdle {
		c.why = m.waitingReason(s)
	}
	m.doing[s] = c.why
	return false, c.at
}

func (m *SM) greedyThenOldest(now sim.Cycle, s int, c *candidate) bool {
	r := m.reach(now, s)
	ready := r.ready
	if ready != 0 {
		if g := m.greedy[s]; g >= 0 && ready>>m.place[g]&1 != 0 && m.consider(now, s, uint8(g), c) {
			return true
		}
	}
	for ready != 0 {
		slot := m.order[s][bits.TrailingZeros64(ready)]
		if m.consider(now, s, slot, c) {
			return true
		}
		// The others that need its unit cannot go either.
		ready &^= r.ofUnit[m.unit[slot]]
	}
	if at, place := m.nearest(s, r); at < c.at {
		m.later(m.order[s][place], at, c)
	}
	return false
}

// roundRobin goes through the warps of a set from the one behind the last issued.
func (m *SM) roundRobin(now sim.Cycle, s int, warps uint64, c *candidate) bool {
	behind := ^(uint64(1)<<(m.greedy[s]+1) - 1) // all slots if none was issued yet
	for _, part := range [2]uint64{warps & behind, warps &^ behind} {
		for x := part; x != 0; x &= x - 1 {
			slot := uint8(bits.TrailingZeros64(x))
			at := m.readyAt[slot]
			switch {
			case at >= c.at:
			case at > now:
				m.later(slot, at, c)
			case m.consider(now, s, slot, c):
				return true
			}
		}
	}
	return false
}

// activate takes warps that wait for an event out of a scheduler's active set and
// fills it with those that do not, oldest first.
func (m *SM) activate(s int) uint64 {
	set := m.active[s] & m.residents[s]
	for x := set; x != 0; x &= x - 1 {
		if slot := bits.TrailingZeros64(x); m.readyAt[slot] == never {
			set &^= 1 << slot
		}
	}
	room := m.config.ActiveWarps - bits.OnesCount64(set)
	for _, slot := range m.order[s][:m.resides[s]] {
		if room <= 0 {
			break
		}
		if set>>slot&1 == 0 && m.readyAt[slot] != never {
			set |= 1 << slot
			room--
		}
	}
	m.active[s] = set
	return set
}

// issueAll issues the next instruction of a warp and, where the SM issues several
// of one warp, those behind it that can go in the same cycle. They must use
// different units (GPGPU-Sim's dual_issue_diff_exec_units).
func (m *SM) issueAll(now sim.Cycle, s, slot int) {
	used := m.unit[slot]
	m.issue(now, s, slot)
	for n := 1; n < m.config.IssueWidth; n++ {
		if m.readyAt[slot] != now+1 || !m.together[slot] || m.unit[slot] == used || m.unitFree(now, s, m.unit[slot]) > now {
			return
		}
		used = m.unit[slot]
		m.issue(now, s, slot)
	}
}
