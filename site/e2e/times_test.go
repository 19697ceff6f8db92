package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// The connection that the design speaks of: 10 Mb/s, with the delay of a server in
// the same country.
const (
	lineBytesPerSecond = 10e6 / 8
	lineDelayMS        = 20
)

// line is such a connection: what goes over it waits for what goes already.
type line struct {
	mu   sync.Mutex
	free time.Time
}

func (l *line) over(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(lineDelayMS * time.Millisecond)
		handler.ServeHTTP(lineWriter{w, l}, r)
	})
}

type lineWriter struct {
	http.ResponseWriter
	line *line
}

func (w lineWriter) Write(data []byte) (int, error) {
	w.line.mu.Lock()
	w.line.free = later(w.line.free, time.Now()).Add(time.Duration(float64(len(data)) / lineBytesPerSecond * float64(time.Second)))
	through := w.line.free
	w.line.mu.Unlock()
	time.Sleep(time.Until(through))
	return w.ResponseWriter.Write(data)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// recorder runs before the page and notes when it could be read, when the engine
// was there and when the first result of this machine was, in milliseconds since
// the address was asked for.
const recorder = `(() => {
	const times = (window.times = {});
	new PerformanceObserver(list => {
		for (const e of list.getEntries()) times[e.name] ??= e.startTime;
	}).observe({type: "paint", buffered: true});
	const look = () => {
		const s = window.burstscope?.state;
		if (s?.engineReady) times.engine ??= performance.now();
		if (s?.phase === "done") times.result ??= performance.now();
		if (s?.view.ready) times.view ??= performance.now();
		if (times.result === undefined || times.view === undefined) setTimeout(look, 4);
	};
	look();
	const of = globalThis.ServiceWorkerContainer?.prototype, register = of?.register;
	if (of) of.register = function (...a) {
		times.storing ??= performance.now();
		return register.apply(this, a);
	};
})();`

// TestTimes reports what a reader waits for, over the line of the design: until the
// page can be read, until the engine is there, until the first result of the
// reader's own machine, and until the moving picture; on a second visit all but the
// result, which takes as long as the first one. What it holds the page to is that it
// can be read before a script, or the engine, has arrived, and that storing the page leaves the first
// seconds after a result to the picture. The other milliseconds are for a quiet machine to say.
func TestTimes(t *testing.T) {
	t.Parallel()
	server := serve(t)
	// Numbers come with the first script; before it the page says what it is.
	for held, readable := range map[string]string{"shell.js": `document.body.innerText.includes("Burstscope")`, "engine.wasm": `document.getElementById("headline").textContent.includes("%")`} {
		let := server.hold(t, held)
		p := open(t, "about:blank")
		p.leaveFor(server.URL)
		poll(p, `performance.getEntriesByName("first-contentful-paint").length > 0 && `+readable)
		let()
		p.do(chromedp.Navigate("about:blank")) // what it would draw takes the time of what follows
	}
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	far := host(t, new(line).over(files))
	p := launch(t, withGraphics).open(t, "about:blank", command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: recorder}))
	visit := func(until string) map[string]float64 {
		p.do(chromedp.Navigate(far.URL))
		p.look()
		poll(p, "window.times?.view !== undefined && window.times."+until+" !== undefined")
		return eval[map[string]float64](p, "window.times")
	}
	first := visit("result")
	t.Logf("first visit at 10 Mb/s: read after %.0f ms, engine after %.0f ms, own result after %.0f ms, moving picture after %.0f ms",
		first["first-contentful-paint"], first["engine"], first["result"], first["view"])
	if first["first-contentful-paint"] <= 0 || first["engine"] > first["result"] {
		t.Errorf("first visit: %v", first)
	}
	p.wait("S.offline.kept")
	if after := eval[float64](p, "times.storing") - first["result"]; after < 2000 {
		t.Errorf("the page is stored %.0f ms after the first result", after)
	}
	p.do(chromedp.Navigate("about:blank"))
	second := visit("engine")
	t.Logf("second visit at 10 Mb/s: read after %.0f ms, engine after %.0f ms, moving picture after %.0f ms",
		second["first-contentful-paint"], second["engine"], second["view"])
}

// spy runs before the page and notes every message between it and the engine from
// a cancel on.
const spy = `(() => {
	const log = (window.log = []);
	const note = (m, worker) => window.cancelledAt !== undefined && log.push({type: m.type, run: m.run, worker, after: performance.now() - window.cancelledAt});
	let workers = 0;
	const post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (m, ...rest) {
		if (!this.spied) {
			this.spied = ++workers;
			this.addEventListener("message", e => note(e.data, this.spied));
		}
		if (m.type === "cancel") window.cancelledAt = performance.now();
		return post.call(this, m, ...rest);
	};
})();`

// TestCancelIsAnswered: the engine answers a cancel in the middle of a long run
// before it goes on: what still arrives is what it had said before it could know.
func TestCancelIsAnswered(t *testing.T) {
	server := serve(t)
	p := open(t, "about:blank", command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: spy}))
	p.do(chromedp.Navigate(server.URL + "/#v=1&s=dct&workload.size=1024&picture=plain"))
	for _, when := range []string{"reference", "simulate"} {
		p.wait(fmt.Sprintf("S.phase === 'running' && S.progress.phase === %s", quote(when)))
		run := p.state().Run
		// What has arrived already is heard first; more than one slice of each side
		// cannot be on its way.
		eval[any](p, `new Promise(done => setTimeout(() => { document.getElementById("cancel").click(); done(); }))`)
		poll(p, fmt.Sprintf("window.log.filter(m => m.type === 'cancelled' && m.run === %d).length === window.burstscope.state.engines", run))
		type message struct {
			Type string
			Run  int
			// Worker numbers the engines: where there are two, each answers.
			Worker int
			After  float64
		}
		log := eval[[]message](p, "window.log")
		progress, answer := map[int]int{}, map[int]float64{}
		for _, m := range log {
			if m.Run != run {
				continue
			}
			if m.Type == "cancelled" {
				answer[m.Worker] = m.After
			} else if answer[m.Worker] != 0 {
				t.Errorf("in %s: %s after the answer", when, m.Type)
			} else if m.Type == "progress" {
				progress[m.Worker]++
			}
		}
		t.Logf("in %s: answered after %v ms by engine, %v reports of progress on the way", when, answer, progress)
		for worker, n := range progress {
			if n > 2 {
				t.Errorf("in %s: engine %d went on: %d reports of progress between cancel and answer", when, worker, n)
			}
		}
		eval[any](p, `window.log.length = 0; window.cancelledAt = undefined; document.getElementById("run").click()`)
	}
}
