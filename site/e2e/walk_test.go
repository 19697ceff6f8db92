package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// mouse sends an event of the mouse at the middle of the moving picture.
func (p *tab) mouse(kind input.DispatchMouseEventType, wheel float64, clicks int) {
	p.t.Helper()
	box := eval[struct{ X, Y float64 }](p, `(r => ({x: r.x + r.width * .75, y: r.y + r.height / 2}))(
		document.getElementById("view-holder").getBoundingClientRect())`)
	event := input.DispatchMouseEventParams{Type: kind, X: box.X, Y: box.Y, DeltaY: wheel}
	if wheel != 0 {
		event.DeltaX = 1e-3 // Chromium wants both
	}
	if clicks > 0 {
		event.Button, event.ClickCount = input.MouseButtonLeft, int64(clicks)
	}
	p.do(command(input.DispatchMouseEvent, event))
}

// TestPictureIsWalked: after Interact the wheel zooms, keys move the cursor of the whole page, and a double click shows
// the whole run. Without it the wheel scrolls the page.
func TestPictureIsWalked(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&"+quick+"&picture=moving")
	p.finish()
	// The browser tells of a pointer that rests when the page moves below it. Nobody looks then.
	if eval[bool](p, `dispatchEvent(new PointerEvent("pointermove")) && burstscopeControl.page.watched`) {
		t.Error("a pointer that rests counts as a reader")
	}
	p.look()
	p.wait(`S.view.ready && S.picture === "moving" && S.view.window > 0`)
	eval[any](p, `(b => b.classList.contains("playing") && b.click())(document.getElementById("play"))`)
	p.wait(`!S.playing`)
	before := p.state().View.Window
	p.mouse(input.DispatchMouseEventTypeMouseWheel, 100, 0)
	p.settle()
	if s := p.state(); s.View.Window != before {
		t.Errorf("the wheel zooms before Interact: %v cycles, before %v", s.View.Window, before)
	}
	eval[any](p, `document.getElementById("interact").click()`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, 0, 0)
	p.mouse(input.DispatchMouseEventTypeMouseWheel, 300, 0)
	p.wait(`S.view.window > 1.2 * ` + fmt.Sprint(before))
	at := p.state().Cycle
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "a", Code: "KeyA"}
	p.do(command(input.DispatchKeyEvent, key))
	key.Type = input.DispatchKeyEventTypeKeyUp
	p.do(command(input.DispatchKeyEvent, key))
	p.wait(`S.cycle < ` + fmt.Sprint(at) + ` && Math.abs(S.view.cycle - S.cycle) < 1`)
	for clicks := range 2 {
		p.mouse(input.DispatchMouseEventTypeMousePressed, 0, clicks+1)
		p.mouse(input.DispatchMouseEventTypeMouseReleased, 0, clicks+1)
		p.settle() // a frame sees one click at most
	}
	p.wait(`S.cycle === S.cycles && S.view.window === S.cycles`)
	if s := p.state(); math.Abs(s.View.Cycle-s.Cycles) > 1 {
		t.Errorf("the picture shows cycle %v of %v", s.View.Cycle, s.Cycles)
	}
}
