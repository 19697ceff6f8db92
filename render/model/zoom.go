package model

import "math"

// zoom is how much time the strips show. A picture at rest has one level of detail: single bursts of at least
// burstWidth pixels, or flows. While the window glides to another one, the one level fades into the other.
type zoom struct {
	chosen float64 // cycles that the reader asked for, 0 = by the speed
	wanted float64 // cycles on a strip at rest
	level  float64 // of detail at rest
	shown  float64 // cycles on a strip now, 0 = nobody calls Glide: every picture is at rest
	detail float64 // now
}

const (
	// While the run is played, single bursts are shown if a strip of them holds as much of playing.
	followSeconds = 0.5
	// A glide is over after some three times this.
	glideSeconds = 0.07
	// One level of detail fades into the other in this time.
	fadeSeconds = 0.2
	// Windows closer than this are the same.
	sameWindow = 0.004
)

// Glide takes the window and the level of detail on their way to those of the picture at rest, and reports whether
// they move. Without it every picture is at rest.
func (v *View) Glide(seconds float64) bool {
	z := &v.zoom
	if z.wanted == 0 {
		return false
	}
	if z.shown == z.wanted && z.detail == z.level {
		return false
	}
	if first := z.shown == 0; first || v.ReducedMotion {
		z.shown, z.detail = z.wanted, z.level
		return !first // the first picture is at rest
	}
	way := math.Log(z.wanted / z.shown)
	if z.shown *= math.Exp(way * min(1, seconds/glideSeconds)); math.Abs(way) < sameWindow {
		z.shown = z.wanted
	}
	if step := seconds / fadeSeconds; z.detail < z.level {
		z.detail = min(z.level, z.detail+step)
	} else {
		z.detail = max(z.level, z.detail-step)
	}
	return true
}

// burstCycles returns the shortest and the longest burst of the sides shown, so that both have one scale and one level.
func (v *View) burstCycles() (shortest, longest float64) {
	sides, n := v.shown()
	for i := range n {
		c := v.Sides[sides[i]].Topology.BurstCycles()
		if longest = max(longest, c); i == 0 || c < shortest {
			shortest = c
		}
	}
	return shortest, longest
}

// restWindow is how many cycles a strip shows at rest.
func (v *View) restWindow(length, shortest, longest float64) float64 {
	if v.zoom.chosen > 0 {
		return clamp(v.zoom.chosen, leastWindow, max(v.extent(), leastWindow))
	}
	played := bounded(v.CyclesPerSecond, math.MaxUint32)
	window := max(played*stripSeconds, slowestWindow(length, longest))
	single := length / burstWidth * shortest
	if !v.Playing || single >= played*followSeconds {
		window = min(window, max(single, leastWindow))
	}
	return window
}

// timescale is that of the strips between left and right.
func (v *View) timescale(left, right float64) timescale {
	z, length := &v.zoom, max(right-left, 1)
	shortest, longest := v.burstCycles()
	z.wanted = v.restWindow(length, shortest, longest)
	z.level = levelOf(length / z.wanted * shortest)
	window, detail := z.wanted, z.level
	if z.shown > 0 {
		window, detail = z.shown, z.detail
	}
	v.stripLeft, v.stripWidth = left, length
	t := newTimescale(v.cursor(), window, left, right, shortest)
	t.detail = detail
	return t
}

// Window returns how many cycles the strips show at rest, 0 before the first picture.
func (v *View) Window() float64 { return v.zoom.wanted }

// StripWidth returns how wide a strip is in pixels.
func (v *View) StripWidth() float64 { return v.stripWidth }

// Settle makes the next picture one at rest.
func (v *View) Settle() { v.zoom.shown = 0 }

// FollowSpeed gives the window back to the speed.
func (v *View) FollowSpeed() { v.zoom.chosen = 0 }

// Zoom shows factor times as many cycles, and returns the cursor with which the cycle at x stays where it is. Left of
// the strips that is the first cycle shown.
func (v *View) Zoom(x, factor float64) (cursor float64) {
	z := &v.zoom
	if z.wanted == 0 || !(factor > 0) {
		return v.Cycle
	}
	right := (1 - clamp((x-v.stripLeft)/v.stripWidth, 0, 1)) * z.wanted // cycles from x to the right edge
	before := z.wanted
	z.chosen = clamp(before*factor, leastWindow, max(v.extent(), leastWindow))
	if z.shown > 0 {
		z.shown = z.chosen // the picture follows the hand at once; only the levels of detail fade
	}
	return v.bound(v.Cycle - right + right*z.chosen/before)
}

// Pan returns the cursor after the strips were pulled to the right by a number of pixels.
func (v *View) Pan(pixels float64) (cursor float64) {
	if v.stripWidth == 0 {
		return v.Cycle
	}
	return v.bound(v.Cycle - pixels/v.stripWidth*v.zoom.wanted)
}

// Fit shows the whole run. If it is shown already, Fit shows the cycle at x as closely as the speed asks for.
// It returns the cursor.
func (v *View) Fit(x float64) (cursor float64) {
	z := &v.zoom
	if z.wanted == 0 {
		return v.Cycle
	}
	if all := v.extent(); z.chosen != all {
		z.chosen = all
		return all
	}
	at := v.Cycle - (1-clamp((x-v.stripLeft)/v.stripWidth, 0, 1))*z.wanted
	z.chosen = 0
	shortest, longest := v.burstCycles()
	return v.bound(at + v.restWindow(v.stripWidth, shortest, longest)/2)
}

// Scroll shows the channels so many pixels below first.
func (v *View) Scroll(first int, pixels float64) {
	if v.stripH > 0 {
		v.First = max(0, first+int(math.Round(pixels/v.stripH)))
	}
}

// ScrollPage shows the channels of so many controllers further down.
func (v *View) ScrollPage(controllers int) { v.First = max(0, v.First+controllers*v.perGroup) }

func (v *View) bound(cycle float64) float64 { return clamp(cycle, 0, v.extent()) }
