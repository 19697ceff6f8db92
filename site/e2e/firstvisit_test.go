package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestLabOpensWithAnExample: who opens the data lab sees measured data at once, marked as an
// example. A file of the reader's own takes their place, and coming back keeps it.
func TestLabOpensWithAnExample(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL)
	p.wait("S.engineReady")
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait(`S.lab.phase === "done" && document.querySelectorAll("#lab-ratios tbody tr").length > 0`)
	words := p.textOf("lab-example")
	if !strings.Contains(words, "LSTM, weights of its state, rounded to bf16, bf16, out of @ricky0123/vad-web") {
		t.Errorf("the example is marked %q", words)
	}
	poll(p, `location.hash.includes("lab=speech-state-bf16")`)
	p.dropInLab("field.bin", labData(50))
	p.wait(`S.lab.phase === "done" && S.lab.blocks === 50`)
	poll(p, `document.getElementById("lab-example").hidden`)
	eval[any](p, `document.getElementById("to-simulator").click()`)
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.settle()
	p.settle()
	p.wait(`S.lab.open && S.lab.blocks === 50 && S.lab.phase === "done"`)
}

// TestLegendsAndEmptyCharts: every entry of the legend of DRAM over time has a mark of its own, and
// a histogram without bars says why.
func TestLegendsAndEmptyCharts(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&"+quick+"&B.memory.mag=64&B.memory.codec=bdi&B.memory.approximation=none&tab=dram&dram=bandwidth&picture=plain")
	p.finish()
	p.wait(`document.querySelectorAll("#panel-dram .legend .k").length === 4`)
	marks := eval[[]string](p, `[...document.querySelectorAll("#panel-dram .legend .k")].map(k => (s => s.backgroundImage + s.backgroundColor + s.borderTopStyle)(getComputedStyle(k)))`)
	seen := map[string]bool{"nonergba(0, 0, 0, 0)none": true} // nothing to see
	for i, mark := range marks {
		if seen[mark] {
			t.Errorf("mark %d of the legend is invisible or that of another entry: %s", i, mark)
		}
		seen[mark] = true
	}
	// Bars name their parts and their unit where they stand: nothing has to be opened.
	eval[bool](p, within(`document.querySelectorAll(".breakdown .bar-of rect").length > 20`))
	if faults := eval[[]string](p, `[...document.querySelectorAll(".breakdown")].flatMap(b => {
		const named = new Set([...b.querySelectorAll(".legend span:not([hidden]) i")].map(i => i.checkVisibility() && getComputedStyle(i).backgroundColor));
		const faults = [...b.querySelectorAll(".bar-of rect")].filter(r => r.width.baseVal.value > 3 && !named.has(getComputedStyle(r).fill)).map(r => r.textContent + " has no name");
		const unit = b.querySelector("h2 small")?.textContent ?? b.querySelector(".num").textContent.replace(/[\d.,\s\u202f]/g, "");
		return unit ? faults : [...faults, b.dataset.breakdown + " has no unit"];
	})`); len(faults) > 0 {
		t.Errorf("bars: %q", faults)
	}
	eval[any](p, `document.getElementById("tab-mag").click()`)
	poll(p, `document.getElementById("panel-mag").textContent.includes("No block ends above a multiple of 64 B: of ")`)
}

// TestPictureOfTheRun: a picture is of the run it stands for. The moving one comes with its first
// picture of both sides at work; until then the built picture of a shipped scenario stands there, or the
// moving one of the run before.
func TestPictureOfTheRun(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd")
	p.look()
	// What is on show after each frame until a run is drawn, but for the frames in which the page
	// itself learns of the run.
	eval[any](p, `void (window.seen = new Set(), window.looks = {}, (function look() {
		requestAnimationFrame(() => setTimeout(look));
		const S = window.burstscope?.state;
		if (S && S.run > 0 && S.view.run < S.run && (looks[S.run] = (looks[S.run] ?? 0) + 1) > 2) seen.add(S.run + " " + S.picture + " " + (document.querySelector("#poster-figures").checkVisibility() ? document.querySelector("#poster-figures img")?.getAttribute("src").match(/built\/\w+/)[0] ?? "words" : ""));
	})())`)
	// A run may be over before a frame of it was seen; what was seen is of that run.
	seen := func(run int) []string {
		t.Helper()
		p.wait(fmt.Sprintf(`S.phase === "done" && S.view.run === %d && S.picture === "moving"`, run))
		p.settle()
		return eval[[]string](p, fmt.Sprintf(`[...seen].filter(x => x.startsWith("%d "))`, run))
	}
	if got := seen(1); len(got) != 1 || got[0] != "1 page built/vecadd" {
		t.Errorf("before the first picture: %q", got)
	}
	eval[any](p, `(e => { e.value = "64"; e.dispatchEvent(new Event("change")); document.getElementById("run").click(); })(document.getElementById("knob-B-memory-mag"))`)
	if got := seen(2); len(got) > 1 || len(got) == 1 && got[0] != "2 moving " {
		t.Errorf("before the picture of changed settings: %q", got)
	}
	eval[any](p, `(e => { e.value = "tp"; e.dispatchEvent(new Event("change")); })(document.getElementById("scenario"))`)
	if got := seen(3); len(got) != 1 || got[0] != "3 page built/tp" {
		t.Errorf("before the picture of another scenario: %q", got)
	}
}

// shiftMost is what small moves may add up to: words of a button, a line more of the sentence why.
const shiftMost = 0.02

// TestNothingMoves: from the first paint to the end of the first run nothing on the page changes its
// place. The sentence that says why a side is sooner has its room
// from the beginning until both sides have ended: three to five lines.
func TestNothingMoves(t *testing.T) {
	t.Parallel()
	for _, depth := range []string{"simple", "all"} {
		t.Run(depth, func(t *testing.T) {
			t.Parallel()
			testNothingMoves(t, depth)
		})
	}
}

func testNothingMoves(t *testing.T, depth string) {
	server := serve(t)
	let := server.hold(t, "engine.wasm")
	defer let()
	letScript := server.hold(t, "shell.js")
	defer letScript()
	p := open(t, "about:blank", remembered(depth))
	p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1440, Height: 940, DeviceScaleFactor: 1}))
	p.leaveFor(server.URL)
	const places = `Object.fromEntries(["cards", "knob-B-backing-kind", "run", "stage", "tabs", "results-note", "chart"].map(id => [id, document.getElementById(id).getBoundingClientRect().top]))`
	poll(p, `performance.getEntriesByName("first-contentful-paint").length > 0 && document.getElementById("print-foot") !== null`)
	before := eval[map[string]float64](p, places)
	still := func(when string) {
		p.settle()
		for id, top := range eval[map[string]float64](p, places) {
			room := 1.0
			if id == "chart" {
				room = 18 // a line
			}
			if by := top - before[id]; by > room || by < -room {
				t.Errorf("%s moves by %.0f px until %s", id, by, when)
			}
		}
	}
	// What moves between two looks counts too, as the browser sees it.
	eval[any](p, `void new PerformanceObserver(list => { for (const e of list.getEntries()) window.shifted = (window.shifted ?? 0) + e.value; }).observe({type: "layout-shift", buffered: true})`)
	letScript()
	p.wait("S.phase === 'loading' && window.burstscopeLater")
	still("the scripts are there")
	soon := eval[float64](p, "performance.now()")
	let()
	p.finish()
	poll(p, `document.getElementById("why")?.checkVisibility() && document.querySelectorAll("#knobs .sweepthis").length > 10`)
	still("the end of the run")
	// The largest part of the first view does not wait for the engine.
	largest := eval[[]float64](p, `new Promise(done => {
		const told = new PerformanceObserver(list => done(list.getEntries().map(e => e.startTime)));
		told.observe({type: "largest-contentful-paint", buffered: true});
	})`)
	if last := largest[len(largest)-1]; last > soon {
		t.Errorf("the largest part of the first view is painted %.0f ms after the engine could come", last-soon)
	}
	if shifted := eval[float64](p, "window.shifted ?? 0"); shifted > shiftMost {
		t.Errorf("the browser counts a shift of the layout of %.4f", shifted)
	} else {
		t.Logf("shift of the layout %.4f", shifted)
	}
}

// TestNamesOfSettings: at both usual widths the commands of the page stand in a menu, no name
// of a setting is broken inside a word or over lines, and "Sweep this" stands at its right. The
// page is as high as the window. Its columns scroll, but for Run; the whole page does not.
func TestNamesOfSettings(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&"+quick+"&picture=plain&B.l1.store=latte&B.backing.kind=buddy")
	for _, width := range []int64{1280, 1440} {
		p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 720, DeviceScaleFactor: 1}))
		poll(p, `document.querySelectorAll("#knobs .sweepthis").length > 10`)
		faults := eval[[]string](p, `(() => {
			const faults = [];
			const cut = e => e.scrollWidth > e.clientWidth + 1;
			for (const d of document.querySelectorAll(".card details")) d.open = true;
			if (document.documentElement.scrollHeight > innerHeight) faults.push("the page is " + document.documentElement.scrollHeight + " px high");
			const run = document.getElementById("run"), at = run.getBoundingClientRect();
			const seen = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
			if (seen !== run) faults.push("Run is not in view, at " + at.top + " px");
			document.getElementById("menu-open").click();
			for (const b of document.querySelectorAll("#menu button")) if (!b.checkVisibility() || b.getBoundingClientRect().right > innerWidth) faults.push(b.id + " is not on show");
			document.body.click();
			for (const name of document.querySelectorAll(":is(#knobs .grid, #knobs .knob) > span")) {
				if (!name.checkVisibility() || name.classList.contains("vh")) continue;
				if (cut(name)) faults.push(name.textContent + " is wider than its place");
				const words = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
				while (words.nextNode()) {
					const text = words.currentNode.data;
					for (const w of text.matchAll(/[\w-]+/g)) {
						const range = document.createRange();
						range.setStart(words.currentNode, w.index);
						range.setEnd(words.currentNode, w.index + w[0].length);
						const rects = range.getClientRects();
						if (rects.length > 1) faults.push(w[0] + " is broken");
						const button = name.querySelector(".sweepthis")?.getBoundingClientRect();
						if (button && rects[0] && (button.left < rects[0].right - 1 || button.top > rects[0].bottom || button.bottom < rects[0].top)) faults.push("Sweep this is not at the right of " + w[0]);
					}
				}
			}
			return faults;
		})()`)
		if len(faults) > 0 {
			t.Errorf("%d px wide: %s", width, strings.Join(faults, "; "))
		}
	}
}
