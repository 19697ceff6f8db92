// Package sim is the simulation kernel: cycles, the engine that wakes sleeping
// components, bounded links between them, clock ratios and seeded random
// numbers. It imports only tape and models no hardware.
package sim

// Cycle counts ticks of the engine's base clock since reset.
type Cycle uint64

// Never is the cycle of a component that sleeps until it is woken.
const Never = ^Cycle(0)

// Min returns the earlier of two cycles; Never is later than everything.
func Min(a, b Cycle) Cycle {
	if a < b {
		return a
	}
	return b
}

// ClockRatio converts between the engine's base clock and a local clock that
// ticks Num times in Den base cycles. The conversion is exact integer
// arithmetic, so a domain never drifts.
type ClockRatio struct{ Num, Den uint64 }

// Local returns how many local ticks have begun by base cycle at.
func (r ClockRatio) Local(at Cycle) uint64 { return uint64(at) * r.Num / r.Den }

// Base returns the first base cycle by which local tick has begun.
func (r ClockRatio) Base(local uint64) Cycle {
	return Cycle((local*r.Den + r.Num - 1) / r.Num)
}

// Begins returns the base cycle in which the tick after the first local ones begins.
func (r ClockRatio) Begins(local uint64) Cycle { return r.Base(local+1) - 1 }
