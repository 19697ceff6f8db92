package experiment

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
)

// scheduledRun runs a program on a preset, in one of the orders.
func scheduledRun(t *testing.T, program string, size int, preset, order string, threads int) *Result {
	t.Helper()
	s := scenario.Default(program)
	s.Workload.Size = size
	s.Machine.Preset = preset
	set(t, s, "machine.overrides.compile", order)
	p := mustPlan(t, s)
	p.Threads = threads
	_, res := finish(t, p)
	return res
}

// TestScheduledRuns: a machine that schedules executes the same instructions of each line and has the same outputs.
// The loop of layernorm, which waits for three loads one after the other as written, takes less than 0.8 of the time.
func TestScheduledRuns(t *testing.T) {
	for _, c := range []struct {
		program, preset string
		size            int
		most            float64
	}{
		{"layernorm", "h200", 32, 0.8}, {"pageddecode", "h200", 48, 0.9}, {"gemm", "a100", 128, 1.03},
		{"scan", "mini", 2000, 1.03}, {"spmv", "gtx480", 300, 1.03},
	} {
		written := scheduledRun(t, c.program, c.size, c.preset, "asWritten", 1)
		one := scheduledRun(t, c.program, c.size, c.preset, "scheduled", 1)
		two := scheduledRun(t, c.program, c.size, c.preset, "scheduled", 2)
		if one.ResultHash != two.ResultHash {
			t.Errorf("%s: %s with one thread, %s with two", c.program, one.ResultHash, two.ResultHash)
		}
		if written.Scheduled != nil || len(one.Scheduled) == 0 {
			t.Fatalf("%s: registers as written %v, as scheduled %v", c.program, written.Scheduled, one.Scheduled)
		}
		for i := range one.Scheduled {
			if s := &one.Scheduled[i]; s.CTAs == 0 || s.Registers == 0 || s.Written == 0 {
				t.Errorf("%s: %s", c.program, s)
			}
		}
		if one.WarpInstructions != written.WarpInstructions || one.ThreadInstructions != written.ThreadInstructions {
			t.Errorf("%s executes %d and %d instructions, as written %d and %d", c.program, one.WarpInstructions,
				one.ThreadInstructions, written.WarpInstructions, written.ThreadInstructions)
		}
		for i := range one.Outputs {
			if !bytes.Equal(one.Outputs[i], one.Exact[i]) || !bytes.Equal(one.Exact[i], written.Exact[i]) {
				t.Errorf("%s: output %d differs from that of the exact run", c.program, i)
			}
		}
		for i, l := range one.Source[0].Lines {
			if w := written.Source[0].Lines[i]; l.Line != w.Line || l.Executions != w.Executions || l.Lanes != w.Lanes {
				t.Errorf("%s: line %d has %d executions, as written line %d has %d", c.program, l.Line, l.Executions,
					w.Line, w.Executions)
			}
		}
		if share := float64(one.Cycles) / float64(written.Cycles); share > c.most {
			t.Errorf("%s takes %.2f of the cycles of the written order", c.program, share)
		}
	}
}

// TestScheduledOrder: the names of the orders, and one error for another word.
func TestScheduledOrder(t *testing.T) {
	s := scenario.Default("vecadd")
	hash := s.Hash()
	set(t, s, "machine.overrides.compile", "sorted")
	text := fmt.Sprint(s.Validate())
	if !strings.Contains(text, `"sorted"`) || !strings.Contains(text, "asWritten, scheduled, scalarLoads") {
		t.Errorf("compile: sorted gives %s", text)
	}
	var hashes []string
	for _, order := range []string{"", "scheduled"} {
		set(t, s, "machine.overrides.compile", order)
		hashes = append(hashes, s.Hash())
	}
	if hashes[0] != hash || slices.Contains(hashes[1:], hash) {
		t.Errorf("hashes %v, by default %s", hashes, hash)
	}
}

// TestScalarLoads: one load for each element, with the outputs of the vector loads, also where a part of the vector
// overwrites the register of the address.
func TestScalarLoads(t *testing.T) {
	vectors := scheduledRun(t, "similarity", 16, "gtx480v3", "asWritten", 1)
	scalars := scheduledRun(t, "similarity", 16, "gtx480v3", "scalarLoads", 1)
	if scalars.Finding != nil || len(scalars.Scheduled) > 0 || !bytes.Equal(scalars.Outputs[0], vectors.Outputs[0]) {
		t.Errorf("finding %v, scheduled %v", scalars.Finding, scalars.Scheduled)
	}
	// 120 pairs are four warps, each with a load of its tasks of two elements, and 64 steps of two loads of four.
	for r, want := range map[*Result]uint64{vectors: 4 * (1 + 64*2), scalars: 4 * (2 + 64*8)} {
		if got, _ := r.Count(stat.GlobalLoadInstructions); got != want {
			t.Errorf("%d load instructions, want %d", got, want)
		}
	}
	p := counting(".reg .u64 %q, %x; mov.u64 %q, %o; ld.global.v2.u64 {%o, %x}, [%o]; sub.u64 %x, %x, %o; " +
		"st.global.u64 [%q], %x;")
	p.Buffers[0].Bytes, p.Buffers[0].Init = 16, []byte{5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}
	p.Launches[0].Grid[0] = 1
	plan := &Plan{Preset: "mini", Scheme: scheme.Default(), Program: p}
	plan.Overrides = map[string]any{"compile": "scalarLoads"}
	if _, res := finish(t, plan); res.Finding != nil || res.Outputs[0][0] != 2 {
		t.Errorf("7 - 5 is %d, %v", res.Outputs[0][0], res.Finding)
	}
}
