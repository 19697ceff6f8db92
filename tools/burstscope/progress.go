package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
)

// progressInterval is how long a run is silent, and the time between two lines of it
// [ours].
const progressInterval = 5 * time.Second

// meter says now and then how far a long run has come, so that it can be told from
// one that hangs.
type meter struct {
	out  io.Writer
	now  func() time.Time
	next time.Time
}

// newMeter returns a meter on stderr, where no result is printed.
func newMeter() *meter {
	return &meter{os.Stderr, time.Now, time.Now().Add(progressInterval)}
}

// show prints what progress returns if it is time to.
func (m *meter) show(progress func() experiment.Progress) {
	if now := m.now(); now.After(m.next) {
		m.next = now.Add(progressInterval)
		p := progress()
		fmt.Fprintln(m.out, progressText(&p))
	}
}

func progressText(p *experiment.Progress) string {
	if p.Phase == experiment.PhaseReference {
		return fmt.Sprintf("running without a machine: %s of %s CTAs begun", group(p.CTAs), group(p.Of))
	}
	what := "simulating"
	if p.Phase == experiment.PhaseProfile {
		what = "collecting symbol statistics"
	}
	return fmt.Sprintf("%s: %s of %s CTAs ended, %s cycles", what, group(p.CTAs), group(p.Of), group(uint64(p.Cycles)))
}

// progressCycles is how much of a run is done between two looks at the clock: well
// under a second of work.
const progressCycles = 1 << 14

// finish runs a plan to its end.
func finish(plan *experiment.Plan) (*experiment.Result, error) {
	r, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		return nil, err
	}
	m := newMeter()
	for {
		done, err := r.Step(progressCycles)
		if err != nil {
			return nil, err
		}
		if done {
			return r.Result(), nil
		}
		m.show(r.Progress)
	}
}

// functional runs a plan to its end without a machine.
func functional(plan *experiment.Plan) (*experiment.Result, error) {
	m := newMeter()
	return experiment.Functional(plan, func(p experiment.Progress) {
		m.show(func() experiment.Progress { return p })
	})
}
