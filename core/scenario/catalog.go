package scenario

// The words a scenario may use, each list in one place.
var (
	codecs         = []string{"none", "e2mc4", "e2mc8", "e2mc16", "e2mc32"}
	probabilities  = []string{"offline", "online"}
	approximations = []string{"none", "tslc-simp", "tslc-pred", "tslc-opt"}
	mags           = []int{16, 32, 64}
)

// Codecs returns the legal values of memory.codec.
func Codecs() []string { return append([]string(nil), codecs...) }

// Approximations returns the legal values of memory.approximation.
func Approximations() []string { return append([]string(nil), approximations...) }

// Probabilities returns the legal values of memory.probabilities.
func Probabilities() []string { return append([]string(nil), probabilities...) }

// MAGs returns the legal values of memory.mag, in bytes.
func MAGs() []int { return append([]int(nil), mags...) }

// presetNames returns the machines a scenario may name.
func presetNames() []string { return []string{"gtx580", "gtx480", "mini"} }

// workloadInfo is what validation needs to know of a workload.
type workloadInfo struct {
	defaultSize  int
	sizes        []int
	dataModes    []string
	acceptsImage bool
}

func workloadNames() []string {
	return []string{"vecadd", "transpose", "dct", "blackscholes", "matmul"}
}

func describe(name string) (workloadInfo, bool) {
	switch name {
	case "vecadd":
		return workloadInfo{262144, []int{4096, 65536, 262144, 1048576}, []string{"natural"}, false}, true
	case "transpose":
		return workloadInfo{1024, []int{128, 256, 512, 1024}, []string{"natural"}, true}, true
	case "dct":
		return workloadInfo{512, []int{128, 256, 512, 1024}, []string{"natural"}, true}, true
	case "blackscholes":
		return workloadInfo{163840, []int{4096, 16384, 163840}, []string{"near", "sdk", "grid"}, false}, true
	case "matmul":
		return workloadInfo{128, []int{32, 64, 128, 256}, []string{"natural"}, false}, true
	}
	return workloadInfo{}, false
}
