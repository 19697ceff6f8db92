package claim

// latteSizes is THE table of the sizes of LATTE-CC's programs, by the paper's names. Each program
// runs some thirty times, once under Kernel-OPT, so a run takes at most some six seconds. README.md
// says what a size keeps of the program.
var latteSizes = map[string]studySize{
	"BFS1":  {131_072, "256 CTAs, lists of edges of four times L2"},
	"KM":    {24_576, "96 CTAs: one wave; every warp reads 34 lines in turn"},
	"PF":    {2_000, "the size of the suite"},
	"SS":    {256, "pairs of 256 documents; at 512 no line of L1 is used again"},
	"MM":    {256, "256 CTAs"},
	"BC":    {8, "eight of the sources; the graph is the suite's"},
	"MIS":   {384, "1,152 CTAs; below one wave at 128"},
	"CLR":   {384, "as MIS"},
	"FW":    {192, "a matrix of nine L1s; that of 128 nodes has four"},
	"PRK":   {65_536, "512 CTAs, four products"},
	"DJK":   {256, "512 CTAs"},
	"BO":    {96, "one CTA an option; it does not use L1"},
	"PTH":   {32_768, "two waves"},
	"HOT":   {512, "sixteen waves"},
	"FWT":   {1 << 18, "buffers of three times L2"},
	"BP":    {65_536, "the size of the suite"},
	"NW":    {512, "half of the suite's"},
	"SRAD1": {512, "buffers of ten times L2"},
	"HW":    {12, "twelve of the points"},
	"STC":   {16_384, "a quarter of the suite's"},
	"BT":    {262_144, "a quarter of the suite's"},
	"WC":    {86, "the size of the suite"},
}
