//go:build js

// Command view is the program of the inner page: an Ebiten canvas that draws the data
// of the outer page. It keeps no state that could be lost: after a reload the outer page
// sends everything again.
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

	// An unchanged picture is not drawn again, so the screen must not be cleared.
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetRunnableOnUnfocused(true)
	options := ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true}
	if err := ebiten.RunGameWithOptions(game, &options); err != nil {
		out.failed(err.Error())
	}
}
