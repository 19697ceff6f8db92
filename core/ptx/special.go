package ptx

// SpecialRegister is a predefined read-only register.
type SpecialRegister uint8

const (
	SpecialNone SpecialRegister = iota
	SpecialTIDX
	SpecialTIDY
	SpecialTIDZ
	SpecialNTIDX
	SpecialNTIDY
	SpecialNTIDZ
	SpecialCTAIDX
	SpecialCTAIDY
	SpecialCTAIDZ
	SpecialNCTAIDX
	SpecialNCTAIDY
	SpecialNCTAIDZ
	SpecialLaneID
	SpecialLaneMaskEQ
	SpecialLaneMaskLE
	SpecialLaneMaskLT
	SpecialLaneMaskGE
	SpecialLaneMaskGT
	SpecialWarpSize
	SpecialDynamicShared
	SpecialTotalShared
	SpecialZero // %gridid, %pm, %envreg, and the .w element of positions
	SpecialOne
	SpecialClusterIDX
	SpecialClusterIDY
	SpecialClusterIDZ
	SpecialNClusterIDX
	SpecialNClusterIDY
	SpecialNClusterIDZ
	SpecialClusterCTAIDX
	SpecialClusterCTAIDY
	SpecialClusterCTAIDZ
	SpecialClusterNCTAIDX
	SpecialClusterNCTAIDY
	SpecialClusterNCTAIDZ
	SpecialClusterRank  // %cluster_ctarank
	SpecialClusterRanks // %cluster_nctarank
	SpecialExplicitCluster
	numFixedSpecials // the ones above keep their value as long as the warp lives

	SpecialWarpID
	SpecialNWarpID
	SpecialSMID
	SpecialNSMID
	SpecialClock
	SpecialClockHigh
	SpecialClock64
	SpecialGlobalTimer
	SpecialGlobalTimerLow
	SpecialGlobalTimerHigh
	SpecialActiveMask // not a register of PTX; activemask reads it
)

func (s SpecialRegister) IsFixed() bool { return s < numFixedSpecials }

func (s SpecialRegister) Bits() int {
	switch s {
	case SpecialClock64, SpecialGlobalTimer:
		return 64
	}
	return 32
}

// PerLane reports whether a fixed special register differs between the lanes of
// a warp.
func (s SpecialRegister) PerLane() bool {
	switch s {
	case SpecialTIDX, SpecialTIDY, SpecialTIDZ, SpecialLaneID,
		SpecialLaneMaskEQ, SpecialLaneMaskLE, SpecialLaneMaskLT, SpecialLaneMaskGE, SpecialLaneMaskGT:
		return true
	}
	return false
}
