package claim

// latteAnalyses are those of LATTE-CC's core claims.
var latteAnalyses = []analysis{
	{[]string{"LATTE-01", "LATTE-82", "LATTE-83"},
		"Measured: LATTE-CC gains 1.4 % in the mean of the sensitive programs and Adaptive-CMP 4.3 %, where the paper has 19.2 and 13 %. KM (19.7 %) and MM (11.9 %) are near the paper's 26.9 and 21.2 %; FW loses 32 %. Without FW the mean is 5.5 %. " +
			"We think: two mechanisms. First, the controller takes the queue of the learning phase, which an eighth of the sets makes; when all sets follow SC, the queue of the decompressor, which serves one line at a time, is many times as long (384 lines in front of a line under Static-SC in FW). The tolerance of FW hides up to 24 cycles of 14 x (position + 1), so LATTE-CC takes SC in 5 % of the phases; Adaptive-CMP, which hides nothing, takes it less often. " +
			"Second, our inputs are smaller and BDI saves fewer misses (LATTE-02). " +
			"What decides it: FW with SC's decompression in 0 cycles (l1.highDecompress) loses 2 % instead of 32 %, so the queue is the cause; with one dedicated set for each mode (l1.dedicated) it loses 49 %. A pipelined decompressor, which the paper's formula excludes, or a queue measured over all sets would remove the loss."},
	{[]string{"LATTE-02"},
		"Measured: Static-BDI gains 1.3 % in the mean and saves 6.0 % of the misses, where the paper has 13.7 % and 19.2 %. Only BC (9.7 %), CLR (6.9 %), PRK (4.1 %) and MIS (3.2 %) gain; KM, SS and MM hold floating-point numbers that BDI leaves raw, as the paper says, and FW loses 8 % to the queue. " +
			"We think: an L1 that reserves a line's room at a miss keeps up to 32 whole lines on order, a quarter of it, and the inputs of BFS, DJK and PRK are graphs of our own with shorter lists. " +
			"What decides it: l1.room fill, which gives a line only the room of its code, and the full graphs."},
}
