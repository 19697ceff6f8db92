package preset

const (
	// sourceNoTLB stands in presets whose TLB nobody has measured completely, as far as we know. An H100 and an H200
	// show no step up to 941 MB (core/machine/testdata/silicon, latency.tlb), and an A100 none up to 64 GB (Walker,
	// arXiv 2405.11425), so the reach of each of their levels is unknown. Zhang et al. (TunneLs for Bootlegging, CCS
	// 2023; github.com/0x5ec1ab/gpu-tlb) find three levels on GPUs of compute capability 7.5 and 8.x, the first with
	// 16 entries on an RTX 3080; their tools find sets, and no times.
	sourceNoTLB = "no complete measurement is known to us"
	// sourceKarnagel has its measurements as files, whose cycles these rows repeat.
	sourceKarnagel = "Karnagel et al., Big Data causing Big (TLB) Problems, DaMoN 2017 " +
		"(github.com/gcoe-dresden/cuda-gpu-tlb, results/P100)"
	// sourceJiaT4 is about a T4, a Turing chip as TU106.
	sourceJiaT4 = "Jia et al., Dissecting the NVidia Turing T4 GPU via Microbenchmarking, 2019"
	sourceWalks = "Power, Hill, Wood, Supporting x86-64 Address Translation for 100s of GPU Lanes, HPCA 2014, and " +
		"Ausavarungnirun et al., " +
		"MASK, ASPLOS 2018: a shared walker of 64 threads"
	sourceMASK = "Ausavarungnirun et al., MASK, ASPLOS 2018: a shared TLB of 16 ways"
)

// noTLB leaves out the values of the translation, which is off.
func noTLB() []row {
	list := []row{
		{"tlb.on", false, sourceOurs + "GPGPU-Sim does not translate addresses"},
		{"tlb.arithmeticCycles", 0, "Buddy Compression section III: offset-based and straightforward, without a " +
			"number"},
	}
	for _, name := range []string{"l1.entries", "l1.pageBytes", "l1.misses", "l2.entries", "l2.ways", "l2.pageBytes",
		"l2.latencyCycles", "walkers", "walkCycles"} {
		list = append(list, row{"tlb." + name, 0, sourceNoTLB})
	}
	return list
}

// tlbRows are the TLBs that pointer chasing finds: 16 entries of 2 MB in an SM, and a shared one of entries of 32 MB.
func tlbRows(source string, sharedEntries, walkCycles int, shared, walk string) []row {
	return []row{
		{"tlb.l1.entries", 16, source + ": an L1 TLB reaches 32 MB"},
		{"tlb.l1.pageBytes", 2 << 20, source + ": pages of 2 MB"},
		{"tlb.l1.misses", 16, sourceOurs + "not measured: one for each entry"},
		{"tlb.l2.entries", sharedEntries, source + ": the L2 TLB's reach over its entries of 32 MB"},
		{"tlb.l2.ways", 16, sourceOurs + "not measured on the GPU; " + sourceMASK},
		{"tlb.l2.pageBytes", 32 << 20, source + ": entries of 32 MB"},
		{"tlb.l2.latencyCycles", sharedCycles, shared},
		{"tlb.walkers", 64, sourceOurs + "not measured on the GPU; " + sourceWalks},
		{"tlb.walkCycles", walkCycles, walk},
	}
}

// On a P100 a load takes 293 cycles with its page in the first TLB, 301 in the second, and 412 in none, within two
// cycles for strides of 2, 4, 16 and 32 MB. Jia et al. give the last two of these times for a V100 and a T4, so the
// first step is the P100's there.
const (
	sharedCycles   = 301 - 293
	sharedMeasured = sourceKarnagel + ": 301 cycles with a page in the second TLB, 293 in the first"
	sharedTaken    = sourceOurs + "not measured on this GPU; as a P100: " + sharedMeasured
)

func walkOf(measured string) string {
	return measured + ", without the tlb.l2.latencyCycles of a P100"
}

// tlbV100: a load that misses L2 takes 375 cycles if a TLB has its page and 1029 if none has.
func tlbV100() []row {
	return tlbRows(sourceJia, 8192/32, 1029-375-sharedCycles, sharedTaken,
		walkOf("Jia et al., 2018, figure 3.2: 1029 cycles without a TLB's page, 375 with it"))
}

// tlbP100: the step to the time without a TLB's page begins at 2032 MB and ends at 2336 MB (strides of 16 MB).
func tlbP100() []row {
	return tlbRows(sourceKarnagel, 2048/32, 412-301, sharedMeasured,
		sourceKarnagel+": 412 cycles without a TLB's page, 301 with it in the second TLB")
}

// tlbTuring: a load that misses L2 takes 296 cycles on a T4 if a TLB has its page and 616 if none has.
func tlbTuring() []row {
	return tlbRows(sourceJiaT4, 8192/32, 616-296-sharedCycles, sharedTaken,
		walkOf(sourceJiaT4+", figure 3.5: 616 cycles without a TLB's page, 296 with it"))
}
