//go:build js

// Command view is the program of the inner page: an Ebiten canvas that shows
// what the page outside tells it. It has no state of its own that matters: when
// it is loaded anew, the page tells it everything again.
package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/render/app"
	"github.com/hajimehoshi/ebiten/v2"
)

func main() {
	out := newOutlet()
	game := app.New(out, newCanvasGlyphs())
	js.Global().Set("burstscopeViewReceive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) > 0 {
			receive(game, args[0])
		}
		return nil
	}))

	// A picture that has not changed is not drawn again, so the screen must keep it.
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetRunnableOnUnfocused(true)
	options := ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true}
	if err := ebiten.RunGameWithOptions(game, &options); err != nil {
		out.failed(err.Error())
	}
}
