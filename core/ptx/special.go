package ptx

// specialRegister is a predefined read-only register.
type specialRegister uint8

const (
	specialNone specialRegister = iota
	specialTIDX
	specialTIDY
	specialTIDZ
	specialNTIDX
	specialNTIDY
	specialNTIDZ
	specialCTAIDX
	specialCTAIDY
	specialCTAIDZ
	specialNCTAIDX
	specialNCTAIDY
	specialNCTAIDZ
	specialLaneID
	specialLaneMaskEQ
	specialLaneMaskLE
	specialLaneMaskLT
	specialLaneMaskGE
	specialLaneMaskGT
	specialWarpSize
	specialDynamicShared
	specialTotalShared
	specialZero // %gridid, %pm, %envreg and the components .w of sizes' positions
	specialOne
	numFixedSpecials // the ones above keep their value as long as the warp lives

	specialWarpID
	specialNWarpID
	specialSMID
	specialNSMID
	specialClock
	specialClockHigh
	specialClock64
	specialGlobalTimer
	specialGlobalTimerLow
	specialGlobalTimerHigh
	specialActiveMask // not a register of PTX; activemask reads it
)

func (s specialRegister) isFixed() bool { return s < numFixedSpecials }

func (s specialRegister) bits() int {
	switch s {
	case specialClock64, specialGlobalTimer:
		return 64
	}
	return 32
}

var specialByName = map[string]specialRegister{
	"%tid.x": specialTIDX, "%tid.y": specialTIDY, "%tid.z": specialTIDZ, "%tid.w": specialZero,
	"%ntid.x": specialNTIDX, "%ntid.y": specialNTIDY, "%ntid.z": specialNTIDZ, "%ntid.w": specialOne,
	"%ctaid.x": specialCTAIDX, "%ctaid.y": specialCTAIDY, "%ctaid.z": specialCTAIDZ, "%ctaid.w": specialZero,
	"%nctaid.x": specialNCTAIDX, "%nctaid.y": specialNCTAIDY, "%nctaid.z": specialNCTAIDZ, "%nctaid.w": specialOne,
	"%laneid": specialLaneID, "%warpid": specialWarpID, "%nwarpid": specialNWarpID, "WARP_SZ": specialWarpSize,
	"%smid": specialSMID, "%nsmid": specialNSMID, "%gridid": specialZero,
	"%lanemask_eq": specialLaneMaskEQ, "%lanemask_le": specialLaneMaskLE, "%lanemask_lt": specialLaneMaskLT,
	"%lanemask_ge": specialLaneMaskGE, "%lanemask_gt": specialLaneMaskGT,
	"%clock": specialClock, "%clock_hi": specialClockHigh, "%clock64": specialClock64,
	"%globaltimer": specialGlobalTimer, "%globaltimer_lo": specialGlobalTimerLow, "%globaltimer_hi": specialGlobalTimerHigh,
	"%dynamic_smem_size": specialDynamicShared, "%total_smem_size": specialTotalShared, "%aggr_smem_size": specialTotalShared,
	// No shared memory is reserved for the system, and no kernel runs in a graph.
	"%reserved_smem_offset_begin": specialZero, "%reserved_smem_offset_end": specialZero, "%reserved_smem_offset_cap": specialZero,
	"%reserved_smem_offset_0": specialZero, "%reserved_smem_offset_1": specialZero, "%current_graph_exec": specialZero,
	// Without clusters every CTA is a cluster of its own.
	"%is_explicit_cluster": specialZero, "%cluster_ctarank": specialZero, "%cluster_nctarank": specialOne,
	"%cluster_ctaid.x": specialZero, "%cluster_ctaid.y": specialZero, "%cluster_ctaid.z": specialZero,
	"%cluster_nctaid.x": specialOne, "%cluster_nctaid.y": specialOne, "%cluster_nctaid.z": specialOne,
	"%clusterid.x": specialCTAIDX, "%clusterid.y": specialCTAIDY, "%clusterid.z": specialCTAIDZ,
	"%nclusterid.x": specialNCTAIDX, "%nclusterid.y": specialNCTAIDY, "%nclusterid.z": specialNCTAIDZ,
	"%pm0": specialZero, "%pm1": specialZero, "%pm2": specialZero, "%pm3": specialZero,
	"%pm4": specialZero, "%pm5": specialZero, "%pm6": specialZero, "%pm7": specialZero,
	"%pm0_64": specialZero, "%pm1_64": specialZero, "%pm2_64": specialZero, "%pm3_64": specialZero,
	"%pm4_64": specialZero, "%pm5_64": specialZero, "%pm6_64": specialZero, "%pm7_64": specialZero,
}

// findSpecial returns the special register of a name with its element.
func findSpecial(name, element string) specialRegister {
	if element != "" {
		if i := elementIndex(element); i >= 0 {
			name += "." + vectorElements[i][0]
		} else {
			return specialNone
		}
	}
	if s, ok := specialByName[name]; ok {
		return s
	}
	if len(name) > 7 && name[:7] == "%envreg" && element == "" { // driver-defined, here 0
		return specialZero
	}
	return specialNone
}

// perLane reports whether a fixed special register differs between the lanes of
// a warp.
func (s specialRegister) perLane() bool {
	switch s {
	case specialTIDX, specialTIDY, specialTIDZ, specialLaneID,
		specialLaneMaskEQ, specialLaneMaskLE, specialLaneMaskLT, specialLaneMaskGE, specialLaneMaskGT:
		return true
	}
	return false
}

// fixed returns the value of a fixed special register in one lane of a warp.
func (s specialRegister) fixed(l *Launch, c *CTA, thread [3]uint32, lane int) uint32 {
	bit := uint32(1) << lane
	switch s {
	case specialTIDX, specialTIDY, specialTIDZ:
		return thread[s-specialTIDX]
	case specialNTIDX, specialNTIDY, specialNTIDZ:
		return l.Block[s-specialNTIDX]
	case specialCTAIDX, specialCTAIDY, specialCTAIDZ:
		return c.ID[s-specialCTAIDX]
	case specialNCTAIDX, specialNCTAIDY, specialNCTAIDZ:
		return l.Grid[s-specialNCTAIDX]
	case specialLaneID:
		return uint32(lane)
	case specialLaneMaskEQ:
		return bit
	case specialLaneMaskLE:
		return bit | (bit - 1)
	case specialLaneMaskLT:
		return bit - 1
	case specialLaneMaskGE:
		return -bit
	case specialLaneMaskGT:
		return -bit &^ bit
	case specialWarpSize:
		return MaxLanes
	case specialDynamicShared:
		return uint32(l.DynamicSharedBytes)
	case specialTotalShared:
		return uint32(l.SharedBytes())
	case specialOne:
		return 1
	}
	return 0
}

// dynamic returns the value of a special register that changes over time.
func (s specialRegister) dynamic(e *Env, active uint32) uint64 {
	switch s {
	case specialWarpID:
		return uint64(e.WarpSlot)
	case specialNWarpID:
		return uint64(e.WarpSlots)
	case specialSMID:
		return uint64(e.SMID)
	case specialNSMID:
		return uint64(e.SMCount)
	case specialClock:
		return uint64(uint32(e.Clock))
	case specialClockHigh:
		return e.Clock >> 32
	case specialClock64:
		return e.Clock
	case specialGlobalTimer:
		return e.timeNs()
	case specialGlobalTimerLow:
		return uint64(uint32(e.timeNs()))
	case specialGlobalTimerHigh:
		return e.timeNs() >> 32
	case specialActiveMask:
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
