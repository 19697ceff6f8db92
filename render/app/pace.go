package app

import "time"

// pace draws less often if a picture takes long. With graphics hardware it is drawn with
// every frame. Without, it takes tens of milliseconds of the processors on which the
// engine computes; then it is drawn only so often that half of the time is left.
type pace struct {
	frame   time.Time     // when the frame before began
	painted time.Time     // when the picture was drawn last
	drew    bool          // in the frame before
	cost    time.Duration // of a frame with a picture, on average
}

const (
	// A frame that took longer was not drawn by hardware: 30 pictures a second [ours].
	slowFrame = 33 * time.Millisecond
	// What a frame may count for; a hidden page draws none for minutes.
	longestFrame = 500 * time.Millisecond
)

// begin notes the beginning of a frame. The time since the frame before is what that
// one took: a browser asks for the next when it is done with it.
func (p *pace) begin(now time.Time) {
	if p.drew {
		took := min(now.Sub(p.frame), longestFrame)
		p.cost += (took - p.cost) / 8
	}
	p.frame, p.drew = now, false
}

// due reports whether the picture may be drawn in this frame.
func (p *pace) due() bool {
	return p.cost < slowFrame || p.frame.Sub(p.painted) >= 2*p.cost
}

// drawn notes that it was.
func (p *pace) drawn() { p.drew, p.painted = true, p.frame }
