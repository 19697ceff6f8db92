package study

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

func whyPlan(t *testing.T, program string, size int, set ...string) *experiment.Plan {
	t.Helper()
	p, err := experiment.PlanOf(searching(t, program, size, set...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// replayed runs a plan with the predicted lines exact that exact names by their number.
func replayed(t *testing.T, p *experiment.Plan, exact func(n int) bool) *experiment.Result {
	t.Helper()
	r, err := experiment.New(p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r.Machine() == nil {
		if _, err := r.Step(1 << 20); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, p := range rfvp.PoliciesOf(r.Machine()) {
		p.Watch(func(*rfvp.Guess) bool { n++; return exact(n - 1) })
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestWhyAnElementIsWrong: the lines that explain an element of a matrix product lie in the row and in the column
// that it is made from, and replays from outside agree: it is right with them exact, and wrong otherwise.
func TestWhyAnElementIsWrong(t *testing.T) {
	const n = 32
	p := whyPlan(t, "matmul", n)
	w, err := ExplainElement(p, &WhyQuestion{Output: "", Element: -1, Most: 20})
	if err != nil {
		t.Fatal(err)
	}
	if !w.Complete || w.Got == w.Exact || w.AllExact != w.Exact || len(w.Causes) == 0 || w.Moved {
		t.Fatalf("%+v", w)
	}
	row, column := w.Element/n, w.Element%n
	causes := map[int]bool{}
	for _, c := range w.Causes {
		causes[c.Number-1] = true
		first := int(c.Offset) / 4
		inRow := c.Buffer == "a" && first/n == row
		inColumn := c.Buffer == "b" && first%n <= column && column < first%n+32
		if !inRow && !inColumn {
			t.Errorf("element %d,%d is not made from the line at byte %d of %s", row, column, c.Offset, c.Buffer)
		}
		if c.Before != w.Exact && len(causes) == 1 || c.Value == c.Held || c.Wrong == 0 || c.Wrong > c.Lanes || c.Line == 0 {
			t.Errorf("%+v", c)
		}
	}
	element := func(exact func(n int) bool) float64 {
		return p.Program.Buffers[p.Program.Outputs()[0]].Value(replayed(t, p, exact).Outputs[0], w.Element)
	}
	if v := element(func(n int) bool { return causes[n] }); v != w.Exact {
		t.Errorf("with the causes exact the element is %v, exactly %v", v, w.Exact)
	}
	first := w.Causes[0].Number
	if before, after := element(func(n int) bool { return n >= first-1 }), element(func(n int) bool { return n >= first }); before != w.Exact || after == w.Exact || after != w.Causes[0].After {
		t.Errorf("up to the first cause the element is %v, with it %v, exactly %v", before, after, w.Exact)
	}
}

// TestReplayChangesNothingElse: watching changes no bit, and with every line exact the output is exact.
func TestReplayChangesNothingElse(t *testing.T) {
	p := whyPlan(t, "fwt", 4096)
	plain := resultOf(t, "fwt", 4096)
	if watched := replayed(t, p, func(int) bool { return false }); watched.ResultHash != plain.ResultHash {
		t.Error("a run that is watched has another result")
	}
	exact := replayed(t, p, func(int) bool { return true })
	if exact.Error != 0 || exact.Stats["inexactHitLanes"] != 0 || exact.Stats["l1Answered"] == 0 || exact.Cycles != plain.Cycles {
		t.Errorf("with every line exact: error %v, %v cycles of %v, %v", exact.Error, exact.Cycles, plain.Cycles, exact.Stats)
	}
}

// TestWhyNot: an exact element, an element that another approximation spoils, and questions that have no answer.
func TestWhyNot(t *testing.T) {
	if w, err := ExplainElement(whyPlan(t, "matmul", 32, "loads.drop=0"), &WhyQuestion{Output: "", Element: -1, Most: 1}); err != nil || !w.Complete || len(w.Causes) != 0 || w.Got != w.Exact {
		t.Errorf("exact: %+v, %v", w, err)
	}
	lossy := whyPlan(t, "transpose", 64, "loads.drop=0", "memory.codec=e2mc16", "memory.approximation=tslc-simp")
	if w, err := ExplainElement(lossy, &WhyQuestion{Output: "", Element: -1, Most: 1}); err != nil || w.Complete || len(w.Causes) != 0 || w.AllExact != w.Got {
		t.Errorf("TSLC: %+v, %v", w, err)
	}
	for _, c := range []struct {
		output  string
		element int
		set     string
		want    string
	}{
		{"d", 0, "loads.drop=500", `the program has no output "d": it has c`},
		{"c", 1024, "loads.drop=500", "element 1024: output c has 1024 elements: give 0 to 1023"},
		{"c", 0, "loads.policy=none", "loads.policy: the scenario predicts no loads"},
	} {
		if _, err := ExplainElement(whyPlan(t, "matmul", 32, c.set), &WhyQuestion{Output: c.output, Element: c.element, Most: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// rounds is a host loop that ends when the host has read a count of nine.
const rounds = `workload:
  ptx:
    source: |
      .version 7.0
      .target sm_50
      .address_size 64
      .visible .entry step(.param .u64 x, .param .u64 count) {
        .reg .b32 %r<4>; .reg .b64 %a<3>; .reg .pred %p; ld.param.u64 %a0, [x]; ld.param.u64 %a1, [count];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 64, %r0;
        mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; ld.global.u32 %r1, [%a0];
        add.u32 %r1, %r1, 1; st.global.u32 [%a0], %r1; setp.ne.u32 %p, %r0, 0; @%p ret;
        red.global.add.u32 [%a1], 1; ret; }
    buffers: ["out:x:1024", "out:count:8"]
    block: [64]
    grid: [4]
    launches:
      - loop:
          rounds: 12
          steps: [{entry: step, args: ["ptr:x", "ptr:count"]}]
          until: {buffer: count, is: at-least, value: "u32:9"}
memory: {codec: none}
machine: {preset: mini}
loads: {policy: rfvp, which: all, force: "on", drop: 1000}
`

// TestWhyInHostLoop: the search for predicted lines goes through the host's checks.
func TestWhyInHostLoop(t *testing.T) {
	s, err := authoring.ParseYAML("rounds.yaml", []byte(rounds))
	if err != nil {
		t.Fatal(err)
	}
	p, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	res, err := ExplainElement(p, &WhyQuestion{Output: "x", Element: -1, Most: 3})
	if err != nil {
		t.Fatal(err)
	}
	if res.AllExact != res.Exact || res.Exact != 9 || res.Predicted == 0 {
		t.Errorf("%+v", res)
	}
	for _, c := range res.Causes {
		if int(c.Launch) >= len(p.Program.Launches) || p.Program.Launches[c.Launch].Entry != c.Kernel {
			t.Errorf("%+v", c)
		}
	}
}
