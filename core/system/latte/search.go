package latte

import (
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// oracle makes the plan of Kernel-OPT (LATTE-CC section V-B): it runs each launch in every
// mode from the same state, and keeps the mode in which the launch ends first. It works
// on a machine of its own; the run then follows the plan.
type oracle struct {
	of       *Compressed // of the machine that waits for the plan
	launches int
	machine  *machine.Machine
	stores   *Compressed
	plan     []policy.Mode // of the launches before the current one
	trial    policy.Mode
	before   *machine.Saved // the state in which the current launch begins
	best     policy.Mode
	bestEnd  sim.Cycle // of the current launch; Never before its first trial
}

// search returns the search for the plan of m, which has not run yet; nil if its plan is known.
func search(_ system.Part, m *machine.Machine) (system.Search, error) {
	of := m.Stores().(*Compressed)
	if !of.planned() {
		return nil, nil
	}
	if m.Checked() {
		return nil, fault.At("l1.policy",
			"the plan needs the list of launches, but the host of this program decides in its course how many "+
				"there are", "use a policy that works online")
	}
	twin, err := m.Twin(nil)
	if err != nil {
		return nil, err
	}
	o := &oracle{of: of, launches: m.Launches(), machine: twin, stores: twin.Stores().(*Compressed), before: m.Save(nil), bestEnd: sim.Never}
	o.begin(policy.None)
	return o, nil
}

// Machine implements system.Search.
func (o *oracle) Machine() *machine.Machine { return o.machine }

// begin goes back to the beginning of the launch, for a trial of a mode.
func (o *oracle) begin(m policy.Mode) {
	o.machine.Load(o.before)
	o.trial = m
	o.stores.setPlan(append(o.plan, m))
}

// Step runs the current trial for about the given number of cycles, and reports whether
// the plan is complete; then it is that of the machine that waits for it. A trial ends early if it is slower than the best.
func (o *oracle) Step(cycles uint64) (done bool, err error) {
	until := min(o.machine.Now()+sim.Cycle(cycles), o.bestEnd)
	if _, err := o.machine.Advance(until); err != nil {
		return false, err
	}
	_, end := o.machine.LaunchSpan(len(o.plan))
	ended := end != 0
	if ended && end < o.bestEnd {
		o.best, o.bestEnd = o.trial, end
	}
	if !ended && o.machine.Now() < o.bestEnd {
		return false, nil
	}
	if o.trial+1 < policy.NumModes {
		o.begin(o.trial + 1)
		return false, nil
	}
	o.begin(o.best)
	o.plan = append(o.plan, o.best)
	if len(o.plan) == o.launches {
		o.of.setPlan(o.plan)
		return true, nil
	}
	// The next launch begins in the state of the fastest mode.
	if err := o.machine.Reach(o.bestEnd); err != nil {
		return false, err
	}
	o.before, o.bestEnd = o.machine.Save(o.before), sim.Never
	o.begin(policy.None)
	return false, nil
}
