package experiment

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/policy"
	"github.com/burstscope/burstscope/core/sim"
)

// oracle makes the plan of Kernel-OPT (LATTE-CC section V-B): it runs each launch in every
// mode from the same state, and keeps the mode in which the launch ends first. It works
// on a machine of its own; the run then follows the plan.
type oracle struct {
	machine *machine.Machine
	stores  *cache.Compressed
	plan    []policy.Mode // of the launches before the current one
	trial   policy.Mode
	before  *machine.Saved // the state in which the current launch begins
	best    policy.Mode
	bestEnd sim.Cycle // of the current launch; Never before its first trial
}

// newOracle returns the search for the plan of m, which has not run yet.
func newOracle(m *machine.Machine) (*oracle, error) {
	twin, err := m.Twin(nil)
	if err != nil {
		return nil, err
	}
	o := &oracle{machine: twin, stores: twin.Stores().(*cache.Compressed), before: m.Save(nil), bestEnd: sim.Never}
	o.begin(policy.None)
	return o, nil
}

// begin goes back to the beginning of the launch, for a trial of a mode.
func (o *oracle) begin(m policy.Mode) {
	o.machine.Load(o.before)
	o.trial = m
	o.stores.SetPlan(append(o.plan, m))
}

// step runs the current trial for about the given number of cycles, and reports whether
// the plan is complete. A trial ends early if it is slower than the best.
func (o *oracle) step(cycles uint64, launches int) (done bool, err error) {
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
	if len(o.plan) == launches {
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

// planned starts the search for a plan if the machine follows one that has not been made.
func (r *Run) planned() (bool, error) {
	stores, ok := r.machine.Stores().(*cache.Compressed)
	if !ok || !stores.Planned() || r.resumed {
		return false, nil
	}
	var err error
	r.oracle, err = newOracle(r.machine)
	return true, err
}

// stepOracle works on the plan, and gives it to the machine when it is complete.
func (r *Run) stepOracle(cycles uint64) error {
	done, err := r.oracle.step(cycles, len(r.plan.Program.Launches))
	if !done || err != nil {
		return err
	}
	r.machine.Stores().(*cache.Compressed).SetPlan(r.oracle.plan)
	r.oracle = nil
	r.phase = PhaseSimulate
	return nil
}
