package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// timesVariable names the built pages that TestPageTimes measures, separated by colons; ./build.sh bench
// page sets it.
const timesVariable = "BURSTSCOPE_TIMES_OF"

// timesRounds is odd, for a median.
const timesRounds = 3

// goals are in milliseconds, on two cores with software rendering and no throttling; fps is in frames a
// second, and knob is a share of the full run.
var goals = []struct {
	name, what string
	goal       float64
}{
	{"read", "page can be read, ms", 1000},
	{"engine", "engine ready, ms", 2000},
	{"result", "first own result, ms", 3000},
	{"view", "moving picture after the result, ms", 1000},
	{"full", "full run, ms", 0},
	{"knob", "a knob of side B to its result, ms", 0},
	{"share", "a knob, share of the full run", 0.5},
	{"seek", "seek, ms", 150},
	{"fps", "frames a second while playing", 15},
	{"again", "second visit: result on show, ms", 0},
}

// timeRecorder runs before the page and notes times since the address was asked for.
const timeRecorder = `(() => {
	const times = (window.times = {});
	new PerformanceObserver(list => {
		for (const e of list.getEntries()) if (e.name === "first-contentful-paint") times.read ??= e.startTime;
	}).observe({type: "paint", buffered: true});
	const look = () => {
		const s = window.burstscope?.state;
		const now = performance.now();
		if (s?.engineReady) times.engine ??= now;
		if (s?.results.A && s.results.B) times.shown ??= now;
		if (s?.phase === "done") times.result ??= now;
		if (s?.view.ready && s.picture === "moving" && s.view.tick > 0 && s.cycle > 0) times.view ??= now;
		if (times.result === undefined || times.view === undefined) setTimeout(look, 4);
	};
	look();
})();`

// TestPageTimes prints what a visitor of each page waits for, the median of three visits, the pages in
// turns. It measures on a quiet machine only, so the whole test run leaves it out, and no time fails it.
func TestPageTimes(t *testing.T) {
	if os.Getenv(timesVariable) == "" {
		t.Skip("run ./build.sh bench page on a quiet machine")
	}
	folders := filepath.SplitList(os.Getenv(timesVariable))
	found := map[string]map[string][]float64{}
	for round := range timesRounds {
		for _, folder := range folders {
			if found[folder] == nil {
				found[folder] = map[string][]float64{}
			}
			times := visitTimes(t, folder)
			t.Logf("%s, visit %d: first own result after %.0f ms", folder, round+1, times["result"])
			for name, x := range times {
				found[folder][name] = append(found[folder][name], x)
			}
		}
	}
	for _, folder := range folders {
		var b strings.Builder
		for _, g := range goals {
			all := found[folder][g.name]
			if len(all) == 0 {
				continue
			}
			slices.Sort(all)
			goal := ""
			if g.goal > 0 {
				goal = fmt.Sprintf("  goal %g", g.goal)
			}
			fmt.Fprintf(&b, "%-38s %8.2f  (%.2f to %.2f)%s\n", g.what, all[len(all)/2], all[0], all[len(all)-1], goal)
		}
		t.Logf("%s, median of %d:\n%s", folder, timesRounds, b.String())
	}
}

// visitTimes is one visit of a page in a browser of its own.
func visitTimes(t *testing.T, folder string) map[string]float64 {
	files, err := static.Handler(folder)
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(files)
	defer server.Close()
	b, stop, err := start(findBrowser(t), withGraphics)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	ctx, leave := chromedp.NewContext(b.ctx)
	defer leave()
	// The tab ends with the context of its first command, so that is not one with a time limit.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	p := &tab{t: t, ctx: ctx}
	p.do(command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: timeRecorder}))
	p.do(command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	visit := func() map[string]float64 {
		p.do(chromedp.Navigate(server.URL))
		p.look()
		poll(p, "window.times?.view !== undefined && window.times.result !== undefined")
		return eval[map[string]float64](p, "window.times")
	}
	times := visit()
	times["view"] -= times["result"]
	delete(times, "shown")
	// Playing: what the view draws in each of three seconds.
	frames := eval[float64](p, `new Promise(done => {
		const c = window.burstscopeControl;
		c.play(true);
		const ticks = () => window.burstscope.state.view.fps;
		setTimeout(() => { const all = [ticks()]; const more = () => all.length < 5 ? (all.push(ticks()), setTimeout(more, 500)) : (c.play(false), done(all.sort((a, b) => a - b)[2])); setTimeout(more, 500); }, 1500);
	})`)
	times["fps"] = frames
	// Cycles that the page does not hold, each from somewhere else.
	times["seek"] = eval[float64](p, `(async () => {
		const end = window.burstscope.state.cycles;
		const all = [];
		for (const share of [0.8, 0.3, 0.6, 0.1, 0.9]) {
			const since = performance.now();
			await window.burstscope.seek({cycle: Math.floor(end * share), window: 1536, sides: "BA"});
			all.push(performance.now() - since);
		}
		return all.sort((a, b) => a - b)[2];
	})()`)
	run := func(change string) float64 {
		return eval[float64](p, fmt.Sprintf(`new Promise(done => {
			const {page, run} = window.burstscopeControl;
			const s = page.settings.scenario;
			%s;
			page.emit("scenario");
			const since = performance.now();
			const before = page.run.number;
			run();
			const look = () => page.run.number > before && page.run.phase === "done" ? done(performance.now() - since) : setTimeout(look, 2);
			look();
		})`, change))
	}
	times["full"] = run(`s.seed = 2`)
	times["knob"] = run(`s.memory.threshold = 8`)
	times["share"] = times["knob"] / times["full"]
	poll(p, "window.burstscope.state.offline.kept")
	p.do(chromedp.Navigate("about:blank"))
	again := visit()
	times["again"] = again["shown"]
	return times
}
