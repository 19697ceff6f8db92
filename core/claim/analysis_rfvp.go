package claim

// rfvpAnalyses are those of RFVP's core claims, on the sizes of rfvpSizes, version 0.3.0.
var rfvpAnalyses = []analysis{
	{[]string{"RFVP-35", "RFVP-36", "RFVP-42"},
		"Measured: the mean loss at a drop rate of 12.5 % is 7,095 %, all of it from FWT, and no rate keeps FWT within 10 %. We think: the spectrum of our data has a few coefficients that are thousands of times larger than the others. A last value that is one of them goes to sixteen words, and the transform spreads it over the whole output. " +
			"The paper transforms an image and states a mean of 6.5 %. What changes it: leaving out FWT, or data with an even spectrum."},
	{[]string{"RFVP-18"},
		"Measured: SRED is 13.9 % faster and moves as many bytes of DRAM as without RFVP (ratio 0.997); the paper has 90 % fewer bytes and 10 % more speed. We think: the reduction stores its sums in place, and a store that misses in L2 reads its line (RFVP.md), so a dropped load saves the wait and not the bytes. " +
			"What changes it: l2.writeMiss allocate, with which BP moves 27 % and FWT 33 % fewer bytes at a drop rate of 50 %."},
}
