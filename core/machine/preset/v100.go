package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

const (
	sourceV100  = "GPGPU-Sim 4, tested-cfgs/SM7_QV100"
	sourceGV100 = "NVIDIA Tesla V100 GPU Architecture whitepaper, table 1"
)

// presetV100 is the machine whose simulation is compared with silicon most often:
// GPGPU-Sim, Accel-Sim and AccelWattch were validated on it.
func presetV100() preset {
	const l2 = sourceJia + ": an L2 hit takes 193 cycles from load to use"
	return presetP100().with("v100", "V100 · 80 SMs · HBM2 870 GB/s", "GPGPU-Sim 4 SM7_QV100; NVIDIA V100 whitepaper; latencies measured by Jia et al.",
		slices.Concat([]row{
			{"sms", 80, sourceGV100},
			{"coreMHz", 1132, sourceV100 + ", gpgpu_clock_domains"},
			{"dramMHz", 850, sourceV100 + ", gpgpu_clock_domains"},
			{"requestLatencyCycles", 36, l2},
			{"replyLatencyCycles", 35, l2},
			{"l2LatencyCycles", 120, sourceOurs + "the share of the 193 cycles that is not the crossbar's, as in gtx480"},
			{"controllers", 8, sourceGV100 + ": eight 512-bit controllers"},
			{"channels", 4, sourceV100 + ", gpgpu_n_mem 32 of 128 bits"},
			{"memoryBytes", 32 << 30, "NVIDIA Quadro GV100 data sheet: 32 GB"},
			{"addressMap", dram.MapV100, sourceV100 + ", gpgpu_mem_addr_mapping"},
			{"addressHash", "both", sourceOurs + "without a hash, strides of powers of two meet in one channel"},
			{"l2.sets", 64, sourceV100 + ", gpgpu_cache:dl2 S:32:128:24, two slices in one; " + sourceGV100 + ": 6144 KB"},
			{"l2.ways", 24, sourceV100 + ", gpgpu_cache:dl2 S:32:128:24"},
			{"l2.sectorFill", true, sourceV100 + ", gpgpu_cache:dl2 S: sectors of 32 bytes"},
			{"l2.mshrs", 384, sourceV100 + ", gpgpu_cache:dl2 A:192:4, two slices in one"},
			{"l2.merges", 4, sourceV100 + ", gpgpu_cache:dl2 A:192:4"},
			{"controller.readQueueBlocks", 64, sourceV100 + ", gpgpu_frfcfs_dram_sched_queue_size"},
			{"controller.returnQueueBlocks", 192, sourceV100 + ", gpgpu_dram_return_queue_size"},
			{"controller.fixedLatencyCycles", 100, sourceV100 + ", dram_latency"},
			{"controller.metadataBytes", 8192, "E2MC section III-D, per controller"},
			{"controller.metadataWays", 4, "E2MC section III-D, per controller"},
			{"sm.warps", 64, sourceGV100},
			{"sm.ctas", 32, sourceV100 + ", gpgpu_shader_cta"},
			{"sm.registers", 65536, sourceGV100},
			{"sm.registerUnit", 256, "CUDA occupancy calculator, compute capability 7.0"},
			{"sm.warpUnit", 4, "CUDA occupancy calculator, compute capability 7.0"},
			{"sm.sharedBytes", 98304, sourceV100 + ", gpgpu_shmem_size"},
			{"sm.sharedUnit", 256, "CUDA occupancy calculator, compute capability 7.0"},
			{"sm.schedulers", 4, sourceV100 + ", gpgpu_num_sched_per_core"},
			{"sm.policy", "lrr", sourceV100 + ", gpgpu_scheduler"},
			{"sm.issueWidth", 1, sourceV100 + ", gpgpu_max_insn_issue_per_warp"},
			{"sm.pipelineCycles", 0, sourceJia + ", table 4.1: 4 cycles from an addition to a dependent one, all of them the unit's"},
			{"sm.fetch.perCycle", 4, sourceV100 + ", gpgpu_inst_fetch_throughput"},
			{"sm.fetch.cache.sets", 0, sourceV100 + ", gpgpu_perfect_inst_const_cache"},
			{"sm.texture.ways", 256, sourceV100 + ", gpgpu_tex_cache:l1 N:4:128:256"},
			{"sm.constant.cache.sets", 0, sourceV100 + ", gpgpu_perfect_inst_const_cache"},
			{"sm.banks", 32, sourceV100 + ", gpgpu_shmem_num_banks"},
			{"sm.sharedLatency", 18, sourceJia + ": 19 cycles from load to use, of which issue is one"},
			{"sm.l1Loads", true, sourceV100 + ", gmem_skip_L1D 0"},
			{"sm.l1.sets", 16, sourceV100 + ", gpgpu_cache:dl1 S:4:128:64: 32 KB beside 96 KB of shared memory; the hardware has fewer sets of more ways"},
			{"sm.l1.ways", 16, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.index", "linear", sourceV100 + ", gpgpu_cache:dl1 L:L:s:N:L"},
			{"sm.l1.acquire", "forget", sourceOrder},
			{"sm.l1.mshrs", 512, sourceV100 + ", gpgpu_cache:dl1 A:512:8"},
			{"sm.l1.merges", 8, sourceV100 + ", gpgpu_cache:dl1 A:512:8"},
			{"sm.l1.latencyCycles", 27, sourceJia + ": 28 cycles from load to use, of which issue is one"},
		}, tlbV100(), voltaTiming(), dramRows(dram.V100().HBM2Refresh(850)), chipEnergy(12), hbm2Energy(false), []row{
			voltaStatic(80),
			perBankRefresh(),
		})...)
}

// voltaTiming is that of GPGPU-Sim's SM7_QV100, with the units of the four
// schedulers for special functions, double precision and matrices in one.
func voltaTiming() []row {
	const (
		integer = sourceV100 + ", ptx_opcode_latency_int 4,13,4,5,145,21 and initiation_int 2,2,2,2,8,4"
		single  = sourceV100 + ", ptx_opcode_latency_fp 4,13,4,5,39 and initiation_fp 2,2,2,2,4"
		divide  = single + " of four units"
		double  = sourceV100 + ", ptx_opcode_latency_dp 8,19,8,8,330 and initiation_dp 4,4,4,4,130 of four units"
		special = sourceV100 + ", ptx_opcode_latency_sfu 100 and initiation_sfu 8 of four units"
		matrix  = sourceV100 + ", ptx_opcode_latency_tensor 64; " + sourceGV100 + ": 512 fma a cycle of eight units, 2048 for m16n8k16"
		alike   = "as integer add: " + integer
	)
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 4, 2, alike},
		{ptx.ClassIntAdd, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMax, sm.UnitALU, 13, 2, integer},
		{ptx.ClassIntMul, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMad, sm.UnitALU, 5, 2, integer},
		{ptx.ClassIntDiv, sm.UnitALU, 145, 8, integer},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 2, single},
		{ptx.ClassFloatMax, sm.UnitALU, 13, 2, single},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 2, single},
		{ptx.ClassFloatMad, sm.UnitALU, 5, 2, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 39, 1, divide},
		{ptx.ClassDoubleAdd, sm.UnitDouble, 8, 1, double},
		{ptx.ClassDoubleMax, sm.UnitDouble, 19, 1, double},
		{ptx.ClassDoubleMul, sm.UnitDouble, 8, 1, double},
		{ptx.ClassDoubleMad, sm.UnitDouble, 8, 1, double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 330, 33, double},
		{ptx.ClassSpecial, sm.UnitSpecial, 100, 2, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 100, 2, special},
		{ptx.ClassShuffle, sm.UnitALU, 21, 4, integer},
		{ptx.ClassBranch, sm.UnitALU, 4, 2, alike},
		{ptx.ClassBarrier, sm.UnitALU, 4, 2, alike},
		{ptx.ClassMatrix, sm.UnitSpecial, 64, 4, matrix},
	})
}
