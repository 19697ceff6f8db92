package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
)

const (
	sourceAD102    = "NVIDIA Ada GPU Architecture whitepaper, table of the RTX 4090 (AD102)"
	sourceCC89     = "CUDA C++ programming guide, compute capability 8.9"
	sourceOccup89  = "CUDA occupancy calculator, compute capability 8.9"
	sourceDewing   = "markdewing/AI_kernels, latency/README.md, pointer chasing on an RTX 4090: "
	sourceBenchL40 = "te42kyfo/gpu-benches, gpu-latency/l40.txt, pointer chasing on an L40 (AD102): "
)

// presetRTX4090 is a card of consumers: 24 channels of GDDR6X, and an L2 of 72 MB.
func presetRTX4090() preset {
	const (
		l2    = sourceDewing + "an L2 hit takes 296 cycles; an L40 takes 277"
		alike = sourceOurs + "as GA102, whose SM is the same but for the tensor cores: "
	)
	return presetRTX3090().with("rtx4090", "RTX 4090 · 128 SMs · GDDR6X 1008 GB/s",
		"NVIDIA Ada whitepaper; latencies of AI_kernels on the card; otherwise as rtx3090",
		slices.Concat([]row{
			{"sms", 128, sourceAD102},
			{"coreMHz", 2520, sourceAD102 + ": boost clock"},
			{"dramMHz", 1313, sourceAD102 + ": 21 Gb/s a pin, 16 bits of it in a command clock"},
			{"requestLatencyCycles", 88, l2},
			{"replyLatencyCycles", 86, l2},
			{"controllers", 12, sourceAD102 + ": twelve 32-bit controllers"},
			{"memoryBytes", 24 << 30, sourceAD102 + ": 24 GB"},
			{"l2.sets", 1536, sourceAD102 + ": 72 MB in all"},
			{"l2.ways", 16, alike + sourceWarpedMC + ", gpgpu_cache:dl2"},
			{"controller.fixedLatencyCycles", 230, sourceDewing +
				"a load of DRAM takes 636 cycles, less an L2 hit, opening and reading a row and the mean wait for refreshes"},
			{"sm.warps", 48, sourceCC89 + ": 1536 threads an SM"},
			{"sm.ctas", 24, sourceCC89},
			{"sm.registers", 65536, sourceCC89},
			{"sm.registerUnit", 256, sourceOccup89},
			{"sm.warpUnit", 4, sourceOccup89},
			{"sm.sharedBytes", 100 << 10, sourceCC89 + ": 100 KB is the largest share of 128 KB"},
			{"sm.sharedUnit", 128, sourceOccup89},
			{"sm.schedulers", 4, sourceCC89},
			{"sm.l1.sets", 64, sourceBenchL40 + "a walk of 84 KB hits, one of 113 KB mostly misses; 96 KB lie between. " +
				"A kernel that needs much shared memory has less in hardware. The hardware has fewer sets of more ways"},
			{"sm.l1.ways", 12, sourceOurs + "see sm.l1.sets"},
			{"sm.l1.latencyCycles", 39, sourceDewing + "40 cycles from load to use, of which issue is one"},
		}, dramRows(dram.GDDR6X21()), chipEnergy(5), gddr6xEnergy(), []row{voltaStatic(128)})...)
}
