package e2e

import (
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// withClock lets a test end the page's workers without a word, as a browser does that
// runs out of memory, and tick the clock that waits for them.
const withClock = `
	window.workers = [];
	window.heard = []; // results of sides
	window.Worker = class extends Worker {
		constructor(...of) {
			super(...of);
			workers.push(this);
			this.addEventListener("message", ({data}) => data.type === "result" && heard.push(data.run + data.side));
		}
	};
	window.ticks = new Map();
	let ids = 0;
	const interval = window.setInterval.bind(window);
	window.setInterval = (f, every) => {
		if (every !== 1000) return interval(f, every);
		const id = --ids;
		ticks.set(id, f);
		return id;
	};
	const clear = window.clearInterval.bind(window);
	window.clearInterval = (id) => ticks.delete(id) || clear(id);
	window.tick = (n) => { for (; n > 0; n--) for (const f of [...ticks.values()]) f(); };
`

// TestEngineDies: an engine that ends without a word is told to the reader, who keeps
// settings and results and may start another. A page in the background does not count
// the time, and an engine that was only slow goes on. The 30 seconds are those of
// site/src/lib/silence.ts.
func TestEngineDies(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&s=dct&workload.size=384&picture=plain", command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: withClock}))
	p.wait("S.phase === 'running' && S.progress.phase === 'simulate'")

	// Slow: no message comes in while the clock ticks, and one after it.
	if said := eval[string](p, `tick(29), burstscope.state.phase + burstscope.state.messages.length`); said != "running0" {
		t.Fatalf("after 29 silent seconds: %s", said)
	}
	if said := eval[string](p, `tick(30), burstscope.state.phase + ": " + burstscope.state.messages.map((m) => m.what)`); said != "error: The engine has not answered for 30 seconds." {
		t.Fatalf("after 30 silent seconds: %s", said)
	}
	p.wait("S.messages.length === 0 && S.phase !== 'error'")
	first := p.finish()

	// Dead.
	eval[any](p, `document.getElementById("run").click()`)
	p.wait("S.run === 2 && S.phase === 'running' && S.progress.phase === 'simulate'")
	eval[any](p, `workers[0].terminate(), new Promise((r) => setTimeout(r, 500))`)
	if p.state().Engines == 2 {
		p.wait(`heard.includes("2B")`) // the other engine ends its side
	}
	hidden := func(yes string) {
		eval[any](p, `void Object.defineProperty(document, "hidden", {configurable: true, get: () => `+yes+`})`)
	}
	hidden("true")
	if said := eval[string](p, `tick(10000), burstscope.state.phase`); said != "running" {
		t.Errorf("a page in the background is %s", said)
	}
	hidden("false")
	eval[any](p, `void tick(30)`)
	p.settle()
	s := p.state()
	if s.Phase != "error" || len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "has not answered for 30 seconds. Settings and results are kept.") {
		t.Fatalf("with a dead engine: %s, %v", s.Phase, s.Messages)
	}
	if eval[bool](p, `document.getElementById("progress").checkVisibility() || document.getElementById("run").disabled`) {
		t.Error("the page still shows a run in progress")
	}
	if !reflect.DeepEqual(s.Results, first.Results) {
		t.Errorf("results of %d sides are left, and they are not those of the run before", len(s.Results))
	}
	eval[any](p, `[...document.querySelectorAll("#messages button")].find((b) => b.textContent === "Restart the engine").click()`)
	p.wait("S.run === 3 && S.phase !== 'error'")
	again := p.finish()
	if len(again.Messages) != 0 || again.ResultHashes["B"] != first.ResultHashes["B"] {
		t.Errorf("after the restart %v, before %v, messages %v", again.ResultHashes, first.ResultHashes, again.Messages)
	}
}

// TestSweepEngineDies: a sweep whose engines end without a word is over, and says so.
func TestSweepEngineDies(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&repro=figures&repro.figure=SLC-7", command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: withClock}))
	p.wait(`S.engineReady && document.querySelector(".figpanel") !== null`)
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "running" && document.querySelector(".sweep progress").value > 0`)
	eval[any](p, `workers.slice(1).forEach((w) => w.terminate()), new Promise((r) => setTimeout(r, 500))`)
	if sweep := eval[string](p, `tick(29), burstscope.state.repro.sweep`); sweep != "running" {
		t.Errorf("after 29 silent seconds the sweep is %s", sweep)
	}
	eval[any](p, `void tick(1)`)
	s := p.state()
	if sweep := eval[string](p, `burstscope.state.repro.sweep`); sweep != "cancelled" || len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "An engine has not answered for 30 seconds.") {
		t.Errorf("with dead engines the sweep is %s, messages %v", sweep, s.Messages)
	}
	if eval[bool](p, `document.querySelector(".sweep-run").hidden || document.querySelector(".sweep-run").disabled`) {
		t.Error("no run can be started afterwards")
	}
}
