package claim

// rfvpAnalyses are those of RFVP's core claims, on the sizes of rfvpSizes, version 0.3.0.
var rfvpAnalyses = []analysis{
	{[]string{"RFVP-35", "RFVP-36", "RFVP-42"},
		"Measured: the mean loss at a drop rate of 12.5 % is 7,095 %, all of it from FWT, and no rate keeps FWT within 10 %. We think: the spectrum of our data has a few coefficients that are thousands of times larger than the others. A last value that is one of them goes to sixteen words, and the transform spreads it over the whole output. " +
			"The paper transforms an image and states a mean of 6.5 %. What changes it: leaving out FWT, or data with an even spectrum."},
	{[]string{"RFVP-18"},
		"Measured: SRED is 13.9 % faster and moves as many bytes of DRAM as without RFVP (ratio 0.997); the paper has 90 % fewer bytes and 10 % more speed. We think: the reduction stores its sums in place, and a store that misses in L2 reads its line (RFVP.md), so a dropped load saves the wait and not the bytes. " +
			"What changes it: l2.writeMiss allocate, with which BP moves 27 % and FWT 33 % fewer bytes at a drop rate of 50 %."},
	{[]string{"RFVP-03"},
		"Measured: 4.6 % fewer bytes of DRAM within a loss of 10 %, at 19 % more speed and 17 % less energy; the paper has 48 %. We think: BP, FWT and SRED store where they load, and a store that misses in L2 reads the line (RFVP.md). The data of MM and SS fit into L2 at the sizes of rfvpSizes, so their dropped requests save the crossbar and L2, not DRAM. " +
			"What changes it: l2.writeMiss allocate, and the paper's sizes."},
	{[]string{"RFVP-23"},
		"Measured: predictions whose requests are sent all the same make the programs 7.8 % faster and save 6.0 % of the energy; the paper has 2 % and a loss of 2 %. We think: our programs wait for latency more than for bandwidth, and static energy follows time. " +
			"What changes it: programs that fill DRAM."},
	{[]string{"RFVP-26"},
		"Measured: 30 % of the loaded values are inexact at a drop rate of 50 %, and 15 % at 25 %; the paper has 3 % and 2 %. We think: we count every value that a thread gets, also those read later from a predicted line in L1, and the marked loads are most of the loads of MM, SS and GS. The paper counts load instructions, most of which hit exact lines. " +
			"What changes it: counting only the loads whose miss was dropped."},
}
