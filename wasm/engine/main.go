//go:build js

// Command engine is the simulator inside a Web Worker. It receives scenarios and sends
// events and results. It runs two schemes side by side in slices; between slices the
// worker reads its messages, so a cancel takes effect within one slice.
package main

import (
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/burstscope/burstscope/assets/kernels"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/wasm/engine/modules"
)

// memoryBytes is the soft limit of the garbage collector: the page and the picture need
// the rest of 512 MB.
const memoryBytes = 256 << 20

func main() {
	debug.SetMemoryLimit(memoryBytes)
	kernels.Fetch = texts{}.fetch
	plugin.Host = modules.Start
	e := &engine{}
	handle := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 1 && args[0].Type() == js.TypeObject {
			e.receive(args[0])
		}
		return nil
	})
	api := js.Global().Get("Object").New()
	api.Set("handle", handle)
	js.Global().Set("burstscopeEngine", api)
	e.step = js.FuncOf(func(js.Value, []js.Value) any {
		e.slice()
		return nil
	})
	e.share.then = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer e.recovered()
		e.recalled(args[0].Int(), args[1])
		return nil
	})
	e.traceStep = js.FuncOf(func(js.Value, []js.Value) any {
		e.traceSlice()
		return nil
	})
	e.seekStep = js.FuncOf(func(js.Value, []js.Value) any {
		e.seekSlice()
		return nil
	})
	e.points.step = js.FuncOf(func(js.Value, []js.Value) any {
		e.pointSlice()
		return nil
	})
	e.estimating.recorded = map[string]*recorded{}
	e.estimating.step = js.FuncOf(func(js.Value, []js.Value) any {
		defer e.recovered()
		e.estimating.slice()
		return nil
	})
	post(e.ready())
	select {} // the callbacks do the work
}

// receive handles one message of the page. It reports a panic as an internal error, and
// the worker stays usable.
func (e *engine) receive(msg js.Value) {
	defer e.recovered()
	switch kind := text(msg, "type"); kind {
	case "run":
		e.start(msg)
	case "wants":
		e.wanted(msg)
	case "shared":
		e.shared(msg)
	case "cancel":
		e.cancel(number(msg, "run"))
	case "check":
		e.check(msg)
	case "pack":
		e.pack(msg)
	case "unpack":
		e.unpack(msg)
	case "describe":
		e.describe(msg)
	case "exclusions":
		sendExclusions(msg)
	case "estimate":
		e.estimating.ask(msg)
	case "compile":
		compileText(msg)
	case "contents":
		contents(msg)
	case "inspect":
		e.inspect(msg)
	case "l1Sets":
		e.l1Sets(msg)
	case "launches":
		e.launches(msg)
	case "elements":
		e.elements(msg)
	case "explain":
		e.explain(msg)
	case "blocks":
		e.sendBlocks(number(msg, "run"), text(msg, "side"), msg.Get("id"))
	case "seek":
		e.seek(msg)
	case "trace":
		e.startTrace(msg)
	case "cancelTrace":
		e.tracing = nil
	case "point":
		e.startPoint(msg)
	case "pointCancel":
		e.cancelPoint(number(msg, "id"))
	case "pointPause":
		e.pausePoint(number(msg, "id"), msg.Get("paused").Truthy())
	case "lab":
		e.lab(msg)
	case "labCancel":
		e.labCancel()
	case "labBlock":
		e.labBlock(msg)
	case "why":
		explainElement(msg)
	case "fit":
		e.fit(msg)
	case "fitAnswer":
		e.fitAnswer(msg)
	case "fitMap":
		e.fitMap(msg)
	case "fitSimulate":
		e.fitSimulate(msg)
	default:
		post(failure(0, "", "unknown message", fmt.Sprintf("type %q", kind), "send run, wants, shared, cancel, check, pack, unpack, describe, estimate, compile, inspect, l1Sets, launches, explain, blocks, seek, trace, cancelTrace, point, pointCancel, pointPause, lab, labCancel, labBlock, why, fit, fitAnswer, fitMap or fitSimulate"))
	}
}

func (e *engine) recovered() {
	if r := recover(); r != nil {
		run := e.run
		e.stop()
		e.desk.Clear()
		post(failure(run, "", "internal error", fmt.Sprint(r), "this is a mistake in Burstscope: please report it with the link of this page"))
	}
}
