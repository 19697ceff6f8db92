package preset

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
)

const (
	sourceSM87    = "GPGPU-Sim 4 of Accel-Sim, tested-cfgs/SM87_ORIN"
	sourceAGXOrin = "NVIDIA Jetson AGX Orin Series technical brief, 64 GB"
	sourceCC87    = "CUDA C++ programming guide, compute capability 8.7"
	sourceOccup87 = "CUDA occupancy calculator, compute capability 8.7"
	sourceLPDDR4  = "DRAMPower memspecs/MICRON_6Gb_LPDDR4-3200_32bit_A.json, VDD1 1.8 V, VDD2 1.1 V, 0.625 ns: "
)

// presetOrin is the GPU of a Jetson AGX Orin, which shares its memory with the CPU: 16 channels of LPDDR5. The CPU is
// idle here.
func presetOrin() preset {
	const l2 = sourceSM87 + ": an L2 hit takes 185 cycles from load to use, gpgpu_l2_rop_latency 146 after L1's 39"
	return presetRTX3070().with("orin", "Jetson AGX Orin · 16 SMs · LPDDR5 205 GB/s",
		"NVIDIA Jetson AGX Orin technical brief; Accel-Sim SM87_ORIN; LPDDR5 of Ramulator 2.1",
		slices.Concat([]row{
			{"sms", 16, sourceAGXOrin + "; " + sourceSM87 + ", gpgpu_n_clusters"},
			{"coreMHz", 1300, sourceAGXOrin + ": 1.3 GHz"},
			{"dramMHz", 800, sourceAGXOrin + ": 6.4 Gb/s a pin, eight bits of it in a command clock"},
			{"requestLatencyCycles", 33, l2},
			{"replyLatencyCycles", 30, l2},
			{"l2LatencyCycles", 120, sourceOurs +
				"the share of the 185 cycles that is not the crossbar's, as in gtx480"},
			{"controllers", 8, sourceOurs + "eight of 32 bits; " + sourceAGXOrin + ": 256 bits"},
			{"channels", 2, "JESD209-5B: channels of 16 bits; " + sourceSM87 + ", gpgpu_n_mem 16"},
			{"memoryBytes", 64 << 30, sourceAGXOrin + ": 64 GB"},
			{"l2.sets", 128, sourceSM87 + ", gpgpu_cache:dl2 S:64:128:16, two slices in one; " + sourceAGXOrin +
				": 4 MB in all"},
			{"l2.ways", 16, sourceSM87 + ", gpgpu_cache:dl2 S:64:128:16"},
			{"l2.mshrs", 384, sourceSM87 + ", gpgpu_cache:dl2 A:192:4, two slices in one"},
			{"controller.fixedLatencyCycles", 304, sourceSM87 +
				", dram_latency 367 after an L2 hit, less opening and reading a row and the mean wait for refreshes"},
			{"sm.warps", 48, sourceCC87 + ": 1536 threads an SM"},
			{"sm.ctas", 16, sourceCC87},
			{"sm.registers", 65536, sourceCC87},
			{"sm.registerUnit", 256, sourceOccup87},
			{"sm.warpUnit", 4, sourceOccup87},
			{"sm.sharedBytes", 164 << 10, sourceCC87 + ": 164 KB is the largest share of 192 KB"},
			{"sm.sharedUnit", 128, sourceOccup87},
			{"sm.policy", "lrr", sourceSM87 + ", gpgpu_scheduler"},
			{"sm.sharedLatency", 28, sourceSM87 + ", gpgpu_smem_latency 29, of which issue is one"},
			{"sm.l1.sets", 64, sourceSM87 + ", gpgpu_cache:dl1 S:4:128:384: 192 KB without adaptive_cache_config. " +
				"A kernel that needs much shared memory has less in hardware; it has fewer sets of more ways"},
			{"sm.l1.ways", 24, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.mshrs", 384, sourceSM87 + ", gpgpu_cache:dl1 A:384:48"},
			{"sm.l1.latencyCycles", 38, sourceSM87 + ", gpgpu_l1_latency 39, of which issue is one"},
		}, orinTiming(), dramRows(dram.LPDDR5()), lpddr5Energy(), []row{{
			"energy.staticMilliwatts", (32_325 + 37_387) * 16 / 80,
			sourceOurs + "AccelWattch SM7_QV100: constant_power 32.33 W and static_geomean 17.22 + 31 x 0.65 W, both " +
				"x 16/80 SMs, because Orin has no board of its own",
		}})...)
}

// orinTiming has what differs from ga104Timing.
func orinTiming() []row {
	var rows []row
	for _, class := range []ptx.Class{
		ptx.ClassDoubleAdd, ptx.ClassDoubleMax, ptx.ClassDoubleMul, ptx.ClassDoubleMad,
	} {
		rows = append(rows, row{"sm.timing." + parameter.ClassNames[class] + ".latencyCycles", 55,
			sourceSM87 + ", ptx_opcode_latency_dp 55,55,55,55,330"})
	}
	for _, class := range []ptx.Class{ptx.ClassSpecial, ptx.ClassDivApprox} {
		rows = append(rows, row{"sm.timing." + parameter.ClassNames[class] + ".latencyCycles", 23,
			sourceSM87 + ", ptx_opcode_latency_sfu 23"})
	}
	matrix := "sm.timing." + parameter.ClassNames[ptx.ClassMatrix]
	return append(rows,
		row{matrix + ".latencyCycles", 25, sourceSM87 + ", ptx_opcode_latency_tensor 25"},
		row{matrix + ".initiationCycles", 2, sourceAGXOrin + ": 170 sparse TOPS of INT8 are 42.5 dense TFLOPS of " +
			"FP16, 1024 fma a cycle of an SM, 2048 for m16n8k16"})
}

// lpddr5Energy is that of LPDDR4, because no currents of LPDDR5 are published: the formulas of DRAMsim3, V x mA x
// cycles x ns = pJ, for a channel of 16 bits.
func lpddr5Energy() []row {
	of := func(path string, value int, formula string) row {
		return row{"energy." + path, value, fmt.Sprintf("%sthat of LPDDR4: %s%s", sourceOurs, sourceLPDDR4, formula)}
	}
	return []row{
		of("dramActivateFemtojoules", 1_204_688, "VDD2 x (IDD0 45 x 97 - IDD3N 30 x 68 - IDD2N 27 x 29) x ns, and "+
			"VDD1 x (3.5 x 97 - 2.25 x 68 - 2 x 29) x ns"),
		of("dramReadFemtojoules", 42_109, "VDD2 x (IDD4R 275 - IDD3N 30) x 8 cycles x ns / 32 bytes"),
		of("dramWriteFemtojoules", 30_938, "VDD2 x (IDD4W 210 - IDD3N 30) x 8 cycles x ns / 32 bytes"),
		of("dramIOFemtojoules", 25_652, "VDDQ 1.1 x (IDD4R 150 - IDD3N 0.75) x 8 cycles x ns / 32 bytes"),
		of("dramRefreshFemtojoules", 22_386_000, "VDD2 x (IDD5 90 - IDD3N 30) x 448 cycles x ns, and "+
			"VDD1 x (10 - 2.25) x 448 x ns"),
		of("dramOpenMilliwatts", 37, "VDD2 x IDD3N 30 and VDD1 x 2.25"),
		of("dramClosedMilliwatts", 33, "VDD2 x IDD2N 27 and VDD1 x 2"),
	}
}
