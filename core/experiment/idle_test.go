package experiment

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// Every system that did nothing in a run says so and why; the same system where it acts says nothing.
func TestIdleSystems(t *testing.T) {
	for _, c := range []struct {
		sets string
		want string // of each sentence, its beginning
	}{
		{"workload.name=vecadd workload.size=4096 memory.codec=none", ""},
		// Transpose reads each line once, so L1 has no hit and the predictor no row.
		{"workload.name=transpose workload.size=64 l1.store=latte loads.policy=rfvp memory.codec=none", "LATTE-CC did nothing: no load hit L1. RFVP did nothing: no request that it could drop had a trained row."},
		{"workload.name=gaussian workload.size=32 loads.policy=rfvp loads.drop=0 memory.codec=none", "RFVP did nothing: its drop rate is 0."},
		{"workload.name=gaussian workload.size=32 loads.policy=rfvp memory.codec=none", ""},
		{"workload.name=gaussian workload.size=32 l1.store=static-bdi memory.codec=none", ""},
		{"workload.name=gaussian workload.size=32 l1.store=delayed memory.codec=none", "Delayed did nothing: it adds no cycles."},
		{"workload.name=gaussian workload.size=32 l1.store=delayed l1.extraLatency=5 memory.codec=none", ""},
		{"workload.name=transpose workload.size=256 memory.codec=e2mc16 memory.approximation=tslc-opt", ""},
		{"workload.name=bfs1 workload.size=1024 memory.codec=e2mc16 memory.approximation=tslc-opt", "TSLC-OPT did nothing: no allocation of this program may be approximated."},
		{"workload.name=transpose workload.size=256 memory.codec=e2mc16 memory.approximation=tslc-opt memory.threshold=1", "TSLC-OPT did nothing: no block that may be approximated ended at most 1 bytes above a burst."},
		{"machine.preset=p100 workload.name=vecadd workload.size=4096 memory.codec=bpc backing.kind=buddy backing.targets=1", "Buddy Compression sent nothing over its link: no entry that moved is larger than its target."},
		// Uniform random numbers do not become smaller.
		{"machine.preset=p100 workload.name=vecadd workload.size=4096 workload.data=uniform memory.codec=bpc backing.kind=buddy backing.targets=4", "BPC did nothing: no block that moved became smaller."},
		{"machine.preset=p100 workload.name=vecadd workload.size=4096 memory.codec=none backing.kind=pinned", ""},
		{"machine.preset=p100 workload.name=vecadd workload.size=4096 memory.codec=none backing.kind=unified backing.share=100", "Unified memory (proxy) sent nothing over its link: device memory held every page."},
		{"workload.name=vecadd workload.size=4096 memory.codec=none backing.kind=copies", "Device memory and copies of the host did nothing: the program has one launch, and copies lie between two."},
		{"workload.name=gaussian workload.size=32 memory.codec=none backing.kind=copies backing.copyKB=0", "Device memory and copies of the host did nothing: it copies 0 KB."},
		{"workload.name=gaussian workload.size=32 memory.codec=none backing.kind=copies", ""},
	} {
		s := scenario.Default("vecadd")
		for _, one := range strings.Fields(c.sets) {
			path, value, _ := strings.Cut(one, "=")
			if err := s.Set(path, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("%s: %v", c.sets, err)
		}
		plan, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		study, err := NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		res, err := study.Run(plan, Options{}).Finish()
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, c.sets, res)
		var said []string
		for _, x := range res.Idle {
			said = append(said, x.Text)
		}
		if got := strings.Join(said, " "); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.sets, got, c.want)
		}
	}
}
