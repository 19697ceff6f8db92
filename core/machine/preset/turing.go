package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
)

const (
	sourceRTX2060 = "GPGPU-Sim 4, tested-cfgs/SM75_RTX2060"
	sourceTuring  = "NVIDIA Turing GPU Architecture whitepaper, appendix B (TU106)"
	// sourceMeasured2060 is how Accel-Sim measures a latency of SM75_RTX2060 on the card: its microbenchmarks l1_lat, l2_lat
	// and shd_lat follow pointers, and rop_latency is the difference of L2's and L1's.
	sourceMeasured2060 = sourceRTX2060 + ", measured on the card by Accel-Sim's microbenchmarks: "
)

// presetRTX2060 is a card of consumers: 12 channels of GDDR6.
func presetRTX2060() preset {
	const l2 = sourceMeasured2060 + "an L2 hit takes 226 cycles from load to use, gpgpu_l2_rop_latency 194 after L1's 32"
	return presetV100().with("rtx2060", "RTX 2060 · 30 SMs · GDDR6 336 GB/s", "GPGPU-Sim 4 SM75_RTX2060; NVIDIA Turing whitepaper; GDDR6 of Ramulator 2.1",
		slices.Concat([]row{
			{"sms", 30, sourceTuring + "; " + sourceRTX2060 + ", gpgpu_n_clusters"},
			{"coreMHz", 1365, sourceRTX2060 + ", gpgpu_clock_domains"},
			{"dramMHz", 1750, sourceTuring + ": 14 Gb/s a pin; " + sourceRTX2060 + ", gpgpu_clock_domains: half of 3500.5"},
			{"requestLatencyCycles", 53, l2},
			{"replyLatencyCycles", 51, l2},
			{"l2LatencyCycles", 120, sourceOurs + "the share of the 226 cycles that is not the crossbar's, as in gtx480"},
			{"controllers", 6, sourceTuring + ": six 32-bit controllers"},
			{"channels", 2, sourceRTX2060 + ", gpgpu_n_mem 12 of 16 bits; each has two L2 slices there, one here"},
			{"memoryBytes", 6 << 30, sourceTuring + ": 6 GB on the RTX 2060"},
			{"addressMap", dram.MapRTX2060, sourceRTX2060 + ", gpgpu_mem_addr_mapping"},
			{"addressHash", "none", sourceRTX2060 + ", gpgpu_memory_partition_indexing 0"},
			{"l2.sets", 128, sourceRTX2060 + ", gpgpu_cache:dl2 S:64:128:16, two slices in one; 3 MB in all"},
			{"l2.ways", 16, sourceRTX2060 + ", gpgpu_cache:dl2 S:64:128:16"},
			{"l2.index", "fold", sourceOurs + sourceRTX2060 + ", gpgpu_cache:dl2 L:B:m:L:P, hashes by a polynomial"},
			{"l2.mshrs", 384, sourceRTX2060 + ", gpgpu_cache:dl2 A:192:4, two slices in one"},
			{"controller.fixedLatencyCycles", 43, sourceMeasured2060 + "dram_latency 96 after an L2 hit, less opening and reading a row"},
			{"sm.warps", 32, sourceTuring + ": 1024 threads an SM"},
			{"sm.ctas", 16, sourceRTX2060 + ", gpgpu_shader_cta"},
			{"sm.registers", 65536, sourceRTX2060 + ", gpgpu_shader_registers"},
			{"sm.registerUnit", 256, "CUDA occupancy calculator, compute capability 7.5"},
			{"sm.warpUnit", 4, "CUDA occupancy calculator, compute capability 7.5"},
			{"sm.sharedBytes", 65536, sourceRTX2060 + ", gpgpu_shmem_size"},
			{"sm.sharedUnit", 256, "CUDA occupancy calculator, compute capability 7.5"},
			{"sm.schedulers", 4, sourceRTX2060 + ", gpgpu_num_sched_per_core"},
			{"sm.policy", "lrr", sourceRTX2060 + ", gpgpu_scheduler"},
			{"sm.issueWidth", 1, sourceRTX2060 + ", gpgpu_max_insn_issue_per_warp"},
			{"sm.pipelineCycles", 0, sourceOurs + "as v100: the unit's four cycles are those from an addition to a dependent one"},
			{"sm.fetch.perCycle", 4, sourceRTX2060 + ", gpgpu_inst_fetch_throughput"},
			{"sm.fetch.cache.sets", 0, sourceRTX2060 + ", gpgpu_perfect_inst_const_cache"},
			{"sm.texture.ways", 256, sourceRTX2060 + ", gpgpu_tex_cache:l1 N:4:128:256"},
			{"sm.constant.cache.sets", 0, sourceRTX2060 + ", gpgpu_perfect_inst_const_cache"},
			{"sm.banks", 32, sourceRTX2060 + ", gpgpu_shmem_num_banks"},
			{"sm.sharedLatency", 29, sourceMeasured2060 + "gpgpu_smem_latency 30, of which issue is one"},
			{"sm.l1Loads", true, sourceRTX2060 + ", gpgpu_gmem_skip_L1D 0"},
			{"sm.l1.sets", 16, sourceRTX2060 + ", gpgpu_unified_l1d_size 96: 32 KB beside 64 KB of shared memory; the hardware has fewer sets of more ways"},
			{"sm.l1.ways", 16, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.index", "linear", sourceRTX2060 + ", gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L"},
			{"sm.l1.mshrs", 256, sourceRTX2060 + ", gpgpu_cache:dl1 A:256:32"},
			{"sm.l1.merges", 16, sourceOurs + "the most an MSHR holds here; " + sourceRTX2060 + " has 32"},
			{"sm.l1.latencyCycles", 31, sourceMeasured2060 + "gpgpu_l1_latency 32, of which issue is one"},
		}, tlbTuring(), turingTiming(), dramRows(dram.GDDR6()), chipEnergy(12), gddr6Energy(),
			[]row{voltaStatic(30)})...)
}

// turingTiming is that of GPGPU-Sim's SM75_RTX2060.
func turingTiming() []row {
	return fourSchedulers(sourceRTX2060, unitTiming{
		double: [2]int{64, 16}, doubles: ", ptx_opcode_latency_dp 64,64,64,64,330 and initiation_dp 64,64,64,64,130 of four units",
		special: 21, specials: ", ptx_opcode_latency_sfu 21 and initiation_sfu 8 of four units",
		matrix:   [2]int{64, 4},
		matrices: ", ptx_opcode_latency_tensor 64; " + sourceTuring + ": 512 fma a cycle of eight units, 2048 for m16n8k16",
	})
}

// gddr6Energy is that of a 16-bit channel, with the formulas and the clock of DRAMsim3's file: V x mA x cycles x ns = pJ.
func gddr6Energy() []row {
	const part = "DRAMsim3 GDDR6_8Gb_x16.ini, 1.35 V, 0.66 ns: "
	return []row{
		{"energy.dramActivateFemtojoules", 716_364, part + "V x (IDD0 71 x 78 - IDD3N 61 x 54 - IDD2N 60 x 24) x ns"},
		{"energy.dramReadFemtojoules", 10_414, part + "V x (IDD4R 248 - IDD3N 61) x 2 cycles x ns / 32 bytes"},
		{"energy.dramWriteFemtojoules", 9_467, part + "V x (IDD4W 231 - IDD3N 61) x 2 cycles x ns / 32 bytes"},
		{"energy.dramIOFemtojoules", 5_207, sourceOurs + "JESD250 POD135: 1.35 V over 60 + 40 ohm during half of the bits of 14 Gb/s, 0.65 pJ a bit"},
		{"energy.dramRefreshFemtojoules", 25_259_850, part + "V x (IDD5AB 286 - IDD3N 61) x 126 cycles x ns"},
		{"energy.dramOpenMilliwatts", 82, part + "V x IDD3N 61"},
		{"energy.dramClosedMilliwatts", 81, part + "V x IDD2N 60"},
	}
}
