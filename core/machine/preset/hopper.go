package preset

import (
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// The machines with HBM3 and HBM3e.

const (
	sourceGH100  = "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5"
	sourceH200   = "NVIDIA H200 Tensor Core GPU data sheet, SXM"
	sourceHopper = "GPGPU-Sim of Accel-Sim, tested-cfgs/SM90_H200"
	sourceDriver = "NVIDIA's driver 580.159.04"
	sourceCC90   = "CUDA C++ programming guide, compute capability 9.0"
	sourceOccupy = "CUDA occupancy calculator, compute capability 9.0"
	// sourceSilicon is the recording of an H200, whose chip is that of the H100.
	sourceSilicon = "measured on an H200: core/machine/testdata/silicon/h200.csv, "
	sourceH100    = "measured on an H100 SXM5: core/machine/testdata/silicon/h100.csv, "
)

// presetHopper holds the values that h100 and h200 share.
func presetHopper() preset {
	const (
		l2    = sourceSilicon + "latency.l2, 4 MB, stride 128: an L2 hit takes 280 cycles from load to use, in the mean over both partitions; latency.l2.lines: 257 to 319 by line"
		share = sourceOurs + "the share of the 280 cycles that is not the crossbar's, as in gtx480"
		slice = sourceHopper + ", gpgpu_cache:dl2 S:256:128:20,,A:384:4 for one of 96 slices; half of it for a pseudo-channel"
	)
	return presetFermi().with("", "", "",
		slices.Concat([]row{
			{"sms", 132, sourceGH100},
			{"coreMHz", 1980, sourceDriver + " on both: maximum clock of SMs, kept under load"},
			{"requestLatencyCycles", 80, l2},
			{"replyLatencyCycles", 78, l2},
			{"l2LatencyCycles", 120, share},
			{"xbar.inputQueues", "voq", sourceSilicon + "bandwidth.read, 16 MB: 8.1 TB/s from L2, 31 bytes a cycle for each SM; with fifo half of it is reached"},
			{"ctaIntervalMillicycles", 1190, sourceSilicon + "launch.ctas: 118,272 more empty CTAs take 71.0 us"},
			{"addressMap", dram.MapHBM3, sourceOurs + "the map of " + sourceHopper + " for the rows and banks of a pseudo-channel"},
			{"addressHash", "both", sourceOurs + "without a hash, strides of powers of two meet in one bank"},
			{"l2.sets", 256, slice},
			{"l2.ways", 10, slice},
			{"l2.index", "fold", sourceHopper + ", gpgpu_cache:dl2 with a hashed index; which one is not known"},
			{"l2.sectorFill", true, sourceHopper + ", gpgpu_cache:dl2 S: sectors of 32 bytes"},
			{"l2.farCycles", 0, sourceOurs + "the latencies are means over both halves (core/machine/HOPPER.md)"},
			{"l2.mshrs", 192, slice},
			{"l2.merges", 64, sourceSilicon + "bandwidth.same: up to 44 CTAs that read the same lines at once, more CTAs get more bytes; 64 is the most a slice holds here"},
			{"controller.readQueueBlocks", 64, sourceHopper + ", gpgpu_frfcfs_dram_sched_queue_size"},
			{"controller.returnQueueBlocks", 192, sourceHopper + ", gpgpu_dram_return_queue_size"},
			{"controller.rowHitCapBlocks", 8, sourceOurs + "a 1 KB row of blocks"},
			{"sm.warps", 64, sourceCC90},
			{"sm.ctas", 32, sourceCC90},
			{"sm.registers", 65536, sourceCC90},
			{"sm.registerUnit", 256, sourceOccupy},
			{"sm.warpUnit", 4, sourceOccupy},
			{"sm.sharedBytes", 228 << 10, sourceCC90 + ": 228 KB is the largest share of 256 KB"},
			{"sm.sharedUnit", 128, sourceOccupy},
			{"sm.schedulers", 4, sourceCC90},
			{"sm.policy", "lrr", sourceHopper + ", gpgpu_scheduler"},
			{"sm.pipelineCycles", 0, sourceSilicon + "latency.instruction: 4 cycles from fma.rn.f32 to a dependent one, all of them the unit's"},
			{"sm.fetch.perCycle", 4, sourceHopper + ", gpgpu_inst_fetch_throughput"},
			{"sm.fetch.cache.sets", 0, sourceHopper + ", gpgpu_perfect_inst_const_cache"},
			{"sm.texture.ways", 256, sourceHopper + ", gpgpu_tex_cache:l1 N:4:128:256"},
			{"sm.constant.launchCycles", 300, sourceSilicon + "latency.instruction: 26 kernels take 152 ns more " +
				"than an empty one and their chain, in the median; a hit in L2 takes 280 cycles"},
			{"sm.constant.cache.sets", 0, sourceHopper + ", gpgpu_perfect_inst_const_cache"},
			{"sm.sharedLatency", 22, sourceSilicon + "latency.shared: 23 cycles from load to use, of which issue is one"},
			{"sm.l1.sets", 64, sourceSilicon + "latency.l1: a walk of 192 KB hits, one of 224 KB misses a fifth; 208 KB lie between. A kernel that needs much shared memory has less in hardware. The hardware has fewer sets of more ways"},
			{"sm.l1.ways", 26, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.index", "fold", sourceSilicon + "latency.l1: 768 lines 8 KB, 64 KB or 1 MB apart all hit; which hash the hardware has is not known"},
			{"sm.l1.stores", "keep", sourceSilicon + "latency.l1.stored: loads of lines that were in L1, and of words that were stored, hit"},
			{"sm.l1.sectored", true, sourceHopper + ", gpgpu_cache:dl1 S"},
			{"sm.l1.acquire", "forget", sourceOrder},
			{"sm.l1.mshrs", 512, sourceHopper + ", gpgpu_cache:dl1 A:512:64"},
			{"sm.l1.merges", 16, sourceOurs + "the most an MSHR holds here; " + sourceHopper + " has 64"},
			{"sm.l1.passCycles", 0, sourceOurs + "part of the way to L2, whose 280 cycles are measured"},
			{"sm.l1.latencyCycles", 31, sourceSilicon + "latency.l1: 32 cycles from load to use, of which issue is one"},
		}, hopperTiming(), chipEnergy(4), hbm3Energy(), []row{voltaStatic(132)})...)
}

// presetH200 is the machine whose recordings the simulator is compared with.
func presetH200() preset {
	return presetHopper().with("h200", "H200 · 132 SMs · HBM3e 4813 GB/s", "NVIDIA H200 data sheet; NVIDIA H100 whitepaper; latencies and rates measured on an H200; otherwise Accel-Sim's SM90_H200",
		slices.Concat([]row{
			{"dramMHz", 1600, sourceDriver + " on an H200: a memory clock of 3201 MHz with two transfers, four in a command clock; " + sourceH200 + ": 4.8 TB/s"},
			{"controllers", 47, sourceDriver + " on an H200: a bus of 6016 bits, 47 parts of 128; six stacks would have 48"},
			{"channels", 4, "JESD238: pseudo-channels of 32 bits"},
			{"memoryBytes", 141 << 30, sourceH200},
			{"controller.fixedLatencyCycles", 260, sourceSilicon + "latency.dram: 657 cycles from load to use, less an L2 hit, opening a row and the mean wait for refreshes"},
		}, dramRows(dram.H200()), []row{
			{"dram.refresh", "allBanks", sourceSilicon + "bandwidth.read: 0.90 of the peak, about what refreshing all banks at once leaves; bank by bank would leave nearly all"},
		})...)
}

// presetH100 is the H100 SXM5 with 80 GB.
func presetH100() preset {
	return presetHopper().with("h100", "H100 · 132 SMs · HBM3 3351 GB/s", "NVIDIA H100 whitepaper; SMs and L2 measured on an H200; otherwise Accel-Sim's SM90_H200",
		slices.Concat([]row{
			{"dramMHz", 1309, sourceDriver + " on an H100 SXM5: a memory clock of 2619 MHz with two transfers, four in a command clock"},
			{"controllers", 10, sourceGH100 + ": ten 512-bit controllers"},
			{"channels", 16, "JESD238: pseudo-channels of 32 bits"},
			{"memoryBytes", 80 << 30, sourceGH100},
			{"controller.fixedLatencyCycles", 295, sourceH100 + "latency.dram: 680 cycles from load to use, less an L2 hit, opening a row and the mean wait for refreshes"},
		}, dramRows(dram.H100()), []row{
			{"dram.refresh", "allBanks", sourceH100 + "bandwidth.read: 0.90 of the peak, about what refreshing all banks at once leaves"},
		})...)
}

// hopperTiming is that of the recording: rates are threads a cycle of one SM. Each scheduler
// has a quarter of the units for integers and for single and double precision; those for
// special functions and matrices are one here, which takes a warp four times as often. In
// hardware the units for integers and for double precision are separate from those for
// single precision, and additions of 32 bits use both kinds.
func hopperTiming() []row {
	const (
		latency = sourceSilicon + "latency.instruction and rate.instruction: "
		integer = latency + "shl.b32 4 cycles, 63 a cycle; add.u32 5 and 113, add.u64 4 and 62, setp and selp 4 and 64"
		minimum = latency + "max.u32 4 cycles, 63 a cycle"
		product = latency + "mul.lo.u32 4 cycles, 64 a cycle; mul.hi.u32 9 and 32"
		mad     = latency + "mad.lo.u32 4 cycles, 64 a cycle"
		divide  = latency + "div.u32 130 cycles, 4.6 a cycle"
		single  = latency + "add.f32, mul.f32 and fma.rn.f32 4 cycles, 122 a cycle"
		compare = latency + "max.f32 4 cycles, 63 a cycle"
		divideF = latency + "div.rn.f32 57 cycles, 7.4 a cycle"
		double  = latency + "add.f64, mul.f64 and fma.rn.f64 8 cycles, 63 a cycle"
		doubleM = latency + "max.f64 25 cycles, 14.7 a cycle"
		divideD = latency + "div.rn.f64 125 cycles, 5.1 a cycle"
		special = latency + "ex2, lg2, sqrt and rsqrt.approx.f32 17 cycles, 16 a cycle; sin.approx 23 and 16"
		approx  = latency + "div.approx.f32 23 cycles, 16 a cycle"
		shuffle = latency + "shfl.sync 24 cycles, 32 a cycle"
		barrier = latency + "bar.sync 14 cycles with one warp, 76 with 32 warps"
		matrix  = latency + "mma.m16n8k16.f16 24 cycles, 21 a cycle"
		alike   = sourceOurs + "as integer operations: " + integer
	)
	return timings([]classTiming{
		{ptx.ClassMove, sm.UnitALU, 4, 2, alike},
		{ptx.ClassIntAdd, sm.UnitALU, 4, 2, integer},
		{ptx.ClassIntMax, sm.UnitALU, 4, 2, minimum},
		{ptx.ClassIntMul, sm.UnitALU, 4, 2, product},
		{ptx.ClassIntMad, sm.UnitALU, 4, 2, mad},
		{ptx.ClassIntDiv, sm.UnitALU, 130, 28, divide},
		{ptx.ClassFloatAdd, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMax, sm.UnitALU, 4, 2, compare},
		{ptx.ClassFloatMul, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatMad, sm.UnitALU, 4, 1, single},
		{ptx.ClassFloatDiv, sm.UnitSpecial, 57, 4, divideF},
		{ptx.ClassDoubleAdd, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleMax, sm.UnitALU, 25, 9, doubleM},
		{ptx.ClassDoubleMul, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleMad, sm.UnitALU, 8, 2, double},
		{ptx.ClassDoubleDiv, sm.UnitDouble, 125, 6, divideD},
		{ptx.ClassSpecial, sm.UnitSpecial, 17, 2, special},
		{ptx.ClassDivApprox, sm.UnitSpecial, 23, 2, approx},
		{ptx.ClassShuffle, sm.UnitALU, 24, 4, shuffle},
		{ptx.ClassBranch, sm.UnitALU, 4, 2, alike},
		{ptx.ClassBarrier, sm.UnitALU, 14, 8, barrier},
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
			n, err := strconv.Atoi(textOf(r.value))
			if err != nil {
				panic("preset: " + r.path + ": " + err.Error())
			}
			r.value, r.source = n/4, r.source+", a quarter of a channel"
		}
		r.source = sourceOurs + "those of HBM2: " + r.source
		rows = append(rows, r)
	}
	return rows
}
