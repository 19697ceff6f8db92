package experiment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/golden"
)

// waitingSizes are sizes of the programs whose threads wait for each other. Each leaves parts of CTAs and of tiles.
var waitingSizes = []struct {
	name string
	size int
}{{"gridbarrier", 3000}, {"streamk", 80}, {"workqueue", 200}, {"radixsort", 3000}, {"locktable", 700}}

// TestWaitingPrograms: the programs whose threads wait for each other end on a Fermi, an Ampere and a Hopper, with the
// outputs of the exact run, which package programs compares with computations of the host. Their launches add up. The
// hashes are the same natively and in WebAssembly.
func TestWaitingPrograms(t *testing.T) {
	var hashes strings.Builder
	for _, p := range waitingSizes {
		for _, gpu := range []string{"gtx480", "a100", "h200"} {
			s := scenario.Default(p.name)
			s.Machine.Preset, s.Workload.Size = gpu, p.size
			for _, path := range []string{"memory.codec", "memory.approximation"} {
				if err := s.Set(path, "none"); err != nil {
					t.Fatal(err)
				}
			}
			plan, err := PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			r, res := finish(t, plan)
			checkLaws(t, r, res)
			checkExact(t, r, res)
			fmt.Fprintf(&hashes, "%s %d %s %s\n", p.name, p.size, gpu, res.ResultHash)
			sums := map[string]uint64{}
			for _, l := range res.PerLaunch().Launches {
				for name, n := range l.Stats {
					sums[name] += n
				}
			}
			for _, c := range stat.List() {
				if name := stat.Describe(c).Name; stat.Adds(c) == stat.Sum && sums[name] != res.Stats[name] {
					t.Errorf("%s on %s: %s is %d over launches, %d of the run", p.name, gpu, name, sums[name], res.Stats[name])
				}
			}
		}
	}
	golden.File(t, "testdata/waiting.golden", []byte(hashes.String()))
}
