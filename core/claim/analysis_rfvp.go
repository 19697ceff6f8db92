package claim

// rfvpAnalyses are those of RFVP's core claims, on the sizes of rfvpSizes, version 0.4.0.
var rfvpAnalyses = []analysis{
	{[]string{"RFVP-35", "RFVP-36", "RFVP-42"},
		"Measured: the mean loss at a drop rate of 12.5 % is 7,095 %, all of it from FWT, and no rate keeps FWT within 10 %. We think: the spectrum of our data has a few coefficients that are thousands of times larger than the others. A last value that is one of them goes to sixteen words, and the transform spreads it over the whole output. " +
			"The paper transforms an image. Deciding run: without FWT the mean losses at 12.5 and 90 % are 6.1 and 26.9 % (paper 6.5 and 31), and STM has the largest at 25 % (48.8 %), so all three rows hold."},
	{[]string{"RFVP-18"},
		"Measured: SRED is 13.9 % faster and moves as many bytes of DRAM as without RFVP (ratio 0.997); the paper has 90 % fewer bytes and 10 % more speed. We think: at 256 on a side SRED's two arrays fit into L2, so a dropped load saves the way to L2 and not DRAM, and with perfect memory SRED would be 2.2 times as fast. " +
			"Deciding runs: at 512 on a side SRED moves 15 % fewer bytes and is 26 % faster (21 and 34 % with l2.writeMiss allocate); at 256 allocate changes nothing (ratio 0.998)."},
	{[]string{"RFVP-03"},
		"Measured: 4.6 % fewer bytes of DRAM within a loss of 10 %, at 19 % more speed and 17 % less energy; the paper has 48 %. We think: BP and FWT store where they load, and a store that misses reads the line (RFVP.md). The data of MM, SS and SRED fit into L2 at the sizes of rfvpSizes, so their dropped requests save the crossbar and L2, not DRAM. " +
			"Deciding runs: with l2.writeMiss allocate and a drop rate of 90 % BP moves 55 % and FWT 41 % fewer bytes, and gain 28 and 21 % speed."},
	{[]string{"RFVP-23"},
		"Measured: predictions whose requests are sent all the same make the programs 7.8 % faster and save 6.0 % of the energy; the paper has 2 % and a loss of 2 %. We think: our programs wait for latency more than for bandwidth, and static energy follows time. " +
			"Deciding runs: with memory that hardly takes time (the system PERFECT) only PF still gains, because it takes another path (35 %), and the mean of the others is 0.0 %; so the gain is latency that predictions hide. Half the clock of DRAM changes little (7.6 and 6.2 %)."},
	{[]string{"RFVP-26"},
		"Measured: 30 % of the loaded values are inexact at a drop rate of 50 %, and 15 % at 25 %; the paper has 3 % and 2 %. We think: the marked loads are most of the loads of MM, SS and GS, and most of them miss L1, while most load instructions of the paper hit exact lines. " +
			"Deciding run: if only the loads count whose own miss was dropped, and not those that read a predicted line in L1 later, the shares are 22 and 11 %; PF, whose marked loads are few, has 1.6 % (paper 3 %)."},
	{[]string{"RFVP-49", "RFVP-50"},
		"Measured: energy x delay x error is 0.067 with 32 entries and 0.165 with 192; the paper has 1.4 times more with 32. Two groups are better than one (0.165 and 0.192), as in the paper. We think: a small table holds the loads of few warps and so predicts less: in FWT 80 thousand values and not 340, in BP 15 and not 282. Their losses fall from 1,561 to 6.7 and from 0.25 to 0.008, far more than energy and delay grow. " +
			"Deciding run: without FWT and BP 32 and 192 entries have 0.050 and 0.050, so the size of the table decides nothing there."},
}
