package experiment

import (
	"reflect"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/sim"
)

// printing is a program that prints and stores, and then does what rest says.
func printing(t *testing.T, rest string, threads int) *Plan {
	t.Helper()
	const body = `
		.visible .entry k(.param .u64 o) {
		.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p; .param .b64 a; .param .b64 b; .param .b32 c;
		ld.param.u64 %rd4, [o]; mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %ctaid.x, %ntid.x, %r1;
		mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd5, %rd4; st.global.u32 [%rd5], %r2;
		setp.ne.u32 %p, %r2, 0; @%p bra E;
		mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, 0;
		st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; call (c), vprintf, (a, b);
		E: `
	s := libraryScenario("sm_70", zeroEnded("text", "one")+body+rest+` ret; }`, 64, 64, scenario.Arg{Spec: "out:o:16384"})
	s.Machine.Preset = "v100"
	p := mustPlan(t, s)
	p.Threads = threads
	return p
}

// TestExactOutputAside: with threads the exact output is computed beside the machine. What a run says, and which fault
// ends it, is the same as with one thread.
func TestExactOutputAside(t *testing.T) {
	if sim.MostThreads < 2 {
		t.Skip("SKIPPED: a program in WebAssembly has one thread")
	}
	var results [2]*Result
	for i := range results {
		r, err := New(printing(t, "", 1+i), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if results[i], err = r.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	if one, two := results[0], results[1]; one.ResultHash != two.ResultHash || !reflect.DeepEqual(one.Exact, two.Exact) ||
		!reflect.DeepEqual(one.Printed, two.Printed) || one.Printed == nil || len(two.Exact) == 0 || one.Error != two.Error {
		t.Errorf("one thread %s, two %s", one.ResultHash, two.ResultHash)
	}
	for name, rest := range map[string]string{
		"a store beyond the buffer": "st.global.u32 [%rd5+100000000], %r2;",
		"a loop without an end":     "L: ld.volatile.global.u32 %r3, [%rd4]; setp.eq.u32 %p, %r3, 0; @%p bra L;",
		"a trap":                    "trap;",
	} {
		var said [2]string
		for i := range said {
			r, err := New(printing(t, rest, 1+i), Options{})
			if err == nil {
				_, err = r.Finish()
			}
			if err == nil {
				t.Fatalf("%s: no error", name)
			}
			said[i] = err.Error()
		}
		if said[0] != said[1] {
			t.Errorf("%s: one thread says %q, two %q", name, said[0], said[1])
		}
	}
	// A run that is stored or cancelled while the exact output is computed has it.
	p := printing(t, "", 2)
	r, err := New(p, Options{})
	for err == nil && r.Phase() != PhaseSimulate {
		_, err = r.Step(1)
	}
	if err != nil {
		t.Fatal(err)
	}
	state := stored(t, r, "this")
	r.Cancel()
	if !r.Result().Cancelled || len(r.study.Exact()) != 1 {
		t.Error("a cancelled run has no exact output")
	}
	if res, err := resumed(t, p, state).Finish(); err != nil || res.ResultHash != results[0].ResultHash {
		t.Errorf("stored and resumed: %v, %v", res, err)
	}
}
