package experiment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
)

// Latencies of a codec change only time. Setting the latencies of its paper explicitly
// changes hardly anything. A memory without compression has no latencies.
func TestLatenciesOfACodec(t *testing.T) {
	result := func(codec, latency string) *Result {
		s := scenario.Default("vecadd")
		s.Machine.Preset, s.Workload.Size = "mini", 16384
		s.Memory.Put("codec", codec, "latency", latency)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		_, res := finish(t, mustPlan(t, s))
		return res
	}
	own, same, none, slow := result("e2mc16", ""), result("e2mc16", "46/20"), result("e2mc16", "0/0"), result("e2mc16", "0/400")
	// Explicit latencies assume units of unlimited throughput, so the time may differ a
	// little.
	if d := float64(same.Cycles) / float64(own.Cycles); d < 0.98 || d > 1.02 || own.ScenarioHash == same.ScenarioHash || same.Error != own.Error {
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
		s.Memory.Put("codec", "bdi", "latency", bad)
		if s.Validate() == nil {
			t.Errorf("latency %s was taken", bad)
		}
	}
}

// liar is a codec that decodes every block to other bytes.
type liar struct{ toyCodec }

func (liar) Decode(dst *mem.Line, src *codec.Block, _ int) error {
	dst[5] = src[0] + 1
	return nil
}

// A paranoid run decodes every block, whether latencies are set or not.
func TestParanoidChecksWithLatenciesSet(t *testing.T) {
	old := codecs.Table
	defer func() { codecs.Table = old }()
	codecs.Table = append(old[:len(old):len(old)], codecs.Row{
		Name: "liar", Title: "Liar", Make: func(codecs.Options, *codecs.Trainer) (codecs.Coder, error) { return liar{}, nil },
	})
	for _, latency := range []string{"", "3/4"} {
		s := scenario.Default("vecadd")
		s.Machine.Preset, s.Workload.Size = "mini", 4096
		s.Memory.Put("codec", "liar", "latency", latency)
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		p.Paranoid = true
		func() {
			defer func() {
				if e := recover(); e == nil || !strings.Contains(fmt.Sprint(e), "do not decode") {
					t.Errorf("latencies %q: a codec that lies went unnoticed (%v)", latency, e)
				}
			}()
			r, err := New(p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err = r.Finish(); err != nil {
				t.Error(err)
			}
		}()
	}
}
