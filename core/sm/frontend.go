package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// FetchConfig describes how instructions reach the schedulers, as in shader.cc of
// GPGPU-Sim. Each warp has a buffer of a few instructions. In each cycle one warp with an
// empty buffer gets instructions from the instruction cache. A taken branch empties the
// buffer.
type FetchConfig struct {
	// Width is the number of instructions that a fetch brings. 0 means that fetching takes
	// no time; then a branch costs its latency instead.
	Width int
	// PerCycle is the number of warps served in a cycle.
	PerCycle int
	// LatencyCycles lie between a fetch and the first issue of its instructions.
	LatencyCycles int
	// InstructionBytes is the size of an instruction.
	InstructionBytes int
	Cache            cache.ReadOnlyConfig
}

// maxMisses bounds the MSHRs of the instruction cache.
const maxMisses = 8

// frontend fetches instructions into the warps' buffers.
type frontend struct {
	config *FetchConfig
	icache *cache.ReadOnly
	port   *port
	slot   *[MaxWarps]slotState
	stats  *stat.Set
	code   mem.Addr // address of the kernel's instructions
	frontendState
}

type frontendState struct {
	starved  uint64 // warps that found no MSHR
	turns    turns
	fetching [maxMisses]uint64 // warps that wait for the line of an MSHR
}

// fetch requests the next instructions of a warp at pc, not before cycle at.
func (f *frontend) fetch(now sim.Cycle, slot int, pc int32, at sim.Cycle) {
	turn := f.takeTurn(now, at)
	x := &f.slot[slot&(MaxWarps-1)]
	x.buffered, x.fetchedAt = uint8(f.config.Width), turn+sim.Cycle(f.config.LatencyCycles)
	f.stats[stat.InstructionFetches]++
	if f.config.Cache.Sets == 0 {
		return
	}
	a := f.code + mem.Addr(pc)*mem.Addr(f.config.InstructionBytes)
	outcome, i := f.icache.Access(a)
	if outcome == cache.Hit {
		return
	}
	x.fetchedAt = never
	switch outcome {
	case cache.Miss:
		f.stats[stat.InstructionMisses]++
		f.fetching[i] = 1 << slot
		f.port.ask(now, tagInstruction|uint32(i), f.icache.Line(a), f.config.Cache.LineBytes)
	case cache.Merged:
		f.fetching[i] |= 1 << slot
	case cache.Blocked:
		f.starved |= 1 << slot
	}
}

// turns remembers which of the next 64 turns of the fetch stage are taken.
type turns struct {
	first sim.Cycle // the turn of the lowest bit: cycle x PerCycle
	taken uint64
}

// takeTurn takes the first free turn of the fetch stage from cycle at on and
// returns its cycle. Turns further away than the window are free.
func (f *frontend) takeTurn(now, at sim.Cycle) sim.Cycle {
	n := sim.Cycle(f.config.PerCycle)
	t := &f.turns
	t.taken >>= now*n - t.first
	t.first = now * n
	free := ^t.taken
	if at > now {
		free = free >> ((at - now) * n) << ((at - now) * n)
	}
	if free == 0 {
		return max(at, now+64/n)
	}
	t.taken |= free & -free
	k := sim.Cycle(bits.TrailingZeros64(free))
	if n > 1 {
		k /= n
	}
	return now + k
}

// consumed fetches from next, the warp's pc after an instruction issued at pc, because the
// warp's buffer does not hold that instruction.
// It is not inlined, so that issue is (core/BENCHMARKS.md).
//
//go:noinline
func (f *frontend) consumed(now sim.Cycle, slot int, pc, next int32) {
	left := f.slot[slot&(MaxWarps-1)].buffered - 1
	switch taken := next != pc+1; {
	case !taken:
		f.fetch(now, slot, next, now)
	case left > 0:
		// The scheduler finds the wrong instruction in the buffer one cycle later.
		f.fetch(now, slot, next, now+1)
	default:
		// The instructions that follow the branch are being fetched already. This fetch
		// takes a turn, and the scheduler discards it when it arrives.
		wrong := f.takeTurn(now, now)
		f.stats[stat.InstructionFetches]++
		f.fetch(now, slot, next, wrong+sim.Cycle(f.config.LatencyCycles))
	}
}

// arrived takes the line of an MSHR. It returns the warps that must fetch again: those
// that waited for the line, then those that found no free MSHR.
func (f *frontend) arrived(i int) [2]uint64 {
	f.icache.Fill(i)
	again := [2]uint64{f.fetching[i], f.starved}
	f.fetching[i], f.starved = 0, 0
	return again
}

func (f *frontend) state(t *tape.Tape) {
	f.icache.State(t)
	tape.Value(t, &f.frontendState)
}
