package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// quickSizes is THE table of reproduce --quick: the programs, by the papers' names, with
// their sizes. A size keeps the arrays beyond the caches of L2 and a run below 8 million warp
// instructions, so all runs together stay below 12 minutes on two cores whatever the
// sizes for studies are. A program without a row is left out.
var quickSizes = map[string]int{
	// SLC and both papers
	"JM": 100_000, "BS": 1_000_000, "DCT": 1024, "FWT": 1 << 19, "TP": 1024, "BP": 65_536, "NN": 600_000, "SRAD1": 512, "SRAD2": 512,
	// E2MC
	"CS": 512, "LIB": 1024, "SCAN": 1 << 20, "PVC": 16_384, "PVR": 16_384, "BFS1": 65_536, "HW": 12, "KM": 12_288, "MUM": 8192,
	"BFS2": 16_384, "SSSP": 128, "SPMV": 8192,
}

// quickSettings is the other half of the table: the values of memory that --quick keeps, by
// their names. All codecs and approximations are kept.
var quickSettings = []struct {
	setting, value string
	keeps          func(m *scheme.Memory) bool
}{
	{"mag", "32", func(m *scheme.Memory) bool { return m.MAG() == 32 }},
	{"threshold", "16", func(m *scheme.Memory) bool { return m.Approximation() == system.None || m.Threshold() == 16 }},
	{"decodingWays", "4", func(m *scheme.Memory) bool { return !scheme.HasWays(m.Codec()) || m.DecodingWays() == 4 }},
	{"latency", "the codec's own", func(m *scheme.Memory) bool { return m.Latency() == "" }},
	{"header", "fixed32", func(m *scheme.Memory) bool { return m.Header() == "" || m.Header() == "fixed32" }},
	{"sample", "20", func(m *scheme.Memory) bool { return m.Sample() == 0 || m.Sample() == e2mc.DefaultSample }},
}

// isQuick reports whether --quick keeps a run: one on the preset's own machine with the
// settings of the table.
func isQuick(j *claim.Job) bool {
	m := j.Scenario.Memory
	if len(j.Scenario.Machine.Overrides) > 0 {
		return false
	}
	for _, q := range quickSettings {
		if !q.keeps(&m) {
			return false
		}
	}
	return true
}

// quickHelp describes the subset, from the table.
func quickHelp() string {
	var programs, settings []string
	for _, id := range slices.Concat(claim.SetOf("SLC9"), claim.SetOf("E2MC15")) {
		one := fmt.Sprintf("%s %d", id, quickSizes[id])
		if quickSizes[id] != 0 && !slices.Contains(programs, one) {
			programs = append(programs, one)
		}
	}
	for _, q := range quickSettings {
		settings = append(settings, "memory."+q.setting+" "+q.value)
	}
	return "--quick makes a part of it in at most 12 minutes on two cores: inputs of the\n" +
		"suites, the preset's own clocks, and\n" + cli.Wrapped("  programs and sizes: ", strings.Join(programs, ", ")) + cli.Wrapped("  settings: ", strings.Join(settings, ", ")) +
		"Figures and claims are about these sizes; values that need other runs stay empty.\n"
}
