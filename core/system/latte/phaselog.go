package latte

import (
	"math"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// MostRecords bounds the records of one SM [ours]: as many columns as a picture has room for. If the log of an SM is full, every second record leaves, and from then on
// the SM records half as many phases.
const MostRecords = 512

// logBytes is the memory of one SM's log.
const logBytes = MostRecords * recordBytes

const recordBytes = 256 // of a PhaseRecord, at most

// PhaseRecord is a phase of one SM that has ended.
type PhaseRecord struct {
	Phase, Launch int // in the launch in which it ends
	Began, Ended  sim.Cycle
	Mode          policy.Mode // of the sets that are dedicated to no mode
	Measured      policy.Phase
	Lines         [policy.NumModes]uint64 // that passed each decompressor
	HeldSectors   int                     // at the end
	// Grounds are the grounds of the mode, from the end of the phase before; Before is what that
	// phase measured. The first phase has none.
	Grounds policy.Grounds
	Before  policy.Phase
}

// phaseLog keeps the phases of one SM. It belongs to the machine that runs: it is no part
// of its state.
type phaseLog struct {
	records []PhaseRecord // none are kept without room for them
	every   int           // phases from one record to the next
	next    PhaseRecord   // what is known of the current phase
}

func newPhaseLog() phaseLog {
	return phaseLog{records: make([]PhaseRecord, 0, MostRecords), every: 1}
}

// end records the current phase, and begins the next with the grounds of its mode.
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

// PhaseLog holds the phases of all SMs, and the configuration that explains them.
type PhaseLog struct {
	CompressedConfig
	Sets, HitCycles int // of L1, and of a hit on a line that is not compressed
	RoomSectors     int // of an L1 without compression
	SMs             [][]PhaseRecord
}

// keepPhases makes the stores of a machine that has not run keep their phases.
func keepPhases(m *machine.Machine) { m.Stores().(*Compressed).keepPhases() }

func (u *Compressed) keepPhases() {
	for _, s := range u.stores {
		s.phases.log = newPhaseLog()
	}
}

// phaseLog returns the phases so far; nil unless they are kept.
func (u *Compressed) phaseLog() *PhaseLog {
	if len(u.stores) == 0 || cap(u.stores[0].phases.log.records) == 0 {
		return nil
	}
	first := u.stores[0]
	l := &PhaseLog{CompressedConfig: u.config, Sets: first.tags.Geometry.Sets, HitCycles: int(first.latency), RoomSectors: first.room()}
	for _, s := range u.stores {
		l.SMs = append(l.SMs, s.phases.log.records)
	}
	return l
}

// PhaseColumns name the values of a Row; README.md says what they are.
func PhaseColumns() []string {
	return []string{
		"sm", "phase", "launch", "began", "ended", "mode", "readyWarps", "runCycles", "tolerance", "missCycles",
		"linesNone", "linesLow", "linesHigh", "queueNone", "queueLow", "queueHigh", "capacity",
		"basis", "whyTolerance", "whyReadyWarps", "whyRunCycles", "whyMissCycles", "whyQueueNone", "whyQueueLow", "whyQueueHigh",
		"whyHitsNone", "whyHitsLow", "whyHitsHigh", "whyMissesNone", "whyMissesLow", "whyMissesHigh",
		"whyHitCyclesNone", "whyHitCyclesLow", "whyHitCyclesHigh", "whyAMATNone", "whyAMATLow", "whyAMATHigh", "whySaved",
	}
}

// Row appends the values of a phase in the order of PhaseColumns; NaN stands for none.
func (l *PhaseLog) Row(row []float64, sm int, r *PhaseRecord) []float64 {
	put := func(values ...float64) { row = append(row, values...) }
	e, g := &r.Measured, &r.Grounds
	put(float64(sm), float64(r.Phase), float64(r.Launch), float64(r.Began), float64(r.Ended), float64(r.Mode))
	put(e.ReadyWarps, e.RunCycles, policy.Tolerance(e), e.MissCycles)
	for _, n := range r.Lines {
		put(float64(n))
	}
	put(e.Positions[:]...)
	put(float64(r.HeldSectors)/float64(l.RoomSectors), float64(g.Basis))
	amat, e := g.Basis == policy.ByAMAT, &r.Before
	put(only(amat, g.ToleranceCycles), e.ReadyWarps, e.RunCycles, only(amat, e.MissCycles))
	put(e.Positions[:]...)
	for _, counts := range [...]*[policy.NumModes]uint8{&g.Hits, &g.Misses} {
		for _, n := range counts {
			put(float64(n))
		}
	}
	for _, cycles := range [...]*[policy.NumModes]float64{&g.HitCycles, &g.AMAT} {
		for m, v := range cycles {
			put(only(amat && (g.Hits[m] > 0 || g.Misses[m] > 0), v))
		}
	}
	put(only(g.Basis == policy.ByCounter, float64(g.Saved)))
	return row
}

func only(known bool, v float64) float64 {
	if !known {
		return math.NaN()
	}
	return v
}
