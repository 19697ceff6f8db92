package app

import "time"

// pace draws less often if a picture takes long. With graphics hardware it is drawn with
// every frame. Without, it takes tens of milliseconds of the processors on which the
// engine computes; then it is drawn only so often that half of the time is left.
type pace struct {
	frame   time.Time     // when the frame before began
	took    time.Duration // from the beginning of the one before that to it
	painted time.Time     // when the picture was drawn last
	drew    bool          // in the frame before
	cost    time.Duration // of a frame with a picture, on average
	yields  bool          // to a run
	settled time.Time     // until then it yields to the page, which draws the results of a run that has ended
}

const (
	// A frame that took longer was not drawn by hardware: 30 pictures a second [ours].
	slowFrame = 33 * time.Millisecond
	// What a frame may count for; a hidden page draws none for minutes.
	longestFrame = 500 * time.Millisecond
	// While it yields, a picture is drawn ten times a second at most, and takes a quarter of the time at most [ours]: without
	// hardware, 48 pictures a second take 1.6 of two cores.
	yieldedFrame = 100 * time.Millisecond
	yieldedCosts = 4
	// What the page takes to draw results [ours].
	settling = 200 * time.Millisecond
)

// begin notes the beginning of a frame. The time since the frame before is what that
// one took: a browser asks for the next when it is done with it.
func (p *pace) begin(now time.Time) {
	p.took = min(now.Sub(p.frame), longestFrame)
	if p.drew {
		p.cost += (p.took - p.cost) / 8
	}
	p.frame, p.drew = now, false
}

// seconds is how long the frame before took.
func (p *pace) seconds() float64 { return p.took.Seconds() }

// due reports whether the picture may be drawn in this frame.
func (p *pace) due() bool {
	if p.yields || p.frame.Before(p.settled) {
		return p.frame.Sub(p.painted) >= max(yieldedFrame, yieldedCosts*p.cost)
	}
	return p.cost < slowFrame || p.frame.Sub(p.painted) >= 2*p.cost
}

// drawn notes that it was.
func (p *pace) drawn() { p.drew, p.painted = true, p.frame }

// yield lets the picture give way to a run, whose beginning or end counts as if a picture had been drawn.
func (p *pace) yield(on bool) {
	if p.yields == on {
		return
	}
	if !on {
		p.settled = p.frame.Add(settling)
	}
	p.yields, p.painted = on, p.frame
}
