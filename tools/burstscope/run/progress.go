package run

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// ProgressInterval is the time before the first line of progress and between two
// lines [ours].
const ProgressInterval = 5 * time.Second

// Meter prints the progress of a long run, to show that the run does not hang.
type Meter struct {
	Out  io.Writer
	now  func() time.Time
	next time.Time

	first experiment.Progress // the first look at the current phase
	began time.Time           // of that look
}

// NewMeter returns a meter on stderr: stdout is for results.
func NewMeter() *Meter {
	return &Meter{Out: os.Stderr, now: time.Now, next: time.Now().Add(ProgressInterval)}
}

// show prints the progress if the interval has passed.
func (m *Meter) show(progress func() experiment.Progress) {
	if now := m.now(); now.After(m.next) {
		m.next = now.Add(ProgressInterval)
		p := progress()
		fmt.Fprintln(m.Out, progressText(&p)+m.left(&p, now))
	}
}

// left estimates the time until the phase ends, from the CTAs since the first look at it.
func (m *Meter) left(p *experiment.Progress, now time.Time) string {
	if p.Phase != m.first.Phase || m.began.IsZero() {
		m.first, m.began = *p, now
	}
	done := float64(p.CTAs - m.first.CTAs)
	if done < cli.Trusted*float64(p.Of) {
		return ""
	}
	seconds := now.Sub(m.began).Seconds() * float64(p.Of-p.CTAs) / done
	return ", " + cli.InMinutes(seconds) + " left"
}

func progressText(p *experiment.Progress) string {
	if p.Phase == experiment.PhaseReference {
		return fmt.Sprintf("running without a machine: %s of %s CTAs begun", cli.Group(p.CTAs), cli.Group(p.Of))
	}
	what := "simulating"
	if p.Phase == experiment.PhaseProfile {
		what = "collecting symbol statistics"
	}
	return fmt.Sprintf("%s: %s of %s CTAs ended, %s cycles", what, cli.Group(p.CTAs), cli.Group(p.Of),
		cli.Group(uint64(p.Cycles)))
}

// ProgressCycles is the number of cycles between two looks at the clock: well under a
// second of work.
const ProgressCycles = 1 << 14

// Finish runs a plan to its end.
func Finish(plan *experiment.Plan, m *Meter) (*experiment.Result, error) {
	r, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		return nil, err
	}
	for {
		done, err := r.Step(ProgressCycles)
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
// the run continues from there.
func kept(plan *experiment.Plan, path string, m *Meter) (*experiment.Result, error) {
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	k := NewKeeper(path, Asked())
	r, err := k.Resume(func(build string, from io.Reader) (*experiment.Run, error) {
		return study.Resume(plan, experiment.Options{}, build, from)
	})
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = study.Run(plan, experiment.Options{})
	}
	return k.Finish(r, m)
}

// functional runs a plan to its end without a machine.
func functional(plan *experiment.Plan) (*experiment.Result, error) {
	m := NewMeter()
	return experiment.Functional(plan, func(p experiment.Progress) {
		m.show(func() experiment.Progress { return p })
	})
}
