package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/stat"
)

// TestMatrixOfPredictions runs programs with predicted loads: every predictor, gaps, requests that are sent, and
// prediction together with compression and with a compressed L1. Predicted lines enter L1, and a
// drop rate of 0 gives the plain run bit by bit.
func TestMatrixOfPredictions(t *testing.T) {
	var m matrix
	for _, p := range []struct {
		program string
		size    int
		sets    [][]string
	}{
		{"fwt", 4096, [][]string{
			{}, {"loads.predictor=single-value"}, {"loads.predictor=zero"}, {"loads.requests=sent"},
			{"loads.drop=900", "loads.groups=8", "loads.entries=32"}, {"memory.codec=e2mc16", "memory.approximation=tslc-opt"},
		}},
		{"gaussian", 64, [][]string{{}, {"loads.predictor=last-value"}}},
		{"mapmatmul", 64, [][]string{{}, {"l1.store=latte"}}},
		{"particlefilter", 128, [][]string{{}, {"loads.gaps=random"}}},
		{"sreduce", 128, [][]string{{}, {"loads.drop=900"}}},
		{"pathfinder", 2000, [][]string{ // of integers, whose strides count
			{"loads.which=all"}, {"loads.which=all", "loads.predictor=stride"}, {"loads.which=all", "loads.predictor=dfcm"},
		}},
	} {
		of := func(set ...string) *Result {
			t.Helper()
			_, res := finish(t, mustPlan(t, smallScenario(t, p.program, p.size, "gtx480v3", "none", set...)))
			return res
		}
		plain, zero := of(), of(append([]string{"loads.policy=rfvp", "loads.drop=0"}, p.sets[0]...)...)
		if zero.ResultHash != plain.ResultHash || zero.Error != 0 {
			t.Errorf("%s: a drop rate of 0 gives %s, the plain run %s", p.program, zero.ResultHash, plain.ResultHash)
		}
		hashes := map[string]bool{plain.ResultHash: true}
		for _, set := range p.sets {
			res := of(append([]string{"loads.policy=rfvp"}, set...)...)
			if res.Stats[stat.Describe(stat.L1Answered).Name] == 0 {
				t.Errorf("%s %v: no load is answered with a predicted line", p.program, set)
			}
			m.add(res, "%s %v", p.program, set)
			hashes[res.ResultHash] = true
		}
		if len(hashes) != 1+len(p.sets) {
			t.Errorf("%s: %d results of %d settings and of the plain run, which tests little", p.program, len(hashes), len(p.sets))
		}
	}
	m.check(t, "predictions")
}
