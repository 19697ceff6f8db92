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

	first experiment.Progress // the first look at the current phase
	began time.Time           // of that look
}

// newMeter returns a meter on stderr: stdout is for results.
func newMeter() *meter {
	return &meter{out: os.Stderr, now: time.Now, next: time.Now().Add(progressInterval)}
}

// show prints the progress if the interval has passed.
func (m *meter) show(progress func() experiment.Progress) {
	if now := m.now(); now.After(m.next) {
		m.next = now.Add(progressInterval)
		p := progress()
		fmt.Fprintln(m.out, progressText(&p)+m.left(&p, now))
	}
}

// left estimates the time until the phase ends, from the CTAs since the first look at it.
func (m *meter) left(p *experiment.Progress, now time.Time) string {
	if p.Phase != m.first.Phase || m.began.IsZero() {
		m.first, m.began = *p, now
	}
	done := float64(p.CTAs - m.first.CTAs)
	if done < trusted*float64(p.Of) {
		return ""
	}
	seconds := now.Sub(m.began).Seconds() * float64(p.Of-p.CTAs) / done
	return ", " + inMinutes(seconds) + " left"
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
func finish(plan *experiment.Plan, m *meter) (*experiment.Result, error) {
	r, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		return nil, err
	}
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

// kept runs a plan to its end and stores its state in a file now and then. If the file exists,
// the run goes on from there.
func kept(plan *experiment.Plan, path string, m *meter) (*experiment.Result, error) {
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	k := newKeeper(path, asked())
	r, err := k.resume(func(build string, from io.Reader) (*experiment.Run, error) {
		return study.Resume(plan, experiment.Options{}, build, from)
	})
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = study.Run(plan, experiment.Options{})
	}
	return k.finish(r, m)
}

// functional runs a plan to its end without a machine.
func functional(plan *experiment.Plan) (*experiment.Result, error) {
	m := newMeter()
	return experiment.Functional(plan, func(p experiment.Progress) {
		m.show(func() experiment.Progress { return p })
	})
}
