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

// TestL1TellsPredictedLines: what an L1 says about its lines agrees with the lines: with zeros for every miss, the lines
// that are predicted are the lines of zeros, and those are wrong that memory holds other bytes of.
func TestL1TellsPredictedLines(t *testing.T) {
	for _, store := range []string{"none", "latte"} {
		r, err := predicting(t, "mapmatmul", 32, "loads.policy=rfvp", "loads.predictor=zero", "loads.drop=500", "l1.store="+store)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Finish(); err != nil {
			t.Fatal(err)
		}
		m := r.Machine()
		lines, predicted, wrong := 0, 0, 0
		for sm := range r.study.spec.SMs {
			o, ok := m.L1(sm)
			if !ok || len(o.Tags) != o.Sets*o.TagsPerSet {
				t.Fatalf("SM %d: %v, %d tags", sm, ok, len(o.Tags))
			}
			for _, tag := range o.Tags {
				if tag.Data {
					lines++
				}
				if tag.Predicted {
					predicted++
				}
				if tag.Wrong {
					wrong++
				}
				if tag.Wrong && !tag.Predicted || tag.Predicted && !tag.Data {
					t.Errorf("SM %d: %+v", sm, tag)
				}
			}
		}
		// No element of the matrices is 0, and no line of them is stored to.
		if predicted == 0 || predicted >= lines || wrong != predicted {
			t.Errorf("l1.store %s: %d lines, %d predicted, %d wrong", store, lines, predicted, wrong)
		}
		if _, ok := m.L1(r.study.spec.SMs); ok {
			t.Error("an SM that is not there has an L1")
		}
	}
}
