package app

import (
	"testing"
	"time"
)

// pictures counts what is drawn of a picture that always changes, in ten seconds in
// which a frame with it takes cost and one without takes a sixtieth.
func pictures(p *pace, cost time.Duration) (n int, busy time.Duration) {
	now := p.frame
	if now.IsZero() {
		now = time.Unix(1_800_000_000, 0)
	}
	for end := now.Add(10 * time.Second); now.Before(end); {
		p.begin(now)
		if !p.due() {
			now = now.Add(time.Second / 60)
			continue
		}
		p.drawn()
		n++
		busy += cost
		now = now.Add(max(cost, time.Second/60))
	}
	return n, busy
}

// A fast picture is drawn with every frame; a slow one takes about half of
// the time, and never stops.
func TestPaceGivesWay(t *testing.T) {
	if n, _ := pictures(&pace{}, 4*time.Millisecond); n < 599 {
		t.Errorf("with hardware %d pictures in ten seconds, want every frame", n)
	}
	for _, cost := range []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond} {
		n, busy := pictures(&pace{}, cost)
		if share := busy.Seconds() / 10; share < 0.35 || share > 0.75 {
			t.Errorf("a picture of %v takes %.0f %% of the time", cost, 100*share)
		}
		if n < 8 {
			t.Errorf("a picture of %v is drawn %d times in ten seconds", cost, n)
		}
	}
	// What became cheap is drawn with every frame again.
	p := &pace{}
	pictures(p, 100*time.Millisecond)
	p.painted = time.Time{}
	if pictures(p, 4*time.Millisecond); p.cost >= slowFrame {
		t.Errorf("a cheap picture still counts as %v", p.cost)
	}
}

// While a run needs the processors, even a fast picture is drawn ten times a second only.
func TestPaceYieldsToARun(t *testing.T) {
	for _, cost := range []time.Duration{4 * time.Millisecond, 20 * time.Millisecond} {
		p := &pace{}
		p.yield(true)
		if n, _ := pictures(p, cost); n < 80 || n > 101 {
			t.Errorf("%d pictures of %v in ten seconds of a run, want about 100", n, cost)
		}
		p.yield(false)
		if n, _ := pictures(p, cost); n < 400 {
			t.Errorf("%d pictures of %v in ten seconds after the run, want every frame", n, cost)
		}
	}
}
