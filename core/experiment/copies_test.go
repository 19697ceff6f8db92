package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
)

func onlinePlan(t *testing.T, name string, size int, probabilities string) *Plan {
	t.Helper()
	s := scenario.Default(name)
	s.Machine.Preset, s.Workload.Size = "mini", size
	s.Memory.Put("codec", "e2mc16", "probabilities", probabilities)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Copies count every block of the program's inputs once, as counted here buffer by buffer.
func TestCopiesFillTheTable(t *testing.T) {
	for _, name := range []string{"vecadd", "bfs1", "spmv"} {
		plan := onlinePlan(t, name, 4096, "online-copies")
		study, err := NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSampler(&plan.Memory, 0)
		if err != nil {
			t.Fatal(err)
		}
		study.loaded.observeCopies(plan.Program, s)
		symbols := map[uint32]uint64{}
		blocks := uint64(0)
		for i, b := range plan.Program.Buffers {
			if study.loaded.buffers[i]%mem.LineBytes != 0 {
				t.Fatalf("%s: buffer %d does not begin with a block", name, i)
			}
			for at := 0; at < len(b.Init); at += mem.LineBytes {
				blocks++
				var line mem.Line
				copy(line[:], b.Init[at:])
				for k := 0; k < mem.LineBytes; k += 2 {
					symbols[uint32(line[k])|uint32(line[k+1])<<8]++
				}
			}
		}
		if blocks == 0 || s.counts.Blocks() != blocks {
			t.Errorf("%s: %d blocks were counted, and the host copies %d", name, s.counts.Blocks(), blocks)
		}
		for v, n := range symbols {
			if got := s.counts.Histogram(16).Of(0, v); got != n {
				t.Errorf("%s: symbol %#x was counted %d times, and the copies have it %d times", name, v, got, n)
				break
			}
		}
	}
}

// A transpose reads every block once. Its sample of 5 % has hardly a value of the rest, so
// almost nothing compresses; the copies have them all. Outputs stay exact.
func TestCopiesMakeUsefulCodes(t *testing.T) {
	ratio := map[string]float64{}
	for _, p := range []string{"online", "online-copies", "offline"} {
		_, r := finish(t, onlinePlan(t, "transpose", 256, p))
		if r.Error != 0 {
			t.Errorf("%s: output error %g", p, r.Error)
		}
		ratio[p] = r.Metrics["compressionRatioRaw"]
	}
	if ratio["online"] > 1.1 || ratio["online-copies"] < 1.5 || ratio["online-copies"] > ratio["offline"]*1.01 {
		t.Errorf("raw ratios %v: want about 1 from the sample, and about the offline ratio with the copies", ratio)
	}
}
