package machine

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sm"
)

// builder returns New, or a New whose warps execute no instruction before it is issued: while it builds, each of the
// one launch seems to have a guard, so none depends on registers alone.
func builder(inTurn bool) func(*parameter.GPU, Job) (*Machine, error) {
	if !inTurn {
		return New
	}
	return func(spec *parameter.GPU, job Job) (*Machine, error) {
		code := job.Launches[0].Kernel.Code
		flip := func() {
			for pc := range code {
				code[pc].GuardFlip ^= ^uint32(0)
			}
		}
		flip()
		defer flip()
		for pc := range code {
			if execute.OnWarpAlone(&code[pc], job.Launches[0]) {
				return nil, fmt.Errorf("instruction %d is executed early", pc)
			}
		}
		return New(spec, job)
	}
}

// TestEarlyExecutionShowsNowhere: warps that execute instructions before they are issued give the same counters, counts of
// each instruction, events and memory as warps that execute each when it is issued.
func TestEarlyExecutionShowsNowhere(t *testing.T) {
	bodies := map[string]string{
		// Results of a load are read, overwritten and written under a guard while it is under way; a special register that changes is read.
		"values on their way": "and.b32 %t, %t, 31;\nmul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nld.global.u32 %r, [%a];\nadd.u32 %t, %t, 3;\nxor.b32 %t, %t, 5;\n" +
			"add.u32 %r, %r, %t;\nld.global.u32 %t, [%a+4];\nmov.u32 %t, 7;\nadd.u32 %r, %r, %t;\nsetp.gt.u32 %q, %r, 90;\n@%q ld.global.u32 %r, [%a+8];\n@!%q add.u32 %r, %r, 1;\n" +
			".reg .u32 %c;\nmov.u32 %c, %clock;\nand.b32 %c, %c, 1;\nadd.u32 %r, %r, %c;\nst.global.u32 [%a], %r;",
		// The lanes of a branch meet in front of, after and between instructions on registers alone.
		"lanes that meet": "and.b32 %r, %t, 3;\nsetp.eq.u32 %q, %r, 0;\n@%q bra A;\nadd.u32 %t, %t, 9;\nsetp.eq.u32 %q, %r, 1;\n@%q bra B;\nmul.lo.u32 %t, %t, 3;\nadd.u32 %t, %t, 1;\n" +
			"B: xor.b32 %t, %t, 85;\nbra C;\nA: add.u32 %t, %t, 2;\nadd.u32 %t, %t, 4;\nC: add.u32 %t, %t, %r;\nand.b32 %r, %t, 31;\nmul.wide.u32 %a, %r, 4;\nadd.u64 %a, %a, %p;\nst.global.u32 [%a], %t;",
	}
	for what, body := range bodiesAhead {
		bodies[what] = body
	}
	for _, name := range []string{"mini", "gtx480", "gtx480v3", "v100"} {
		if testing.Short() && name != "mini" {
			continue // in WebAssembly the work is the same
		}
		for what, body := range bodies {
			for policy := range sm.NumPolicies {
				var events [2][]probe.Event
				var counts [2][]sm.Count
				play := func(inTurn bool) (*Machine, []uint32) {
					spec := built(name)
					spec.SM.Policy, spec.SM.ActiveWarps = policy, 4
					tap := probe.NewTap(1 << 20)
					m, words := runBuilt(t, spec, body, builder(inTurn), func(j *Job) {
						j.Tap = tap
						j.Launches[0].Grid, j.Launches[0].Block = [3]uint32{uint32(spec.SMs*2 + 3), 1, 1}, [3]uint32{176, 1, 1}
					})
					tap.Take(func(e []probe.Event) { events[arith.Bit(inTurn)] = slices.Clone(e) })
					if tap.Dropped() > 0 {
						t.Fatal("too many events")
					}
					counts[arith.Bit(inTurn)] = m.Counts()[0].Counts
					return m, words
				}
				early, got := play(false)
				inTurn, want := play(true)
				if early.Stats() != inTurn.Stats() {
					t.Errorf("%s, %s, %s: other counters", name, what, sm.PolicyNames[policy])
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s, %s: other words in memory", name, what, sm.PolicyNames[policy])
				}
				if len(events[0]) == 0 || !slices.Equal(events[0], events[1]) {
					t.Errorf("%s, %s, %s: other events", name, what, sm.PolicyNames[policy])
				}
				if !reflect.DeepEqual(counts[0], counts[1]) {
					t.Errorf("%s, %s, %s: other counts of the instructions", name, what, sm.PolicyNames[policy])
				}
			}
		}
	}
}

// TestEarlyExecutionFaultsInTurn: a warp that executes instructions before they are issued reaches its limit of instructions at the
// same instruction, whatever the limit, as one that executes each when it is issued.
func TestEarlyExecutionFaultsInTurn(t *testing.T) {
	const body = "L: add.u32 %r, %r, %t;\nxor.b32 %t, %t, %r;\nadd.u32 %r, %r, 5;\nsetp.ne.u32 %q, %r, %t;\nadd.u32 %t, %t, 1;\n@%q bra L;\nbra L;"
	for limit := range uint64(40) {
		var faults [2]string
		for i, inTurn := range []bool{true, false} {
			spec := built("mini")
			spec.SM.WarpInstructionLimit = limit + 1
			job := jobOf(t, spec, body, 256, 3, 64)
			m, err := builder(inTurn)(spec, job)
			if err != nil {
				t.Fatal(err)
			}
			if err = m.Run(); err == nil {
				t.Fatal("an endless kernel ends")
			}
			faults[i] = err.Error()
		}
		if faults[0] != faults[1] {
			t.Errorf("with a limit of %d: %s, in turn: %s", limit+1, faults[1], faults[0])
		}
	}
}
