package reproduce

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// TestReproductionOfOnePaper: the figures and claims of LATTE-CC alone, on its own machine, and what is refused.
func TestReproductionOfOnePaper(t *testing.T) {
	reading := claim.Reading{}.Of("LATTE")
	r, err := paperReproduction(sweep.OpenStore(t.TempDir()), reading, "LATTE")
	if err != nil || len(r.modes) != 1 || len(r.modes[0].figures) != 14 || len(r.modes[0].claims()) != 90 || reading.Label() != "gtx480v3-suite-study" {
		t.Fatalf("%+v %v", r, err)
	}
	jobs, err := r.jobs()
	if err != nil || len(jobs) < 200 {
		t.Fatalf("%d runs, %v", len(jobs), err)
	}
	plain := 0
	for _, j := range jobs {
		if j.Traffic || j.Scenario.Machine.Preset != "gtx480v3" || j.Scenario.Memory.Codec() != "none" {
			t.Errorf("%s", j)
		}
		if j.Key == experiment.UncompressedKey(j.Scenario) {
			plain++
		}
	}
	// 22 programs with the L1 of the machine, four times that and stores that stay, eleven with 48 KB; intervals of two
	// programs, one of them under two other numbers of CTAs, and two with scalar loads. At the paper's sizes, which two
	// programs have anyway, 20 with the L1 of the machine, and eleven with 48 KB.
	if further := 2*(len(experiment.Draws())-1) + 4; plain != 22*3+11+further+20+11 {
		t.Errorf("%d runs without compression", plain)
	}
	for args, want := range map[string]string{
		"reproduce --paper moon":          `unknown paper: "MOON": burstscope reproduce: name one of SLC, E2MC, LATTE, BUDDY, RFVP`,
		"reproduce --paper LATTE --quick": "give one of them",
	} {
		if status, _, errs := call(strings.Fields(args)...); status == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s", args, status, errs)
		}
	}
}

// TestReproductionOfRFVP: the figures and claims of RFVP on its machine; the figure of combinations
// also has E2MC, TSLC and compressed L1s.
func TestReproductionOfRFVP(t *testing.T) {
	reading := claim.Reading{}.Of("RFVP")
	r, err := paperReproduction(sweep.OpenStore(t.TempDir()), reading, "RFVP")
	if err != nil || len(r.modes) != 1 || len(r.modes[0].figures) != 9 || len(r.modes[0].claims()) != 83 {
		t.Fatalf("%+v %v", r, err)
	}
	jobs, err := r.jobs()
	if err != nil {
		t.Fatal(err)
	}
	predicting, compressed, coded := 0, 0, 0
	for _, j := range jobs {
		s := j.Scenario
		if j.Traffic || s.Machine.Preset != "gtx480v3" {
			t.Errorf("%s", j)
		}
		if s.Loads.Word("policy") == "rfvp" {
			predicting++
		}
		if len(s.L1) > 0 {
			compressed++
		}
		if s.Memory.Codec() != "none" {
			coded++
		}
	}
	// Of the twelve combinations, six compress L1 and eight memory.
	if compressed != 10*6 || coded != 10*8 || predicting < 300 {
		t.Errorf("%d runs, %d predict, %d compress L1, %d memory", len(jobs), predicting, compressed, coded)
	}
}
