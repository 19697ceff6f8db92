package experiment

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/buddy"
	buddyprofile "github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// TestProxiesHaveThePaperMeanRatios: the proxies of Buddy Compression were tuned to the means of figure 3,
// and their zeros, stripes and churn are there.
func TestProxiesHaveThePaperMeanRatios(t *testing.T) {
	for name, want := range map[string]float64{"hpcproxy": 2.51, "dlproxy": 1.85} {
		info, err := programs.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, data := range info.DataModes {
			s := scenario.Default(name)
			s.Workload.Size, s.Workload.Data, s.Machine.Preset = 1, data, "p100"
			s.Memory.Put("codec", "bpc", "approximation", "none")
			if err := s.Set("backing.kind", "buddy"); err != nil {
				t.Fatal(err)
			}
			p, err := PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			w, err := Watch(p, &buddy.Entry)
			if err != nil {
				t.Fatal(err)
			}
			allocs := w.(*buddy.Snapshots).Allocations()
			sum += math.Log(buddyprofile.Ratio(allocs))
			if data != "seismic" {
				continue
			}
			// Its fields are zeros at first, and entries of 64 bytes at the end.
			for _, a := range allocs {
				first, last := a.Snapshots[0], a.Snapshots[buddyprofile.Snapshots-1]
				if first[0] != first.Entries() || last[0] != 0 || float64(last.Bytes()) > 65*float64(last.Entries()) {
					t.Errorf("%s: %v, and %v at the end", a.Name, first, last)
				}
			}
		}
		if got := math.Exp(sum / float64(len(info.DataModes))); math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s: a mean ratio of %.3f, the paper has %.2f", name, got, want)
		}
	}
}
