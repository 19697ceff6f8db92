package preset

const (
	// sourceNoTLB stands in presets whose TLB nobody has measured completely, as far as we know. An H100 and an H200
	// show no step up to 941 MB (core/machine/testdata/silicon, latency.tlb), and an A100 none up to 64 GB (Walker,
	// arXiv 2405.11425), so the reach of each of their levels is unknown.
	sourceNoTLB = "no complete measurement is known to us"
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

// tlbRows are the TLBs that Jia et al. found by pointer chasing: 16 entries of 2 MB in an SM, and a shared one of
// entries of 32 MB. They give the time of a load that misses both; how it divides between the two is not known.
func tlbRows(source string, sharedEntries, sharedCycles, walkCycles int, miss string) []row {
	const divided = "; not measured: "
	return []row{
		{"tlb.l1.entries", 16, source + ": an L1 TLB reaches 32 MB"},
		{"tlb.l1.pageBytes", 2 << 20, source + ": pages of 2 MB"},
		{"tlb.l1.misses", 16, sourceOurs + "not measured: one for each entry"},
		{"tlb.l2.entries", sharedEntries, source + ": the L2 TLB's reach over its entries of 32 MB"},
		{"tlb.l2.ways", 16, sourceOurs + "not measured on the GPU; " + sourceMASK},
		{"tlb.l2.pageBytes", 32 << 20, source + ": entries of 32 MB"},
		{"tlb.l2.latencyCycles", sharedCycles, sourceOurs + "not measured: the ways to an L2 slice and back, " +
			"without the pipeline in front of it"},
		{"tlb.walkers", 64, sourceOurs + "not measured on the GPU; " + sourceWalks},
		{"tlb.walkCycles", walkCycles, miss + divided + "tlb.l2.latencyCycles of them are taken as the shared TLB's"},
	}
}

// tlbV100: a load that misses L2 takes 375 cycles if a TLB has its page and 1029 if none has.
func tlbV100() []row {
	return tlbRows(sourceJia, 8192/32, 72, 1029-375-72, "Jia et al., 2018, figure 3.2: 1029 cycles without a TLB's "+
		"page, 375 with it")
}

// tlbP100 has the sizes of a P100 and the times of a V100.
func tlbP100() []row {
	return tlbRows(sourceJia, 2048/32, 113, 1029-375-113, sourceOurs+"not measured on a P100; as a V100: Jia et "+
		"al., 2018, figure 3.2: 1029 cycles without a TLB's page, 375 with it")
}

// tlbTuring: a load that misses L2 takes 296 cycles on a T4 if a TLB has its page and 616 if none has.
func tlbTuring() []row {
	return tlbRows(sourceJiaT4, 8192/32, 105, 616-296-105, sourceJiaT4+", figure 3.5: 616 cycles without a TLB's "+
		"page, 296 with it")
}
