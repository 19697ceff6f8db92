package loads_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestLoadsVerb: the ranking in both formats, and a run with the loads that it names.
func TestLoadsVerb(t *testing.T) {
	small := []string{"--set", "workload.size=4096"}
	text := mustCall(t, append([]string{"loads", "fwt"}, small...)...)
	for _, want := range []string{"fwt of 4096 on gtx480v3", "critical", "fwt.cu:38", "ld.global.f32 \t%f1, [%rd10];"} {
		if want = strings.TrimSuffix(want, ";"); !strings.Contains(text, want) {
			t.Errorf("the ranking lacks %q:\n%s", want, text)
		}
	}
	var ranking struct {
		Loads []experiment.RankedLoad
		Which string
	}
	if err := json.Unmarshal([]byte(mustCall(t, append([]string{"loads", "fwt", "--format", "json"}, small...)...)), &ranking); err != nil {
		t.Fatal(err)
	}
	if len(ranking.Loads) != 7 || !strings.HasSuffix(strings.TrimSpace(text), "loads.which="+ranking.Which) {
		t.Errorf("%d loads and %q in json, text:\n%s", len(ranking.Loads), ranking.Which, text)
	}
}

// TestApproximateProfile: run --approximate takes the critical loads, and the text has a line
// for each of them.
func TestApproximateProfile(t *testing.T) {
	small := []string{"vecadd", "--set", "machine.preset=gtx480v3", "--set", "workload.size=4096", "--set", "memory.codec=none", "--set", "memory.approximation=none"}
	run := func(loads string) (r struct {
		ResultHash string
		Predicted  rfvp.Report
	}) {
		if err := json.Unmarshal([]byte(mustCall(t, append([]string{"run", "--approximate", loads, "--format", "json"}, small...)...)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := run("profile"), run("vecadd:53,55")
	if a.ResultHash != b.ResultHash || len(a.Predicted.Loads) != 2 {
		t.Errorf("profile: %s with %+v, the two loads by name: %s", a.ResultHash, a.Predicted, b.ResultHash)
	}
	text := mustCall(t, append([]string{"run", "--approximate", "profile"}, small...)...)
	if !strings.Contains(text, "L1 misses   dropped") || strings.Count(text, "vecadd.cu:7") != 2 {
		t.Errorf("no table of the two loads:\n%s", text)
	}
}

// TestDropRateSearch: a target that is reached, one that is not, and targets that are none.
func TestDropRateSearch(t *testing.T) {
	words := []string{"loads", "gaussian", "--set", "workload.size=64", "--inputs", "2"}
	text := mustCall(t, append(words, "--loss", "100")...)
	for _, want := range []string{"gaussian of 64 on gtx480v3, 2 inputs, loss by image-diff", "within 100 %: drop rate 90 % (loads.drop=900)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	status, out, errs := call(append(words, "--loss", "0,100", "--format", "json")...)
	var found struct {
		Metric  string
		Choices []study.DropChoice
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil || status != cli.ExitFault || !strings.Contains(errs, "no drop rate keeps the loss of gaussian within 0 %") {
		t.Fatalf("status %d, %v, %s", status, err, errs)
	}
	if found.Metric != "image-diff" || len(found.Choices) != 2 || found.Choices[0].Point.Rate != 0 || found.Choices[1].Point.Rate != 900 {
		t.Errorf("%+v", found)
	}
	for _, c := range []struct{ loss, want string }{{"ten", `"ten" is not a loss`}, {"-1", "is not a loss"}, {"1,NaN", `"NaN" is not a loss`}, {"5,", `"" is not a loss`}} {
		if status, _, errs := call("loads", "gaussian", "--loss", c.loss); status != cli.ExitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("--loss %s: status %d, %s", c.loss, status, errs)
		}
	}
	if status, _, errs := call("loads", "gaussian", "--loss", "5", "--inputs", "0"); status != cli.ExitUsage || !strings.Contains(errs, "--inputs 0") {
		t.Errorf("no inputs: status %d, %s", status, errs)
	}
}
