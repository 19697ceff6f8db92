package preset

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
)

const (
	sourceGA102 = "NVIDIA Ampere GA102 GPU Architecture whitepaper, table of the RTX 3090 (GA102)"
	// sourceWarpedMC has the latencies of SM86_RTX3070, whose SM is the same.
	sourceWarpedMC = "GPGPU-Sim 4 of Warped-MC (KU-CSArch), tested-cfgs/SM86_RTX3090"
)

// presetRTX3090 is a card of consumers: 24 channels of GDDR6X.
func presetRTX3090() preset {
	const latency = sourceWarpedMC + " has that of SM86_RTX3070; on an RTX 3090 it was not measured: "
	return presetRTX3070().with("rtx3090", "RTX 3090 · 82 SMs · GDDR6X 936 GB/s",
		"NVIDIA GA102 whitepaper; GPGPU-Sim 4 SM86_RTX3070 and SM86_RTX3090 of Warped-MC; GDDR6X in ns of GDDR6",
		slices.Concat([]row{
			{"sms", 82, sourceGA102},
			{"coreMHz", 1695, sourceGA102 + ": boost clock"},
			{"dramMHz", 1219, sourceGA102 + ": 19.5 Gb/s a pin, 16 bits of it in a command clock"},
			{"requestLatencyCycles", 53, latency + "gpgpu_l2_rop_latency 187 after L1's 39"},
			{"replyLatencyCycles", 51, latency + "gpgpu_l2_rop_latency 187 after L1's 39"},
			{"controllers", 12, sourceGA102 + ": twelve 32-bit controllers"},
			{"channels", 2, "Micron, GDDR6X: two channels of 16 bits in a chip; each has two L2 slices in the GPU, one here"},
			{"memoryBytes", 24 << 30, sourceGA102 + ": 24 GB"},
			{"l2.sets", 128, sourceGA102 + ": 6 MB in all; " + sourceWarpedMC + ", gpgpu_cache:dl2 S:64:128:32 for each of 24"},
			{"l2.ways", 16, sourceOurs + "see l2.sets: as many ways as rtx3070, of twice the sets"},
			{"controller.fixedLatencyCycles", 191, latency +
				"dram_latency 254 after an L2 hit, less opening and reading a row and the mean wait for refreshes"},
			{"sm.sharedBytes", 100 << 10, sourceCC86 + ": 100 KB is the largest share of 128 KB"},
		}, dramRows(dram.GDDR6X()), gddr6xEnergy(), []row{voltaStatic(82)})...)
}

// gddr6xEnergy is that of GDDR6, because neither currents nor picojoules of GDDR6X are published.
func gddr6xEnergy() []row {
	var rows []row
	for _, r := range gddr6Energy() {
		r.source = sourceOurs + "that of GDDR6: " + r.source
		rows = append(rows, r)
	}
	return rows
}
