package execute

import "github.com/burstscope/burstscope/core/ptx"

// fixedSpecial returns the value of a fixed special register in one lane of a warp.
func fixedSpecial(s ptx.SpecialRegister, l *ptx.Launch, c *CTA, thread [3]uint32, lane int) uint32 {
	bit := uint32(1) << lane
	switch s {
	case ptx.SpecialTIDX, ptx.SpecialTIDY, ptx.SpecialTIDZ:
		return thread[s-ptx.SpecialTIDX]
	case ptx.SpecialNTIDX, ptx.SpecialNTIDY, ptx.SpecialNTIDZ:
		return l.Block[s-ptx.SpecialNTIDX]
	case ptx.SpecialCTAIDX, ptx.SpecialCTAIDY, ptx.SpecialCTAIDZ:
		return c.ID[s-ptx.SpecialCTAIDX]
	case ptx.SpecialNCTAIDX, ptx.SpecialNCTAIDY, ptx.SpecialNCTAIDZ:
		return l.Grid[s-ptx.SpecialNCTAIDX]
	case ptx.SpecialLaneID:
		return uint32(lane)
	case ptx.SpecialLaneMaskEQ:
		return bit
	case ptx.SpecialLaneMaskLE:
		return bit | (bit - 1)
	case ptx.SpecialLaneMaskLT:
		return bit - 1
	case ptx.SpecialLaneMaskGE:
		return -bit
	case ptx.SpecialLaneMaskGT:
		return -bit &^ bit
	case ptx.SpecialWarpSize:
		return ptx.MaxLanes
	case ptx.SpecialDynamicShared:
		return uint32(l.DynamicSharedBytes)
	case ptx.SpecialTotalShared:
		return uint32(l.SharedBytes())
	case ptx.SpecialOne:
		return 1
	}
	return clusterSpecial(s, l, c)
}

// clusterSpecial is fixedSpecial for the registers of clusters.
func clusterSpecial(s ptx.SpecialRegister, l *ptx.Launch, c *CTA) uint32 {
	n := l.ClusterExtent()
	switch s {
	case ptx.SpecialClusterIDX, ptx.SpecialClusterIDY, ptx.SpecialClusterIDZ:
		i := s - ptx.SpecialClusterIDX
		return c.ID[i] / n[i]
	case ptx.SpecialNClusterIDX, ptx.SpecialNClusterIDY, ptx.SpecialNClusterIDZ:
		i := s - ptx.SpecialNClusterIDX
		return l.Grid[i] / n[i]
	case ptx.SpecialClusterCTAIDX, ptx.SpecialClusterCTAIDY, ptx.SpecialClusterCTAIDZ:
		i := s - ptx.SpecialClusterCTAIDX
		return c.ID[i] % n[i]
	case ptx.SpecialClusterNCTAIDX, ptx.SpecialClusterNCTAIDY, ptx.SpecialClusterNCTAIDZ:
		return n[s-ptx.SpecialClusterNCTAIDX]
	case ptx.SpecialClusterRank:
		_, rank := l.ClusterOf(c.ID)
		return rank
	case ptx.SpecialClusterRanks:
		return n[0] * n[1] * n[2]
	case ptx.SpecialExplicitCluster:
		if l.ExplicitCluster() {
			return 1
		}
	}
	return 0
}

// dynamicSpecial returns the value of a special register that changes over time.
func dynamicSpecial(s ptx.SpecialRegister, e *Env, active uint32) uint64 {
	switch s {
	case ptx.SpecialWarpID:
		return uint64(e.WarpSlot)
	case ptx.SpecialNWarpID:
		return uint64(e.WarpSlots)
	case ptx.SpecialSMID:
		return uint64(e.SMID)
	case ptx.SpecialNSMID:
		return uint64(e.SMCount)
	case ptx.SpecialClock:
		return uint64(uint32(e.Clock))
	case ptx.SpecialClockHigh:
		return e.Clock >> 32
	case ptx.SpecialClock64:
		return e.Clock
	case ptx.SpecialGlobalTimer:
		return e.timeNs()
	case ptx.SpecialGlobalTimerLow:
		return uint64(uint32(e.timeNs()))
	case ptx.SpecialGlobalTimerHigh:
		return e.timeNs() >> 32
	case ptx.SpecialActiveMask:
		return uint64(active)
	}
	panic("ptx: not a dynamic special register")
}

// timeNs is %globaltimer.
func (e *Env) timeNs() uint64 {
	if e.ClockMHz > 0 {
		return e.Clock * 1000 / e.ClockMHz
	}
	return e.GlobalTimerNs
}
