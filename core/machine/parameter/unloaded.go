package parameter

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
)

// Latency is the time of a dependent load in an idle machine.
type Latency struct {
	Name    string
	Cycles  int
	Doc     string
	Formula string
}

// UnloadedLatencies adds up the latencies of a load from issue to use.
func UnloadedLatencies(s *GPU) []Latency {
	// Issue, the cycle in L2, and the flits of the reply behind the first.
	reply := mem.LineBytes
	if s.SM.L1.Sectored {
		reply = mem.SectorBytes
	}
	clock := s.XbarClock()
	rest := 2 + (int(mem.Flits(reply, s.L2.FlitBytes))-1)*int(clock.Den)/int(clock.Num)
	l2 := s.SM.L1.PassCycles + s.RequestLatencyCycles + s.L2LatencyCycles + s.ReplyLatencyCycles + rest
	return []Latency{
		{"l1HitLatency", s.SM.L1.LatencyCycles + 1, "load to use, L1 hit", "sm.l1.latencyCycles + 1"},
		{"sharedLatency", s.SM.SharedLatency + 1, "load to use, shared memory", "sm.sharedLatency + 1"},
		{"l2HitLatency", l2, "load to use, L2 hit", fmt.Sprintf("sm.l1.passCycles + requestLatencyCycles + l2LatencyCycles + replyLatencyCycles + 2 + %d for the further flits of what L1 asks for", rest-2)},
	}
}
