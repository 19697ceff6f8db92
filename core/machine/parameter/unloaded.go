package parameter

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// Latency is the time of a dependent load in an idle machine.
type Latency struct {
	Name    string
	Cycles  int
	Doc     string
	Formula string
}

// LatencyOf is the time from an instruction to the use of its results on an idle machine. A load from global memory
// hits L2: the compiler that asks knows of no cache, and L1 is small.
func (s *GPU) LatencyOf(in *ptx.Instr) int {
	switch {
	case in.IsConstant && s.SM.Constant.LatencyCycles > 0:
		return s.SM.Constant.LatencyCycles
	case in.Texture != nil:
		return s.SM.Texture.LatencyCycles
	case in.IsMemory && in.IsLoad && in.Mem.Space == ptx.SpaceShared:
		return s.SM.SharedLatency + 1
	case in.IsMemory && in.IsLoad && in.Mem.Space == ptx.SpaceLocal:
		return s.SM.L1.LatencyCycles + 1
	case in.IsMemory && in.IsLoad:
		return s.l2HitCycles()
	}
	return s.SM.Latency(in)
}

// AccessInterval is the time between two accesses to memory of a warp while warps of all schedulers make them: an SM
// has one load/store unit.
func (s *GPU) AccessInterval() int {
	return s.SM.Schedulers * int(s.SM.Timing[ptx.ClassMemory].InitiationCycles)
}

// UnloadedLatencies adds up the latencies of a load from issue to use.
func UnloadedLatencies(s *GPU) []Latency {
	l2, rest := s.l2HitCycles(), s.restCycles()
	return []Latency{
		{"l1HitLatency", s.SM.L1.LatencyCycles + 1, "load to use, L1 hit", "sm.l1.latencyCycles + 1"},
		{"sharedLatency", s.SM.SharedLatency + 1, "load to use, shared memory", "sm.sharedLatency + 1"},
		{"l2HitLatency", l2, "load to use, L2 hit", fmt.Sprintf("sm.l1.passCycles + requestLatencyCycles + l2LatencyCycles + replyLatencyCycles + 2 + %d for the further flits of what L1 asks for", rest-2)},
	}
}

func (s *GPU) l2HitCycles() int {
	return s.SM.L1.PassCycles + s.RequestLatencyCycles + s.L2LatencyCycles + s.ReplyLatencyCycles + s.restCycles()
}

// restCycles are issue, the cycle in L2, and the flits of the reply behind the first.
func (s *GPU) restCycles() int {
	reply := mem.LineBytes
	if s.SM.L1.Sectored {
		reply = mem.SectorBytes
	}
	clock := s.XbarClock()
	return 2 + (int(mem.Flits(reply, s.L2.FlitBytes))-1)*int(clock.Den)/int(clock.Num)
}
