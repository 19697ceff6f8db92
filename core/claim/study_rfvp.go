package claim

// rfvpSizes are the sizes of RFVP's programs, by the paper's names. A reproduction runs each of them
// some fifty times, so one run takes about a second [ours]: the paper's sizes take a hundred times that.
var rfvpSizes = map[string]int{
	"BP":   16384,
	"FWT":  1 << 16,
	"GS":   256,
	"HW":   12,
	"MM":   128,
	"PF":   1000,
	"SS":   128,
	"SRED": 256,
	"SR2K": 320,
	"STM":  256,
}
