package sm

import (
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// Count holds the counts of one instruction of a kernel. The sums over all
// instructions are the counters of stat.Set, so nothing is left out or counted
// twice: Executions is WarpInstructions, Lanes ThreadInstructions, L1Misses
// L1Misses, and StallCycles the sum of the three stall counters.
type Count struct {
	Executions uint64 `json:"executions"` // warp instructions
	Lanes      uint64 `json:"lanes"`      // threads that executed it, after the guard
	L1Misses   uint64 `json:"l1Misses"`   // lines requested from L2 after an L1 miss
	// Bytes is data that crosses between the SM and L2 on behalf of the
	// instruction: lines that loads fetch (sectors where they bypass L1), sectors
	// that stores write and that atomics work on.
	Bytes uint64 `json:"bytes"`
	// StallCycles are SM cycles without an issue, charged to the instruction that
	// the oldest warp waits to issue: see blame.
	StallCycles uint64 `json:"stallCycles"`
}

// Add adds o to c.
func (c *Count) Add(o *Count) {
	c.Executions += o.Executions
	c.Lanes += o.Lanes
	c.L1Misses += o.L1Misses
	c.Bytes += o.Bytes
	c.StallCycles += o.StallCycles
}

// account charges an SM's cycles to instructions: it has a Count for each instruction of
// each kernel, and remembers where to charge the cycles since the last tick.
type account struct {
	kernelOf []int     // per launch: index of its kernel in the program
	kernels  [][]Count // nil until the kernel runs on this SM
	counts   []Count   // of the current kernel
	charging
}

type charging struct {
	accounted sim.Cycle
	stalled   stat.Counter       // counter of the cycles since accounted
	blamed    int32              // instruction they are charged to
	busy      bool               // stalled is valid: no instruction was issued
	slots     [maxReasons]uint64 // scheduler cycles before accounted, by what a scheduler did
	blames    bool               // stalled and blamed are valid until a scheduler looks at its warps again
}

func (c *account) init(launches []*ptx.Launch) {
	var kernels []*ptx.Kernel
	for _, l := range launches {
		i := slices.Index(kernels, l.Kernel)
		if i < 0 {
			i = len(kernels)
			kernels = append(kernels, l.Kernel)
		}
		c.kernelOf = append(c.kernelOf, i)
	}
	c.kernels = make([][]Count, len(kernels))
}

// open selects the counts of a launch's kernel for writing, and makes room for them if
// the kernel is new.
func (c *account) open(launch int32, k *ptx.Kernel) {
	i := c.kernelOf[launch]
	if c.kernels[i] == nil {
		c.kernels[i] = make([]Count, len(k.Code))
	}
	c.counts, c.blamed = c.kernels[i], 0
}

// blame finds the reason why nothing was issued in this tick, and the instruction to
// charge. The smallest wait of all warps is the reason. Of the warps with this wait, the
// oldest one is charged: the warp whose CTA has the lowest number, and of several the one in the lowest slot.
// The instruction is the one that the warp cannot issue, or the barrier or fence that
// holds it. If only exited warps wait for memory (their stores), their last instruction is
// charged.
func (m *SM) blame() {
	oldest := -1
	for s := range m.config.Schedulers {
		if timed := m.schedulers.sets[s].timed; timed != 0 {
			slot := int(m.schedulers.sets[s].order[bits.TrailingZeros64(timed)])
			if oldest < 0 || m.older(slot, oldest) {
				oldest = slot
			}
		}
	}
	m.account.stalled = stat.StallPipelineCycles
	if oldest < 0 {
		oldest = m.blameWaiting()
	}
	m.account.blamed = m.schedulers.slot[oldest].at
}

// wait is an event outside of the pipeline that a warp waits for. The smallest wait of all
// warps is the reason of the cycle.
type wait uint8

const (
	waitMemory wait = iota
	waitDrain       // it has exited, its memory operations have not ended
	waitBarrier
	waitNone // it has exited, others of its CTA have not
)

// blameWaiting is blame for the case that every warp waits for an event.
func (m *SM) blameWaiting() (oldest int) {
	reason := waitNone
	oldest = -1
	for s := range m.config.Schedulers {
		r := &m.schedulers.sets[s]
		least, first := waitNone+1, 0 // of this scheduler, whose oldest warps come first
		running := r.running()
		for _, x := range [2]uint64{running, r.exited} {
			for ; x != 0 && least != waitMemory; x &= x - 1 {
				slot := r.order[bits.TrailingZeros64(x)&(MaxWarps-1)]
				if w := m.waitOf(slot); w < least {
					least, first = w, int(slot)
				}
			}
		}
		if least < reason || least == reason && (oldest < 0 || m.older(first, oldest)) {
			reason, oldest = least, first
		}
	}
	switch reason {
	case waitMemory, waitDrain:
		m.account.stalled = stat.StallMemoryCycles
	case waitBarrier:
		m.account.stalled = stat.StallBarrierCycles
	}
	return oldest
}

// waitOf returns what a warp waits for that waits for an event.
func (m *SM) waitOf(slot uint8) wait {
	switch m.schedulers.holds[slot&(MaxWarps-1)] {
	case reasonExited:
		if m.schedulers.draining>>slot&1 == 0 {
			return waitNone
		}
		return waitDrain
	case reasonBarrier:
		return waitBarrier
	}
	return waitMemory
}

// older reports whether the warp in slot a began before that in slot b.
func (m *SM) older(a, b int) bool {
	x, y := m.schedulers.slot[a&(MaxWarps-1)].cta, m.schedulers.slot[b&(MaxWarps-1)].cta
	return x < y || x == y && a < b
}

// countLine charges a line of a load to its instruction.
func (c *account) countLine(o *op, want mem.ByteMask) {
	n := &c.counts[o.pc]
	if !o.bypass {
		n.L1Misses++
	}
	n.Bytes += uint64(want.SectorBytes())
}

// state lists the counts; only the counts of the open launch change.
func (c *account) state(t *tape.Tape, launch int32) {
	for i := range c.kernels {
		tape.List(t, &c.kernels[i])
		if len(c.kernels[i]) == 0 {
			c.kernels[i] = nil
		}
	}
	if t.Loading() && launch >= 0 {
		c.counts = c.kernels[c.kernelOf[launch]]
	}
	tape.Value(t, &c.charging)
}
