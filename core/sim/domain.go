package sim

// Domain runs a component in a clock of its own: once for each of its clocks that begin in a
// cycle of the engine, and never in a cycle in which none begins.
type Domain struct {
	Component Clocked
	Clock     ClockRatio // of the component over the engine's base clock
}

// Tick runs the clocks that begin in this cycle. A component that is woken between two of them
// works at the next one.
func (d *Domain) Tick(now Cycle) Cycle {
	begin, end := d.Clock.Local(now), d.Clock.Local(now+1)
	if begin == end {
		return d.Clock.Begins(begin)
	}
	next := Never
	for ; begin < end; begin++ {
		next = d.Component.Tick(now)
	}
	return next
}
