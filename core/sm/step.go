package sm

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// step is what the issue stage needs to know of an instruction. It is a small part of ptx.Instr,
// worked out once for all SMs, so that the steps of a kernel stay in the host's caches.
type step struct {
	latency    uint32 // with the stages of the pipeline
	initiation uint16
	deps       [9]uint16
	writes     [2]uint16
	ndeps      uint8 // many: the instruction lists them
	nwrites    uint8
	unit       Unit // that the instruction waits for
	kind       stepKind
}

// stepKind is a set of what is special about an instruction.
type stepKind uint8

const (
	stepBranch   stepKind = 1 << iota
	stepConstant          // reads .param or .const through the constant cache
	stepEarly             // may be executed before it is issued
	stepCopy              // the copy unit carries it out
	stepCopyGroup
)

// many says that there are more ids than a step holds.
const many = 255

// Steps are the steps of each launch of a program.
type Steps [][]step

// NewSteps returns the steps of a program on SMs of a configuration. A warp executes instructions that depend on registers
// alone before they are issued, which shows nowhere (see executeEarly).
func NewSteps(c *Config, launches []*ptx.Launch) Steps {
	of := map[*ptx.Kernel][]step{}
	all := make(Steps, len(launches))
	for i, l := range launches {
		if of[l.Kernel] == nil {
			list := make([]step, len(l.Kernel.Code))
			for pc := range list {
				list[pc] = stepOf(c, &l.Kernel.Code[pc])
				if execute.OnWarpAlone(&l.Kernel.Code[pc], l) {
					list[pc].kind |= stepEarly
				}
			}
			of[l.Kernel] = list
		}
		all[i] = of[l.Kernel]
	}
	return all
}

func stepOf(c *Config, in *ptx.Instr) step {
	t := &c.Timing[in.Class]
	_, initiation := t.of(in)
	s := step{latency: uint32(c.Latency(in)), initiation: uint16(initiation), unit: t.Unit, ndeps: many, nwrites: many}
	switch {
	case in.IsConstant && c.Constant.LatencyCycles > 0:
		s.kind, s.unit = stepConstant, UnitMemory
	case copyOf(in) > 0:
		s.kind = stepCopy
	case in.Family == ptx.FamilyControl && in.Op == ptx.ControlBulkGroup:
		s.kind = stepCopyGroup
	case in.Class == ptx.ClassBranch:
		s.kind = stepBranch
	case in.Vector != nil && in.Vector.Group != nil: // the tensor cores take it when the warp group is there
		s.unit, s.initiation = UnitALU, 1
	}
	if len(in.Deps) <= len(s.deps) {
		s.ndeps = uint8(copy(s.deps[:], in.Deps))
	}
	if len(in.Writes) <= len(s.writes) {
		s.nwrites = uint8(copy(s.writes[:], in.Writes))
	}
	return s
}

// writesOf returns the score ids that the step at pc writes.
func (m *SM) writesOf(s *step, pc int32) []uint16 {
	if n := int(s.nwrites); n <= len(s.writes) {
		return s.writes[:n]
	}
	return m.lsu.warpInstr(pc).Writes
}

// depsOf returns the score ids that the step at pc reads or writes.
func (m *SM) depsOf(s *step, pc int32) []uint16 {
	if n := int(s.ndeps); n <= len(s.deps) {
		return s.deps[:n]
	}
	return m.lsu.warpInstr(pc).Deps
}
