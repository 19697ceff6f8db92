package claim

// latteSizes is THE table of the sizes of LATTE-CC's programs, by the paper's names. Each program
// of the sensitive ones runs twenty times, once of them under Kernel-OPT, so a run takes two to four
// seconds. LATTE.md has the figures.
var latteSizes = map[string]studySize{
	"BFS1":  {131_072, "256 CTAs: two waves"},
	"KM":    {12_288, "an SM holds four CTAs, each of whose warps reads 34 features of 32 objects"},
	"PF":    {1_000, "half of the suite's particles"},
	"SS":    {160, "pairs of documents; at 512 no line of L1 is used again"},
	"MM":    {192, "144 CTAs: more than one wave"},
	"BC":    {4, "four of the sources; the graph is the suite's"},
	"MIS":   {256, "512 CTAs: four waves"},
	"CLR":   {256, "as MIS"},
	"FW":    {160, "a matrix of six L1s"},
	"PRK":   {32_768, "256 CTAs: two waves"},
	"DJK":   {192, "288 CTAs: more than two waves"},
	"BO":    {32, "one CTA an option; it does not use L1"},
	"PTH":   {32_768, "more than one wave"},
	"HOT":   {256, "four waves"},
	"FWT":   {1 << 17, "128 CTAs: more than one wave"},
	"BP":    {16_384, "eleven waves"},
	"NW":    {512, "half of the suite's"},
	"SRAD1": {320, "four waves"},
	"HW":    {12, "twelve of 51 points, one CTA each"},
	"STC":   {4_096, "a sixteenth of the suite's"},
	"BT":    {65_536, "656 CTAs: five waves"},
	"WC":    {86, "the size of the suite"},
}
