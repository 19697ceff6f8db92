package claim

// latteAnalyses are those of LATTE-CC's core claims.
var latteAnalyses = []analysis{
	{[]string{"LATTE-01", "LATTE-82", "LATTE-83"},
		"Measured: LATTE-CC gains 1.4 % in the mean of the sensitive programs and Adaptive-CMP 4.3 %, where the paper has 19.2 and 13 %. KM (19.7 %) and MM (11.9 %) are near the paper's 26.9 and 21.2 %; FW loses 32 %. Without FW the means are 5.5 and 6.0 %. " +
			"We think: two mechanisms. First, the controller takes the queue of the learning phase, which an eighth of the sets makes; when all sets follow SC, the queue of the decompressor, which serves one line at a time, is many times as long (384 lines in front of a line under Static-SC in FW). The tolerance of FW hides up to 24 cycles of 14 x (position + 1), so LATTE-CC takes SC in 5 % of the phases; Adaptive-CMP, which hides nothing, takes it less often. " +
			"Second, the room of lines on order (LATTE-02). " +
			"Deciding runs: FW with SC's decompression in 0 cycles (l1.highDecompress) loses 2 %, so the queue is the cause; with one dedicated set for each mode (l1.dedicated) it loses 49 %. With l1.room fill LATTE-CC gains 14.6 % (19.6 % without FW) and saves 20.4 % of the misses, but 13.1 % of that comes from the allocation and not from compression."},
	{[]string{"LATTE-02"},
		"Measured: Static-BDI gains 1.3 % in the mean and saves 6.0 % of the misses, where the paper has 13.7 % and 19.2 %. Only BC (9.7 %), CLR (6.9 %), PRK (4.1 %) and MIS (3.2 %) gain; KM, SS and MM hold floating-point numbers that BDI leaves raw, as the paper says, and FW loses 8 % to the queue. " +
			"We think: an L1 that reserves a line's room at a miss keeps up to 32 whole lines on order, a quarter of it, which compression cannot use. " +
			"Deciding runs: with l1.room fill, where a miss takes a tag only, Static-BDI gains 15.7 % and saves 20.2 % of the misses. The same L1 without codes gains 13.1 %, and SS 75 % although BDI leaves its lines raw; over it Static-BDI gains 2.3 %. The paper does not say when its two L1s take room."},
	{[]string{"LATTE-25"},
		"Measured: SS is 1.191 times as fast under Static-SC with decompression in 0 cycles and 1.227 times with 14; the other programs keep the bound within 1 %. " +
			"We think: without compression SS has 1.3 % hits, and the time of a hit changes the order of warps, which decides which lines survive. " +
			"Deciding runs: 0, 2, 5, 7, 10, 14, 20 and 28 cycles give 1.191, 1.238, 1.222, 1.264, 1.202, 1.227, 1.099 and 1.033, and save 26.4, 27.6, 26.6, 28.1, 26.2, 25.9, 22.9 and 21.5 % of the misses: up to 14 cycles speed follows the misses and not the latency."},
	{[]string{"LATTE-63"},
		"Measured: Kernel-OPT gains 6.0 % and LATTE-CC 1.4 %, where the paper has LATTE-CC 3 points ahead. LATTE-CC is ahead in KM (1.197 against 1.002) and MM (1.119 against 1.000), as in the paper, and behind in FW (0.683 against 1.007) and SS (1.060 against 1.227). " +
			"We think: Kernel-OPT tries a mode on whole launches and so sees the queue that all sets make, which a learning phase does not (LATTE-01). In SS one mode is right all the time, and LATTE-CC spends a tenth of it learning and follows SC in 26 % of the phases. " +
			"Deciding runs: without FW and SS LATTE-CC gains 5.4 % and Kernel-OPT 4.9 %. FW loses 2 % if SC decompresses in 0 cycles. Periods of 20 and 40 phases give SS 1.031 and 1.033, so the share of learning is not the reason there."},
	{[]string{"LATTE-84", "LATTE-85"},
		"Measured: with an L1 of 48 KB LATTE-CC loses 3.6 % and Static-BDI 1.6 %, where the paper has gains of 6 and 3 %. FW (0.654 and 0.903) and BC (0.902 and 0.856) lose; the other nine programs gain 1.4 and 0.9 %. " +
			"We think: BC has 97 % hits in 48 KB without compression, and FW keeps its 64 % of hits whatever the size of L1 is. Compression saves nothing there, and every hit on a code waits in the decompressor's queue. " +
			"Deciding runs: with decompression in 0 cycles BC gains 1.0 and 2.3 %, and FW has 0.983 and 1.003."},
}
