package machine

import (
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
)

// programs are bodies for run that keep schedulers waiting in different ways.
var programs = map[string]string{
	"nothing": "",
	"loads":   "mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nld.global.u32 %r, [%a];\nadd.u32 %t, %r, 1;\nst.global.u32 [%a], %t;",
	"barrier": "setp.lt.u32 %q, %t, 32;\n@%q ld.global.u32 %r, [%p];\n@%q add.u32 %t, %r, 1;\nbar.sync 0;\nadd.u32 %t, %t, 1;",
	"units":   ".reg .f32 %f;\ncvt.rn.f32.u32 %f, %t;\nsin.approx.f32 %f, %f;\nsin.approx.f32 %f, %f;\ndiv.u32 %r, %t, 3;\ndiv.u32 %r, %r, 3;",
	"loop":    "mov.u32 %r, 0;\nL: add.u32 %r, %r, 1;\nsetp.lt.u32 %q, %r, 100;\n@%q bra L;",
	"stores":  "st.global.u32 [%p], %t;\nmembar.gl;\natom.global.add.u32 %r, [%p], 1;",
}

// TestSlotsAddUp: what the schedulers did adds up to all their cycles, for every
// preset, policy and program, at the end and in the middle.
func TestSlotsAddUp(t *testing.T) {
	for _, gpu := range presets() {
		for policy := range sm.NumPolicies {
			for name, body := range programs {
				spec, err := preset.GPU(gpu)
				if err != nil {
					t.Fatal(err)
				}
				spec.SM.Policy = policy
				m, err := run(t, spec, body)
				if err != nil {
					t.Fatal(err)
				}
				checkSlots(t, m, gpu+" "+sm.PolicyNames[policy]+" "+name)
			}
		}
	}
	m := build(t, mini(), programs["loads"])
	for at := sim.Cycle(1); !m.Done(); at += 37 {
		if _, err := m.Advance(at); err != nil {
			t.Fatal(err)
		}
		checkSlots(t, m, "in the middle")
	}
}

func checkSlots(t *testing.T, m *Machine, what string) {
	t.Helper()
	s := m.Stats()
	sum := uint64(0)
	for c := stat.SlotIssued; c <= stat.SlotIdle; c++ {
		sum += s[c]
	}
	want := uint64(m.spec.SMs*m.spec.SM.Schedulers) * uint64(m.Cycles())
	if sum != want || s[stat.SchedulerCycles] != want {
		t.Errorf("%s: slots add up to %d, schedulerCycles is %d, want %d", what, sum, s[stat.SchedulerCycles], want)
	}
	if issued := s[stat.SlotIssued]; issued > s[stat.WarpInstructions] || s[stat.WarpInstructions] > issued*uint64(max(1, m.spec.SM.IssueWidth)) {
		t.Errorf("%s: %d cycles with an issue, %d instructions", what, issued, s[stat.WarpInstructions])
	}
}
