package experiment

import (
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// TestStudyRunsFillTheMachine: four waves and ten times L2, on 15 and on 16 SMs, or a reason
// why not; and no reason where none is needed.
func TestStudyRunsFillTheMachine(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for i, run := range programs.StudyRuns() {
		listed[run.Program] = true
		s := scenario.Default(run.Program)
		s.Workload.Size, s.Workload.Data = run.Size, run.Data
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", run, err)
			continue
		}
		if testing.Short() && (run.Size > 50_000 || i%4 != 0) {
			continue // the waves of a launch are the same in WebAssembly
		}
		plan, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range []string{"gtx480", "gtx580v4"} { // 15 and 16 SMs
			plan.Preset = preset
			fill, err := plan.Fill()
			if err != nil {
				t.Fatal(err)
			}
			if full := fill.Waves >= programs.StudyWaves && fill.TimesL2 >= programs.StudyTimesL2; !full && run.Limit == "" {
				t.Errorf("%s of %d on %s: %.2f waves and %.1f times L2, want %d and %d, or a reason",
					run.Program, run.Size, preset, fill.Waves, fill.TimesL2, programs.StudyWaves, programs.StudyTimesL2)
			} else if full && run.Limit != "" && preset == "gtx580v4" {
				t.Errorf("%s of %d fills %s: %q is no reason", run.Program, run.Size, preset, run.Limit)
			}
		}
	}
	for _, name := range programs.Names() {
		if ours := slices.Contains([]string{"vecadd", "matmul", "hpcproxy", "dlproxy",
			"embedding", "softmax", "layernorm", "sgd", "adam", "gemm", "gemmfp8", "hoppergemm",
			"hopperattention", "hopperdecode", "hopperrows", "hoppermoe", "attention", "pageddecode",
			"gridbarrier", "streamk", "workqueue", "radixsort", "locktable",
			"sreduce", // a part of srad, whose runs are in the table
		}, name); listed[name] == ours {
			t.Errorf("%s: in the table of studies: %v", name, listed[name])
		}
	}
}
