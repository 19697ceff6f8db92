package model

// timescale maps cycles to the length of a strip.
type timescale struct {
	now      float64
	window   float64 // cycles on a strip
	detail   float64 // 1 = single bursts, 0 = flows; between only while the picture glides from one to the other
	perCycle float64 // pixels
	left     float64
	right    float64
}

const (
	// A strip shows the last 1.5 seconds of playing.
	stripSeconds = 1.5
	// In the slowest motion a burst is this many pixels wide.
	slowestBurstWidth = 9
	// leastWindow is the fewest cycles on a strip.
	leastWindow = 16
	// A burst of fewer pixels is part of a flow; a wider one stands alone [ours: its outline can be told].
	burstWidth = 3
)

// slowestWindow is the cycles on a strip in the slowest motion.
func slowestWindow(length, burstCycles float64) float64 {
	return max(length/slowestBurstWidth*burstCycles, leastWindow)
}

func newTimescale(now, window, left, right, burstCycles float64) timescale {
	length := max(right-left, 1)
	t := timescale{now: now, window: window, left: left, right: right}
	t.perCycle = length / t.window
	t.detail = levelOf(burstCycles * t.perCycle)
	return t
}

// levelOf is the level of detail of a picture at rest whose bursts have a width in pixels.
func levelOf(width float64) float64 {
	if width >= burstWidth*0.999 { // a window that was chosen for this width rounds
		return 1
	}
	return 0
}

// x is where a cycle lies; now is the right edge.
func (t *timescale) x(cycle float64) float64 {
	return t.right - (t.now-cycle)*t.perCycle
}

func (t *timescale) begin() float64 { return t.now - t.window }

// span clips the cycles from a to b to the strip.
func (t *timescale) span(a, b float64) (x1, x2 float64, ok bool) {
	x1, x2 = max(t.x(a), t.left), min(t.x(b), t.right)
	return x1, x2, x2 > x1
}

func smoothStep(x float64) float64 {
	x = max(0, min(x, 1))
	return x * x * (3 - 2*x)
}
