package preset

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// The machines with HBM3 and HBM3e.

const (
	sourceGH100  = "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5"
	sourceH200   = "NVIDIA H200 Tensor Core GPU data sheet, SXM"
	driverH200   = "driver of an H200 (version 580.159.04)"
	sourceHopper = "GPGPU-Sim of Accel-Sim, tested-cfgs/SM90_H200"
	// sourceCC90 is the chapter on compute capability 9.0 and the table of instruction
	// throughput.
	sourceCC90   = "CUDA C++ programming guide, compute capability 9.0"
	sourceOccupy = "CUDA occupancy calculator, compute capability 9.0"
	// sourceLuo measured an H100 PCIe.
	sourceLuo = "Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, 2024, memory latencies"
)

// presetHopper holds the values that h100 and h200 share.
func presetHopper() preset {
	const (
		l2    = sourceLuo + ": an L2 hit takes 263 cycles from load to use, in the mean over both partitions"
		share = sourceOurs + "the share of the 263 cycles that is not the crossbar's, as in gtx480"
		slice = sourceHopper + ", gpgpu_cache:dl2 S:256:128:20,,A:384:4 for one of 96 slices; half of it for a pseudo-channel"
	)
	return presetFermi().with("", "", "",
		slices.Concat([]row{
			{"sms", 132, sourceGH100},
			{"coreMHz", 1980, driverH200 + ": maximum clock of SMs, kept under load; the H100 SXM5 has the same"},
			{"requestLatencyCycles", 72, l2},
			{"replyLatencyCycles", 69, l2},
			{"l2LatencyCycles", 120, share},
			{"addressMap", dram.MapHBM3, sourceOurs + "the map of " + sourceHopper + " for the rows and banks of a pseudo-channel"},
			{"addressHash", "both", sourceOurs + "without a hash, strides of powers of two meet in one bank"},
			{"l2.sets", 256, slice},
			{"l2.ways", 10, slice},
			{"l2.index", "fold", sourceHopper + ", gpgpu_cache:dl2 with a hashed index; which one is not known"},
			{"l2.sectorFill", true, sourceHopper + ", gpgpu_cache:dl2 S: sectors of 32 bytes"},
			{"l2.mshrs", 192, slice},
			{"l2.merges", 4, slice},
			{"controller.readQueueBlocks", 64, sourceHopper + ", gpgpu_frfcfs_dram_sched_queue_size"},
			{"controller.returnQueueBlocks", 192, sourceHopper + ", gpgpu_dram_return_queue_size"},
			{"controller.rowHitCapBlocks", 8, sourceOurs + "a 1 KB row of blocks"},
			{"controller.fixedLatencyCycles", 141, sourceLuo + ": 479 cycles from load to use, less an L2 hit and opening a row"},
			{"sm.warps", 64, sourceCC90},
			{"sm.ctas", 32, sourceCC90},
			{"sm.registers", 65536, sourceCC90},
			{"sm.registerUnit", 256, sourceOccupy},
			{"sm.warpUnit", 4, sourceOccupy},
			{"sm.sharedBytes", 228 << 10, sourceCC90 + ": 228 KB is the largest share of 256 KB"},
			{"sm.sharedUnit", 128, sourceOccupy},
			{"sm.schedulers", 4, sourceCC90},
			{"sm.policy", "lrr", sourceHopper + ", gpgpu_scheduler"},
			{"sm.pipelineCycles", 0, sourceOurs + "4 cycles from an addition to a dependent one, all of them the unit's, as measured on Volta and Ampere"},
			{"sm.fetch.perCycle", 4, sourceHopper + ", gpgpu_inst_fetch_throughput"},
			{"sm.fetch.cache.sets", 0, sourceHopper + ", gpgpu_perfect_inst_const_cache"},
			{"sm.constant.cache.sets", 0, sourceHopper + ", gpgpu_perfect_inst_const_cache"},
			{"sm.sharedLatency", 28, sourceLuo + ": 29 cycles from load to use, of which issue is one"},
			{"sm.l1.sets", 64, sourceOurs + "224 KB, what the smallest share of shared memory that most kernels need leaves of 256 KB; the hardware has fewer sets of more ways. The share does not follow the kernel, so sm.sharedBytes is not taken off"},
			{"sm.l1.ways", 28, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.index", "linear", sourceHopper + ", gpgpu_cache:dl1 L:T:m:L:L"},
			{"sm.l1.sectored", true, sourceHopper + ", gpgpu_cache:dl1 S"},
			{"sm.l1.mshrs", 512, sourceHopper + ", gpgpu_cache:dl1 A:512:64"},
			{"sm.l1.merges", 16, sourceOurs + "the most an MSHR holds here; " + sourceHopper + " has 64"},
			{"sm.l1.passCycles", 0, sourceOurs + "part of the way to L2, whose 263 cycles are measured"},
			{"sm.l1.latencyCycles", 40, sourceLuo + ": 41 cycles from load to use, of which issue is one"},
		}, hopperTiming(), chipEnergy(4), hbm3Energy(), []row{voltaStatic(132)})...)
}

// presetH200 is the machine whose recordings the simulator is compared with.
func presetH200() preset {
	return presetHopper().with("h200", "H200 · 132 SMs · HBM3e 4813 GB/s", "NVIDIA H200 data sheet; NVIDIA H100 whitepaper; latencies measured by Luo et al.; otherwise Accel-Sim's SM90_H200",
		slices.Concat([]row{
			{"dramMHz", 1600, driverH200 + ": a memory clock of 3201 MHz with two transfers, four in a command clock; " + sourceH200 + ": 4.8 TB/s"},
			{"controllers", 47, driverH200 + ": a bus of 6016 bits, 47 parts of 128; six stacks would have 48"},
			{"channels", 4, "JESD238: pseudo-channels of 32 bits"},
			{"memoryBytes", 141 << 30, sourceH200},
		}, dramRows(dram.H200()))...)
}

// presetH100 is the H100 SXM5 with 80 GB.
func presetH100() preset {
	return presetHopper().with("h100", "H100 · 132 SMs · HBM3 3351 GB/s", "NVIDIA H100 whitepaper; latencies measured by Luo et al.; otherwise Accel-Sim's SM90_H200",
		slices.Concat([]row{
			{"dramMHz", 1309, "nvidia-smi of an H100 SXM5: a memory clock of 2619 MHz with two transfers, four in a command clock"},
			{"controllers", 10, sourceGH100 + ": ten 512-bit controllers"},
			{"channels", 16, "JESD238: pseudo-channels of 32 bits"},
			{"memoryBytes", 80 << 30, sourceGH100},
		}, dramRows(dram.H100()))...)
}

// hopperTiming is the throughput of the CUDA guide's table, in results a cycle and SM, with
// the latencies of Accel-Sim's SM90_H200. Each scheduler has a quarter of the units for
// integers and for single and double precision; those for special functions and matrices
// are one here, which takes a warp four times as often. In hardware the units for integers
// and for double precision are separate from those for single precision.
func hopperTiming() []row {
	const (
		integer = sourceCC90 + ": 64 a cycle; " + sourceHopper + ", ptx_opcode_latency_int 4,4,4,4,21"
		divide  = sourceHopper + ", ptx_opcode_latency_int 4,4,4,4,21 and initiation_int 2,2,2,2,2"
		single  = sourceCC90 + ": 128 a cycle; " + sourceHopper + ", ptx_opcode_latency_fp 4,4,4,4,39"
		compare = sourceCC90 + ": 64 comparisons a cycle; " + sourceHopper + ", ptx_opcode_latency_fp 4,4,4,4,39"
		divideF = sourceHopper + ", ptx_opcode_latency_fp 4,4,4,4,39 and initiation_fp 2,2,2,2,4 of four units"
		double  = sourceCC90 + ": 64 a cycle; " + sourceHopper + ", ptx_opcode_latency_dp 8,8,8,8,330"
		divideD = sourceHopper + ", ptx_opcode_latency_dp 8,8,8,8,330 and initiation_dp 2,2,2,2,130 of four units"
		special = sourceCC90 + ": 16 a cycle; " + sourceHopper + ", ptx_opcode_latency_sfu 23"
		matrix  = sourceHopper + ", ptx_opcode_latency_tesnor 24 and initiation_tensor 8 of four units: 1024 fma a cycle"
		shuffle = sourceCC90 + ": 32 a cycle; latency of GPGPU-Sim 4, tested-cfgs/SM7_QV100, ptx_opcode_latency_int 21"
		alike   = "as integer add: " + integer
	)
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 4, 2, alike},
		{ptx.ClassIntAdd, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMax, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMul, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMad, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntDiv, sm.UnitALU, 21, 2, divide},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMax, sm.UnitALU, 4, 2, compare},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMad, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 39, 1, divideF},
		{ptx.ClassDoubleAdd, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleMax, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleMul, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleMad, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 330, 33, divideD},
		{ptx.ClassSpecial, sm.UnitSpecial, 23, 2, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 23, 2, special},
		{ptx.ClassShuffle, sm.UnitALU, 21, 4, shuffle},
		{ptx.ClassBranch, sm.UnitALU, 4, 2, alike},
		{ptx.ClassBarrier, sm.UnitALU, 4, 2, alike},
		{ptx.ClassMatrix, sm.UnitSpecial, 24, 2, matrix},
	})
}

// hbm3Energy is that of HBM2 for a pseudo-channel of HBM3, because neither currents nor
// picojoules of HBM3 are published. A stack has 32 pseudo-channels instead of eight channels.
func hbm3Energy() []row {
	var rows []row
	for _, r := range hbm2Energy(false) {
		switch r.path {
		case "energy.dramRefreshFemtojoules", "energy.dramOpenMilliwatts", "energy.dramClosedMilliwatts":
			var n int
			if _, err := fmt.Sscan(textOf(r.value), &n); err != nil {
				panic("preset: " + r.path + ": " + err.Error())
			}
			r.value, r.source = n/4, r.source+", a quarter of a channel"
		}
		r.source = sourceOurs + "those of HBM2: " + r.source
		rows = append(rows, r)
	}
	return rows
}
