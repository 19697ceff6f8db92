package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
)

// TestConservationWithFetches: the laws of a fabric whose L2 fetches on a write miss and
// sends the store to DRAM as well. Only the writes of the controllers differ from
// TestConservation: under compression a store of a part of a line stays in L2. gtx580b lies
// between the two others, so not every program runs under every scheme there. WebAssembly
// only has to give the same results, so there it is the machine with the most differences,
// and not every program under every scheme.
func TestConservationWithFetches(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	t.Parallel()
	for _, c := range []struct {
		preset    string
		overrides scenario.Overrides
	}{
		{"gtx580a", nil}, {"gtx580b", nil},
		{"gtx580b", scenario.Overrides{"l2MHz": int64(600), "xbar.inputQueues": "voq", "sm.l1.local": "back"}},
	} {
		sparse := c.preset == "gtx580b" && c.overrides == nil
		pairs(sparse, func(name, label string, m scheme.Memory) {
			if c.overrides != nil {
				label += " on other clocks and queues"
			}
			t.Run(c.preset+"/"+name+"/"+label, func(t *testing.T) {
				p := smallOn(t, c.preset, name, m)
				p.Overrides = c.overrides
				r, _ := finish(t, p)
				s := r.Machine().Stats()
				equal := func(what string, a, b uint64) {
					if a != b {
						t.Errorf("%s: %d against %d", what, a, b)
					}
				}
				equal("L2 accesses = hits + misses + merged", s[stat.L2Accesses], s[stat.L2Hits]+s[stat.L2Misses]+s[stat.L2Merged])
				equal("L2 accesses = what SMs send", s[stat.L2Accesses], s[stat.L1Misses]+s[stat.L1Bypasses]+s[stat.L1Writes]-s[stat.L1WritesKept]+s[stat.L1Writebacks]+s[stat.AtomicLines]+s[stat.InstructionMisses]+s[stat.ConstantMisses])
				equal("request packets = L2 accesses", s[stat.XbarRequestPackets], s[stat.L2Accesses])
				equal("reply packets = L2 accesses that get an answer", s[stat.XbarReplyPackets], s[stat.L2Accesses]-s[stat.L1Writebacks])
				equal("L2 fills = misses", s[stat.L2Fills], s[stat.L2Misses])
				equal("controller reads = L2 fills", s[stat.ControllerReads], s[stat.L2Fills])
				equal("lines under way = their latencies", s[stat.L1OutstandingCycles], s[stat.L1MissLatencyCycles])
				if m.Codec() == "none" {
					equal("controller writes = write-backs + stores that miss", s[stat.ControllerWrites], s[stat.L2Writebacks]+s[stat.L2WriteMisses])
				} else if w := s[stat.ControllerWrites]; w < s[stat.L2Writebacks] || w > s[stat.L2Writebacks]+s[stat.L2WriteMisses] {
					t.Errorf("%d writes of the controllers, %d write-backs and %d stores that miss", w, s[stat.L2Writebacks], s[stat.L2WriteMisses])
				}
				equal("bursts x MAG = bytes", (s[stat.BurstsRead]+s[stat.BurstsWritten]+s[stat.BurstsMetadata])*uint64(m.MAG()), s[stat.DRAMReadBytes]+s[stat.DRAMWriteBytes])
				equal("bus cycles by cause = DRAM cycles", s[stat.BusReadCycles]+s[stat.BusWriteCycles]+s[stat.BusTurnaroundCycles]+s[stat.BusRefreshCycles]+
					s[stat.BusBankCycles]+s[stat.BusIdleCycles]+s[stat.BusPendingCycles], s[stat.DRAMCycles]+s[stat.BusAheadCycles])
				equal("read latency = its parts", s[stat.ReadLatencyCycles], s[stat.ReadMetadataCycles]+s[stat.ReadQueueCycles]+s[stat.ReadBankCycles]+s[stat.ReadBusCycles]+s[stat.ReadDecompressCycles])
				if err := r.Machine().Leaks(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
