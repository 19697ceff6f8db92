package machine

import "github.com/burstscope/burstscope/core/sim"

// trainer ends the sampling phase of online probabilities. It checks the instruction
// count periodically. When the sample is complete, it gives every controller the codes
// from the next cycle on.
type trainer struct {
	machine *Machine
	trained bool
	err     error
}

// TrainerPeriodCycles is the time between two checks of the count. At the machine's
// highest rate, 32 instructions a cycle for each SM, the sample is at most half a million
// thread instructions too long [ours].
const TrainerPeriodCycles = 1024

func (t *trainer) Tick(now sim.Cycle) sim.Cycle {
	m := t.machine
	if t.trained || m.dispatcher.Finished() || m.dispatcher.Waits() {
		return sim.Never // the host wakes it
	}
	if m.threadInstructions() < m.job.Sampler.ThreadInstructions() {
		return now + TrainerPeriodCycles
	}
	t.trained = true
	scheme, err := m.job.Sampler.Scheme()
	if err != nil {
		t.err = err
		return sim.Never
	}
	for _, c := range m.memory {
		c.SetObserver(nil)
		c.SetScheme(scheme, now+1)
	}
	return sim.Never
}
