package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// FetchConfig describes how instructions reach the schedulers, as shader.cc of
// GPGPU-Sim does it: each warp has a buffer of a few instructions, and one warp a
// cycle, whose buffer has run empty, gets it filled from the instruction cache. A
// taken branch empties the buffer.
type FetchConfig struct {
	// Width is how many instructions a fetch brings, 0 where fetching takes no
	// time: then a branch costs its latency instead.
	Width int
	// PerCycle is how many warps are served in a cycle.
	PerCycle int
	// LatencyCycles lie between a fetch and the issue of what it brings.
	LatencyCycles int
	// InstructionBytes is the size of an instruction.
	InstructionBytes int
	Cache            cache.ReadOnlyConfig
}

// ConstantConfig describes the constant cache, through which .param and .const
// are read. A launch's parameters are one line.
type ConstantConfig struct {
	// LatencyCycles from issue to data on a hit; 0 where constants cost what a
	// move does and there is no cache.
	LatencyCycles int
	Cache         cache.ReadOnlyConfig
}

// maxMisses bounds the MSHRs of the instruction cache.
const maxMisses = 8

// frontend is the state of fetching.
type frontend struct {
	buffered [MaxWarps]uint8 // instructions in a warp's buffer
	// fetchedAt is when a warp's next instruction is in its buffer, Never while
	// its line is under way.
	fetchedAt [MaxWarps]sim.Cycle
	turns     turns
	fetching  [maxMisses]uint64 // warps that wait for the line of an MSHR
	starved   uint64            // warps that found no MSHR
	misses    missQueue
}

// missQueue holds the requests of the instruction and the constant cache that
// have not left the SM.
type missQueue struct {
	packet [maxMisses * 2]mem.Packet
	n      int
}

// Tags of requests that are not the L1's: the kind in the upper bits, the MSHR in
// the lower.
const (
	tagInstruction = 1 << 30
	tagConstant    = 1 << 31
	tagKinds       = tagInstruction | tagConstant
)

// fetch asks for the next instructions of a warp, not before cycle at.
func (m *SM) fetch(now sim.Cycle, slot int, at sim.Cycle) {
	f := m.fetchTurn(now, at)
	m.buffered[slot] = uint8(m.config.Fetch.Width)
	m.Stats[stat.InstructionFetches]++
	m.fetchedAt[slot] = f + sim.Cycle(m.config.Fetch.LatencyCycles)
	if m.config.Fetch.Cache.Sets == 0 {
		return
	}
	a := m.env.Code[m.launch] + mem.Addr(m.warps[slot].warp.PC)*mem.Addr(m.config.Fetch.InstructionBytes)
	outcome, i := m.icache.Access(a)
	if outcome == cache.Hit {
		return
	}
	m.fetchedAt[slot] = never
	switch outcome {
	case cache.Miss:
		m.Stats[stat.InstructionMisses]++
		m.fetching[i] = 1 << slot
		m.ask(now, tagInstruction|uint32(i), m.icache.Line(a), m.config.Fetch.Cache.LineBytes)
	case cache.Merged:
		m.fetching[i] |= 1 << slot
	case cache.Blocked:
		m.starved |= 1 << slot
	}
}

// turns holds which of the next 64 turns of the fetch stage are taken.
type turns struct {
	first sim.Cycle // the turn of the lowest bit: cycle x PerCycle
	taken uint64
}

// fetchTurn takes the first free turn of the fetch stage from cycle at on and
// returns its cycle. Turns further away than the window are free.
func (m *SM) fetchTurn(now, at sim.Cycle) sim.Cycle {
	n := sim.Cycle(m.config.Fetch.PerCycle)
	t := &m.turns
	t.taken >>= now*n - t.first
	t.first = now * n
	free := ^t.taken >> (at*n - t.first) << (at*n - t.first)
	if free == 0 {
		return max(at, now+64/n)
	}
	k := bits.TrailingZeros64(free)
	t.taken |= 1 << k
	return (t.first + sim.Cycle(k)) / n
}

// consumed fetches what comes after an issued instruction, which the warp's buffer
// does not hold.
func (m *SM) consumed(now sim.Cycle, slot int, pc int32) {
	left := m.buffered[slot] - 1
	switch taken := m.warps[slot].warp.PC != pc+1; {
	case !taken:
		m.fetch(now, slot, now)
	case left > 0:
		// The scheduler finds the wrong instruction in the buffer one cycle later.
		m.fetch(now, slot, now+1)
	default:
		// The fetch of what follows the branch is under way already; it takes its
		// turn, and is found wrong when it has arrived.
		wrong := m.fetchTurn(now, now)
		m.Stats[stat.InstructionFetches]++
		m.fetch(now, slot, wrong+sim.Cycle(m.config.Fetch.LatencyCycles))
	}
}

// ask sends a request of the instruction or the constant cache, now or when the
// crossbar has room.
func (m *SM) ask(now sim.Cycle, tag uint32, a mem.Addr, bytes int) {
	var want mem.ByteMask
	want.Set(mem.LineOffset(a), bytes)
	q := &m.misses
	q.packet[q.n] = mem.Packet{Kind: mem.PacketLoad, Addr: mem.LineAddr(a), Mask: want, Tag: tag}
	q.n++
	m.sendMisses(now)
}

// sendMisses sends what the crossbar takes.
func (m *SM) sendMisses(now sim.Cycle) {
	q := &m.misses
	for q.n > 0 && m.out.CanSend(now) {
		m.send(now, q.packet[0], 0, 0)
		copy(q.packet[:], q.packet[1:q.n])
		q.n--
	}
}

// arrivedReadOnly takes the line of an instruction or constant miss.
func (m *SM) arrivedReadOnly(now sim.Cycle, tag uint32) {
	i := int(tag &^ tagKinds)
	if tag&tagConstant != 0 {
		m.constants.Fill(i)
		return
	}
	m.icache.Fill(i)
	wait := m.fetching[i]
	m.fetching[i] = 0
	again := m.starved
	m.starved = 0
	for _, warps := range [2]uint64{wait, again} {
		for x := warps; x != 0; x &= x - 1 {
			slot := bits.TrailingZeros64(x)
			m.fetch(now, slot, now)
			m.resume(now, slot)
		}
	}
}

// accessConstant puts a read of .param or .const, whose value the warp has, into
// the load/store unit: the value may be used when the constant cache gives it.
func (m *SM) accessConstant(slot int, pc int32, writes []uint16) {
	w := &m.warps[slot]
	for _, id := range writes {
		w.ready[id] = never
	}
	i := m.newOp()
	o := &m.ops[i]
	o.kind, o.slot, o.pc, o.left, o.leader, o.doneAt = opConstant, uint8(slot), pc, 0, i, 0
	w.loads++
	w.constants++
	m.push(i)
}

// readConstant looks the line of a constant up; false means that it is under way.
func (m *SM) readConstant(now sim.Cycle, i uint16) bool {
	if m.config.Constant.Cache.Sets > 0 {
		a := m.env.Parameters[m.launch]
		outcome, index := m.constants.Access(a)
		if outcome == cache.Miss {
			m.Stats[stat.ConstantMisses]++
			m.ask(now, tagConstant|uint32(index), a, m.config.Constant.Cache.LineBytes)
		}
		if outcome != cache.Hit {
			return false
		}
	}
	m.Stats[stat.ConstantReads]++
	o := &m.ops[i]
	o.doneAt = now - 1 + sim.Cycle(m.config.Constant.LatencyCycles)
	m.pop()
	m.warps[o.slot].constants--
	m.complete(now, i)
	return true
}
