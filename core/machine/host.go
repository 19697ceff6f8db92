package machine

import "github.com/burstscope/burstscope/core/sim"

// hostPeriodCycles is the time between two looks of the host at a machine that waits for it [ours]. A copy of a word
// to the host and the next launch take microseconds on a GPU; the driver's time is zero here. A window of the
// engines ends at each multiple (windowBlock), so the slices of a run do not change the cycle of a look.
const hostPeriodCycles = windowBlock

// Checked reports whether the host makes checks between launches, so that it may leave some out.
func (m *Machine) Checked() bool { return m.job.Order != nil }

// step does the work up to the given cycle, or less, and looks for faults.
func (m *Machine) step(until sim.Cycle) {
	now := m.engine.Now()
	end := sim.Min(until, now+checkEvery)
	if m.job.Order != nil {
		end = sim.Min(end, now-now%hostPeriodCycles+hostPeriodCycles)
	}
	m.advance(end)
	if m.dispatcher.Waits() {
		m.host()
	}
	m.check()
}

// host makes the checks that the dispatcher waits for. Whatever launches wrote has arrived in L2 or DRAM when nothing
// is
// left to do, and so the host reads what its copy would bring.
func (m *Machine) host() {
	now := m.engine.Now()
	if now%hostPeriodCycles != 0 || !m.idle() {
		return
	}
	launch, _ := m.dispatcher.Launch()
	next, err := m.job.Order.Next(launch, m.Read)
	if err != nil {
		m.err = err
		return
	}
	m.leaveOut(launch, next)
	m.dispatcher.Resume(next, now+m.dispatcher.Link.ReadBack())
	m.apart.front.Wake(m.dispatcherID, now)
	if m.trainer != nil {
		m.engine.Wake(m.trainerID, now)
	}
}

// leaveOut notes that the launches from one to another moved nothing.
func (m *Machine) leaveOut(from, to int) {
	for i := from; i < to && i < len(m.accessed); i++ {
		m.accessed[i] = m.accesses()
	}
}
