package latte

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/core/tape"
)

// phases counts the accesses of experimental phases, and what was measured in them.
type phases struct {
	phasesState
	launches [][policy.NumModes]uint32 // phases of each launch, by mode
	measured policy.Phase              // the last one, for the policy
	log      phaseLog
}

type phasesState struct {
	accesses   int // of the current phase
	ended      int
	missCycles uint64
	misses     uint64
	tolerance  [ToleranceBins]uint32 // phases by their tolerance
	deep       bool                  // see policy.Hit; of the current access
}

// phasesOf counts the phases of each mode.
var phasesOf = [policy.NumModes]stat.Counter{policy.None: L1PhasesNone, policy.Low: L1PhasesLow, policy.High: L1PhasesHigh}

// access counts one access and ends the phase after the last.
func (s *compressed) access(now sim.Cycle) {
	if s.phases.accesses++; s.phases.accesses >= s.unit.config.PhaseAccesses {
		s.endPhase(now)
	}
}

func (s *compressed) endPhase(now sim.Cycle) {
	p := &s.phases
	p.accesses = 0
	p.ended++
	e := &p.measured
	*e = policy.Phase{}
	e.ReadyWarps, e.RunCycles = s.env.Meter.Take(now)
	if p.misses > 0 {
		e.MissCycles = float64(p.missCycles) / float64(p.misses)
	}
	for m := range s.queue {
		q := &s.queue[m]
		if q.lines > 0 {
			e.Positions[m], e.Passed[m] = float64(q.positions)/float64(q.lines), true
		}
		s.env.Stats[L1QueuePositions] += q.positions
		p.log.next.Lines[m] = q.lines
		q.lines, q.positions = 0, 0
	}
	// The last set is dedicated to no mode.
	mode := s.policy.Mode(s.tags.Geometry.Sets - 1)
	s.env.Stats[phasesOf[mode]]++
	p.launches[len(p.launches)-1][mode]++
	p.tolerance[toleranceBin(policy.Tolerance(e))]++
	held := s.held()
	s.env.Stats[L1PhaseSectors] += uint64(held)
	s.env.Stats[L1PhaseRoomSectors] += uint64(s.room())
	p.log.end(now, len(p.launches)-1, held, mode, e, s.policy.End(e))
	s.unit.phaseEnded(p.ended, s.env.Stats)
}

// held returns the sectors with data.
func (s *compressed) held() (n int) {
	for i := range s.entries {
		n += bits.OnesCount8(s.entries[i].valid)
	}
	return n
}

// room returns the sectors of an L1 without compression.
func (s *compressed) room() int { return s.tags.Geometry.Sets * s.ways * subBlocks }

// launch begins the counts of a launch.
func (p *phases) launch(i int) {
	for len(p.launches) <= i {
		p.launches = append(p.launches, [policy.NumModes]uint32{})
	}
}

func (p *phases) state(t *tape.Tape) {
	tape.Value(t, &p.phasesState)
	tape.List(t, &p.launches)
}

// ToleranceBins divide latency tolerances: eighths of a cycle below one cycle, then four
// bins for each doubling.
const ToleranceBins = 64

func toleranceBin(cycles float64) int {
	v := uint64(max(cycles, 0) * 8)
	if v < 8 {
		return int(v)
	}
	e := bits.Len64(v) - 1
	return min(8+(e-3)*4+int(v>>(e-2)&3), ToleranceBins-1)
}

// binCycles returns the lowest tolerance of a bin.
func binCycles(bin int) float64 {
	if bin < 8 {
		return float64(bin) / 8
	}
	return float64(uint64(4+(bin-8)%4)<<((bin-8)/4)) / 4
}

// Phases are what the L1s of a machine measured in their experimental phases.
type Phases struct {
	// Launches counts the phases of each launch by mode; a phase belongs to the launch in
	// which it ends.
	Launches [][policy.NumModes]uint64 `json:"launches"`
	// Tolerance counts the phases by latency tolerance.
	Tolerance [ToleranceBins]uint64 `json:"tolerance"`
	// Plan names the mode of each launch, if the policy follows a plan.
	Plan []string `json:"plan,omitempty"`
	// Log holds every phase; nil unless the run keeps logs.
	Log *PhaseLog `json:"-"`
}

// Fill implements system.Report.
func (p *Phases) Fill(r *system.Ran) bool {
	*p = *r.Machine.Stores().(*Compressed).phases()
	return true
}

// Given returns the spread of the tolerances.
func (p *Phases) Given(name string) (float64, bool) {
	share := 0.0
	switch name {
	case "toleranceP10":
		share = 0.1
	case "toleranceP90":
		share = 0.9
	default:
		return 0, false
	}
	return p.Percentile(share)
}

// phases adds up what the L1s have measured.
func (u *Compressed) phases() *Phases {
	p := &Phases{Log: u.phaseLog()}
	for _, m := range u.plan.Modes {
		p.Plan = append(p.Plan, policy.ModeNames[m])
	}
	for _, s := range u.stores {
		for i, modes := range s.phases.launches {
			if i == len(p.Launches) {
				p.Launches = append(p.Launches, [policy.NumModes]uint64{})
			}
			for m, n := range modes {
				p.Launches[i][m] += uint64(n)
			}
		}
		for bin, n := range s.phases.tolerance {
			p.Tolerance[bin] += uint64(n)
		}
	}
	return p
}

// Percentile returns the tolerance in cycles that a share of the phases does not reach,
// rounded down to a bin; ok is false if no phase has ended.
func (p *Phases) Percentile(share float64) (cycles float64, ok bool) {
	total := uint64(0)
	for _, n := range p.Tolerance {
		total += n
	}
	seen := uint64(0)
	for bin, n := range p.Tolerance {
		seen += n
		if n > 0 && float64(seen) >= float64(share*float64(total)) {
			return binCycles(bin), true
		}
	}
	return 0, false
}

// Agreement returns the share of the phases in which the mode was the plan's, such as
// the plan that Kernel-OPT has made; ok is false if no phase has ended.
func (p *Phases) Agreement(plan []string) (share float64, ok bool) {
	agreed, total := uint64(0), uint64(0)
	for i, modes := range p.Launches {
		for m, n := range modes {
			total += n
			if i < len(plan) && plan[i] == policy.ModeNames[m] {
				agreed += n
			}
		}
	}
	if total == 0 {
		return 0, false
	}
	return float64(agreed) / float64(total), true
}
