package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

var specialByName = map[string]ptx.SpecialRegister{
	"%tid.x": ptx.SpecialTIDX, "%tid.y": ptx.SpecialTIDY, "%tid.z": ptx.SpecialTIDZ, "%tid.w": ptx.SpecialZero,
	"%ntid.x": ptx.SpecialNTIDX, "%ntid.y": ptx.SpecialNTIDY, "%ntid.z": ptx.SpecialNTIDZ, "%ntid.w": ptx.SpecialOne,
	"%ctaid.x": ptx.SpecialCTAIDX, "%ctaid.y": ptx.SpecialCTAIDY, "%ctaid.z": ptx.SpecialCTAIDZ, "%ctaid.w": ptx.SpecialZero,
	"%nctaid.x": ptx.SpecialNCTAIDX, "%nctaid.y": ptx.SpecialNCTAIDY, "%nctaid.z": ptx.SpecialNCTAIDZ, "%nctaid.w": ptx.SpecialOne,
	"%laneid": ptx.SpecialLaneID, "%warpid": ptx.SpecialWarpID, "%nwarpid": ptx.SpecialNWarpID, "WARP_SZ": ptx.SpecialWarpSize,
	"%smid": ptx.SpecialSMID, "%nsmid": ptx.SpecialNSMID, "%gridid": ptx.SpecialZero,
	"%lanemask_eq": ptx.SpecialLaneMaskEQ, "%lanemask_le": ptx.SpecialLaneMaskLE, "%lanemask_lt": ptx.SpecialLaneMaskLT,
	"%lanemask_ge": ptx.SpecialLaneMaskGE, "%lanemask_gt": ptx.SpecialLaneMaskGT,
	"%clock": ptx.SpecialClock, "%clock_hi": ptx.SpecialClockHigh, "%clock64": ptx.SpecialClock64,
	"%globaltimer": ptx.SpecialGlobalTimer, "%globaltimer_lo": ptx.SpecialGlobalTimerLow, "%globaltimer_hi": ptx.SpecialGlobalTimerHigh,
	"%dynamic_smem_size": ptx.SpecialDynamicShared, "%total_smem_size": ptx.SpecialTotalShared, "%aggr_smem_size": ptx.SpecialTotalShared,
	// No shared memory is reserved for the system, and no kernel runs in a graph.
	"%reserved_smem_offset_begin": ptx.SpecialZero, "%reserved_smem_offset_end": ptx.SpecialZero, "%reserved_smem_offset_cap": ptx.SpecialZero,
	"%reserved_smem_offset_0": ptx.SpecialZero, "%reserved_smem_offset_1": ptx.SpecialZero, "%current_graph_exec": ptx.SpecialZero,
	"%is_explicit_cluster": ptx.SpecialExplicitCluster,
	"%cluster_ctarank":     ptx.SpecialClusterRank, "%cluster_nctarank": ptx.SpecialClusterRanks,
	"%cluster_ctaid.x": ptx.SpecialClusterCTAIDX, "%cluster_ctaid.y": ptx.SpecialClusterCTAIDY,
	"%cluster_ctaid.z": ptx.SpecialClusterCTAIDZ, "%cluster_ctaid.w": ptx.SpecialZero,
	"%cluster_nctaid.x": ptx.SpecialClusterNCTAIDX, "%cluster_nctaid.y": ptx.SpecialClusterNCTAIDY,
	"%cluster_nctaid.z": ptx.SpecialClusterNCTAIDZ, "%cluster_nctaid.w": ptx.SpecialOne,
	"%clusterid.x": ptx.SpecialClusterIDX, "%clusterid.y": ptx.SpecialClusterIDY,
	"%clusterid.z": ptx.SpecialClusterIDZ, "%clusterid.w": ptx.SpecialZero,
	"%nclusterid.x": ptx.SpecialNClusterIDX, "%nclusterid.y": ptx.SpecialNClusterIDY,
	"%nclusterid.z": ptx.SpecialNClusterIDZ, "%nclusterid.w": ptx.SpecialOne,
	"%pm0": ptx.SpecialZero, "%pm1": ptx.SpecialZero, "%pm2": ptx.SpecialZero, "%pm3": ptx.SpecialZero,
	"%pm4": ptx.SpecialZero, "%pm5": ptx.SpecialZero, "%pm6": ptx.SpecialZero, "%pm7": ptx.SpecialZero,
	"%pm0_64": ptx.SpecialZero, "%pm1_64": ptx.SpecialZero, "%pm2_64": ptx.SpecialZero, "%pm3_64": ptx.SpecialZero,
	"%pm4_64": ptx.SpecialZero, "%pm5_64": ptx.SpecialZero, "%pm6_64": ptx.SpecialZero, "%pm7_64": ptx.SpecialZero,
}

// findSpecial returns the special register of a name with its element.
func findSpecial(name, element string) ptx.SpecialRegister {
	if element != "" {
		if i := syntax.ElementIndex(element); i >= 0 {
			name += "." + syntax.VectorElements[i][0]
		} else {
			return ptx.SpecialNone
		}
	}
	if s, ok := specialByName[name]; ok {
		return s
	}
	if len(name) > 7 && name[:7] == "%envreg" && element == "" { // driver-defined, here 0
		return ptx.SpecialZero
	}
	return ptx.SpecialNone
}
