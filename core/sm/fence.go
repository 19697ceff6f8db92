package sm

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// fenceOf returns what the fence at pc waits for on this SM. An L1 that keeps its lines waits for stores alone.
func (m *SM) fenceOf(pc int32) uint8 {
	orders := m.lsu.warpInstr(pc).Imm
	if orders&ptx.FenceTensorMap != 0 { // all of them [ours: as an L1 does]
		m.copies.maps = m.copies.maps[:0]
	}
	waits := uint8(orders)
	if m.config.L1.Acquire == cache.AcquireKeep {
		waits &= ptx.FenceStores
	}
	return waits
}

// fenced reports whether a warp still waits at its fence. At the end of one that acquires, L1 forgets the lines that it
// has, and asks for no line together with a request that is older.
func (m *SM) fenced(slot int, w *warpSlot) bool {
	if w.fence&ptx.FenceStores != 0 && w.stores > 0 || w.fence&ptx.FenceLoads != 0 && w.loads > 0 {
		return true
	}
	if w.fence&ptx.FenceForget != 0 {
		m.lsu.l1.Forget(m.env.LocalBase)
	}
	w.fence = 0
	return false
}

// passFence lets a warp continue after the last event that its fence waited for.
func (m *SM) passFence(now sim.Cycle, slot int) {
	if w := &m.warps[slot]; w.fence != 0 && !m.fenced(slot, w) {
		m.plan(slot, now+1)
	}
}
