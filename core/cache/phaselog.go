package cache

import (
	"math"

	"github.com/burstscope/burstscope/core/policy"
	"github.com/burstscope/burstscope/core/sim"
)

// MostRecords bounds the records of one SM [ours]: 100 KB, and as many columns as a picture
// has room for. If the log of an SM is full, every second record leaves, and from then on
// the SM records half as many phases.
const MostRecords = 512

// PhaseRecord is a phase of one SM that has ended.
type PhaseRecord struct {
	Phase, Launch int // in the launch in which it ends
	Began, Ended  sim.Cycle
	Mode          policy.Mode // of the sets that are dedicated to no mode
	Measured      policy.Phase
	Lines         [policy.NumModes]uint64 // that passed each decompressor
	HeldSectors   int                     // at the end
	// Grounds are those of the mode, from the end of the phase before; Before is what that
	// phase measured. The first phase has none.
	Grounds policy.Grounds
	Before  policy.Phase
}

// phaseLog keeps the phases of one SM. It belongs to the machine that runs: it is no part
// of its state.
type phaseLog struct {
	records []PhaseRecord // none are kept without room for them
	every   int           // phases from one record to the next
	next    PhaseRecord   // what is known of the phase that goes on
}

func newPhaseLog() phaseLog {
	return phaseLog{records: make([]PhaseRecord, 0, MostRecords), every: 1}
}

// end records the phase that goes on, and begins the next with the grounds of its mode.
func (l *phaseLog) end(now sim.Cycle, launch, held int, m policy.Mode, e *policy.Phase, g policy.Grounds) {
	if cap(l.records) == 0 {
		return
	}
	l.next.Launch, l.next.Ended, l.next.Mode, l.next.Measured, l.next.HeldSectors = launch, now, m, *e, held
	if l.next.Phase%l.every == 0 && len(l.records) == cap(l.records) {
		l.thin()
	}
	if l.next.Phase%l.every == 0 {
		l.records = append(l.records, l.next)
	}
	l.next = PhaseRecord{Phase: l.next.Phase + 1, Began: now, Grounds: g, Before: *e}
}

func (l *phaseLog) thin() {
	l.every *= 2
	kept := l.records[:0]
	for _, r := range l.records {
		if r.Phase%l.every == 0 {
			kept = append(kept, r)
		}
	}
	l.records = kept
}

// PhaseLog holds the phases of all SMs.
type PhaseLog struct {
	Policy       *policy.Row
	Decompress   [policy.NumModes]int // cycles
	PeriodPhases int                  // phases of a period
	RoomSectors  int                  // of an L1 without compression
	SMs          [][]PhaseRecord
}

// KeepPhases makes the stores keep their phases. It is called before the run.
func (u *Compressed) KeepPhases() {
	for _, s := range u.stores {
		s.phases.log = newPhaseLog()
	}
}

// PhaseLog returns the phases so far; nil unless they are kept.
func (u *Compressed) PhaseLog() *PhaseLog {
	if len(u.stores) == 0 || cap(u.stores[0].phases.log.records) == 0 {
		return nil
	}
	l := &PhaseLog{Policy: u.config.Policy, Decompress: u.config.Decompress, PeriodPhases: u.config.PeriodPhases, RoomSectors: u.stores[0].room()}
	for _, s := range u.stores {
		l.SMs = append(l.SMs, s.phases.log.records)
	}
	return l
}

// PhaseColumn is one column of the table of phases.
type PhaseColumn struct {
	Name, About string
	// Value returns NaN where there is none.
	Value func(l *PhaseLog, sm int, r *PhaseRecord) float64
	// Mode says that the value is a mode.
	Mode bool
}

// PhaseColumns returns THE columns of the table of phases.
func PhaseColumns() []PhaseColumn {
	type record = func(r *PhaseRecord) float64
	list := []PhaseColumn{{Name: "sm", About: "The SM.", Value: func(_ *PhaseLog, sm int, _ *PhaseRecord) float64 { return float64(sm) }}}
	put := func(name, about string, value record) {
		list = append(list, PhaseColumn{Name: name, About: about, Value: func(_ *PhaseLog, _ int, r *PhaseRecord) float64 { return value(r) }})
	}
	each := func(name, about string, value func(r *PhaseRecord, m policy.Mode) float64) {
		for m := range policy.NumModes {
			put(name+[policy.NumModes]string{"None", "Low", "High"}[m], about+" Mode "+policy.ModeNames[m]+".", func(r *PhaseRecord) float64 { return value(r, m) })
		}
	}
	put("phase", "Number of the phase in its SM.", func(r *PhaseRecord) float64 { return float64(r.Phase) })
	put("launch", "Number of the launch in which it ends.", func(r *PhaseRecord) float64 { return float64(r.Launch) })
	put("began", "Cycle in which it begins.", func(r *PhaseRecord) float64 { return float64(r.Began) })
	put("ended", "Cycle in which it ends.", func(r *PhaseRecord) float64 { return float64(r.Ended) })
	list = append(list, PhaseColumn{Name: "mode", About: "Mode of the lines that enter sets dedicated to no mode.", Mode: true, Value: func(_ *PhaseLog, _ int, r *PhaseRecord) float64 { return float64(r.Mode) }})
	put("readyWarps", "Warps of a scheduler that could issue, mean over the cycles of the phase.", func(r *PhaseRecord) float64 { return r.Measured.ReadyWarps })
	put("runCycles", "Instructions that a scheduler issues of one warp in turn, mean.", func(r *PhaseRecord) float64 { return r.Measured.RunCycles })
	put("tolerance", "Latency tolerance in cycles: readyWarps x runCycles.", func(r *PhaseRecord) float64 { return policy.Tolerance(&r.Measured) })
	put("missCycles", "Latency of a miss in cycles, mean of all misses of the SM so far.", func(r *PhaseRecord) float64 { return r.Measured.MissCycles })
	each("lines", "Hits that passed the decompressor in the phase.", func(r *PhaseRecord, m policy.Mode) float64 { return float64(r.Lines[m]) })
	each("queue", "Lines in front of a line in the decompressor's queue, mean.", func(r *PhaseRecord, m policy.Mode) float64 { return r.Measured.Positions[m] })
	list = append(list, PhaseColumn{Name: "capacity", About: "Bytes of the lines that L1 holds at the end of the phase, as a multiple of its size.", Value: func(l *PhaseLog, _ int, r *PhaseRecord) float64 {
		return float64(r.HeldSectors) / float64(l.RoomSectors)
	}})
	put("basis", "Why this mode: 0 by nothing measured, 1 the least AMAT, 2 the highest share of hits, 3 the sign of one counter. The columns that follow are from the end of the phase before.", func(r *PhaseRecord) float64 { return float64(r.Grounds.Basis) })
	put("whyTolerance", "Cycles of latency that the policy took as hidden.", known(policy.ByAMAT, func(r *PhaseRecord) float64 { return r.Grounds.ToleranceCycles }))
	put("whyMissCycles", "Latency of a miss in cycles.", known(policy.ByAMAT, func(r *PhaseRecord) float64 { return r.Before.MissCycles }))
	each("whyQueue", "Lines in front of a line in the decompressor's queue, mean.", func(r *PhaseRecord, m policy.Mode) float64 { return r.Before.Positions[m] })
	each("whyHits", "Hits counted in the dedicated sets.", func(r *PhaseRecord, m policy.Mode) float64 { return float64(r.Grounds.Hits[m]) })
	each("whyMisses", "Insertions counted in the dedicated sets.", func(r *PhaseRecord, m policy.Mode) float64 { return float64(r.Grounds.Misses[m]) })
	each("whyHitCycles", "Latency of a hit in cycles.", sampled(func(g *policy.Grounds, m policy.Mode) float64 { return g.HitCycles[m] }))
	each("whyAMAT", "AMAT in cycles: (hits x max(hit - tolerance, 0) + misses x miss) / (hits + misses).", sampled(func(g *policy.Grounds, m policy.Mode) float64 { return g.AMAT[m] }))
	put("whySaved", "Cycles that compression saved, less those it cost.", known(policy.ByCounter, func(r *PhaseRecord) float64 { return float64(r.Grounds.Saved) }))
	return list
}

// known is a value that only one basis has.
func known(b policy.Basis, value func(*PhaseRecord) float64) func(*PhaseRecord) float64 {
	return func(r *PhaseRecord) float64 {
		if r.Grounds.Basis != b {
			return math.NaN()
		}
		return value(r)
	}
}

// sampled is a value of a mode that has hits or insertions.
func sampled(value func(*policy.Grounds, policy.Mode) float64) func(*PhaseRecord, policy.Mode) float64 {
	return func(r *PhaseRecord, m policy.Mode) float64 {
		if g := &r.Grounds; g.Basis == policy.ByAMAT && (g.Hits[m] > 0 || g.Misses[m] > 0) {
			return value(g, m)
		}
		return math.NaN()
	}
}
