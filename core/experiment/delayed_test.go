package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// Latencies of a codec change time and nothing else; those of its paper, written
// out, change nothing. A memory without compression has none.
func TestLatenciesOfACodec(t *testing.T) {
	result := func(codec, latency string) *Result {
		s := scenario.Default("vecadd")
		s.Machine.Preset, s.Workload.Size, s.Memory.Codec, s.Memory.Latency = "mini", 16384, codec, latency
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Finish()
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	own, same, none, slow := result("e2mc16", ""), result("e2mc16", "46/20"), result("e2mc16", "0/0"), result("e2mc16", "0/400")
	if own.ResultHash != same.ResultHash || own.ScenarioHash == same.ScenarioHash {
		t.Errorf("the paper's latencies written out: %d cycles for %d", same.Cycles, own.Cycles)
	}
	if none.Cycles >= own.Cycles || own.Cycles >= slow.Cycles || slow.Error != 0 {
		t.Errorf("%d, %d, %d cycles with decompressors of 0, 20 and 400 cycles, error %g", none.Cycles, own.Cycles, slow.Cycles, slow.Error)
	}
	if a, b := result("none", ""), result("none", "5/5"); a.ScenarioHash != b.ScenarioHash || a.ResultHash != b.ResultHash {
		t.Error("latencies of a codec that is not there have an effect")
	}
	for _, bad := range []string{"1", "1/", "/1", "-1/1", "01/1", "1/2501", "a/b", "1/1/1"} {
		s := scenario.Default("vecadd")
		s.Memory.Codec, s.Memory.Latency = "bdi", bad
		if s.Validate() == nil {
			t.Errorf("latency %s was taken", bad)
		}
	}
}
