//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/render/app"
	"github.com/burstscope/burstscope/render/model"
)

// outlet posts to the page outside.
type outlet struct {
	parent js.Value
	origin string
	posted int // tick of the last state posted
	run    int // its run
}

func newOutlet() *outlet {
	window := js.Global()
	o := &outlet{parent: window.Get("parent"), origin: window.Get("origin").String()}
	if o.origin == "null" || o.origin == "" { // a page from a file or in a sandbox has no origin
		o.origin = "*"
	}
	if !o.parent.Truthy() || o.parent.Equal(window) {
		o.parent = js.Undefined()
	}
	return o
}

func (o *outlet) post(m map[string]any) {
	if o.parent.Truthy() {
		o.parent.Call("postMessage", m, o.origin)
	}
}

var sideNames = [2]string{"A", "B"}

// Pick implements app.Shell.
func (o *outlet) Pick(p model.Pick) {
	o.post(map[string]any{"type": "pick", "side": sideNames[p.Side&1], "addr": float64(p.Addr), "req": p.Req, "cycle": p.Cycle})
}

// Threshold implements app.Shell.
func (o *outlet) Threshold(bytes int) {
	o.post(map[string]any{"type": "threshold", "bytes": bytes})
}

// Colour implements app.Shell.
func (o *outlet) Colour(name string) {
	o.post(map[string]any{"type": "mapColour", "colour": name})
}

// Seek implements app.Shell.
func (o *outlet) Seek(cycle float64) {
	o.post(map[string]any{"type": "seek", "cycle": cycle})
}

// postEvery is the smallest distance of two posted states of one run, in frames. The object
// burstscopeView.state always holds the latest state.
const postEvery = 6

// State implements app.Shell.
func (o *outlet) State(s app.State) {
	m := map[string]any{
		"type": "viewState", "tick": s.Tick, "run": s.Run, "cycle": s.Cycle, "window": s.Window, "fps": s.FPS,
		"burstsDrawn": s.Counts.Bursts, "savedDrawn": s.Counts.Saved,
		"approximatedDrawn": s.Counts.Approximated, "metadataDrawn": s.Counts.Metadata,
	}
	if view := js.Global().Get("burstscopeView"); view.Truthy() {
		view.Set("state", m)
	}
	if s.Tick-o.posted >= postEvery || s.Run != o.run {
		o.posted, o.run = s.Tick, s.Run
		o.post(m)
	}
}

func (o *outlet) failed(message string) {
	o.post(map[string]any{"type": "viewFailed", "message": message})
}
