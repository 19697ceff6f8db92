package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

const (
	sourceRTX3070 = "GPGPU-Sim 4, tested-cfgs/SM86_RTX3070"
	sourceGA104   = "NVIDIA Ampere GA102 GPU Architecture whitepaper, table of the RTX 3070 (GA104)"
	sourceCC86    = "CUDA C++ programming guide, compute capability 8.6"
	sourceOccup86 = "CUDA occupancy calculator, compute capability 8.6"
	// sourceMeasured3070 is how Accel-Sim measures a latency of SM86_RTX3070, as one of SM75_RTX2060.
	sourceMeasured3070 = sourceRTX3070 + ", measured on the card by Accel-Sim's microbenchmarks: "
)

// presetRTX3070 is a card of consumers: 16 channels of GDDR6.
func presetRTX3070() preset {
	const l2 = sourceMeasured3070 +
		"an L2 hit takes 226 cycles from load to use, gpgpu_l2_rop_latency 187 after L1's 39"
	return presetRTX2060().with("rtx3070", "RTX 3070 · 46 SMs · GDDR6 448 GB/s",
		"GPGPU-Sim 4 SM86_RTX3070; NVIDIA GA102 whitepaper; GDDR6 of Ramulator 2.1",
		slices.Concat([]row{
			{"sms", 46, sourceGA104 + "; " + sourceRTX3070 + ", gpgpu_n_clusters"},
			{"coreMHz", 1725, sourceGA104 + ": boost clock"},
			{"dramMHz", 1750, sourceGA104 + ": 14 Gb/s a pin; " + sourceRTX3070 +
				", gpgpu_clock_domains: half of 3500.5"},
			{"requestLatencyCycles", 53, l2},
			{"replyLatencyCycles", 51, l2},
			{"l2LatencyCycles", 120, sourceOurs +
				"the share of the 226 cycles that is not the crossbar's, as in gtx480"},
			{"controllers", 8, sourceGA104 + ": eight 32-bit controllers"},
			{"channels", 2, sourceRTX3070 + ", gpgpu_n_mem 16 of 16 bits; each has two L2 slices there, one here"},
			{"memoryBytes", 8 << 30, sourceGA104 + ": 8 GB"},
			{"addressHash", "both", sourceRTX3070 + ", gpgpu_memory_partition_indexing 2 hashes by a polynomial; " +
				"without a hash, strides of powers of two meet in one channel"},
			{"l2.sets", 128, sourceRTX3070 + ", gpgpu_cache:dl2 S:64:128:16, two slices in one; " + sourceGA104 +
				": 4 MB in all"},
			{"l2.ways", 16, sourceRTX3070 + ", gpgpu_cache:dl2 S:64:128:16"},
			{"l2.mshrs", 384, sourceRTX3070 + ", gpgpu_cache:dl2 A:192:4, two slices in one"},
			{"controller.fixedLatencyCycles", 185, sourceMeasured3070 +
				"dram_latency 254 after an L2 hit, less opening and reading a row and the mean wait for refreshes"},
			{"sm.warps", 48, sourceCC86 + ": 1536 threads an SM; " + sourceRTX3070 + ", gpgpu_shader_core_pipeline"},
			{"sm.ctas", 16, sourceCC86},
			{"sm.registers", 65536, sourceCC86},
			{"sm.registerUnit", 256, sourceOccup86},
			{"sm.warpUnit", 4, sourceOccup86},
			{"sm.sharedBytes", 65536, sourceCC86 + ": 64 KB is one of the shares of 128 KB"},
			{"sm.sharedUnit", 128, sourceOccup86},
			{"sm.schedulers", 4, sourceRTX3070 + ", gpgpu_num_sched_per_core"},
			{"sm.policy", "lrr", sourceRTX3070 + ", gpgpu_scheduler"},
			{"sm.fetch.perCycle", 4, sourceRTX3070 + ", gpgpu_inst_fetch_throughput"},
			{"sm.texture.ways", 256, sourceRTX3070 + ", gpgpu_tex_cache:l1 N:4:128:256"},
			{"sm.banks", 32, sourceRTX3070 + ", gpgpu_shmem_num_banks"},
			{"sm.sharedLatency", 28, sourceMeasured3070 + "gpgpu_smem_latency 29, of which issue is one"},
			{"sm.l1Loads", true, sourceRTX3070 + ", gpgpu_gmem_skip_L1D 0"},
			{"sm.l1.sets", 32, sourceRTX3070 + ", gpgpu_unified_l1d_size 128: 64 KB beside 64 KB of shared memory; " +
				"the hardware has fewer sets of more ways"},
			{"sm.l1.ways", 16, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.index", "linear", sourceRTX3070 + ", gpgpu_cache:dl1 S:4:128:256,L:T:m:L:L"},
			{"sm.l1.mshrs", 384, sourceRTX3070 + ", gpgpu_cache:dl1 A:384:48"},
			{"sm.l1.merges", 16, sourceOurs + "the most an MSHR holds here; " + sourceRTX3070 + " has 48"},
			{"sm.l1.latencyCycles", 38, sourceMeasured3070 + "gpgpu_l1_latency 39, of which issue is one"},
		}, noTLB(), ga104Timing(), chipEnergy(8), []row{voltaStatic(46)})...)
}

// ga104Timing is that of GPGPU-Sim's SM86_RTX3070, with the units of the four schedulers for special functions, double
// precision and matrices in one.
func ga104Timing() []row {
	const (
		integer = sourceRTX3070 + ", ptx_opcode_latency_int 4,4,4,4,21 and initiation_int 2,2,2,2,2"
		single  = sourceRTX3070 + ", ptx_opcode_latency_fp 4,4,4,4,39 and initiation_fp 1,1,1,1,2"
		divide  = single + " of four units"
		double  = sourceRTX3070 + ", ptx_opcode_latency_dp 64,64,64,64,330 and " +
			"initiation_dp 64,64,64,64,130 of four units"
		special = sourceRTX3070 + ", ptx_opcode_latency_sfu 21 and initiation_sfu 8 of four units"
		matrix  = sourceRTX3070 + ", ptx_opcode_latency_tensor 64; " + sourceGA104 +
			": 512 fma a cycle of four units, 2048 for m16n8k16"
	)
	rows := timings([]classTiming{
		{ptx.ClassIntAdd, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMax, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMul, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMad, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntDiv, sm.UnitALU, 21, 2, integer},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMax, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMad, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 39, 1, divide},
		{ptx.ClassDoubleAdd, sm.UnitDouble, 64, 16, double},
		{ptx.ClassDoubleMax, sm.UnitDouble, 64, 16, double},
		{ptx.ClassDoubleMul, sm.UnitDouble, 64, 16, double},
		{ptx.ClassDoubleMad, sm.UnitDouble, 64, 16, double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 330, 33, double},
		{ptx.ClassSpecial, sm.UnitSpecial, 21, 2, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 21, 2, special},
		{ptx.ClassMatrix, sm.UnitSpecial, 64, 4, matrix},
	})
	for _, class := range []ptx.Class{ptx.ClassMove, ptx.ClassBranch, ptx.ClassBarrier} {
		rows = append(rows, timings([]classTiming{{class, sm.UnitALU, 4, 2, "as integer add: " + integer}})...)
	}
	return rows
}
