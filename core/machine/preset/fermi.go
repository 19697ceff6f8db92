package preset

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// named are the presets in the order of every list.
var named = []struct {
	name string
	make func() preset
}{
	{"gtx580b", presetGTX580b}, {"gtx580a", presetGTX580a}, {"gtx580c", presetGTX580c}, {"gtx580v4", presetGTX580v4}, {"gtx480", presetGTX480}, {"gtx480v3", presetGTX480v3}, {"gtx480v322", presetGTX480v322}, {"gtx480v321", presetGTX480v321}, {"mini", presetMini}, {"p100", presetP100}, {"p100b", presetP100b}, {"v100", presetV100}, {"rtx2060", presetRTX2060}, {"rtx3070", presetRTX3070}, {"rtx3090", presetRTX3090}, {"rtx4090", presetRTX4090}, {"orin", presetOrin}, {"a100", presetA100}, {"h100", presetH100}, {"h200", presetH200},
}

// Sources that many values share.
const (
	sourceGTX480   = "GPGPU-Sim 4, tested-cfgs/SM2_GTX480"
	sourceClassic  = sourceGTX480 + ", "
	sourceOccupy20 = "CUDA occupancy calculator, compute capability 2.0"
	sourceOurs     = "[ours] "
	// sourceOrder is where GPUs from compute capability 7.0 on have what an acquire does.
	sourceOrder = "PTX ISA, Memory Consistency Model; the compiler ends an acquire of scope .gpu or .sys with CCTL.IVALL (cuobjdump), which invalidates L1"
)

// classTiming is the three values of a class of instructions.
type classTiming struct {
	class               ptx.Class
	unit                sm.Unit
	latency, initiation int
	source              string
}

// timings gives the values of some classes.
func timings(list []classTiming) []row {
	var rows []row
	for _, t := range list {
		path := "sm.timing." + parameter.ClassNames[t.class]
		rows = append(rows,
			row{path + ".unit", parameter.UnitNames[t.unit], t.source},
			row{path + ".latencyCycles", t.latency, t.source},
			row{path + ".initiationCycles", t.initiation, t.source})
	}
	return rows
}

// dramRows gives the values of a DRAM specification with their sources.
func dramRows(d dram.Spec) []row {
	var rows []row
	for _, e := range (&parameter.GPU{DRAM: d}).Values().Entries() {
		if path, ok := strings.CutPrefix(e.Path, "dram."); ok {
			rows = append(rows, row{e.Path, e.Text(), d.SourceOf(path)})
		}
	}
	return rows
}

// fermiTiming is latency and initiation of GPGPU-Sim's SM2_GTX480: integer add,
// max, mul, mad, div, shuffle; single precision add, max, mul, mad, div; the same
// in double precision. There is no unit for double precision there: it shares the
// special-function unit.
func fermiTiming() []row {
	const (
		integer = sourceClassic + "ptx_opcode_latency_int 4,13,4,5,145,32 and initiation_int 1,2,2,1,8,4"
		single  = sourceClassic + "ptx_opcode_latency_fp 4,13,4,5,39 and initiation_fp 1,2,1,1,4"
		double  = sourceClassic + "ptx_opcode_latency_dp 8,19,8,8,330 and initiation_dp 8,16,8,8,130"
		alike   = "as integer add: " + integer
		special = "as single-precision division, the special-function unit's: " + single
		matrix  = sourceOurs + "no matrix unit: the time of the 64 fma of a warp that m16n8k16 stands for"
		memory  = sourceOurs + "one address generation a cycle; latency is the memory system's"
	)
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 4, 1, alike},
		{ptx.ClassIntAdd, sm.UnitALU, 4, 1, integer},
		{ptx.ClassIntMax, sm.UnitALU, 13, 2, integer},
		{ptx.ClassIntMul, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMad, sm.UnitALU, 5, 1, integer},
		{ptx.ClassIntDiv, sm.UnitALU, 145, 8, integer},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMax, sm.UnitALU, 13, 2, single},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMad, sm.UnitALU, 5, 1, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 39, 4, single},
		{ptx.ClassDoubleAdd, sm.UnitDouble, 8, 8, double},
		{ptx.ClassDoubleMax, sm.UnitDouble, 19, 16, double},
		{ptx.ClassDoubleMul, sm.UnitDouble, 8, 8, double},
		{ptx.ClassDoubleMad, sm.UnitDouble, 8, 8, double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 330, 130, double},
		{ptx.ClassSpecial, sm.UnitSpecial, 39, 4, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 39, 4, special},
		{ptx.ClassShuffle, sm.UnitALU, 32, 4, integer},
		{ptx.ClassBranch, sm.UnitALU, 4, 1, alike},
		{ptx.ClassBarrier, sm.UnitALU, 4, 1, alike},
		{ptx.ClassMemory, sm.UnitMemory, 1, 1, memory},
		{ptx.ClassMatrix, sm.UnitALU, 68, 64, matrix},
	})
}

// fermiSM is the SM of compute capability 2.0 with 48 KB of shared memory beside
// 16 KB of L1.
func fermiSM() []row {
	const paper = "RFVP table II; LATTE-CC table II; SLC table II"
	return slices.Concat([]row{
		{"sm.warps", 48, paper},
		{"sm.ctas", 8, "LATTE-CC table II"},
		{"sm.registers", 32768, paper},
		{"sm.registerUnit", 64, sourceOccupy20},
		{"sm.warpUnit", 2, sourceOccupy20},
		{"sm.sharedBytes", 49152, "LATTE-CC table II; SLC table II"},
		{"sm.sharedUnit", 128, sourceOccupy20},
		{"sm.schedulers", 2, "LATTE-CC table II; RFVP table II"},
		{"sm.policy", "gto", sourceClassic + "gpgpu_scheduler gto; LATTE-CC table II; RFVP table II"},
		{"sm.activeWarps", 6, sourceClassic + "two_level_active:6:0:1, an alternative there"},
		{"sm.issueWidth", 1, sourceClassic + "gpgpu_max_insn_issue_per_warp"},
		{"sm.pipelineCycles", 6, "GPGPU-Sim 4, shader.cc: two cycles in the operand collector, three between registers of the pipeline (ID_OC, OC_EX, EX_WB), one until the scoreboard is free; measured: 7 for an operation of one cycle"},
		{"sm.fetch.width", 2, "GPGPU-Sim 4, shader.cc, shader_core_ctx::decode: two instructions a fetch"},
		{"sm.fetch.perCycle", 1, "GPGPU-Sim 4, shader.cc: gpgpu_inst_fetch_throughput, 1 by default"},
		{"sm.fetch.latencyCycles", 2, "GPGPU-Sim 4, shader.cc: fetch, decode, issue in successive cycles"},
		{"sm.fetch.instructionBytes", 8, "GPGPU-Sim 4, ptx_ir.cc: m_inst_size of a PTX instruction"},
		{"sm.fetch.cache.sets", 4, sourceClassic + "gpgpu_cache:il1 N:4:128:4"},
		{"sm.fetch.cache.ways", 4, sourceClassic + "gpgpu_cache:il1 N:4:128:4"},
		{"sm.fetch.cache.lineBytes", 128, sourceClassic + "gpgpu_cache:il1 N:4:128:4"},
		{"sm.fetch.cache.mshrs", 2, sourceClassic + "gpgpu_cache:il1 S:2:32"},
		{"sm.constant.latencyCycles", 6, sourceGTX480 + ": the five cycles to the load/store unit that L1's 40 have beside gpgpu_l1_latency, and the access"},
		{"sm.constant.launchCycles", 0, sourceOurs + "a constant cache brings the parameters, or nobody has measured it"},
		{"sm.constant.cache.sets", 64, sourceClassic + "gpgpu_const_cache:l1 N:64:64:2"},
		{"sm.constant.cache.ways", 2, sourceClassic + "gpgpu_const_cache:l1 N:64:64:2"},
		{"sm.constant.cache.lineBytes", 64, sourceClassic + "gpgpu_const_cache:l1 N:64:64:2"},
		{"sm.constant.cache.mshrs", 2, sourceClassic + "gpgpu_const_cache:l1 S:2:32"},
		{"sm.texture.sets", 4, sourceClassic + "gpgpu_tex_cache:l1 N:4:128:24: 12 KB in lines of 128 bytes"},
		{"sm.texture.ways", 24, sourceClassic + "gpgpu_tex_cache:l1 N:4:128:24"},
		{"sm.texture.mshrs", 128, sourceClassic + "gpgpu_tex_cache:l1 F:128:4,128:2: lines that the reorder buffer holds"},
		{"sm.texture.latencyCycles", 261, sourceOurs + "no later measurement is known to us than that of Wong et al., Demystifying GPU Microarchitecture through Microbenchmarking, ISPASS 2010: a hit on a GT200"},
		{"sm.texture.lanesPerCycle", 4, "NVIDIA Fermi GF100 whitepaper: an SM has four texture units, each of which fetches four texels a clock. The V100, A100 and H100 whitepapers have four in an SM too"},
		{"sm.texture.queueDepth", 16, sourceOurs + "the 128 lines of " + sourceGTX480 + ", gpgpu_tex_cache:l1 F:128:4,128:2, at eight lines a fetch"},
		{"sm.banks", 32, sourceClassic + "gpgpu_shmem_num_banks"},
		{"sm.sharedLatency", 31, sourceGTX480 + " measured: 32 from load to use (gpgpu_smem_latency 26 and the pipeline around it), of which issue is one"},
		{"sm.queueDepth", 4, sourceOurs + "enough to keep address generation busy across one conflict"},
		{"sm.flitBytes", flitBytes, sourceClassic + "icnt_flit_size"},
		{"sm.l1Loads", true, sourceClassic + "gpgpu_gmem_skip_L1D 0"},
		{"sm.wholeSegments", false, sourceClassic + "gpgpu_coalesce_arch 20: sectors"},
		{"sm.atomics", "lines", sourceClassic + "gpgpu_coalesce_arch 20"},
		{"sm.warpInstructionLimit", 20_000_000, sourceOurs + "the longest warp of the shipped programs executes a few thousand instructions"},
		{"sm.l1.sets", 32, "LATTE-CC table II: 16 KB, 128-byte lines, 4 ways"},
		{"sm.l1.ways", 4, "LATTE-CC table II"},
		{"sm.l1.index", "fermi", sourceClassic + "gpgpu_cache:dl1 L:L:m:N:H"},
		{"sm.l1.sectored", false, sourceClassic + "gpgpu_cache:dl1 N:32:128:4"},
		{"sm.l1.local", "through", sourceOurs + "as stores to global memory; GPGPU-Sim's L1 writes local memory back (back)"},
		{"sm.l1.stores", "drop", sourceClassic + "gpgpu_cache:dl1 L:L: local memory is written back, and a store to global memory evicts its line"},
		{"sm.l1.launches", "forget", sourceClassic + "gpgpu_flush_l1_cache 1"},
		{"sm.l1.acquire", "keep", "PTX ISA, Memory Consistency Model: it does not bind GPUs before compute capability 7.0"},
		{"sm.l1.mshrs", 64, sourceClassic + "gpgpu_cache:dl1 S:64:8"},
		{"sm.l1.merges", 8, sourceClassic + "gpgpu_cache:dl1 S:64:8"},
		{"sm.l1.passCycles", 35, sourceClassic + "gpgpu_l1_latency: the tags are at the end of it"},
		{"sm.l1.latencyCycles", 39, sourceGTX480 + " measured: 40 from load to use (gpgpu_l1_latency 35 and the pipeline around it), of which issue is one"},
	}, fermiTiming())
}

// flitBytes: icnt_flit_size of all of GPGPU-Sim's tested configurations.
const flitBytes = 40

// classicController is the memory controller of GPGPU-Sim's SM2_GTX480 with the
// metadata cache of E2MC.
func classicController() []row {
	const (
		writes = sourceClassic + "Write_Queue_Size 64:56:32"
		e2mc   = "E2MC section III-D, per controller"
	)
	return []row{
		{"controller.schedule", "drain", sourceOurs + "the separate write queue that GPGPU-Sim 4 has (Write_Queue_Size) and its GTX 480 leaves off"},
		{"controller.queueBlocks", 16, "GPGPU-Sim 3.2.1, configs/GTX480: gpgpu_frfcfs_dram_sched_queue_size; the drain schedule does not use it"},
		{"controller.readQueueBlocks", 64, sourceClassic + "gpgpu_frfcfs_dram_sched_queue_size"},
		{"controller.writeQueueBlocks", 64, writes},
		{"controller.writeHighBlocks", 56, writes},
		{"controller.writeLowBlocks", 32, writes},
		{"controller.returnQueueBlocks", 116, sourceClassic + "gpgpu_dram_return_queue_size"},
		{"controller.rowHitCapBlocks", 16, sourceOurs + "a 2 KB row of blocks; FR-FCFS without a cap can starve a block (Mutlu, Moscibroda, MICRO 2007)"},
		{"controller.rowPolicy", "open", sourceGTX480 + " keeps rows open"},
		{"controller.rowTimeoutCycles", 100, sourceOurs + "about two row cycles; the open policy does not use it"},
		{"controller.fixedLatencyCycles", 100, sourceClassic + "dram_latency"},
		{"controller.metadataQueueLines", 16, sourceOurs + "a quarter of the reads of a full queue wait for lines of their own"},
		{"controller.metadataBytes", 8192, e2mc},
		{"controller.metadataWays", 4, e2mc},
		{"controller.metadataLookupCycles", 0, sourceOurs + "part of the compressor's and decompressor's latency"},
	}
}

// presetGTX480 is the machine of LATTE-CC and RFVP. The atom of DRAM is the MAG, while
// GPGPU-Sim's GTX 480 fetches 64 bytes. Its queues hold requests for sectors, four for
// each block.
func presetGTX480() preset {
	const (
		requests = ", in requests for a sector"
		writes   = sourceClassic + "Write_Queue_Size 64:56:32" + requests
	)
	return presetFermi().with("gtx480", "GTX 480 · 15 SMs · GDDR5 177 GB/s", "GPGPU-Sim 4 SM2_GTX480; LATTE-CC table II; RFVP table II",
		row{"controller.readQueueBlocks", 16, sourceClassic + "gpgpu_frfcfs_dram_sched_queue_size 64" + requests},
		row{"controller.writeQueueBlocks", 16, writes},
		row{"controller.writeHighBlocks", 14, writes},
		row{"controller.writeLowBlocks", 8, writes},
		row{"controller.returnQueueBlocks", 29, sourceClassic + "gpgpu_dram_return_queue_size 116" + requests},
	)
}

// presetFermi holds the values that the machines here share: GPGPU-Sim's GTX 480, with
// queues that hold as many requests for whole blocks as those of GPGPU-Sim 3.
func presetFermi() preset {
	const ways = sourceGTX480 + " measured: an unloaded L2 hit takes 182 cycles from load to use"
	return preset{
		"", "", "",
		slices.Concat([]row{
			{"sms", 15, "LATTE-CC table II; RFVP table II"},
			{"coreMHz", 700, "RFVP table II: 1.4 GHz shader clock, two cycles a warp; " + sourceGTX480 + " gpgpu_clock_domains"},
			{"xbarMHz", 0, sourceClassic + "gpgpu_clock_domains: the clock of the SMs"},
			{"l2MHz", 0, sourceClassic + "gpgpu_clock_domains: the clock of the SMs"},
			{"xbar.inputQueues", "fifo", sourceClassic + "intersim2, iq_router.cpp: one virtual channel, whose first packet holds up the others"},
			{"dramMHz", 924, "RFVP table II"},
			{"requestLatencyCycles", 11, ways},
			{"replyLatencyCycles", 11, ways},
			{"l2LatencyCycles", 120, sourceClassic + "gpgpu_l2_rop_latency; LATTE-CC table II: minimum L2 latency 120"},
			{"ctaIntervalMillicycles", 0, "GPGPU-Sim 4, gpu-sim.cc, issue_block2core: each SM takes a CTA in each cycle"},
			{"hostLink", "none", sourceOurs + "copies of the host's data take no time unless a link is chosen"},
			{"launchGapCycles", 0, sourceOurs + "the driver's time between launches is not modelled"},
			{"controllers", 6, "RFVP table II; " + sourceGTX480 + " gpgpu_n_mem"},
			{"channels", 2, "RFVP table II: 177.4 GB/s need 12 channels of 32 bits; " + sourceGTX480 + " gpgpu_n_sub_partition_per_mchannel"},
			{"memoryBytes", 1536 << 20, "NVIDIA GeForce GTX 480 specification: 1536 MB"},
			{"placement", 0, "GPGPU-Sim 4, gpu_malloc: a buffer begins at the next multiple of 256 bytes"},
			{"compile", "asWritten", "GPGPU-Sim 4 executes PTX in its order"},
			{"addressMap", dram.MapGTX480, sourceGTX480 + " gpgpu_mem_addr_mapping with one column bit less: the rows of the device have 2 KB"},
			{"addressHash", "none", sourceClassic + "gpgpu_memory_partition_indexing 0"},
			{"l2.sets", 64, sourceClassic + "gpgpu_cache:dl2 S:64:128:8; LATTE-CC table II: 768 KB in 12 banks, 8 ways"},
			{"l2.ways", 8, "LATTE-CC table II; RFVP table II"},
			{"l2.index", "linear", sourceClassic + "gpgpu_cache:dl2 L:B:m:L:L"},
			{"l2.sectorFill", false, "E2MC section IV and SLC section IV: blocks of 128 bytes; GPGPU-Sim's L1 asks for all sectors of a line"},
			{"l2.sectorAcks", true, "GPGPU-Sim 4, l2cache.cc, breakdown_request_to_sector_requests: each sector of a store is a request with an answer"},
			{"l2.writeMiss", "allocate", sourceClassic + "gpgpu_cache:dl2 L: lazy fetch on read"},
			{"l2.farCycles", 0, sourceOurs + "no halves"},
			{"l2.missQueueBlocks", 4, sourceV3 + ", gpgpu_cache:dl2 A:32:4,4; allocate does not use it"},
			{"l2.dramQueueBlocks", 64, sourceClassic + "gpgpu_dram_partition_queues 64:64:64:64"},
			{"l2.requestQueuePackets", 0, sourceOurs + "the queue of 64 and the pipeline in front of it are bounded together"},
			{"l2.replyQueuePackets", 65, sourceClassic + "gpgpu_dram_partition_queues 64:64:64:64, and the packet that leaves"},
			{"l2.mshrs", 256, sourceClassic + "gpgpu_cache:dl2 A:256:4"},
			{"l2.merges", 4, sourceClassic + "gpgpu_cache:dl2 A:256:4"},
			{"l2.flitBytes", flitBytes, sourceClassic + "icnt_flit_size"},
		}, fermiSM(), noTLB(), classicController(), dramRows(dram.GTX480()), chipEnergy(40), gddr5Energy(),
			[]row{fermiStatic(15)}),
	}
}

// presetGTX580v4 is the machine of E2MC and SLC on the fabric of GPGPU-Sim 4. Values that these
// papers leave open are those of gtx480.
func presetGTX580v4() preset {
	return presetFermi().with("gtx580v4", "GTX 580, fabric of GPGPU-Sim 4 · 16 SMs · GDDR5 192 GB/s", "SLC table II; E2MC section IV; otherwise GPGPU-Sim 4 SM2_GTX480",
		slices.Concat([]row{
			{"sms", 16, "SLC table II"},
			{"coreMHz", 822, "SLC table II"},
			{"dramMHz", 1002, "SLC table II"},
			{"controllers", 6, "SLC table II"},
			{"channels", 2, "SLC table II: 192.4 GB/s need 12 channels of 32 bits"},
			{"memoryBytes", 1536 << 20, "NVIDIA GeForce GTX 580 specification: 1536 MB"},
			fermiStatic(16),
		}, dramRows(dram.GTX580()))...)
}

// presetMini is a quarter of gtx580v4 for classrooms: per SM it has the same L2 and
// the same bandwidth.
func presetMini() preset {
	const quarter = sourceOurs + "a quarter of gtx580v4"
	return presetGTX580v4().with("mini", "Mini · 4 SMs · GDDR5 48 GB/s", "a quarter of gtx580v4",
		row{"sms", 4, quarter},
		row{"controllers", 3, quarter},
		row{"channels", 1, quarter},
		fermiStatic(4),
		row{"memoryBytes", 512 << 20, sourceOurs + "a third of gtx580v4"},
	)
}
