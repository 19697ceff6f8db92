package sm

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/tape"
)

// Live returns the number of resident warps.
func (m *SM) Live() int { return m.live }

// Waits reports whether every warp waits at a barrier, or in a loop that reads a place that does not change. No copy is
// under way, and the kernel reads no clock and has no clusters, whose SMs depend on each other.
func (m *SM) Waits() bool {
	if l := m.env.Launches[m.launch]; m.copies.live > 0 || l.CTAsPerCluster() > 1 || execute.ReadsClock(l.Kernel) {
		return false
	}
	for w := range m.alive {
		if !w.Waits() {
			return false
		}
	}
	return true
}

// WaitState lists what decides how the warps of the SM go on while no memory outside of it changes.
func (m *SM) WaitState(t *tape.Tape) {
	for i := range m.ctas {
		if c := &m.ctas[i]; c.live {
			c.cta.State(t)
		}
	}
	for i := range m.warps[:m.config.Warps] {
		if w := &m.warps[i]; w.live && !w.exited {
			w.warp.State(t, m.env.Launches[m.launch], m.ctas[w.cta].cta)
		}
	}
}

// Executed appends the numbers of instructions that the warps in loops have executed.
func (m *SM) Executed(counts []uint64) []uint64 {
	for i := range m.warps[:m.config.Warps] {
		if w := &m.warps[i]; w.live && !w.exited && !w.warp.AtBarrier() {
			counts = append(counts, w.instructions)
		}
	}
	return counts
}

// WaitFault returns the fault of the first warp that waits in a loop, nil if none does.
func (m *SM) WaitFault(read func(a mem.Addr, dst []byte)) *execute.Fault {
	for w := range m.alive {
		if !w.AtBarrier() {
			return w.EndlessFault(m.env.Image, m.alive, read)
		}
	}
	return nil
}
