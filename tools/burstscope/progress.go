package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
)

// progressInterval is the time before the first line of progress and between two
// lines [ours].
const progressInterval = 5 * time.Second

// meter prints the progress of a long run, to show that the run does not hang.
type meter struct {
	out  io.Writer
	now  func() time.Time
	next time.Time
}

// newMeter returns a meter on stderr: stdout is for results.
func newMeter() *meter {
	return &meter{os.Stderr, time.Now, time.Now().Add(progressInterval)}
}

// show prints the progress if the interval has passed.
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

// progressCycles is the number of cycles between two looks at the clock: well under a
// second of work.
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
