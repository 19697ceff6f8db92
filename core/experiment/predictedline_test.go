package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// TestRFVPDropInsertsLine: the whole predicted line goes into L1. With zeros for every miss the
// products are zeros, although most loads hit in L1, in words that the missing warp did not read.
func TestRFVPDropInsertsLine(t *testing.T) {
	r, err := predicting(t, "mapmatmul", 32, "loads.policy=rfvp", "loads.predictor=zero", "loads.drop=1000")
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range res.Outputs[0] {
		if b != 0 {
			t.Fatal("a product is not 0")
		}
	}
	if res.Stats["l1Hits"] < res.Stats["l1Answered"] || res.Stats["inexactHitLanes"] == 0 {
		t.Errorf("%d hits, %d of their values from predicted lines, after %d dropped misses", res.Stats["l1Hits"], res.Stats["inexactHitLanes"], res.Stats["l1Answered"])
	}
}

// TestRFVPLineAlignedRegions: no two buffers share a line, so that a predicted line holds
// nothing of a buffer that must stay exact (section 2.4).
func TestRFVPLineAlignedRegions(t *testing.T) {
	for _, program := range []string{"backprop", "fwt", "gaussian", "heartwall", "mapmatmul", "particlefilter", "similarity", "sradreduce", "sradupdate", "stringmatch"} {
		r, err := predicting(t, program, 0)
		if err != nil {
			t.Fatal(err)
		}
		end := mem.Addr(0)
		for _, a := range r.study.loaded.image.Allocations() {
			if a.Base%mem.LineBytes != 0 || a.Base < end {
				t.Errorf("%s: %s begins at %#x, in a line of its neighbour, which ends at %#x", program, a.Name, a.Base, end)
			}
			end = (a.End() + mem.LineBytes - 1) / mem.LineBytes * mem.LineBytes
		}
		if end == 0 {
			t.Errorf("%s has no buffers", program)
		}
	}
}
