package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// The machine of GPGPU-Sim 3.2.1, on which E2MC, SLC, LATTE-CC (3.2.2) and RFVP (3.1) ran.
const (
	sourceV3     = "GPGPU-Sim 3.2.1, configs/GTX480"
	sourceV3Code = "GPGPU-Sim 3.2.1, "
)

// presetGTX480v3 is GPGPU-Sim 3.2.1's GTX 480: six partitions of 64 bits. Its crossbars run
// at twice the clock of the SMs, and a slice of L2 fetches on a write miss.
func presetGTX480v3() preset {
	const (
		ways   = sourceV3 + " measured: an unloaded L2 hit takes 133 cycles from load to use"
		queues = sourceV3Code + "gpgpu_dram_partition_queues 8:8:8:8 by default"
		frfcfs = sourceV3 + ", gpgpu_frfcfs_dram_sched_queue_size"
	)
	return presetFermi().with("gtx480v3", "GTX 480 of GPGPU-Sim 3 · 15 SMs · GDDR5 177 GB/s", "GPGPU-Sim 3.2.1 GTX480; LATTE-CC table II; RFVP table II",
		slices.Concat([]row{
			{"xbarMHz", 1400, sourceV3 + ", gpgpu_clock_domains"},
			{"requestLatencyCycles", 5, ways},
			{"replyLatencyCycles", 4, ways},
			{"controllers", 6, sourceV3 + ", gpgpu_n_mem"},
			{"channels", 1, sourceV3 + ", gpgpu_n_mem_per_ctrlr 2: two chips of 32 bits in one channel"},
			{"addressMap", dram.MapGTX480v3, sourceV3 + ", gpgpu_mem_addr_mapping"},
			{"l2.ways", 16, sourceV3 + ", gpgpu_cache:dl2 64:128:16"},
			{"l2.writeMiss", "fetch", sourceV3Code + "gpu-cache.cc, data_cache::wr_miss_wa"},
			{"l2.missQueueBlocks", 4, sourceV3 + ", gpgpu_cache:dl2 A:32:4,4"},
			{"l2.dramQueueBlocks", 8, queues},
			{"l2.requestQueuePackets", 8, queues},
			{"l2.replyQueuePackets", 10, queues + "; intersim's injection buffer of nine flits holds a reply of five and most of another"},
			{"l2.mshrs", 32, sourceV3 + ", gpgpu_cache:dl2 A:32:4"},
			{"l2.merges", 4, sourceV3 + ", gpgpu_cache:dl2 A:32:4"},
			{"l2.sectorAcks", false, sourceV3Code + "l2cache.cc: one acknowledgement for a store"},
			{"l2.flitBytes", 32, sourceV3 + ", flit_size"},
			{"sm.flitBytes", 32, sourceV3 + ", flit_size"},
			{"sm.wholeSegments", true, sourceV3Code + "abstract_hardware_model.cc, memory_coalescing_arch_13_reduce_and_send"},
			{"sm.pipelineCycles", 5, sourceV3 + " measured: a loop of a hit in L1, an addition, a comparison and a branch takes 23 cycles"},
			{"sm.sharedLatency", 7, sourceV3 + " measured: 7.9 cycles from load to use, of which issue is one"},
			{"sm.l1.index", "linear", sourceV3 + ", gpgpu_cache:dl1 L:L:m:N"},
			{"sm.l1.mshrs", 32, sourceV3 + ", gpgpu_cache:dl1 A:32:8"},
			{"sm.l1.merges", 8, sourceV3 + ", gpgpu_cache:dl1 A:32:8"},
			{"sm.l1.passCycles", 0, sourceV3Code + "has no option for a latency of L1"},
			{"sm.l1.latencyCycles", 3, sourceV3 + " measured: 4 cycles from load to use, of which issue is one"},
			{"sm.constant.latencyCycles", 3, sourceV3 + ": as a hit in L1, whose pipeline it shares"},
			{"controller.schedule", "joint", sourceV3Code + "dram_sched.cc: reads and writes wait in one queue"},
			{"controller.queueBlocks", 16, frfcfs},
			{"controller.fixedLatencyCycles", 97, sourceV3 + ", dram_latency 100, of which the queues here take three; measured: a row hit takes 249.5 cycles from load to use, a row conflict 267"},
			{"controller.returnQueueBlocks", 16, sourceV3 + ", gpgpu_dram_return_queue_size"},
		}, v3Timing(), dramRows(dram.GTX480v3()))...)
}

// presetGTX480v321 is gtx480v3 with two more parts of 3.2.1: requests of atomics, and L1 between launches. The
// committed runs of LATTE-CC and RFVP are of gtx480v3, which has neither.
func presetGTX480v321() preset {
	const title = "GTX 480 of GPGPU-Sim 3.2.1, atomics and L1 too · 15 SMs · GDDR5 177 GB/s"
	return presetGTX480v3().with("gtx480v321", title, "GPGPU-Sim 3.2.1 GTX480",
		row{"sm.atomics", "halves", sourceV3Code + "abstract_hardware_model.cc, memory_coalescing_arch_13_atomic: " +
			"half warps, and lanes of the same bytes apart"},
		row{"sm.l1.launches", "keep", sourceV3 + ", gpgpu_flush_l1_cache 0; of its lines those still as in memory"},
	)
}

const sourceV322 = "GPGPU-Sim 3.2.2, configs/GTX480"

// presetGTX480v322 is GPGPU-Sim 3.2.2's GTX 480, on which LATTE-CC ran. Its configuration has five other values than
// 3.2.1's: two sub-partitions a channel with an L2 of eight ways each, the clock of the crossbar, the DRAM return
// queue and the bank bits.
func presetGTX480v322() preset {
	const half = sourceOurs + "the 5 and 4 cycles of gtx480v3, measured at 1400 MHz, at half the clock"
	const title = "GTX 480 of GPGPU-Sim 3.2.2 · 15 SMs · 12 banks of L2 · GDDR5 177 GB/s"
	return presetGTX480v3().with("gtx480v322", title,
		"GPGPU-Sim 3.2.2 GTX480; LATTE-CC table II",
		slices.Concat([]row{
			{"xbarMHz", 700, sourceV322 + ", gpgpu_clock_domains 700.0:700.0:700.0:924.0"},
			{"requestLatencyCycles", 10, half},
			{"replyLatencyCycles", 8, half},
			{"channels", 2, sourceV322 + ", gpgpu_n_sub_partition_per_mchannel 2"},
			{"addressMap", dram.MapGTX480v322,
				sourceV322 + ", gpgpu_mem_addr_mapping; the lowest bank bit is the sub-partition"},
			{"l2.ways", 8,
				sourceV322 + ", gpgpu_cache:dl2 64:128:8 of each sub-partition; LATTE-CC table II: 12 banks"},
			{"controller.returnQueueBlocks", 58,
				sourceV322 + ", gpgpu_dram_return_queue_size 116 of two sub-partitions"},
		}, dramRows(dram.GTX480v322()))...)
}

// v3Timing is what GPGPU-Sim 3.2.1 does differently from version 4 with the same latencies:
// an instruction without a case of its own takes one cycle, integer products run on the
// special-function unit, and special functions have the values of a product in double
// precision.
func v3Timing() []row {
	const (
		code    = sourceV3Code + "cuda-sim.cc, set_opcode_and_latency: "
		without = code + "no case, so one cycle"
		integer = code + "on the special-function unit; " + sourceV3 + ", ptx_opcode_latency_int 4,13,4,5,145 and initiation_int 1,2,2,1,8"
		special = code + "dp_latency[2]; " + sourceV3 + ", ptx_opcode_latency_dp 8,19,8,8,330 and initiation_dp 8,16,8,8,130"
	)
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 1, 1, without},
		{ptx.ClassIntMul, sm.UnitSpecial, 4, 2, integer},
		{ptx.ClassIntMad, sm.UnitSpecial, 5, 1, integer},
		{ptx.ClassIntDiv, sm.UnitSpecial, 145, 8, integer},
		{ptx.ClassFloatMad, sm.UnitALU, 1, 1, without + " (fma)"},
		{ptx.ClassSpecial, sm.UnitSpecial, 8, 8, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 39, 4, code + "as every division; " + sourceV3 + ", ptx_opcode_latency_fp 4,13,4,5,39 and initiation_fp 1,2,1,1,4"},
	})
}

// The machine of E2MC and SLC on the fabric of the version that E2MC names, 3.2.1. SLC table
// II gives six memory controllers, a bus of 32 bits and 192.4 GB/s. Six channels of 32 bits at
// 1,002 MHz have 96.2 GB/s, so the table can be read in three ways.

// presetGTX580v3 has the clocks and sizes that the readings share.
func presetGTX580v3(name, title string, rows ...row) preset {
	return presetGTX480v3().with(name, title, "SLC table II; E2MC section IV; otherwise GPGPU-Sim 3.2.1 GTX480",
		slices.Concat([]row{
			{"sms", 16, "SLC table II"},
			{"coreMHz", 822, "SLC table II"},
			{"xbarMHz", 1644, sourceV3 + ", gpgpu_clock_domains: twice the clock of the SMs"},
			{"dramMHz", 1002, "SLC table II"},
			fermiStatic(16),
		}, rows)...)
}

// presetGTX580a reads 192.4 GB/s: twelve channels of 32 bits, two for each controller.
func presetGTX580a() preset {
	return presetGTX580v3("gtx580a", "GTX 580, 192 GB/s over 12 channels · 16 SMs · GDDR5", slices.Concat([]row{
		{"controllers", 6, "SLC table II"},
		{"channels", 2, "SLC table II: 192.4 GB/s need 12 channels of 32 bits"},
		{"addressMap", dram.MapGTX480v3x32, sourceV3 + ", gpgpu_mem_addr_mapping with one column bit less: the rows of one chip have 2 KB"},
		{"l2.ways", 8, "SLC table II: 768 KB in 12 slices"},
	}, dramRows(dram.GTX480v3x32()))...)
}

// presetGTX580b reads the table as it prints: six channels of 32 bits, 96.2 GB/s.
func presetGTX580b() preset {
	return presetGTX580v3("gtx580b", "GTX 580 as in SLC, 96 GB/s · 16 SMs · 6 channels · GDDR5", slices.Concat([]row{
		{"addressMap", dram.MapGTX480v3x32, sourceV3 + ", gpgpu_mem_addr_mapping with one column bit less: the rows of one chip have 2 KB"},
	}, dramRows(dram.GTX480v3x32()))...)
}

// presetGTX580c keeps the channels of GPGPU-Sim 3.2.1: six of 64 bits, whose burst has 64
// bytes.
func presetGTX580c() preset {
	return presetGTX580v3("gtx580c", "GTX 580, 192 GB/s over 6 channels of 64 bits · 16 SMs · GDDR5")
}
