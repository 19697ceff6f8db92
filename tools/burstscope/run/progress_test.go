package run

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
)

// A run is silent at first and then prints its progress every few seconds.
func TestMeter(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	m := Meter{Out: &out, now: func() time.Time { return now }, next: now.Add(ProgressInterval)}
	asked := 0
	for range 240 {
		now = now.Add(100 * time.Millisecond)
		m.show(func() experiment.Progress {
			asked++
			return experiment.Progress{Phase: experiment.PhaseSimulate, CTAs: 1200, Of: 2_000_000, Cycles: 34567}
		})
	}
	if lines := strings.Count(out.String(), "\n"); lines != 4 || asked != lines {
		t.Errorf("%d lines in 24 s, asked %d times:\n%s", lines, asked, out.String())
	}
	// Each look comes ten seconds after the last. A new phase begins a new estimate.
	at := func(ctas uint64, phase experiment.Phase) string {
		now = now.Add(10 * time.Second)
		return m.left(&experiment.Progress{Phase: phase, CTAs: ctas, Of: 1000}, now)
	}
	m.began = time.Time{}
	for _, c := range []struct {
		ctas  uint64
		phase experiment.Phase
		want  string
	}{{250, experiment.PhaseProfile, ""}, {251, experiment.PhaseProfile, ""}, {450, experiment.PhaseProfile, ", about 1 min left"},
		{10, experiment.PhaseSimulate, ""}, {110, experiment.PhaseSimulate, ", about 1 min left"}, {130, experiment.PhaseSimulate, ", about 2 min left"}} {
		if got := at(c.ctas, c.phase); got != c.want {
			t.Errorf("%d CTAs: %q, want %q", c.ctas, got, c.want)
		}
	}
	for _, c := range []struct {
		p    experiment.Progress
		want string
	}{
		{experiment.Progress{Phase: experiment.PhaseSimulate, CTAs: 1200, Of: 2_000_000, Cycles: 34567}, "simulating: 1,200 of 2,000,000 CTAs ended, 34,567 cycles"},
		{experiment.Progress{Phase: experiment.PhaseReference, CTAs: 7, Of: 8}, "running without a machine: 7 of 8 CTAs begun"},
		{experiment.Progress{Phase: experiment.PhaseProfile, Of: 8, Cycles: 9}, "collecting symbol statistics: 0 of 8 CTAs ended, 9 cycles"},
	} {
		if got := progressText(&c.p); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
