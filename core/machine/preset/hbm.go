package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// The machines with HBM2.

const (
	sourceP100 = "GPGPU-Sim 4, 4.x-cfgs/SM6_P100"
	sourceA100 = "GPGPU-Sim 4, tested-cfgs/SM80_A100"
	// sourceBuddy is the machine of Buddy Compression.
	sourceBuddy = "Buddy Compression table I"
	sourceGP100 = "NVIDIA Tesla P100 whitepaper, table 1"
	sourceGA100 = "NVIDIA A100 Tensor Core GPU Architecture whitepaper, tables 1 and 4"
	// sourceJia and sourceAmpere measured latencies on silicon by pointer chasing.
	sourceJia    = "Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018, table 3.1"
	sourceAmpere = "Abdelkhalik et al., Demystifying the NVIDIA Ampere Architecture through Microbenchmarking, 2022, memory latencies"
)

// presetP100 is the machine of Buddy Compression.
func presetP100() preset {
	const l2 = sourceJia + ": an unloaded L2 hit takes 234 cycles from load to use"
	return presetFermi().with("p100", "P100 · 56 SMs · HBM2 896 GB/s", "Buddy Compression table I; NVIDIA Tesla P100 whitepaper; otherwise GPGPU-Sim 4 SM6_P100",
		slices.Concat([]row{
			{"sms", 56, sourceGP100},
			{"coreMHz", 1300, sourceBuddy},
			{"dramMHz", 875, sourceBuddy},
			{"requestLatencyCycles", 57, l2},
			{"replyLatencyCycles", 55, l2},
			{"l2LatencyCycles", 120, sourceP100 + ", rop_latency"},
			{"controllers", 8, sourceBuddy},
			{"channels", 4, sourceBuddy},
			{"memoryBytes", 16 << 30, sourceGP100},
			{"addressMap", dram.MapP100, sourceP100 + ", gpgpu_mem_addr_mapping"},
			{"addressHash", "none", sourceP100 + ", which names none"},
			{"l2.sets", 64, sourceP100 + ", gpgpu_cache:dl2 S:64:128:16; " + sourceBuddy + ": 4 MB in 32 slices"},
			{"l2.ways", 16, sourceBuddy},
			{"l2.sectorFill", true, sourceP100 + ", gpgpu_cache:dl2 S: sectors of 32 bytes"},
			{"l2.mshrs", 256, sourceP100 + ", gpgpu_cache:dl2 A:256:4"},
			{"l2.merges", 4, sourceP100 + ", gpgpu_cache:dl2 A:256:4"},
			{"l2.flitBytes", flitBytes, sourceP100 + ", icnt_flit_size"},
			{"controller.readQueueBlocks", 64, sourceP100 + ", gpgpu_frfcfs_dram_sched_queue_size"},
			{"controller.returnQueueBlocks", 192, sourceP100 + ", gpgpu_dram_return_queue_size"},
			{"controller.fixedLatencyCycles", 100, sourceP100 + ", dram_latency"},
			{"controller.metadataBytes", 8192, "Buddy Compression section III: 64 KB in eight slices"},
			{"controller.metadataWays", 4, "Buddy Compression section III"},
			{"sm.warps", 64, sourceBuddy},
			{"sm.ctas", 32, sourceP100 + ", gpgpu_shader_cta"},
			{"sm.registers", 65536, sourceP100 + ", gpgpu_shader_registers"},
			{"sm.registerUnit", 256, "CUDA occupancy calculator, compute capability 6.0"},
			{"sm.warpUnit", 2, "CUDA occupancy calculator, compute capability 6.0"},
			{"sm.sharedBytes", 65536, sourceBuddy},
			{"sm.sharedUnit", 256, "CUDA occupancy calculator, compute capability 6.0"},
			{"sm.schedulers", 2, sourceBuddy},
			{"sm.policy", "gto", sourceP100 + ", gpgpu_scheduler"},
			{"sm.issueWidth", 2, sourceP100 + ", gpgpu_max_insn_issue_per_warp 2 with gpgpu_dual_issue_diff_exec_units"},
			{"sm.pipelineCycles", 2, sourceJia + ", table 4.1: 6 cycles from an addition to a dependent one on Pascal, 4 of them the unit's"},
			{"sm.fetch.perCycle", 4, "GPGPU-Sim 4, tested-cfgs/SM6_TITANX, gpgpu_inst_fetch_throughput 8 for four schedulers"},
			{"sm.fetch.cache.sets", 8, sourceP100 + ", gpgpu_cache:il1 N:8:128:4"},
			{"sm.texture.sets", 16, "GPGPU-Sim 4, tested-cfgs/SM6_TITANX, gpgpu_tex_cache:l1 N:16:128:24"},
			{"sm.constant.cache.sets", 128, sourceP100 + ", gpgpu_const_cache:l1 N:128:64:2"},
			{"sm.banks", 32, sourceP100 + ", gpgpu_shmem_num_banks"},
			{"sm.sharedLatency", 23, sourceJia + ": 24 cycles from load to use, of which issue is one"},
			{"sm.flitBytes", flitBytes, sourceP100 + ", icnt_flit_size"},
			{"sm.l1Loads", true, sourceP100 + ", gmem_skip_L1D 0"},
			{"sm.l1.sets", 32, sourceBuddy + ": 24 KB; the sets of " + sourceP100 + " halved"},
			{"sm.l1.ways", 6, sourceP100 + ", gpgpu_cache:dl1 S:64:128:6"},
			{"sm.l1.index", "fermi", sourceP100 + ", gpgpu_cache:dl1 L:L:f:N:H"},
			{"sm.l1.sectored", true, sourceP100 + ", gpgpu_cache:dl1 S:64:128:6"},
			{"sm.l1.mshrs", 256, sourceP100 + ", gpgpu_cache:dl1 A:256:8"},
			{"sm.l1.merges", 8, sourceP100 + ", gpgpu_cache:dl1 A:256:8"},
			{"sm.l1.passCycles", 0, sourceOurs + "part of the way to L2, whose 234 cycles are measured"},
			{"sm.l1.latencyCycles", 81, sourceJia + ": 82 cycles from load to use, of which issue is one"},
		}, tlbP100(), pascalTiming(), dramRows(p100DRAM()), chipEnergy(16), hbm2Energy(false), []row{
			voltaStatic(56),
			perBankRefresh(),
		})...)
}

// presetP100b is the machine of Buddy Compression where its text says more than GPGPU-Sim's P100: memory is hashed, and
// caches keep up with it. A read from end to end has 0.94 of the peak of DRAM in place of 0.79.
func presetP100b() preset {
	return presetP100().with("p100b", "P100 whose caches keep up with HBM2 · 56 SMs · 896 GB/s",
		"Buddy Compression table I, sections III-B and IV-A; otherwise p100",
		row{"addressHash", "both", "Buddy Compression section III-B: addresses are interleaved over the channels by " +
			"a hash, which it does not give; this one [ours]"},
		row{"xbar.inputQueues", "voq", "Buddy Compression section IV-A: caches have banks enough to saturate DRAM, " +
			"and an input whose first packet holds up the others passes 58.6 % at most (Karol, Hluchyj, Morgan, " +
			"Input Versus Output Queueing, 1987)"},
	)
}

// perBankRefresh refreshes bank by bank. Refreshing all banks at once would cost the data
// bus 7 % of its time.
func perBankRefresh() row {
	return row{"dram.refresh", "perBank", sourceOurs + "HBM2 (JESD235) can refresh single banks while the others work, for the sake of bandwidth"}
}

// p100DRAM is the HBM2 of GPGPU-Sim's P100 at the clock of Buddy Compression, with
// the refresh of DRAMsim3.
func p100DRAM() dram.Spec {
	const nominalMHz, mhz = 715, 875
	d := dram.P100().At(nominalMHz, mhz)
	d.Source += " in ns, at 875 MHz"
	return d.HBM2Refresh(mhz)
}

// pascalTiming is the timing of GPGPU-Sim's SM6_P100. It has two units for special
// functions and two for double precision. Here each pair is one unit that takes a warp
// twice as often.
func pascalTiming() []row {
	const (
		integer = sourceP100 + ", ptx_opcode_latency_int 4,13,4,5,145 and initiation_int 1,1,1,1,4"
		single  = sourceP100 + ", ptx_opcode_latency_fp 4,13,4,5,39 and initiation_fp 1,2,1,1,4"
		divide  = single + " of two units"
		double  = sourceP100 + ", ptx_opcode_latency_dp 8,19,8,8,330 and initiation_dp 2,2,2,2,130 of two units"
		special = sourceP100 + ", ptx_opcode_latency_sfu 8 and initiation_sfu 4 of two units"
		shuffle = "GPGPU-Sim 4, tested-cfgs/SM6_TITANX, ptx_opcode_latency_int 32 and initiation_int 4"
		alike   = "as integer add: " + integer
	)
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 4, 1, alike},
		{ptx.ClassIntAdd, sm.UnitALU, 4, 1, integer},
		{ptx.ClassIntMax, sm.UnitALU, 13, 1, integer},
		{ptx.ClassIntMul, sm.UnitALU, 4, 1, integer},
		{ptx.ClassIntMad, sm.UnitALU, 5, 1, integer},
		{ptx.ClassIntDiv, sm.UnitALU, 145, 4, integer},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMax, sm.UnitALU, 13, 2, single},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMad, sm.UnitALU, 5, 1, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 39, 2, divide},
		{ptx.ClassDoubleAdd, sm.UnitDouble, 8, 1, double},
		{ptx.ClassDoubleMax, sm.UnitDouble, 19, 1, double},
		{ptx.ClassDoubleMul, sm.UnitDouble, 8, 1, double},
		{ptx.ClassDoubleMad, sm.UnitDouble, 8, 1, double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 330, 65, double},
		{ptx.ClassSpecial, sm.UnitSpecial, 8, 2, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 8, 2, special},
		{ptx.ClassShuffle, sm.UnitALU, 32, 4, shuffle},
		{ptx.ClassBranch, sm.UnitALU, 4, 1, alike},
		{ptx.ClassBarrier, sm.UnitALU, 4, 1, alike},
	})
}

// presetA100 is a machine of a later generation than the papers', to compare sectors,
// bursts and bandwidth.
func presetA100() preset {
	const l2 = sourceAmpere + ": an L2 hit takes 200 cycles from load to use"
	return presetFermi().with("a100", "A100 · 108 SMs · HBM2 1555 GB/s", "NVIDIA A100 whitepaper; latencies measured by Abdelkhalik et al.; otherwise GPGPU-Sim 4 SM80_A100",
		slices.Concat([]row{
			{"sms", 108, sourceGA100},
			{"coreMHz", 1410, sourceGA100},
			{"dramMHz", 1215, sourceGA100},
			{"requestLatencyCycles", 40, l2},
			{"replyLatencyCycles", 38, l2},
			{"l2LatencyCycles", 120, sourceOurs + "the share of the 200 cycles that is not the crossbar's, as in gtx480"},
			{"controllers", 10, sourceGA100 + ": ten 512-bit controllers"},
			{"channels", 8, sourceOurs + "the eight 64-bit pseudo-channels of 512 bits; each has two of the 160 L2 slices of " + sourceA100},
			{"memoryBytes", 40 << 30, sourceGA100},
			{"addressMap", dram.MapA100, sourceOurs + "the map of GPGPU-Sim's SM7_QV100 for the rows of a pseudo-channel"},
			{"addressHash", "both", sourceOurs + "without a hash, strides of powers of two meet in one bank"},
			{"l2.sets", 256, sourceGA100 + ": 40 MB in all; " + sourceA100 + ", gpgpu_cache:dl2 S:128:128:16, two slices in one"},
			{"l2.ways", 16, sourceA100 + ", gpgpu_cache:dl2 S:128:128:16"},
			{"l2.index", "fold", "GPGPU-Sim 4, tested-cfgs/SM7_QV100, gpgpu_cache:dl2 with a hashed index; which one is not known"},
			{"l2.sectorFill", true, sourceA100 + ", gpgpu_cache:dl2 S: sectors of 32 bytes"},
			{"l2.mshrs", 384, sourceA100 + ", gpgpu_cache:dl2 A:192:4, two slices in one"},
			{"l2.merges", 4, sourceA100 + ", gpgpu_cache:dl2 A:192:4"},
			{"l2.flitBytes", flitBytes, sourceA100 + ", icnt_flit_size"},
			{"controller.readQueueBlocks", 64, sourceA100 + ", gpgpu_frfcfs_dram_sched_queue_size"},
			{"controller.returnQueueBlocks", 192, sourceA100 + ", gpgpu_dram_return_queue_size"},
			{"controller.rowHitCapBlocks", 8, sourceOurs + "a 1 KB row of blocks"},
			{"controller.fixedLatencyCycles", 31, sourceAmpere + ": 290 cycles from load to use, less an L2 hit and opening a row"},
			{"sm.warps", 64, sourceGA100},
			{"sm.ctas", 32, sourceGA100},
			{"sm.registers", 65536, sourceGA100},
			{"sm.registerUnit", 256, "CUDA occupancy calculator, compute capability 8.0"},
			{"sm.warpUnit", 4, "CUDA occupancy calculator, compute capability 8.0"},
			{"sm.sharedBytes", 65536, "CUDA C programming guide, compute capability 8.0: 64 KB is one of the shares of 192 KB"},
			{"sm.sharedUnit", 128, "CUDA occupancy calculator, compute capability 8.0"},
			{"sm.schedulers", 4, sourceGA100},
			{"sm.policy", "lrr", "GPGPU-Sim 4, tested-cfgs/SM7_QV100, gpgpu_scheduler"},
			{"sm.pipelineCycles", 0, sourceAmpere + ": 4 cycles from an addition to a dependent one, all of them the unit's"},
			{"sm.fetch.perCycle", 4, "GPGPU-Sim 4, tested-cfgs/SM7_QV100, gpgpu_inst_fetch_throughput"},
			{"sm.fetch.cache.sets", 0, "GPGPU-Sim 4, tested-cfgs/SM7_QV100, gpgpu_perfect_inst_const_cache"},
			{"sm.texture.ways", 256, sourceA100 + ", gpgpu_tex_cache:l1 N:4:128:256"},
			{"sm.constant.cache.sets", 0, "GPGPU-Sim 4, tested-cfgs/SM7_QV100, gpgpu_perfect_inst_const_cache"},
			{"sm.banks", 32, sourceA100 + ", gpgpu_shmem_num_banks"},
			{"sm.sharedLatency", 22, sourceAmpere + ": 23 cycles from load to use, of which issue is one"},
			{"sm.flitBytes", flitBytes, sourceA100 + ", icnt_flit_size"},
			{"sm.l1Loads", true, sourceA100 + ", gpgpu_gmem_skip_L1D 0"},
			{"sm.l1.sets", 64, sourceOurs + "128 KB, what 64 KB of shared memory leave of 192 KB; the hardware has fewer sets of more ways"},
			{"sm.l1.ways", 16, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.index", "linear", sourceOurs + "the set of an address in Ampere's L1 is not known"},
			{"sm.l1.sectored", true, sourceA100 + ", gpgpu_cache:dl1 S"},
			{"sm.l1.acquire", "forget", sourceOrder},
			{"sm.l1.mshrs", 512, sourceA100 + ", gpgpu_cache:dl1 A:512:64"},
			{"sm.l1.merges", 16, sourceOurs + "the most an MSHR holds here; " + sourceA100 + " has 64"},
			{"sm.l1.passCycles", 0, sourceOurs + "part of the way to L2, whose 200 cycles are measured"},
			{"sm.l1.latencyCycles", 32, sourceAmpere + ": 33 cycles from load to use, of which issue is one"},
		}, ampereTiming(), dramRows(dram.A100()), chipEnergy(7), hbm2Energy(true), []row{
			voltaStatic(108),
			perBankRefresh(),
		})...)
}

// ampereTiming is that of GPGPU-Sim's SM80_A100.
func ampereTiming() []row {
	return fourSchedulers(sourceA100, unitTiming{
		double: [2]int{6, 1}, doubles: ", ptx_opcode_latency_dp 6,6,6,6,330 and initiation_dp 4,4,4,4,130 of four units",
		special: 23, specials: ", ptx_opcode_latency_sfu 23 and initiation_sfu 8 of four units",
		matrix:   [2]int{25, 2},
		matrices: ", ptx_opcode_latency_tensor 25; " + sourceGA100 + ": 256 fma a cycle of four units, 2048 for m16n8k16",
	})
}

// unitTiming are the cycles of the units by which SMs of four schedulers differ, those between two warps, and where they
// stand.
type unitTiming struct {
	double, matrix              [2]int
	special                     int
	doubles, specials, matrices string
}

// fourSchedulers is the timing of an SM of GPGPU-Sim with four schedulers. A scheduler has units of its own there; for
// special functions, double precision and matrices the four of an SM are one here, which takes a warp four times as
// often.
func fourSchedulers(source string, t unitTiming) []row {
	integer := source + ", ptx_opcode_latency_int 4,4,4,4,21 and initiation_int 2,2,2,2,2"
	single := source + ", ptx_opcode_latency_fp 4,4,4,4,39 and initiation_fp 2,2,2,2,4"
	double, special := source+t.doubles, source+t.specials
	const shuffle = "GPGPU-Sim 4, tested-cfgs/SM7_QV100, ptx_opcode_latency_int 21 and initiation_int 4"
	alike := "as integer add: " + integer
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 4, 2, alike},
		{ptx.ClassIntAdd, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMax, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMul, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMad, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntDiv, sm.UnitALU, 21, 2, integer},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 2, single},
		{ptx.ClassFloatMax, sm.UnitALU, 4, 2, single},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 2, single},
		{ptx.ClassFloatMad, sm.UnitALU, 4, 2, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 39, 1, single + " of four units"},
		{ptx.ClassDoubleAdd, sm.UnitDouble, t.double[0], t.double[1], double},
		{ptx.ClassDoubleMax, sm.UnitDouble, t.double[0], t.double[1], double},
		{ptx.ClassDoubleMul, sm.UnitDouble, t.double[0], t.double[1], double},
		{ptx.ClassDoubleMad, sm.UnitDouble, t.double[0], t.double[1], double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 330, 33, double},
		{ptx.ClassSpecial, sm.UnitSpecial, t.special, 2, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, t.special, 2, special},
		{ptx.ClassShuffle, sm.UnitALU, 21, 4, shuffle},
		{ptx.ClassBranch, sm.UnitALU, 4, 2, alike},
		{ptx.ClassBarrier, sm.UnitALU, 4, 2, alike},
		{ptx.ClassMatrix, sm.UnitSpecial, t.matrix[0], t.matrix[1], source + t.matrices},
	})
}
