package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
)

// Every placement keeps the output and the order of buffers, and puts them elsewhere. Null saves nothing.
func TestDrawsMoveBuffersAndKeepResults(t *testing.T) {
	places := map[mem.Addr]bool{}
	for _, d := range Draws() {
		s := scenario.Default("vecadd")
		s.Machine.Preset, s.Workload.Size = "mini", 4096
		s.Memory.Put("codec", "e2mc16")
		d.Apply(s)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		var bytes []uint64
		for _, side := range NoiseSides(s) {
			plan, err := PlanOf(side)
			if err != nil {
				t.Fatal(err)
			}
			plan.Paranoid = true
			study, err := NewStudy(plan)
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range study.loaded.buffers {
				if at%mem.AllocationAlign != 0 || i > 0 && at <= study.loaded.buffers[i-1] {
					t.Errorf("%+v: buffer %d at %#x", d, i, at)
				}
			}
			places[study.loaded.buffers[1]-mem.Addr(d.Seed)] = true
			r, err := study.Run(plan, Options{}).Finish()
			if err != nil || r.Error != 0 {
				t.Fatal(err, r)
			}
			bytes = append(bytes, r.DRAMReadBytes+r.DRAMWriteBytes)
		}
		if plain, null := bytes[2], bytes[3]; null < plain {
			t.Errorf("%+v: null moves %d bytes, and the machine without it %d", d, null, plain)
		}
	}
	if len(places) != NoiseSeeds-1+NoisePlacements {
		t.Errorf("the second buffer has %d places", len(places))
	}
}
