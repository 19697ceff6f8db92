package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
)

// Machines whose caches fill sectors obey the laws of the counters and keep all values,
// including a merged load, a store during a fill, and a compressed block beside raw
// sectors.
func TestSectorsKeepTheLaws(t *testing.T) {
	for _, preset := range []string{"p100", "a100"} {
		for _, codec := range []string{"none", "e2mc16"} {
			for name, size := range map[string]int{"transpose": 128, "dct": 128} {
				s := scenario.Default(name)
				s.Machine.Preset, s.Workload.Size = preset, size
				s.Memory.Put("codec", codec)
				p, err := PlanOf(s)
				if err != nil {
					t.Fatal(err)
				}
				p.Paranoid = true
				r, res := finish(t, p)
				if res.Error != 0 {
					t.Errorf("%s, %s, %s: error %g", preset, codec, name, res.Error)
				}
				c := r.Machine().Stats()
				if c[stat.L2Fills] != c[stat.L2Misses]+c[stat.L2RepairFills] || c[stat.ControllerReads] != c[stat.L2Fills] {
					t.Errorf("%s, %s, %s: %d fills, %d misses, %d repairs, %d reads", preset, codec, name, c[stat.L2Fills], c[stat.L2Misses], c[stat.L2RepairFills], c[stat.ControllerReads])
				}
				if sent := c[stat.L1Misses] + c[stat.L1Bypasses] + c[stat.L1Writes] + c[stat.AtomicLines] + c[stat.InstructionMisses] + c[stat.ConstantMisses]; sent != c[stat.L2Accesses] || sent != c[stat.XbarReplyPackets] {
					t.Errorf("%s, %s, %s: %d requests, %d accesses to L2, %d replies", preset, codec, name, sent, c[stat.L2Accesses], c[stat.XbarReplyPackets])
				}
				if err := r.Machine().Leaks(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
