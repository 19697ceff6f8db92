package claim

// studySize is a program's size in studies if it is smaller than that of programs.StudyRuns, and why.
type studySize struct {
	size int
	why  string
}

// studySizes is THE table of reductions, by the papers' names of programs, so that a reproduction of
// SLC and E2MC at study sizes stays below 90 minutes on two cores. A program that eight times the
// bandwidth makes faster (on gtx580b, without compression) keeps that. The others, which it makes less than 2 % faster
// at every size tried, have buffers of three times L2 and more. README.md has the figures.
var studySizes = map[string]studySize{
	"NN":   {2_400_000, "gains as much as at 600,000 records"},
	"FWT":  {1 << 20, "buffers of ten times L2"},
	"CS":   {1024, "16 waves, buffers of 16 times L2"},
	"LIB":  {1 << 13, "gains as much as at 2^14 paths; 28 MB of local memory"},
	"SCAN": {1 << 22, "51 waves, buffers of 42 times L2"},
	"KM":   {98_304, "four waves"},
	"BFS1": {1 << 18, "eleven waves; at 2^16 nodes it does not wait for DRAM"},
	"MUM":  {16_384, "not bound by memory"},
	"BFS2": {1 << 16, "not bound by memory"},
	"SSSP": {256, "not bound by memory"},
	"SPMV": {16_384, "not bound by memory"},
	"PVR":  {1 << 17, "five waves, as large as PVC"},
}
